import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversationMembers,
  conversations,
  notifications,
  tournamentMatches,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { bare } from "#db/sql";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { FOREVER } from "~/platform/lists/keyset.server";
import type { RoomCaller } from "~/platform/rooms/rooms.server";

const c = alias(conversations, "c");
const chat = alias(conversationMembers, "chat");
const m = alias(tournamentMatches, "m");
const p = alias(tournamentPlayers, "p");
const team = alias(tournamentTeams, "team");

/**
 * Builds the statements that remove a player, and their news, from the match chats that came with a team or an
 * organiser's role they no longer have. The player stays in the chats of their team's matches. The chats of undone
 * matches are included.
 * @param which selects the tournaments whose match chats count, as a condition on `tournaments`
 * @param joinedBy leaves out chats that the player joined later, in milliseconds since 1970
 * @returns two statements; `chats` yields the conversations, for `tellMatchChats`
 */
export function leaveMatchChats(db: Database, userId: string, which: SQL, joinedBy = FOREVER) {
  const chats = sql`
    SELECT ${chat.conversationId} FROM ${conversationMembers} AS ${chat}
    CROSS JOIN ${conversations} AS ${c} ON ${c.id} = ${chat.conversationId}
    CROSS JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${c.team1}
    CROSS JOIN ${tournaments} ON ${tournaments.id} = ${team.tournamentId}
    WHERE ${chat.userId} = ${userId} AND ${chat.joinedAt} <= ${joinedBy} AND ${which} AND NOT EXISTS (
      SELECT 1 FROM ${tournamentPlayers} AS ${p}
      WHERE ${p.tournamentId} = ${tournaments.id} AND ${p.userId} = ${userId}
        AND ${p.teamId} IN (${c.team1}, ${c.team2})
    )`;
  const subject = subjectSql("conversation", sql`left.${bare(conversationMembers.conversationId)}`);
  return {
    news: db.run(sql`
      DELETE FROM ${notifications}
      WHERE ${notifications.userId} = ${userId}
        AND ${notifications.subject} IN (SELECT ${subject} FROM (${chats}) AS left)`),
    chats: db.all<{ id: string }>(sql`
      DELETE FROM ${conversationMembers} WHERE ${conversationMembers.userId} = ${userId}
        AND ${conversationMembers.conversationId} IN (${chats})
      RETURNING ${conversationMembers.conversationId} AS id`),
  };
}

/** Builds the query for the chats of a tournament's matches. @param condition on `tournaments` */
export const listChats = (db: Database, tournamentId: string, condition: SQL) =>
  db.all<{ id: string }>(sql`
    SELECT ${m.conversationId} AS id FROM ${tournaments} CROSS JOIN ${tournamentMatches} AS ${m}
    WHERE ${tournaments.id} = ${tournamentId} AND ${condition} AND ${m.tournamentId} = ${tournaments.id}
      AND ${m.conversationId} IS NOT NULL`);

/** Makes the open pages of these chats reconnect; those of removed players can't. */
export function tellMatchChats(context: RoomCaller, chats: readonly { id: string }[]): void {
  for (const { id } of chats) tellConversation(context, id, { type: "changed" });
}
