import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { AUDIT_ACTIONS } from "../words/audit-actions";
import { users } from "./accounts";
import { id, moment, oneOf } from "./columns";

/** The purposes of an emailed code or link. A code or link is accepted only for its own purpose. */
export const VERIFICATION_PURPOSES = [
  "confirm-email",
  "change-email",
  "reset-password",
  "sign-in",
  "reauthenticate",
] as const;

export type VerificationPurpose = (typeof VERIFICATION_PURPOSES)[number];

/**
 * An emailed code and its link: 10 minutes, 5 tries, one use. See `app/features/auth/codes/verification.server.ts`.
 */
export const verifications = sqliteTable(
  "verifications",
  {
    /** SHA-256 of the token in the requesting browser's cookie: the code works only there. */
    id: text("id").primaryKey(),
    /** SHA-256 of the token in the link, which works in any browser. */
    linkHash: text("link_hash").notNull().unique(),
    /**
     * HMAC-SHA256 of id and code: with a stolen table, a plain hash of six digits could be reversed by trying them all.
     */
    codeHash: text("code_hash").notNull(),
    purpose: text("purpose", { enum: VERIFICATION_PURPOSES }).notNull(),
    /** Null if no account has the address: the row is written anyway, so that both cases cost the same. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The address that the code proves. */
    email: text("email").notNull(),
    /** The path to redirect to afterwards; always on this site. */
    redirectTo: text("redirect_to"),
    tries: integer("tries").notNull().default(0),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [
    index("verifications_by_user").on(table.userId).where(sql`user_id IS NOT NULL`),
    index("verifications_by_expiry").on(table.expiresAt),
    check("verifications_purpose", oneOf(table.purpose, VERIFICATION_PURPOSES)),
  ],
);

/**
 * A sign-in that has passed its first step (a password, an emailed code or a linked account) and still needs the second
 * factor. The id is the SHA-256 of a cookie's token.
 */
export const pendingSignIns = sqliteTable(
  "pending_sign_ins",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tries: integer("tries").notNull().default(0),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("pending_sign_ins_by_user").on(table.userId),
    index("pending_sign_ins_by_expiry").on(table.expiresAt),
  ],
);

/** A player's authenticator app (RFC 6238). Not required at sign-in until confirmed. */
export const totpFactors = sqliteTable("totp_factors", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Encrypted: see `app/platform/crypto/encryption.server.ts`. */
  secret: text("secret").notNull(),
  createdAt: moment("created_at").notNull(),
  confirmedAt: moment("confirmed_at"),
  /** The 30-second step of the last accepted code: no code is accepted twice. */
  lastStep: integer("last_step").notNull().default(0),
});

/** A code that replaces a lost authenticator. Each works once. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: text("code_hash").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [unique("recovery_codes_once").on(table.userId, table.codeHash)],
);

/** A browser that may skip the second factor for a while. The id is the SHA-256 of its cookie's token. */
export const trustedDevices = sqliteTable(
  "trusted_devices",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    userAgent: text("user_agent"),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("trusted_devices_by_user").on(table.userId, table.expiresAt),
    index("trusted_devices_by_expiry").on(table.expiresAt),
  ],
);

export const IDENTITY_PROVIDERS = ["discord", "riot"] as const;
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

/** An account at a provider that a player has proven to be theirs, and may sign in with. */
export const identities = sqliteTable(
  "identities",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text("provider", { enum: IDENTITY_PROVIDERS }).notNull(),
    /** The account's id at the provider. */
    subject: text("subject").notNull(),
    /** The account's name at the provider, for the player to recognise. */
    name: text("name").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    unique("identities_one_owner").on(table.provider, table.subject),
    unique("identities_one_each").on(table.userId, table.provider),
    check("identities_provider", oneOf(table.provider, IDENTITY_PROVIDERS)),
  ],
);

export const AUDIT_ACTORS = ["player", "moderator", "operator", "system"] as const;

/**
 * The history of changes to accounts, with their actors. It has no foreign key, so that it outlives the account. It
 * holds no secret and no address.
 */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: id(),
    userId: text("user_id").notNull(),
    actor: text("actor", { enum: AUDIT_ACTORS }).notNull(),
    action: text("action", { enum: AUDIT_ACTIONS }).notNull(),
    details: text("details", { mode: "json" }).$type<Record<string, string | number | boolean | null>>(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("audit_log_by_user").on(table.userId, sql`id DESC`),
    index("audit_log_by_age").on(table.createdAt),
    check("audit_log_actor", oneOf(table.actor, AUDIT_ACTORS)),
  ],
);
