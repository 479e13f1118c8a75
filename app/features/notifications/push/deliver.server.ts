import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { retryPause } from "#db/pushes";
import { notifications, profiles, pushDeliveries, pushSettings, pushSubscriptions, sessions, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { LockScreen } from "#db/words/lock-screens";
import type { RequestContext } from "~/platform/context";
import { MINUTE } from "~/platform/dates/durations";
import { NOTIFICATION_KINDS } from "../kinds";
import { describeNotification } from "../rules";
import { unreadOf } from "../shared/unread.server";
import { unreadTotal } from "../shared/unread-total";
import { storedZone } from "./queries.server";
import { DEFAULT_LOCK_SCREEN, MAX_DEVICES, quietUntil, quietZone, wordPush } from "./rules";
import { canPush, type Device, type Push, type PushOutcome, sendPush } from "./send.server";
import { tagOf } from "./tags.server";

type DeliveryContext = Pick<RequestContext, "env" | "db" | "log" | "now">;

/** Maximum number of notifications pushed at a time. */
const BATCH = 10;
/** Number of failed attempts after which a push is given up, about two hours after the first. */
const MAX_ATTEMPTS = 8;
/** News of a subject makes a sound at most once in this time, in milliseconds; later news replaces it silently. */
const SILENT_FOR = MINUTE / 2;
/** Maximum number of unread notifications that a push lists, because a push is limited to 3993 bytes. */
const MAX_OPEN = 100;

interface DueNews {
  id: string;
  kind: string;
  subject: string;
  data: string;
  createdAt: number;
  /** When the news last made a sound; the time of this claim if it makes one now. */
  pushedAt: number | null;
  attempts: number;
  /** The time of the next attempt. If the row later has another time, the news has changed since the claim. */
  claimedUntil: number;
}

/** Pushes wait while a tab is in view. */
interface Hold {
  /** When to look again, in milliseconds since 1970. */
  until: number;
  /** Whether a tab is in view. Once none is, the pushes that waited are due. */
  isInView: boolean;
}

interface Target extends Device {
  id: string;
}

interface Recipient {
  lockScreen: LockScreen | null;
  quietFrom: number | null;
  quietUntil: number | null;
  timeZone: string | null;
}

/**
 * Pushes a player's due news to all their devices, and records its delivery. Only the player's inbox may call it, one
 * call at a time.
 *
 * A notification is its own outbox row: `notify` makes it due in the same transaction as the event that caused it. This
 * function claims it by moving the next attempt into the future, so that an interruption delays a push but doesn't lose
 * it. News that has been read, or is for a suspended player, is never pushed, and ended sessions get no pushes.
 * @param hold null if no tab is in view and no pushes are being held back
 * @returns when the player's next push is due, in milliseconds since 1970; null if none waits
 */
export async function deliverPushes(
  context: DeliveryContext,
  userId: string,
  hold: Hold | null,
): Promise<number | null> {
  const { db, now, env } = context;
  if (!canPush(env) || hold?.isInView) {
    const { next } = await transact(db, {
      postponed: move(db, userId, sql`<= ${now.getTime()}`, canPush(env) && hold ? hold.until : null),
      next: findNextDue(db, userId),
    });
    return next.dueAt;
  }
  const { claimed, recipient, targets, delivered, open, unread, next } = await claim(db, userId, now, hold);
  if (claimed.length === 0 || !recipient) return next.dueAt;
  const quietEnd = quietEndOf(recipient, now);
  if (quietEnd !== null) {
    const { next: later } = await transact(db, {
      wait: claimed.map((news) =>
        settle(db, news, { next: quietEnd, soundAt: soundBefore(news, now), isTried: false }),
      ),
      next: findNextDue(db, userId),
    });
    return later.dueAt;
  }
  const sent = await Promise.all(
    claimed.map(async (news) => {
      const push = presentPush(news, { recipient, open, unread, now });
      const missing = targets.filter(
        (target) => !delivered.some((one) => isSame(one, news) && one.subscriptionId === target.id),
      );
      const outcomes = await Promise.all(
        missing.map(async (target) => ({ target, ...(await sendPush(env, target, push)) })),
      );
      return { news, outcomes };
    }),
  );
  for (const { news, outcomes } of sent) {
    for (const { target, outcome, reason } of outcomes) {
      if (outcome === "sent") continue;
      const service = new URL(target.endpoint).host;
      context.log.warn("A push was not sent", { notificationId: news.id, attempt: news.attempts, service, reason });
    }
  }
  return record(context, userId, sent);
}

const isSame = (one: { notificationId: string; newsAt: number }, news: DueNews) =>
  one.notificationId === news.id && one.newsAt === news.createdAt;

/** Builds the statement that sets a new due time for some of a player's pushes; null drops them. */
const move = (db: Database, userId: string, which: SQL, dueAt: number | null) =>
  db.run(sql`UPDATE ${notifications} SET ${bare(notifications.pushDueAt)} = ${dueAt}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.pushDueAt} ${which}`);

/** Builds the statement that finds when a player's next push is due. */
const findNextDue = (db: Database, userId: string) =>
  db.get<{ dueAt: number | null }>(sql`
    SELECT min(${notifications.pushDueAt}) AS dueAt FROM ${notifications}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.pushDueAt} IS NOT NULL`);

async function claim(db: Database, userId: string, now: Date, hold: Hold | null) {
  const at = now.getTime();
  const waits = sql`${notifications.userId} = ${userId} AND ${notifications.pushDueAt} IS NOT NULL`;
  // Recorded before the push is sent, so that the following pushes are silent even if its delivery can't be recorded.
  const makesSound = sql`${notifications.pushAttempts} = 0
    AND coalesce(${notifications.pushedAt}, 0) <= ${at - SILENT_FOR}`;
  const { recipient, counts, ...found } = await transact(db, {
    // Drops the pushes of read news, and all pushes of a suspended player.
    dropped: db.run(sql`UPDATE ${notifications} SET ${bare(notifications.pushDueAt)} = NULL
      WHERE ${waits} AND (${notifications.readAt} IS NOT NULL OR EXISTS (
        SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${isSuspended(now)}))`),
    released: hold ? move(db, userId, sql`= ${hold.until}`, at) : undefined,
    claimed: db.all<DueNews>(sql`
      UPDATE ${notifications} SET
        ${bare(notifications.pushedAt)} = iif(${makesSound}, ${at}, ${notifications.pushedAt}),
        ${bare(notifications.pushAttempts)} = ${notifications.pushAttempts} + 1,
        ${bare(notifications.pushDueAt)} = ${at} + ${retryPause(sql`${notifications.pushAttempts}`)}
      WHERE ${notifications.id} IN (SELECT ${notifications.id} FROM ${notifications}
        WHERE ${notifications.userId} = ${userId} AND ${notifications.pushDueAt} <= ${at}
        ORDER BY ${notifications.pushDueAt} LIMIT ${BATCH})
      RETURNING ${notifications.id} AS id, ${notifications.kind} AS kind, ${notifications.subject} AS subject,
        ${notifications.data} AS data, ${notifications.createdAt} AS createdAt, ${notifications.pushedAt} AS pushedAt,
        ${notifications.pushAttempts} AS attempts, ${notifications.pushDueAt} AS claimedUntil`),
    recipient: db.all<Recipient>(sql`
      SELECT ${pushSettings.lockScreen} AS lockScreen, ${pushSettings.quietFrom} AS quietFrom,
        ${pushSettings.quietUntil} AS quietUntil, ${storedZone} AS timeZone
      FROM ${users} LEFT JOIN ${profiles} ON ${profiles.userId} = ${users.id}
      LEFT JOIN ${pushSettings} ON ${pushSettings.userId} = ${users.id}
      WHERE ${users.id} = ${userId}`),
    targets: db.all<Target>(sql`
      SELECT ${pushSubscriptions.id} AS id, ${pushSubscriptions.endpoint} AS endpoint,
        ${pushSubscriptions.p256dh} AS p256dh, ${pushSubscriptions.auth} AS auth
      FROM ${pushSubscriptions} JOIN ${sessions} ON ${sessions.id} = ${pushSubscriptions.sessionId}
      WHERE ${pushSubscriptions.userId} = ${userId} AND ${sessions.expiresAt} > ${at}
      ORDER BY ${pushSubscriptions.createdAt} DESC LIMIT ${MAX_DEVICES}`),
    delivered: db.all<{ notificationId: string; subscriptionId: string; newsAt: number }>(sql`
      SELECT ${pushDeliveries.notificationId} AS notificationId, ${pushDeliveries.subscriptionId} AS subscriptionId,
        ${pushDeliveries.newsAt} AS newsAt
      FROM ${pushDeliveries}
      WHERE ${pushDeliveries.notificationId} IN (SELECT ${notifications.id} FROM ${notifications} WHERE ${waits})`),
    open: db.all<{ kind: string; subject: string }>(sql`
      SELECT ${notifications.kind} AS kind, ${notifications.subject} AS subject
      FROM ${notifications} WHERE ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      LIMIT ${MAX_OPEN + 1}`),
    next: findNextDue(db, userId),
    counts: db.get<{ messages: number; notifications: number }>(sql`SELECT ${unreadOf(sql`${userId}`)}`),
  });
  return { ...found, recipient: recipient[0], unread: unreadTotal(counts) };
}

function quietEndOf({ quietFrom, quietUntil: until, timeZone }: Recipient, now: Date): number | null {
  if (quietFrom === null || until === null) return null;
  return quietUntil(now, { from: quietFrom, until }, quietZone(timeZone));
}

interface Circumstances {
  recipient: Recipient;
  /** The player's unread news, at most `MAX_OPEN` + 1. */
  open: readonly { kind: string; subject: string }[];
  unread: number;
  now: Date;
}

function presentPush(news: DueNews, { recipient, open, unread, now }: Circumstances): Push {
  const { href, ...words } = describeNotification({ ...news, data: JSON.parse(news.data) }, NOTIFICATION_KINDS);
  return {
    ...wordPush(words, recipient.lockScreen ?? DEFAULT_LOCK_SCREEN),
    tag: tagOf(news),
    url: href ?? "/dashboard/notifications",
    // An earlier attempt may have been delivered without being recorded.
    isRepeat: news.attempts > 1 || news.pushedAt !== now.getTime(),
    at: now.getTime(),
    unread,
    open: open.length > MAX_OPEN ? null : [...new Set(open.map(tagOf))],
  };
}

interface SentNews {
  news: DueNews;
  outcomes: { target: Target; outcome: PushOutcome }[];
}

/**
 * Records which devices received which news, deletes ended subscriptions, and settles all claimed news.
 * @returns when the player's next push is due; null if none waits
 */
async function record({ db, now }: DeliveryContext, userId: string, sent: readonly SentNews[]): Promise<number | null> {
  const gone = new Set(
    sent.flatMap(({ outcomes }) => outcomes.flatMap(({ target, outcome }) => (outcome === "gone" ? [target.id] : []))),
  );
  const { next } = await transact(db, {
    delivered: sent.flatMap(({ news, outcomes }) =>
      outcomes
        .filter(({ outcome }) => outcome === "sent")
        .map(({ target }) =>
          // Inserts nothing if the subscription or the notification has been deleted in the meantime.
          db.run(sql`
            INSERT INTO ${pushDeliveries} ${columnsOf(pushDeliveries, "subscriptionId", "notificationId", "newsAt")}
            SELECT ${pushSubscriptions.id}, ${notifications.id}, ${news.createdAt}
            FROM ${pushSubscriptions}, ${notifications}
            WHERE ${pushSubscriptions.id} = ${target.id} AND ${notifications.id} = ${news.id}
            ON CONFLICT ${columnsOf(pushDeliveries, "notificationId", "subscriptionId")} DO UPDATE
              SET ${bare(pushDeliveries.newsAt)} = excluded.${bare(pushDeliveries.newsAt)}`),
        ),
    ),
    gone: [...gone].map((id) => db.run(sql`DELETE FROM ${pushSubscriptions} WHERE ${pushSubscriptions.id} = ${id}`)),
    settled: sent.map(({ news, outcomes }) => {
      const isDone = !outcomes.some(({ outcome }) => outcome === "failed") || news.attempts >= MAX_ATTEMPTS;
      const isSent = outcomes.some(({ outcome }) => outcome === "sent");
      // A retry makes the first sound if no device got the push before.
      const soundAt = isSent ? (news.pushedAt ?? now.getTime()) : soundBefore(news, now);
      return settle(db, news, { next: isDone ? null : news.claimedUntil, soundAt, isTried: true });
    }),
    next: findNextDue(db, userId),
  });
  return next.dueAt;
}

/** Returns when news last made a sound before this claim; null if never, or too long ago to matter. */
const soundBefore = ({ pushedAt }: DueNews, now: Date) => (pushedAt === now.getTime() ? null : pushedAt);

/**
 * Builds the statement that sets the next attempt for claimed news. News that has changed since the claim stays due.
 * @param outcome.next when to try again, in milliseconds since 1970; null for never
 * @param outcome.soundAt when the news last made a sound; null if never, or too long ago to matter
 * @param outcome.isTried false if the push was only postponed: then the claim doesn't count as an attempt
 */
function settle(
  db: Database,
  { id, claimedUntil }: DueNews,
  { next, soundAt, isTried }: { next: number | null; soundAt: number | null; isTried: boolean },
) {
  const ifUnchanged = (value: SQL, column: SQLiteColumn) =>
    sql`${bare(column)} = iif(${notifications.pushDueAt} = ${claimedUntil}, ${value}, ${column})`;
  return db.run(sql`
    UPDATE ${notifications} SET ${ifUnchanged(sql`${next}`, notifications.pushDueAt)},
      ${ifUnchanged(sql`${notifications.pushAttempts} - ${isTried ? 0 : 1}`, notifications.pushAttempts)},
      ${bare(notifications.pushedAt)} = ${soundAt}
    WHERE ${notifications.id} = ${id}`);
}
