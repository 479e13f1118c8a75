import { eq } from "drizzle-orm";
import { users } from "#db/schema";
import { transact } from "#db/statements";
import { type Doer, logDeed } from "~/features/moderation/shared/log.server";
import { recordAudit } from "~/platform/audit.server";
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
