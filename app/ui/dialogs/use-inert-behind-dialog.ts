import { useLocation } from "@remix-run/react";
import { useIsHydrated } from "../hooks/use-is-hydrated";
import { pageUnderDialog } from "./dialogs";

/**
 * Returns the attributes of everything below a dialog: while a child route has one open, the page can't be reached, by
 * keyboard either. Without JavaScript `inert` does this. With JavaScript the modal dialog does, and an inert opener
 * could not get the focus back.
 */
export function useInertBehindDialog(): { inert?: "" } {
  const isOpen = pageUnderDialog(useLocation().pathname) !== null;
  const isHydrated = useIsHydrated();
  return isOpen && !isHydrated ? { inert: "" } : {};
}
