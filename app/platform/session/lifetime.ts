import { DAY, MINUTE } from "../dates/durations";

/* The lifetime of sessions and the precision of visits, all in milliseconds. */

/** A session ends after this time without a visit. */
export const SESSION_LIFETIME = 30 * DAY;

/** The precision of that end: a visit renews the session once a day, so that not every page sets cookies. */
export const RENEWAL_PRECISION = DAY;

/** The time that a sign-in counts as recent, as required for changes to the account's security. */
export const RECENT_SIGN_IN = 10 * MINUTE;

/** The precision of a session's "Last seen", so that not every page writes. */
export const LAST_SEEN_PRECISION = 5 * MINUTE;

/** The precision of the last visit that other players see. */
export const PRESENCE_PRECISION = MINUTE;
