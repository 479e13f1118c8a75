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

/** Carries what has happened to the next page that comes to life: names of events, separated by commas. */
export const AUTH_EVENT_COOKIE = "lineup_event";
