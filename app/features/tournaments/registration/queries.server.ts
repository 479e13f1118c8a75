import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversationMembers,
  joinRequests,
  lfgPosts,
  presence,
  profiles,
  tournamentInvitations,
  tournamentMatches,
  tournamentPlayers,
  tournamentSeekers,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import type { TournamentState } from "#db/words/tournament-states";
import type { PresenceState } from "#party/wire/presence";
import { currentPresence } from "~/features/messages/rules";
import { blockBetween } from "~/features/messages/shared/blocks.server";
import { nameOf } from "~/features/players/shared/name.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import { type Rank, rankAt } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { matchName } from "../shared/match-names";
import { isFree } from "./conditions.server";
import type { TeamState } from "./rules";

const ahead = alias(tournamentTeams, "ahead");
const asked = alias(tournamentInvitations, "asked");
const f = alias(profiles, "f");
const here = alias(presence, "here");
const m = alias(tournamentMatches, "m");
const me = alias(tournamentPlayers, "me");
const other = alias(tournamentTeams, "other");
const own = alias(joinRequests, "own");
const p = alias(tournamentPlayers, "p");
const pLfgPost = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");
const s = alias(tournamentSeekers, "s");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");
const them = alias(conversationMembers, "them");
const u = alias(users, "u");

/** Players whom a captain may choose from; who is missing comes by the team's link. */
const ACQUAINTANCES = 30;
/** A captain's latest conversations, in which acquaintances are looked for. */
const CONVERSATIONS = 50;
/** Players on the list of those who look for a team. */
const SEEKERS = 50;
/** Tournaments on a player's page, and how many are counted. */
const PLAYED = 5;
const COUNTED = 100;

/** A team in the list of a tournament's teams. */
export interface ListedTeam {
  id: string;
  name: string;
  state: TeamState;
  seed: number | null;
  place: number | null;
  lastPlace: number | null;
  isDisqualified: boolean;
  isCheckedIn: boolean;
  hasCaptain: boolean;
  /** The captain first, then those who play. */
  members: string[];
  /** How many of them play. */
  starters: number;
  /** The pictures of those who play, in the same order. */
  pictures: (string | null)[];
}

/** All teams of a tournament: those with a place by their seed or by when they came, the others by when they came. */
export async function listTeams(db: Database, tournamentId: string): Promise<ListedTeam[]> {
  const [teams, players] = await Promise.all([
    db.all<{
      id: string;
      name: string;
      state: TeamState;
      seed: number | null;
      place: number | null;
      lastPlace: number | null;
      isDisqualified: number;
      checkedInAt: number | null;
      captainId: string | null;
      listedAt: number;
    }>(sql`
      SELECT ${tournamentTeams.id}, ${tournamentTeams.name}, ${tournamentTeams.state},
        ${tournamentTeams.seed}, ${tournamentTeams.place}, ${tournamentTeams.lastPlace} AS lastPlace,
        ${tournamentTeams.disqualification} IS NOT NULL AS isDisqualified,
        ${tournamentTeams.checkedInAt} AS checkedInAt,
        ${tournamentTeams.captainId} AS captainId, ${tournamentTeams.listedAt} AS listedAt
      FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${tournamentId}`),
    db.all<{
      teamId: string;
      userId: string;
      isSubstitute: number;
      joinedAt: number;
      name: string;
      picture: string | null;
    }>(sql`
      SELECT ${p.teamId} AS teamId, ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute, ${p.joinedAt} AS joinedAt,
        ${nameOf(sql`${p.userId}`)} AS name, ${f.avatarId} AS picture
      FROM ${tournamentPlayers} AS ${p} LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${p.userId}
      WHERE ${p.tournamentId} = ${tournamentId}`),
  ]);
  const byTeam = new Map<string, typeof players>();
  for (const player of players) {
    const team = byTeam.get(player.teamId);
    if (team) team.push(player);
    else byTeam.set(player.teamId, [player]);
  }
  return teams
    .sort((a, b) => (a.seed ?? Infinity) - (b.seed ?? Infinity) || a.listedAt - b.listedAt)
    .map(({ captainId, checkedInAt, listedAt: _, ...team }) => {
      const members = byTeam.get(team.id) ?? [];
      members.sort(
        (a, b) =>
          Number(b.userId === captainId) - Number(a.userId === captainId) ||
          a.isSubstitute - b.isSubstitute ||
          a.joinedAt - b.joinedAt,
      );
      const starters = members.filter(({ isSubstitute }) => !isSubstitute);
      return {
        ...team,
        isDisqualified: Boolean(team.isDisqualified),
        isCheckedIn: checkedInAt !== null,
        hasCaptain: captainId !== null,
        members: members.map(({ name }) => name),
        starters: starters.length,
        pictures: starters.map(({ picture }) => picture),
      };
    });
}

/** A player of a team. */
export interface Member extends PlayerSummary {
  role: Role | null;
  isSubstitute: boolean;
  isCaptain: boolean;
  /** How the team finds them elsewhere: for the team alone. */
  riotId: string | null;
  discordTag: string | null;
}

/** What the page of one team shows. */
export interface TeamDetails {
  id: string;
  name: string;
  state: TeamState;
  captainId: string | null;
  /** For the captain alone. */
  inviteToken: string | null;
  seed: number | null;
  place: number | null;
  lastPlace: number | null;
  /** Why it was disqualified. */
  disqualification: string | null;
  isCheckedIn: boolean;
  /** The captain first, then those who play. */
  members: Member[];
  /** The viewer was asked to join, and has not answered. */
  isInvited: boolean;
}

/** One team of a tournament, as a player or a visitor sees it; undefined when there is none. */
export async function findTeam(
  db: Database,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  userId: string | undefined,
): Promise<TeamDetails | undefined> {
  const [[team], players] = await Promise.all([
    db.all<
      Pick<
        TeamDetails,
        "id" | "name" | "state" | "captainId" | "inviteToken" | "seed" | "place" | "lastPlace" | "disqualification"
      > & {
        checkedInAt: number | null;
        isInvited: number;
      }
    >(sql`
      SELECT ${teamRow.id} AS id, ${teamRow.name} AS name, ${teamRow.state} AS state, ${teamRow.captainId} AS captainId,
        ${teamRow.inviteToken} AS inviteToken, ${teamRow.seed} AS seed, ${teamRow.place} AS place,
        ${teamRow.lastPlace} AS lastPlace, json_extract(${teamRow.disqualification}, '$.reason') AS disqualification,
        ${teamRow.checkedInAt} AS checkedInAt,
        EXISTS (
          SELECT 1 FROM ${tournamentInvitations} AS ${asked}
          WHERE ${asked.teamId} = ${teamRow.id} AND ${asked.userId} = ${userId ?? null}
        ) AS isInvited
      FROM ${tournamentTeams} AS ${teamRow} WHERE ${teamRow.id} = ${teamId}
        AND ${teamRow.tournamentId} = ${tournamentId}`),
    listMembers(db, teamId),
  ]);
  if (!team) return undefined;
  const isIn = players.some((player) => player.userId === userId);
  const members = players.map((player) => ({
    ...player,
    isCaptain: player.userId === team.captainId,
    ...(!isIn && { riotId: null, discordTag: null }),
  }));
  const { checkedInAt, isInvited, ...rest } = team;
  return {
    ...rest,
    inviteToken: userId !== undefined && team.captainId === userId ? team.inviteToken : null,
    isCheckedIn: checkedInAt !== null,
    members: members.sort((a, b) => Number(b.isCaptain) - Number(a.isCaptain)),
    isInvited: Boolean(isInvited),
  };
}

interface MemberRow extends SummaryRow {
  discordTag: string | null;
  preferredRole: Role | null;
  isSubstitute: number;
  joinedAt: number;
}

/** Who plays first, each in the order of coming. */
async function listMembers(db: Database, teamId: string): Promise<Omit<Member, "isCaptain">[]> {
  const rows = await db.all<MemberRow>(sql`
    SELECT ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute, ${p.joinedAt} AS joinedAt,
      ${profiles.discordTag} AS discordTag, ${profiles.preferredRole} AS preferredRole, ${summaryColumns}
    FROM ${tournamentPlayers} AS ${p} LEFT JOIN ${profiles} ON ${profiles.userId} = ${p.userId}
      WHERE ${p.teamId} = ${teamId}`);
  return rows
    .sort((a, b) => a.isSubstitute - b.isSubstitute || a.joinedAt - b.joinedAt)
    .map((row) => ({
      ...readSummary(row),
      role: row.preferredRole,
      isSubstitute: Boolean(row.isSubstitute),
      riotId: row.riotId,
      discordTag: row.discordTag,
    }));
}

/** Somebody who was asked, or may be. */
export interface Candidate {
  userId: string;
  name: string;
  rank: Rank | null;
}

/** Whom the captain of a team has asked, and who has not answered; nobody for others. */
export const listInvited = async (db: Database, teamId: string, captainId: string): Promise<Candidate[]> => {
  const rows = await db.all<{ userId: string; name: string; rankAt: number | null }>(sql`
    SELECT ${asked.userId} AS userId, ${nameOf(sql`${asked.userId}`)} AS name, ${f.currentRank} AS rankAt
    FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournamentInvitations} AS ${asked} ON ${asked.teamId} = ${teamRow.id}
    LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${asked.userId}
    WHERE ${teamRow.id} = ${teamId} AND ${teamRow.captainId} = ${captainId}`);
  return rows.map(({ rankAt: rank, ...row }) => ({ ...row, rank: rankAt(rank) }));
};

/**
 * Whom the captain of a team may ask by name: players they have been in a team of a post with, and those they write to, if
 * they are in no team of the tournament, and not asked yet. Nobody for others.
 */
export const listAcquaintances = async (
  db: Database,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  captainId: string,
): Promise<Candidate[]> => {
  const rows = await db.all<{ userId: string; name: string; rankAt: number | null }>(sql`
    SELECT ${f.userId} AS userId, ${nameOf(sql`${f.userId}`)} AS name, ${f.currentRank} AS rankAt
    FROM ${tournamentTeams} AS ${teamRow} CROSS JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
    CROSS JOIN ${profiles} AS ${f} ON ${f.userId} IN (
      SELECT ${them.userId} FROM (
        SELECT ${conversationMembers.conversationId} FROM ${conversationMembers}
        WHERE ${conversationMembers.userId} = ${captainId} ORDER BY ${conversationMembers.listedAt} DESC,
          ${conversationMembers.conversationId} DESC LIMIT ${CONVERSATIONS}
      ) AS mine
      JOIN ${conversationMembers} AS ${them} ON ${them.conversationId} = mine.conversation_id
      UNION ALL
      SELECT ${r.userId} FROM ${lfgPosts} AS ${pLfgPost} JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${pLfgPost.id}
        AND ${r.state} = 'accepted'
      WHERE ${pLfgPost.userId} = ${captainId}
      UNION ALL
      SELECT ${pLfgPost.userId} FROM ${joinRequests} AS ${own}
        JOIN ${lfgPosts} AS ${pLfgPost} ON ${pLfgPost.id} = ${own.postId}
      WHERE ${own.userId} = ${captainId} AND ${own.state} = 'accepted'
      UNION ALL
      SELECT ${r.userId} FROM ${joinRequests} AS ${own}
      JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${own.postId} AND ${r.state} = 'accepted'
      WHERE ${own.userId} = ${captainId} AND ${own.state} = 'accepted'
    )
    CROSS JOIN ${users} ON ${users.id} = ${f.userId}
    WHERE ${teamRow.id} = ${teamId} AND ${teamRow.captainId} = ${captainId} AND ${t.id} = ${tournamentId}
      AND ${t.state} = 'open' AND ${t.teamSize} > 1
      AND ${f.userId} <> ${captainId} AND ${users.suspendedAt} IS NULL AND ${users.deletionDueAt} IS NULL
      AND ${isFree(sql`${f.userId}`)} AND NOT ${blockBetween(sql`${f.userId}`, captainId)}
      AND NOT EXISTS (
        SELECT 1 FROM ${tournamentInvitations} AS ${asked} WHERE ${asked.teamId} = ${teamRow.id}
          AND ${asked.userId} = ${f.userId}
      )
    LIMIT ${ACQUAINTANCES}`);
  return rows
    .map(({ rankAt: rank, ...row }) => ({ ...row, rank: rankAt(rank) }))
    .sort((a, b) => a.name.localeCompare(b.name));
};

/** A player who looks for a team. */
export interface Seeker extends PlayerSummary {
  role: Role | null;
  note: string | null;
}

/** Who looks for a team in a tournament, the latest first; players with whom there is a block are left out. */
export async function listSeekers(db: Database, tournamentId: string, userId: string | undefined): Promise<Seeker[]> {
  const rows = await db.all<SummaryRow & { role: Role | null; note: string | null }>(sql`
    SELECT ${s.userId} AS userId, ${s.role} AS role, ${s.note} AS note, ${summaryColumns}
    FROM ${tournamentSeekers} AS ${s} JOIN ${users} AS ${u} ON ${u.id} = ${s.userId} LEFT
      JOIN ${profiles} ON ${profiles.userId} = ${s.userId}
    WHERE ${s.tournamentId} = ${tournamentId} AND ${u.suspendedAt} IS NULL AND ${u.deletionDueAt} IS NULL
      AND NOT ${userId ? blockBetween(sql`${s.userId}`, userId) : sql`0`}
    ORDER BY ${s.createdAt} DESC LIMIT ${SEEKERS}`);
  return rows.map((row) => ({ ...readSummary(row), role: row.role, note: row.note }));
}

/** What a player says on that list; undefined when they are not on it. */
export async function findOwnSearch(
  db: Database,
  tournamentId: string,
  userId: string,
): Promise<{ role: Role | null; note: string | null } | undefined> {
  const [row] = await db.all<{ role: Role | null; note: string | null }>(sql`
    SELECT ${tournamentSeekers.role}, ${tournamentSeekers.note} FROM ${tournamentSeekers}
      WHERE ${tournamentSeekers.tournamentId} = ${tournamentId} AND ${tournamentSeekers.userId} = ${userId}`);
  return row;
}

/** The team that a link leads to; undefined once the link was renewed, or for another tournament's. */
export async function findTeamByToken(db: Database, tournamentId: string, token: string) {
  const [row] = await db.all<{ id: string; name: string; members: string }>(sql`
    SELECT ${teamRow.id} AS id, ${teamRow.name} AS name, (
      SELECT json_group_array(${nameOf(sql`${p.userId}`)}) FROM ${tournamentPlayers} AS ${p}
      WHERE ${p.teamId} = ${teamRow.id}
    ) AS members
    FROM ${tournamentTeams} AS ${teamRow} WHERE ${teamRow.inviteToken} = ${token}
      AND ${teamRow.tournamentId} = ${tournamentId}`);
  return row && { ...row, members: JSON.parse(row.members) as string[] };
}

/** What a player's own team looks like: its banners, how many teams wait before it, and its next match. */
export async function findOwnPanel(db: Database, tournamentId: string, userId: string, now: Date) {
  const [[place], members, [match]] = await Promise.all([
    db.all<{ ahead: number }>(sql`
      SELECT (
        SELECT count(*) FROM ${tournamentTeams} AS ${ahead}
        WHERE ${ahead.tournamentId} = ${teamRow.tournamentId} AND ${ahead.state} = 'waiting'
          AND ${ahead.listedAt} < ${teamRow.listedAt}
      ) AS ahead
      FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentTeams} AS ${teamRow} ON ${teamRow.id} = ${me.teamId}
      WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId}`),
    db.all<{
      userId: string;
      name: string;
      picture: string | null;
      isSubstitute: number;
      joinedAt: number;
      presence: PresenceState | null;
      seenAt: number;
    }>(sql`
      SELECT ${p.userId} AS userId, ${nameOf(sql`${p.userId}`)} AS name, ${f.avatarId} AS picture,
        ${p.isSubstitute} AS isSubstitute, ${p.joinedAt} AS joinedAt, ${here.state} AS presence,
          ${here.seenAt} AS seenAt
      FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentPlayers} AS ${p} ON ${p.teamId} = ${me.teamId}
      LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${p.userId} LEFT
        JOIN ${presence} AS ${here} ON ${here.userId} = ${p.userId}
      WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId}`),
    // Without a match it is a row of nulls.
    db.all<NextMatchRow>(sql`
      SELECT min(${m.id}) AS id, ${m.part} AS part, ${m.group} AS "group", ${m.round} AS round, ${m.rounds} AS rounds,
        ${m.number} AS number, ${m.state} AS state, (
          SELECT ${other.name} FROM ${tournamentTeams} AS ${other}
          WHERE ${other.id} = iif(${m.team1} = ${me.teamId}, ${m.team2}, ${m.team1})
        ) AS opponent
      FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentMatches} AS ${m}
        ON ${m.tournamentId} = ${me.tournamentId} AND (${m.team1} = ${me.teamId} OR ${m.team2} = ${me.teamId})
      WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId}
        AND ${m.state} IN ('waiting', 'ready', 'reported', 'disputed')`),
  ]);
  return {
    ahead: place?.ahead ?? 0,
    players: members
      .filter(({ isSubstitute }) => !isSubstitute)
      .sort((a, b) => a.joinedAt - b.joinedAt)
      .map(({ userId: id, name, picture, presence: state, seenAt }) => {
        // Who looks at the page is there.
        const presence = id === userId ? "online" : currentPresence(state && { state, seenAt }, now.getTime());
        return { name, picture, presence: presence === "offline" ? ("none" as const) : presence };
      }),
    match:
      match?.id == null
        ? null
        : { id: match.id, name: matchName(match), opponent: match.opponent, isReady: match.state !== "waiting" },
  };
}

type NextMatchRow = Parameters<typeof matchName>[0] & { id: number | null; state: string; opponent: string | null };

export type OwnPanel = Awaited<ReturnType<typeof findOwnPanel>>;

/** A tournament that a player has played in, or plays in. */
export interface PlayedTournament {
  id: string;
  title: string;
  state: TournamentState;
  team: string;
  place: number | null;
  lastPlace: number | null;
}

/** The tournaments that a player has played in, the latest announced first, and how many there are and were won, to a hundred. */
export async function listPlayed(db: Database, userId: string) {
  const played = sql`
    FROM ${tournamentPlayers} AS ${p} CROSS JOIN ${tournaments} AS ${t} ON ${t.id} = ${p.tournamentId}
    CROSS JOIN ${tournamentTeams} AS ${teamRow} ON ${teamRow.id} = ${p.teamId}
    WHERE ${p.userId} = ${userId} AND ${t.state} IN ('running', 'finished') AND ${teamRow.state} = 'entered'`;
  const [shown, [counts]] = await Promise.all([
    db.all<PlayedTournament>(sql`
      SELECT ${t.id} AS id, ${t.title} AS title, ${t.state} AS state, ${teamRow.name} AS team,
        ${teamRow.place} AS place, ${teamRow.lastPlace} AS lastPlace ${played}
      ORDER BY ${p.tournamentId} DESC LIMIT ${PLAYED}`),
    db.all<{ played: number; won: number }>(sql`
      SELECT count(*) AS played, coalesce(sum(place = 1), 0) AS won
      FROM (SELECT ${teamRow.place} AS place ${played} ORDER BY ${p.tournamentId} DESC LIMIT ${COUNTED})`),
  ]);
  return { tournaments: shown, played: counts?.played ?? 0, won: counts?.won ?? 0 };
}
