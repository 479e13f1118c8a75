import { eq, lte } from "drizzle-orm";
import type { Database } from "#db/client";
import { rateLimits } from "#db/schema";
import { DAY } from "./dates/durations";

/*
 * The cron job's last run is a row in the table of counters, because one row doesn't justify a table. Its key is below,
 * its count is the number of failed parts, and its end is the time until which the row is kept.
 */

const KEY = "cron";
/** The time that the row is kept after a run, in milliseconds. */
const KEPT = 30 * DAY;

/**
 * Records a run of the cron job, unless one that began later has been recorded already.
 * @param now when the run began
 * @param failures the number of failed parts
 */
export function recordRun(db: Database, now: Date, failures: number) {
  const run = { count: failures, windowEndsAt: new Date(now.getTime() + KEPT) };
  return db
    .insert(rateLimits)
    .values({ key: KEY, ...run })
    .onConflictDoUpdate({ target: rateLimits.key, set: run, setWhere: lte(rateLimits.windowEndsAt, run.windowEndsAt) });
}

/** Finds the cron job's last complete run and its number of failed parts; null if there is none. */
export async function findLastRun(db: Database): Promise<{ at: Date; failures: number } | null> {
  const row = await db.select().from(rateLimits).where(eq(rateLimits.key, KEY)).get();
  return row ? { at: new Date(row.windowEndsAt.getTime() - KEPT), failures: row.count } : null;
}
