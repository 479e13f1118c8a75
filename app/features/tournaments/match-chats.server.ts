import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import type { Teller } from "~/platform/rooms/rooms.server";

/**
 * The statements by which a player is out of the match chats that came with an office or a team that they have no more. Chats
 * of matches that they still play stay theirs.
 * @param which matches are meant, as a condition on `tournaments`
 * @returns statements of which `chats` answers the conversations, for `tellMatchChats`
 */
export function leaveMatchChats(db: Database, userId: string, which: SQL) {
  const chats = sql`
    SELECT chat.conversation_id FROM conversation_members AS chat
    CROSS JOIN tournament_matches AS m ON m.conversation_id = chat.conversation_id
    CROSS JOIN tournaments ON tournaments.id = m.tournament_id
    WHERE chat.user_id = ${userId} AND ${which} AND NOT EXISTS (
      SELECT 1 FROM tournament_players AS p
      WHERE p.tournament_id = m.tournament_id AND p.user_id = ${userId} AND p.team_id IN (m.team1_id, m.team2_id)
    )`;
  return {
    news: db.run(sql`
      DELETE FROM notifications
      WHERE user_id = ${userId} AND subject IN (SELECT 'conversation:' || left.conversation_id FROM (${chats}) AS left)`),
    chats: db.all<{ id: string }>(sql`
      DELETE FROM conversation_members WHERE user_id = ${userId} AND conversation_id IN (${chats})
      RETURNING conversation_id AS id`),
  };
}

/** Has everyone who has these chats open come in again: who has left them does not. */
export function tellMatchChats(context: Teller, chats: readonly { id: string }[]): void {
  for (const { id } of chats) tellConversation(context, id, { type: "changed" });
}
