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
import { REPORT_REASONS } from "../words/report-reasons";
import { users } from "./accounts";
import { id, moment, oneOf } from "./columns";
import { conversations } from "./conversations";
import { userFeedback } from "./feedback";
import { lfgPosts } from "./lfg";

/** One message. The sender's browser creates its id, so that sending it twice stores it once. */
export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** Its position in the conversation, 1, 2, 3 …, assigned by the INSERT: the same order for everybody. */
    seq: integer("seq").notNull(),
    /** Null once the account is deleted. */
    senderId: text("sender_id").references(() => users.id, { onDelete: "set null" }),
    /** The other player of a conversation of two; null in a party. */
    receiverId: text("receiver_id"),
    content: text("content").notNull(),
    /** The post that the message answers. */
    postId: text("post_id").references((): AnySQLiteColumn => lfgPosts.id, { onDelete: "set null" }),
    createdAt: moment("created_at").notNull(),
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
    state: text("state", { enum: ["online", "away", "offline"] }).notNull(),
    seenAt: moment("seen_at").notNull(),
  },
  () => [check("presence_state", oneOf(sql.raw("state"), ["online", "away", "offline"]))],
);

/** Blocks between players: neither can write to the other. */
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
    check("blocks_other", sql`blocker_id <> blocked_id`),
  ],
);

/** A player's complaint about another or about one of their messages, for moderators. */
export const reports = sqliteTable(
  "reports",
  {
    id: id(),
    reporterId: text("reporter_id").references(() => users.id, { onDelete: "set null" }),
    reportedId: text("reported_id").references(() => users.id, { onDelete: "set null" }),
    messageId: text("message_id").references(() => messages.id, { onDelete: "set null" }),
    feedbackId: text("feedback_id").references((): AnySQLiteColumn => userFeedback.id, { onDelete: "set null" }),
    reason: text("reason", { enum: REPORT_REASONS }).notNull(),
    /** The reporter's explanation. */
    details: text("details"),
    /** The message as it was when reported, kept even if the message is deleted. */
    quotedContent: text("quoted_content"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("reports_by_age").on(table.createdAt),
    index("reports_by_reported").on(table.reportedId),
    index("reports_by_reporter").on(table.reporterId),
    index("reports_by_feedback").on(table.feedbackId).where(sql`feedback_id IS NOT NULL`),
    index("reports_by_message").on(table.messageId).where(sql`message_id IS NOT NULL`),
    check("reports_reason", oneOf(table.reason, REPORT_REASONS)),
    check("reports_details", sql`details IS NULL OR length(details) BETWEEN 1 AND 2000`),
  ],
);
