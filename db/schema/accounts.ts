import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { STAFF_ROLES } from "../words/staff-roles";
import { id, moment, oneOf } from "./columns";

/** An account: its credentials, and the answers given at sign-up. */
export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Trimmed and lower-cased, so that each address has at most one account. */
    email: text("email").notNull().unique(),
    emailConfirmedAt: moment("email_confirmed_at"),
    /**
     * `scrypt$N$r$p$salt$hash`: the parameters are stored so that they can be raised later. `NO_PASSWORD` for an
     * account without a password.
     */
    passwordHash: text("password_hash").notNull(),
    riotGameName: text("riot_game_name"),
    riotTagLine: text("riot_tag_line"),
    riotRegion: text("riot_region"),
    /** The complete verification response as JSON, as received at sign-up. */
    riotAccountData: text("riot_account_data"),
    createdAt: moment("created_at").notNull(),
    /** When a provider last refused this address for good; null once it accepts an email to it. */
    emailFailedAt: moment("email_failed_at"),
    /**
     * Start of a suspension or ban, during which a sign-in opens nothing but the player's decisions, export and
     * deletion.
     */
    suspendedAt: moment("suspended_at"),
    /** When the suspension ends by itself; null for a ban, which lasts until it is lifted. */
    suspendedUntil: moment("suspended_until"),
    suspendedReason: text("suspended_reason"),
    /** Granted by operators; null for players. */
    role: text("role", { enum: STAFF_ROLES }),
    /** IANA time zone of the browser last used; emails use it where the profile names no zone. */
    timeZone: text("time_zone"),
    /** When the account will be erased, unless its player cancels the deletion first. */
    deletionDueAt: moment("deletion_due_at"),
    /**
     * Browsers whose last sign-in is older than this are strangers (`app/platform/session/known-browser.server.ts`);
     * null if no browser has been revoked yet.
     */
    browsersKnownSince: moment("browsers_known_since"),
    /**
     * When unread notifications were last emailed to the player; null if never, or if the player has been back since.
     */
    newsEmailedAt: moment("news_emailed_at"),
  },
  (table) => [
    index("users_to_delete").on(table.deletionDueAt).where(sql`deletion_due_at IS NOT NULL`),
    index("users_suspended_until").on(table.suspendedUntil).where(sql`suspended_until IS NOT NULL`),
    index("users_staff").on(table.role).where(sql`role IS NOT NULL`),
    check("users_role", oneOf(table.role, STAFF_ROLES)),
    check("users_email_length", sql`length(email) BETWEEN 3 AND 254`),
  ],
);

/**
 * Stored in `password_hash` of an account without a password, like Django's unusable passwords: it is not a valid hash.
 */
export const NO_PASSWORD = "!";

/** A signed-in device. The id is the SHA-256 of the token in the cookie, so that a stolen table opens no session. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent"),
    /** Approximate place of the sign-in as Cloudflare reports it: "Berlin, DE". */
    place: text("place"),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    /** The last visit, to within a few minutes; null until the second visit. */
    lastSeenAt: moment("last_seen_at"),
    /** When the player last authenticated; null if that was when the session began. */
    authenticatedAt: moment("authenticated_at"),
  },
  (table) => [
    index("sessions_newest").on(table.userId, sql`created_at DESC`),
    index("sessions_by_expiry").on(table.expiresAt),
  ],
);

/** The data that an identity provider supplied about someone who signs up with it. */
export interface PendingIdentity {
  provider: "discord" | "riot";
  subject: string;
  name: string;
  /** Whether the provider has verified the email address. */
  emailVerified: boolean;
}

/** A sign-up between its two steps. The browser holds only the token whose SHA-256 is the id. */
export const pendingSignups = sqliteTable(
  "pending_signups",
  {
    id: text("id").primaryKey(),
    /** The id that the account will have, so that submitting `Complete Signup` twice can't create two accounts. */
    userId: text("user_id").notNull(),
    email: text("email").notNull(),
    passwordHash: text("password_hash").notNull(),
    /** The values of the fields of step 2, verified or not. */
    gameName: text("game_name"),
    tagLine: text("tag_line"),
    region: text("region"),
    /** The account found at Riot, as JSON; null until `Verify` has found one. */
    accountData: text("account_data"),
    /**
     * The provider account that the sign-up began with, linked when it completes; null for a sign-up with a password.
     */
    identity: text("identity", { mode: "json" }).$type<PendingIdentity>(),
    /** When the limits on emails will allow the confirmation email that they held back; null if none is held back. */
    emailWaitsUntil: moment("email_waits_until"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("pending_signups_by_expiry").on(table.expiresAt)],
);

/** Email to send: written in the same batch as its cause, sent after the response, retried by the cron. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    /**
     * Encrypted by `app/platform/email/outbox.server.ts`, because it may hold a link that opens an account. Null once
     * the email has been sent or given up.
     */
    body: text("body"),
    /** The same as HTML, encrypted; null whenever `body` is. */
    html: text("html"),
    /** The URL of its one-click unsubscribe (RFC 8058), encrypted; null for an email that can't be turned off. */
    unsubscribeUrl: text("unsubscribe_url"),
    createdAt: moment("created_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When to try next; null when no attempt is left. */
    dueAt: moment("due_at"),
    /** When the email is no longer worth sending because its code has expired; null if it never becomes useless. */
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

/**
 * Counters of the rate limits and attempts in `app/platform/limits`, one row per key. The cron job's last run is a row,
 * too (`app/platform/last-run.server.ts`).
 */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    windowEndsAt: moment("window_ends_at").notNull(),
  },
  (table) => [index("rate_limits_by_end").on(table.windowEndsAt)],
);
