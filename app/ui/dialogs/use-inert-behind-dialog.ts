import { useLocation } from "@remix-run/react";
import { useIsHydrated } from "../hooks/use-is-hydrated";
import { pageUnderDialog } from "./dialogs";

/**
 * Returns the attributes of the page below a dialog. While a child route's dialog is open, the page must not be
 * reachable, not even by keyboard. Without JavaScript, `inert` ensures this. With JavaScript, the modal dialog does;
 * `inert` would keep the element that opened it from getting the focus back.
 */
export function useInertBehindDialog(): { inert?: "" } {
  const isOpen = pageUnderDialog(useLocation().pathname) !== null;
  const isHydrated = useIsHydrated();
  return isOpen && !isHydrated ? { inert: "" } : {};
}
