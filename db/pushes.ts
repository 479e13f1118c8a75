import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./client";
import { notifications, pushSettings } from "./schema";
import { bare } from "./sql";

/*
 * SQL about waiting pushes, for their delivery and for every change that moves a player's quiet hours.
 */

/**
 * Builds the SQL expression for the pause before a push is tried again, in milliseconds.
 * @param earlier the number of failed attempts before the last one
 */
export const retryPause = (earlier: SQL): SQL => sql`(60000 << ${earlier})`;

/**
 * Builds the statement that makes a player's waiting pushes due. A failed attempt's pause isn't cut short, but a push
 * that is due after the end of such a pause is waiting for something else, even if it has failed before. The result
 * lists the pushes made due; if there are any, the caller must tell the player's inbox. `deliverPushes` postpones them
 * again during quiet hours or while a tab is in view.
 * @param condition decides, when the statement runs, whether any become due
 */
export const releasePushes = (db: Database, userId: string, now: Date, condition: SQL = sql`1`) =>
  db.all<{ id: string }>(sql`
    UPDATE ${notifications} SET ${bare(notifications.pushDueAt)} = ${now.getTime()}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.pushDueAt} > ${now.getTime()} AND (
        ${notifications.pushAttempts} = 0
        OR ${notifications.pushDueAt} > ${now.getTime()} + ${retryPause(sql`(${notifications.pushAttempts} - 1)`)}
      ) AND ${condition}
    RETURNING ${notifications.id} AS id`);

/** SQL condition that a player has quiet hours. */
export const hasQuietHours = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${pushSettings}
  WHERE ${pushSettings.userId} = ${userId} AND ${pushSettings.quietFrom} IS NOT NULL)`;
