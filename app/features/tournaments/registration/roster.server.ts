import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { transact } from "#db/statements";
import { blockBetween } from "~/features/messages/shared/blocks.server";
import { forgetNews, notify } from "~/features/notifications/shared/notify.server";
import { nameOf } from "~/features/players/shared/name.server";
import { createToken } from "~/platform/crypto/crypto.server";
import { bumpVersion, detailsOfTeam, record, teamSubject } from "./changes.server";
import { countMembers, countStarters, doAllFit, isFree, mayPlay, rosterLimitOfT } from "./conditions.server";
import type { Misfit } from "./refusals";
import { type Eligibility, forgetSearching, readObstacle } from "./register.server";
import { INVITATIONS_OPEN, type Unfit } from "./rules";

/*
 * Who is in a team. Players come and go until the tournament starts; from then on only who plays and who sits out changes.
 * Of a team's players the first who came play, up to its size, and the others are substitutes: no command leaves it
 * otherwise.
 */

/** A team and the player who changes something in it. */
export interface Place {
  tournamentId: string;
  teamId: string;
  userId: string;
}

type Told = { userId: string }[];
const ids = (told: Told): string[] => told.map(({ userId }) => userId);

/** The team as `team` and its tournament as `t`. */
const teamOfT = ({ tournamentId, teamId }: Pick<Place, "tournamentId" | "teamId">) => sql`
  FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
  WHERE team.id = ${teamId} AND t.id = ${tournamentId}`;

/** What a team's players are told of it. */
type TeamNews = "joined" | "left" | "removed" | "captain";

/** The statement that tells some of a team. @param recipients an SQL condition on `player` */
const tellTeam = (db: Database, place: Place, news: TeamNews, recipients: SQL, now: number) =>
  notify(db, {
    kind: "tournament-team",
    subject: sql`${teamSubject(place.tournamentId, place.teamId)}`,
    data: sql`json_object('news', ${news}, 'team', to_tell.team, 'tournament', to_tell.tournament)`,
    recipients: sql`
      SELECT player.user_id AS user_id, team.name AS team, t.title AS tournament
      FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
      JOIN tournament_players AS player ON player.team_id = team.id
      WHERE team.id = ${place.teamId} AND t.id = ${place.tournamentId} AND ${recipients}`,
    now,
  });

export type JoinOutcome =
  | { outcome: "joined"; team: string; isSubstitute: boolean; told: string[] }
  /** No such team, a link that was renewed, or no invitation. */
  | { outcome: "missing" }
  | { outcome: "not-open" | "full" | "blocked" | "gone" }
  | { outcome: "twice"; teamId: string; team: string }
  | ({ outcome: "obstacle" } & Unfit);

/**
 * Joins a team, by its link or on an invitation, if there is room at this very moment: first as one who plays, then as a
 * substitute. The captain is told. Joining twice is joining once.
 */
async function joinTeam(
  db: Database,
  place: Place,
  by: { token: string } | "invitation",
  now: number,
): Promise<JoinOutcome> {
  const { tournamentId, teamId, userId } = place;
  const me = sql`${userId}`;
  const isAsked =
    by === "invitation"
      ? sql`EXISTS (SELECT 1 FROM tournament_invitations AS asked WHERE asked.team_id = team.id AND asked.user_id = ${userId})`
      : sql`team.invite_token = ${by.token}`;
  const isBlocked = sql`EXISTS (
    SELECT 1 FROM tournament_players AS mate
    WHERE mate.team_id = team.id AND ${blockBetween(sql`mate.user_id`, userId)}
  )`;
  const justNow = sql`EXISTS (
    SELECT 1 FROM tournament_players AS came
    WHERE came.tournament_id = ${tournamentId} AND came.user_id = ${userId} AND came.team_id = ${teamId}
      AND came.joined_at = ${now}
  )`;
  const { invitation, told, found } = await transact(db, {
    // Before it is used up with the rest.
    invitation: db.all<{ isAsked: number }>(sql`SELECT ${isAsked} AS isAsked ${teamOfT(place)}`),
    join: db.run(sql`
      INSERT INTO tournament_players (tournament_id, user_id, team_id, is_substitute, joined_at)
      SELECT t.id, ${userId}, team.id, ${countStarters(sql`team.id`)} >= t.team_size, ${now} ${teamOfT(place)}
        AND t.state = 'open' AND ${isAsked} AND NOT ${isBlocked} AND ${mayPlay(me)} AND ${isFree(me)}
        AND ${countMembers(sql`team.id`)} < ${rosterLimitOfT}
      ON CONFLICT DO NOTHING`),
    search: forgetSearching(db, tournamentId, userId, now),
    version: bumpVersion(db, tournamentId, justNow, now),
    event: record(
      db,
      tournamentId,
      { actorId: userId, action: "joined-team", details: detailsOfTeam(teamId) },
      justNow,
      now,
    ),
    told: tellTeam(
      db,
      place,
      "joined",
      sql`player.user_id = team.captain_id AND player.user_id <> ${userId} AND ${justNow}`,
      now,
    ),
    found: db.all<JoinRow>(sql`
      SELECT t.state AS state, team.name AS team, t.min_rank AS minRank, t.max_rank AS maxRank,
        own.id AS ownId, own.name AS ownName, mine.is_substitute AS isSubstitute,
        eligible.riot_verified_at AS verifiedAt, eligible.current_rank AS rank, ${isBlocked} AS isBlocked,
        ${countMembers(sql`team.id`)} >= ${rosterLimitOfT} AS isFull
      FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
      LEFT JOIN profiles AS eligible ON eligible.user_id = ${userId}
      LEFT JOIN tournament_players AS mine ON mine.tournament_id = t.id AND mine.user_id = ${userId}
      LEFT JOIN tournament_teams AS own ON own.id = mine.team_id
      WHERE team.id = ${teamId} AND t.id = ${tournamentId}`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  if (row.ownId === teamId) {
    return { outcome: "joined", team: row.team, isSubstitute: Boolean(row.isSubstitute), told: ids(told) };
  }
  if (!invitation[0]?.isAsked) return { outcome: "missing" };
  if (row.ownId !== null) return { outcome: "twice", teamId: row.ownId, team: row.ownName ?? "" };
  if (row.state !== "open") return { outcome: "not-open" };
  if (row.isBlocked) return { outcome: "blocked" };
  const unfit = readObstacle(row);
  if (unfit) return { outcome: "obstacle", ...unfit };
  return { outcome: row.isFull ? "full" : "gone" };
}

/** Joins a team whose link one has. */
export const joinTeamByLink = (db: Database, place: Place, token: string, now: number) =>
  joinTeam(db, place, { token }, now);

/** Joins a team whose captain has asked. */
export const acceptInvitation = (db: Database, place: Place, now: number) => joinTeam(db, place, "invitation", now);

interface JoinRow extends Eligibility {
  state: string;
  team: string;
  ownId: string | null;
  ownName: string | null;
  isSubstitute: number | null;
  isBlocked: number;
  isFull: number;
}

/** Declines an invitation. Declining twice is declining once. @returns whether there was one */
export async function declineInvitation(db: Database, { teamId, userId }: Place): Promise<void> {
  await db.run(sql`DELETE FROM tournament_invitations WHERE team_id = ${teamId} AND user_id = ${userId}`);
}

export type RosterOutcome =
  | { outcome: "done"; name: string; told: string[] }
  /** No such team or player, or not the captain's to decide. */
  | { outcome: "missing" }
  | { outcome: "not-open" }
  /** The captain has to hand the team over first, or withdraw it. */
  | { outcome: "captain" }
  /** The player who would play from now on may not. */
  | { outcome: "misfit"; misfit: Misfit };

/** Leaves a team; its captain is told. Captains hand it over first, or withdraw it. */
export const leaveTeam = (db: Database, place: Place, now: number): Promise<RosterOutcome> =>
  depart(
    db,
    place,
    { who: place.userId, may: sql`team.captain_id IS NOT ${place.userId}`, action: "left-team", news: "left" },
    now,
  );

/** Takes a player out of the captain's team; the player is told. */
export const removePlayer = (db: Database, place: Place, playerId: string, now: number): Promise<RosterOutcome> =>
  depart(
    db,
    place,
    {
      who: playerId,
      may: sql`team.captain_id = ${place.userId} AND team.captain_id <> ${playerId}`,
      action: "removed-player",
      news: "removed",
    },
    now,
  );

/**
 * Somebody goes; a substitute plays in their place, the one who came first. A team that is no longer complete has to check
 * in again.
 */
async function depart(
  db: Database,
  place: Place,
  {
    who,
    may,
    action,
    news,
  }: { who: string; may: SQL; action: "left-team" | "removed-player"; news: "left" | "removed" },
  now: number,
): Promise<RosterOutcome> {
  const { tournamentId, teamId, userId } = place;
  const isIn = sql`EXISTS (
    SELECT 1 FROM tournament_players AS going WHERE going.team_id = team.id AND going.user_id = ${who}
  )`;
  const goes = sql`EXISTS (SELECT 1 ${teamOfT(place)} AND t.state = 'open' AND ${isIn} AND ${may})`;
  const { found, told } = await transact(db, {
    found: db.all<{ state: string; captainId: string | null; isIn: number; name: string | null }>(sql`
      SELECT t.state AS state, team.captain_id AS captainId, ${isIn} AS isIn, ${nameOf(sql`${who}`)} AS name
      ${teamOfT(place)}`),
    told:
      news === "left"
        ? tellTeam(db, place, news, sql`player.user_id = team.captain_id AND ${goes}`, now)
        : tellTeam(db, place, news, sql`player.user_id = ${who} AND ${goes}`, now),
    event: record(db, tournamentId, { actorId: userId, action, details: detailsOfTeam(teamId) }, goes, now),
    version: bumpVersion(db, tournamentId, goes, now),
    leave: db.run(sql`DELETE FROM tournament_players WHERE team_id = ${teamId} AND user_id = ${who} AND ${goes}`),
    fillUp: fillUp(db, tournamentId, teamId),
  });
  const [row] = found;
  if (!row?.isIn) return { outcome: "missing" };
  if (news === "removed" && row.captainId !== userId) return { outcome: "missing" };
  if (row.state !== "open") return { outcome: "not-open" };
  if (row.captainId === who) return { outcome: "captain" };
  return { outcome: "done", name: row.name ?? "", told: ids(told) };
}

/**
 * The statements that follow when somebody has left a team: a substitute plays, and a team that is not complete even so, or
 * in which somebody plays now who doesn't fit, has not checked in, as far as it has not begun to play. Without a departure
 * they change nothing.
 */
export function fillUp(db: Database, tournamentId: string, teamId: string) {
  const team = teamOfT({ tournamentId, teamId });
  const isShort = sql`${countStarters(sql`team.id`)} < t.team_size`;
  return {
    promote: db.run(sql`
      UPDATE tournament_players SET is_substitute = 0
      WHERE team_id = ${teamId} AND is_substitute = 1 AND EXISTS (SELECT 1 ${team} AND ${isShort}) AND user_id = (
        SELECT first.user_id FROM (
          SELECT bench.user_id AS user_id, min(bench.joined_at) FROM tournament_players AS bench
          WHERE bench.team_id = ${teamId} AND bench.is_substitute = 1
        ) AS first
      )`),
    // `changes()` are those of the first statement: a substitute has come in.
    checkIn: db.run(sql`
      UPDATE tournament_teams SET checked_in_at = NULL
      WHERE id = ${teamId} AND EXISTS (
        SELECT 1 ${team} AND t.state = 'open' AND (${isShort} OR (changes() > 0 AND NOT ${doAllFit(sql`team.id`)}))
      )`),
  };
}

/**
 * Has a substitute who fits play in another's place, as the captain says; also once the tournament runs.
 */
export async function swapPlayers(
  db: Database,
  place: Place,
  { playerId, substituteId }: { playerId: string; substituteId: string },
  now: number,
): Promise<RosterOutcome> {
  const { tournamentId, teamId, userId } = place;
  const isTeam = (who: string, bench: 0 | 1) => sql`EXISTS (
    SELECT 1 FROM tournament_players AS one
    WHERE one.team_id = ${teamId} AND one.user_id = ${who} AND one.is_substitute = ${bench}
  )`;
  const areThere = sql`${isTeam(playerId, 0)} AND ${isTeam(substituteId, 1)}`;
  const may = sql`EXISTS (
    SELECT 1 ${teamOfT(place)} AND t.state IN ('open', 'running') AND team.captain_id = ${userId}
      AND ${mayPlay(sql`${substituteId}`)}
  ) AND ${areThere}`;
  const { before, result } = await transact(db, {
    before: db.all<SwapRow>(sql`
      SELECT t.state AS state, team.captain_id AS captainId, ${areThere} AS areThere, t.min_rank AS minRank,
        t.max_rank AS maxRank, eligible.riot_verified_at AS verifiedAt, eligible.current_rank AS rank
      FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
      LEFT JOIN profiles AS eligible ON eligible.user_id = ${substituteId}
      WHERE team.id = ${teamId} AND t.id = ${tournamentId}`),
    version: bumpVersion(db, tournamentId, may, now),
    event: record(
      db,
      tournamentId,
      { actorId: userId, action: "swapped-players", details: detailsOfTeam(teamId) },
      may,
      now,
    ),
    swap: db.run(sql`
      UPDATE tournament_players SET is_substitute = (user_id = ${playerId})
      WHERE team_id = ${teamId} AND user_id IN (${playerId}, ${substituteId}) AND ${may}`),
    result: db.all<{ isSwapped: number; name: string }>(sql`
      SELECT ${isTeam(playerId, 1)} AND ${isTeam(substituteId, 0)} AS isSwapped, ${nameOf(sql`${substituteId}`)} AS name`),
  });
  const [row] = before;
  const [after] = result;
  if (!row || row.captainId !== userId) return { outcome: "missing" };
  if (after?.isSwapped) return { outcome: "done", name: after.name, told: [] };
  if (row.state !== "open" && row.state !== "running") return { outcome: "not-open" };
  const unfit = row.areThere ? readObstacle(row) : null;
  return unfit ? { outcome: "misfit", misfit: { name: after?.name ?? "", ...unfit } } : { outcome: "missing" };
}

interface SwapRow extends Eligibility {
  state: string;
  captainId: string | null;
  areThere: number;
}

/** Makes another player of the team its captain; they are told. */
export async function handOver(db: Database, place: Place, playerId: string, now: number): Promise<RosterOutcome> {
  const { tournamentId, teamId, userId } = place;
  const may = sql`EXISTS (
    SELECT 1 ${teamOfT(place)} AND t.state IN ('open', 'running') AND team.captain_id = ${userId}
      AND EXISTS (SELECT 1 FROM tournament_players AS next WHERE next.team_id = team.id AND next.user_id = ${playerId})
  ) AND ${userId} <> ${playerId}`;
  const { told, found } = await transact(db, {
    told: tellTeam(db, place, "captain", sql`player.user_id = ${playerId} AND ${may}`, now),
    event: record(
      db,
      tournamentId,
      { actorId: userId, action: "handed-over", details: detailsOfTeam(teamId) },
      may,
      now,
    ),
    version: bumpVersion(db, tournamentId, may, now),
    handOver: db.run(sql`UPDATE tournament_teams SET captain_id = ${playerId} WHERE id = ${teamId} AND ${may}`),
    found: db.all<{ captainId: string | null; state: string; name: string }>(sql`
      SELECT team.captain_id AS captainId, t.state AS state, ${nameOf(sql`${playerId}`)} AS name ${teamOfT(place)}
        AND EXISTS (SELECT 1 FROM tournament_players AS old WHERE old.team_id = team.id AND old.user_id = ${userId})`),
  });
  const [row] = found;
  if (row?.captainId === playerId) return { outcome: "done", name: row.name, told: ids(told) };
  if (row?.captainId !== userId) return { outcome: "missing" };
  return { outcome: row.state === "open" || row.state === "running" ? "missing" : "not-open" };
}

/** Makes a new link, so that the old one works no more. @returns whether the team is the captain's */
export async function renewLink(db: Database, { tournamentId, teamId, userId }: Place): Promise<boolean> {
  const renewed = await db.all(sql`
    UPDATE tournament_teams SET invite_token = ${createToken()}
    WHERE id = ${teamId} AND tournament_id = ${tournamentId} AND captain_id = ${userId} RETURNING id`);
  return renewed.length > 0;
}

/**
 * Players whom a captain may ask by name: they have been in a team of a post together, or write to each other. A condition on
 * a player, an SQL expression.
 */
const knows = (playerId: SQL, userId: string) => sql`(
  EXISTS (
    SELECT 1 FROM conversation_members AS me JOIN conversation_members AS them ON them.conversation_id = me.conversation_id
    WHERE me.user_id = ${userId} AND them.user_id = ${playerId}
  ) OR EXISTS (
    SELECT 1 FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
    WHERE r.user_id = ${playerId} AND r.state = 'accepted' AND (p.user_id = ${userId} OR EXISTS (
      SELECT 1 FROM join_requests AS mine
      WHERE mine.post_id = p.id AND mine.user_id = ${userId} AND mine.state = 'accepted'
    ))
  ) OR EXISTS (
    SELECT 1 FROM join_requests AS mine JOIN lfg_posts AS p ON p.id = mine.post_id
    WHERE mine.user_id = ${userId} AND mine.state = 'accepted' AND p.user_id = ${playerId}
  )
)`;

/**
 * Asks players by name into the captain's team, and tells them. Who was asked already, is in a team, or is no acquaintance is
 * passed over.
 */
export async function invitePlayers(
  db: Database,
  place: Place,
  playerIds: readonly string[],
  now: number,
): Promise<{ outcome: "invited"; count: number; told: string[] } | { outcome: "missing" | "not-open" | "nobody" }> {
  const { tournamentId, teamId, userId } = place;
  const open = sql`(SELECT count(*) FROM tournament_invitations AS open WHERE open.team_id = team.id)`;
  const { team, told, invitations } = await transact(db, {
    team: db.all<{ state: string; before: number }>(
      sql`SELECT t.state AS state, ${open} AS before ${teamOfT(place)} AND team.captain_id = ${userId}`,
    ),
    invite: db.run(sql`
      INSERT INTO tournament_invitations (team_id, user_id, created_at)
      SELECT team.id, asked.id, ${now}
      FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
      JOIN users AS asked ON asked.id IN (${sql.join(
        playerIds.map((id) => sql`${id}`),
        sql`, `,
      )})
      WHERE team.id = ${teamId} AND t.id = ${tournamentId} AND t.state = 'open' AND team.captain_id = ${userId}
        AND asked.id <> ${userId} AND asked.suspended_at IS NULL AND asked.deletion_due_at IS NULL
        AND ${isFree(sql`asked.id`)} AND ${knows(sql`asked.id`, userId)} AND NOT ${blockBetween(sql`asked.id`, userId)}
        AND t.team_size > 1 AND ${open} + ${playerIds.length} <= ${INVITATIONS_OPEN}
      ON CONFLICT DO NOTHING`),
    told: notify(db, {
      kind: "tournament-invitation",
      subject: sql`${teamSubject(tournamentId, teamId)}`,
      data: sql`json_object('team', to_tell.team, 'tournament', to_tell.tournament)`,
      recipients: sql`
        SELECT asked.user_id AS user_id, team.name AS team, t.title AS tournament
        FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
        JOIN tournament_invitations AS asked ON asked.team_id = team.id
        WHERE team.id = ${teamId} AND t.id = ${tournamentId} AND team.captain_id = ${userId} AND asked.created_at = ${now}`,
      now,
    }),
    invitations: db.all<{ after: number }>(sql`SELECT ${open} AS after ${teamOfT(place)}`),
  });
  const [row] = team;
  if (!row) return { outcome: "missing" };
  if (row.state !== "open") return { outcome: "not-open" };
  const count = (invitations[0]?.after ?? 0) - row.before;
  return count > 0 ? { outcome: "invited", count, told: ids(told) } : { outcome: "nobody" };
}

/** Takes an invitation back, and with it the news of it. @returns whether the team is the captain's */
export async function takeBackInvitation(db: Database, place: Place, playerId: string): Promise<boolean> {
  const { tournamentId, teamId, userId } = place;
  const isCaptain = sql`EXISTS (SELECT 1 ${teamOfT(place)} AND team.captain_id = ${userId})`;
  const { own } = await transact(db, {
    own: db.all(sql`SELECT 1 ${teamOfT(place)} AND team.captain_id = ${userId}`),
    forgetNews: forgetNews(
      db,
      sql`SELECT asked.user_id FROM tournament_invitations AS asked
        WHERE asked.team_id = ${teamId} AND asked.user_id = ${playerId} AND ${isCaptain}`,
      sql`${teamSubject(tournamentId, teamId)}`,
    ),
    takeBack: db.run(
      sql`DELETE FROM tournament_invitations WHERE team_id = ${teamId} AND user_id = ${playerId} AND ${isCaptain}`,
    ),
  });
  return own.length > 0;
}
