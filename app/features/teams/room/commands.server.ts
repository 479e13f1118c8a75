import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, teamDetails, teamReady } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { TeamDetail } from "#db/words/team-details";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { isInTeam, type TeamRef } from "./membership.server";

const own = alias(joinRequests, "own");
const p = alias(lfgPosts, "p");

/** The outcome of a change. */
type Changed =
  /** `conversationId` names the room that tells open tabs about the change. */
  | { outcome: "done"; conversationId: string }
  /** The team's session is over, so nothing changed. */
  | { outcome: "over" }
  /** The player isn't in the team, but has asked to join it at some time. */
  | { outcome: "left" }
  /** It is the player's own post, and everyone else has left its team. */
  | { outcome: "alone" }
  /** There is no such team, or the player has never asked to join it. */
  | { outcome: "missing" };

/** SQL condition: `p` is the team, its session isn't over, and the player is in it. */
const isPlaying = (team: TeamRef, userId: string): SQL =>
  sql`${p.id} = ${team} AND ${p.sessionEndedAt} IS NULL AND ${isInTeam(p, userId)}`;

/**
 * A team that a player is in or has asked to join. A player who has left and asks again has only the new request, which
 * doesn't say that they were in the team.
 */
interface FoundTeam {
  conversationId: string;
  isOver: number;
  isMember: number;
  isAuthor: number;
}

const findTeam = (db: Database, team: TeamRef, userId: string) =>
  db.all<FoundTeam>(sql`
    SELECT ${p.conversationId} AS conversationId, ${p.sessionEndedAt} IS NOT NULL AS isOver,
      ${isInTeam(p, userId)} AS isMember, ${p.userId} = ${userId} AS isAuthor
    FROM ${lfgPosts} AS ${p}
    WHERE ${p.id} = ${team} AND ${p.conversationId} IS NOT NULL AND (${p.userId} = ${userId} OR EXISTS (
      SELECT 1 FROM ${joinRequests} AS ${own} WHERE ${own.postId} = ${p.id} AND ${own.userId} = ${userId}
    ))`);

function outcomeOf([team]: FoundTeam[]): Changed {
  if (!team) return { outcome: "missing" };
  if (!team.isMember) return { outcome: team.isAuthor ? "alone" : "left" };
  return team.isOver ? { outcome: "over" } : { outcome: "done", conversationId: team.conversationId };
}

/** Marks a member as ready or not ready. Doing it twice has the same effect as doing it once. */
export async function setReady(
  db: Database,
  team: TeamRef,
  userId: string,
  isReady: boolean,
  now: number,
): Promise<Changed> {
  const { found } = await transact(db, {
    change: isReady
      ? db.run(sql`
          INSERT INTO ${teamReady} ${columnsOf(teamReady, "postId", "userId", "readyAt")}
          SELECT ${p.id}, ${userId}, ${now} FROM ${lfgPosts} AS ${p} WHERE ${isPlaying(team, userId)}
          ON CONFLICT DO NOTHING`)
      : db.run(sql`
          DELETE FROM ${teamReady} WHERE ${teamReady.userId} = ${userId} AND ${teamReady.postId} = ${team}`),
    found: findTeam(db, team, userId),
  });
  return outcomeOf(found);
}

/**
 * Sets a detail of a team, replacing an earlier value. Refuses members whose messaging is limited.
 * @param value in its canonical form
 */
export async function setDetail(
  writing: Writing,
  team: TeamRef,
  userId: string,
  { kind, value }: { kind: TeamDetail; value: string },
): Promise<Changed | Limited> {
  const { db } = writing;
  const now = writing.now.getTime();
  const { found, limits } = await transact(db, {
    set: db.run(sql`
      INSERT INTO ${teamDetails} ${columnsOf(teamDetails, "postId", "kind", "value", "setBy", "setAt")}
      SELECT ${p.id}, ${kind}, ${value}, ${userId}, ${now} FROM ${lfgPosts} AS ${p}
      WHERE ${isPlaying(team, userId)} AND NOT ${isLimited(userId, "messaging", now)}
      ON CONFLICT ${columnsOf(teamDetails, "postId", "kind")} DO UPDATE SET
        ${bare(teamDetails.value)} = excluded.${bare(teamDetails.value)},
        ${bare(teamDetails.setBy)} = excluded.${bare(teamDetails.setBy)},
        ${bare(teamDetails.setAt)} = excluded.${bare(teamDetails.setAt)}
      WHERE ${teamDetails.value} <> excluded.${bare(teamDetails.value)}`),
    flag: raiseFlags(writing, { kind: "player", id: userId }, { teamDetails: value }, userId),
    found: findTeam(db, team, userId),
    limits: readLimit(db, userId, "messaging", now),
  });
  const changed = outcomeOf(found);
  return (changed.outcome === "done" && limitedBy(limits)) || changed;
}

/**
 * Clears a detail of a team, no matter who set it. Clearing it twice has the same effect as clearing it once.
 * @param setAt when the detail to clear was set, in milliseconds since 1970; undefined for any
 * @returns `replaced` if a teammate has set another value since, which is kept
 */
export async function clearDetail(
  db: Database,
  team: TeamRef,
  userId: string,
  { kind, setAt }: { kind: TeamDetail; setAt: number | undefined },
): Promise<Changed | { outcome: "replaced" }> {
  const isShown = setAt === undefined ? sql`1` : sql`${teamDetails.setAt} = ${setAt}`;
  const { found, left } = await transact(db, {
    clear: db.run(sql`
      DELETE FROM ${teamDetails} WHERE ${teamDetails.kind} = ${kind} AND ${isShown} AND ${teamDetails.postId} IN (
        SELECT ${p.id} FROM ${lfgPosts} AS ${p} WHERE ${isPlaying(team, userId)}
      )`),
    left: db.all<{ kind: TeamDetail }>(sql`
      SELECT ${teamDetails.kind} AS kind FROM ${teamDetails}
      WHERE ${teamDetails.postId} = ${team} AND ${teamDetails.kind} = ${kind}`),
    found: findTeam(db, team, userId),
  });
  const changed = outcomeOf(found);
  return changed.outcome === "done" && left.length > 0 ? { outcome: "replaced" } : changed;
}
