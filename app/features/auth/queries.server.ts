import { and, eq, gt } from "drizzle-orm";
import type { Database } from "#db/client";
import { pendingSignups } from "#db/schema";
import { type RiotAccountData, riotAccountDataSchema } from "~/features/riot/schema";

export type PendingSignup = Omit<typeof pendingSignups.$inferSelect, "accountData" | "expiresAt"> & {
  /** The account found at Riot for the fields as they stand; null until one was. */
  accountData: RiotAccountData | null;
};

/** @returns the sign-up under way that `id` (the hash of the browser's token) names, or null */
export async function findPendingSignup(db: Database, id: string, now: Date): Promise<PendingSignup | null> {
  const row = await db
    .select()
    .from(pendingSignups)
    .where(and(eq(pendingSignups.id, id), gt(pendingSignups.expiresAt, now)))
    .get();
  if (!row) return null;
  const account = row.accountData ? riotAccountDataSchema.safeParse(JSON.parse(row.accountData)) : null;
  return { ...row, accountData: account?.success ? account.data : null };
}
