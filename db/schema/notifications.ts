import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { LOCK_SCREENS } from "../words/lock-screens";
import { CHANNELS, NEWS_GROUPS } from "../words/news-groups";
import { NEWS_KINDS } from "../words/news-kinds";
import { sessions, users } from "./accounts";
import { id, moment, oneOf } from "./columns";

/** Notifications for the bell. `app/features/notifications/kinds` has each kind's wording and link. */
export const notifications = sqliteTable(
  "notifications",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: NEWS_KINDS }).notNull(),
    /** The subject, as `conversation:<id>`: a later notification of the same kind about it updates the row. */
    subject: text("subject").notNull(),
    /** The data that its wording needs, as the kind's own schema defines it. */
    data: text("data", { mode: "json" }).notNull().$type<unknown>(),
    createdAt: moment("created_at").notNull(),
    /** Null while unread. */
    readAt: moment("read_at"),
    /**
     * When to push it next to the player's devices, which makes the row its own outbox; null if there is nothing to
     * push. See `app/features/notifications/push/deliver.server.ts`.
     */
    pushDueAt: moment("push_due_at"),
    /** The number of push attempts since the notification last changed. */
    pushAttempts: integer("push_attempts").notNull().default(0),
    /** When its push last made a sound. */
    pushedAt: moment("pushed_at"),
    /**
     * When to email it, unless it is read by then; null if there is nothing to email. See
     * `app/features/notifications/email/write.server.ts`.
     */
    emailDueAt: moment("email_due_at"),
  },
  (table) => [
    unique("notifications_once").on(table.userId, table.kind, table.subject),
    index("notifications_newest").on(table.userId, sql`created_at DESC`, sql`id DESC`),
    index("notifications_unread").on(table.userId, table.subject).where(sql`read_at IS NULL`),
    index("notifications_to_push").on(table.userId, table.pushDueAt).where(sql`push_due_at IS NOT NULL`),
    index("notifications_push_due").on(table.pushDueAt).where(sql`push_due_at IS NOT NULL`),
    index("notifications_to_email").on(table.userId, table.emailDueAt).where(sql`email_due_at IS NOT NULL`),
    index("notifications_email_due").on(table.emailDueAt).where(sql`email_due_at IS NOT NULL`),
  ],
);

/** The kinds that a player has turned off; no row means on. */
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

/**
 * The channels on which a player gets a group of kinds. A missing row means the default
 * (`app/features/notifications/switches.ts`).
 */
export const notificationSwitches = sqliteTable(
  "notification_switches",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    newsGroup: text("news_group", { enum: NEWS_GROUPS }).notNull(),
    channel: text("channel", { enum: CHANNELS }).notNull(),
    isOn: integer("is_on", { mode: "boolean" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.newsGroup, table.channel] }),
    check("notification_switches_group", oneOf(table.newsGroup, NEWS_GROUPS)),
    check("notification_switches_channel", oneOf(table.channel, CHANNELS)),
  ],
);

/** A browser that receives pushes. It ends with the session in which it was turned on. */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The URL at the browser's push service. It is never shown, because it identifies the browser. */
    endpoint: text("endpoint").notNull().unique(),
    /** The browser's public key and its secret, both base64url (RFC 8291): only the browser can read a push. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("push_subscriptions_by_user").on(table.userId, table.createdAt),
    index("push_subscriptions_by_session").on(table.sessionId),
  ],
);

/** A notification that has reached a device, so that a retry for another device doesn't push it twice. */
export const pushDeliveries = sqliteTable(
  "push_deliveries",
  {
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: "cascade" }),
    notificationId: text("notification_id")
      .notNull()
      .references(() => notifications.id, { onDelete: "cascade" }),
    /** The `notifications.created_at` of the notification that was pushed. */
    newsAt: moment("news_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.notificationId, table.subscriptionId] }),
    index("push_deliveries_by_device").on(table.subscriptionId),
  ],
);

/** A player's push settings. No row means the defaults. */
export const pushSettings = sqliteTable(
  "push_settings",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    lockScreen: text("lock_screen", { enum: LOCK_SCREENS }).notNull(),
    /** The player's quiet hours, in their zone, during which nothing is pushed; both null if there are none. */
    quietFrom: integer("quiet_from"),
    quietUntil: integer("quiet_until"),
  },
  (table) => [
    check("push_settings_lock_screen", oneOf(table.lockScreen, LOCK_SCREENS)),
    check("push_settings_quiet", sql`(quiet_from IS NULL) = (quiet_until IS NULL)`),
  ],
);
