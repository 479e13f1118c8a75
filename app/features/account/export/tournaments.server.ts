import { and, desc, eq, getTableColumns, gt, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import {
  calendarFeeds,
  tournamentEvents,
  tournamentInvitations,
  tournamentOrganisers,
  tournamentPlayers,
  tournamentSeekers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { isShownTo, REMOVED_TOURNAMENT } from "~/features/tournaments/shared/hide-tournament.server";
import { actingCaptain } from "~/features/tournaments/shared/lone-teams.server";
import { PAGE_SIZE, paginate } from "./pages.server";

/** Exports the tournament teams that the player is or was in. */
export async function* listTournamentTeams(db: Database, userId: string) {
  const { tournamentId, isSubstitute, joinedAt } = tournamentPlayers;
  const { id: teamId, name: team, state, place, lastPlace, disqualification } = tournamentTeams;
  const isShown = isShownTo(userId, sql`${tournamentId}`);
  yield* paginate<{ tournamentId: string }>((last) =>
    db
      .select({
        tournamentId,
        title: sql<string>`iif(${isShown}, ${tournaments.title}, ${REMOVED_TOURNAMENT})`,
        teamId,
        team,
        isCaptain: sql<boolean>`${actingCaptain(tournamentTeams)} IS ${userId}`.mapWith(Boolean),
        state,
        place,
        lastPlace,
        // The reason is part of what was hidden.
        disqualification:
          sql`iif(${isShown}, ${disqualification}, json_remove(${disqualification}, '$.reason'))`.mapWith(
            disqualification,
          ),
        isSubstitute,
        joinedAt,
      })
      .from(tournamentPlayers)
      .innerJoin(tournamentTeams, eq(teamId, tournamentPlayers.teamId))
      .innerJoin(tournaments, eq(tournaments.id, tournamentId))
      .where(and(eq(tournamentPlayers.userId, userId), last && lt(tournamentId, last.tournamentId)))
      .orderBy(desc(tournamentId))
      .limit(PAGE_SIZE),
  );
}

export async function* listTournamentInvitations(db: Database, userId: string) {
  const { teamId, createdAt } = tournamentInvitations;
  yield* await db
    .select({ teamId, team: tournamentTeams.name, createdAt })
    .from(tournamentInvitations)
    .innerJoin(tournamentTeams, eq(tournamentTeams.id, teamId))
    .where(eq(tournamentInvitations.userId, userId))
    .limit(PAGE_SIZE);
}

/** Exports the tournaments in which the player is looking for a team. */
export async function* listTournamentSearches(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(tournamentSeekers);
  yield* await db.select(columns).from(tournamentSeekers).where(eq(tournamentSeekers.userId, userId)).limit(PAGE_SIZE);
}

export async function* listHosted(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(tournaments);
  yield* paginate<{ id: string }>((last) =>
    db
      .select(columns)
      .from(tournaments)
      .where(and(eq(tournaments.userId, userId), gt(tournaments.id, last?.id ?? "")))
      .orderBy(tournaments.id)
      .limit(PAGE_SIZE),
  );
}

/** Exports the tournaments that someone else hosts and the player helps to organise. */
export async function* listOrganised(db: Database, userId: string) {
  const { tournamentId, addedAt } = tournamentOrganisers;
  yield* paginate<{ tournamentId: string }>((last) =>
    db
      .select({ tournamentId, title: tournaments.title, addedAt })
      .from(tournamentOrganisers)
      .innerJoin(tournaments, eq(tournaments.id, tournamentId))
      .where(and(eq(tournamentOrganisers.userId, userId), gt(tournamentId, last?.tournamentId ?? "")))
      .orderBy(tournamentId)
      .limit(PAGE_SIZE),
  );
}

/** Exports the player's actions from the logs of tournaments, with the texts that they wrote in disputes. */
export async function* listTournamentActions(db: Database, userId: string) {
  const { id, tournamentId, matchId, action, details, createdAt } = tournamentEvents;
  const place = sql<number>`tournament_events.rowid`;
  const rows = paginate<{ place: number }>((last) =>
    db
      .select({ place, id, tournamentId, matchId, action, details, createdAt })
      .from(tournamentEvents)
      .where(and(eq(tournamentEvents.actorId, userId), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE_SIZE),
  );
  for await (const { place: _, ...action } of rows) yield action;
}

/**
 * Finds when the player's calendar address was created. The address itself gives access to the feed, so it isn't
 * exported.
 */
export function findCalendar(db: Database, userId: string) {
  const { createdAt } = calendarFeeds;
  return db.select({ createdAt }).from(calendarFeeds).where(eq(calendarFeeds.userId, userId)).get();
}
