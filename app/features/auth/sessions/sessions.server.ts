import { and, desc, eq, exists, gt } from "drizzle-orm";
import type { Database } from "#db/client";
import { sessions } from "#db/schema";
import { transact } from "#db/statements";
import { recordAudit, recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { endingSessions, forgetSession } from "~/platform/session/session.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { forgetThisDevice, thisDevice } from "../two-factor/trusted-devices.server";

/** Sessions that the list shows; whoever has more ends them together. */
const SESSIONS_SHOWN = 50;

const shown = {
  id: sessions.id,
  userAgent: sessions.userAgent,
  place: sessions.place,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
};

/** An open session of the viewer's. */
export type SessionRow = Pick<typeof sessions.$inferSelect, keyof typeof shown>;

/**
 * The viewer's open sessions: this browser's, and the others, the latest sign-in first.
 * @returns `hasMore` when there are others than those
 */
export async function listSessions(
  db: Database,
  { userId, sessionId }: SessionClaim,
  now: Date,
): Promise<{ own: SessionRow | undefined; others: SessionRow[]; hasMore: boolean }> {
  const isOpen = and(eq(sessions.userId, userId), gt(sessions.expiresAt, now));
  const [own, newest] = await Promise.all([
    db
      .select(shown)
      .from(sessions)
      .where(and(eq(sessions.id, sessionId), isOpen))
      .get(),
    db
      .select(shown)
      .from(sessions)
      .where(isOpen)
      .orderBy(desc(sessions.createdAt))
      .limit(SESSIONS_SHOWN + 2),
  ]);
  const others = newest.filter(({ id }) => id !== sessionId);
  return { own, others: others.slice(0, SESSIONS_SHOWN), hasMore: others.length > SESSIONS_SHOWN };
}

/** Ends one session of a player, and its sockets. @returns false when it was not theirs, or has ended already */
export async function endOneSession(context: RequestContext, userId: string, sessionId: string): Promise<boolean> {
  const { db, now } = context;
  const isTheirs = and(eq(sessions.id, sessionId), eq(sessions.userId, userId));
  const entry = { userId, actor: "player", action: "sessions-ended", details: { scope: "one" } } as const;
  const { ended } = await transact(db, {
    audit: recordAuditIf(db, exists(db.select({ id: sessions.id }).from(sessions).where(isTheirs)), entry, now),
    ended: db.delete(sessions).where(isTheirs).returning({ id: sessions.id }),
  });
  closeSessions(context, userId, ids(ended));
  return ended.length > 0;
}

/**
 * Ends all sessions of a player but this one. No other device is trusted any more: the one that made the player do this
 * may be among them. @returns how many there were
 */
export async function endOtherSessions(context: RequestContext, { userId, sessionId }: SessionClaim): Promise<number> {
  const { db, now } = context;
  const { sessions } = await transact(db, {
    sessions: endingSessions(db, userId, { sessionId, deviceId: thisDevice(context) }),
    audit: recordAudit(db, { userId, actor: "player", action: "sessions-ended", details: { scope: "others" } }, now),
  });
  closeSessions(context, userId, ids(sessions.ended));
  return sessions.ended.length;
}

/** Ends all sessions of a player, this one too; no device is trusted any more. */
export async function endAllSessions(context: RequestContext, userId: string): Promise<void> {
  const { db, now } = context;
  const { sessions } = await transact(db, {
    sessions: endingSessions(db, userId),
    audit: recordAudit(db, { userId, actor: "player", action: "sessions-ended", details: { scope: "global" } }, now),
  });
  closeSessions(context, userId, ids(sessions.ended));
  forgetSession(context);
  forgetThisDevice(context);
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
