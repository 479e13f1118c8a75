import type { RequestContext } from "./context";

/** What can happen to a session: the names of the specification, section 4, which `useAuth` passes on. */
export const AUTH_EVENTS = [
  "INITIAL_SESSION",
  "SIGNED_IN",
  "SIGNED_OUT",
  "TOKEN_REFRESHED",
  "USER_UPDATED",
  "PASSWORD_RECOVERY",
  "MFA_CHALLENGE_VERIFIED",
] as const;

export type AuthEvent = (typeof AUTH_EVENTS)[number];

const COOKIE = "lineup_event";

/** Tells the next page that comes to life in this browser what has happened; it tells the other tabs. */
export function tellAuthEvent({ cookies }: Pick<RequestContext, "cookies">, event: AuthEvent): void {
  cookies.set(COOKIE, event, { maxAge: 60 });
}
