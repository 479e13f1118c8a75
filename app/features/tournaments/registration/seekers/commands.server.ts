import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentSeekers, tournaments } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { noteUnlessHidden } from "~/features/players/shared/hide-player.server";
import type { Role } from "~/game/roles";
import { isFree, mayPlay } from "../conditions.server";
import { type Eligibility, readObstacle } from "../register.server";
import type { Ineligibility } from "../rules";

const eligible = alias(profiles, "eligible");
const t = alias(tournaments, "t");

type SeekOutcome =
  | { outcome: "listed" }
  | { outcome: "missing" }
  | { outcome: "not-open" }
  /** Everyone plays alone. */
  | { outcome: "alone" }
  | { outcome: "has-team" }
  | ({ outcome: "obstacle" } & Ineligibility)
  | Limited;

/**
 * Puts a player on the list of players looking for a team, or changes their entry. A player whose messaging is limited
 * by moderators can't leave a note. A note whose words moderators have hidden is left out.
 */
export async function seekTeam(
  writing: Writing,
  wish: { tournamentId: string; userId: string; role: Role | null; note: string | null },
): Promise<SeekOutcome> {
  const { db } = writing;
  const now = writing.now.getTime();
  const { tournamentId, userId, role, note } = wish;
  const me = sql`${userId}`;
  const mayWrite = note === null ? sql`1` : sql`NOT ${isLimited(userId, "messaging", now)}`;
  const {
    found,
    limits,
    noteLimits = [],
  } = await transact(db, {
    list: db.run(sql`
      INSERT INTO ${tournamentSeekers} ${columnsOf(
        tournamentSeekers,
        "tournamentId",
        "userId",
        "role",
        "note",
        "createdAt",
      )}
      SELECT ${t.id}, ${userId}, ${role}, ${noteUnlessHidden(userId, note)}, ${now} FROM ${tournaments} AS ${t}
      WHERE ${t.id} = ${tournamentId} AND ${t.state} = 'open' AND ${t.hiddenAt} IS NULL AND ${t.teamSize} > 1
        AND ${mayPlay(me)} AND ${isFree(me)}
        AND NOT ${isLimited(userId, "joining", now)} AND ${mayWrite}
      ON CONFLICT ${columnsOf(tournamentSeekers, "tournamentId", "userId")} DO UPDATE
        SET ${bare(tournamentSeekers.role)} = excluded.${bare(tournamentSeekers.role)},
        ${bare(tournamentSeekers.note)} = excluded.${bare(tournamentSeekers.note)}`),
    flag: note === null ? undefined : raiseFlags(writing, { kind: "player", id: userId }, { searches: note }, userId),
    limits: readLimit(db, userId, "joining", now),
    noteLimits: note === null ? undefined : readLimit(db, userId, "messaging", now),
    found: db.all<Eligibility & Pick<typeof tournaments.$inferSelect, "state" | "teamSize"> & { isFree: number }>(sql`
      SELECT ${t.state} AS state, ${t.teamSize} AS teamSize, ${t.minRank} AS minRank, ${t.maxRank} AS maxRank,
        ${eligible.riotVerifiedAt} AS verifiedAt, ${eligible.currentRank} AS rank, ${isFree(me)} AS isFree
      FROM ${tournaments} AS ${t} LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${userId}
      WHERE ${t.id} = ${tournamentId} AND ${t.hiddenAt} IS NULL`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  if (row.state !== "open") return { outcome: "not-open" };
  if (row.teamSize === 1) return { outcome: "alone" };
  if (!row.isFree) return { outcome: "has-team" };
  const limited = limitedBy([...limits, ...noteLimits]);
  if (limited) return limited;
  const obstacle = readObstacle(row);
  return obstacle ? { outcome: "obstacle", ...obstacle } : { outcome: "listed" };
}

/** Takes a player off the list of players looking for a team. @returns whether they were on it */
export async function stopSeeking(
  db: Database,
  { tournamentId, userId }: { tournamentId: string; userId: string },
): Promise<boolean> {
  const { rowsAffected } = await db.run(sql`DELETE FROM ${tournamentSeekers}
    WHERE ${tournamentSeekers.tournamentId} = ${tournamentId} AND ${tournamentSeekers.userId} = ${userId}`);
  return rowsAffected > 0;
}
