import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { notifications, profiles, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { transact } from "#db/statements";
import { forgetNews, notify, resolveOutdated } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { isOfTournament } from "~/features/notifications/shared/subjects.server";
import { userIdsOf } from "~/features/notifications/shared/unread.server";
import { nameOf } from "~/features/players/shared/name.server";
import { bumpVersion, detailsOfTeam, didLately, logEvent } from "../../shared/changes.server";
import { actingCaptain } from "../../shared/lone-teams.server";
import { passReportsOn, resolveNewsOf } from "../../shared/tournament-news.server";
import { areAllEligible, countStarters, mayPlay } from "../conditions.server";
import type { IneligiblePlayer } from "../refusals";
import { type Eligibility, readObstacle } from "../register.server";
import { fromAnyTeamOf, fromTeamOf, notifyTeam, type TeamActor } from "./changes.server";

const benchRow = alias(tournamentPlayers, "bench");
const eligible = alias(profiles, "eligible");
const going = alias(tournamentPlayers, "going");
const next = alias(tournamentPlayers, "next");
const old = alias(tournamentPlayers, "old");
const one = alias(tournamentPlayers, "one");
const player = alias(tournamentPlayers, "player");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/*
 * Changes to a team's roster. Players can join and leave until the tournament starts; from then on they can only swap
 * between starter and substitute. The first players to join are starters, up to the team size, and the others are
 * substitutes; each command keeps as many starters as the team can have.
 */

/** The values that determine whether a team's roster may change. */
type RosterState = Pick<typeof tournaments.$inferSelect, "state"> &
  Pick<typeof tournamentTeams.$inferSelect, "captainId">;

export type RosterOutcome =
  | { outcome: "done"; name: string; notified: string[] }
  /** No such team, or the actor isn't its captain. */
  | { outcome: "missing" }
  /**
   * The player isn't in the team any more. For a swap, also: the two are no longer a starter and a substitute.
   * `notified` are the players whom a departure concerns if this actor may have caused it: it may have been stored
   * although its answer was lost.
   */
  | { outcome: "absent"; notified: string[] }
  /** The tournament has started, or is over. `isRunning` if it has started: captains can still swap players. */
  | { outcome: "not-open"; isRunning: boolean }
  /** The captain must hand the team over first, or withdraw it. */
  | { outcome: "captain" }
  /** The substitute isn't eligible to play. */
  | { outcome: "ineligible"; player: IneligiblePlayer };

/**
 * Removes the player from their team and notifies the captain. Captains must make someone else the captain first, or
 * withdraw the team.
 */
export const leaveTeam = (db: Database, actor: TeamActor, now: number): Promise<RosterOutcome> =>
  removeMember(
    db,
    actor,
    { who: actor.userId, may: sql`${teamRow.captainId} IS NOT ${actor.userId}`, action: "left-team", news: "left" },
    now,
  );

/** Removes a player from the captain's team and notifies the player. */
export const removePlayer = (db: Database, actor: TeamActor, playerId: string, now: number): Promise<RosterOutcome> =>
  removeMember(
    db,
    actor,
    {
      who: playerId,
      may: sql`${teamRow.captainId} = ${actor.userId} AND ${teamRow.captainId} <> ${playerId}`,
      action: "removed-player",
      news: "removed",
    },
    now,
  );

/**
 * Removes a player; the substitute who joined first takes their place. A team that is no longer complete must check in
 * again. The player is no longer called to check in or told of the team's spot, and loses other news of the team.
 */
async function removeMember(
  db: Database,
  actor: TeamActor,
  {
    who,
    may,
    action,
    news,
  }: { who: string; may: SQL; action: "left-team" | "removed-player"; news: "left" | "removed" },
  now: number,
): Promise<RosterOutcome> {
  const { tournamentId, teamId, userId } = actor;
  const isIn = sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${going} WHERE ${going.teamId} = ${teamRow.id} AND ${going.userId} = ${who}
  )`;
  const canLeave = sql`EXISTS (SELECT 1 ${fromTeamOf(actor)} AND ${t.state} = 'open' AND ${isIn} AND ${may})`;
  const { found, notified, outdated, forgotten, replacement } = await transact(db, {
    found: db.all<RosterState & { isIn: number; hasLeft: number; name: string | null }>(sql`
      SELECT ${t.state} AS state, ${teamRow.captainId} AS captainId, ${isIn} AS isIn, ${nameOf(sql`${who}`)} AS name,
        NOT ${isIn} AND ${didLately({ ...actor, now: new Date(now) }, "left-team")} AS hasLeft
      ${fromTeamOf(actor)}`),
    notified:
      news === "left"
        ? notifyTeam(db, actor, news, sql`${player.userId} = ${teamRow.captainId} AND ${canLeave}`, now)
        : notifyTeam(db, actor, news, sql`${player.userId} = ${who} AND ${canLeave}`, now),
    event: logEvent(db, { ...actor, now: new Date(now) }, action, detailsOfTeam(teamId), canLeave),
    version: bumpVersion(db, tournamentId, canLeave, now),
    outdated: resolveNewsOf(db, "player", sql`SELECT ${who} WHERE ${canLeave}`, tournamentId, now),
    forgotten: forgetNews(db, sql`SELECT ${who} WHERE ${canLeave}`, subjectOf("tournament-team", tournamentId, teamId)),
    leave: db.run(sql`DELETE FROM ${tournamentPlayers} WHERE ${tournamentPlayers.teamId} = ${teamId}
      AND ${tournamentPlayers.userId} = ${who} AND ${canLeave}`),
    replacement: promoteSubstitute(db, tournamentId, teamId, now),
  });
  const [row] = found;
  if (!row || (news === "removed" && row.captainId !== userId)) return { outcome: "missing" };
  if (!row.isIn) {
    const concerned = row.captainId ? [who, row.captainId] : [who];
    return { outcome: "absent", notified: news === "removed" || row.hasLeft ? concerned : [] };
  }
  if (row.state !== "open") return { outcome: "not-open", isRunning: row.state === "running" };
  if (row.captainId === who) return { outcome: "captain" };
  return {
    outcome: "done",
    name: row.name ?? "",
    notified: userIdsOf([...notified, ...outdated, ...forgotten, ...replacement.called]),
  };
}

/**
 * Returns the statements that follow a departure from a team. A substitute becomes a starter. If the tournament hasn't
 * started, the team's check-in is undone when the team is still incomplete or the new starter makes it ineligible, and
 * its players are called to check in again (`called` lists them). Without a departure the statements change nothing.
 * They also apply to hidden tournaments, because suspended and deleted accounts leave those as well.
 */
export function promoteSubstitute(db: Database, tournamentId: string, teamId: string, now: number) {
  const team = fromAnyTeamOf({ tournamentId, teamId });
  const isShort = sql`${countStarters(sql`${teamRow.id}`)} < ${t.teamSize}`;
  return {
    promote: db.run(sql`
      UPDATE ${tournamentPlayers} SET ${bare(tournamentPlayers.isSubstitute)} = 0
      WHERE ${tournamentPlayers.teamId} = ${teamId} AND ${tournamentPlayers.isSubstitute} = 1
        AND EXISTS (SELECT 1 ${team} AND ${isShort}) AND ${tournamentPlayers.userId} = (
        SELECT first.user_id FROM (
          SELECT ${benchRow.userId} AS user_id, min(${benchRow.joinedAt}) FROM ${tournamentPlayers} AS ${benchRow}
          WHERE ${benchRow.teamId} = ${teamId} AND ${benchRow.isSubstitute} = 1
        ) AS first
      )`),
    // `changes()` refers to the statement above: a substitute has become a starter.
    checkIn: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.checkedInAt)} = NULL
      WHERE ${tournamentTeams.id} = ${teamId} AND ${tournamentTeams.checkedInAt} IS NOT NULL AND EXISTS (
        SELECT 1 ${team} AND ${t.state} = 'open' AND (${isShort} OR (changes() > 0
          AND NOT ${areAllEligible(sql`${teamRow.id}`)}))
      )`),
    // `changes()` refers to the statement above: the check-in is undone. An announcement that is still to come will
    // reach the team by itself.
    called: notify(db, {
      kind: "tournament-check-in",
      subject: subjectOf("tournament", tournamentId),
      data: sql`json_object('tournament', to_tell.title)`,
      recipients: sql`
        SELECT ${player.userId} AS user_id, ${t.title} AS title FROM ${tournamentPlayers} AS ${player}
        JOIN ${tournaments} AS ${t} ON ${t.id} = ${player.tournamentId}
        WHERE ${player.teamId} = ${teamId} AND ${t.checkInToldAt} IS NOT NULL AND ${t.hiddenAt} IS NULL
          AND changes() > 0`,
      now,
    }),
  };
}

/** Swaps a starter with an eligible substitute, at the captain's request; also possible while the tournament runs. */
export async function swapPlayers(
  db: Database,
  actor: TeamActor,
  { playerId, substituteId }: { playerId: string; substituteId: string },
  now: number,
): Promise<RosterOutcome> {
  const { tournamentId, teamId, userId } = actor;
  const isTeam = (who: string, bench: 0 | 1) => sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${one}
    WHERE ${one.teamId} = ${teamId} AND ${one.userId} = ${who} AND ${one.isSubstitute} = ${bench}
  )`;
  const areInTeam = sql`${isTeam(playerId, 0)} AND ${isTeam(substituteId, 1)}`;
  const may = sql`EXISTS (
    SELECT 1 ${fromTeamOf(actor)} AND ${t.state} IN ('open', 'running') AND ${actingCaptain(teamRow)} = ${userId}
      AND ${mayPlay(sql`${substituteId}`)}
  ) AND ${areInTeam}`;
  const { before, result } = await transact(db, {
    before: db.all<SwapRow>(sql`
      SELECT ${t.state} AS state, ${actingCaptain(teamRow)} AS captainId, ${areInTeam} AS areInTeam, ${t.minRank} AS minRank,
        ${t.maxRank} AS maxRank, ${eligible.riotVerifiedAt} AS verifiedAt, ${eligible.currentRank} AS rank
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${substituteId}
      WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${t.hiddenAt} IS NULL`),
    version: bumpVersion(db, tournamentId, may, now),
    event: logEvent(db, { ...actor, now: new Date(now) }, "swapped-players", detailsOfTeam(teamId), may),
    swap: db.run(sql`
      UPDATE ${tournamentPlayers}
        SET ${bare(tournamentPlayers.isSubstitute)} = (${tournamentPlayers.userId} = ${playerId})
      WHERE ${tournamentPlayers.teamId} = ${teamId} AND ${tournamentPlayers.userId} IN (${playerId}, ${substituteId})
        AND ${may}`),
    result: db.all<{ isSwapped: number; name: string }>(sql`
      SELECT ${isTeam(playerId, 1)}
        AND ${isTeam(substituteId, 0)} AS isSwapped, ${nameOf(sql`${substituteId}`)} AS name`),
  });
  const [row] = before;
  const [after] = result;
  if (!row || row.captainId !== userId) return { outcome: "missing" };
  if (after?.isSwapped) return { outcome: "done", name: after.name, notified: [] };
  if (row.state !== "open" && row.state !== "running") return { outcome: "not-open", isRunning: false };
  const obstacle = row.areInTeam ? readObstacle(row) : null;
  return obstacle
    ? { outcome: "ineligible", player: { name: after?.name ?? "", ...obstacle } }
    : { outcome: "absent", notified: [] };
}

interface SwapRow extends Eligibility, RosterState {
  areInTeam: number;
}

/**
 * Makes another player of the team its captain, and notifies them of this and of reports that the captain has to
 * answer.
 */
export async function handOverCaptaincy(
  db: Database,
  actor: TeamActor,
  playerId: string,
  now: number,
): Promise<RosterOutcome> {
  const { tournamentId, teamId, userId } = actor;
  const may = sql`EXISTS (
    SELECT 1 ${fromTeamOf(actor)} AND ${t.state} IN ('open', 'running') AND ${actingCaptain(teamRow)} = ${userId}
      AND EXISTS (SELECT 1 FROM ${tournamentPlayers} AS ${next} WHERE ${next.teamId} = ${teamRow.id}
        AND ${next.userId} = ${playerId})
  ) AND ${userId} <> ${playerId}`;
  const { found } = await transact(db, {
    tell: notifyTeam(db, actor, "captain", sql`${player.userId} = ${playerId} AND ${may}`, now),
    reports: passReportsOn(db, actor, sql`${playerId}`, may, now),
    outdated: resolveOutdated(
      db,
      sql`${notifications.userId} = ${userId} AND ${notifications.kind} = ${newsKinds("match-report")}
        AND ${isOfTournament(notifications.subject, "match", tournamentId)} AND ${may}`,
      now,
    ),
    event: logEvent(db, { ...actor, now: new Date(now) }, "handed-over", detailsOfTeam(teamId), may),
    version: bumpVersion(db, tournamentId, may, now),
    handOver: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.captainId)} = ${playerId}
      WHERE ${tournamentTeams.id} = ${teamId} AND ${may}`),
    found: db.all<RosterState & { name: string }>(sql`
      SELECT ${actingCaptain(teamRow)} AS captainId,
        ${t.state} AS state, ${nameOf(sql`${playerId}`)} AS name ${fromTeamOf(actor)}
        AND EXISTS (SELECT 1 FROM ${tournamentPlayers} AS ${old} WHERE ${old.teamId} = ${teamRow.id}
          AND ${old.userId} = ${userId})`),
  });
  const [row] = found;
  // The captaincy may have been handed over before, by a transaction whose response was lost.
  if (row?.captainId === playerId) return { outcome: "done", name: row.name, notified: [playerId, userId] };
  if (row?.captainId !== userId) return { outcome: "missing" };
  return row.state === "open" || row.state === "running"
    ? { outcome: "absent", notified: [] }
    : { outcome: "not-open", isRunning: false };
}
