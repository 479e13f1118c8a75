import { and, eq, gt, sql } from "drizzle-orm";
import { hasSecondFactor, isSuspended } from "#db/accounts";
import { waitingCasesOf } from "#db/cases";
import { showPresenceOnPosts } from "#db/presence";
import { hasQuietHours, releasePushes } from "#db/pushes";
import { lfgPosts, presence, profiles, sessions, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { PRESENCE_LIFETIME } from "#party/wire/presence";
import type { RequestContext } from "../context";
import { sign, unsign } from "../crypto/crypto.server";
import { readTimeZone } from "../dates/time-zone";
import { callRoom } from "../rooms/rooms.server";
import { announceAuthEvent } from "./auth-events.server";
import { SESSION_COOKIE } from "./claim.server";
import { rememberBrowser } from "./known-browser.server";
import { LAST_SEEN_PRECISION, PRESENCE_PRECISION, RENEWAL_PRECISION, SESSION_LIFETIME } from "./lifetime";
import type { RestrictedViewer, SessionClaim, Viewer } from "./viewer";

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
      newsEmailedAt: users.newsEmailedAt,
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
    endEmailPause(context, row);
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

/** Records a visit after the response, and renews the session if it was last renewed a day ago or earlier. */
function keepAlive(
  context: RequestContext,
  claim: SessionClaim,
  session: { email: string; expiresAt: Date; createdAt: Date; lastSeenAt: Date | null },
): void {
  const { db, env, now, cookies, defer } = context;
  const lastSeenAt = session.lastSeenAt ?? session.createdAt;
  const isRecorded = now.getTime() - lastSeenAt.getTime() < LAST_SEEN_PRECISION;
  const renews = session.expiresAt.getTime() - now.getTime() <= SESSION_LIFETIME - RENEWAL_PRECISION;
  if (isRecorded && !renews) return;
  const expiresAt = renews ? new Date(now.getTime() + SESSION_LIFETIME) : session.expiresAt;
  defer(async () => db.update(sessions).set({ expiresAt, lastSeenAt: now }).where(eq(sessions.id, claim.sessionId)));
  if (!renews) return;
  // Signed again, because the secret may have changed.
  const value = unsign(claim.cookie, env.SESSION_SECRET) as string;
  cookies.set(SESSION_COOKIE, sign(value, env.SESSION_SECRET), { maxAge: SESSION_LIFETIME / 1000 });
  rememberBrowser(context, session.email);
  announceAuthEvent(context, "TOKEN_REFRESHED");
}

/**
 * Records the first visit after an email about news, after the response, so that the next such email needn't wait. This
 * is stored with the account, because the session may have ended by then.
 */
function endEmailPause(
  { db, defer }: RequestContext,
  { id, newsEmailedAt }: { id: string; newsEmailedAt: Date | null },
): void {
  if (newsEmailedAt === null) return;
  const isLastEmail = and(eq(users.id, id), eq(users.newsEmailedAt, newsEmailedAt));
  defer(async () => db.update(users).set({ newsEmailedAt: null }).where(isLastEmail));
}

/**
 * Records a change of the browser's time zone after the response. Emails, which are written without a browser, use this
 * zone. Quiet hours use it, too, unless the profile sets a zone, so pushes that wait for the old end of the quiet hours
 * are checked again.
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
 * Records the last visit of a player without open sockets, for other players to see in chats and on the player's open
 * posts, after the response and at most once a minute. A presence that a room reports takes precedence. Nothing is
 * recorded for a player who hides their presence from everyone.
 */
function recordVisit(
  { db, now, defer }: RequestContext,
  { id, presence: state, presenceAt }: { id: string; presence: string | null; presenceAt: Date | null },
): void {
  const age = now.getTime() - (presenceAt?.getTime() ?? 0);
  if (age < (state === "offline" || state === null ? PRESENCE_PRECISION : PRESENCE_LIFETIME)) return;
  const seenAt = now.getTime();
  defer(async () =>
    transact(db, {
      visit: db.run(sql`
        INSERT INTO ${presence} ${columnsOf(presence, "userId", "state", "seenAt")}
          SELECT ${profiles.userId}, 'offline', ${seenAt} FROM ${profiles}
          WHERE ${profiles.userId} = ${id} AND ${profiles.presencePolicy} <> 'nobody'
        ON CONFLICT ${columnsOf(presence, "userId")} DO UPDATE
          SET ${bare(presence.state)} = excluded.${bare(presence.state)},
          ${bare(presence.seenAt)} = excluded.${bare(presence.seenAt)}
        WHERE ${presence.seenAt} = ${presenceAt?.getTime() ?? null}`),
      // `changes()` refers to the statement above. A post that this request has opened or bumped already shows
      // `online`.
      posts: showPresenceOnPosts(
        db,
        id,
        { state: "offline", seenAt },
        sql`changes() > 0 AND ${lfgPosts.authorSeenAt} IS NOT ${seenAt}`,
      ),
    }),
  );
}
