/** What the signed cookie says, before the database has been asked. */
export interface SessionClaim {
  userId: string;
  /** SHA-256 of the token: the key of the session's row. */
  sessionId: string;
  /** The cookie's value, sent again when the session is renewed. */
  cookie: string;
}

/** The signed-in player, as every page may need them. */
export interface Viewer {
  id: string;
  email: string;
  /** The part of the e-mail before the @. */
  name: string;
  /** The first letter of the e-mail, on the banner. */
  letter: string;
  /** The name of their picture; null without one. */
  avatarId: string | null;
  emailConfirmed: boolean;
  /** The zone that the profile names; null where it names none. */
  timeZone: string | null;
  /** The zone of e-mails, which no address comes with: the profile's, else that of the browser last used, else UTC. */
  emailZone: string;
  /** The account has a Riot ID that was found at Riot. */
  verified: boolean;
  /** Riot Sign-On has shown that the account is this player's own. */
  riotProven: boolean;
  /** E-mail to the address has been given up or refused for good. */
  emailFailed: boolean;
  /** When the account will be erased, if its player has asked for that. */
  deletionDueAt: Date | null;
  /** When the player last proved who they are, in this session. */
  authenticatedAt: Date;
}
