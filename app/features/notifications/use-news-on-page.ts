import { useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { pageUnderDialog } from "~/ui/dialogs/dialogs";
import { useUnread } from "./shared/unread-context";

/**
 * Reloads the page's data when the inbox reports news. A hidden tab waits until it is visible, because loaded news
 * counts as seen. A page under a dialog waits until the dialog is closed, because the reload would include the
 * dialog, in which the player may be typing.
 */
export function useNewsOnPage(): void {
  const { newsCount } = useUnread();
  const { revalidate, state } = useRevalidator();
  // Reloading during another load would abort that one.
  const isIdle = useNavigation().state === "idle" && state === "idle";
  const isCovered = pageUnderDialog(useLocation().pathname) !== null;
  const shown = useRef(newsCount);
  useEffect(() => {
    const reloadIfShown = () => {
      if (!isIdle || isCovered || document.hidden || shown.current === newsCount) return;
      shown.current = newsCount;
      revalidate();
    };
    reloadIfShown();
    document.addEventListener("visibilitychange", reloadIfShown);
    return () => document.removeEventListener("visibilitychange", reloadIfShown);
  }, [newsCount, isIdle, isCovered, revalidate]);
}
