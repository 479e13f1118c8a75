import { redirect } from "@remix-run/cloudflare";
import { and, eq, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { pendingSignIns, presence, profiles, sessions, trustedDevices, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { PRESENCE_LAPSES } from "#party/wire/presence";
import type { RequestContext } from "../context";
import { createToken, hashToken, sign, unsign } from "../crypto/crypto.server";
import { readTimeZone } from "../dates/time-zone";
import { closeSession } from "../rooms/rooms.server";
import { tellAuthEvent } from "./auth-events.server";
import { LAST_SEEN_PRECISION, PRESENCE_PRECISION, RECENT_SIGN_IN, SESSION_LIFETIME } from "./lifetime";
import type { SessionClaim, Viewer } from "./viewer";

const holder = alias(users, "holder");
const open = alias(sessions, "open");

const COOKIE = "lineup_session";

/**
 * Reads the session cookie: who it names, if its signature is ours. Costs no database round trip, so the Worker does
 * it before Remix runs and loaders can ask for the player's data and for the session check at the same time.
 */
function readSessionClaim(cookie: string | undefined, secrets: readonly string[]): SessionClaim | null {
  if (!cookie) return null;
  const value = unsign(cookie, secrets);
  const [userId, token] = value?.split(".") ?? [];
  return userId && token ? { userId, sessionId: hashToken(token), cookie } : null;
}

/** The claim of an opaque bearer token (`/riot-api/verify-account`): the session cookie's own value. */
export const readBearerClaim = (request: Request, secrets: readonly string[]): SessionClaim | null =>
  readSessionClaim(request.headers.get("Authorization")?.match(/^Bearer (\S+)$/i)?.[1], secrets);

/**
 * Checks a claim against the database.
 * @returns the player, or null when the session has ended or never was
 */
export async function findViewer(context: RequestContext, claim: SessionClaim): Promise<Viewer | null> {
  const { db, now } = context;
  const row = await db
    .select({
      id: users.id,
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      emailFailedAt: users.emailFailedAt,
      deletionDueAt: users.deletionDueAt,
      verifiedAt: profiles.riotVerifiedAt,
      provenAt: profiles.riotProvenAt,
      avatarId: profiles.avatarId,
      timeZone: profiles.timeZone,
      browserZone: users.timeZone,
      expiresAt: sessions.expiresAt,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      authenticatedAt: sessions.authenticatedAt,
      presence: presence.state,
      presenceAt: presence.seenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .leftJoin(presence, eq(presence.userId, users.id))
    .where(
      and(
        eq(sessions.id, claim.sessionId),
        eq(sessions.userId, claim.userId),
        gt(sessions.expiresAt, now),
        isNull(users.suspendedAt),
      ),
    )
    .get();
  if (!row) return null;
  if (!context.isPrefetch) {
    keepAlive(context, claim, row);
    rememberZone(context, row);
    noteVisit(context, row);
  }
  const timeZone = readTimeZone(row.timeZone);
  return {
    id: row.id,
    email: row.email,
    name: row.email.split("@")[0] as string,
    letter: row.email.charAt(0).toUpperCase(),
    avatarId: row.avatarId,
    timeZone,
    emailZone: timeZone ?? context.zones.browser ?? readTimeZone(row.browserZone) ?? "UTC",
    emailConfirmed: row.emailConfirmedAt !== null,
    verified: row.verifiedAt !== null,
    riotProven: row.provenAt !== null,
    emailFailed: row.emailFailedAt !== null,
    deletionDueAt: row.deletionDueAt,
    authenticatedAt: row.authenticatedAt ?? row.createdAt,
  };
}

/** That a claimed session is open: for a statement that leaves together with the check and doesn't wait for it. */
export const isSessionOpen = ({ userId, sessionId }: SessionClaim, now: Date): SQL => sql`EXISTS (
  SELECT 1 FROM ${sessions} AS ${open} JOIN ${users} AS ${holder} ON ${holder.id} = ${open.userId}
  WHERE ${open.id} = ${sessionId} AND ${open.userId} = ${userId} AND ${open.expiresAt} > ${now.getTime()}
    AND ${holder.suspendedAt} IS NULL
)`;

/** That a claimed session is open and the player has proven who they are in it lately: `isRecent`, as a statement sees it. */
export const isSessionRecent = ({ userId, sessionId }: SessionClaim, now: Date): SQL =>
  sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${sessions.id} = ${sessionId} AND ${sessions.userId} = ${userId}
    AND ${sessions.expiresAt} > ${now.getTime()}
    AND coalesce(${sessions.authenticatedAt}, ${sessions.createdAt}) > ${now.getTime() - RECENT_SIGN_IN})`;

/** Notes a visit, after the response: that the player was here, and in the session's second half a longer life. */
function keepAlive(
  context: RequestContext,
  claim: SessionClaim,
  session: { expiresAt: Date; createdAt: Date; lastSeenAt: Date | null },
): void {
  const { db, now, cookies, defer } = context;
  const age = now.getTime() - (session.lastSeenAt ?? session.createdAt).getTime();
  const renews = session.expiresAt.getTime() - now.getTime() < SESSION_LIFETIME / 2;
  if (age < LAST_SEEN_PRECISION && !renews) return;
  const expiresAt = renews ? new Date(now.getTime() + SESSION_LIFETIME) : session.expiresAt;
  defer(async () => db.update(sessions).set({ expiresAt, lastSeenAt: now }).where(eq(sessions.id, claim.sessionId)));
  if (!renews) return;
  cookies.set(COOKIE, claim.cookie, { maxAge: SESSION_LIFETIME / 1000 });
  tellAuthEvent(context, "TOKEN_REFRESHED");
}

/** Notes the browser's zone, after the response and only where it is another one: e-mails are written without a browser. */
function rememberZone(
  { db, zones, defer }: RequestContext,
  { id, browserZone }: { id: string; browserZone: string | null },
) {
  const timeZone = zones.browser;
  if (timeZone === null || timeZone === browserZone) return;
  defer(async () => db.update(users).set({ timeZone }).where(eq(users.id, id)));
}

/**
 * Notes for other players, after the response, when a player without open sockets was last seen: once a minute at most.
 * While a room says that the player is there, the room's word stands.
 */
function noteVisit(
  { db, now, defer }: RequestContext,
  { id, presence: state, presenceAt }: { id: string; presence: string | null; presenceAt: Date | null },
): void {
  const age = now.getTime() - (presenceAt?.getTime() ?? 0);
  if (age < (state === "offline" || state === null ? PRESENCE_PRECISION : PRESENCE_LAPSES)) return;
  defer(async () =>
    db.run(sql`
      INSERT INTO ${presence} ${columnsOf(presence, "userId", "state", "seenAt")}
        SELECT ${users.id}, 'offline', ${now.getTime()} FROM ${users} WHERE ${users.id} = ${id}
      ON CONFLICT ${columnsOf(presence, "userId")} DO UPDATE
        SET ${bare(presence.state)} = excluded.${bare(presence.state)},
        ${bare(presence.seenAt)} = excluded.${bare(presence.seenAt)}
      WHERE ${presence.seenAt} = ${presenceAt?.getTime() ?? null}`),
  );
}

/**
 * Prepares a new session. The caller writes `row` in the same batch as what opens the session (and deletes the one that
 * it replaces), and calls `start` once that has succeeded.
 */
export function newSession(context: RequestContext, userId: string) {
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
      cookies.set(COOKIE, cookie, { maxAge: SESSION_LIFETIME / 1000 });
      if (claim) closeSession(context, claim);
    },
  };
}

/**
 * Ends the session of this request, in the database and in the browser, and with it its sockets. Ending an ended one is
 * no error.
 */
export async function endSession(context: RequestContext): Promise<void> {
  const { db, claim } = context;
  if (claim) {
    await db.delete(sessions).where(and(eq(sessions.id, claim.sessionId), eq(sessions.userId, claim.userId)));
    closeSession(context, claim);
  }
  forgetSession(context);
}

/** Takes the session from this browser. In the database it has ended already. */
export function forgetSession(context: RequestContext): void {
  context.cookies.delete(COOKIE);
  context.endSession();
  if (context.claim) tellAuthEvent(context, "SIGNED_OUT");
}

/**
 * The statements that end a player's sessions, and with them what lets a browser in without the second factor: a device
 * that is trusted, a sign-in that is half done. They belong in one transaction.
 * @param spared what stays: this browser's session and device
 * @returns statements by name; `ended` yields the ids of the sessions that ended, for `closeSessions`
 */
export function endingSessions(db: Database, userId: string, spared?: { sessionId: string; deviceId: string }) {
  return {
    ended: db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), spared && ne(sessions.id, spared.sessionId)))
      .returning({ id: sessions.id }),
    devices: db
      .delete(trustedDevices)
      .where(and(eq(trustedDevices.userId, userId), spared && ne(trustedDevices.id, spared.deviceId))),
    signIns: db.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId)),
  };
}

/**
 * Which of a player's sessions are open.
 * @returns when each of those ends, by its id
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
        isNull(users.suspendedAt),
      ),
    );
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
}

export const readSessionCookie = ({ cookies, env }: Pick<RequestContext, "cookies" | "env">): SessionClaim | null =>
  readSessionClaim(cookies.get(COOKIE), env.SESSION_SECRET);

/**
 * The signed-in player, for a page that needs one.
 * @throws a redirect to `/auth`, which leads back here afterwards; or, where the page is the answer to a form, a 401
 *   response, whose page keeps what was entered
 */
export async function requireViewer(context: RequestContext, request: Request): Promise<Viewer> {
  const viewer = await context.viewer();
  if (viewer) return viewer;
  if (context.submitted && request.method === "GET") throw new Response("Not authenticated", { status: 401 });
  const { pathname, search } = new URL(request.url);
  const back = request.method === "GET" ? pathname + search : pathname;
  throw redirect(back === "/dashboard" ? "/auth" : `/auth?${new URLSearchParams({ redirectTo: back })}`);
}

/**
 * The signed-in player, for a page on which they change who gets in: the sign-in must be recent.
 * @param back where the way leads afterwards, if not to this page
 * @throws as `requireViewer`; and a redirect to the page that asks who is there, and leads back to this one
 */
export async function requireRecentSignIn(context: RequestContext, request: Request, back?: string): Promise<Viewer> {
  const viewer = await requireViewer(context, request);
  if (isRecent(viewer, context.now)) return viewer;
  const { pathname, search } = new URL(request.url);
  // A link of ours in an e-mail may lead here: its token goes along.
  const here = request.method === "GET" ? pathname + search : pathname;
  throw redirect(`/auth/reauthenticate?${new URLSearchParams({ redirectTo: back ?? here })}`, 303);
}

/** Whether the player has proven who they are within the last ten minutes. */
export const isRecent = ({ authenticatedAt }: Viewer, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() < RECENT_SIGN_IN;

/**
 * The player that the cookie claims, for a query issued at the same time as the session check. Whoever uses it must
 * also await `requireViewer` before answering.
 * @throws a redirect to `/auth` when there is no claim at all
 */
export async function claimedUserId(context: RequestContext, request: Request): Promise<string> {
  if (!context.claim) await requireViewer(context, request);
  return (context.claim as SessionClaim).userId;
}
