import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasSecondFactor } from "#db/accounts";
import type { Database } from "#db/client";
import { auditLog, type IdentityProvider, identities, NO_PASSWORD, sessions, users } from "#db/schema";
import { auditActions } from "#db/sql";
import type { AuditEntry } from "~/platform/audit.server";

const u = alias(users, "u");

/** The highest number of sessions counted. */
const MAX_SESSIONS_COUNTED = 100;
/** How many of the latest audit log entries are searched for the last password change. */
const SEARCHED_ENTRIES = 200;
/** The number of entries in the overview. */
const EVENTS_SHOWN = 5;

/** The state of an account's security. */
interface SecurityOverview {
  hasPassword: boolean;
  /** Milliseconds since 1970; null if it was never changed, or was last changed before the searched entries. */
  passwordChangedAt: number | null;
  hasTwoFactor: boolean;
  /** At most `MAX_SESSIONS_COUNTED`. */
  sessions: number;
  identities: { provider: IdentityProvider; name: string }[];
}

/** An entry of the account's audit log. */
type SecurityEvent = Pick<AuditEntry, "actor" | "details"> & {
  id: string;
  /** An `AuditAction`, or one from another release. */
  action: string;
  /** Milliseconds since 1970. */
  createdAt: number;
};

/**
 * Reads the state of an account's security; undefined if the account is deleted. The cost doesn't depend on the length
 * of the account's history.
 */
export async function findSecurityOverview(
  db: Database,
  userId: string,
  now: Date,
): Promise<SecurityOverview | undefined> {
  const [row] = await db.all<{
    hasPassword: number;
    passwordChangedAt: number | null;
    hasTwoFactor: number;
    sessions: number;
    identities: string;
  }>(sql`
    SELECT ${u.passwordHash} <> ${NO_PASSWORD} AS hasPassword,
      (SELECT max(created_at) FROM (
        SELECT ${auditLog.action}, ${auditLog.createdAt} FROM ${auditLog} WHERE ${auditLog.userId} = ${u.id}
          ORDER BY ${auditLog.id} DESC LIMIT ${SEARCHED_ENTRIES}
      ) WHERE action IN (${auditActions("password-changed", "password-reset")})) AS passwordChangedAt,
      ${hasSecondFactor(sql`${u.id}`)} AS hasTwoFactor,
      (SELECT count(*) FROM (
        SELECT 1 FROM ${sessions} WHERE ${sessions.userId} = ${u.id} AND ${sessions.expiresAt} > ${now.getTime()}
          LIMIT ${MAX_SESSIONS_COUNTED}
      )) AS sessions,
      (SELECT json_group_array(json_object('provider', ${identities.provider}, 'name', ${identities.name}))
        FROM ${identities} WHERE ${identities.userId} = ${u.id}) AS identities
    FROM ${users} AS ${u} WHERE ${u.id} = ${userId}`);
  return (
    row && {
      hasPassword: row.hasPassword === 1,
      passwordChangedAt: row.passwordChangedAt,
      hasTwoFactor: row.hasTwoFactor === 1,
      sessions: row.sessions,
      identities: JSON.parse(row.identities),
    }
  );
}

/** Lists the latest entries of an account's audit log, newest first. */
export async function listSecurityEvents(db: Database, userId: string): Promise<SecurityEvent[]> {
  const rows = await db.all<Omit<SecurityEvent, "details"> & { details: string | null }>(sql`
    SELECT ${auditLog.id}, ${auditLog.actor}, ${auditLog.action}, ${auditLog.details},
      ${auditLog.createdAt} AS createdAt FROM ${auditLog}
    WHERE ${auditLog.userId} = ${userId} ORDER BY ${auditLog.id} DESC LIMIT ${EVENTS_SHOWN}`);
  return rows.map(({ details, ...row }) => ({ ...row, ...(details && { details: JSON.parse(details) }) }));
}
