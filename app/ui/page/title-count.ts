import { useEffect } from "react";

const COUNT = /^\(\d+\+?\) /;

/** Returns the page's title without the count before it. */
export const titleWithoutCount = (): string => document.title.replace(COUNT, "");

/** Puts a count before the page's title, so that a tab in the background shows it; none for 0. */
export function useTitleCount(count: number): void {
  // After every render, because a navigation rewrites the title.
  useEffect(() => {
    const title = titleWithoutCount();
    const counted = count > 0 ? `(${count > 99 ? "99+" : count}) ${title}` : title;
    if (document.title !== counted) document.title = counted;
  });
}
