import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { auditLog } from "#db/schema";
import { columnsOf } from "#db/sql";
import type { AuditAction } from "#db/words/audit-actions";

export interface AuditEntry {
  /** The account's owner. */
  userId: string;
  actor: (typeof auditLog.$inferInsert)["actor"];
  action: AuditAction;
  /** Further facts; never a secret, a code or an address. */
  details?: Record<string, string | number | boolean | null>;
}

/** Builds the statement that records a change to an account; it belongs in the batch that makes the change. */
export function recordAudit(db: Database, entry: AuditEntry, now: Date) {
  return db.insert(auditLog).values({ id: uuidv7(now.getTime()), ...entry, createdAt: now });
}

/**
 * Builds the same statement for an account that a query finds; it records nothing if the query finds none.
 * @param who `SELECT … AS user_id`, which returns at most one player
 */
export function recordAuditOf(
  db: Database,
  who: SQL,
  { actor, action, details }: Omit<AuditEntry, "userId">,
  now: Date,
) {
  const at = now.getTime();
  return db.run(
    sql`INSERT INTO ${auditLog} ${columnsOf(auditLog, "id", "userId", "actor", "action", "details", "createdAt")}
      SELECT ${uuidv7(at)}, subject.user_id, ${actor}, ${action}, ${details ? JSON.stringify(details) : null}, ${at}
      FROM (${who}) AS subject`,
  );
}

/**
 * Builds the same statement, subject to a condition in the database. It must precede the recorded change in its batch.
 */
export function recordAuditIf(db: Database, condition: SQL, { userId, ...entry }: AuditEntry, now: Date) {
  return recordAuditOf(db, sql`SELECT ${userId} AS user_id WHERE ${condition}`, entry, now);
}
