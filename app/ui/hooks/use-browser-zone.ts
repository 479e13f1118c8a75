import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { ZONE_COOKIE, ZONE_COOKIE_LIFETIME } from "~/platform/dates/time-zone";
import { pageUnderDialog } from "../dialogs/dialogs";
import { whenIdle } from "./when-idle";

/** Returns the browser's time zone; empty if it reveals none. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

/**
 * Whether a page has a form. Such a page isn't reloaded, because that could discard entered values; its times are right
 * from the next load on.
 */
const isForm = (path: string) => pageUnderDialog(path) !== null || /^\/dashboard\/profile\b/.test(path);

/**
 * Stores the browser's time zone in a cookie, once per document, and reloads the page's data if that changes its times.
 * @param shown the zone that the page was rendered in, if the browser's would be better; null if not
 */
export function useBrowserZone(shown: string | null): void {
  const { revalidate } = useRevalidator();
  const hasRun = useRef(false);
  useEffect(() => {
    if (hasRun.current) return;
    hasRun.current = true;
    // Asking for the zone the first time takes 50 ms on a slow phone, so it must not hold up the page's first clicks.
    whenIdle(() => {
      const zone = browserZone();
      if (zone && storeZone(zone) && shown !== null && shown !== zone && !isForm(location.pathname)) revalidate();
    });
  }, [shown, revalidate]);
}

/** Stores the zone. @returns whether the cookie has changed, and the browser accepts cookies */
function storeZone(zone: string): boolean {
  const cookie = `${ZONE_COOKIE}=${encodeURIComponent(zone)}`;
  const isKept = () => document.cookie.split("; ").includes(cookie);
  if (isKept()) return false;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = `${cookie}; Path=/; Max-Age=${ZONE_COOKIE_LIFETIME}; SameSite=Lax${secure}`;
  return isKept();
}
