import { and, asc, eq } from "drizzle-orm";
import { passwordIsSet } from "#db/accounts";
import type { Database } from "#db/client";
import { identities, users } from "#db/schema";
import { signInColumns } from "~/features/auth/shared/sign-in-account.server";
import type { RequestContext } from "~/platform/context";
import type { ProvenAccount } from "./providers.server";

/** Finds the player with a linked account, with all the columns that signing in needs; undefined if there is none. */
export function findLinkedPlayer(context: RequestContext, { provider, subject }: ProvenAccount) {
  return context.db
    .select({ ...signInColumns(context), emailConfirmedAt: users.emailConfirmedAt })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
    .get();
}

/** Whether an email address has an account already. */
export async function hasAccount(db: Database, email: string): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.email, email)).get()) !== undefined;
}

/** Lists a player's linked accounts, and whether they have a password. */
export async function listLinkedAccounts(db: Database, userId: string) {
  const [rows, player] = await Promise.all([
    db
      .select({ provider: identities.provider, name: identities.name, createdAt: identities.createdAt })
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(asc(identities.provider)),
    db.select({ hasPassword: passwordIsSet }).from(users).where(eq(users.id, userId)).get(),
  ]);
  return { accounts: rows, hasPassword: player?.hasPassword ?? false };
}
