import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { rateLimits } from "#db/schema";
import { DAY } from "./dates/durations";

/*
 * The cron's last run is a row of the table of counters, because one row isn't worth a table: the key is the one below,
 * the count that of the parts that failed, and the end that of the time for which it is kept.
 */

const KEY = "cron";
/** How long the row is kept after a run, in milliseconds. */
const KEPT = 30 * DAY;

/** Records a run of the cron. @param failures how many of its parts failed */
export function recordRun(db: Database, now: Date, failures: number) {
  const run = { count: failures, windowEndsAt: new Date(now.getTime() + KEPT) };
  return db
    .insert(rateLimits)
    .values({ key: KEY, ...run })
    .onConflictDoUpdate({ target: rateLimits.key, set: run });
}

/** Finds when the cron last ran to its end, and how many of its parts failed then; null if it never did. */
export async function findLastRun(db: Database): Promise<{ at: Date; failures: number } | null> {
  const row = await db.select().from(rateLimits).where(eq(rateLimits.key, KEY)).get();
  return row ? { at: new Date(row.windowEndsAt.getTime() - KEPT), failures: row.count } : null;
}
