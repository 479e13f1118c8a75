import { and, eq, type SQL, sql } from "drizzle-orm";
import { rateLimits } from "#db/schema";
import type { RequestContext } from "../context";
import { MINUTE } from "../dates/durations";
import { type GuessableSecret, keyOf, type Subject } from "./limits.server";
import type { RateLimitVerdict } from "./uses.server";

/** The verdict on an attempt; `number` counts the attempts of its series so far, except refused ones. */
type AttemptVerdict = RateLimitVerdict & { number: number };

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
