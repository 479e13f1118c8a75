import { not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import { sessions, users } from "#db/schema";
import { RECENT_SIGN_IN } from "./lifetime";
import type { SessionClaim } from "./viewer";

const holder = alias(users, "holder");
const open = alias(sessions, "open");

/**
 * SQL condition that a claimed session is open, for a statement that is sent together with the session check instead of
 * after it.
 * @param further another condition, on `sessions AS open` and `users AS holder`; by default, that the account is not
 *   suspended
 */
export const isSessionOpen = (
  { userId, sessionId }: SessionClaim,
  now: Date,
  further: SQL = not(isSuspended(now, holder)),
): SQL => sql`EXISTS (
  SELECT 1 FROM ${sessions} AS ${open} JOIN ${users} AS ${holder} ON ${holder.id} = ${open.userId}
  WHERE ${open.id} = ${sessionId} AND ${open.userId} = ${userId} AND ${open.expiresAt} > ${now.getTime()}
    AND ${further}
)`;

/** Like `isSessionOpen`, but also true for a suspended player's session. */
export const isRestrictedSessionOpen = (claim: SessionClaim, now: Date): SQL => isSessionOpen(claim, now, sql`1`);

/**
 * SQL condition that a claimed session is open and its player authenticated recently; the equivalent of `isRecent`.
 * @param further as for `isSessionOpen`
 */
export const isSessionRecent = (claim: SessionClaim, now: Date, further: SQL = not(isSuspended(now, holder))): SQL =>
  isSessionOpen(
    claim,
    now,
    sql`${further}
    AND coalesce(${open.authenticatedAt}, ${open.createdAt}) > ${now.getTime() - RECENT_SIGN_IN}`,
  );
