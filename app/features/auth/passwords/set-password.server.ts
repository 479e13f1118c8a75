import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { users } from "#db/schema";
import { failsWith } from "~/platform/database";

/**
 * Builds the statement that sets an account's password if a condition holds when it runs. Otherwise the column's NOT
 * NULL constraint fails, which rolls back the whole transaction: a change that comes too late (`isTooLate`) must not
 * sign out, notify or confirm anyone.
 */
export const setPasswordIf = (db: Database, userId: string, passwordHash: string, condition: SQL) =>
  db
    .update(users)
    .set({ passwordHash: sql`CASE WHEN ${condition} THEN ${passwordHash} END` })
    .where(eq(users.id, userId));

/** Whether a transaction failed because the condition of `setPasswordIf` did not hold. */
export const isTooLate = (error: unknown): boolean =>
  failsWith(error, /NOT NULL constraint failed: users\.password_hash/);
