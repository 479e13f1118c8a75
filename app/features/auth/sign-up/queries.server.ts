import { and, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { pendingSignups } from "#db/schema";
import type { RiotAccountData } from "~/features/riot/rules";
import { parseRiotAccount } from "~/features/riot/schema";

export type PendingSignup = Omit<typeof pendingSignups.$inferSelect, "accountData" | "expiresAt"> & {
  /** The account found at Riot for the entered values; null if none was found yet. */
  accountData: RiotAccountData | null;
  /** The player who already has this email address; null if nobody does. */
  ownerId: string | null;
  /** Whether another player holds the Riot account in `accountData`. */
  isHeld: boolean;
};

/**
 * Finds the pending sign-up with the given `id` (the hash of the browser's token); null if it is missing or expired.
 */
export async function findPendingSignup(db: Database, id: string, now: Date): Promise<PendingSignup | null> {
  const row = await db
    .select({
      ...getTableColumns(pendingSignups),
      // Table names are written out: with one table in FROM, Drizzle omits them, and `email = email` would be true for
      // everyone.
      ownerId: sql<string | null>`(SELECT owner.id FROM users AS owner WHERE owner.email = pending_signups.email)`,
      isHeld: sql<number>`EXISTS (SELECT 1 FROM profiles AS holder
        WHERE holder.riot_puuid = json_extract(pending_signups.account_data, '$.puuid')
          AND holder.user_id <> pending_signups.user_id)`,
    })
    .from(pendingSignups)
    .where(and(eq(pendingSignups.id, id), gt(pendingSignups.expiresAt, now)))
    .get();
  return row ? { ...row, accountData: parseRiotAccount(row.accountData), isHeld: row.isHeld === 1 } : null;
}
