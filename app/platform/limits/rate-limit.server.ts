import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { rateLimits } from "#db/schema";
import { bare } from "#db/sql";
import type { RequestContext } from "../context";
import type { Env } from "../env";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

interface RateLimit {
  times: number;
  seconds: number;
  /** Whom `answerForm` and `answerButton` count; left out, the account. */
  by?: "address";
  /** Whether `answerForm` counts forms that read badly, too; left out, they don't count. */
  badForms?: "count";
}

/**
 * Every rate limit of the product: at most `times` in `seconds`, per address or per account. A form counts once it reads
 * well, since one that doesn't changes nothing; it counts anyway where hashing or e-mail may follow, or a code is guessed.
 */
export const RATE_LIMITS = {
  verification: { times: 20, seconds: MINUTE, by: "address" },
  verificationPerAccount: { times: 20, seconds: MINUTE },
  signIn: { times: 10, seconds: MINUTE },
  /** E-mails that tell a player of wrong passwords for their account. */
  failedSignInsEmail: { times: 3, seconds: 24 * HOUR },
  signUp: { times: 10, seconds: HOUR },
  /** Ways to Discord or Riot and back, per address. */
  linkedAccounts: { times: 20, seconds: MINUTE, by: "address" },
  /** Codes and links by e-mail, per address that asks and per address that is written to. */
  verificationEmail: { times: 20, seconds: HOUR },
  verificationEmailTo: { times: 5, seconds: HOUR },
  passwordChange: { times: 10, seconds: HOUR, badForms: "count" },
  /** Forms that ask for a check that their sender is human, sent without one: script is off, or the check is away. */
  withoutHumanCheck: { times: 3, seconds: HOUR },
  /** Switching two-factor on and off, new recovery codes, devices forgotten. */
  twoFactorChange: { times: 30, seconds: HOUR, badForms: "count" },
  post: { times: 10, seconds: HOUR },
  /** Edits, closings, bumps and deletions of posts. */
  postChange: { times: 60, seconds: HOUR },
  /** Saving one's profile. */
  profile: { times: 60, seconds: HOUR },
  /** Uploading a picture, and removing it. */
  picture: { times: 20, seconds: HOUR },
  /** Requests to join posts. */
  join: { times: 20, seconds: HOUR },
  /** Answers to requests, and what members do with their team. */
  team: { times: 60, seconds: HOUR },
  /** Registering for tournaments, withdrawing, and looking for a team there. */
  registration: { times: 30, seconds: HOUR },
  /** What captains and players do with their team of a tournament, its check-in among it. */
  roster: { times: 120, seconds: HOUR },
  /** Hosting tournaments. */
  tournament: { times: 10, seconds: HOUR },
  /** What organisers do with theirs: editing, cancelling, co-organisers. */
  tournamentChange: { times: 60, seconds: HOUR },
  /** Seeding a tournament, a place at a time, and starting it. */
  seeding: { times: 300, seconds: HOUR },
  /** Giving feedback, and changing it. */
  feedback: { times: 30, seconds: HOUR },
  /** What captains, players and organisers do with a match. */
  match: { times: 120, seconds: HOUR },
  message: { times: 30, seconds: MINUTE },
  /** Messages to the authors of posts, which may begin a conversation. */
  contact: { times: 20, seconds: HOUR },
  /** Blocking players, and letting them write again. */
  block: { times: 60, seconds: HOUR },
  report: { times: 10, seconds: HOUR },
  /** Ending sessions on other devices. */
  endSessions: { times: 60, seconds: HOUR },
  export: { times: 5, seconds: HOUR },
  /** Asking for the account to be deleted, and taking that back. */
  deletion: { times: 20, seconds: HOUR, badForms: "count" },
} as const satisfies Record<string, RateLimit>;

/** What may be guessed, and whose tries `countTry` therefore counts. */
const GUESSED = ["signIn", "twoFactor", "reauthenticate"] as const;

export type RateLimitRule = keyof typeof RATE_LIMITS;

type GuessedSecret = (typeof GUESSED)[number];

export type RateLimitVerdict = { allowed: true } | { allowed: false; retryAfter: number };

/** The verdict on a try: which of its series it is. */
type TryVerdict = RateLimitVerdict & { number: number };

/** The rule as configured: the table's, or its replacement in `RATE_LIMITS`, times `RATE_LIMIT_FACTOR`. */
export function configuredLimit(env: Pick<Env, "RATE_LIMITS" | "RATE_LIMIT_FACTOR">, rule: RateLimitRule) {
  const replaced = env.RATE_LIMITS.match(new RegExp(`(?:^|,)${rule}=(\\d+)/(\\d+)`));
  const { times, seconds } = replaced
    ? { times: Number(replaced[1]), seconds: Number(replaced[2]) }
    : RATE_LIMITS[rule];
  return { times: Math.round(times * env.RATE_LIMIT_FACTOR), seconds };
}

/**
 * Counts one use of a rule and says whether it is still within it. One upsert, so it rides along with whatever else
 * the same tick asks of the database.
 * @param subject what is counted: an address or a user id
 * @returns the verdict; `retryAfter` in whole seconds
 */
export async function countUse(
  context: RequestContext,
  rule: RateLimitRule,
  subject: string,
): Promise<RateLimitVerdict> {
  const { times, seconds } = configuredLimit(context.env, rule);
  const now = context.now.getTime();
  const row = await context.db
    .insert(rateLimits)
    .values({ key: `${rule}:${subject}`, count: 1, windowEndsAt: new Date(now + seconds * 1000) })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${now} THEN 1 ELSE ${rateLimits.count} + 1 END`,
        windowEndsAt: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${now} THEN excluded.${bare(rateLimits.windowEndsAt)} ELSE ${rateLimits.windowEndsAt} END`,
      },
    })
    .returning({ count: rateLimits.count, windowEndsAt: rateLimits.windowEndsAt })
    .get();
  if (row.count <= times) return { allowed: true };
  return { allowed: false, retryAfter: Math.max(1, Math.ceil((row.windowEndsAt.getTime() - now) / 1000)) };
}

/**
 * That a use counted just before, in the same pipeline, was within its rule: for a statement that doesn't wait for the
 * verdict.
 */
export const isWithinLimit = (env: Env, rule: RateLimitRule, subject: string): SQL =>
  sql`(SELECT ${rateLimits.count} FROM ${rateLimits} WHERE ${rateLimits.key} = ${`${rule}:${subject}`}) <= ${configuredLimit(env, rule).times}`;

/** Wrong tries that cost nothing but the hash; each one after them doubles the wait, from a second to 15 minutes. */
const FREE_TRIES = 5;
const LONGEST_DELAY = 15 * MINUTE * 1000;
/** A series of tries is forgotten this long after its last wait. */
const MEMORY = 15 * MINUTE * 1000;

/**
 * Counts a try at something that may be guessed, with a delay that grows with every wrong one. A try during the wait is
 * refused and does not count. One upsert, as `countUse`; a right try ends the series with `forgiveTries`.
 * @param what names the secret that is tried
 * @param subject whose it is; a piece of SQL where only the database knows
 */
export async function countTry(
  context: RequestContext,
  what: GuessedSecret,
  subject: string | SQL,
): Promise<TryVerdict> {
  const now = context.now.getTime();
  const free = Math.round(FREE_TRIES * context.env.RATE_LIMIT_FACTOR);
  const { count, windowEndsAt } = rateLimits;
  // Of two tries at the same moment the earlier may come later: without a delay that is nothing to wait for.
  const isWaiting = sql`${count} >= ${free} AND ${windowEndsAt} - ${MEMORY} > ${now}`;
  const isForgotten = sql`${windowEndsAt} <= ${now}`;
  const tries = sql`${count} + 1 - ${free}`;
  const delay = sql`CASE WHEN ${tries} < 0 THEN 0 ELSE min(${LONGEST_DELAY}, 1000 << min(20, ${tries})) END`;
  const row = await context.db
    .insert(rateLimits)
    .values({ key: sql`${`try:${what}:`} || coalesce(${subject}, '')`, count: 1, windowEndsAt: new Date(now + MEMORY) })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`CASE WHEN ${isWaiting} THEN ${count} WHEN ${isForgotten} THEN 1 ELSE ${count} + 1 END`,
        windowEndsAt: sql`CASE WHEN ${isWaiting} THEN ${windowEndsAt} WHEN ${isForgotten} THEN ${now + MEMORY} ELSE ${now + MEMORY} + ${delay} END`,
      },
    })
    .returning({ count, windowEndsAt })
    .get();
  const wait = row.windowEndsAt.getTime() - MEMORY - now;
  // A wait that begins with this very try is for the next one.
  const ownDelay = row.count < free ? 0 : Math.min(LONGEST_DELAY, 1000 * 2 ** Math.min(20, row.count - free));
  if (row.count < free || wait <= 0 || wait === ownDelay) return { allowed: true, number: row.count };
  return { allowed: false, retryAfter: Math.ceil(wait / 1000), number: row.count };
}

/** The statement that ends a series of tries: the right one was found, if `condition` holds where it is given. */
export function forgiveTries({ db }: RequestContext, what: GuessedSecret, subject: string, condition?: SQL) {
  return db.delete(rateLimits).where(and(eq(rateLimits.key, `try:${what}:${subject}`), condition));
}

/** The statement that takes one try of a series back: what it was about could not be judged. */
export function takeBackTry({ db }: Pick<RequestContext, "db">, what: GuessedSecret, subject: string) {
  const { count, key } = rateLimits;
  return db
    .update(rateLimits)
    .set({ count: sql`max(0, ${count} - 1)` })
    .where(eq(key, `try:${what}:${subject}`));
}

/**
 * The statement that forgets what was counted of someone who leaves, if `condition` holds.
 * @param subjects all that they are counted by
 */
export function forgetLimits(db: Database, subjects: readonly string[], condition: SQL) {
  const series = [...Object.keys(RATE_LIMITS), ...GUESSED.map((what) => `try:${what}`)];
  const keys = series.flatMap((name) => subjects.map((subject) => `${name}:${subject}`));
  return db.delete(rateLimits).where(and(inArray(rateLimits.key, keys), condition));
}

/**
 * What to tell someone who has gone over a limit.
 * @param reason the sentence before "Try again in …"
 */
export function tooManyTries(retryAfter: number, reason = "That was a bit much in a short time.") {
  const wait = retryAfter < 90 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`;
  const error = `${reason} Try again in ${wait}.`;
  return { ok: false, status: 429, error, retryAfter } as const;
}
