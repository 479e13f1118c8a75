import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { ZONE_COOKIE, ZONE_KEPT } from "~/platform/dates/time-zone";
import { pageUnderDialog } from "../dialogs/dialogs";

/** The browser's own time zone; empty where it tells none. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

/** Pages that are forms. Loading one again could take what is being entered; its times are right from the next load on. */
const isForm = (path: string) => pageUnderDialog(path) !== null || /^\/dashboard\/profile\b/.test(path);

/**
 * Keeps the browser's zone in a cookie, and loads the page again, once, when that moves its times.
 * @param shown the zone of the page, where the browser's would be better; null where it wouldn't
 */
export function useBrowserZone(shown: string | null): void {
  const { revalidate } = useRevalidator();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a document, whatever comes after
  useEffect(() => {
    const zone = browserZone();
    if (zone && keep(zone) && shown !== null && shown !== zone && !isForm(location.pathname)) revalidate();
  }, []);
}

/** @returns whether the cookie is new, and the browser takes cookies */
function keep(zone: string): boolean {
  const cookie = `${ZONE_COOKIE}=${encodeURIComponent(zone)}`;
  const isKept = () => document.cookie.split("; ").includes(cookie);
  if (isKept()) return false;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = `${cookie}; Path=/; Max-Age=${ZONE_KEPT}; SameSite=Lax${secure}`;
  return isKept();
}
