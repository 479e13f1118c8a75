import type { StaffRole } from "#db/words/staff-roles";

/** The content of the signed cookie, before it is checked against the database. */
export interface SessionClaim {
  userId: string;
  /** SHA-256 of the token: the key of the session's row. */
  sessionId: string;
  /** The cookie's value, sent again when the session is renewed. */
  cookie: string;
}

/** The player of a session, whose account may be suspended. A suspended player can open only a few pages. */
export interface RestrictedViewer extends Viewer {
  isSuspended: boolean;
}

/** The signed-in player, with the data that pages need. */
export interface Viewer {
  id: string;
  email: string;
  /** The part of the email address before the @. */
  name: string;
  /** The first letter of the email address, on the banner. */
  letter: string;
  /** The name that others see, if the account is verified; else null. */
  publicName: string | null;
  /** The key of their picture; null without one. */
  avatarId: string | null;
  emailConfirmed: boolean;
  /** The time zone of the profile; null if it sets none. */
  timeZone: string | null;
  /**
   * The time zone for emails, which are written without a request: the profile's, or else that of the browser last
   * used, or else UTC.
   */
  emailZone: string;
  /** Whether the account has a Riot ID that was found at Riot. */
  verified: boolean;
  /** Whether Riot Sign-On has proved that the Riot account is this player's own. */
  riotProven: boolean;
  /** Whether an email provider has refused the address for good. */
  emailFailed: boolean;
  /** When the account will be erased, if its player has requested that. */
  deletionDueAt: Date | null;
  /** The role of a moderator or an admin; null for everyone else. */
  role: StaffRole | null;
  /** Whether two-factor is on. Only read for moderators and admins; false for everyone else. */
  hasSecondFactor: boolean;
  /** For a moderator or an admin, the number of open cases, at most 100; null for everyone else. */
  waitingCases: number | null;
  /** When the player last authenticated in this session. */
  authenticatedAt: Date;
}
