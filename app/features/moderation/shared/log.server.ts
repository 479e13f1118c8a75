import { is, SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasSecondFactor, isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { moderationLog, users } from "#db/schema";
import { columnsOf } from "#db/sql";
import type { LogAction } from "#db/words/log-actions";
import type { StaffRole } from "#db/words/staff-roles";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";

const staff = alias(users, "staff");

/** The acting person: a moderator or admin on the site, or an operator at the command line. */
export type ModerationActor = { userId: string } | { operator: string };

/** An actor's player id as SQL; null for operators. */
export const idOf = (actor: ModerationActor): SQL => ("userId" in actor ? sql`${actor.userId}` : sql`NULL`);

/** The name under which an actor is recorded, as SQL. */
export const recordedName = (actor: ModerationActor): SQL =>
  "userId" in actor
    ? sql`coalesce(${nameOf(sql`${actor.userId}`)}, ${UNKNOWN_PLAYER})`
    : sql`${`operator ${actor.operator}`}`;

/**
 * True for the accounts that may currently act as a moderator, or as an admin: they have the role and a second factor,
 * and aren't suspended.
 * @param account `users`, or the query's alias of it
 */
export const isActing = (
  account: Record<"id" | "role" | "suspendedAt" | "suspendedUntil", SQLiteColumn>,
  now: Date,
  role: StaffRole = "moderator",
): SQL => sql`(${role === "admin" ? sql`${account.role} = 'admin'` : sql`${account.role} IS NOT NULL`}
  AND NOT ${isSuspended(now, account)} AND ${hasSecondFactor(sql`${account.id}`)})`;

/**
 * Builds the condition that an actor may currently act as a moderator, or as an admin. An operator at the command line
 * always may.
 */
export function mayAct(actor: ModerationActor, now: Date, role: StaffRole = "moderator"): SQL {
  if (!("userId" in actor)) return sql`1`;
  return sql`EXISTS (
    SELECT 1 FROM ${users} AS ${staff}
    WHERE ${staff.id} = ${actor.userId} AND ${isActing(staff, now, role)}
  )`;
}

/** An action, as recorded in the moderation log. */
interface LoggedAction {
  action: LogAction;
  caseId?: string | SQL;
  decisionId?: string;
  /** The affected player. */
  playerId?: string | SQL;
  /**
   * Additional facts: an object, or SQL that yields a JSON object if only the database knows them. Never a secret or an
   * address.
   */
  details?: Record<string, string | number | boolean | null> | SQL;
}

/**
 * Builds the statement that records an action in the moderation log. It belongs in the action's own transaction.
 * @param condition SQL that is true if the action takes place; by default it always does
 */
export function recordInModerationLog(
  db: Database,
  actor: ModerationActor,
  logged: LoggedAction,
  now: Date,
  condition: SQL = sql`1`,
) {
  const at = now.getTime();
  const { action, caseId = null, decisionId = null, playerId = null, details } = logged;
  return db.run(sql`
    INSERT INTO ${moderationLog} ${columnsOf(
      moderationLog,
      "id",
      "actorId",
      "actor",
      "action",
      "caseId",
      "decisionId",
      "playerId",
      "details",
      "createdAt",
    )}
    SELECT ${uuidv7(at)}, ${idOf(actor)}, ${recordedName(actor)}, ${action}, ${caseId}, ${decisionId}, ${playerId},
      ${details && !is(details, SQL) ? JSON.stringify(details) : (details ?? null)}, ${at} WHERE ${condition}`);
}
