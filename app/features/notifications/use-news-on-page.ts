import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useUnread } from "./unread-context";

/**
 * Loads the page again when the inbox tells of something new; in a hidden tab not before someone looks at it, since what
 * a page shows counts as seen.
 */
export function useNewsOnPage(): void {
  const { heard } = useUnread();
  const { revalidate } = useRevalidator();
  const shown = useRef(heard);
  useEffect(() => {
    const look = () => {
      if (document.hidden || shown.current === heard) return;
      shown.current = heard;
      revalidate();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [heard, revalidate]);
}
