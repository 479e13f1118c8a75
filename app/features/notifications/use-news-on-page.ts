import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useUnread } from "./shared/unread-context";

/**
 * Loads the page again when the inbox tells of something new; in a hidden tab not before someone looks at it, since what
 * a page shows counts as seen.
 */
export function useNewsOnPage(): void {
  const { heard } = useUnread();
  const { revalidate, state } = useRevalidator();
  // To load in the middle of another load would cut that one off.
  const isIdle = useNavigation().state === "idle" && state === "idle";
  const shown = useRef(heard);
  useEffect(() => {
    const look = () => {
      if (!isIdle || document.hidden || shown.current === heard) return;
      shown.current = heard;
      revalidate();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [heard, isIdle, revalidate]);
}
