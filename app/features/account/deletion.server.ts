import { and, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isMarkedSuspended } from "#db/accounts";
import { users } from "#db/schema";
import { transact } from "#db/statements";
import { listPlayersToRecount, recountAfterErasure } from "~/features/feedback/shared/erased-reviewer.server";
import {
  noteDeactivation,
  noteErasure,
  noteEvidenceOf,
  noteOpenPostsOf,
  notePicturesOf,
  noteReturn,
} from "~/features/follow-ups/shared/note.server";
import { carryOutFollowUps } from "~/features/follow-ups/shared/queue.server";
import { deleteLoneConversations, forgetSender, isSender } from "~/features/messages/shared/forget-sender.server";
import { forgetAppeals } from "~/features/moderation/shared/appeal-words.server";
import { type ModerationActor, recordInModerationLog } from "~/features/moderation/shared/log.server";
import { dropOriginal } from "~/features/moderation/shared/originals.server";
import { findRiotAccounts, upholdSuspension } from "~/features/moderation/shared/upheld.server";
import { forgetNameInNews, selectNewsOfRequests } from "~/features/notifications/shared/naming.server";
import { tellNotified } from "~/features/notifications/shared/unread.server";
import { forgetReporter } from "~/features/reports/shared/forget-reporter.server";
import { selectCommitments } from "~/features/teams/shared/commitments.server";
import { forgetNewsOfTeams, listUnplayedChats } from "~/features/teams/shared/erased-player.server";
import { selectPlaces, selectRoles } from "~/features/tournaments/shared/commitments.server";
import { hideEvidence } from "~/features/tournaments/shared/evidence.server";
import { forgetSoloOriginals } from "~/features/tournaments/shared/hide-team.server";
import { outdateLoneTeams } from "~/features/tournaments/shared/lone-teams.server";
import { outdateTournamentsOf } from "~/features/tournaments/shared/outdate-player.server";
import { forgetSoloName, listSoloNames, SOLO_NAMES_AT_ONCE } from "~/features/tournaments/shared/solo-names.server";
import { askReturned } from "~/features/tournaments/shared/tournament-news.server";
import { recordAudit, recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { emailDate, longDate } from "~/platform/dates/dates";
import { deleteEmailsTo, deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import { forgetLimits } from "~/platform/limits/limits.server";
import { recipientOf } from "~/platform/limits/recipient.server";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { rememberBrowser } from "~/platform/session/known-browser.server";
import { forgetSession } from "~/platform/session/store.server";
import type { Viewer } from "~/platform/session/viewer";
import { deletionEmail } from "./emails";
import { DELETION_DELAY } from "./rules";
import { deactivateAccount } from "./shared/deactivation.server";

const leaver = alias(users, "leaver");

/**
 * Schedules an account's deletion in seven days: ends all its sessions, closes its open posts, notifies players who are
 * waiting for an answer to a request, and tells the account's owner by email how to cancel the deletion. After the
 * response, removes the player from teams and tournaments. Scheduling it again doesn't change the date.
 * @param keepPath the path of the page where the player can cancel the deletion
 * @returns the date of the deletion, formatted for the player's time zone
 */
export async function scheduleDeletion(
  context: RequestContext,
  { id, email, deletionDueAt, emailZone }: Pick<Viewer, "id" | "email" | "deletionDueAt" | "emailZone">,
  keepPath: string,
): Promise<string> {
  const { db, now, origin } = context;
  const dueAt = deletionDueAt ?? new Date(now.getTime() + DELETION_DELAY);
  const date = longDate(dueAt, await context.clock());
  const link = `${origin}/auth?${new URLSearchParams({ redirectTo: keepPath })}`;
  const { deactivated } = await transact(db, {
    followUps: noteDeactivation(db, id, now, sql`1`),
    deactivated: deactivateAccount(db, id, now),
    schedule: db
      .update(users)
      .set({ deletionDueAt: dueAt })
      .where(and(eq(users.id, id), isNull(users.deletionDueAt))),
    audit: recordAudit(db, { userId: id, actor: "player", action: "deletion-scheduled" }, now),
    email: enqueueEmail(context, deletionEmail(email, emailDate(dueAt, emailZone), link)),
  });
  closeSessions(
    context,
    id,
    deactivated.sessions.ended.map((session) => session.id),
  );
  tellNotified(context, deactivated.requests.notified);
  context.defer(() => carryOutFollowUps(context, { kind: "player", id }));
  for (const post of deactivated.posts) context.defer(() => carryOutFollowUps(context, { kind: "post", id: post.id }));
  forgetSession(context);
  // The player may want to cancel the deletion in this browser.
  rememberBrowser(context, email);
  context.defer(() => deliverDueEmails(context));
  return date;
}

/** Cancels an account's deletion, if one is scheduled. @returns false if the deletion is already due or done */
export async function keepAccount({ db, now }: Pick<RequestContext, "db" | "now">, userId: string): Promise<boolean> {
  const isScheduled = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId}
    AND ${users.deletionDueAt} > ${now.getTime()})`;
  const { account } = await transact(db, {
    audit: recordAuditIf(db, isScheduled, { userId, actor: "player", action: "deletion-cancelled" }, now),
    teams: outdateLoneTeams(db, userId, now, isScheduled),
    organisers: noteReturn(db, userId, now, isScheduled),
    keep: db
      .update(users)
      .set({ deletionDueAt: null })
      .where(and(eq(users.id, userId), gt(users.deletionDueAt, now))),
    reports: askReturned(db, userId, now),
    // A simultaneous second click changes nothing, but the account stays all the same.
    account: db.select({ deletionDueAt: users.deletionDueAt }).from(users).where(eq(users.id, userId)),
  });
  return account[0]?.deletionDueAt === null;
}

interface ErasureParts extends Pick<RequestContext, "db" | "now"> {
  /**
   * The setting `ENCRYPTION_KEY`, for the keyed hashes that uphold a suspension. If empty, suspended accounts aren't
   * erased.
   */
  keys: readonly string[];
}

/**
 * Erases accounts whose deletion is due; called by the cron job. An account with many messages takes several runs. If
 * an erasure fails, the next run tries it again.
 * @param limit the maximum number of accounts per run
 * @param withdraw called before an account is erased; removes it from everything that other players rely on. An account
 *   that has joined or asked to join another team by then, or plays or runs another tournament, is left to the next
 *   run
 * @returns the errors, and the conversations of the teams whose posts are gone. The follow-ups of an erasure do the
 *   rest: they delete the account's pictures and its inbox's storage, and take its posts off open lists
 */
export async function eraseDueAccounts(
  { db, now, keys }: ErasureParts,
  limit: number,
  withdraw: (userId: string) => Promise<void>,
): Promise<{ failures: unknown[]; chats: { id: string }[] }> {
  const due = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(lte(users.deletionDueAt, now))
    .limit(limit);
  // Checked again in the transaction, because the player may have cancelled the deletion in the meantime.
  const isDue = sql`${leaver.deletionDueAt} <= ${now.getTime()}`;
  const erased = await Promise.allSettled(
    due.map(async (account) => {
      await withdraw(account.id);
      return eraseAccount({ db, now, keys }, account, "system", isDue);
    }),
  );
  return {
    failures: erased.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])),
    chats: erased.flatMap((one) => (one.status === "fulfilled" ? one.value.chats : [])),
  };
}

/**
 * Performs one step of erasing an account. Does nothing final while the player is in a team that hasn't played, waits
 * for an answer, or still has to leave a tournament (`selectRoles`, `selectPlaces`): the caller ends that before each
 * step (`leaveTeams`, `leaveTournaments`), and the player may have joined another team or tournament since. Each step
 * removes the sender from some of the account's messages, and the player's name from the news of those messages and
 * from some solo tournaments. The last step deletes the account and, through foreign keys, everything that depends on
 * it. The player's name and the evidence of their disputes are removed from data that other players keep, conversations
 * without other members are deleted, and scores that change with the player's reviews are recounted. Follow-ups delete
 * the player's pictures from the bucket, except for the copies that cases show, take the player's posts off open lists,
 * make open pages that show the evidence reload, and make the player's inbox forget when they were online. Cases about
 * the player keep their snapshots, and a suspension outlives the account as keyed hashes of its address and Riot
 * account. The account's random id stays in the audit log, in cases, in conversations' pair keys, and as the receiver
 * of messages.
 * @param actor the operator who erases the account, or `system` if the player requested the deletion
 * @param condition a condition for the erasure, as SQL about `users AS leaver`
 * @returns whether the account is gone; if not, call again. `chats` are the conversations of its unplayed teams, which
 *   lose their rooms together with their posts
 */
export async function eraseAccount(
  { db, now, keys }: ErasureParts,
  { id, email }: { id: string; email: string },
  actor: ModerationActor | "system",
  condition: SQL = sql`1`,
): Promise<{ isGone: boolean; chats: { id: string }[] }> {
  const [names, riot, toRecount] = await Promise.all([
    listSoloNames(db, id),
    findRiotAccounts(db, id),
    listPlayersToRecount(db, id),
  ]);
  const isLast = names.length < SOLO_NAMES_AT_ONCE ? 1 : 0;
  const mayGo = keys.length > 0 ? condition : sql`(${condition}) AND NOT ${isMarkedSuspended(leaver)}`;
  const isDue = sql`EXISTS (SELECT 1 FROM ${users} AS ${leaver} WHERE ${leaver.id} = ${id} AND ${mayGo})`;
  const isReady = sql`(${isDue} AND ${isLast} AND NOT ${isSender(id)} AND NOT EXISTS (${selectCommitments(id)})
    AND NOT EXISTS (${selectRoles(id)}) AND NOT EXISTS (${selectPlaces(id)}))`;
  // An address that was never confirmed may be someone else's, and then so are its emails, reports and counters.
  const ownsAddress = sql`(${isReady} AND EXISTS (SELECT 1 FROM ${users} AS ${leaver}
    WHERE ${leaver.id} = ${id} AND ${leaver.emailConfirmedAt} IS NOT NULL))`;
  const { chats, remaining } = await transact(db, {
    messages: forgetSender(db, id, isDue),
    soloNames: names.flatMap((name) => forgetSoloName(db, id, name, now, isDue)),
    hiddenNames: forgetSoloOriginals(db, id, isDue),
    // Once the account is gone, the tournament's log no longer names the author of the evidence, which therefore could
    // no longer be reported or hidden.
    disputes: hideEvidence(db, id, now, isReady),
    newsOfTeams: forgetNewsOfTeams(db, id, isReady),
    newsOfRequests: forgetNameInNews(db, selectNewsOfRequests(id), isReady),
    pictures: notePicturesOf(db, id, now, isReady),
    pages: noteEvidenceOf(db, id, now, isReady),
    lists: noteOpenPostsOf(db, id, now, isReady),
    inbox: noteErasure(db, id, now, isReady),
    chats: listUnplayedChats(db, id, isReady),
    hidden: dropOriginal(db, "player", id, isReady),
    restored: dropOriginal(db, "restored", id, isReady),
    appeals: forgetAppeals(db, id, isReady),
    audit: recordAuditIf(
      db,
      isReady,
      { userId: id, actor: actor === "system" ? actor : "operator", action: "erased" },
      now,
    ),
    log:
      actor === "system"
        ? undefined
        : recordInModerationLog(db, actor, { action: "erased", playerId: id }, now, isReady),
    limits: forgetLimits(db, [id], isReady),
    emails: deleteEmailsTo(db, email, ownsAddress),
    reports: forgetReporter(db, email, ownsAddress),
    limitsOfAddress: forgetLimits(db, [hashToken(email), recipientOf(email)], ownsAddress),
    conversations: deleteLoneConversations(db, id, isReady),
    tournaments: outdateTournamentsOf(db, id, now, isReady),
    evidence: upholdSuspension(db, keys, { id, email, ...riot }, now, isReady),
    account: db.run(sql`DELETE FROM ${users} WHERE ${users.id} = ${id} AND ${isReady}`),
    scores: recountAfterErasure(db, toRecount),
    remaining: db.select({ id: users.id }).from(users).where(eq(users.id, id)),
  });
  return { isGone: remaining.length === 0, chats };
}
