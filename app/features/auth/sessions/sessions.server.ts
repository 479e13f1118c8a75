import { and, desc, eq, exists, gt } from "drizzle-orm";
import type { Database } from "#db/client";
import { sessions } from "#db/schema";
import { transact } from "#db/statements";
import { recordAudit, recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { forgetBrowser, rememberBrowser } from "~/platform/session/known-browser.server";
import { deleteSessions, forgetSession } from "~/platform/session/store.server";
import type { SessionClaim, Viewer } from "~/platform/session/viewer";
import { forgetThisDevice, thisDevice } from "../two-factor/trusted-devices.server";

/** The maximum number of other sessions in the list. A player with more can end all the others together. */
const SESSIONS_SHOWN = 50;

const listedColumns = {
  id: sessions.id,
  userAgent: sessions.userAgent,
  place: sessions.place,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
};

/** One of the viewer's open sessions. */
export type SessionRow = Pick<typeof sessions.$inferSelect, keyof typeof listedColumns>;

/**
 * Lists the viewer's open sessions: this browser's, then the others, the latest sign-in first.
 * @returns `hasMore`: whether the viewer has further sessions, which aren't listed
 */
export async function listSessions(
  db: Database,
  { userId, sessionId }: SessionClaim,
  now: Date,
): Promise<{ own: SessionRow | undefined; others: SessionRow[]; hasMore: boolean }> {
  const isOpen = and(eq(sessions.userId, userId), gt(sessions.expiresAt, now));
  const [own, newest] = await Promise.all([
    db
      .select(listedColumns)
      .from(sessions)
      .where(and(eq(sessions.id, sessionId), isOpen))
      .get(),
    db
      .select(listedColumns)
      .from(sessions)
      .where(isOpen)
      .orderBy(desc(sessions.createdAt))
      .limit(SESSIONS_SHOWN + 2),
  ]);
  const others = newest.filter(({ id }) => id !== sessionId);
  return { own, others: others.slice(0, SESSIONS_SHOWN), hasMore: others.length > SESSIONS_SHOWN };
}

/** Ends one session of a player, and closes its sockets. @returns false if it was not theirs, or had already ended */
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
 * Ends all sessions of a player except this one. No other device stays trusted or known, since one of them may be the
 * reason for ending the sessions.
 * @returns how many sessions it ended
 */
export async function endOtherSessions(
  context: RequestContext,
  { id: userId, email }: Pick<Viewer, "id" | "email">,
  { sessionId }: SessionClaim,
): Promise<number> {
  const { db, now } = context;
  const { sessions } = await transact(db, {
    sessions: deleteSessions(context, userId, { sessionId, deviceId: thisDevice(context) }),
    audit: recordAudit(db, { userId, actor: "player", action: "sessions-ended", details: { scope: "others" } }, now),
  });
  rememberBrowser(context, email);
  closeSessions(context, userId, ids(sessions.ended));
  return sessions.ended.length;
}

/** Ends all sessions of a player, including this one; no device stays trusted or known. */
export async function endAllSessions(
  context: RequestContext,
  { id: userId, email }: Pick<Viewer, "id" | "email">,
): Promise<void> {
  const { db, now } = context;
  const { sessions } = await transact(db, {
    sessions: deleteSessions(context, userId),
    audit: recordAudit(db, { userId, actor: "player", action: "sessions-ended", details: { scope: "global" } }, now),
  });
  closeSessions(context, userId, ids(sessions.ended));
  forgetSession(context);
  forgetThisDevice(context);
  forgetBrowser(context, email);
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
