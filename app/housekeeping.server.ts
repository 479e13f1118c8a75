import { inArray, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, DatabaseUnavailableError, openDatabase } from "#db/client";
import {
  outbox,
  pendingSignIns,
  pendingSignups,
  rateLimits,
  sessions,
  trustedDevices,
  upheldSuspensions,
  verifications,
} from "#db/schema";
import { eraseDueAccounts } from "~/features/account/deletion.server";
import { revealDueFeedback } from "~/features/feedback/commands.server";
import { carryOutFollowUp, claimFollowUps, haveFollowUpsFailed } from "~/features/follow-ups/shared/queue.server";
import { closeExpiredPosts, notifyExpiringPosts } from "~/features/lfg/commands.server";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { endDueDecisions } from "~/features/moderation/decisions/endings.server";
import { deleteOldCases } from "~/features/moderation/old-cases.server";
import { deleteOldOriginals } from "~/features/moderation/old-originals.server";
import { notifyWaitingCases } from "~/features/moderation/shared/staff-news.server";
import { writeNewsEmails } from "~/features/notifications/email/write.server";
import { listDueRecipients } from "~/features/notifications/push/queries.server";
import { tellNotified } from "~/features/notifications/shared/unread.server";
import { writeMissingNames } from "~/features/players/shared/names.server";
import { lapseUnconfirmedClaims } from "~/features/riot/commands.server";
import { endSessions } from "~/features/teams/sessions.server";
import { leaveTeamsAndAnnounce } from "~/features/teams/shared/leaving.server";
import { tellTeams } from "~/features/teams/shared/tell-teams.server";
import { cancelUnstarted, notifyUnstarted } from "~/features/tournaments/hosting/unstarted.server";
import { listDue } from "~/features/tournaments/play/queries.server";
import { notifyCheckInOpen } from "~/features/tournaments/registration/check-in.server";
import { leaveTournamentsAndAnnounce } from "~/features/tournaments/shared/leaving.server";
import { tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import { DAY } from "~/platform/dates/durations";
import { deliverDueEmails, giveUpExpiredEmails } from "~/platform/email/outbox.server";
import { parseEnv } from "~/platform/env";
import { recordRun } from "~/platform/last-run.server";
import { createLogger, type LogFields } from "~/platform/log";
import { settleAll } from "~/platform/settle-all";

/**
 * The most rows of one kind removed per run, except for counters. Further rows are left for the next run, so that a
 * backlog doesn't prolong a run.
 */
const LIMIT = 1_000;

/**
 * The number of rounds per run in which expired counters of rate limits are removed. Requests of all kinds leave them,
 * so there are more of them than of any other row. Other writers get their turn between two rounds.
 */
const COUNTER_ROUNDS = 50;

/** The most accounts erased per run, each with all its data. */
const ERASED_AT_ONCE = 20;

/**
 * The most tournaments whose rooms are woken per run. Rooms also wake by themselves; this run catches missed alarms.
 */
const TOURNAMENTS_AT_ONCE = 50;

/** The most unstarted tournaments cancelled per run, with one transaction each. */
const CANCELLED_AT_ONCE = 20;

/** The most tournaments whose check-in is announced per run, each to up to 256 teams. */
const CHECK_INS_AT_ONCE = 20;

/** The most notifications whose recipients' inboxes are asked to push per run. */
const PUSHED_AT_ONCE = 600;

/** The number of rounds per run in which emails about unread notifications are written and sent, a few at a time. */
const NEWS_EMAIL_ROUNDS = 5;

/** The timeout of one round trip, in milliseconds: longer than a page's, because some write thousands of rows. */
const TIMEOUT = 30_000;

/** How long sent emails stay in the outbox, in milliseconds: 30 days. */
const EMAILS_KEPT = 30 * DAY;

/** How long an expired link is kept, so that its page can say why it doesn't work, in milliseconds: a day. */
const LINKS_REMEMBERED = DAY;

/**
 * The cron job, run every five minutes. Removes expired rows; warns authors whose posts are about to expire, and closes
 * the expired ones; asks players for feedback after a session and reveals feedback whose week is over; settles due
 * matches; notifies teams about check-ins and cancels unstarted tournaments; lapses unconfirmed claims to Riot
 * accounts, and notifies their players; notifies moderators of a case that has waited for a day; deletes the traces of
 * erased accounts whose suspension is over; erases accounts that are due; empties cases that were closed 90 days ago;
 * deletes cases whose decisions no longer count, and hidden originals, once no appeal needs them; moves and deletes
 * pictures, removes players who are suspended or have asked for deletion from teams and tournaments, ends organisers'
 * roles across a block, empties the inbox rooms of erased players, and notifies open tabs, where the Worker hasn't done
 * so yet; lifts suspensions and limits that have ended; indexes the names of players who are not in the search yet;
 * emails notifications that have been unread for half an hour; sends email and pushes.
 */
export async function runHousekeeping(bindings: object): Promise<void> {
  const env = parseEnv(bindings);
  const log = createLogger({ requestId: `cron-${crypto.randomUUID()}` });
  const { db, usage } = openDatabase({ url: env.LIBSQL_URL, authToken: env.LIBSQL_AUTH_TOKEN, timeout: TIMEOUT });
  const now = new Date();
  const origin = env.APP_ORIGIN ?? "http://localhost";
  const failed = new Set<string>();
  const fail = (task: string, error: unknown, fields: LogFields = {}) => {
    failed.add(task);
    log.error("Housekeeping failed", error, { task, ...fields });
  };
  const calls: Promise<unknown>[] = [];
  const rooms = {
    env,
    db,
    defer: (call: () => Promise<unknown>) => void calls.push(call().catch((error: unknown) => fail("rooms", error))),
  };
  /**
   * Withdraws an account that is about to be erased from teams and tournaments, and notifies the affected players. The
   * account left its teams and tournaments when its deletion was requested, but may have joined others since.
   */
  const withdraw = (userId: string) =>
    settleAll([leaveTeamsAndAnnounce(rooms, userId, now), leaveTournamentsAndAnnounce(rooms, userId, now)]);
  // These share round trips.
  const tasks: Record<string, () => Promise<unknown>> = {
    expiringPosts: async () => tellNotified(rooms, await notifyExpiringPosts(db, now, LIMIT)),
    tournaments: async () => {
      const due = await listDue(db, now.getTime(), TOURNAMENTS_AT_ONCE);
      await Promise.all(due.map((id) => env.TOURNAMENT_ROOMS.getByName(id).settle()));
    },
    waitingCases: async () => tellNotified(rooms, await notifyWaitingCases(db, now)),
    unstarted: async () => tellNotified(rooms, await notifyUnstarted(db, now, TOURNAMENTS_AT_ONCE)),
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
    rateLimits: async () => {
      for (let round = 0; round < COUNTER_ROUNDS; round++) {
        const removed = await removeExpired(db, rateLimits, rateLimits.key, lte(rateLimits.windowEndsAt, now));
        if (removed.rowsAffected < LIMIT) break;
      }
    },
    expiredEmails: async () => giveUpExpiredEmails(db, now, LIMIT),
    oldEmails: async () =>
      removeExpired(db, outbox, outbox.id, lte(outbox.createdAt, new Date(now.getTime() - EMAILS_KEPT))),
    upheld: async () => removeExpired(db, upheldSuspensions, upheldSuspensions.hash, lte(upheldSuspensions.until, now)),
    hidden: () => deleteOldOriginals(db, now, LIMIT),
    names: () => writeMissingNames(db, LIMIT),
    pushes: async () => {
      const due = await listDueRecipients(db, now, PUSHED_AT_ONCE);
      await Promise.all(due.map((userId) => env.INBOX_ROOMS.getByName(userId).push()));
    },
  };
  // These may write thousands of rows. Each has round trips of its own, so that a slow one fails alone.
  const heavyTasks: typeof tasks = {
    posts: async () => tellNotified(rooms, await closeExpiredPosts(db, now, LIMIT)),
    sessionsOver: async () => {
      const { notified, ended } = await endSessions(db, now, LIMIT);
      tellNotified(rooms, notified);
      tellTeams(rooms, ...ended.map(({ postId }) => postId));
    },
    feedback: async () => tellNotified(rooms, await revealDueFeedback(db, now, LIMIT)),
    checkIn: async () => {
      const { notified, opened } = await notifyCheckInOpen(db, now, CHECK_INS_AT_ONCE);
      for (const { id } of opened) tellTournament(rooms, id);
      tellNotified(rooms, notified);
    },
    abandoned: async () => {
      const { tournamentIds, notified, failure } = await cancelUnstarted(db, now, CANCELLED_AT_ONCE);
      for (const id of tournamentIds) tellTournament(rooms, id);
      tellNotified(rooms, notified);
      if (failure) throw failure;
    },
    accounts: async () => {
      const erasure = { db, now, keys: env.ENCRYPTION_KEY };
      const { failures, chats } = await eraseDueAccounts(erasure, ERASED_AT_ONCE, withdraw);
      for (const failure of failures) fail("accounts", failure);
      for (const { id } of chats) tellConversation(rooms, id, { type: "team" });
    },
    reports: () => deleteOldCases(db, now, LIMIT),
    decisions: async () => endDueDecisions(db, now, LIMIT),
    claims: async () => tellNotified(rooms, await lapseUnconfirmedClaims(db, now, LIMIT)),
  };
  const emailTasks: typeof tasks = {
    emails: () => deliverDueEmails({ env, db, log }),
    newsEmails: async () => {
      for (let round = 0; round < NEWS_EMAIL_ROUNDS; round++) {
        if (!(await writeNewsEmails({ db, env, origin, now }))) break;
        if ((await deliverDueEmails({ env, db, log })).isAway) break;
      }
    },
  };
  /** Whether the database has stopped answering. Each further task would wait for it in vain, up to half a minute. */
  let isAway = false;
  const run = async (name: string, task: () => Promise<unknown>) => {
    if (isAway) return;
    try {
      await task();
    } catch (error) {
      fail(name, error);
      if (error instanceof DatabaseUnavailableError) isAway = await isDatabaseAway(db);
    }
    // A call may add further calls.
    while (calls.length > 0) await Promise.all(calls.splice(0));
  };
  const runAll = (all: typeof tasks) => Promise.all(Object.entries(all).map(([name, task]) => run(name, task)));
  await runAll(tasks);
  for (const [name, task] of Object.entries(heavyTasks)) await run(name, task);
  // After the tasks that store follow-ups.
  await run("followUps", async () => {
    // In one round trip, and in this order: claiming moves the next attempts ahead.
    const [hasFailed, due] = await Promise.all([haveFollowUpsFailed(db), claimFollowUps(db)]);
    if (hasFailed) fail("followUps", new Error("Follow-ups that have failed wait for their next attempt"));
    await Promise.all(
      due.map((one) =>
        carryOutFollowUp({ env, db, origin }, one).catch((error: unknown) =>
          fail("followUps", error, { kind: one.kind, subject: one.subjectId }),
        ),
      ),
    );
  });
  // Tried even if the database was away a moment ago. Without this record, the health page would show an older run as
  // the last.
  const record = async () => {
    try {
      await recordRun(db, now, failed.size);
      isAway = false;
    } catch (error) {
      fail("lastRun", error);
    }
  };
  await record();
  // Last, because these alone wait for another service, which may take longer to answer than Cloudflare lets a run
  // take.
  const before = failed.size;
  await runAll(emailTasks);
  if (failed.size > before) await record();
  log.info("housekeeping", { failures: failed.size, dbStatements: usage.statements, dbRoundTrips: usage.roundTrips });
}

/** Whether the database doesn't answer at all. A single slow statement isn't enough to conclude that. */
const isDatabaseAway = (db: Database): Promise<boolean> =>
  db.run(sql`SELECT 1`).then(
    () => false,
    () => true,
  );

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
