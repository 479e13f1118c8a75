import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { pageUnderDialog } from "../dialogs/dialogs";
import { titleWithoutCount } from "./title-count";

/**
 * Does for client-side navigations what browsers do between documents: announces the new page's title to screen
 * readers. If the focused element is gone, moves the focus to the element with the same id; if it had none, to the one
 * that the address names; or else to the page's heading. Dialogs manage their own focus.
 */
export function PageAnnouncer() {
  const { key, pathname, hash } = useLocation();
  const [title, setTitle] = useState("");
  const page = pageUnderDialog(pathname) ?? pathname;
  const seen = useRef({ key, page });
  const focused = useRef("");

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      focused.current = (target as Element).id;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);

  useEffect(() => {
    const before = seen.current;
    seen.current = { key, page };
    if (before.key === key) return;
    if (before.page !== page) setTitle(titleWithoutCount());
    if (document.activeElement !== document.body) return;
    const place =
      document.getElementById(focused.current || hash.slice(1)) ?? document.querySelector<HTMLElement>("h1");
    if (!place) return;
    // Not in the Tab order: a heading only takes over the lost focus.
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }, [key, page, hash]);

  return (
    <p aria-live="assertive" aria-atomic="true" className="sr-only">
      {title}
    </p>
  );
}
