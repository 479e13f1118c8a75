import { and, between, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { rateLimits } from "#db/schema";
import { DAY, HOUR, MINUTE } from "../dates/durations";
import type { Env } from "../env";
import type { Logger } from "../log";

interface RateLimit {
  times: number;
  /** In milliseconds; `AT_ONCE` if `times` limits the number that may exist at the same time. */
  within: number;
  /** Makes `answerForm` and `answerButton` count by IP address; if left out, they count by account. */
  by?: "address";
  /** Whether `answerForm` also counts invalid forms; if left out, they don't count. */
  badForms?: "count";
}

/** Marks a limit without a window: the statement that adds a row counts the existing rows. */
const AT_ONCE = 0;

/**
 * All rate limits with their default values: at most `times` in `within` milliseconds, per IP address or per account.
 * Normally only valid forms count, since an invalid one changes nothing. Invalid forms also count for limits on
 * requests that may hash a password, send an email or guess a code.
 */
export const DEFAULT_LIMITS = {
  /** Lookups of Riot accounts, per IP address. */
  riotLookup: { times: 20, within: MINUTE, by: "address" },
  /** The same, per account. */
  riotLookupPerAccount: { times: 20, within: MINUTE },
  /** Lookups through `/riot-api/verify-account` without a session: one count for all strangers. */
  riotLookupByStrangers: { times: 60, within: MINUTE },
  signIn: { times: 10, within: MINUTE },
  /** Emails that warn a player about wrong passwords for their account. */
  failedSignInsEmail: { times: 3, within: DAY },
  signUp: { times: 10, within: HOUR },
  /** Redirects to Discord or Riot and back, per IP address. */
  linkedAccounts: { times: 20, within: MINUTE, by: "address" },
  /** Emailed codes and links, per requesting IP address. */
  verificationEmail: { times: 20, within: HOUR },
  /** The same, per recipient, purpose and requesting network. A browser that has signed in before has its own count. */
  verificationEmailTo: { times: 5, within: HOUR },
  /** The same, per recipient and purpose: one count for all strangers, and one for all known browsers. */
  verificationEmailToInAll: { times: 20, within: HOUR },
  passwordChange: { times: 10, within: HOUR, badForms: "count" },
  /** Forms with a human check that were sent without a token, because JavaScript is off or the check is down. */
  withoutHumanCheck: { times: 3, within: HOUR },
  /** Wrong second factors after the first step of a sign-in, per account. Those over the limit cause no warning. */
  wrongSecondFactor: { times: 15, within: DAY },
  /** Turning two-factor on and off, creating new recovery codes, and forgetting trusted devices. */
  twoFactorChange: { times: 30, within: HOUR, badForms: "count" },
  /** Pages of the directory after the first. */
  directoryPages: { times: 60, within: MINUTE },
  /** Loads of the cards that pop up over links to players. */
  playerCards: { times: 120, within: MINUTE },
  post: { times: 10, within: HOUR },
  /**
   * The same, per IP address, whoever posts. This limit and those of messages per address are wide enough for many
   * players to share an address (docs/decisions/0004-rate-limits-in-the-database.md).
   */
  postPerAddress: { times: 60, within: HOUR, by: "address" },
  /** Edits, closings, bumps and deletions of posts. */
  postChange: { times: 60, within: HOUR },
  /** Turning push on and off, and renewing a browser's subscription. */
  push: { times: 60, within: HOUR },
  /** Saving the profile. */
  profile: { times: 60, within: HOUR },
  /** Uploading or removing a picture. */
  picture: { times: 20, within: HOUR },
  /** Requests to join posts. */
  join: { times: 20, within: HOUR },
  /**
   * Notifications of a player's requests to join a post, per player and post. Further requests are accepted, but notify
   * nobody, unless the one before has lapsed.
   */
  joinNews: { times: 1, within: DAY },
  /** Answers to requests, and changes by members of the team. */
  team: { times: 60, within: HOUR },
  /** Changes in the room of a team: `Ready`, the party code, the voice link. */
  teamRoom: { times: 120, within: HOUR },
  /** Registering for tournaments, withdrawing, and looking for a team there. */
  registration: { times: 30, within: HOUR },
  /**
   * Notifications of a player's registration for a tournament, per player and tournament. Registering again notifies
   * nobody.
   */
  registrationNews: { times: 1, within: DAY },
  /** Changes by captains and players to their team in a tournament, including its check-in. */
  roster: { times: 120, within: HOUR },
  /** Notifications of an invitation to a tournament's team, per player and team. Further invitations notify nobody. */
  invitationNews: { times: 1, within: DAY },
  /** Hosting tournaments. */
  tournament: { times: 10, within: HOUR },
  /** Tournaments that a host has open. */
  openTournaments: { times: 3, within: AT_ONCE },
  /** The same, for hosts whose tournaments aren't listed. */
  openUnlistedTournaments: { times: 1, within: AT_ONCE },
  /** Changes by organisers: editing, cancelling, co-organisers. */
  tournamentChange: { times: 60, within: HOUR },
  /** Seeding a tournament, one position at a time, and starting it. */
  seeding: { times: 300, within: HOUR },
  /** Giving feedback, and changing it. */
  feedback: { times: 30, within: HOUR },
  /** Actions of captains and players in a match. */
  match: { times: 120, within: HOUR },
  /** Decisions of organisers: results, reopened matches, disqualifications. The largest bracket has 511 matches. */
  ruling: { times: 600, within: HOUR },
  message: { times: 30, within: MINUTE },
  /** The same, per IP address. */
  messagePerAddress: { times: 200, within: MINUTE, by: "address" },
  /** Messages to a player who doesn't know the sender and hasn't answered. */
  unansweredMessages: { times: 5, within: AT_ONCE },
  /** Messages to the authors of posts, which may begin a conversation. */
  contact: { times: 20, within: HOUR },
  /** The same, per IP address. */
  contactPerAddress: { times: 100, within: HOUR, by: "address" },
  /** Blocking and unblocking players. */
  block: { times: 60, within: HOUR },
  report: { times: 10, within: HOUR },
  /** Reports by visitors without an account, per IP address. */
  guestReport: { times: 10, within: HOUR },
  /** Confirmations of reports, per recipient. Separate, so that they can't use up the limit for sign-in codes. */
  reportEmailTo: { times: 5, within: HOUR },
  /** Appeals against decisions of moderators. */
  appeal: { times: 10, within: HOUR },
  /** Decisions, notes and assignments by a moderator. */
  moderation: { times: 300, within: HOUR },
  /** Ending sessions on other devices. */
  endSessions: { times: 60, within: HOUR },
  export: { times: 5, within: HOUR },
  /** Unsubscribing by the links in emails, per account, because email programs share IP addresses. */
  unsubscribe: { times: 30, within: HOUR },
  /** Requesting the deletion of the account, and cancelling it. */
  deletion: { times: 20, within: HOUR, badForms: "count" },
} as const satisfies Record<string, RateLimit>;

export type RateLimitRule = keyof typeof DEFAULT_LIMITS;

/**
 * Returns a limit as configured: its override in the operator's setting `RATE_LIMITS`, or else its default, with
 * `times` multiplied by `RATE_LIMIT_FACTOR`.
 */
export function configuredLimit(env: Pick<Env, "RATE_LIMITS" | "RATE_LIMIT_FACTOR">, rule: RateLimitRule) {
  const replaced = env.RATE_LIMITS.match(new RegExp(`(?:^|,)${rule}=(\\d+)/(\\d+)`));
  const { times, within } = DEFAULT_LIMITS[rule];
  return {
    times: Math.round((replaced ? Number(replaced[1]) : times) * env.RATE_LIMIT_FACTOR),
    seconds: replaced ? Number(replaced[2]) : within / 1000,
  };
}

/** The settings whose limits have been checked. `parseEnv` returns the same object until the Worker restarts. */
const checked = new WeakSet<object>();

/**
 * Logs the names in `RATE_LIMITS` that don't belong to any limit, once per start of the Worker. They aren't errors, so
 * that a rollback to a version without a newer limit doesn't stop the site.
 */
export function reportUnknownLimits(env: Pick<Env, "RATE_LIMITS">, log: Logger): void {
  if (checked.has(env)) return;
  checked.add(env);
  const unknown = [...env.RATE_LIMITS.matchAll(/(\w+)=/g)].flatMap(([, name = ""]) =>
    Object.hasOwn(DEFAULT_LIMITS, name) ? [] : name,
  );
  if (unknown.length > 0) log.warn("RATE_LIMITS names limits that don't exist", { names: unknown.join(",") });
}

/** The kinds of secret that could be guessed; `prepareAttempt` counts the attempts at each. */
const GUESSABLE = ["signIn", "twoFactor", "reauthenticate"] as const;

export type GuessableSecret = (typeof GUESSABLE)[number];

/**
 * Identifies whose uses a limit counts: an IP address, a user id or the hash of an email address, perhaps with more
 * after a colon. It is an SQL expression if only the database can determine it.
 */
export type Subject = string | SQL;

/** Returns the key of a counter. */
export const keyOf = (series: string, subject: Subject): Subject =>
  typeof subject === "string" ? `${series}:${subject}` : sql`${`${series}:`} || coalesce(${subject}, '')`;

/**
 * Builds the statement that deletes all counters of a player who leaves, if `condition` holds.
 * @param subjects the subjects of the counters, such as the user id or the hash of the email address
 */
export function forgetLimits(db: Database, subjects: readonly string[], condition: SQL) {
  const series = [...Object.keys(DEFAULT_LIMITS), ...GUESSABLE.map((what) => `try:${what}`)];
  const keys = series.flatMap((name) => subjects.map((subject) => `${name}:${subject}`));
  // A subject may continue after a colon. The range covers such keys, because `;` sorts right after `:`.
  const counters = keys.map((key) => between(rateLimits.key, key, `${key};`));
  return db.delete(rateLimits).where(and(or(...counters), condition));
}
