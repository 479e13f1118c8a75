import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { passwordIsSet } from "#db/accounts";
import type { Database } from "#db/client";
import {
  auditLog,
  identities,
  outbox,
  presence,
  recoveryCodes,
  sessions,
  totpFactors,
  trustedDevices,
  users,
} from "#db/schema";
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
  const recoveryCodesLeft = db.$count(
    recoveryCodes,
    and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)),
  );
  return db
    .select({ createdAt, confirmedAt, recoveryCodesLeft })
    .from(totpFactors)
    .where(eq(totpFactors.userId, userId))
    .get();
}

/** Finds the player's presence (online, away or offline) as last published, and when they were last seen. */
export function findPresence(db: Database, userId: string) {
  const { state, seenAt } = presence;
  return db.select({ state, seenAt }).from(presence).where(eq(presence.userId, userId)).get();
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

/** Exports the browsers that skip the second factor, without their ids, which are hashes of cookies' tokens. */
export async function* listTrustedDevices(db: Database, userId: string) {
  const { userAgent, createdAt, expiresAt } = trustedDevices;
  const ofPlayer = eq(trustedDevices.userId, userId);
  yield* await db.select({ userAgent, createdAt, expiresAt }).from(trustedDevices).where(ofPlayer).limit(PAGE_SIZE);
}

/**
 * Exports the emails to the player's address if the player has confirmed it. They are read by row id, the order of the
 * index on the recipient. The subject of an email that wasn't sent is left out: it may name something that moderators
 * have hidden since.
 */
export async function* listEmails(db: Database, userId: string) {
  const { createdAt, sentAt } = outbox;
  const subject = sql<string | null>`iif(${sentAt} IS NULL, NULL, ${outbox.subject})`;
  const place = sql<number>`outbox.rowid`;
  const address = db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt)));
  const rows = paginate<{ place: number }>((last) =>
    db
      .select({ place, subject, createdAt, sentAt })
      .from(outbox)
      .where(and(eq(outbox.recipient, address), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE_SIZE),
  );
  for await (const { place: _, ...email } of rows) yield email;
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
