import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { users } from "#db/schema";
import { transact } from "#db/statements";
import { type Doer, logDeed } from "~/features/moderation/shared/log.server";
import { recordAudit, recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { deactivateAccount } from "./deactivation.server";

type Pieces = Pick<RequestContext, "db" | "now">;

/**
 * Suspends an account: ends its sessions, closes its open posts, and blocks further sign-ins.
 * @param reason for operators. No page shows it, but the export of the player's data includes it, because the player
 * has a right to it
 */
export async function suspendAccount({ db, now }: Pieces, userId: string, reason: string, doer: Doer): Promise<void> {
  const entry = { action: "suspended", details: { reason } } as const;
  await transact(db, {
    suspend: db.update(users).set({ suspendedAt: now, suspendedReason: reason }).where(eq(users.id, userId)),
    deactivate: deactivateAccount(db, userId, now),
    audit: recordAudit(db, { userId, actor: "operator", ...entry }, now),
    log: logDeed(db, doer, { ...entry, playerId: userId }, now),
  });
}

/** Lifts an account's suspension. Its closed posts stay closed. */
export async function unsuspendAccount({ db, now }: Pieces, userId: string, doer: Doer): Promise<void> {
  await transact(db, {
    unsuspend: db
      .update(users)
      .set({ suspendedAt: null, suspendedUntil: null, suspendedReason: null })
      .where(eq(users.id, userId)),
    audit: recordAudit(db, { userId, actor: "operator", action: "unsuspended" }, now),
    log: logDeed(db, doer, { action: "unsuspended", playerId: userId }, now),
  });
}

/**
 * Lifts suspensions whose end has come; called by the cron job. Sign-in and sessions don't wait for it.
 * @param limit the most accounts in one run
 */
export async function liftEndedSuspensions(db: Database, now: Date, limit: number): Promise<void> {
  const ended = await db.select({ id: users.id }).from(users).where(lte(users.suspendedUntil, now)).limit(limit);
  const ids = ended.map(({ id }) => id);
  if (ids.length === 0) return;
  await transact(db, {
    audits: ids.map((id) =>
      recordAuditIf(
        db,
        sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id}
        AND ${users.suspendedUntil} <= ${now.getTime()})`,
        { userId: id, actor: "system", action: "unsuspended" },
        now,
      ),
    ),
    lift: db
      .update(users)
      .set({ suspendedAt: null, suspendedUntil: null, suspendedReason: null })
      .where(and(inArray(users.id, ids), lte(users.suspendedUntil, now))),
  });
}
