import { useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { pageUnderDialog } from "../dialogs/dialogs";
import { useIsVisible } from "./use-is-active";

/**
 * The shortest time between two reloads of a page, in milliseconds, because many changes may arrive in quick
 * succession.
 */
const PAUSE = 1_000;

/**
 * Reloads the page's data whenever `reason` changes. A reload that the player hasn't asked for waits while another load
 * is running, because it would abort that one; while a dialog is open, because it would include the dialog, in which
 * the player may be typing; and in a hidden tab until the tab is visible, because loaded messages and news count as
 * seen.
 * @param isUrgent makes the reload wait only for a running load
 * @returns whether neither a load nor a dialog would hold up a reload
 */
export function useQuietReload(reason: unknown, isUrgent?: boolean): boolean {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  const isQuiet = pageUnderDialog(useLocation().pathname) === null && isIdle;
  const isVisible = useIsVisible();
  const mayReload = isUrgent ? isIdle : isQuiet && isVisible;
  const last = useRef({ reason, at: 0 });
  useEffect(() => {
    if (last.current.reason === reason || !mayReload) return;
    const timer = setTimeout(
      () => {
        last.current = { reason, at: Date.now() };
        revalidate();
      },
      last.current.at + PAUSE - Date.now(),
    );
    return () => clearTimeout(timer);
  }, [reason, mayReload, revalidate]);
  return isQuiet;
}
