/** The events of a session, by their names in the specification, section 4; `useAuth` passes them on. */
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

/** Carries events to the next page that hydrates, as names separated by commas. */
export const AUTH_EVENT_COOKIE = "lineup_event";
