import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentInvitations, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { transact } from "#db/statements";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { forgetNews, notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { userIdsOf } from "~/features/notifications/shared/unread.server";
import { organisedBy } from "../shared/access.server";
import { bumpVersion, detailsOfTeam, logEvent } from "../shared/changes.server";
import { actingCaptain } from "../shared/lone-teams.server";
import { resolveNewsOf } from "../shared/tournament-news.server";
import { checkInOpensAtOfT, countMembers } from "./conditions.server";
import type { TeamActor } from "./team/changes.server";
import { moveUp } from "./waiting-list.server";

const invited = alias(tournamentInvitations, "invited");
const last = alias(tournamentPlayers, "last");
const player = alias(tournamentPlayers, "player");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

type WithdrawOutcome =
  /**
   * If the tournament is hidden, the team's players get no news of it. `notified` also has the players who have lost
   * news of the team, or whose call to check in or news of the team's spot was marked as read.
   */
  | { outcome: "done"; team: string; isHidden: boolean; notified: string[] }
  /** No such team, or this player may not withdraw it. */
  | { outcome: "missing" }
  /** Check-in has opened: the organisers decide. `hasMovedUp` as for `moved-up`. */
  | { outcome: "late"; team: string; hasMovedUp: boolean }
  /** The page showed the team on the waiting list, but it has got a spot since. */
  | { outcome: "moved-up"; team: string }
  /** The tournament has started, or is over. `isPlaying` if it runs, and the team has a spot in it. */
  | { outcome: "not-open"; isPlaying: boolean };

/**
 * Withdraws the captain's own team, until check-in opens. Notifies its players and moves the waiting list up.
 * @param onlyWaiting withdraws it only if it is still on the waiting list
 */
export const withdrawTeam = (
  db: Database,
  actor: TeamActor,
  onlyWaiting: boolean,
  now: number,
): Promise<WithdrawOutcome> =>
  withdraw(
    db,
    actor,
    {
      may: sql`${actingCaptain(teamRow)} = ${actor.userId}`,
      inTime: sql`(${teamRow.state} = 'waiting' OR ${checkInOpensAtOfT} > ${now})`,
      onlyWaiting,
      by: "captain",
    },
    now,
  );

/**
 * Removes any team, as an organiser, until the tournament starts. Notifies its players and moves the waiting list up.
 */
export const removeTeam = (db: Database, actor: TeamActor, now: number): Promise<WithdrawOutcome> =>
  withdraw(db, actor, { may: organisedBy(actor.userId, t), inTime: sql`1`, by: "organiser" }, now);

/** Removes a team whose only player is being suspended or deleted. Used by `leaveTournaments`. */
export const dissolveTeam = (db: Database, actor: TeamActor, now: number): Promise<WithdrawOutcome> =>
  withdraw(
    db,
    actor,
    {
      may: sql`${countMembers(sql`${teamRow.id}`)} = 1 AND EXISTS (
        SELECT 1 FROM ${tournamentPlayers} AS ${last} WHERE ${last.teamId} = ${teamRow.id}
          AND ${last.userId} = ${actor.userId}
      )`,
      inTime: sql`1`,
      by: "captain",
    },
    now,
  );

async function withdraw(
  db: Database,
  { tournamentId, teamId, userId }: TeamActor,
  {
    may,
    inTime,
    onlyWaiting = false,
    by,
  }: { may: SQL; inTime: SQL; onlyWaiting?: boolean; by: "captain" | "organiser" },
  now: number,
): Promise<WithdrawOutcome> {
  const team = sql`FROM ${tournamentTeams} AS ${teamRow}
    JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
    WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${may}`;
  const hasMovedUp = onlyWaiting ? sql`(${teamRow.state} <> 'waiting')` : sql`0`;
  const canWithdraw = sql`EXISTS (SELECT 1 ${team} AND ${t.state} = 'open' AND ${inTime} AND NOT ${hasMovedUp})`;
  const players = sql`
    SELECT ${player.userId} FROM ${tournamentPlayers} AS ${player} WHERE ${player.teamId} = ${teamId} AND ${canWithdraw}`;
  const { found, notified, forgotten, outdated, movedUp } = await transact(db, {
    found: db.all<
      Pick<typeof tournaments.$inferSelect, "state"> & {
        team: string;
        isInTime: number;
        hasMovedUp: number;
        isPlaying: number;
        isHidden: number;
      }
    >(
      sql`SELECT ${teamRow.name} AS team, ${t.state} AS state, ${inTime} AS isInTime,
        ${hasMovedUp} AS hasMovedUp,
        ${t.state} = 'running' AND ${teamRow.state} = 'entered' AS isPlaying,
        ${t.hiddenAt} IS NOT NULL AS isHidden ${team}`,
    ),
    notified: notify(db, {
      kind: "tournament-withdrawn",
      subject: subjectOf("tournament", tournamentId),
      data: sql`json_object('team', to_tell.team, 'tournament', to_tell.tournament, 'by', ${by})`,
      recipients: sql`
        SELECT ${player.userId} AS user_id, ${t.title} AS tournament,
          iif(${hasBlocked(sql`${player.userId}`, userId)}, NULL, ${teamRow.name}) AS team
        FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
        JOIN ${tournamentPlayers} AS ${player} ON ${player.teamId} = ${teamRow.id}
        WHERE ${teamRow.id} = ${teamId} AND ${player.userId} <> ${userId} AND ${t.hiddenAt} IS NULL
          AND ${canWithdraw}`,
      now,
    }),
    forgotten: forgetNews(
      db,
      sql`${players}
        UNION ALL
        SELECT ${invited.userId} FROM ${tournamentInvitations} AS ${invited} WHERE ${invited.teamId} = ${teamId} AND ${canWithdraw}`,
      subjectOf("tournament-team", tournamentId, teamId),
    ),
    outdated: resolveNewsOf(db, "player", players, tournamentId, now),
    event: logEvent(
      db,
      { tournamentId, userId, now: new Date(now) },
      by === "captain" ? "withdrew" : "removed-team",
      detailsOfTeam(teamId),
      canWithdraw,
    ),
    version: bumpVersion(db, tournamentId, canWithdraw, now),
    takeOut: db.run(sql`DELETE FROM ${tournamentTeams} WHERE ${tournamentTeams.id} = ${teamId} AND ${canWithdraw}`),
    movedUp: moveUp(db, tournamentId, new Date(now)),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  if (row.state !== "open") return { outcome: "not-open", isPlaying: Boolean(row.isPlaying) };
  if (!row.isInTime) return { outcome: "late", team: row.team, hasMovedUp: Boolean(row.hasMovedUp) };
  if (row.hasMovedUp) return { outcome: "moved-up", team: row.team };
  return {
    outcome: "done",
    team: row.team,
    isHidden: Boolean(row.isHidden),
    notified: userIdsOf([...notified, ...movedUp.notified, ...forgotten, ...outdated]),
  };
}
