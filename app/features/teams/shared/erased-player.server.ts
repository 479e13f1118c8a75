import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, notifications } from "#db/schema";
import { subjectSql } from "~/features/notifications/shared/subjects.server";

const mate = alias(joinRequests, "mate");
const news = alias(notifications, "news");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * Builds the statements that delete other players' news of teams whose pages disappear with a player's account. They
 * belong before the account's deletion in the same transaction.
 */
export const forgetNewsOfTeams = (db: Database, userId: string, condition: SQL) => ({
  // Deleting the player's posts removes the pages that these notifications link to.
  posts: db.run(sql`
    DELETE FROM ${notifications} WHERE ${condition} AND ${notifications.id} IN (
      SELECT ${news.id} FROM ${lfgPosts} AS ${p} JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${p.id}
      JOIN ${notifications} AS ${news} ON ${news.userId} = ${r.userId}
        AND ${news.subject} IN (${subjectSql("post", p.id)}, ${subjectSql("team", p.id)})
      WHERE ${p.userId} = ${userId}
    )`),
  // Authors whose only remaining teammate is this player also lose the page for feedback.
  sessions: db.run(sql`
    DELETE FROM ${notifications} WHERE ${condition} AND ${notifications.id} IN (
      SELECT ${news.id} FROM ${joinRequests} AS ${r} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
      JOIN ${notifications} AS ${news} ON ${news.userId} = ${p.userId}
        AND ${news.subject} = ${subjectSql("team", p.id)}
      WHERE ${r.userId} = ${userId} AND ${r.playedAt} IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${joinRequests} AS ${mate}
        WHERE ${mate.postId} = ${p.id} AND ${mate.playedAt} IS NOT NULL AND ${mate.userId} <> ${r.userId}
      )
    )`),
});

/**
 * Builds the statement that lists the conversations of a player's unplayed teams, which lose their rooms together with
 * their posts.
 */
export const listUnplayedChats = (db: Database, userId: string, condition: SQL) =>
  db.all<{ id: string }>(sql`
    SELECT ${p.conversationId} AS id FROM ${lfgPosts} AS ${p}
    WHERE ${p.userId} = ${userId} AND ${p.conversationId} IS NOT NULL AND ${p.sessionEndedAt} IS NULL
      AND ${condition}`);
