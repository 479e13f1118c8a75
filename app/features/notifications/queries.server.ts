import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { NOTIFICATIONS_PAGE, type NotificationCursor, type StoredNotification } from "./rules";

/** One notification of a player's. */
export interface NotificationRow extends StoredNotification {
  id: string;
  /** When it last happened, in milliseconds since 1970. */
  createdAt: number;
  isUnread: boolean;
}

/** A page of a player's notifications, newest first, and where the next one begins. */
export async function listNotifications(
  db: Database,
  userId: string,
  cursor: NotificationCursor | null,
): Promise<{ notifications: NotificationRow[]; next: NotificationCursor | null }> {
  const after: SQL = cursor ? sql`AND (created_at, id) < (${cursor.createdAt}, ${cursor.id})` : sql``;
  const rows = await db.all<{
    id: string;
    kind: string;
    subject: string;
    data: string;
    createdAt: number;
    readAt: number | null;
  }>(sql`
    SELECT id, kind, subject, data, created_at AS createdAt, read_at AS readAt FROM notifications
    WHERE user_id = ${userId} ${after}
    ORDER BY created_at DESC, id DESC LIMIT ${NOTIFICATIONS_PAGE + 1}`);
  const shown = rows.slice(0, NOTIFICATIONS_PAGE);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return {
    notifications: shown.map(({ data, readAt, ...row }) => ({ ...row, data: parse(data), isUnread: readAt === null })),
    next: last ? { createdAt: last.createdAt, id: last.id } : null,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // No kind's schema takes it: it is shown in a neutral sentence.
    return undefined;
  }
}

/** The kinds that a player has switched off. */
export async function listMutedKinds(db: Database, userId: string): Promise<string[]> {
  const rows = await db.all<{ kind: string }>(sql`SELECT kind FROM muted_notifications WHERE user_id = ${userId}`);
  return rows.map(({ kind }) => kind);
}
