import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";
import { id, moment } from "./columns";

/** What players say to each other in private: two of them, or a party. */
export const conversations = sqliteTable("conversations", {
  id: id(),
  /** `smaller user id:larger user id` of two players, who have one conversation; null for a party. */
  pairKey: text("pair_key").unique(),
  /** What a party is called: the title of its post; null for two. */
  title: text("title"),
  /** The number of the last message; 0 before the first. */
  lastSeq: integer("last_seq").notNull().default(0),
  /** What the list shows of the last message, kept here so that no list reads messages. */
  lastPreview: text("last_preview"),
  lastSenderId: text("last_sender_id"),
  lastMessageAt: moment("last_message_at"),
  createdAt: moment("created_at").notNull(),
});

/** Who is in a conversation, and how far they have read. */
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
     * When the last message came, copied here so that one index lists a player's conversations newest first; before the
     * first, when the player came in. 0: not listed before the first, as a match's chat is not.
     */
    listedAt: moment("listed_at").notNull(),
    unreadCount: integer("unread_count").notNull().default(0),
    lastReadSeq: integer("last_read_seq").notNull().default(0),
    joinedAt: moment("joined_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index("conversation_members_listed").on(table.userId, sql`listed_at DESC`, sql`conversation_id DESC`),
    // Holds the sum it is for: the number on the Chat tab costs the unread conversations alone.
    index("conversation_members_unread").on(table.userId, table.unreadCount).where(sql`unread_count > 0`),
    check("conversation_members_unread_count", sql`unread_count >= 0`),
  ],
);
