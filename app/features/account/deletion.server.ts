import { and, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";
import { transact } from "#db/statements";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { forgetSoloName, listSoloNames, SOLO_NAMES_AT_ONCE } from "~/features/tournaments/shared/solo-names.server";
import { type AuditEntry, recordAudit, recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { emailDate, longDate } from "~/platform/dates/dates";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import { forgetLimits } from "~/platform/limits/rate-limit.server";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { forgetSession } from "~/platform/session/session.server";
import type { Viewer } from "~/platform/session/viewer";
import { deletionEmail } from "./emails";
import { leaving } from "./leaving.server";
import { DELETION_DELAY } from "./rules";

/** Messages that lose their sender in one transaction: none grows with what someone has written. */
const MESSAGES_AT_ONCE = 1_000;

/**
 * Has an account deleted in seven days: ends all its sessions, closes its open posts, tells who waited for them, and tells
 * its player how to undo it. Asking again leaves the day as it is.
 * @param keepPath where the player undoes it
 * @returns the day, by the clock of the page
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
  const { left } = await transact(db, {
    left: leaving(db, id, now),
    schedule: db
      .update(users)
      .set({ deletionDueAt: dueAt })
      .where(and(eq(users.id, id), isNull(users.deletionDueAt))),
    audit: recordAudit(db, { userId: id, actor: "player", action: "deletion-scheduled" }, now),
    email: enqueueEmail(db, deletionEmail(email, emailDate(dueAt, emailZone), link), now),
  });
  closeSessions(
    context,
    id,
    left.sessions.ended.map((session) => session.id),
  );
  tellUnread(context, ...left.requests.told.map(({ userId }) => userId));
  forgetSession(context);
  context.defer(() => deliverDueEmails(context));
  return date;
}

/** Keeps an account that was to be deleted. @returns false when its time is over, or nobody had asked for it */
export async function keepAccount({ db, now }: Pick<RequestContext, "db" | "now">, userId: string): Promise<boolean> {
  const isScheduled = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND deletion_due_at > ${now.getTime()})`;
  const { kept } = await transact(db, {
    audit: recordAuditIf(db, isScheduled, { userId, actor: "player", action: "deletion-cancelled" }, now),
    kept: db
      .update(users)
      .set({ deletionDueAt: null })
      .where(and(eq(users.id, userId), gt(users.deletionDueAt, now)))
      .returning({ id: users.id }),
  });
  return kept.length > 0;
}

/**
 * Erases the accounts whose time is over; the cron calls it. Who has written much takes several runs, and so does one whose
 * erasing fails.
 * @param limit accounts in one run
 * @param withdraw takes an account out of what others would miss it in, before it is gone
 * @returns the names of the pictures that nobody shows any more, and what went wrong
 */
export async function eraseDueAccounts(
  db: Database,
  now: Date,
  limit: number,
  withdraw: (userId: string) => Promise<void>,
): Promise<{ pictures: string[]; failures: unknown[] }> {
  const due = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(lte(users.deletionDueAt, now))
    .limit(limit);
  // Looked at again in the transaction: the day may have been taken back meanwhile.
  const isDue = sql`leaver.deletion_due_at <= ${now.getTime()}`;
  const erased = await Promise.allSettled(
    due.map(async (account) => {
      await withdraw(account.id);
      return eraseAccount({ db, now }, account, "system", isDue);
    }),
  );
  return {
    pictures: erased.flatMap((one) => (one.status === "fulfilled" ? (one.value.avatarId ?? []) : [])),
    failures: erased.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])),
  };
}

/**
 * Takes a step towards erasing an account, the last one if little enough is left: takes the sender from its messages
 * and the name from where it has played alone, then removes the account and, over the foreign keys, all that hangs on it. What others have of it stays without its
 * name; a conversation that nobody is left in goes, too. What stays is its random id: in the audit log, and where
 * conversations and their messages are addressed.
 * @param isMeant what must hold for it, as SQL about `users AS leaver`
 * @returns whether it is gone; if not, call again. If so, the name of the picture that the caller takes out of the bucket
 */
export async function eraseAccount(
  { db, now }: Pick<RequestContext, "db" | "now">,
  { id, email }: { id: string; email: string },
  actor: AuditEntry["actor"],
  isMeant: SQL = sql`1`,
): Promise<{ isGone: boolean; avatarId: string | null }> {
  const names = await listSoloNames(db, id);
  const isLast = names.length < SOLO_NAMES_AT_ONCE ? 1 : 0;
  const isDue = sql`EXISTS (SELECT 1 FROM users AS leaver WHERE leaver.id = ${id} AND ${isMeant})`;
  const isReady = sql`(${isDue} AND ${isLast} AND NOT EXISTS (SELECT 1 FROM messages WHERE sender_id = ${id}))`;
  const { profile, left } = await transact(db, {
    profile: db.select({ avatarId: profiles.avatarId }).from(profiles).where(eq(profiles.userId, id)),
    messages: db.run(sql`
      UPDATE messages SET sender_id = NULL WHERE id IN (
        SELECT written.id FROM users AS leaver JOIN messages AS written ON written.sender_id = leaver.id
        WHERE leaver.id = ${id} AND ${isMeant} LIMIT ${MESSAGES_AT_ONCE}
      )`),
    newsOfMessages: db.run(sql`
      UPDATE notifications SET data = json_set(data, '$.name', ${UNKNOWN_PLAYER})
      WHERE ${isReady} AND id IN (
        SELECT news.id FROM conversation_members AS me
        JOIN conversation_members AS them ON them.conversation_id = me.conversation_id AND them.user_id <> me.user_id
        JOIN notifications AS news ON news.user_id = them.user_id AND news.kind IN ('contact', 'message')
          AND news.subject = 'conversation:' || me.conversation_id
        WHERE me.user_id = ${id}
      )`),
    soloNames: names.flatMap((name) => forgetSoloName(db, id, name, isDue)),
    // The player's posts go, and with them the pages that news about them leads to.
    newsOfPosts: db.run(sql`
      DELETE FROM notifications WHERE ${isReady} AND id IN (
        SELECT news.id FROM lfg_posts AS p JOIN join_requests AS r ON r.post_id = p.id
        JOIN notifications AS news ON news.user_id = r.user_id AND news.subject IN ('post:' || p.id, 'team:' || p.id)
        WHERE p.user_id = ${id}
      )`),
    // The news that authors have of this player.
    newsOfRequests: db.run(sql`
      UPDATE notifications SET data = json_set(data, '$.name', ${UNKNOWN_PLAYER})
      WHERE ${isReady} AND json_extract(data, '$.name') = ${nameOf(sql`${id}`)} AND id IN (
        SELECT news.id FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
        JOIN notifications AS news ON news.user_id = p.user_id
          AND news.kind IN ('join-request', 'team-change') AND news.subject = 'post:' || p.id
        WHERE r.user_id = ${id}
      )`),
    audit: recordAuditIf(db, isReady, { userId: id, actor, action: "erased" }, now),
    emails: db.run(sql`DELETE FROM outbox WHERE recipient = ${email} AND ${isReady}`),
    limits: forgetLimits(db, [id, hashToken(email)], isReady),
    conversations: db.run(sql`
      DELETE FROM conversations WHERE ${isReady} AND id IN (
        SELECT me.conversation_id FROM conversation_members AS me
        WHERE me.user_id = ${id} AND NOT EXISTS (
          SELECT 1 FROM conversation_members AS them
          WHERE them.conversation_id = me.conversation_id AND them.user_id <> me.user_id
        )
      )`),
    // The rooms of tournaments remember who is in them.
    tournaments: db.run(sql`
      UPDATE tournaments SET version = version + 1 WHERE ${isReady} AND id IN (
        SELECT tournament_id FROM tournament_players WHERE user_id = ${id}
        UNION ALL SELECT tournament_id FROM tournament_organisers WHERE user_id = ${id}
        UNION ALL SELECT own.id FROM tournaments AS own WHERE own.user_id = ${id}
      )`),
    account: db.run(sql`DELETE FROM users WHERE id = ${id} AND ${isReady}`),
    left: db.select({ id: users.id }).from(users).where(eq(users.id, id)),
  });
  const isGone = left.length === 0;
  return { isGone, avatarId: isGone ? (profile[0]?.avatarId ?? null) : null };
}
