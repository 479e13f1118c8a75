import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, joinRequests, lfgPosts, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { dropOriginal, keepOriginal, originalOf, readOriginal } from "~/features/moderation/shared/originals.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { lapseRequests } from "~/features/teams/shared/lapse-requests.server";
import { NO_PRESENCE, STORED_PRESENCE, setPresence } from "./author-presence.server";
import { authorVoice, mayOpenByItself } from "./open-posts.server";

const asked = alias(joinRequests, "asked");
const c = alias(conversations, "c");
const member = alias(conversationMembers, "member");
const p = alias(lfgPosts, "p");

/** Replaces the title of a hidden post wherever its team would still see it: in news and in the name of their chat. */
const REMOVED_POST = "Post removed by moderators";

/** A post's title as others may see it, as an SQL expression. @param post the query's name for `lfg_posts` */
export const shownTitle = (post: { title: SQLiteColumn; hiddenAt: SQLiteColumn }): SQL =>
  sql`iif(${post.hiddenAt} IS NULL, ${post.title}, ${REMOVED_POST})`;

/**
 * The title of a post for news that players get even if they have blocked its author, as an SQL expression. For those
 * players it is NULL, because the title is the author's words.
 * @param playerId the player, as an SQL expression
 * @param post the query's name for `lfg_posts`
 */
export const titleFor = (
  playerId: SQL,
  post: { userId: SQLiteColumn; title: SQLiteColumn; hiddenAt: SQLiteColumn },
): SQL => sql`iif(${hasBlocked(playerId, sql`${post.userId}`)}, NULL, ${shownTitle(post)})`;

/**
 * Builds the statements that hide a post: it leaves all lists, waiting requests lapse, news about it disappears, and
 * its team's chat loses the name that it took from the post.
 * @param condition SQL that is true if the post is to be hidden
 * @returns the statements; `removedNews` returns the players who have lost news, once per notification
 */
export function hidePost(db: Database, id: string, now: Date, condition: SQL) {
  const at = now.getTime();
  const hiding = sql`SELECT ${p.id} FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${id} AND ${p.hiddenAt} IS NULL
    AND ${condition}`;
  return {
    original: keepOriginal(
      db,
      "post",
      id,
      sql`SELECT json_object('chat', ${c.title}) AS original FROM ${lfgPosts} AS ${p}
        JOIN ${conversations} AS ${c} ON ${c.id} = ${p.conversationId} WHERE ${p.id} IN (${hiding})`,
      now,
      condition,
    ),
    lapse: lapseRequests(db, hiding, at).lapse,
    removedNews: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications} WHERE ${condition} AND ${notifications.userId} IN (
        SELECT ${p.userId} FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${id}
        UNION ALL SELECT ${asked.userId} FROM ${joinRequests} AS ${asked} WHERE ${asked.postId} = ${id}
      ) AND ${notifications.subject} IN (${subjectOf("post", id)}, ${subjectOf("team", id)})
      RETURNING ${notifications.userId} AS userId`),
    ...nameChat(db, id, sql`${REMOVED_POST}`, condition),
    hide: db.run(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.hiddenAt)} = ${at}, ${bare(lfgPosts.isActive)} = 0,
        ${bare(lfgPosts.updatedAt)} = ${at}, ${setPresence(NO_PRESENCE)}
      WHERE ${lfgPosts.id} IN (${hiding})`),
  };
}

/**
 * Builds the statements that show a hidden post again, as it was: open if it was open and hasn't expired. If its author
 * has three others open by now, or may not have any open (see `mayOpenByItself`), it comes back closed.
 */
export function restorePost(db: Database, id: string, now: Date, condition: SQL) {
  const at = now.getTime();
  const wasOpen = sql`(${lfgPosts.closedAt} IS NULL AND ${lfgPosts.takenSpots} < ${lfgPosts.neededPlayers}
    AND ${lfgPosts.sessionEndedAt} IS NULL AND ${lfgPosts.expiresAt} > ${at})`;
  const mayOpen = mayOpenByItself(at);
  return {
    ...nameChat(db, id, originalOf("post", id, "chat"), condition),
    show: db.run(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.hiddenAt)} = NULL,
        ${bare(lfgPosts.isActive)} = (${wasOpen} AND ${mayOpen}),
        ${bare(lfgPosts.filledAt)} = iif(${wasOpen}, NULL, ${lfgPosts.filledAt}),
        ${bare(lfgPosts.closedAt)} = iif(${wasOpen} AND NOT ${mayOpen}, ${at}, ${lfgPosts.closedAt}),
        ${bare(lfgPosts.updatedAt)} = ${at}, ${bare(lfgPosts.voiceComms)} = ${authorVoice},
        ${setPresence(STORED_PRESENCE, sql`${wasOpen} AND ${mayOpen}`)}
      WHERE ${lfgPosts.id} = ${id} AND ${lfgPosts.hiddenAt} IS NOT NULL AND ${condition}`),
    original: readOriginal(db, "post", id, condition),
    drop: dropOriginal(db, "post", id, condition),
  };
}

/** Builds the statements that give the chat of a post's team a name. @param name as an SQL expression; NULL for none */
function nameChat(db: Database, id: string, name: SQL, condition: SQL) {
  const chat = sql`(SELECT ${p.conversationId} FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${id})`;
  return {
    chat: db.run(sql`UPDATE ${conversations} SET ${bare(conversations.title)} = ${name}
      WHERE ${conversations.id} = ${chat} AND ${name} IS NOT NULL AND ${condition}`),
    chatNews: db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data}, '$.party', ${name})
      WHERE ${notifications.userId} IN (
        SELECT ${member.userId} FROM ${conversationMembers} AS ${member} WHERE ${member.conversationId} = ${chat}
      ) AND ${notifications.kind} = ${newsKinds("message")}
        AND ${notifications.subject} = ${subjectSql("conversation", chat)}
        AND ${name} IS NOT NULL AND ${condition}`),
  };
}
