import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from "drizzle-orm/sqlite-core";
import { PRESENCE_STATES } from "../words/presence";
import { users } from "./accounts";
import { id, moment, oneOf } from "./columns";
import { conversations } from "./conversations";
import { lfgPosts } from "./lfg";

/** One message. The sender's browser creates its id, so that sending it twice stores it once. */
export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** Its position in the conversation, 1, 2, 3 …, assigned by the INSERT: the same order for everyone. */
    seq: integer("seq").notNull(),
    /** Null once the account is deleted. */
    senderId: text("sender_id").references(() => users.id, { onDelete: "set null" }),
    /** The other player in a conversation of two; null in a group chat. */
    receiverId: text("receiver_id"),
    content: text("content").notNull(),
    /** The post that the message answers. */
    postId: text("post_id").references((): AnySQLiteColumn => lfgPosts.id, { onDelete: "set null" }),
    createdAt: moment("created_at").notNull(),
    /** When moderators hid it; other players then see a note in its place. */
    hiddenAt: moment("hidden_at"),
  },
  (table) => [
    unique("messages_order").on(table.conversationId, table.seq),
    // Lets the deletion of an account or a post find its messages.
    index("messages_by_sender").on(table.senderId),
    index("messages_by_post").on(table.postId).where(sql`post_id IS NOT NULL`),
    check("messages_content", sql`length(content) BETWEEN 1 AND 2000`),
  ],
);

/**
 * A player's presence as their Inbox room last published it. Old rows no longer count: see
 * `features/messages/rules.ts`.
 */
export const presence = sqliteTable(
  "presence",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    state: text("state", { enum: PRESENCE_STATES }).notNull(),
    seenAt: moment("seen_at").notNull(),
  },
  (table) => [
    // The players who are online, those last seen first.
    index("presence_online").on(sql`seen_at DESC`, table.userId).where(sql`state = 'online'`),
    check("presence_state", oneOf(sql.raw("state"), PRESENCE_STATES)),
  ],
);

/** Blocks between players: neither can message the other. */
export const blocks = sqliteTable(
  "blocks",
  {
    blockerId: text("blocker_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blockedId: text("blocked_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index("blocks_by_blocked").on(table.blockedId),
    // A player's own blocks, the latest first.
    index("blocks_listed").on(table.blockerId, sql`created_at DESC`, sql`blocked_id DESC`),
    check("blocks_other", sql`blocker_id <> blocked_id`),
  ],
);
