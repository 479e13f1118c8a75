import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { mutedNotifications, notifications } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { NewsKind } from "#db/words/news-kinds";
import type { RequestContext } from "~/platform/context";
import { tellUnread } from "./unread.server";

/** News for some players, written in the same batch as what caused it. */
export interface News {
  kind: NewsKind;
  /** The thing it is about, as `conversation:<id>`: an SQL expression. */
  subject: SQL;
  /** A JSON object of what the kind's words need, an SQL expression. `count` is kept here: how often since it was read. */
  data: SQL;
  /**
   * `SELECT user_id …` of those whom it concerns; none when nothing happened after all. What else it selects, `subject`
   * and `data` find as `to_tell.…`.
   */
  recipients: SQL;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * The statement that tells players something. News about the same thing renews the one row and counts up while it is
 * unread; whoever has switched the kind off gets none. It answers who was told.
 */
export function notify(db: Database, { kind, subject, data, recipients, now }: News) {
  return db.all<{ userId: string }>(sql`
    INSERT INTO ${notifications} ${columnsOf(notifications, "id", "userId", "kind", "subject", "data", "createdAt")}
    SELECT lower(hex(randomblob(16))), to_tell.user_id, ${kind}, ${subject}, json_set(${data}, '$.count', 1), ${now}
    FROM (${recipients}) AS to_tell
    WHERE NOT EXISTS (
      SELECT 1 FROM ${mutedNotifications} WHERE ${mutedNotifications.userId} = to_tell.user_id
        AND ${mutedNotifications.kind} = ${kind}
    )
    ON CONFLICT ${columnsOf(notifications, "userId", "kind", "subject")} DO UPDATE SET
      ${bare(notifications.data)} = json_set(
        excluded.data, '$.count', iif(${notifications.readAt} IS NULL,
          json_extract(${notifications.data}, '$.count') + 1, 1)
      ),
      ${bare(notifications.createdAt)} = excluded.${bare(notifications.createdAt)},
      ${bare(notifications.readAt)} = NULL
    RETURNING ${notifications.userId} AS userId`);
}

/**
 * The statement that removes all news about something that is gone, or that players may no longer see: there is no place
 * left to lead to.
 * @param players `SELECT user_id …` of those who may have some
 * @param subject as of `notify`
 */
export function forgetNews(db: Database, players: SQL, subject: SQL) {
  return db.run(sql`DELETE FROM ${notifications} WHERE ${notifications.userId} IN (${players})
    AND ${notifications.subject} = ${subject}`);
}

/** The statement that takes news about something for read: the player has been there. */
export function resolveNews(db: Database, userId: string, subject: string, now: number) {
  return db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.subject} = ${subject}
      AND ${notifications.readAt} IS NULL`);
}

/** Takes news about something for read, after the response; the player's tabs hear of it when there was any. */
export function resolveNewsLater(context: RequestContext, userId: string, subject: string): void {
  context.defer(async () => {
    const { rowsAffected } = await resolveNews(context.db, userId, subject, context.now.getTime());
    if (rowsAffected > 0) tellUnread(context, userId);
  });
}
