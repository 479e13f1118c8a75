import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./client";
import { notifications, pushSettings } from "./schema";
import { bare } from "./sql";

/*
 * SQL about waiting pushes, for every change that moves a player's quiet hours.
 */

/**
 * Builds the statement that makes a player's waiting pushes due, except those that are being retried. The result lists
 * the pushes made due, of which the caller then tells the player's inbox. `deliverPushes` postpones them again during
 * quiet hours or while a tab is in view.
 * @param condition decides, when the statement runs, whether any become due
 */
export const releasePushes = (db: Database, userId: string, now: Date, condition: SQL = sql`1`) =>
  db.all<{ id: string }>(sql`
    UPDATE ${notifications} SET ${bare(notifications.pushDueAt)} = ${now.getTime()}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.pushDueAt} > ${now.getTime()}
      AND ${notifications.pushAttempts} = 0 AND ${condition}
    RETURNING ${notifications.id} AS id`);

/** SQL condition that a player has quiet hours. */
export const hasQuietHours = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${pushSettings}
  WHERE ${pushSettings.userId} = ${userId} AND ${pushSettings.quietFrom} IS NOT NULL)`;
