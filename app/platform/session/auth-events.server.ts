import type { RequestContext } from "../context";
import { AUTH_EVENT_COOKIE, AUTH_EVENTS, type AuthEvent } from "./auth-events";

/**
 * Announces an event to the next page that hydrates in this browser, which passes it on to other tabs. The cookie is
 * readable by scripts and holds only names of events; a page without script leaves it for the next page.
 */
export function announceAuthEvent({ cookies }: Pick<RequestContext, "cookies">, event: AuthEvent): void {
  const pending = cookies.upcoming(AUTH_EVENT_COOKIE)?.split(",") ?? [];
  // Each event once, at its latest position: a browser without script never clears them.
  const events = [...pending.filter((one) => one && one !== event), event].slice(-AUTH_EVENTS.length);
  cookies.set(AUTH_EVENT_COOKIE, events.join(","), { maxAge: 60 });
}
