import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  profiles,
  tournamentBrackets,
  tournamentMatches,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { rankAt } from "~/game/ranks";
import type { Snapshot } from "../bracket/snapshot";
import type { MatchLengths } from "../format/stages";
import { actingCaptain } from "../shared/lone-teams.server";
import { list, MATCH_COLUMNS, MATCH_FIELDS } from "./match-sql.server";
import type { PlayMatch, PlayState, PlayTeam } from "./state";

const f = alias(profiles, "f");
const p = alias(tournamentPlayers, "p");

/**
 * Reads the state for a tournament's room, in one round trip; null if there is no such tournament, or while it is
 * hidden, because nobody may play then.
 */
export async function loadPlay(db: Database, tournamentId: string): Promise<PlayState | null> {
  const [[tournament], coOrganisers, teams, players, matches, [bracket]] = await Promise.all([
    db.all<TournamentColumns>(sql`
      SELECT ${tournaments.userId} AS hostId, ${tournaments.version}, ${tournaments.title},
        ${tournaments.state}, ${tournaments.format}, ${tournaments.teamSize} AS teamSize,
        ${tournaments.maxParticipants} AS maxParticipants,
          ${tournaments.bestOf} AS bestOf, ${tournaments.quarterBestOf} AS quarterBestOf,
          ${tournaments.semiBestOf} AS semiBestOf,
        ${tournaments.lowerFinalBestOf} AS lowerFinalBestOf,
          ${tournaments.finalBestOf} AS finalBestOf, ${tournaments.grandFinal} AS grandFinal,
        ${tournaments.groupSize} AS groupSize, ${tournaments.thirdPlace} AS thirdPlace,
        ${tournaments.checkInMinutes} AS checkInMinutes,
          ${tournaments.seeding}, ${tournaments.tieBreaks} AS tieBreaks, ${tournaments.lastTieBreak} AS lastTieBreak,
        ${tournaments.registrationDeadline} AS registrationDeadline, ${tournaments.tournamentDate} AS tournamentDate,
        ${tournaments.winnerTeamId} AS winnerTeamId
      FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.hiddenAt} IS NULL`),
    db.all<{ userId: string }>(
      sql`SELECT ${tournamentOrganisers.userId} AS userId FROM ${tournamentOrganisers}
        WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId}`,
    ),
    db.all<Omit<PlayTeam, "members" | "disqualification"> & { disqualification: string | null }>(sql`
      SELECT ${tournamentTeams.id}, ${tournamentTeams.name}, ${actingCaptain(tournamentTeams)} AS captainId,
        ${tournamentTeams.state},
        ${tournamentTeams.listedAt} AS listedAt, ${tournamentTeams.checkedInAt} AS checkedInAt,
        ${tournamentTeams.seed}, ${tournamentTeams.place},
        ${tournamentTeams.lastPlace} AS lastPlace, ${tournamentTeams.disqualification}
      FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${tournamentId}`),
    db.all<
      Pick<typeof tournamentPlayers.$inferSelect, "teamId" | "userId"> & {
        isSubstitute: number;
        isVerified: number;
        rank: number | null;
      }
    >(sql`
      SELECT ${p.teamId} AS teamId, ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute,
        ${f.riotVerifiedAt} IS NOT NULL AS isVerified, ${f.currentRank} AS rank
      FROM ${tournamentPlayers} AS ${p} LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${p.userId}
      WHERE ${p.tournamentId} = ${tournamentId}`),
    db.all<Record<keyof PlayMatch, string | number | null>>(
      sql`SELECT ${matchColumns} FROM ${tournamentMatches} WHERE ${tournamentMatches.tournamentId} = ${tournamentId}
        ORDER BY ${tournamentMatches.id}`,
    ),
    db.all<{ snapshot: string }>(sql`SELECT ${tournamentBrackets.snapshot} FROM ${tournamentBrackets}
      WHERE ${tournamentBrackets.tournamentId} = ${tournamentId}`),
  ]);
  if (!tournament) return null;
  const { hostId, ...rest } = tournament;
  const members = new Map<string, PlayTeam["members"]>();
  for (const { teamId, userId, isSubstitute, isVerified, rank } of players) {
    const team = members.get(teamId) ?? [];
    members.set(teamId, team);
    team.push({
      userId,
      isSubstitute: Boolean(isSubstitute),
      isVerified: Boolean(isVerified),
      rank: rankAt(rank),
    });
  }
  return {
    ...rest,
    tournamentId,
    organisers: [...new Set([...(hostId ? [hostId] : []), ...coOrganisers.map(({ userId }) => userId)])],
    teams: teams.map((team) => ({
      ...team,
      disqualification: team.disqualification === null ? null : JSON.parse(team.disqualification),
      members: members.get(team.id) ?? [],
    })),
    matches: matches.map(readMatch),
    snapshot: bracket ? (JSON.parse(bracket.snapshot) as Snapshot) : null,
  };
}

type TournamentColumns = Pick<
  PlayState,
  | "version"
  | "title"
  | "state"
  | "format"
  | "teamSize"
  | "maxParticipants"
  | keyof MatchLengths
  | "groupSize"
  | "thirdPlace"
  | "checkInMinutes"
  | "seeding"
  | "tieBreaks"
  | "lastTieBreak"
  | "registrationDeadline"
  | "tournamentDate"
  | "winnerTeamId"
> & { hostId: string | null };

const matchColumns = list(MATCH_FIELDS.map((field) => sql`${MATCH_COLUMNS[field]} AS ${sql.identifier(field)}`));

function readMatch(row: Record<keyof PlayMatch, string | number | null>): PlayMatch {
  const json = (value: string | number | null) => (value === null ? null : JSON.parse(String(value)));
  return { ...row, report: json(row.report), maps: json(row.maps) } as PlayMatch;
}
