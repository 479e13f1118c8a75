import { and, type Column, eq, ne, sql } from "drizzle-orm";
import type * as z from "zod";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { pushSettings, pushSubscriptions } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { LockScreen } from "#db/words/lock-screens";
import { isSessionOpen } from "~/platform/session/conditions.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { MAX_DEVICES } from "./rules";
import type { subscriptionSchema } from "./schema";

/**
 * Subscribes a browser to pushes until its session ends. A browser that was another player's becomes this player's.
 * Beyond `MAX_DEVICES`, the player's oldest devices are removed.
 */
export async function subscribe(
  db: Database,
  claim: SessionClaim,
  { endpoint, p256dh, auth, replaces }: z.output<typeof subscriptionSchema>,
  now: Date,
): Promise<void> {
  const { userId, sessionId } = claim;
  const at = now.getTime();
  const update = (column: Column) => sql`${bare(column)} = excluded.${bare(column)}`;
  await transact(db, {
    replaced: replaces
      ? db
          .delete(pushSubscriptions)
          .where(and(eq(pushSubscriptions.endpoint, replaces), eq(pushSubscriptions.userId, userId)))
      : undefined,
    takenOver: db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.userId, userId))),
    subscribed: db.run(sql`
      INSERT INTO ${pushSubscriptions} ${columnsOf(
        pushSubscriptions,
        "id",
        "userId",
        "sessionId",
        "endpoint",
        "p256dh",
        "auth",
        "createdAt",
      )}
      SELECT ${uuidv7(at)}, ${userId}, ${sessionId}, ${endpoint}, ${p256dh}, ${auth}, ${at}
      WHERE ${isSessionOpen(claim, now)}
      ON CONFLICT ${columnsOf(pushSubscriptions, "endpoint")} DO UPDATE SET
        ${update(pushSubscriptions.sessionId)}, ${update(pushSubscriptions.p256dh)}, ${update(pushSubscriptions.auth)},
        ${update(pushSubscriptions.createdAt)}`),
    giveWay: db.run(sql`
      DELETE FROM ${pushSubscriptions} WHERE ${pushSubscriptions.id} IN (
        SELECT ${pushSubscriptions.id} FROM ${pushSubscriptions} WHERE ${pushSubscriptions.userId} = ${userId}
        ORDER BY ${pushSubscriptions.createdAt} DESC LIMIT -1 OFFSET ${MAX_DEVICES})`),
  });
}

/** Stops pushes to a session's browser. */
export async function unsubscribe(db: Database, { userId, sessionId }: SessionClaim): Promise<void> {
  await db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.sessionId, sessionId), eq(pushSubscriptions.userId, userId)));
}

/** Builds the statement that saves a player's push settings. */
export function savePushSettings(
  db: Database,
  userId: string,
  { lockScreen, quiet }: { lockScreen: LockScreen; quiet: [from: number, until: number] | null },
) {
  const choice = { lockScreen, quietFrom: quiet?.[0] ?? null, quietUntil: quiet?.[1] ?? null };
  return db
    .insert(pushSettings)
    .values({ userId, ...choice })
    .onConflictDoUpdate({ target: pushSettings.userId, set: choice });
}
