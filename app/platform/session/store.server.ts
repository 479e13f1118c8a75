import { and, eq, gt, inArray, ne, not, type SQL } from "drizzle-orm";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { pendingSignIns, sessions, trustedDevices, users } from "#db/schema";
import type { RequestContext } from "../context";
import { createToken, hashToken, sign } from "../crypto/crypto.server";
import { closeSession } from "../rooms/rooms.server";
import { announceAuthEvent } from "./auth-events.server";
import { SESSION_COOKIE } from "./claim.server";
import { rememberBrowser } from "./known-browser.server";
import { SESSION_LIFETIME } from "./lifetime";
import type { Viewer } from "./viewer";

/**
 * Prepares a new session. The caller writes `row` in the batch of the sign-in, which also deletes the session it
 * replaces, and calls `start` once the batch has succeeded. `start` sets the session cookie, makes the browser known to
 * the account, and closes the sockets of the replaced session.
 */
export function prepareSession(context: RequestContext, { id: userId, email }: Pick<Viewer, "id" | "email">) {
  const { env, cookies, now, claim, userAgent, place } = context;
  const token = createToken();
  const cookie = sign(`${userId}.${token}`, env.SESSION_SECRET);
  return {
    row: {
      id: hashToken(token),
      userId,
      userAgent,
      place,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME),
    } satisfies typeof sessions.$inferInsert,
    start() {
      cookies.set(SESSION_COOKIE, cookie, { maxAge: SESSION_LIFETIME / 1000 });
      rememberBrowser(context, email);
      if (claim) closeSession(context, claim);
    },
  };
}

/**
 * Ends the session of this request, in the database and in the browser, and closes its sockets. Has no effect if the
 * session has already ended.
 */
export async function endSession(context: RequestContext): Promise<void> {
  const { db, claim } = context;
  if (claim) {
    await db.delete(sessions).where(and(eq(sessions.id, claim.sessionId), eq(sessions.userId, claim.userId)));
    closeSession(context, claim);
  }
  forgetSession(context);
}

/** Removes the session cookie from this browser, after the session has ended in the database. */
export function forgetSession(context: RequestContext): void {
  context.cookies.delete(SESSION_COOKIE);
  context.endSession();
  if (context.claim) announceAuthEvent(context, "SIGNED_OUT");
}

/**
 * Builds the statements that end a player's sessions and everything that lets a browser skip a step of the sign-in:
 * trusted devices and half-finished sign-ins. No browser stays known to the account. Run them in one transaction.
 * @param spared this browser's session and trusted device, which stay; the caller must also call `rememberBrowser`
 * @param condition decides, when the statements run, whether anything ends
 * @returns statements by name; `ended` yields the ids of the ended sessions, for `closeSessions`
 */
export function deleteSessions(
  { db, now }: Pick<RequestContext, "db" | "now">,
  userId: string,
  spared?: { sessionId: string; deviceId: string },
  condition?: SQL,
) {
  return {
    ended: db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), spared && ne(sessions.id, spared.sessionId), condition))
      .returning({ id: sessions.id }),
    devices: db
      .delete(trustedDevices)
      .where(and(eq(trustedDevices.userId, userId), spared && ne(trustedDevices.id, spared.deviceId), condition)),
    signIns: db.delete(pendingSignIns).where(and(eq(pendingSignIns.userId, userId), condition)),
    browsers: db
      .update(users)
      .set({ browsersKnownSince: now })
      .where(and(eq(users.id, userId), condition)),
  };
}

/**
 * Finds which of a player's sessions are open.
 * @returns the expiry of each open session, by its id
 */
export async function findOpenSessions(
  db: Database,
  userId: string,
  sessionIds: readonly string[],
  now: Date,
): Promise<Map<string, Date>> {
  const rows = await db
    .select({ id: sessions.id, expiresAt: sessions.expiresAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        inArray(sessions.id, [...sessionIds]),
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, now),
        not(isSuspended(now)),
      ),
    );
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
}
