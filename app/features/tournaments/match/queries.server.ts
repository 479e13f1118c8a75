import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, tournamentMatches, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import type { TournamentState } from "#db/words/tournament-states";
import type { Side } from "#party/wire/tournament-commands";
import { nameOf } from "~/features/players/shared/name.server";
import type { MapResult, MatchLength } from "~/game/scores";
import type { MatchState } from "../play/state";
import { organisedBy } from "../shared/access.server";
import { isShownTo } from "../shared/hide-tournament.server";
import { actingCaptain } from "../shared/lone-teams.server";
import { matchName, slotName } from "../shared/match-names";

const bye = alias(tournamentMatches, "bye");
const c = alias(conversationMembers, "c");
const chat = alias(tournamentMatches, "chat");
const m = alias(tournamentMatches, "m");
const one = alias(tournamentTeams, "one");
const p = alias(tournamentPlayers, "p");
const s = alias(tournamentMatches, "s");
const t = alias(tournaments, "t");
const two = alias(tournamentTeams, "two");

/** One of a match's two teams. */
export interface MatchTeam {
  id: string;
  name: string;
  seed: number | null;
  /** The player who acts for the team (`actingCaptain`); null if nobody does. */
  captain: { id: string; name: string } | null;
  isDisqualified: boolean;
}

/** A match with its two teams, and the viewer's relation to it. */
export interface Match extends MatchLength {
  id: number;
  tournament: {
    id: string;
    title: string;
    state: TournamentState;
    teamSize: number;
    date: Date;
    /** Null once the account is gone. */
    hostName: string | null;
    /** Only organisers can open a match of a hidden tournament. */
    isHidden: boolean;
  };
  name: string;
  state: MatchState;
  /** Null while the team isn't known, and for a bye. */
  teams: [MatchTeam | null, MatchTeam | null];
  /** Where each team comes from, such as "Winner of semi-final 2"; null if no match decides it. */
  slots: [string | null, string | null];
  score: [number, number] | null;
  winner: Side | null;
  forfeit: Side | null;
  readyAt: Date | null;
  deadlineAt: Date | null;
  checkedInAt: [Date | null, Date | null];
  reporter: Side | null;
  report: MapResult[] | null;
  reportedAt: Date | null;
  confirmBy: Date | null;
  disputer: Side | null;
  dispute: string | null;
  maps: MapResult[] | null;
  finishedAt: Date | null;
  hasChat: boolean;
  /** Valid only once the session has been verified. */
  viewer: { isOrganiser: boolean; side: Side | null; isCaptain: boolean; isInChat: boolean };
}

type TeamColumns = Record<`${"id" | "name" | "captainId" | "captainName"}${1 | 2}`, string | null>;

type MatchRow = typeof tournamentMatches.$inferSelect;
type SourceColumns = Pick<MatchRow, "part" | "group" | "round" | "rounds" | "number">;

interface MatchColumns
  extends TeamColumns,
    SourceColumns,
    MatchLength,
    Pick<
      MatchRow,
      | "id"
      | "state"
      | "score1"
      | "score2"
      | "winner"
      | "forfeit"
      | "reporter"
      | "disputer"
      | "dispute"
      | "conversationId"
    >,
    Pick<typeof tournaments.$inferSelect, "title" | "teamSize"> {
  tournamentState: TournamentState;
  date: number;
  hostName: string | null;
  isHidden: number;
  isOrganiser: number;
  ownTeam: string | null;
  isInChat: number;
  seed1: number | null;
  seed2: number | null;
  isDisqualified1: number;
  isDisqualified2: number;
  source1: string | null;
  source2: string | null;
  readyAt: number | null;
  deadlineAt: number | null;
  checkedIn1: number | null;
  checkedIn2: number | null;
  report: string | null;
  reportedAt: number | null;
  confirmBy: number | null;
  maps: string | null;
  finishedAt: number | null;
}

/** SQL condition that `match` is the match named by `source`: `W12` and `L12` both name match 12. */
const isSource = (match: SQL, source: SQL): SQL => sql`
  ${match}.tournament_id = ${m.tournamentId} AND ${match}.id = CAST(substr(${source}, 2) AS INTEGER)`;

/** A side's source. If the source is a bye, which isn't played, the source of the bye's only team counts instead. */
const pastBye = (source: SQL): SQL => sql`(
  SELECT iif(${bye.state} = 'bye', coalesce(${bye.source1}, ${bye.source2}), ${source})
    FROM ${tournamentMatches} AS ${bye}
  WHERE ${isSource(sql`bye`, source)}
)`;

/** The match that a side's team comes from, as JSON; null if no match decides it. */
const sourceOf = (source: SQL): SQL => sql`(
  SELECT json_object(
    'outcome', iif(${pastBye(source)} LIKE 'L%', 'loser', 'winner'), 'part', ${s.part}, 'group', ${s.group},
    'round', ${s.round}, 'rounds', ${s.rounds}, 'number', ${s.number}
  ) FROM ${tournamentMatches} AS ${s} WHERE ${isSource(sql`s`, pastBye(source))}
)`;

/**
 * Finds a match; undefined if there is none.
 * @param userId the viewer, as claimed by the session
 */
export async function findMatch(
  db: Database,
  tournamentId: string,
  matchId: number,
  userId: string | null,
): Promise<Match | undefined> {
  const [row] = await db.all<MatchColumns>(sql`
    SELECT ${m.id} AS id, ${t.title} AS title, ${t.state} AS tournamentState,
      ${t.teamSize} AS teamSize, ${t.tournamentDate} AS date,
      ${nameOf(sql`${t.userId}`)} AS hostName, ${t.hiddenAt} IS NOT NULL AS isHidden,
      ${organisedBy(userId, t)} AS isOrganiser,
      (SELECT ${p.teamId} FROM ${tournamentPlayers} AS ${p} WHERE ${p.tournamentId} = ${t.id}
        AND ${p.userId} = ${userId}) AS ownTeam,
      EXISTS (
        SELECT 1 FROM ${conversationMembers} AS ${c} WHERE ${c.conversationId} = ${m.conversationId}
          AND ${c.userId} = ${userId}
      ) AS isInChat,
      ${m.part} AS part, ${m.group} AS "group", ${m.round} AS round, ${m.rounds} AS rounds, ${m.number} AS number,
      ${m.bestOf} AS bestOf, ${m.advantage} AS advantage, ${m.state} AS state,
        ${sourceOf(sql`${m.source1}`)} AS source1, ${sourceOf(sql`${m.source2}`)} AS source2,
      ${m.score1} AS score1, ${m.score2} AS score2, ${m.winner} AS winner,
        ${m.forfeit} AS forfeit, ${m.readyAt} AS readyAt,
      ${m.deadlineAt} AS deadlineAt, ${m.checkedIn1} AS checkedIn1, ${m.checkedIn2} AS checkedIn2,
      ${m.reporter} AS reporter, ${m.report} AS report, ${m.reportedAt} AS reportedAt, ${m.confirmBy} AS confirmBy,
      ${m.disputer} AS disputer, ${m.dispute} AS dispute, ${m.maps} AS maps, ${m.finishedAt} AS finishedAt,
      ${m.conversationId} AS conversationId,
      ${one.id} AS id1, ${one.name} AS name1, ${one.seed} AS seed1, ${actingCaptain(one)} AS captainId1,
      ${nameOf(actingCaptain(one))} AS captainName1, ${one.disqualification} IS NOT NULL AS isDisqualified1,
      ${two.id} AS id2, ${two.name} AS name2, ${two.seed} AS seed2, ${actingCaptain(two)} AS captainId2,
      ${nameOf(actingCaptain(two))} AS captainName2, ${two.disqualification} IS NOT NULL AS isDisqualified2
    FROM ${tournamentMatches} AS ${m}
    JOIN ${tournaments} AS ${t} ON ${t.id} = ${m.tournamentId} AND ${isShownTo(userId, sql`${t.id}`)}
    LEFT JOIN ${tournamentTeams} AS ${one} ON ${one.id} = ${m.team1}
    LEFT JOIN ${tournamentTeams} AS ${two} ON ${two.id} = ${m.team2}
    WHERE ${m.tournamentId} = ${tournamentId} AND ${m.id} = ${matchId}`);
  return row && matchOf(row, tournamentId, userId);
}

function matchOf(row: MatchColumns, tournamentId: string, userId: string | null): Match {
  const teams: Match["teams"] = [teamOf(row, 1), teamOf(row, 2)];
  const side = row.ownTeam === null ? null : row.ownTeam === row.id1 ? 1 : row.ownTeam === row.id2 ? 2 : null;
  const toDate = (at: number | null) => (at === null ? null : new Date(at));
  const maps = (json: string | null) => (json === null ? null : (JSON.parse(json) as MapResult[]));
  return {
    id: row.id,
    tournament: {
      id: tournamentId,
      title: row.title,
      state: row.tournamentState,
      teamSize: row.teamSize,
      date: new Date(row.date),
      hostName: row.hostName,
      isHidden: Boolean(row.isHidden),
    },
    name: matchName(row),
    bestOf: row.bestOf,
    advantage: row.advantage,
    state: row.state,
    teams,
    slots: [slotOf(row.source1), slotOf(row.source2)],
    score: row.score1 === null || row.score2 === null ? null : [row.score1, row.score2],
    winner: row.winner,
    forfeit: row.forfeit,
    readyAt: toDate(row.readyAt),
    deadlineAt: toDate(row.deadlineAt),
    checkedInAt: [toDate(row.checkedIn1), toDate(row.checkedIn2)],
    reporter: row.reporter,
    report: maps(row.report),
    reportedAt: toDate(row.reportedAt),
    confirmBy: toDate(row.confirmBy),
    disputer: row.disputer,
    dispute: row.dispute,
    maps: maps(row.maps),
    finishedAt: toDate(row.finishedAt),
    hasChat: row.conversationId !== null,
    viewer: {
      isOrganiser: Boolean(row.isOrganiser),
      side,
      isCaptain: side !== null && teams[side - 1]?.captain?.id === userId,
      isInChat: Boolean(row.isInChat),
    },
  };
}

function teamOf(row: MatchColumns, side: Side): MatchTeam | null {
  const id = row[`id${side}`];
  const name = row[`name${side}`];
  const captainId = row[`captainId${side}`];
  if (id === null || name === null) return null;
  return {
    id,
    name,
    seed: row[`seed${side}`],
    captain: captainId === null ? null : { id: captainId, name: row[`captainName${side}`] ?? "" },
    isDisqualified: Boolean(row[`isDisqualified${side}`]),
  };
}

function slotOf(json: string | null): string | null {
  if (json === null) return null;
  const { outcome, ...source } = JSON.parse(json) as SourceColumns & { outcome: "winner" | "loser" };
  return slotName({ from: { match: 0, outcome } }, source);
}

/** The id of a match's conversation, as a subquery. */
export const chatOf = (tournamentId: string, matchId: number): SQL => sql`(
  SELECT ${chat.conversationId} FROM ${tournamentMatches} AS ${chat}
  WHERE ${chat.tournamentId} = ${tournamentId} AND ${chat.id} = ${matchId}
)`;
