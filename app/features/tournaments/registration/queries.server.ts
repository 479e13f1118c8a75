import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
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
      SELECT id, name, state, seed, place, last_place AS lastPlace, disqualification IS NOT NULL AS isDisqualified,
        checked_in_at AS checkedInAt,
        captain_id AS captainId, listed_at AS listedAt
      FROM tournament_teams WHERE tournament_id = ${tournamentId}`),
    db.all<{
      teamId: string;
      userId: string;
      isSubstitute: number;
      joinedAt: number;
      name: string;
      picture: string | null;
    }>(sql`
      SELECT p.team_id AS teamId, p.user_id AS userId, p.is_substitute AS isSubstitute, p.joined_at AS joinedAt,
        ${nameOf(sql`p.user_id`)} AS name, f.avatar_id AS picture
      FROM tournament_players AS p LEFT JOIN profiles AS f ON f.user_id = p.user_id
      WHERE p.tournament_id = ${tournamentId}`),
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
      SELECT team.id AS id, team.name AS name, team.state AS state, team.captain_id AS captainId,
        team.invite_token AS inviteToken, team.seed AS seed, team.place AS place,
        team.last_place AS lastPlace, json_extract(team.disqualification, '$.reason') AS disqualification,
        team.checked_in_at AS checkedInAt,
        EXISTS (
          SELECT 1 FROM tournament_invitations AS asked
          WHERE asked.team_id = team.id AND asked.user_id = ${userId ?? null}
        ) AS isInvited
      FROM tournament_teams AS team WHERE team.id = ${teamId} AND team.tournament_id = ${tournamentId}`),
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
    SELECT p.user_id AS userId, p.is_substitute AS isSubstitute, p.joined_at AS joinedAt,
      profiles.discord_tag AS discordTag, profiles.preferred_role AS preferredRole, ${summaryColumns}
    FROM tournament_players AS p LEFT JOIN profiles ON profiles.user_id = p.user_id WHERE p.team_id = ${teamId}`);
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
    SELECT asked.user_id AS userId, ${nameOf(sql`asked.user_id`)} AS name, f.current_rank AS rankAt
    FROM tournament_teams AS team JOIN tournament_invitations AS asked ON asked.team_id = team.id
    LEFT JOIN profiles AS f ON f.user_id = asked.user_id
    WHERE team.id = ${teamId} AND team.captain_id = ${captainId}`);
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
    SELECT f.user_id AS userId, ${nameOf(sql`f.user_id`)} AS name, f.current_rank AS rankAt
    FROM tournament_teams AS team CROSS JOIN tournaments AS t ON t.id = team.tournament_id
    CROSS JOIN profiles AS f ON f.user_id IN (
      SELECT them.user_id FROM (
        SELECT conversation_id FROM conversation_members
        WHERE user_id = ${captainId} ORDER BY listed_at DESC, conversation_id DESC LIMIT ${CONVERSATIONS}
      ) AS mine
      JOIN conversation_members AS them ON them.conversation_id = mine.conversation_id
      UNION ALL
      SELECT r.user_id FROM lfg_posts AS p JOIN join_requests AS r ON r.post_id = p.id AND r.state = 'accepted'
      WHERE p.user_id = ${captainId}
      UNION ALL
      SELECT p.user_id FROM join_requests AS own JOIN lfg_posts AS p ON p.id = own.post_id
      WHERE own.user_id = ${captainId} AND own.state = 'accepted'
      UNION ALL
      SELECT r.user_id FROM join_requests AS own
      JOIN join_requests AS r ON r.post_id = own.post_id AND r.state = 'accepted'
      WHERE own.user_id = ${captainId} AND own.state = 'accepted'
    )
    CROSS JOIN users ON users.id = f.user_id
    WHERE team.id = ${teamId} AND team.captain_id = ${captainId} AND t.id = ${tournamentId} AND t.state = 'open' AND t.team_size > 1
      AND f.user_id <> ${captainId} AND users.suspended_at IS NULL AND users.deletion_due_at IS NULL
      AND ${isFree(sql`f.user_id`)} AND NOT ${blockBetween(sql`f.user_id`, captainId)}
      AND NOT EXISTS (
        SELECT 1 FROM tournament_invitations AS asked WHERE asked.team_id = team.id AND asked.user_id = f.user_id
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
    SELECT s.user_id AS userId, s.role AS role, s.note AS note, ${summaryColumns}
    FROM tournament_seekers AS s JOIN users AS u ON u.id = s.user_id LEFT JOIN profiles ON profiles.user_id = s.user_id
    WHERE s.tournament_id = ${tournamentId} AND u.suspended_at IS NULL AND u.deletion_due_at IS NULL
      AND NOT ${userId ? blockBetween(sql`s.user_id`, userId) : sql`0`}
    ORDER BY s.created_at DESC LIMIT ${SEEKERS}`);
  return rows.map((row) => ({ ...readSummary(row), role: row.role, note: row.note }));
}

/** What a player says on that list; undefined when they are not on it. */
export async function findOwnSearch(
  db: Database,
  tournamentId: string,
  userId: string,
): Promise<{ role: Role | null; note: string | null } | undefined> {
  const [row] = await db.all<{ role: Role | null; note: string | null }>(sql`
    SELECT role, note FROM tournament_seekers WHERE tournament_id = ${tournamentId} AND user_id = ${userId}`);
  return row;
}

/** The team that a link leads to; undefined once the link was renewed, or for another tournament's. */
export async function findTeamByToken(db: Database, tournamentId: string, token: string) {
  const [row] = await db.all<{ id: string; name: string; members: string }>(sql`
    SELECT team.id AS id, team.name AS name, (
      SELECT json_group_array(${nameOf(sql`p.user_id`)}) FROM tournament_players AS p WHERE p.team_id = team.id
    ) AS members
    FROM tournament_teams AS team WHERE team.invite_token = ${token} AND team.tournament_id = ${tournamentId}`);
  return row && { ...row, members: JSON.parse(row.members) as string[] };
}

/** What a player's own team looks like: its banners, how many teams wait before it, and its next match. */
export async function findOwnPanel(db: Database, tournamentId: string, userId: string, now: Date) {
  const [[place], members, [match]] = await Promise.all([
    db.all<{ ahead: number }>(sql`
      SELECT (
        SELECT count(*) FROM tournament_teams AS ahead
        WHERE ahead.tournament_id = team.tournament_id AND ahead.state = 'waiting' AND ahead.listed_at < team.listed_at
      ) AS ahead
      FROM tournament_players AS me JOIN tournament_teams AS team ON team.id = me.team_id
      WHERE me.tournament_id = ${tournamentId} AND me.user_id = ${userId}`),
    db.all<{
      userId: string;
      name: string;
      picture: string | null;
      isSubstitute: number;
      joinedAt: number;
      presence: PresenceState | null;
      seenAt: number;
    }>(sql`
      SELECT p.user_id AS userId, ${nameOf(sql`p.user_id`)} AS name, f.avatar_id AS picture,
        p.is_substitute AS isSubstitute, p.joined_at AS joinedAt, here.state AS presence, here.seen_at AS seenAt
      FROM tournament_players AS me JOIN tournament_players AS p ON p.team_id = me.team_id
      LEFT JOIN profiles AS f ON f.user_id = p.user_id LEFT JOIN presence AS here ON here.user_id = p.user_id
      WHERE me.tournament_id = ${tournamentId} AND me.user_id = ${userId}`),
    // Without a match it is a row of nulls.
    db.all<NextMatchRow>(sql`
      SELECT min(m.id) AS id, m.part AS part, m.group_number AS "group", m.round AS round, m.rounds AS rounds,
        m.number AS number, m.state AS state, (
          SELECT other.name FROM tournament_teams AS other
          WHERE other.id = iif(m.team1_id = me.team_id, m.team2_id, m.team1_id)
        ) AS opponent
      FROM tournament_players AS me JOIN tournament_matches AS m
        ON m.tournament_id = me.tournament_id AND (m.team1_id = me.team_id OR m.team2_id = me.team_id)
      WHERE me.tournament_id = ${tournamentId} AND me.user_id = ${userId}
        AND m.state IN ('waiting', 'ready', 'reported', 'disputed')`),
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
    FROM tournament_players AS p CROSS JOIN tournaments AS t ON t.id = p.tournament_id
    CROSS JOIN tournament_teams AS team ON team.id = p.team_id
    WHERE p.user_id = ${userId} AND t.state IN ('running', 'finished') AND team.state = 'entered'`;
  const [tournaments, [counts]] = await Promise.all([
    db.all<PlayedTournament>(sql`
      SELECT t.id AS id, t.title AS title, t.state AS state, team.name AS team, team.place AS place,
        team.last_place AS lastPlace ${played}
      ORDER BY p.tournament_id DESC LIMIT ${PLAYED}`),
    db.all<{ played: number; won: number }>(sql`
      SELECT count(*) AS played, coalesce(sum(place = 1), 0) AS won
      FROM (SELECT team.place AS place ${played} ORDER BY p.tournament_id DESC LIMIT ${COUNTED})`),
  ]);
  return { tournaments, played: counts?.played ?? 0, won: counts?.won ?? 0 };
}
