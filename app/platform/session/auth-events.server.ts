import type { RequestContext } from "../context";
import { AUTH_EVENT_COOKIE, AUTH_EVENTS, type AuthEvent } from "./auth-events";

/**
 * Tells the next page that comes to life in this browser what has happened; it tells the other tabs. The cookie is the
 * one that scripts may read: a page without script leaves it for the next, and it holds nothing but a name.
 */
export function tellAuthEvent({ cookies }: Pick<RequestContext, "cookies">, event: AuthEvent): void {
  const told = cookies.upcoming(AUTH_EVENT_COOKIE)?.split(",") ?? [];
  // Each once, where it happened last: a browser without script never reads them.
  const events = [...told.filter((one) => one && one !== event), event].slice(-AUTH_EVENTS.length);
  cookies.set(AUTH_EVENT_COOKIE, events.join(","), { maxAge: 60, httpOnly: false });
}
