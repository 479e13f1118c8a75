import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { NEWS_KINDS } from "../words/news-kinds";
import { users } from "./accounts";
import { id, moment } from "./columns";

/** News for the bell. The words of each kind, and where it leads, are in `app/features/notifications/kinds`. */
export const notifications = sqliteTable(
  "notifications",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NEWS_KINDS }).notNull(),
    /** The thing it is about, as `conversation:<id>`: news about the same thing renews the one row. */
    subject: text("subject").notNull(),
    /** What its words need, as the kind's own schema says. */
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

/** The kinds that a player has switched off: no row, no silence. */
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
