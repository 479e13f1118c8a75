import { useLocation } from "@remix-run/react";
import { useScripted } from "../hooks/use-scripted";
import { pageUnderDialog } from "./dialogs";

/**
 * The attributes of everything that lies under a dialog: while a child route opens one, it can't be reached, with the
 * keyboard either. Without JavaScript `inert` sees to that; with it the modal dialog does, and an inert opener could
 * not get the focus back.
 */
export function useInertBehindDialog(): { inert?: "" } {
  const isOpen = pageUnderDialog(useLocation().pathname) !== null;
  const scripted = useScripted();
  return isOpen && !scripted ? { inert: "" } : {};
}
