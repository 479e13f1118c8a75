import { redirect } from "@remix-run/cloudflare";
import { and, eq, gt, inArray, ne, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasSecondFactor, isSuspended } from "#db/accounts";
import { waitingCasesOf } from "#db/cases";
import type { Database } from "#db/client";
import { hasQuietHours, releasePushes } from "#db/pushes";
import { pendingSignIns, presence, profiles, sessions, trustedDevices, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { PRESENCE_LIFETIME } from "#party/wire/presence";
import type { RequestContext } from "../context";
import { createToken, hashToken, sign, unsign } from "../crypto/crypto.server";
import { readTimeZone } from "../dates/time-zone";
import { redirectWithToast } from "../pages/toast.server";
import { callRoom, closeSession } from "../rooms/rooms.server";
import { announceAuthEvent } from "./auth-events.server";
import { rememberBrowser } from "./known-browser.server";
import {
  LAST_SEEN_PRECISION,
  PRESENCE_PRECISION,
  RECENT_SIGN_IN,
  RENEWAL_PRECISION,
  SESSION_LIFETIME,
} from "./lifetime";
import type { RestrictedViewer, SessionClaim, Viewer } from "./viewer";

const holder = alias(users, "holder");
const open = alias(sessions, "open");

const COOKIE = "lineup_session";

/** The page to which a suspended player is redirected, one of the few that they can open. */
export const RESTRICTED_HOME = "/account/decisions";

/** Returns the page for a suspended player: the requested one if it is under `/account/`, else `RESTRICTED_HOME`. */
export const restrictedGoal = (to: string | null): string => (to?.startsWith("/account/") ? to : RESTRICTED_HOME);

/**
 * Reads the session that the cookie claims, if our signature is valid. Costs no database round trip, so the Worker does
 * it before Remix runs, and loaders can query the player's data together with the session check.
 */
function readSessionClaim(cookie: string | undefined, secrets: readonly string[]): SessionClaim | null {
  if (!cookie) return null;
  const value = unsign(cookie, secrets);
  const [userId, token] = value?.split(".") ?? [];
  return userId && token ? { userId, sessionId: hashToken(token), cookie } : null;
}

/** Reads the claim of an opaque bearer token (`/riot-api/verify-account`), which is the session cookie's value. */
export const readBearerClaim = (request: Request, secrets: readonly string[]): SessionClaim | null =>
  readSessionClaim(request.headers.get("Authorization")?.match(/^Bearer (\S+)$/i)?.[1], secrets);

/**
 * Checks a claim against the database.
 * @returns the player, or null if the session has ended or never existed, or if the account is suspended
 */
export async function findViewer(context: RequestContext, claim: SessionClaim): Promise<Viewer | null> {
  const viewer = await findRestrictedViewer(context, claim);
  return viewer?.isSuspended ? null : viewer;
}

/** Checks a claim as `findViewer` does, but also returns a player whose account is suspended. */
export async function findRestrictedViewer(
  context: RequestContext,
  claim: SessionClaim,
): Promise<RestrictedViewer | null> {
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
      riotName: sql<string | null>`coalesce(nullif(${profiles.riotGameName}, ''), ${profiles.riotId})`,
      avatarId: profiles.avatarId,
      timeZone: profiles.timeZone,
      browserZone: users.timeZone,
      expiresAt: sessions.expiresAt,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      authenticatedAt: sessions.authenticatedAt,
      role: users.role,
      hasSecondFactor: sql<number>`${users.role} IS NOT NULL AND ${hasSecondFactor(sql`${users.id}`)}`,
      waitingCases: waitingCasesOf(users),
      presence: presence.state,
      presenceAt: presence.seenAt,
      isSuspended: isSuspended(now).mapWith(Boolean),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .leftJoin(presence, eq(presence.userId, users.id))
    .where(and(eq(sessions.id, claim.sessionId), eq(sessions.userId, claim.userId), gt(sessions.expiresAt, now)))
    .get();
  if (!row) return null;
  if (!context.isPrefetch) {
    keepAlive(context, claim, row);
    rememberZone(context, row);
    if (!row.isSuspended) recordVisit(context, row);
  }
  const timeZone = readTimeZone(row.timeZone);
  return {
    id: row.id,
    email: row.email,
    name: row.email.split("@")[0] as string,
    letter: row.email.charAt(0).toUpperCase(),
    publicName: row.verifiedAt && row.riotName,
    avatarId: row.avatarId,
    timeZone,
    emailZone: timeZone ?? context.zones.browser ?? readTimeZone(row.browserZone) ?? "UTC",
    emailConfirmed: row.emailConfirmedAt !== null,
    verified: row.verifiedAt !== null,
    riotProven: row.provenAt !== null,
    emailFailed: row.emailFailedAt !== null,
    deletionDueAt: row.deletionDueAt,
    role: row.role,
    hasSecondFactor: row.hasSecondFactor === 1,
    waitingCases: row.waitingCases,
    authenticatedAt: row.authenticatedAt ?? row.createdAt,
    isSuspended: row.isSuspended,
  };
}

/**
 * SQL condition that a claimed session is open, for a statement that is sent together with the session check instead of
 * after it.
 * @param further another condition, on `sessions AS open` and `users AS holder`; by default, that the account is not
 *   suspended
 */
export const isSessionOpen = (
  { userId, sessionId }: SessionClaim,
  now: Date,
  further: SQL = not(isSuspended(now, holder)),
): SQL => sql`EXISTS (
  SELECT 1 FROM ${sessions} AS ${open} JOIN ${users} AS ${holder} ON ${holder.id} = ${open.userId}
  WHERE ${open.id} = ${sessionId} AND ${open.userId} = ${userId} AND ${open.expiresAt} > ${now.getTime()}
    AND ${further}
)`;

/** Like `isSessionOpen`, but also true for a suspended player's session. */
export const isRestrictedSessionOpen = (claim: SessionClaim, now: Date): SQL => isSessionOpen(claim, now, sql`1`);

/** SQL condition that a claimed session is open and its player authenticated recently; the equivalent of `isRecent`. */
export const isSessionRecent = (claim: SessionClaim, now: Date): SQL =>
  isSessionOpen(
    claim,
    now,
    sql`${not(isSuspended(now, holder))}
    AND coalesce(${open.authenticatedAt}, ${open.createdAt}) > ${now.getTime() - RECENT_SIGN_IN}`,
  );

/** Records a visit after the response, and renews the session if that was last done a day ago or earlier. */
function keepAlive(
  context: RequestContext,
  claim: SessionClaim,
  session: { email: string; expiresAt: Date; createdAt: Date; lastSeenAt: Date | null },
): void {
  const { db, env, now, cookies, defer } = context;
  const age = now.getTime() - (session.lastSeenAt ?? session.createdAt).getTime();
  const renews = session.expiresAt.getTime() - now.getTime() <= SESSION_LIFETIME - RENEWAL_PRECISION;
  if (age < LAST_SEEN_PRECISION && !renews) return;
  const expiresAt = renews ? new Date(now.getTime() + SESSION_LIFETIME) : session.expiresAt;
  defer(async () => db.update(sessions).set({ expiresAt, lastSeenAt: now }).where(eq(sessions.id, claim.sessionId)));
  if (!renews) return;
  // Signed again, because the secret may have changed.
  const value = unsign(claim.cookie, env.SESSION_SECRET) as string;
  cookies.set(COOKIE, sign(value, env.SESSION_SECRET), { maxAge: SESSION_LIFETIME / 1000 });
  rememberBrowser(context, session.email);
  announceAuthEvent(context, "TOKEN_REFRESHED");
}

/**
 * Records a changed time zone of the browser after the response: emails, which are written without a browser, use it.
 * So do quiet hours, unless the profile sets a zone: pushes that wait for the old end are looked at again.
 */
function rememberZone(
  { db, env, now, zones, defer }: RequestContext,
  { id, timeZone: profileZone, browserZone }: { id: string; timeZone: string | null; browserZone: string | null },
) {
  const timeZone = zones.browser;
  if (timeZone === null || timeZone === browserZone) return;
  defer(async () => {
    const { released = [] } = await transact(db, {
      released: profileZone === null ? releasePushes(db, id, now, hasQuietHours(id)) : undefined,
      zone: db.update(users).set({ timeZone }).where(eq(users.id, id)),
    });
    if (released.length > 0) await callRoom(() => env.INBOX_ROOMS.getByName(id).push());
  });
}

/**
 * Records the last visit of a player without open sockets, for other players to see, after the response and at most
 * once a minute. A presence that a room reports takes precedence. Nothing is recorded for a player who hides their
 * presence from everyone.
 */
function recordVisit(
  { db, now, defer }: RequestContext,
  { id, presence: state, presenceAt }: { id: string; presence: string | null; presenceAt: Date | null },
): void {
  const age = now.getTime() - (presenceAt?.getTime() ?? 0);
  if (age < (state === "offline" || state === null ? PRESENCE_PRECISION : PRESENCE_LIFETIME)) return;
  defer(async () =>
    db.run(sql`
      INSERT INTO ${presence} ${columnsOf(presence, "userId", "state", "seenAt")}
        SELECT ${profiles.userId}, 'offline', ${now.getTime()} FROM ${profiles}
        WHERE ${profiles.userId} = ${id} AND ${profiles.presencePolicy} <> 'nobody'
      ON CONFLICT ${columnsOf(presence, "userId")} DO UPDATE
        SET ${bare(presence.state)} = excluded.${bare(presence.state)},
        ${bare(presence.seenAt)} = excluded.${bare(presence.seenAt)}
      WHERE ${presence.seenAt} = ${presenceAt?.getTime() ?? null}`),
  );
}

/**
 * Prepares a new session. The caller writes `row` in the batch of the sign-in (and deletes the session it replaces
 * there), and calls `start` once the batch has succeeded. From then on the browser is known to the account.
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
      cookies.set(COOKIE, cookie, { maxAge: SESSION_LIFETIME / 1000 });
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
  context.cookies.delete(COOKIE);
  context.endSession();
  if (context.claim) announceAuthEvent(context, "SIGNED_OUT");
}

/**
 * Builds the statements that end a player's sessions and everything that lets a browser skip the second factor: trusted
 * devices and half-finished sign-ins. No browser stays known. Run the statements in one transaction.
 * @param spared the session and device of this browser, which stay. The caller also calls `rememberBrowser`
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

export const readSessionCookie = ({ cookies, env }: Pick<RequestContext, "cookies" | "env">): SessionClaim | null =>
  readSessionClaim(cookies.get(COOKIE), env.SESSION_SECRET);

/**
 * Returns the signed-in player, for a page that needs one.
 * @param why the text of a toast at the sign-in; without it there is no toast
 * @throws a redirect to `/auth`, which returns here afterwards, or to `RESTRICTED_HOME` if the account is suspended; or
 *   a 401 response if the page answers a form, so that the error page can keep the entered values
 */
export async function requireViewer(context: RequestContext, request: Request, why?: string): Promise<Viewer> {
  const viewer = await context.viewer();
  if (viewer) return viewer;
  if (await context.restrictedViewer()) throw redirect(RESTRICTED_HOME, 303);
  return refuseVisitor(context, request, why);
}

/** Returns the player of a session, suspended or not, for the few pages that a suspended player may open. */
export async function requireRestrictedViewer(context: RequestContext, request: Request): Promise<RestrictedViewer> {
  return (await context.restrictedViewer()) ?? refuseVisitor(context, request);
}

/**
 * For a page that a visitor may not open. If the page answers a form that was refused for the same reason, the error
 * page keeps the entered values.
 * @throws a 401 response if the page answers a form
 */
export function keepSubmitted({ submitted }: Pick<RequestContext, "submitted">, request: Request): void {
  if (submitted && request.method === "GET") throw new Response("Not authenticated", { status: 401 });
}

function refuseVisitor(context: RequestContext, request: Request, why?: string): never {
  keepSubmitted(context, request);
  const { pathname, search } = new URL(request.url);
  const back = request.method === "GET" ? pathname + search : pathname;
  const signIn = back === "/dashboard" ? "/auth" : `/auth?${new URLSearchParams({ redirectTo: back })}`;
  if (why === undefined) throw redirect(signIn);
  throw redirectWithToast(context, signIn, { kind: "error", title: "Authentication required", description: why });
}

/**
 * Returns the signed-in player, for a page that changes the account's security: the sign-in must be recent.
 * @param back the page to return to afterwards, if not this one
 * @throws as `requireViewer`; and a redirect to the page that asks for the password again, which returns to this one
 */
export async function requireRecentSignIn(context: RequestContext, request: Request, back?: string): Promise<Viewer> {
  return requireRecent(context, request, await requireViewer(context, request), back);
}

/** Returns the player of a session, suspended or not, whose sign-in is recent; otherwise as `requireRecentSignIn`. */
export async function requireRestrictedRecentSignIn(
  context: RequestContext,
  request: Request,
): Promise<RestrictedViewer> {
  return requireRecent(context, request, await requireRestrictedViewer(context, request));
}

function requireRecent<V extends Viewer>(context: RequestContext, request: Request, viewer: V, back?: string): V {
  if (isRecent(viewer, context.now)) return viewer;
  const { pathname, search } = new URL(request.url);
  // The query may hold the token of an emailed link, so it is kept.
  const here = request.method === "GET" ? pathname + search : pathname;
  throw redirect(`/auth/reauthenticate?${new URLSearchParams({ redirectTo: back ?? here })}`, 303);
}

/** Whether the player has authenticated within the last ten minutes. */
export const isRecent = ({ authenticatedAt }: Viewer, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() < RECENT_SIGN_IN;

/**
 * Returns what the cookie claims, for a query sent together with the session check. The caller must also await
 * `requireViewer` before responding.
 * @throws as `requireViewer`, if there is no claim at all
 */
export const requireClaim = (context: RequestContext, request: Request): SessionClaim =>
  context.claim ?? refuseVisitor(context, request);

/** Returns the player of `requireClaim`. */
export const requireClaimedUserId = async (context: RequestContext, request: Request): Promise<string> =>
  requireClaim(context, request).userId;
