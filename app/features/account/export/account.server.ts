import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { passwordIsSet } from "#db/accounts";
import type { Database } from "#db/client";
import { auditLog, identities, sessions, totpFactors, users } from "#db/schema";
import { PAGE_SIZE, paginate } from "./pages.server";

export function findAccount(db: Database, userId: string) {
  const { passwordHash: _, riotAccountData, ...columns } = getTableColumns(users);
  return db
    .select({
      ...columns,
      hasPassword: passwordIsSet,
      riotAccount: sql`${riotAccountData}`.mapWith((json: string) => JSON.parse(json)),
    })
    .from(users)
    .where(eq(users.id, userId))
    .get();
}

export function findTwoFactor(db: Database, userId: string) {
  const { createdAt, confirmedAt } = totpFactors;
  return db.select({ createdAt, confirmedAt }).from(totpFactors).where(eq(totpFactors.userId, userId)).get();
}

export async function* listIdentities(db: Database, userId: string) {
  const { provider, subject, name, createdAt } = identities;
  yield* await db.select({ provider, subject, name, createdAt }).from(identities).where(eq(identities.userId, userId));
}

/** Exports the latest sessions, without their ids, which are hashes of session tokens. */
export async function* listSessions(db: Database, userId: string) {
  const { id: _, userId: __, ...columns } = getTableColumns(sessions);
  const ofPlayer = eq(sessions.userId, userId);
  yield* await db.select(columns).from(sessions).where(ofPlayer).orderBy(desc(sessions.createdAt)).limit(PAGE_SIZE);
}

/** Exports the account's audit log. */
export async function* listChanges(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(auditLog);
  yield* paginate<{ id: string }>((last) =>
    db
      .select(columns)
      .from(auditLog)
      .where(and(eq(auditLog.userId, userId), last && lt(auditLog.id, last.id)))
      .orderBy(desc(auditLog.id))
      .limit(PAGE_SIZE),
  );
}
