import { DAY, MINUTE } from "../dates/durations";

/* How long a session lives, and how closely a visit is noted. All of it is in milliseconds. */

/** A session ends after so long without a visit; a visit in its second half renews it (the Copenhagen Book). */
export const SESSION_LIFETIME = 30 * DAY;

/** A sign-in counts as recent for so long: what changes who gets in needs a recent one. */
export const RECENT_SIGN_IN = 10 * MINUTE;

/** A session's "Last seen" may be wrong by so much, so that not every page writes. */
export const LAST_SEEN_PRECISION = 5 * MINUTE;

/** The same for what other players are told. */
export const PRESENCE_PRECISION = MINUTE;
