import { sql } from "drizzle-orm";
import { reportCases, users } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import type { StaffRole } from "#db/words/staff-roles";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { type ModerationActor, recordInModerationLog } from "../shared/log.server";
import { forgetStaffNews, resolveAdminNews } from "../shared/staff-news.server";

type CommandContext = Pick<RequestContext, "db" | "now">;

/**
 * Makes a player a moderator or an admin, replacing their current role.
 * @returns false if they already have the role
 */
export async function grantRole(
  { db, now }: CommandContext,
  actor: ModerationActor,
  playerId: string,
  role: StaffRole,
): Promise<boolean> {
  const isNew = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${playerId} AND ${users.role} IS NOT ${role})`;
  const entry = { action: "role-granted", details: { role } } as const;
  const { granted } = await transact(db, {
    audit: recordAuditIf(db, isNew, { userId: playerId, actor: "operator", ...entry }, now),
    log: recordInModerationLog(db, actor, { ...entry, playerId }, now, isNew),
    news: role === "moderator" ? resolveAdminNews(db, playerId, now, isNew) : undefined,
    granted: db.run(
      sql`UPDATE ${users} SET ${bare(users.role)} = ${role} WHERE ${users.id} = ${playerId} AND ${isNew}`,
    ),
  });
  return granted.rowsAffected > 0;
}

/**
 * Revokes a role. This takes effect immediately, because every moderation request and statement checks the role. The
 * player's assigned cases become unassigned, and their notifications about cases are deleted.
 * @returns false if the player doesn't have this role
 */
export async function revokeRole(
  { db, now }: CommandContext,
  actor: ModerationActor,
  playerId: string,
  role: StaffRole,
): Promise<boolean> {
  const isHeld = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${playerId} AND ${users.role} = ${role})`;
  const entry = { action: "role-revoked", details: { role } } as const;
  const { revoked } = await transact(db, {
    audit: recordAuditIf(db, isHeld, { userId: playerId, actor: "operator", ...entry }, now),
    log: recordInModerationLog(db, actor, { ...entry, playerId }, now, isHeld),
    cases: db.run(sql`UPDATE ${reportCases} SET ${bare(reportCases.assignedTo)} = NULL
      WHERE ${reportCases.state} = 'open' AND ${reportCases.assignedTo} = ${playerId} AND ${isHeld}`),
    news: forgetStaffNews(db, playerId, isHeld),
    revoked: db.run(sql`UPDATE ${users} SET ${bare(users.role)} = NULL
      WHERE ${users.id} = ${playerId} AND ${users.role} = ${role}`),
  });
  return revoked.rowsAffected > 0;
}
