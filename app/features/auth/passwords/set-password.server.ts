import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { users } from "#db/schema";

/**
 * The statement that gives an account another password if a condition holds when it runs. If it doesn't, the column refuses
 * its null, and with it the whole transaction is undone: nobody is signed out, told or confirmed by a change that came too
 * late (`isTooLate`).
 */
export const setPasswordIf = (db: Database, userId: string, passwordHash: string, condition: SQL) =>
  db
    .update(users)
    .set({ passwordHash: sql`CASE WHEN ${condition} THEN ${passwordHash} END` })
    .where(eq(users.id, userId));

/** Whether a transaction failed because the condition of `setPasswordIf` did not hold. Drizzle wraps SQLite's words. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof Error &&
  (/NOT NULL constraint failed: users\.password_hash/.test(error.message) || isTooLate(error.cause));
