import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversationMembers,
  joinRequests,
  lfgPosts,
  profiles,
  tournamentInvitations,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import { bare, columnsOf } from "#db/sql";
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

const asked = alias(tournamentInvitations, "asked");
const askedUser = alias(users, "asked");
const benchRow = alias(tournamentPlayers, "bench");
const came = alias(tournamentPlayers, "came");
const eligible = alias(profiles, "eligible");
const going = alias(tournamentPlayers, "going");
const mate = alias(tournamentPlayers, "mate");
const meRow = alias(conversationMembers, "me");
const mine = alias(tournamentPlayers, "mine");
const mineJoinRequest = alias(joinRequests, "mine");
const next = alias(tournamentPlayers, "next");
const old = alias(tournamentPlayers, "old");
const one = alias(tournamentPlayers, "one");
const openRow = alias(tournamentInvitations, "open");
const ownRow = alias(tournamentTeams, "own");
const p = alias(lfgPosts, "p");
const player = alias(tournamentPlayers, "player");
const r = alias(joinRequests, "r");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");
const them = alias(conversationMembers, "them");

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
  FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
  WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId}`;

/** What a team's players are told of it. */
type TeamNews = "joined" | "left" | "removed" | "captain";

/** The statement that tells some of a team. @param recipients an SQL condition on `player` */
const tellTeam = (db: Database, place: Place, news: TeamNews, recipients: SQL, now: number) =>
  notify(db, {
    kind: "tournament-team",
    subject: sql`${teamSubject(place.tournamentId, place.teamId)}`,
    data: sql`json_object('news', ${news}, 'team', to_tell.team, 'tournament', to_tell.tournament)`,
    recipients: sql`
      SELECT ${player.userId} AS user_id, ${teamRow.name} AS team, ${t.title} AS tournament
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      JOIN ${tournamentPlayers} AS ${player} ON ${player.teamId} = ${teamRow.id}
      WHERE ${teamRow.id} = ${place.teamId} AND ${t.id} = ${place.tournamentId} AND ${recipients}`,
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
      ? sql`EXISTS (SELECT 1 FROM ${tournamentInvitations} AS ${asked} WHERE ${asked.teamId} = ${teamRow.id}
        AND ${asked.userId} = ${userId})`
      : sql`${teamRow.inviteToken} = ${by.token}`;
  const isBlocked = sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${mate}
    WHERE ${mate.teamId} = ${teamRow.id} AND ${blockBetween(sql`${mate.userId}`, userId)}
  )`;
  const justNow = sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${came}
    WHERE ${came.tournamentId} = ${tournamentId} AND ${came.userId} = ${userId} AND ${came.teamId} = ${teamId}
      AND ${came.joinedAt} = ${now}
  )`;
  const { invitation, told, found } = await transact(db, {
    // Before it is used up with the rest.
    invitation: db.all<{ isAsked: number }>(sql`SELECT ${isAsked} AS isAsked ${teamOfT(place)}`),
    join: db.run(sql`
      INSERT INTO ${tournamentPlayers} ${columnsOf(
        tournamentPlayers,
        "tournamentId",
        "userId",
        "teamId",
        "isSubstitute",
        "joinedAt",
      )}
      SELECT ${t.id},
        ${userId}, ${teamRow.id}, ${countStarters(sql`${teamRow.id}`)} >= ${t.teamSize}, ${now} ${teamOfT(place)}
        AND ${t.state} = 'open' AND ${isAsked} AND NOT ${isBlocked} AND ${mayPlay(me)} AND ${isFree(me)}
        AND ${countMembers(sql`${teamRow.id}`)} < ${rosterLimitOfT}
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
      sql`${player.userId} = ${teamRow.captainId} AND ${player.userId} <> ${userId} AND ${justNow}`,
      now,
    ),
    found: db.all<JoinRow>(sql`
      SELECT ${t.state} AS state, ${teamRow.name} AS team, ${t.minRank} AS minRank, ${t.maxRank} AS maxRank,
        ${ownRow.id} AS ownId, ${ownRow.name} AS ownName, ${mine.isSubstitute} AS isSubstitute,
        ${eligible.riotVerifiedAt} AS verifiedAt, ${eligible.currentRank} AS rank, ${isBlocked} AS isBlocked,
        ${countMembers(sql`${teamRow.id}`)} >= ${rosterLimitOfT} AS isFull
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${userId}
      LEFT JOIN ${tournamentPlayers} AS ${mine} ON ${mine.tournamentId} = ${t.id} AND ${mine.userId} = ${userId}
      LEFT JOIN ${tournamentTeams} AS ${ownRow} ON ${ownRow.id} = ${mine.teamId}
      WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId}`),
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
  await db.run(sql`DELETE FROM ${tournamentInvitations} WHERE ${tournamentInvitations.teamId} = ${teamId}
    AND ${tournamentInvitations.userId} = ${userId}`);
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
    { who: place.userId, may: sql`${teamRow.captainId} IS NOT ${place.userId}`, action: "left-team", news: "left" },
    now,
  );

/** Takes a player out of the captain's team; the player is told. */
export const removePlayer = (db: Database, place: Place, playerId: string, now: number): Promise<RosterOutcome> =>
  depart(
    db,
    place,
    {
      who: playerId,
      may: sql`${teamRow.captainId} = ${place.userId} AND ${teamRow.captainId} <> ${playerId}`,
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
    SELECT 1 FROM ${tournamentPlayers} AS ${going} WHERE ${going.teamId} = ${teamRow.id} AND ${going.userId} = ${who}
  )`;
  const goes = sql`EXISTS (SELECT 1 ${teamOfT(place)} AND ${t.state} = 'open' AND ${isIn} AND ${may})`;
  const { found, told } = await transact(db, {
    found: db.all<{ state: string; captainId: string | null; isIn: number; name: string | null }>(sql`
      SELECT ${t.state} AS state, ${teamRow.captainId} AS captainId, ${isIn} AS isIn, ${nameOf(sql`${who}`)} AS name
      ${teamOfT(place)}`),
    told:
      news === "left"
        ? tellTeam(db, place, news, sql`${player.userId} = ${teamRow.captainId} AND ${goes}`, now)
        : tellTeam(db, place, news, sql`${player.userId} = ${who} AND ${goes}`, now),
    event: record(db, tournamentId, { actorId: userId, action, details: detailsOfTeam(teamId) }, goes, now),
    version: bumpVersion(db, tournamentId, goes, now),
    leave: db.run(sql`DELETE FROM ${tournamentPlayers} WHERE ${tournamentPlayers.teamId} = ${teamId}
      AND ${tournamentPlayers.userId} = ${who} AND ${goes}`),
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
    // `changes()` are those of the first statement: a substitute has come in.
    checkIn: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.checkedInAt)} = NULL
      WHERE ${tournamentTeams.id} = ${teamId} AND EXISTS (
        SELECT 1 ${team} AND ${t.state} = 'open' AND (${isShort} OR (changes() > 0
          AND NOT ${doAllFit(sql`${teamRow.id}`)}))
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
    SELECT 1 FROM ${tournamentPlayers} AS ${one}
    WHERE ${one.teamId} = ${teamId} AND ${one.userId} = ${who} AND ${one.isSubstitute} = ${bench}
  )`;
  const areThere = sql`${isTeam(playerId, 0)} AND ${isTeam(substituteId, 1)}`;
  const may = sql`EXISTS (
    SELECT 1 ${teamOfT(place)} AND ${t.state} IN ('open', 'running') AND ${teamRow.captainId} = ${userId}
      AND ${mayPlay(sql`${substituteId}`)}
  ) AND ${areThere}`;
  const { before, result } = await transact(db, {
    before: db.all<SwapRow>(sql`
      SELECT ${t.state} AS state, ${teamRow.captainId} AS captainId, ${areThere} AS areThere, ${t.minRank} AS minRank,
        ${t.maxRank} AS maxRank, ${eligible.riotVerifiedAt} AS verifiedAt, ${eligible.currentRank} AS rank
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${substituteId}
      WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId}`),
    version: bumpVersion(db, tournamentId, may, now),
    event: record(
      db,
      tournamentId,
      { actorId: userId, action: "swapped-players", details: detailsOfTeam(teamId) },
      may,
      now,
    ),
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
    SELECT 1 ${teamOfT(place)} AND ${t.state} IN ('open', 'running') AND ${teamRow.captainId} = ${userId}
      AND EXISTS (SELECT 1 FROM ${tournamentPlayers} AS ${next} WHERE ${next.teamId} = ${teamRow.id}
        AND ${next.userId} = ${playerId})
  ) AND ${userId} <> ${playerId}`;
  const { told, found } = await transact(db, {
    told: tellTeam(db, place, "captain", sql`${player.userId} = ${playerId} AND ${may}`, now),
    event: record(
      db,
      tournamentId,
      { actorId: userId, action: "handed-over", details: detailsOfTeam(teamId) },
      may,
      now,
    ),
    version: bumpVersion(db, tournamentId, may, now),
    handOver: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.captainId)} = ${playerId}
      WHERE ${tournamentTeams.id} = ${teamId} AND ${may}`),
    found: db.all<{ captainId: string | null; state: string; name: string }>(sql`
      SELECT ${teamRow.captainId} AS captainId,
        ${t.state} AS state, ${nameOf(sql`${playerId}`)} AS name ${teamOfT(place)}
        AND EXISTS (SELECT 1 FROM ${tournamentPlayers} AS ${old} WHERE ${old.teamId} = ${teamRow.id}
          AND ${old.userId} = ${userId})`),
  });
  const [row] = found;
  if (row?.captainId === playerId) return { outcome: "done", name: row.name, told: ids(told) };
  if (row?.captainId !== userId) return { outcome: "missing" };
  return { outcome: row.state === "open" || row.state === "running" ? "missing" : "not-open" };
}

/** Makes a new link, so that the old one works no more. @returns whether the team is the captain's */
export async function renewLink(db: Database, { tournamentId, teamId, userId }: Place): Promise<boolean> {
  const renewed = await db.all(sql`
    UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.inviteToken)} = ${createToken()}
    WHERE ${tournamentTeams.id} = ${teamId} AND ${tournamentTeams.tournamentId} = ${tournamentId}
      AND ${tournamentTeams.captainId} = ${userId} RETURNING ${tournamentTeams.id}`);
  return renewed.length > 0;
}

/**
 * Players whom a captain may ask by name: they have been in a team of a post together, or write to each other. A condition on
 * a player, an SQL expression.
 */
const knows = (playerId: SQL, userId: string) => sql`(
  EXISTS (
    SELECT 1 FROM ${conversationMembers} AS ${meRow}
      JOIN ${conversationMembers} AS ${them} ON ${them.conversationId} = ${meRow.conversationId}
    WHERE ${meRow.userId} = ${userId} AND ${them.userId} = ${playerId}
  ) OR EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${r} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
    WHERE ${r.userId} = ${playerId} AND ${r.state} = 'accepted' AND (${p.userId} = ${userId} OR EXISTS (
      SELECT 1 FROM ${joinRequests} AS ${mineJoinRequest}
      WHERE ${mineJoinRequest.postId} = ${p.id} AND ${mineJoinRequest.userId} = ${userId}
        AND ${mineJoinRequest.state} = 'accepted'
    ))
  ) OR EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${mineJoinRequest} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${mineJoinRequest.postId}
    WHERE ${mineJoinRequest.userId} = ${userId} AND ${mineJoinRequest.state} = 'accepted' AND ${p.userId} = ${playerId}
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
  const open = sql`(SELECT count(*) FROM ${tournamentInvitations} AS ${openRow}
    WHERE ${openRow.teamId} = ${teamRow.id})`;
  const { team, told, invitations } = await transact(db, {
    team: db.all<{ state: string; before: number }>(
      sql`SELECT ${t.state} AS state, ${open} AS before ${teamOfT(place)} AND ${teamRow.captainId} = ${userId}`,
    ),
    invite: db.run(sql`
      INSERT INTO ${tournamentInvitations} ${columnsOf(tournamentInvitations, "teamId", "userId", "createdAt")}
      SELECT ${teamRow.id}, ${askedUser.id}, ${now}
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      JOIN ${users} AS ${askedUser} ON ${askedUser.id} IN (${sql.join(
        playerIds.map((id) => sql`${id}`),
        sql`, `,
      )})
      WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${t.state} = 'open'
        AND ${teamRow.captainId} = ${userId}
        AND ${askedUser.id} <> ${userId} AND ${askedUser.suspendedAt} IS NULL AND ${askedUser.deletionDueAt} IS NULL
        AND ${isFree(sql`${askedUser.id}`)} AND ${knows(sql`${askedUser.id}`, userId)}
        AND NOT ${blockBetween(sql`${askedUser.id}`, userId)}
        AND ${t.teamSize} > 1 AND ${open} + ${playerIds.length} <= ${INVITATIONS_OPEN}
      ON CONFLICT DO NOTHING`),
    told: notify(db, {
      kind: "tournament-invitation",
      subject: sql`${teamSubject(tournamentId, teamId)}`,
      data: sql`json_object('team', to_tell.team, 'tournament', to_tell.tournament)`,
      recipients: sql`
        SELECT ${asked.userId} AS user_id, ${teamRow.name} AS team, ${t.title} AS tournament
        FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
        JOIN ${tournamentInvitations} AS ${asked} ON ${asked.teamId} = ${teamRow.id}
        WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${teamRow.captainId} = ${userId}
          AND ${asked.createdAt} = ${now}`,
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
  const isCaptain = sql`EXISTS (SELECT 1 ${teamOfT(place)} AND ${teamRow.captainId} = ${userId})`;
  const { own } = await transact(db, {
    own: db.all(sql`SELECT 1 ${teamOfT(place)} AND ${teamRow.captainId} = ${userId}`),
    forgetNews: forgetNews(
      db,
      sql`SELECT ${asked.userId} FROM ${tournamentInvitations} AS ${asked}
        WHERE ${asked.teamId} = ${teamId} AND ${asked.userId} = ${playerId} AND ${isCaptain}`,
      sql`${teamSubject(tournamentId, teamId)}`,
    ),
    takeBack: db.run(
      sql`DELETE FROM ${tournamentInvitations} WHERE ${tournamentInvitations.teamId} = ${teamId}
        AND ${tournamentInvitations.userId} = ${playerId} AND ${isCaptain}`,
    ),
  });
  return own.length > 0;
}
