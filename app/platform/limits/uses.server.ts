import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { rateLimits } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { RequestContext } from "../context";
import { isRestrictedSessionOpen } from "../session/conditions.server";
import type { SessionClaim } from "../session/viewer";
import { configuredLimit, keyOf, type RateLimitRule, type Subject } from "./limits.server";

export type RateLimitVerdict = { allowed: true } | { allowed: false; retryAfter: number };

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

/** Builds the statement that forgets the uses of a rule by several subjects. @param subjects `SELECT … AS subject` */
export const forgetUsesOfEach = (db: Database, rule: RateLimitRule, subjects: SQL) =>
  db.run(sql`DELETE FROM ${rateLimits} WHERE ${rateLimits.key} IN (
    SELECT ${keyOf(rule, sql`uses.subject`)} FROM (${subjects}) AS uses
  )`);

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
 * Builds the SQL condition that a limit is exceeded, for a statement that shares the round trip with `countUse`. If the
 * statement runs before the use is counted, the first use over the limit still passes.
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
