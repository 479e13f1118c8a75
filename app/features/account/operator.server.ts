import { and, eq, inArray, isNull, like, type SQL, sql } from "drizzle-orm";
import { hasSecondFactor, passwordIsSet } from "#db/accounts";
import type { Database } from "#db/client";
import { profiles, sessions, users } from "#db/schema";
import { type Answering, type Steps, transact } from "#db/statements";
import type { StaffRole } from "#db/words/staff-roles";
import { createLink } from "~/features/auth/shared/links.server";
import { type ModerationActor, recordInModerationLog } from "~/features/moderation/shared/log.server";
import type { RiotAccountData } from "~/features/riot/rules";
import { parseRiotAccount } from "~/features/riot/schema";
import { updateListing } from "~/features/tournaments/shared/listing.server";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { deleteSessions } from "~/platform/session/store.server";

type CommandContext = Pick<RequestContext, "db" | "now">;

/** The most accounts that a search returns. */
const MAX_FOUND = 20;
/** The number of audit log entries returned with each account. */
const MAX_ENTRIES = 10;

/** An account as an operator sees it. */
export interface FoundAccount {
  id: string;
  email: string;
  createdAt: Date;
  emailConfirmedAt: Date | null;
  emailFailedAt: Date | null;
  suspendedAt: Date | null;
  suspendedUntil: Date | null;
  suspendedReason: string | null;
  role: StaffRole | null;
  deletionDueAt: Date | null;
  riotId: string | null;
  riotVerifiedAt: Date | null;
  riotProvenAt: Date | null;
  hasPassword: boolean;
  hasTwoFactor: boolean;
  sessions: number;
  linked: string[];
  /** The latest entries of its audit log, newest first. */
  log: { at: string; actor: string; action: string }[];
}

/**
 * Finds accounts by email address, user id or Riot ID (`name#tag`, case-insensitive). Several players may have entered
 * the same unverified Riot ID. The search by Riot ID reads all profiles, so it is for operators, not for pages.
 */
export async function findAccounts({ db, now }: CommandContext, search: string): Promise<FoundAccount[]> {
  const word = search.trim();
  const isMatch: SQL = word.includes("@")
    ? eq(users.email, word.toLowerCase())
    : word.includes("#")
      ? inArray(users.id, await findByRiotId(db, word))
      : eq(users.id, word.toLowerCase());
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      createdAt: users.createdAt,
      emailConfirmedAt: users.emailConfirmedAt,
      emailFailedAt: users.emailFailedAt,
      suspendedAt: users.suspendedAt,
      suspendedUntil: users.suspendedUntil,
      suspendedReason: users.suspendedReason,
      role: users.role,
      deletionDueAt: users.deletionDueAt,
      riotId: profiles.riotId,
      riotVerifiedAt: profiles.riotVerifiedAt,
      riotProvenAt: profiles.riotProvenAt,
      hasPassword: passwordIsSet,
      hasTwoFactor: sql<boolean>`${hasSecondFactor(sql`users.id`)}`.mapWith(Boolean),
      sessions: db.$count(sessions, sql`sessions.user_id = ${users.id} AND sessions.expires_at > ${now.getTime()}`),
      linked: sql<string[]>`(
        SELECT json_group_array(provider || ': ' || name) FROM identities WHERE identities.user_id = ${users.id}
      )`.mapWith(JSON.parse),
      log: sql<FoundAccount["log"]>`(
        SELECT json_group_array(json_object(
          'at', strftime('%Y-%m-%dT%H:%M:%SZ', created_at / 1000, 'unixepoch'), 'actor', actor, 'action', action
        )) FROM (
          SELECT created_at, actor, action FROM audit_log WHERE audit_log.user_id = ${users.id}
          ORDER BY id DESC LIMIT ${MAX_ENTRIES}
        )
      )`.mapWith(JSON.parse),
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(isMatch)
    .limit(MAX_FOUND);
  return rows;
}

/**
 * Finds players by Riot ID. SQLite ignores the case of the letters A–Z only, so the query has a wildcard in place of
 * each character that isn't one of them, a digit or `#`, and JavaScript compares the results.
 * @returns their ids, at most `MAX_FOUND`
 */
async function findByRiotId(db: Database, riotId: string): Promise<string[]> {
  const typed = riotId.normalize("NFC");
  const similar = await db
    .select({ id: profiles.userId, riotId: profiles.riotId })
    .from(profiles)
    .where(like(profiles.riotId, typed.replace(/[^a-z0-9#]/giu, "_")));
  const found = similar.filter(({ riotId }) => riotId?.toLowerCase() === typed.toLowerCase());
  return found.slice(0, MAX_FOUND).map(({ id }) => id);
}

/**
 * Confirms an email address for a player who can't open our email. Their claim to a Riot ID then no longer lapses.
 * If they have no linked Riot account, the call also links the one from their sign-up, which has been waiting for the
 * confirmation.
 * @param link builds the statements that link a Riot account; the one named `linked` returns a row if the link was made
 * @returns the Riot ID from the sign-up, and whether it is linked now; null if there was none to link
 */
export async function confirmForPlayer(
  { db, now }: CommandContext,
  userId: string,
  actor: ModerationActor,
  link: (account: RiotAccountData) => Steps & { readonly linked: Answering<unknown[]> },
): Promise<{ riotId: string; isLinked: boolean } | null> {
  const waiting = await db
    .select({ account: users.riotAccountData })
    .from(users)
    .innerJoin(profiles, eq(profiles.userId, users.id))
    .where(and(eq(users.id, userId), isNull(profiles.riotPuuid)))
    .get();
  const account = parseRiotAccount(waiting?.account ?? null);
  const { riot } = await transact(db, {
    confirm: db
      .update(users)
      .set({ emailConfirmedAt: now })
      .where(and(eq(users.id, userId), isNull(users.emailConfirmedAt))),
    claim: db.update(profiles).set({ riotClaimLapsesAt: null }).where(eq(profiles.userId, userId)),
    listing: updateListing(db, userId, true),
    audit: recordAudit(db, { userId, actor: "operator", action: "email-confirmed" }, now),
    log: recordInModerationLog(db, actor, { action: "email-confirmed", playerId: userId }, now),
    riot: account ? link(account) : undefined,
  });
  if (!account) return null;
  return { riotId: `${account.gameName}#${account.tagLine}`, isLinked: (riot?.linked ?? []).length > 0 };
}

/**
 * Ends all sessions of a player. Their sockets close when the player's inbox next checks its sessions.
 * @returns the number of sessions
 */
export async function endSessionsOf(
  { db, now }: CommandContext,
  userId: string,
  actor: ModerationActor,
): Promise<number> {
  const entry = { action: "sessions-ended", details: { scope: "global" } } as const;
  const { sessions } = await transact(db, {
    sessions: deleteSessions({ db, now }, userId),
    audit: recordAudit(db, { userId, actor: "operator", ...entry }, now),
    log: recordInModerationLog(db, actor, { ...entry, playerId: userId }, now),
  });
  return sessions.ended.length;
}

/**
 * Creates a link with which a player can set a new password, once and within ten minutes. Give it to that player only.
 */
export async function makeResetLink(
  context: Pick<RequestContext, "db" | "now" | "origin">,
  user: { id: string; email: string },
  actor: ModerationActor,
): Promise<{ link: string; expiresAt: Date }> {
  const { db, now } = context;
  const { statement, link, expiresAt } = createLink(context, {
    purpose: "reset-password",
    user,
    path: "/auth/reset-password",
  });
  await transact(db, {
    link: statement,
    audit: recordAudit(db, { userId: user.id, actor: "operator", action: "reset-link-made" }, now),
    log: recordInModerationLog(db, actor, { action: "reset-link-made", playerId: user.id }, now),
  });
  return { link, expiresAt };
}
