import { uuidv7 } from "../../db/ids";
import { profiles, users } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import type { TestDatabase } from "./database";
import { quickHash } from "./passwords";

export interface Account {
  id: string;
  email: string;
}

/** The columns of a new account and its profile that a test can set. */
export type AccountFields = Partial<typeof profiles.$inferInsert> & { email?: string; emailConfirmedAt?: Date | null };

const passwordHash = quickHash(PASSWORD);

/** Adds an account to the database, by default a confirmed one. Its password is that of the seeded worlds. */
export async function addAccount(
  db: TestDatabase,
  { email, emailConfirmedAt = new Date(), ...profile }: AccountFields & { email: string },
): Promise<Account> {
  const id = uuidv7();
  const now = new Date();
  await db.batch([
    db.insert(users).values({ id, email, emailConfirmedAt, passwordHash, createdAt: now }),
    db.insert(profiles).values({ updatedAt: now, ...profile, userId: id }),
  ]);
  return { id, email };
}
