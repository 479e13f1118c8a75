import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { NEWS_KINDS } from "../words/news-kinds";
import { users } from "./accounts";
import { id, moment } from "./columns";

/** News for the bell. The wording of each kind and its link are in `app/features/notifications/kinds`. */
export const notifications = sqliteTable(
  "notifications",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NEWS_KINDS }).notNull(),
    /** The subject, as `conversation:<id>`: later news about the same subject updates the row. */
    subject: text("subject").notNull(),
    /** The data that its wording needs, as the kind's own schema defines it. */
    data: text("data", { mode: "json" }).notNull().$type<unknown>(),
    createdAt: moment("created_at").notNull(),
    /** Null while unread. */
    readAt: moment("read_at"),
  },
  (table) => [
    unique("notifications_once").on(table.userId, table.kind, table.subject),
    index("notifications_newest").on(table.userId, sql`created_at DESC`, sql`id DESC`),
    index("notifications_unread").on(table.userId, table.subject).where(sql`read_at IS NULL`),
  ],
);

/** The kinds that a player has switched off; no row means on. */
export const mutedNotifications = sqliteTable(
  "muted_notifications",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NEWS_KINDS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);
