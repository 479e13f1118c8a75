import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { mutedNotifications, notificationSwitches, notifications, pushSettings, pushSubscriptions } from "#db/schema";
import { PAGE_SIZE, paginate } from "./pages.server";

export async function* listNotifications(db: Database, userId: string) {
  const { userId: _, data: stored, ...rest } = getTableColumns(notifications);
  // Leaves out the id of the player who caused a notification. The name that the notification shows stays.
  const columns = { ...rest, data: sql`json_remove(${stored}, '$.causedBy')`.mapWith(stored) };
  const { createdAt, id } = columns;
  yield* paginate<{ id: string; createdAt: Date }>((last) =>
    db
      .select(columns)
      .from(notifications)
      .where(
        and(
          eq(notifications.userId, userId),
          last && sql`(${createdAt}, ${id}) < (${last.createdAt.getTime()}, ${last.id})`,
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(PAGE_SIZE),
  );
}

export async function* listMuted(db: Database, userId: string) {
  const { kind } = mutedNotifications;
  const rows = await db.select({ kind }).from(mutedNotifications).where(eq(mutedNotifications.userId, userId));
  yield* rows.map((row) => row.kind);
}

export async function* listSwitches(db: Database, userId: string) {
  const { newsGroup, channel, isOn } = notificationSwitches;
  yield* await db
    .select({ group: newsGroup, channel, isOn })
    .from(notificationSwitches)
    .where(eq(notificationSwitches.userId, userId));
}

/**
 * Exports the browsers that receive pushes, without their endpoints and keys: with those, others could push to them.
 */
export async function* listPushDevices(db: Database, userId: string) {
  const { endpoint, createdAt } = pushSubscriptions;
  const rows = await db
    .select({ endpoint, createdAt })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId));
  yield* rows.map((row) => ({ pushService: new URL(row.endpoint).host, createdAt: row.createdAt }));
}

export function findPushSettings(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(pushSettings);
  return db.select(columns).from(pushSettings).where(eq(pushSettings.userId, userId)).get();
}
