import type { SQL } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { auditLog } from "#db/schema";
import { insertIf } from "#db/statements";

/** What is kept a record of: an account's own history, shown to its player and to operators. */
export type AuditAction =
  | "password-changed"
  | "password-reset"
  | "email-confirmed"
  | "email-changed"
  | "two-factor-enabled"
  | "two-factor-disabled"
  | "recovery-code-used"
  | "recovery-codes-renewed"
  | "sessions-ended"
  | "identity-linked"
  | "identity-unlinked"
  | "riot-claim-taken-over"
  | "data-exported"
  | "deletion-scheduled"
  | "deletion-cancelled"
  | "erased"
  | "suspended"
  | "unsuspended"
  | "reset-link-made";

export interface AuditEntry {
  /** Whose account. */
  userId: string;
  actor: (typeof auditLog.$inferInsert)["actor"];
  action: AuditAction;
  /** What else is worth knowing; never a secret, a code or an address. */
  details?: Record<string, string | number | boolean | null>;
}

/** The statement that records what was done to an account; it belongs in the batch that does it. */
export function recordAudit(db: Database, entry: AuditEntry, now: Date) {
  return db.insert(auditLog).values({ id: uuidv7(now.getTime()), ...entry, createdAt: now });
}

/** The same, on a condition that the database decides. */
export function recordAuditIf(db: Database, condition: SQL, entry: AuditEntry, now: Date) {
  return insertIf(db, auditLog, { id: uuidv7(now.getTime()), ...entry, createdAt: now }, condition);
}
