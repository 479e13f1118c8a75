import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { notifications, outbox, users } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { transact } from "#db/statements";
import { NEWS_GROUPS } from "#db/words/news-groups";
import { NEWS_KINDS, type NewsKind } from "#db/words/news-kinds";
import { HOUR } from "~/platform/dates/durations";
import { enqueueEmailIf } from "~/platform/email/outbox.server";
import type { Env } from "~/platform/env";
import { NOTIFICATION_KINDS } from "../kinds";
import { parseData } from "../queries.server";
import { describeNotification } from "../rules";
import { groupOf } from "../switches";
import { newsEmail, PAUSE } from "./rules";
import { unsubscribePath } from "./token.server";

/**
 * Maximum number of due notifications that are checked for ones to drop, and for ones to postpone, longest-waiting
 * first. It also limits the notifications that are emailed at a time.
 */
const MAX_CHECKED = 1_000;
/**
 * Maximum number of emails written at a time. They are sent before more are written, so that sign-in codes, which share
 * the outbox, never wait behind many of them.
 */
const MAX_EMAILS = 20;
/** The time for which an email about unread news is worth sending, in milliseconds. */
const WORTH_FOR = 4 * HOUR;

interface WriteContext {
  db: Database;
  env: Pick<Env, "SESSION_SECRET" | "ENCRYPTION_KEY">;
  /** This site's origin, for links. */
  origin: string;
  now: Date;
}

/** Unread news that is to be emailed, and the player's address. */
interface WaitingNews {
  id: string;
  userId: string;
  recipient: string;
  kind: NewsKind;
  subject: string;
  data: string;
  createdAt: number;
}

/**
 * Puts emails about news that has been unread for too long into the outbox, one per player. Called by the cron job;
 * two simultaneous runs write each email once.
 *
 * As with pushes, a notification is its own outbox row: `notify` sets `email_due_at`. The transaction that writes the
 * email clears that column, but only if nothing has changed since `findWaiting` selected the row.
 * @returns whether more may be due
 */
export async function writeNewsEmails(context: WriteContext): Promise<boolean> {
  const { db, env, origin, now } = context;
  const { waiting, mayBeMore } = await findWaiting(db, now);
  const players = [...new Set(waiting.map(({ userId }) => userId))];
  const steps = players.map((userId) => {
    const news = waiting.filter((one) => one.userId === userId);
    const groups = NEWS_GROUPS.filter((group) => news.some(({ kind }) => groupOf(kind) === group));
    const { recipient } = news[0] as WaitingNews;
    const sentences = news.map(
      (one) => describeNotification({ ...one, data: parseData(one.data) }, NOTIFICATION_KINDS).sentence,
    );
    const unsubscribeUrl = origin + unsubscribePath(env, { userId, groups });
    return writeOnce(context, news, newsEmail({ recipient, sentences, groups, origin, unsubscribeUrl }));
  });
  // One transaction per player, so that a failure for one doesn't stop the others' emails.
  await Promise.all(steps.map((step) => transact(db, step)));
  return mayBeMore;
}

/** SQL condition for accounts that may be emailed: not suspended or leaving, and with a confirmed, working address. */
const isReachable = (now: Date): SQL => sql`(${users.emailConfirmedAt} IS NOT NULL AND ${users.emailFailedAt} IS NULL
  AND ${users.deletionDueAt} IS NULL AND NOT ${isSuspended(now)})`;

/**
 * SQL condition for accounts that have had an email about news too recently. A player who stays away gets one a day. If
 * the player has been back since the last email, the session check has cleared `newsEmailedAt`.
 */
const isPaused = (now: Date): SQL => sql`(coalesce(${users.newsEmailedAt}, 0) > ${now.getTime() - PAUSE})`;

/**
 * Drops news that is no longer worth an email, postpones news that follows the last email too soon, and finds the
 * players whose remaining news has waited longest. Returns all their unread news that is to be emailed, newest first.
 * This includes news that isn't due yet, which would otherwise have to wait for the next day's email.
 *
 * In a large backlog, some news that should be dropped or postponed hasn't been yet. It isn't returned, but `mayBeMore`
 * is true.
 */
async function findWaiting(db: Database, now: Date): Promise<{ waiting: WaitingNews[]; mayBeMore: boolean }> {
  const at = now.getTime();
  const due = (column: SQLiteColumn, limit = MAX_CHECKED) => sql`
    SELECT ${column} FROM ${notifications} WHERE ${notifications.emailDueAt} <= ${at}
    ORDER BY ${notifications.emailDueAt} LIMIT ${limit}`;
  const isOwner = sql`${users.id} = ${notifications.userId}`;
  const { dropped, postponed, waiting } = await transact(db, {
    dropped: db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.emailDueAt)} = NULL
      WHERE ${notifications.id} IN (${due(notifications.id)}) AND (
        ${notifications.readAt} IS NOT NULL OR ${notifications.kind} NOT IN (${newsKinds(...NEWS_KINDS)}) OR NOT EXISTS (
          SELECT 1 FROM ${users} WHERE ${isOwner} AND ${isReachable(now)}
        ))`),
    postponed: db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.emailDueAt)} =
        (SELECT ${users.newsEmailedAt} + ${PAUSE} FROM ${users} WHERE ${isOwner})
      WHERE ${notifications.id} IN (${due(notifications.id)}) AND EXISTS (
        SELECT 1 FROM ${users} WHERE ${isOwner} AND ${isPaused(now)})`),
    waiting: db.all<WaitingNews>(sql`
      SELECT ${notifications.id} AS id, ${notifications.userId} AS userId, ${users.email} AS recipient,
        ${notifications.kind} AS kind, ${notifications.subject} AS subject, ${notifications.data} AS data,
        ${notifications.createdAt} AS createdAt
      FROM ${users} JOIN ${notifications} ON ${notifications.userId} = ${users.id}
        AND ${notifications.emailDueAt} IS NOT NULL AND +${notifications.readAt} IS NULL
        AND ${notifications.kind} IN (${newsKinds(...NEWS_KINDS)})
      WHERE ${users.id} IN (${due(notifications.userId, MAX_EMAILS)}) AND ${isReachable(now)} AND NOT ${isPaused(now)}
      LIMIT ${MAX_CHECKED}`),
  });
  return {
    waiting: waiting.sort((one, other) => other.createdAt - one.createdAt),
    mayBeMore: waiting.length > 0 || dropped.rowsAffected + postponed.rowsAffected >= MAX_CHECKED,
  };
}

/**
 * Builds the statements that write an email once. If any of its news was read, reworded, deleted, turned off or
 * emailed in the meantime, or the player may no longer be emailed at this address, they do nothing, and the next run
 * tries again.
 */
function writeOnce(context: WriteContext, news: readonly WaitingNews[], email: ReturnType<typeof newsEmail>) {
  const { db, now } = context;
  const id = uuidv7(now.getTime());
  const { userId } = news[0] as WaitingNews;
  const seen = JSON.stringify(news.map((one) => ({ id: one.id, data: one.data })));
  const isUnchanged = sql`${news.length} = (
      SELECT count(*) FROM json_each(${seen}) AS seen
      JOIN ${notifications} ON ${notifications.id} = json_extract(seen.value, '$.id')
      WHERE ${notifications.data} = json_extract(seen.value, '$.data') AND ${notifications.readAt} IS NULL
        AND ${notifications.emailDueAt} IS NOT NULL
    ) AND EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${users.email} = ${email.recipient}
      AND ${isReachable(now)} AND NOT ${isPaused(now)})`;
  const isWritten = sql`EXISTS (SELECT 1 FROM ${outbox} WHERE ${outbox.id} = ${id})`;
  return {
    written: enqueueEmailIf(context, isUnchanged, email, new Date(now.getTime() + WORTH_FOR), id),
    done: db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.emailDueAt)} = NULL
      WHERE ${notifications.id} IN (SELECT json_extract(value, '$.id') FROM json_each(${seen})) AND ${isWritten}`),
    emailed: db.run(sql`
      UPDATE ${users} SET ${bare(users.newsEmailedAt)} = ${now.getTime()}
      WHERE ${users.id} = ${userId} AND ${isWritten}`),
  };
}
