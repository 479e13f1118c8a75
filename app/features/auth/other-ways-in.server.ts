import { and, eq, ne } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "#db/client";
import { identities, pendingSignIns, recoveryCodes, sessions, totpFactors, trustedDevices } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto.server";
import { TRUSTED_DEVICE_COOKIE } from "./sign-in.server";
import { voidVerifications } from "./verification.server";

/** What a changed password leaves of this browser's own: the session, and that it is trusted. */
export interface Spared {
  sessionId: string;
}

/**
 * The sessions of a player, whose sockets are to be closed; without the one that is spared. Asked for just before the
 * batch that ends them, it leaves before it in the same pipeline.
 */
export async function listSessionIds(db: Database, userId: string, spared?: Spared): Promise<string[]> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, spared?.sessionId ?? "")))
    // Awaited bare, a query is only sent in the next microtask: after the batch.
    .all();
  return rows.map(({ id }) => id);
}

/**
 * The statements that take off an account what someone may have set up who signed up with an address that is not theirs:
 * its owner proves it for the first time, and nothing of before shall lead in.
 */
export const forgetUnproven = ({ db }: Pick<RequestContext, "db">, userId: string): BatchItem<"sqlite">[] => [
  db.delete(identities).where(eq(identities.userId, userId)),
  db.delete(totpFactors).where(eq(totpFactors.userId, userId)),
  db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
];

/**
 * The statements that shut everyone out of an account who got in with what has just been replaced: sessions, trusted
 * browsers, sign-ins half done, codes and links. The caller closes the sockets (`listSessionIds`, `closeSession`).
 * @param spared stays; left out, nothing does
 */
export function endOtherWaysIn(context: RequestContext, userId: string, spared?: Spared): BatchItem<"sqlite">[] {
  const { db, cookies } = context;
  const device = spared ? hashToken(cookies.get(TRUSTED_DEVICE_COOKIE) ?? "") : "";
  return [
    db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, spared?.sessionId ?? ""))),
    db.delete(trustedDevices).where(and(eq(trustedDevices.userId, userId), ne(trustedDevices.id, device))),
    db.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId)),
    voidVerifications(context, userId),
  ];
}
