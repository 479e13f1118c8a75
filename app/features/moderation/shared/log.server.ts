import { is, SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasSecondFactor } from "#db/accounts";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { moderationLog, users } from "#db/schema";
import { columnsOf } from "#db/sql";
import type { LogAction } from "#db/words/log-actions";
import type { StaffRole } from "#db/words/staff-roles";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";

const staff = alias(users, "staff");

/** The doer of a deed: a moderator or admin on the site, or an operator at the command line. */
export type Doer = { userId: string } | { operator: string };

/** A doer's player id as SQL; null for operators. */
export const idOf = (doer: Doer): SQL => ("userId" in doer ? sql`${doer.userId}` : sql`NULL`);

/** The name under which a doer is recorded, as SQL. */
export const recordedName = (doer: Doer): SQL =>
  "userId" in doer
    ? sql`coalesce(${nameOf(sql`${doer.userId}`)}, ${UNKNOWN_PLAYER})`
    : sql`${`operator ${doer.operator}`}`;

/**
 * Builds the condition that a doer may act as a moderator at this moment, or as an admin: role, second factor and no
 * suspension. An operator at the command line always may.
 */
export function mayAct(doer: Doer, role: StaffRole = "moderator"): SQL {
  if (!("userId" in doer)) return sql`1`;
  return sql`EXISTS (
    SELECT 1 FROM ${users} AS ${staff}
    WHERE ${staff.id} = ${doer.userId} AND ${staff.suspendedAt} IS NULL AND ${hasSecondFactor(sql`${staff.id}`)}
      AND ${role === "admin" ? sql`${staff.role} = 'admin'` : sql`${staff.role} IS NOT NULL`}
  )`;
}

/** A deed as the moderation log records it. */
interface Deed {
  action: LogAction;
  caseId?: string | SQL;
  decisionId?: string;
  /** The player whom it concerns. */
  playerId?: string | SQL;
  /** Further facts, as SQL that yields a JSON object if only the database knows them; never a secret or an address. */
  details?: Record<string, string | number | boolean | null> | SQL;
}

/**
 * Builds the statement that records a deed in the moderation log; it belongs in the transaction of the deed.
 * @param condition decides, when the statement runs, whether the deed is done; by default it is
 */
export function logDeed(db: Database, doer: Doer, deed: Deed, now: Date, condition: SQL = sql`1`) {
  const at = now.getTime();
  const { action, caseId = null, decisionId = null, playerId = null, details } = deed;
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
    SELECT ${uuidv7(at)}, ${idOf(doer)}, ${recordedName(doer)}, ${action}, ${caseId}, ${decisionId}, ${playerId},
      ${details && !is(details, SQL) ? JSON.stringify(details) : (details ?? null)}, ${at} WHERE ${condition}`);
}
