import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";

/** An account: how someone signs in, and what they said of themselves when they signed up. */
export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Trimmed and lower-cased: one address, one account. */
    email: text("email").notNull().unique(),
    emailConfirmedAt: moment("email_confirmed_at"),
    /**
     * `scrypt$N$r$p$salt$hash`, parameters included so that they can be raised later; `NO_PASSWORD` for who signs in
     * otherwise.
     */
    passwordHash: text("password_hash").notNull(),
    riotGameName: text("riot_game_name"),
    riotTagLine: text("riot_tag_line"),
    riotRegion: text("riot_region"),
    /** The verification's whole answer as JSON, as it was at sign-up. */
    riotAccountData: text("riot_account_data"),
    createdAt: moment("created_at").notNull(),
    /** When e-mail to this address was last given up or refused for good; null while it arrives. */
    emailFailedAt: moment("email_failed_at"),
    /** Since when nobody gets in any more; operators set and clear it. */
    suspendedAt: moment("suspended_at"),
    suspendedReason: text("suspended_reason"),
    /** IANA name of the zone of the browser they last used: the zone of e-mails where the profile names none. */
    timeZone: text("time_zone"),
    /** When the account is erased, unless its player comes back before. */
    deletionDueAt: moment("deletion_due_at"),
  },
  (table) => [
    index("users_to_delete").on(table.deletionDueAt).where(sql`deletion_due_at IS NOT NULL`),
    check("users_email_length", sql`length(email) BETWEEN 3 AND 254`),
  ],
);

/** Stands in `password_hash` where there is no password, as Django's unusable passwords do: no hash looks like it. */
export const NO_PASSWORD = "!";

/** A signed-in device. The id is the SHA-256 of the token in the cookie: a stolen table opens no session. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent"),
    /** Roughly where it was opened, as Cloudflare tells it: "Berlin, DE". */
    place: text("place"),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    /** The last visit, to within a few minutes; null before the second. */
    lastSeenAt: moment("last_seen_at"),
    /** When the player last proved who they are; null while that was when the session began. */
    authenticatedAt: moment("authenticated_at"),
  },
  (table) => [
    index("sessions_newest").on(table.userId, sql`created_at DESC`),
    index("sessions_by_expiry").on(table.expiresAt),
  ],
);

/** What a provider said of someone who signs up with it. */
export interface PendingIdentity {
  provider: "discord" | "riot";
  subject: string;
  name: string;
  /** Whether the provider vouches for the e-mail address. */
  emailVerified: boolean;
}

/** A sign-up between its two steps. The browser holds only the token whose SHA-256 is the id. */
export const pendingSignups = sqliteTable(
  "pending_signups",
  {
    id: text("id").primaryKey(),
    /** The id the account will have: a doubled `Complete Signup` can't make two. */
    userId: text("user_id").notNull(),
    email: text("email").notNull(),
    passwordHash: text("password_hash").notNull(),
    /** What stands in the fields of step 2, verified or not. */
    gameName: text("game_name"),
    tagLine: text("tag_line"),
    region: text("region"),
    /** The account found at Riot, as JSON; null until `Verify` has found one. */
    accountData: text("account_data"),
    /** The account elsewhere that the sign-up began with, to be linked at its end; null where it began with a password. */
    identity: text("identity", { mode: "json" }).$type<PendingIdentity>(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("pending_signups_by_expiry").on(table.expiresAt)],
);

/** E-mail to send: written in the same batch as what caused it, sent after the response, retried by the cron. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    /** Null once the e-mail was sent or given up: it may hold a link that opens an account. */
    body: text("body"),
    /** The same as HTML; null as `body` is. */
    html: text("html"),
    createdAt: moment("created_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When to try (again); null when there is nothing left to try. */
    dueAt: moment("due_at"),
    /** When there is no use in it any more, its code being too old; null where it is never too late. */
    expiresAt: moment("expires_at"),
    sentAt: moment("sent_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("outbox_due").on(table.dueAt).where(sql`due_at IS NOT NULL`),
    index("outbox_by_age").on(table.createdAt),
    index("outbox_by_recipient").on(table.recipient),
  ],
);

/** Counters of the rate limits in `app/platform/limits/rate-limit.server.ts`: one row per rule and subject. */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    windowEndsAt: moment("window_ends_at").notNull(),
  },
  (table) => [index("rate_limits_by_end").on(table.windowEndsAt)],
);
