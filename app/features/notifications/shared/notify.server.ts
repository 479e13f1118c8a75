import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { mutedNotifications, notifications, pushSubscriptions } from "#db/schema";
import { bare, columnsOf, newsKinds } from "#db/sql";
import type { Channel } from "#db/words/news-groups";
import type { NewsKind } from "#db/words/news-kinds";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import type { RequestContext } from "~/platform/context";
import { UNREAD_FOR } from "../email/rules";
import { isPushed } from "../rules";
import { groupOf, isEmailed } from "../switches";
import { isSwitchedOn } from "../switches.server";
import type { NewsSubject, NewsSubjectSql } from "./subjects";
import { tellInboxes } from "./unread.server";

const news = alias(notifications, "news");

/** News for some players, written in the same batch as its cause. */
export interface News {
  kind: NewsKind;
  subject: NewsSubject | NewsSubjectSql;
  /**
   * The data for the kind's wording, as a JSON object: an SQL expression. `notify` adds `count`, the number of times
   * the event has happened since the notification was last read.
   */
  data: SQL;
  /** Whether the data is merged into that of unread news, by `json_patch`, instead of replacing it. */
  isMerged?: boolean;
  /**
   * The player who caused the event, as an SQL expression; stored as `causedBy`. Nobody who has blocked them is
   * notified, and a later block removes the news. Omit it for news that a player must get, whoever caused it; `data`
   * must then leave out the words of players whom the recipient has blocked, as `app/features/blocks/rules.ts` says.
   */
  by?: SQL;
  /**
   * `SELECT user_id …` of the recipients; empty if the event did not happen after all. `subject` and `data` can use its
   * other columns as `to_tell.…`.
   */
  recipients: SQL;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * True if a player has turned off a kind.
 * @param userId the player, as an SQL expression; a column needs its table's alias
 */
export const hasMuted = (userId: SQL, kind: NewsKind): SQL => sql`EXISTS (
  SELECT 1 FROM ${mutedNotifications} WHERE ${mutedNotifications.userId} = ${userId}
    AND ${mutedNotifications.kind} = ${kind}
)`;

/**
 * Builds the statement that notifies players. News of the same kind about the same subject updates the existing row,
 * and increments its `count` while it is unread. Skips players who have turned off the kind, or the bell for its group.
 * Players can't turn off a kind without a group on any channel. The row is also due to be pushed immediately if the
 * player wants push for the group and has a device that receives pushes, and to be emailed later if they want email for
 * the group. Further news doesn't postpone a waiting email. The result lists the notified players.
 */
export function notify(db: Database, { kind, subject, data, isMerged, by, recipients, now }: News) {
  const stored = by ? sql`json_set(${data}, '$.count', 1, '$.causedBy', ${by})` : sql`json_set(${data}, '$.count', 1)`;
  const merged = isMerged
    ? sql`json_patch(iif(${notifications.readAt} IS NULL, ${notifications.data}, '{}'), excluded.data)`
    : sql`excluded.data`;
  const group = groupOf(kind);
  const isOn = (channel: Channel) => (group ? isSwitchedOn(sql`to_tell.user_id`, group, channel) : sql`1`);
  const pushDueAt = isPushed(kind)
    ? sql`iif(EXISTS (SELECT 1 FROM ${pushSubscriptions} WHERE ${pushSubscriptions.userId} = to_tell.user_id)
        AND ${isOn("push")}, ${now}, NULL)`
    : sql`NULL`;
  const emailDueAt = isEmailed(kind) ? sql`iif(${isOn("email")}, ${now + UNREAD_FOR}, NULL)` : sql`NULL`;
  return db.all<{ userId: string }>(sql`
    INSERT INTO ${notifications} ${columnsOf(
      notifications,
      "id",
      "userId",
      "kind",
      "subject",
      "data",
      "createdAt",
      "pushDueAt",
      "emailDueAt",
    )}
    SELECT lower(hex(randomblob(16))), to_tell.user_id, ${kind}, ${subject}, ${stored}, ${now}, ${pushDueAt},
      ${emailDueAt}
    FROM (${recipients}) AS to_tell
    WHERE ${group ? sql`NOT ${hasMuted(sql`to_tell.user_id`, kind)}` : sql`1`} AND ${isOn("bell")} ${by ? sql`AND NOT ${hasBlocked(sql`to_tell.user_id`, by)}` : sql``}
    ON CONFLICT ${columnsOf(notifications, "userId", "kind", "subject")} DO UPDATE SET
      ${bare(notifications.data)} = json_set(
        ${merged}, '$.count', iif(${notifications.readAt} IS NULL,
          json_extract(${notifications.data}, '$.count') + 1, 1)
      ),
      ${bare(notifications.createdAt)} = excluded.${bare(notifications.createdAt)},
      ${bare(notifications.readAt)} = NULL,
      ${bare(notifications.pushDueAt)} = excluded.${bare(notifications.pushDueAt)},
      ${bare(notifications.pushAttempts)} = 0,
      ${bare(notifications.emailDueAt)} = iif(
        ${notifications.readAt} IS NULL AND ${notifications.emailDueAt} < excluded.${bare(notifications.emailDueAt)},
        ${notifications.emailDueAt}, excluded.${bare(notifications.emailDueAt)}
      )
    RETURNING ${notifications.userId} AS userId`);
}

/**
 * SQL expression for `since` in the data of news: the time of the first event that the player hasn't read about. If
 * some events are gone later, it tells which of the others the news is about.
 * @param userId the player, as an SQL expression; a column needs its table's alias
 */
export const unreadSince = (userId: SQL, kind: NewsKind, subject: NewsSubjectSql, now: number): SQL => sql`coalesce((
  SELECT coalesce(json_extract(${news.data}, '$.since'), 0) FROM ${notifications} AS ${news}
  WHERE ${news.userId} = ${userId} AND ${news.kind} = ${newsKinds(kind)} AND ${news.subject} = ${subject}
    AND ${news.readAt} IS NULL
), ${now})`;

/**
 * Builds the statement that removes all news about a subject that was deleted or that the players may no longer see,
 * because its links would be dead. The result lists the players who had such news, one entry per notification.
 * @param players `SELECT user_id …` of players who may have such news
 */
export function forgetNews(db: Database, players: SQL, subject: NewsSubject | NewsSubjectSql) {
  return db.all<{ userId: string }>(sql`DELETE FROM ${notifications} WHERE ${notifications.userId} IN (${players})
    AND ${notifications.subject} = ${subject} RETURNING ${notifications.userId} AS userId`);
}

/**
 * Builds the statement that marks news about a subject as read because the player has visited it.
 * @param isSeen SQL condition that the player has seen everything that the news is about
 */
export function resolveNews(db: Database, userId: string, subject: NewsSubject, now: number, isSeen = sql`TRUE`) {
  return db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.subject} = ${subject}
      AND ${notifications.readAt} IS NULL AND ${isSeen}`);
}

/**
 * Builds the statement that marks unread news as read because it is out of date: unread, it would still be pushed and
 * emailed. The result lists the players who had such news, one entry per notification.
 * @param which SQL condition on the notifications
 */
export const resolveOutdated = (db: Database, which: SQL, now: number) =>
  db.all<{ userId: string }>(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now}
    WHERE ${notifications.readAt} IS NULL AND ${which} RETURNING ${notifications.userId} AS userId`);

/** Unread news as a page's load has found it. */
export interface FoundNews {
  id: string;
  createdAt: number;
}

/**
 * Finds a player's unread news about subjects whose page is being loaded, for `resolveNewsLater`. The loader must ask
 * for it before the data that the page shows. This ensures that the page shows everything that the news is about.
 */
export const findUnreadNews = (db: Database, userId: string, ...subjects: NewsSubject[]): Promise<FoundNews[]> =>
  db.all<FoundNews>(sql`
    SELECT ${notifications.id} AS id, ${notifications.createdAt} AS createdAt FROM ${notifications}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.subject} IN ${subjects}
      AND ${notifications.readAt} IS NULL`);

/** True for news that is still as a page's load has found it: it gets another time when it changes. */
export const isAsFound = (news: readonly FoundNews[]): SQL => sql`(${notifications.id}, ${notifications.createdAt}) IN (
  SELECT value ->> 'id', value ->> 'createdAt' FROM json_each(${JSON.stringify(news)})
)`;

/**
 * Marks news as read that a page shows, after the response, and updates the player's open tabs. News that has arrived
 * or changed since the page was loaded stays unread. A prefetch is no visit: it marks nothing, and the browser doesn't
 * keep its response, so that the click loads the page again.
 */
export function resolveNewsLater(context: RequestContext, userId: string, news: readonly FoundNews[]): void {
  if (news.length === 0) return;
  if (context.isPrefetch) {
    context.isReusable = false;
    return;
  }
  context.defer(async () => {
    const { rowsAffected } = await context.db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${context.now.getTime()}
      WHERE ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL AND ${isAsFound(news)}`);
    // The page shows the news already.
    if (rowsAffected > 0) tellInboxes(context, [{ userId }]);
  });
}
