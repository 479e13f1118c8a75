import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";
import { id, moment } from "./columns";
import { tournamentTeams } from "./tournaments";

/** A private conversation: between two players, or a group chat. */
export const conversations = sqliteTable(
  "conversations",
  {
    id: id(),
    /** `smaller user id:larger user id`, which gives two players one conversation; null for a group chat. */
    pairKey: text("pair_key").unique(),
    /** The name of a group chat: the title of its post, or a match with its teams. Null for two players. */
    title: text("title"),
    /**
     * The two teams of a match's chat; null for other conversations. If the match is undone, the chat no longer belongs
     * to it, but keeps its members, these teams and its title.
     */
    team1: text("team1_id").references(() => tournamentTeams.id, { onDelete: "set null" }),
    team2: text("team2_id").references(() => tournamentTeams.id, { onDelete: "set null" }),
    /** The number of the last message; 0 before the first. */
    lastSeq: integer("last_seq").notNull().default(0),
    /** The preview of the last message, copied here so that the list reads no messages. */
    lastPreview: text("last_preview"),
    lastSenderId: text("last_sender_id"),
    lastMessageAt: moment("last_message_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("conversations_team1").on(table.team1).where(sql`team1_id IS NOT NULL`),
    index("conversations_team2").on(table.team2).where(sql`team2_id IS NOT NULL`),
  ],
);

/** The members of conversations, each with their last read message. */
export const conversationMembers = sqliteTable(
  "conversation_members",
  {
    conversationId: text("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /**
     * The time of the last message, except those by players whom this one had blocked; copied here so that one index
     * lists a player's conversations newest first. Until a message arrives after the player has joined, it is the time
     * of joining. In match chats it is 0 instead, which hides the conversation until its first message, or the time of
     * the last message for an organiser who has joined later.
     */
    listedAt: moment("listed_at").notNull(),
    unreadCount: integer("unread_count").notNull().default(0),
    lastReadSeq: integer("last_read_seq").notNull().default(0),
    /** Whether the player has sent a message here, so that lists can tell without reading messages. */
    hasWritten: integer("has_written", { mode: "boolean" }).notNull().default(false),
    joinedAt: moment("joined_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index("conversation_members_listed").on(table.userId, sql`listed_at DESC`, sql`conversation_id DESC`),
    // Contains the summed column, so that the count on the Chat tab reads only this index.
    index("conversation_members_unread").on(table.userId, table.unreadCount).where(sql`unread_count > 0`),
    check("conversation_members_unread_count", sql`unread_count >= 0`),
  ],
);
