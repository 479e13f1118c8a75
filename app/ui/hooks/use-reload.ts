import { useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { forgetPrefetched } from "~/platform/prefetched";
import { pageUnderDialog } from "../dialogs/dialogs";

/**
 * The shortest time between two reloads of a page, in milliseconds, because many changes may arrive in quick
 * succession.
 */
const PAUSE = 1_000;

/**
 * Returns a function that reloads the page's data. The reload waits while another load is running, while a dialog is
 * open, because it could replace the form in which the player is typing, and in a hidden tab until the tab is visible.
 */
export function useReload(): () => void {
  const { revalidate, state } = useRevalidator();
  const isLoading = useNavigation().state !== "idle" || state !== "idle";
  const mayReload = pageUnderDialog(useLocation().pathname) === null && !isLoading;
  /** The number of requested reloads. */
  const [asked, setAsked] = useState(0);
  const handled = useRef(asked);
  const loadedAt = useRef(0);
  useEffect(() => {
    if (handled.current === asked || !mayReload) return;
    const reload = () => {
      if (document.hidden || handled.current === asked) return;
      handled.current = asked;
      loadedAt.current = Date.now();
      revalidate();
    };
    const timer = setTimeout(reload, Math.max(0, loadedAt.current + PAUSE - Date.now()));
    document.addEventListener("visibilitychange", reload);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", reload);
    };
  }, [asked, mayReload, revalidate]);
  return useCallback(() => {
    setAsked((count) => count + 1);
    // Pages prefetched before the change don't have it.
    forgetPrefetched();
  }, []);
}
