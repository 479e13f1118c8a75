import { and, between, eq, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { rateLimits } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { RequestContext } from "../context";
import { DAY, HOUR, MINUTE } from "../dates/durations";
import type { Env } from "../env";
import type { Logger } from "../log";
import { isRestrictedSessionOpen } from "../session/session.server";
import type { SessionClaim } from "../session/viewer";

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
  /** Forms with a human check that were sent without a token, because script is off or the check is down. */
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
   * Notifications of a player's requests to join a post, per player and post. Further requests count, but notify
   * nobody.
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
  /** Messages to a player who doesn't know the sender and hasn't answered. */
  unansweredMessages: { times: 5, within: AT_ONCE },
  /** Messages to the authors of posts, which may begin a conversation. */
  contact: { times: 20, within: HOUR },
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

/** The kinds of secret that could be guessed; `prepareAttempt` counts the attempts at each. */
const GUESSABLE = ["signIn", "twoFactor", "reauthenticate"] as const;

export type RateLimitRule = keyof typeof DEFAULT_LIMITS;

type GuessableSecret = (typeof GUESSABLE)[number];

export type RateLimitVerdict = { allowed: true } | { allowed: false; retryAfter: number };

/** The verdict on an attempt; `number` counts the attempts of its series so far, without refused ones. */
type AttemptVerdict = RateLimitVerdict & { number: number };

/** Former names of limits, which operators may still use in the setting `RATE_LIMITS`. */
const FORMER_NAMES: Partial<Record<RateLimitRule, string>> = {
  riotLookup: "verification",
  riotLookupPerAccount: "verificationPerAccount",
};

/**
 * Returns a limit as configured: its override in the operator's setting `RATE_LIMITS`, or else its default, with
 * `times` multiplied by `RATE_LIMIT_FACTOR`.
 */
export function configuredLimit(env: Pick<Env, "RATE_LIMITS" | "RATE_LIMIT_FACTOR">, rule: RateLimitRule) {
  const names = [rule, FORMER_NAMES[rule] ?? rule].join("|");
  const replaced = env.RATE_LIMITS.match(new RegExp(`(?:^|,)(?:${names})=(\\d+)/(\\d+)`));
  const { times, within } = DEFAULT_LIMITS[rule];
  return {
    times: Math.round((replaced ? Number(replaced[1]) : times) * env.RATE_LIMIT_FACTOR),
    seconds: replaced ? Number(replaced[2]) : within / 1000,
  };
}

/** The settings whose limits have been checked. `parseEnv` returns the same ones until the Worker starts again. */
const checked = new WeakSet<object>();

/**
 * Logs, once per start of the Worker, the names in `RATE_LIMITS` that no limit has or had. They are no error, so that a
 * rollback to a Worker without a newer limit doesn't stop the site.
 */
export function reportUnknownLimits(env: Pick<Env, "RATE_LIMITS">, log: Logger): void {
  if (checked.has(env)) return;
  checked.add(env);
  const known: string[] = [...Object.keys(DEFAULT_LIMITS), ...Object.values(FORMER_NAMES)];
  const unknown = [...env.RATE_LIMITS.matchAll(/(\w+)=/g)].flatMap(([, name = ""]) =>
    known.includes(name) ? [] : name,
  );
  if (unknown.length > 0) log.warn("RATE_LIMITS names limits that don't exist", { names: unknown.join(",") });
}

/**
 * Identifies whose uses a limit counts: an IP address, a user id or the hash of an email address, perhaps with more
 * after a colon. It is an SQL expression if only the database can determine it.
 */
type Subject = string | SQL;

const keyOf = (series: string, subject: Subject): Subject =>
  typeof subject === "string" ? `${series}:${subject}` : sql`${`${series}:`} || coalesce(${subject}, '')`;

/** A counter after a use, as `prepareUses` reads it. */
interface CountedUse {
  count: number;
  windowEndsAt: number;
}

/**
 * Builds the statements that count one use of each of several rules, for a transaction whose other statements depend on
 * the limits. The rules count in their order, and a use that exceeds one of them doesn't count against the next.
 *
 * All statements must run in one transaction. Otherwise another request could count its own uses in between, and a use
 * within its limit would appear to exceed it.
 * @param condition the use counts only if this is true; otherwise `isAllowed` is false, although no limit is exceeded
 * @returns the statements; `isAllowed`, an SQL condition for the statements after them; `number`, the number of uses of
 *   the last rule as an SQL expression for them; `judge`, which turns the statements' results into the verdict; and
 *   `waitsUntil`, the verdict as an SQL expression for `verdictUntil`
 */
export function prepareUses(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  uses: readonly (readonly [rule: RateLimitRule, subject: Subject])[],
  condition: SQL = sql`1`,
) {
  const at = now.getTime();
  const { count, key, windowEndsAt } = rateLimits;
  let isAllowed = condition;
  let number = sql`0`;
  const waits: SQL[] = [];
  const counts = uses.map(([rule, subject]) => {
    const { times, seconds } = configuredLimit(env, rule);
    const counted = keyOf(rule, subject);
    const statement =
      db.all<CountedUse>(sql`INSERT INTO ${rateLimits} ${columnsOf(rateLimits, "key", "count", "windowEndsAt")}
      SELECT ${counted}, 1, ${at + seconds * 1000} WHERE ${isAllowed}
      ${countAgain(at)}
      RETURNING ${bare(count)} AS count, ${bare(windowEndsAt)} AS windowEndsAt`);
    number = sql`(SELECT ${count} FROM ${rateLimits} WHERE ${key} = ${counted})`;
    isAllowed = sql`${isAllowed} AND ${number} <= ${times}`;
    waits.push(sql`(SELECT ${windowEndsAt} FROM ${rateLimits} WHERE ${key} = ${counted} AND ${count} > ${times})`);
    return statement;
  });
  const judge = (results: readonly (readonly CountedUse[])[]): RateLimitVerdict => {
    for (const [index, [rule]] of uses.entries()) {
      const counted = results[index]?.[0];
      if (!counted || counted.count <= configuredLimit(env, rule).times) continue;
      return verdictUntil(counted.windowEndsAt, now);
    }
    return { allowed: true };
  };
  const waitsUntil = sql<number | null>`coalesce(${sql.join(waits, sql`, `)}, NULL)`;
  return { counts, isAllowed, number, judge, waitsUntil };
}

/** Builds the statement that forgets the uses of a rule. Has no effect if `condition` doesn't hold. */
export const forgetUses = ({ db }: Pick<RequestContext, "db">, rule: RateLimitRule, subject: Subject, condition: SQL) =>
  db.delete(rateLimits).where(and(eq(rateLimits.key, keyOf(rule, subject)), condition));

/** Returns the verdict on a use that must wait until a moment, in milliseconds since 1970; null if it needn't. */
export const verdictUntil = (waitsUntil: number | null, now: Date): RateLimitVerdict =>
  waitsUntil === null
    ? { allowed: true }
    : { allowed: false, retryAfter: Math.max(1, Math.ceil((waitsUntil - now.getTime()) / 1000)) };

/** Builds the end of an INSERT that counts a use: it raises the counter, or begins a new window. */
function countAgain(at: number): SQL {
  const { count, windowEndsAt } = rateLimits;
  const isOver = sql`${windowEndsAt} <= ${at}`;
  return sql`ON CONFLICT ${columnsOf(rateLimits, "key")} DO UPDATE SET
    ${bare(count)} = iif(${isOver}, 1, ${count} + 1),
    ${bare(windowEndsAt)} = iif(${isOver}, excluded.${bare(windowEndsAt)}, ${windowEndsAt})`;
}

/**
 * Builds the SQL for a transaction that acts for several subjects but leaves out those that have used up a limit.
 * @param subjects `SELECT … AS subject` of those for whom the transaction acts
 * @returns `hasUsesLeft`, an SQL condition on a subject; and `count`, a statement to run after those that use the
 *   condition
 */
export function prepareUsesOfEach(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  rule: RateLimitRule,
  subjects: SQL,
) {
  const at = now.getTime();
  const { times, seconds } = configuredLimit(env, rule);
  const { count, key, windowEndsAt } = rateLimits;
  return {
    hasUsesLeft: (subject: SQL): SQL => sql`NOT EXISTS (
      SELECT 1 FROM ${rateLimits} WHERE ${key} = ${keyOf(rule, subject)} AND ${count} >= ${times}
        AND ${windowEndsAt} > ${at}
    )`,
    count: db.run(sql`
      INSERT INTO ${rateLimits} ${columnsOf(rateLimits, "key", "count", "windowEndsAt")}
      SELECT ${keyOf(rule, sql`uses.subject`)}, 1, ${at + seconds * 1000} FROM (${subjects}) AS uses WHERE 1
      ${countAgain(at)}`),
  };
}

/**
 * Counts one use of a rule and judges whether it is still within the limit. One upsert, so it shares a round trip with
 * other statements of the same macrotask. Statements that depend on the limit need `prepareUses`.
 * @param subject identifies whose uses are counted together
 * @param condition as for `prepareUses`
 * @returns the verdict; `retryAfter` in whole seconds
 */
export async function countUse(
  context: RequestContext,
  rule: RateLimitRule,
  subject: Subject,
  condition?: SQL,
): Promise<RateLimitVerdict> {
  const { counts, judge } = prepareUses(context, [[rule, subject]], condition);
  return judge(await Promise.all(counts));
}

/**
 * Counts one use of a rule as `countUse` does, for the player whose session a cookie or token claims, in the round trip
 * of the session check. It counts only if the session is open: otherwise anyone with the cookie of an ended session
 * could use up the player's limits. The caller refuses such a request, whatever the verdict.
 */
export const countOwnUse = (
  context: RequestContext,
  rule: RateLimitRule,
  claim: SessionClaim,
): Promise<RateLimitVerdict> => countUse(context, rule, claim.userId, isRestrictedSessionOpen(claim, context.now));

/**
 * Builds the SQL condition that a limit is exceeded, for a statement that shares the round trip with `countUse`. It may
 * run before the use is counted.
 */
export function isExceeded(
  { env, now }: Pick<RequestContext, "env" | "now">,
  rule: RateLimitRule,
  subject: Subject,
): SQL {
  const { count, key, windowEndsAt } = rateLimits;
  return sql`EXISTS (SELECT 1 FROM ${rateLimits} WHERE ${key} = ${keyOf(rule, subject)}
    AND ${count} > ${configuredLimit(env, rule).times} AND ${windowEndsAt} > ${now.getTime()})`;
}

/**
 * The number of attempts without a wait. The last of them starts a delay of one second, which each further attempt
 * doubles, up to 15 minutes.
 */
const FREE_ATTEMPTS = 5;
const LONGEST_DELAY = 15 * MINUTE;
/** The time that a series of attempts is kept after its last delay, in milliseconds. */
const MEMORY = 15 * MINUTE;

/**
 * Builds the statement that counts an attempt at a secret that could be guessed, for a transaction whose other
 * statements depend on the verdict. The delay grows with every attempt. An attempt during the delay is refused and
 * doesn't count. Call `clearAttempts` after a correct attempt.
 * @param what the kind of secret
 * @param subject the secret's owner
 * @param condition the attempt counts only if this is true, such as `isAllowed` of `prepareUses`: a request that
 *   another limit refuses must neither delay the secret's owner nor leave a row
 * @returns the statement; `isAllowed`, an SQL condition for the statements after it; and `judge`, which turns the
 *   statement's result into the verdict, and must not be called if `condition` didn't hold
 */
export function prepareAttempt(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  what: GuessableSecret,
  subject: Subject,
  condition: SQL = sql`1`,
) {
  const at = now.getTime();
  const { count, key, windowEndsAt } = rateLimits;
  const { counted, free, wait, isWaiting } = seriesOf({ env, now }, what, subject);
  const delayAfter = (attempts: SQL) =>
    sql`iif(${attempts} < ${free}, 0, min(${LONGEST_DELAY}, 1000 << min(20, ${attempts} - ${free})))`;
  // Evaluated again after counting. A delay that this attempt has just begun is still at its full length, and applies
  // only to the next attempt. Another attempt in the same millisecond also finds the delay at full length, so it makes
  // the delay a millisecond longer, which marks it as refused.
  const isNew = sql`${wait} = ${delayAfter(sql`${count}`)}`;
  const isRefused = sql<number>`(${isWaiting} AND NOT ${isNew})`;
  const isForgotten = sql`${windowEndsAt} <= ${at}`;
  return {
    count: db
      .insert(rateLimits)
      .select(sql`SELECT ${counted}, 1, ${at + MEMORY} WHERE ${condition}`)
      .onConflictDoUpdate({
        target: key,
        set: {
          count: sql`CASE WHEN ${isWaiting} THEN ${count} WHEN ${isForgotten} THEN 1 ELSE ${count} + 1 END`,
          windowEndsAt: sql`CASE WHEN ${isWaiting} THEN ${windowEndsAt} + (${isNew}) WHEN ${isForgotten} THEN ${at + MEMORY} ELSE ${at + MEMORY} + ${delayAfter(sql`${count} + 1`)} END`,
        },
      })
      .returning({ number: count, wait, isRefused }),
    isAllowed: sql`(${condition} AND (SELECT NOT ${isRefused} FROM ${rateLimits} WHERE ${key} = ${counted}))`,
    judge: ([attempt]: readonly { number: number; wait: number; isRefused: number }[]): AttemptVerdict => {
      const { number, wait, isRefused } = attempt as NonNullable<typeof attempt>;
      return isRefused ? { allowed: false, retryAfter: Math.ceil(wait / 1000), number } : { allowed: true, number };
    },
  };
}

/**
 * Finds the time until the next attempt is allowed, in whole seconds, without counting one; 0 if there is no delay.
 * Another request may begin a delay at any time, so the attempt itself must be counted, too.
 */
export async function findDelay(
  context: Pick<RequestContext, "db" | "env" | "now">,
  what: GuessableSecret,
  subject: Subject,
): Promise<number> {
  const { counted, wait, isWaiting } = seriesOf(context, what, subject);
  const row = await context.db
    .select({ wait })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, counted), isWaiting))
    .get();
  return row ? Math.ceil(row.wait / 1000) : 0;
}

/** Builds the SQL condition that `findDelay` would find a delay. */
export function isDelayed(context: Pick<RequestContext, "env" | "now">, what: GuessableSecret, subject: Subject): SQL {
  const { counted, isWaiting } = seriesOf(context, what, subject);
  return sql`EXISTS (SELECT 1 FROM ${rateLimits} WHERE ${rateLimits.key} = ${counted} AND ${isWaiting})`;
}

/** Builds the SQL that reads a series of attempts as it stands at the time of the request. */
function seriesOf({ env, now }: Pick<RequestContext, "env" | "now">, what: GuessableSecret, subject: Subject) {
  const free = Math.round(FREE_ATTEMPTS * env.RATE_LIMIT_FACTOR);
  const { count, windowEndsAt } = rateLimits;
  const wait = sql<number>`(${windowEndsAt} - ${MEMORY} - ${now.getTime()})`;
  // Attempts may arrive out of order, so this attempt's time may be earlier than that of the previous one. The
  // comparison with `free` keeps such an attempt from being refused before any delay applies.
  const isWaiting = sql`${count} >= ${free} AND ${wait} > 0`;
  return { counted: keyOf(`try:${what}`, subject), free, wait, isWaiting };
}

/**
 * Builds the statement that ends a series of attempts after a correct one. Has no effect if `condition` doesn't hold.
 */
export function clearAttempts({ db }: RequestContext, what: GuessableSecret, subject: Subject, condition?: SQL) {
  return db.delete(rateLimits).where(and(eq(rateLimits.key, keyOf(`try:${what}`, subject)), condition));
}

/** Builds the statement that takes an attempt out of the count because it could not be checked. */
export function undoAttempt({ db }: Pick<RequestContext, "db">, what: GuessableSecret, subject: Subject) {
  const { count, key } = rateLimits;
  return db
    .update(rateLimits)
    .set({ count: sql`max(0, ${count} - 1)` })
    .where(eq(key, keyOf(`try:${what}`, subject)));
}

/**
 * Builds the statement that deletes all counters of a player who leaves, if `condition` holds.
 * @param subjects the subjects of the player's counters: the user id and the hash of the email address
 */
export function forgetLimits(db: Database, subjects: readonly string[], condition: SQL) {
  const series = [...Object.keys(DEFAULT_LIMITS), ...GUESSABLE.map((what) => `try:${what}`)];
  const keys = series.flatMap((name) => subjects.map((subject) => `${name}:${subject}`));
  // A subject may continue after a colon. The range covers such keys, because `;` sorts right after `:`.
  const counters = keys.map((key) => between(rateLimits.key, key, `${key};`));
  return db.delete(rateLimits).where(and(or(...counters), condition));
}

/**
 * Creates the refusal of a request that is over a limit.
 * @param reason the sentence before "Try again in …"
 */
export function tooManyTries(retryAfter: number, reason = "That was a lot in a short time.") {
  const error = `${reason} Try again in ${timeUntil(retryAfter)}.`;
  return { ok: false, status: 429, error, retryAfter } as const;
}

/** Returns the time to wait in words, such as `1 second` or `12 minutes`. */
export function timeUntil(retryAfter: number): string {
  if (retryAfter >= 90) return `${Math.ceil(retryAfter / 60)} minutes`;
  return `${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}`;
}
