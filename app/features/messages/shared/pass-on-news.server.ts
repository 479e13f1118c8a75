import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, messages, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { PREVIEW_LENGTH } from "../rules";
import { hasWrittenAfter, latestUnreadAfter } from "./unread-messages.server";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const me = alias(conversationMembers, "me");

/**
 * Builds the statement that updates a player's unread news of group chats after they have blocked someone who wrote
 * there. The news then quotes the latest unread message of another member, and counts no more messages than the chat
 * does. News that isn't about any such message stays unchanged; `blockPlayer` then removes it if the blocked player
 * caused it. Run the statement after the chats' unread messages have been counted again.
 */
export function passOnMessageNews(db: Database, blockerId: string, blockedId: string, condition: SQL) {
  const [conversation, readSeq] = [sql`${me.conversationId}`, sql`${me.lastReadSeq}`];
  return db.run(sql`
    UPDATE ${notifications} SET
      ${bare(notifications.data)} = json_set(${notifications.data},
        '$.name', coalesce(${nameOf(sql`latest.sender`)}, ${UNKNOWN_PLAYER}), '$.causedBy', latest.sender,
        '$.preview', ${preview(sql`latest.line`)},
        '$.count', min(latest.unread, json_extract(${notifications.data}, '$.count'))),
      ${bare(notifications.createdAt)} = latest.at
    FROM (
      SELECT ${subjectSql("conversation", conversation)} AS subject, ${me.unreadCount} AS unread, ${m.senderId} AS sender,
        ${oneLine(m.content)} AS line, ${m.createdAt} AS at, (
          SELECT count(*) FROM ${messages} WHERE ${messages.conversationId} = ${conversation}
            AND ${messages.seq} >= ${m.seq} AND +${messages.senderId} IS NOT ${blockerId}
        ) AS place
      FROM ${conversationMembers} AS ${me}
      JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId} AND ${c.pairKey} IS NULL
      JOIN ${messages} AS ${m} ON ${m.conversationId} = ${me.conversationId}
        AND ${m.seq} = ${latestUnreadAfter(conversation, blockerId, readSeq)}
      WHERE ${me.userId} = ${blockerId} AND ${me.unreadCount} > 0 AND ${condition}
        AND ${hasWrittenAfter(conversation, blockedId, readSeq)}
    ) AS latest
    WHERE ${notifications.userId} = ${blockerId} AND ${notifications.kind} = ${newsKinds("message")}
      AND ${notifications.subject} = latest.subject AND ${notifications.readAt} IS NULL
      AND latest.place <= json_extract(${notifications.data}, '$.count')`);
}

/**
 * Turns a message into one line, as an SQL expression: each run of spaces, tabs and line breaks becomes one space.
 * `previewOf` replaces other white space, too. Marks every space with a character that messages can't contain, and
 * deletes the marks that a space follows, together with that space.
 */
const oneLine = (content: SQLiteColumn): SQL => {
  const [spaced, mark] = [sql`replace(replace(${content}, char(10), ' '), char(9), ' ')`, sql`char(1)`];
  return sql`replace(replace(replace(${spaced}, ' ', ' ' || ${mark}), ${mark} || ' ', ''), ${mark}, '')`;
};

/** Cuts a line of text as `previewOf` does, as an SQL expression. */
const preview = (line: SQL): SQL => sql`iif(length(${line}) <= ${PREVIEW_LENGTH}, ${line},
  rtrim(substr(${line}, 1, ${PREVIEW_LENGTH - 1})) || '…')`;
