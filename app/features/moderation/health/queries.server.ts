import { type SQL, sql } from "drizzle-orm";
import { isCaseShownTo } from "#db/cases";
import { outbox, reportCases } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { DAY } from "~/platform/dates/durations";
import { canSendEmail } from "~/platform/email/provider.server";
import { findLastRun } from "~/platform/last-run.server";

/** Limit of every count, so that a backlog doesn't slow the page down. */
export const MAX_COUNTED = 1_000;

/** The state of the site. Moments given as numbers are in milliseconds since 1970. */
export interface Health {
  /** The number of waiting emails, up to `MAX_COUNTED`, and when the oldest of those due next was written. */
  waiting: { count: number; since: number | null };
  /**
   * The number of emails written in the last day that were given up, up to `MAX_COUNTED`. Where nothing can send them,
   * untried ones expire as a matter of course and don't count.
   */
  givenUp: number;
  /** The cron's last run; null if it never ran. */
  lastRun: { at: Date; failures: number } | null;
  /** When the oldest open case that is urgent was opened; null if there is none. */
  oldestUrgent: number | null;
  /** When the oldest open case was opened; null if no case is open. */
  oldestCase: number | null;
}

/**
 * Reads the state of the site, in one round trip.
 * @param adminId the admin; cases about them are left out, as in the queue
 */
export async function readHealth(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  adminId: string,
): Promise<Health> {
  const findOldest = (which: SQL) =>
    db.all<{ since: number }>(sql`
      SELECT ${reportCases.createdAt} AS since FROM ${reportCases}
      WHERE ${reportCases.state} = 'open' AND ${which} AND ${isCaseShownTo(adminId, reportCases)}
      ORDER BY ${reportCases.id} LIMIT 1`);
  const [waiting, givenUp, lastRun, [oldestUrgent], [oldestCase]] = await Promise.all([
    db.get<Health["waiting"]>(sql`
      SELECT count(*) AS count, min(w.since) AS since FROM (
        SELECT ${outbox.createdAt} AS since FROM ${outbox} WHERE ${outbox.dueAt} IS NOT NULL
        ORDER BY ${outbox.dueAt} LIMIT ${MAX_COUNTED}
      ) AS w`),
    db.get<{ count: number }>(sql`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM ${outbox}
        WHERE ${outbox.createdAt} > ${now.getTime() - DAY} AND ${outbox.dueAt} IS NULL AND ${outbox.sentAt} IS NULL
          AND ${canSendEmail(env) ? sql`1` : sql`${outbox.attempts} > 0`}
        LIMIT ${MAX_COUNTED}
      ) AS g`),
    findLastRun(db),
    findOldest(sql`${reportCases.isUrgent} = 1`),
    findOldest(sql`1`),
  ]);
  return {
    ...{ waiting, givenUp: givenUp.count, lastRun },
    oldestUrgent: oldestUrgent?.since ?? null,
    oldestCase: oldestCase?.since ?? null,
  };
}
