import { inArray, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, openDatabase } from "#db/client";
import {
  outbox,
  pendingSignIns,
  pendingSignups,
  rateLimits,
  sessions,
  trustedDevices,
  verifications,
} from "#db/schema";
import { eraseDueAccounts } from "~/features/account/deletion.server";
import { revealDueFeedback } from "~/features/feedback/commands.server";
import { closeExpiredPosts, tellExpiringPosts } from "~/features/lfg/commands.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { writeMissingNames } from "~/features/players/shared/names.server";
import { lapseUnconfirmedClaims } from "~/features/riot/commands.server";
import { endSessions } from "~/features/teams/sessions.server";
import { cancelUnstarted, tellUnstarted } from "~/features/tournaments/hosting/unstarted.server";
import { leaveTournaments, tellDeparture } from "~/features/tournaments/leaving.server";
import { listDue } from "~/features/tournaments/play/store.server";
import { tellCheckIn } from "~/features/tournaments/registration/check-in.server";
import { tellTournament } from "~/features/tournaments/tell-tournament.server";
import { DAY } from "~/platform/dates/durations";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import { parseEnv } from "~/platform/env";
import { createLogger } from "~/platform/log";

/** Rows removed of one kind in one run: what is left waits for the next, so that no run grows with neglect. */
const LIMIT = 1_000;

/** Players whose open tabs hear of their news in one run, each by a call of its own; others see it on their next page. */
const TOLD_AT_ONCE = 100;

/** Accounts erased in one run, each with all that hangs on it. */
const ERASED_AT_ONCE = 20;

/** Tournaments whose rooms are woken in one run. They wake by themselves, too: this is for what they have missed. */
const TOURNAMENTS_AT_ONCE = 50;

/** Tournaments cancelled in one run that nobody has started, each with a transaction of its own. */
const CANCELLED_AT_ONCE = 20;

/** Tournaments of which players hear in one run that they can check in, each with up to 256 teams. */
const CHECK_INS_AT_ONCE = 20;

/** How long the outbox remembers whom it wrote to, in milliseconds: 30 days. */
const EMAILS_KEPT = 30 * DAY;

/** How long a link that works no more is still known, so that it can be said why. In milliseconds: a day. */
const LINKS_REMEMBERED = DAY;

/**
 * What the cron does every five minutes: removes what has expired, tells whose post is about to and who waited for one
 * that has, asks those for feedback who have played, reveals feedback whose week is over, settles what is due in
 * tournaments, takes back lapsed claims, erases accounts whose time is over, writes the words by which players of before are
 * found, sends e-mail.
 */
export async function keepHouse(bindings: object): Promise<void> {
  const env = parseEnv(bindings);
  const log = createLogger({ requestId: `cron-${crypto.randomUUID()}` });
  const { db, usage } = openDatabase({ url: env.LIBSQL_URL, authToken: env.LIBSQL_AUTH_TOKEN });
  const now = new Date();
  const calls: Promise<unknown>[] = [];
  const rooms = {
    env,
    db,
    defer: (call: () => Promise<unknown>) =>
      void calls.push(call().catch((error: unknown) => log.error("Telling rooms failed", error))),
  };
  /** Open tabs hear of the news that players have got. */
  const tell = (told: readonly { userId: string }[]) =>
    tellUnread(rooms, ...[...new Set(told.map(({ userId }) => userId))].slice(0, TOLD_AT_ONCE));
  /** What others would miss an account in that is about to be erased. */
  const withdraw = async (userId: string) => {
    const departure = await leaveTournaments(db, userId, now);
    tellDeparture(rooms, { ...departure, told: departure.told.slice(0, TOLD_AT_ONCE) });
  };
  const tasks: Record<string, () => Promise<unknown>> = {
    posts: async () => tell(await closeExpiredPosts(db, now, LIMIT)),
    expiringPosts: async () => tell(await tellExpiringPosts(db, now, LIMIT)),
    sessionsOver: async () => tell(await endSessions(db, now, LIMIT)),
    feedback: async () => tell(await revealDueFeedback(db, now, LIMIT)),
    tournaments: async () => {
      const due = await listDue(db, now.getTime(), TOURNAMENTS_AT_ONCE);
      await Promise.all(due.map((id) => env.TOURNAMENT_ROOMS.getByName(id).settle()));
    },
    checkIn: async () => tell(await tellCheckIn(db, now, CHECK_INS_AT_ONCE)),
    unstarted: async () => tell(await tellUnstarted(db, now, TOURNAMENTS_AT_ONCE)),
    abandoned: async () => {
      const { tournamentIds, told } = await cancelUnstarted(db, now, CANCELLED_AT_ONCE);
      for (const id of tournamentIds) tellTournament(rooms, id);
      tell(told);
    },
    sessions: async () => removeExpired(db, sessions, sessions.id, lte(sessions.expiresAt, now)),
    signIns: async () => removeExpired(db, pendingSignIns, pendingSignIns.id, lte(pendingSignIns.expiresAt, now)),
    devices: async () => removeExpired(db, trustedDevices, trustedDevices.id, lte(trustedDevices.expiresAt, now)),
    signups: async () => removeExpired(db, pendingSignups, pendingSignups.id, lte(pendingSignups.expiresAt, now)),
    verifications: async () =>
      removeExpired(
        db,
        verifications,
        verifications.id,
        lte(verifications.expiresAt, new Date(now.getTime() - LINKS_REMEMBERED)),
      ),
    rateLimits: async () => removeExpired(db, rateLimits, rateLimits.key, lte(rateLimits.windowEndsAt, now)),
    oldEmails: async () =>
      removeExpired(db, outbox, outbox.id, lte(outbox.createdAt, new Date(now.getTime() - EMAILS_KEPT))),
    accounts: async () => {
      const { pictures, failures } = await eraseDueAccounts(db, now, ERASED_AT_ONCE, withdraw);
      for (const failure of failures) log.error("An account could not be erased", failure);
      if (pictures.length > 0) await env.AVATARS?.delete(pictures);
    },
    claims: async () => lapseUnconfirmedClaims(db, now),
    names: () => writeMissingNames(db, LIMIT),
    emails: () => deliverDueEmails({ env, db, log, now }),
  };
  const outcomes = await Promise.allSettled(Object.values(tasks).map((task) => task()));
  Object.keys(tasks).forEach((name, index) => {
    const outcome = outcomes[index] as PromiseSettledResult<unknown>;
    if (outcome.status === "rejected") log.error("Housekeeping failed", outcome.reason, { task: name });
  });
  // One call may bring others with it.
  while (calls.length > 0) await Promise.all(calls.splice(0));
  log.info("housekeeping", { dbStatements: usage.statements, dbRoundTrips: usage.roundTrips });
}

function removeExpired(db: Database, table: SQLiteTable, key: SQLiteColumn, expired: SQL) {
  return db.delete(table).where(
    inArray(
      key,
      db
        .select({ key: sql`${key}` })
        .from(table)
        .where(expired)
        .limit(LIMIT),
    ),
  );
}
