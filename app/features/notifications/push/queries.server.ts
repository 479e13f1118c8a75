import { and, asc, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notifications, pushSettings, pushSubscriptions, users } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import type { SessionClaim } from "~/platform/session/viewer";
import { DEFAULT_LOCK_SCREEN } from "./rules";
import { tagOf } from "./tags.server";

/** The most unread notifications whose tags are listed; a browser with more of them keeps what it shows. */
const MAX_LISTED = 200;

/** Finds how a player wants to be pushed, and whether this browser is. */
export async function findPushSettings(db: Database, { userId, sessionId }: SessionClaim) {
  const row = await db
    .select({
      lockScreen: pushSettings.lockScreen,
      quietFrom: pushSettings.quietFrom,
      quietUntil: pushSettings.quietUntil,
      isOn: sql`${isOnHere(userId, sessionId)}`.mapWith(Boolean),
    })
    .from(users)
    .leftJoin(pushSettings, eq(pushSettings.userId, users.id))
    .where(eq(users.id, userId))
    .get();
  return {
    lockScreen: row?.lockScreen ?? DEFAULT_LOCK_SCREEN,
    quiet: row && row.quietFrom !== null && row.quietUntil !== null ? ([row.quietFrom, row.quietUntil] as const) : null,
    isOn: row?.isOn ?? false,
  };
}

/** Finds the site's key for a browser that could take pushes; null if it does already, or if the site has no keys. */
export async function findPushOffer({ db, env, claim }: Pick<RequestContext, "db" | "env" | "claim">) {
  const { VAPID_PUBLIC_KEY: publicKey } = env;
  if (!publicKey || !claim) return null;
  const row = await db.get<{ isOn: number }>(sql`SELECT ${isOnHere(claim.userId, claim.sessionId)} AS isOn`);
  return row.isOn === 1 ? null : publicKey;
}

const isOnHere = (userId: string, sessionId: string) => sql`EXISTS (
  SELECT 1 FROM ${pushSubscriptions}
  WHERE ${pushSubscriptions.sessionId} = ${sessionId} AND ${pushSubscriptions.userId} = ${userId}
)`;

/** Lists the tags of a player's unread news; null if there is too much of it. */
export async function listOpenTags(db: Database, userId: string): Promise<string[] | null> {
  const rows = await db
    .select({ kind: notifications.kind, subject: notifications.subject })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
    .limit(MAX_LISTED + 1);
  return rows.length > MAX_LISTED ? null : [...new Set(rows.map(tagOf))];
}

/** Lists players whose news is due to be pushed, those who have waited longest first. */
export async function listDueRecipients(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(and(isNotNull(notifications.pushDueAt), lte(notifications.pushDueAt, now)))
    .orderBy(asc(notifications.pushDueAt))
    .limit(limit);
  return [...new Set(rows.map(({ userId }) => userId))];
}
