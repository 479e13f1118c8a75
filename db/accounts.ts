import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { NO_PASSWORD, users } from "./schema";

/*
 * SQL fragments about accounts that several features use.
 *
 * A suspension ends on time for sessions and players' commands, which ask `isSuspended`. Its mark on the account stays
 * until the cron has lifted it, a few minutes later. Lists and public pages ask only for the mark (`isMarkedSuspended`,
 * `staysOpen`), so the player is missing there for these minutes.
 */

/**
 * Whether an account has a confirmed second factor.
 * @param userId the account's id, or the column that holds it
 */
export const hasSecondFactor = (userId: SQL | string): SQL =>
  sql`EXISTS (SELECT 1 FROM totp_factors AS factor WHERE factor.user_id = ${userId} AND factor.confirmed_at IS NOT NULL)`;

/**
 * Whether an account is suspended or banned at a moment; never NULL. A suspension has no effect after its end, even
 * before the cron job lifts it.
 * @param account the query's name for `users`
 */
export const isSuspended = (
  now: Date,
  account: { suspendedAt: SQLiteColumn; suspendedUntil: SQLiteColumn } = users,
): SQL<number> =>
  sql`(${account.suspendedAt} IS NOT NULL
    AND (${account.suspendedUntil} IS NULL OR ${account.suspendedUntil} > ${now.getTime()}))`;

/**
 * SQL condition that an account is marked as suspended or banned. A suspension that has ended counts until the cron has
 * lifted it.
 * @param account `users`, or an alias of it
 */
export const isMarkedSuspended = ({ suspendedAt }: Record<"suspendedAt", SQLWrapper>): SQL =>
  sql`(${suspendedAt} IS NOT NULL)`;

/** Whether an account has a password; for statements over `users`. */
export const passwordIsSet = sql<boolean>`${users.passwordHash} <> ${NO_PASSWORD}`.mapWith(Boolean);

/**
 * SQL condition that an account is neither marked as suspended nor due for deletion.
 * @param account `users`, or an alias of it
 */
export const staysOpen = ({ suspendedAt, deletionDueAt }: Record<"suspendedAt" | "deletionDueAt", SQLWrapper>): SQL =>
  sql`(${suspendedAt} IS NULL AND ${deletionDueAt} IS NULL)`;
