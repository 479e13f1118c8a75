import { and, asc, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notifications, profiles, pushSettings, pushSubscriptions, users } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import type { SessionClaim } from "~/platform/session/viewer";
import { DEFAULT_LOCK_SCREEN, quietZone } from "./rules";
import { tagOf } from "./tags.server";

/**
 * Maximum number of unread notifications whose tags are listed. If there are more, browsers can't tell which pushes
 * were read elsewhere, so they close none.
 */
const MAX_LISTED = 200;

/** The zone of a player's profile, or else of their browser; for queries that join both tables. */
export const storedZone = sql<string | null>`coalesce(${profiles.timeZone}, ${users.timeZone})`;

/** Finds a player's push settings, the zone of their quiet hours, and whether push is on in this browser. */
export async function findPushSettings(db: Database, { userId, sessionId }: SessionClaim) {
  const row = await db
    .select({
      lockScreen: pushSettings.lockScreen,
      quietFrom: pushSettings.quietFrom,
      quietUntil: pushSettings.quietUntil,
      timeZone: storedZone,
      isOn: sql`${isOnHere(userId, sessionId)}`.mapWith(Boolean),
    })
    .from(users)
    .leftJoin(pushSettings, eq(pushSettings.userId, users.id))
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(eq(users.id, userId))
    .get();
  return {
    lockScreen: row?.lockScreen ?? DEFAULT_LOCK_SCREEN,
    quiet: row && row.quietFrom !== null && row.quietUntil !== null ? ([row.quietFrom, row.quietUntil] as const) : null,
    quietZone: quietZone(row?.timeZone),
    isOn: row?.isOn ?? false,
  };
}

/**
 * Finds the site's public key, to offer push in this browser. Null if push is on already, the site has no keys, or the
 * visitor isn't signed in.
 */
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

/** Lists the tags of a player's unread notifications; null if there are more than `MAX_LISTED`. */
export async function listOpenTags(db: Database, userId: string): Promise<string[] | null> {
  const rows = await db
    .select({ kind: notifications.kind, subject: notifications.subject })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
    .limit(MAX_LISTED + 1);
  return rows.length > MAX_LISTED ? null : [...new Set(rows.map(tagOf))];
}

/** Lists players with notifications due to be pushed, the longest-waiting first. */
export async function listDueRecipients(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(and(isNotNull(notifications.pushDueAt), lte(notifications.pushDueAt, now)))
    .orderBy(asc(notifications.pushDueAt))
    .limit(limit);
  return [...new Set(rows.map(({ userId }) => userId))];
}
