import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { blocks, conversationMembers, conversations, joinRequests, lfgPosts, notifications, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { correctReviewNews } from "~/features/feedback/shared/review-news.server";
import { noteBlock } from "~/features/follow-ups/shared/note.server";
import { pairKey } from "~/features/messages/rules";
import { passOnMessageNews } from "~/features/messages/shared/pass-on-news.server";
import { countUnreadAfter, hasWrittenAfter } from "~/features/messages/shared/unread-messages.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { removeRequestNews } from "~/features/teams/shared/request-news.server";
import { removeInvitations } from "~/features/tournaments/shared/separation.server";
import { hasBlocked } from "./shared/blocks.server";

const me = alias(conversationMembers, "me");
const them = alias(conversationMembers, "them");

/** How many of a player's latest conversations are searched for ones shared with another player. */
const MAX_SEARCHED = 500;

/**
 * Blocks a player, in one transaction. From then on, `rules.ts` applies to the two players. The blocked player's unread
 * messages no longer count, news caused by that player is removed, corrected or passed on, and open invitations to each
 * other's teams are removed. Has no effect if the player is already blocked.
 * @returns `chats`: the conversations that both are in, or whose unread messages were counted again; `hasFollowUps`:
 *   whether a role as an organiser still has to end (call `carryOutFollowUps` for both players). Both players' news of
 *   requests to join or of invitations may have been removed
 */
export async function blockPlayer(
  db: Database,
  blockerId: string,
  blockedId: string,
  now: Date,
): Promise<{ chats: { id: string }[]; hasFollowUps: boolean }> {
  const either = sql`(${blockerId}, ${blockedId})`;
  const isBlocked = hasBlocked(blockerId, blockedId);
  const [conversation, readSeq] = [sql`${conversationMembers.conversationId}`, sql`${conversationMembers.lastReadSeq}`];
  const unread = countUnreadAfter(conversation, blockerId, readSeq);
  const { recounted, together, followUps } = await transact(db, {
    block: db.run(sql`
      INSERT INTO ${blocks} ${columnsOf(blocks, "blockerId", "blockedId", "createdAt")}
      SELECT ${blockerId}, ${users.id}, ${now.getTime()} FROM ${users} WHERE ${users.id} = ${blockedId}
        AND ${users.id} <> ${blockerId}
      ON CONFLICT DO NOTHING`),
    // Includes group chats that the blocked player has left since they wrote there.
    recounted: db.all<{ id: string }>(sql`
      UPDATE ${conversationMembers} SET
        ${bare(conversationMembers.unreadCount)} = min(${conversationMembers.unreadCount}, ${unread})
      WHERE ${conversationMembers.userId} = ${blockerId} AND ${conversationMembers.unreadCount} > 0 AND ${isBlocked}
        AND NOT EXISTS (
          SELECT 1 FROM ${conversations} WHERE ${conversations.id} = ${conversation}
            AND ${conversations.pairKey} <> ${pairKey(blockerId, blockedId)}
        ) AND ${hasWrittenAfter(conversation, blockedId, readSeq)}
      RETURNING ${conversationMembers.conversationId} AS id`),
    passOnNews: passOnMessageNews(db, blockerId, blockedId, isBlocked),
    // Requests to join between the two are hidden from the post's author, no matter who has blocked whom. The author's
    // news of them is removed, too: a blocked author takes this for a withdrawal, but news without a request would give
    // the block away. News that is also about other players' requests or messages is passed on to those here and
    // by `passOnNews`, because `forgetNews` removes all news that the blocked player caused.
    requestNews: removeRequestNews(
      db,
      sql`SELECT ${lfgPosts.id} FROM ${lfgPosts} JOIN ${joinRequests} ON ${joinRequests.postId} = ${lfgPosts.id}
        WHERE ${lfgPosts.userId} IN ${either} AND ${lfgPosts.isActive} = 1
          AND ${joinRequests.userId} IN ${either} AND ${joinRequests.state} = 'pending' AND ${isBlocked}`,
    ),
    forgetNews: db.run(sql`
      DELETE FROM ${notifications}
      WHERE ${notifications.userId} = ${blockerId} AND ${isBlocked}
        AND (json_extract(${notifications.data}, '$.causedBy') = ${blockedId}
          OR ${notifications.subject} = (
            SELECT ${subjectSql("conversation", conversations.id)} FROM ${conversations}
            WHERE ${conversations.pairKey} = ${pairKey(blockerId, blockedId)}
          ))`),
    reviewNews: correctReviewNews(db, sql`${blockerId}`),
    separation: removeInvitations(db, blockerId, blockedId, isBlocked),
    followUps: noteBlock(db, blockerId, blockedId, now, isBlocked),
    together: db.all<{ id: string }>(conversationsOf(blockerId, blockedId)),
  });
  const otherChats = recounted.filter(({ id }) => together.every((chat) => chat.id !== id));
  return { chats: [...together, ...otherChats], hasFollowUps: followUps.rowsAffected > 0 };
}

/**
 * Unblocks a player. The two can message each other again, unless the other player has blocked this one as well. Has no
 * effect if there is no block.
 * @returns the ids of the conversations that both are in
 */
export async function unblockPlayer(db: Database, blockerId: string, blockedId: string): Promise<{ id: string }[]> {
  const { together } = await transact(db, {
    unblock: db.run(
      sql`DELETE FROM ${blocks} WHERE ${blocks.blockerId} = ${blockerId} AND ${blocks.blockedId} = ${blockedId}`,
    ),
    together: db.all<{ id: string }>(conversationsOf(blockerId, blockedId)),
  });
  return together;
}

/** Selects the ids of the conversations that two players share, among the first player's latest. */
const conversationsOf = (userId: string, otherId: string) => sql`
  SELECT ${me.conversationId} AS id FROM (
    SELECT ${conversationMembers.conversationId} FROM ${conversationMembers}
    WHERE ${conversationMembers.userId} = ${userId}
    ORDER BY ${conversationMembers.listedAt} DESC, ${conversationMembers.conversationId} DESC LIMIT ${MAX_SEARCHED}
  ) AS me
  JOIN ${conversationMembers} AS ${them} ON ${them.conversationId} = me.conversation_id AND ${them.userId} = ${otherId}`;
