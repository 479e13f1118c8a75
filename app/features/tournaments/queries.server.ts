import { and, asc, desc, eq, getTableColumns, gt, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentOrganisers, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { nameColumns } from "~/features/players/shared/name.server";
import { WAITING_TEAMS } from "./registration/rules";
import { isHostAway } from "./shared/access.server";
import { actingCaptain } from "./shared/lone-teams.server";
import { termsOf } from "./terms.server";

const own = alias(tournamentPlayers, "own");
const ownTeam = alias(tournamentTeams, "own_team");
const self = alias(tournamentPlayers, "self");

/** The columns of a tournament for its card. */
export const cardColumns = {
  id: tournaments.id,
  title: tournaments.title,
  state: tournaments.state,
  tournamentDate: tournaments.tournamentDate,
  registrationDeadline: tournaments.registrationDeadline,
  checkInMinutes: tournaments.checkInMinutes,
  entryFee: tournaments.entryFee,
  prizePool: tournaments.prizePool,
  currentParticipants: tournaments.currentParticipants,
  maxParticipants: tournaments.maxParticipants,
  teamSize: tournaments.teamSize,
  minRank: tournaments.minRank,
  maxRank: tournaments.maxRank,
};

/** The name of the team that won. */
export const winner = sql<string | null>`(
  SELECT winners.name FROM tournament_teams AS winners WHERE winners.id = tournaments.winner_team_id
)`.as("winner");

/**
 * A player's part in a tournament: the state of their team, or `here` once it has checked in. The statement that
 * contains it must join another table: only then does Drizzle write the table's name before each column.
 */
export const entryOf = (userId: string) =>
  sql<"entered" | "here" | "waiting" | "absent" | null>`(
    SELECT iif(${ownTeam.state} = 'entered' AND ${ownTeam.checkedInAt} IS NOT NULL, 'here', ${ownTeam.state})
    FROM ${tournamentPlayers} AS ${self} JOIN ${tournamentTeams} AS ${ownTeam} ON ${ownTeam.id} = ${self.teamId}
    WHERE ${self.tournamentId} = ${tournaments.id} AND ${self.userId} = ${userId}
  )`.as("entry");

/** The number of teams on a tournament's waiting list, counted up to its limit. */
const waitingTeams = sql<number>`(
  SELECT count(*) FROM (
    SELECT 1 FROM tournament_teams AS listed
    WHERE listed.tournament_id = tournaments.id AND listed.state = 'waiting' LIMIT ${WAITING_TEAMS}
  )
)`.as("waiting_teams");

export type TournamentCardRow = Awaited<ReturnType<typeof listUpcoming>>[number];
export type TournamentRow = Awaited<ReturnType<typeof findTournament>> & {};

/**
 * Returns one tournament with its host and the viewer's part in it; undefined if there is none, or if moderators have
 * hidden it and the viewer doesn't organise it.
 * @param userId the player, as the session cookie claims: `viewer` in the result is reliable only once the session is
 * verified
 */
export async function findTournament(db: Database, id: string, userId: string | undefined) {
  const [tournament, coOrganisers, team] = await Promise.all([
    db
      .select({
        ...getTableColumns(tournaments),
        winner,
        waitingTeams,
        terms: termsOf(tournaments).as("terms"),
        isHostAway: isHostAway.mapWith(Boolean),
        host: nameColumns,
      })
      .from(tournaments)
      .leftJoin(profiles, eq(profiles.userId, tournaments.userId))
      .where(eq(tournaments.id, id))
      .get(),
    db
      .select({ userId: tournamentOrganisers.userId })
      .from(tournamentOrganisers)
      .where(eq(tournamentOrganisers.tournamentId, id)),
    userId ? findOwnTeam(db, id, userId) : undefined,
  ]);
  if (!tournament) return undefined;
  const isHost = userId !== undefined && tournament.userId === userId;
  const isCoOrganiser = coOrganisers.some((organiser) => organiser.userId === userId);
  if (tournament.hiddenAt !== null && !isHost && !isCoOrganiser) return undefined;
  return {
    ...tournament,
    viewer: {
      isHost,
      isOrganiser: isHost || isCoOrganiser,
      /** Whether the player is the host, or a co-organiser while the host is away (`isHostAway`). */
      isInCharge: isHost || (tournament.isHostAway && isCoOrganiser),
      /** The team that the player is in, if any. */
      team: team ?? null,
    },
  };
}

/** Reads the player's team in a tournament; undefined if they are in none. */
function findOwnTeam(db: Database, tournamentId: string, userId: string) {
  return db
    .select({
      id: tournamentTeams.id,
      name: tournamentTeams.name,
      isCaptain: sql<boolean>`${actingCaptain(tournamentTeams)} IS ${userId}`.mapWith(Boolean),
      isSubstitute: tournamentPlayers.isSubstitute,
      state: tournamentTeams.state,
      seed: tournamentTeams.seed,
      place: tournamentTeams.place,
      lastPlace: tournamentTeams.lastPlace,
      isDisqualified: sql<boolean>`${tournamentTeams.disqualification} IS NOT NULL`.mapWith(Boolean),
      checkedInAt: tournamentTeams.checkedInAt,
    })
    .from(tournamentPlayers)
    .innerJoin(tournamentTeams, eq(tournamentTeams.id, tournamentPlayers.teamId))
    .where(and(eq(tournamentPlayers.tournamentId, tournamentId), eq(tournamentPlayers.userId, userId)))
    .get();
}

/** Maximum number of tournaments in the sitemap. */
const SHARED = 500;

/**
 * True for tournaments that may be listed, as far as their host is concerned. Moderators' hiding (`hiddenAt`) is a
 * separate condition. A literal, not a parameter, so that SQLite uses the partial indexes.
 */
export const LISTED = sql`${tournaments.isListed} = 1`;

/**
 * True unless the player has blocked the tournament's host. Players who take part still see the tournament, because
 * they need its page.
 */
export const isShownDespiteBlocks = (userId: string) => sql`(
  NOT ${hasBlocked(userId, sql`${tournaments.userId}`)} OR EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${own}
    WHERE ${own.tournamentId} = ${tournaments.id} AND ${own.userId} = ${userId}
  )
)`;

/** Lists the newest tournaments for the sitemap, without cancelled ones, each with the time of its last change. */
export function listShared(db: Database) {
  const newest = db
    .select({ id: tournaments.id, updatedAt: tournaments.updatedAt, state: tournaments.state })
    .from(tournaments)
    .where(and(LISTED, isNull(tournaments.hiddenAt)))
    .orderBy(desc(tournaments.id))
    .limit(SHARED)
    .as("newest");
  return db.select({ id: newest.id, updatedAt: newest.updatedAt }).from(newest).where(ne(newest.state, "cancelled"));
}

/**
 * Lists tournaments open for registration, those whose registration closes first at the top. Leaves out those of hosts
 * whom the viewer has blocked (`isShownDespiteBlocks`).
 */
export function listUpcoming(db: Database, now: Date, limit: number, viewerId = "") {
  return db
    .select({ ...cardColumns, winner, entry: entryOf(viewerId), host: nameColumns })
    .from(tournaments)
    .leftJoin(profiles, eq(profiles.userId, tournaments.userId))
    .where(
      and(
        LISTED,
        sql`state = 'open'`,
        isNull(tournaments.hiddenAt),
        gt(tournaments.registrationDeadline, now),
        isShownDespiteBlocks(viewerId),
      ),
    )
    .orderBy(asc(tournaments.registrationDeadline), asc(tournaments.id))
    .limit(limit);
}
