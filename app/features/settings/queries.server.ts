import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasSecondFactor } from "#db/accounts";
import type { Database } from "#db/client";
import { auditLog, type IdentityProvider, identities, NO_PASSWORD, sessions, users } from "#db/schema";
import type { AuditEntry } from "~/platform/audit.server";

const u = alias(users, "u");

/** Sessions are counted to here. */
const COUNTED = 100;
/** The account's latest entries in the audit log, among which the last change of the password is looked for. */
const LOOKED_AT = 200;
/** Entries that the overview shows. */
const EVENTS_SHOWN = 5;

/** How well an account is guarded. */
interface SecurityOverview {
  hasPassword: boolean;
  /** Milliseconds since 1970; null when it is the first one still, or was changed long ago. */
  passwordChangedAt: number | null;
  hasTwoFactor: boolean;
  /** At most `COUNTED`. */
  sessions: number;
  identities: { provider: IdentityProvider; name: string }[];
}

/** What was done to an account lately, as the audit log holds it. */
type SecurityEvent = Pick<AuditEntry, "actor" | "details"> & {
  id: string;
  /** An `AuditAction`, or one of another release. */
  action: string;
  /** Milliseconds since 1970. */
  createdAt: number;
};

/** How an account is guarded; undefined when it is gone. Costs the same however long its history is. */
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
          ORDER BY ${auditLog.id} DESC LIMIT ${LOOKED_AT}
      ) WHERE action IN ('password-changed', 'password-reset')) AS passwordChangedAt,
      ${hasSecondFactor(sql`${u.id}`)} AS hasTwoFactor,
      (SELECT count(*) FROM (
        SELECT 1 FROM ${sessions} WHERE ${sessions.userId} = ${u.id} AND ${sessions.expiresAt} > ${now.getTime()}
          LIMIT ${COUNTED}
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

/** What was done to an account lately, the latest first. */
export async function listSecurityEvents(db: Database, userId: string): Promise<SecurityEvent[]> {
  const rows = await db.all<Omit<SecurityEvent, "details"> & { details: string | null }>(sql`
    SELECT ${auditLog.id}, ${auditLog.actor}, ${auditLog.action}, ${auditLog.details},
      ${auditLog.createdAt} AS createdAt FROM ${auditLog}
    WHERE ${auditLog.userId} = ${userId} ORDER BY ${auditLog.id} DESC LIMIT ${EVENTS_SHOWN}`);
  return rows.map(({ details, ...row }) => ({ ...row, ...(details && { details: JSON.parse(details) }) }));
}
