import { and, inArray, isNull, sql } from "drizzle-orm";
import { HOUR } from "../../app/platform/dates/durations";
import type { Database } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { profiles, tournamentPlayers, tournaments, tournamentTeams, users } from "../../db/schema";
import type { Format } from "../../db/words/tournament-formats";

/** A team as it was added to the database. */
export interface AddedTeam {
  id: string;
  name: string;
  captainId: string;
}

export interface AddedTournament {
  id: string;
  hostId: string;
  teams: AddedTeam[];
}

/**
 * Adds a tournament. Unless the options say otherwise, its registration is over and a team needs one player. Each team
 * has checked in and consists of its captain, who has a verified account.
 */
export async function addTournament(
  db: Database,
  {
    teams: count,
    format = "single_elimination",
    captains = [],
    isListed = true,
    ...tournament
  }: Partial<typeof tournaments.$inferInsert> & {
    teams: number;
    format?: Format;
    /** Players who captain the first teams; the other teams get new players as captains. */
    captains?: readonly string[];
  },
): Promise<AddedTournament> {
  const now = new Date();
  const id = uuidv7();
  const hostId = tournament.userId ?? uuidv7();
  const teams = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    name: `Team ${index + 1}`,
    captainId: captains[index] ?? uuidv7(),
  }));
  const players = [
    ...(tournament.userId ? [] : [hostId]),
    ...teams.slice(captains.length).map(({ captainId }) => captainId),
  ];
  if (players.length > 0) {
    await db.batch([
      db.insert(users).values(
        players.map((player) => ({
          id: player,
          email: `${player}@lineup.test`,
          passwordHash: "none",
          createdAt: now,
        })),
      ),
      db.insert(profiles).values(players.map((userId) => ({ userId, riotGameName: userId.slice(-8), updatedAt: now }))),
    ]);
  }
  if (teams.length > 0) {
    await verifyAccounts(
      db,
      teams.map(({ captainId }) => captainId),
    );
  }
  await db.insert(tournaments).values({
    id,
    title: "Night Cup",
    description: "An evening of it.",
    entryFee: 0,
    prizePool: 0,
    maxParticipants: 256,
    currentParticipants: count,
    teamSize: 1,
    bestOf: 1,
    finalBestOf: 1,
    groupSize: 8,
    checkInMinutes: 30,
    seeding: "manual",
    tournamentDate: new Date(now.getTime() + HOUR / 4),
    registrationDeadline: new Date(now.getTime() - HOUR),
    timeZone: "UTC",
    createdAt: now,
    updatedAt: now,
    ...tournament,
    userId: hostId,
    isListed,
    format,
  });
  if (teams.length === 0) return { id, hostId, teams };
  await db.batch([
    db.insert(tournamentTeams).values(
      teams.map((team, index) => ({
        ...team,
        tournamentId: id,
        nameKey: team.name.toLowerCase(),
        inviteToken: team.id,
        state: "entered" as const,
        listedAt: new Date(now.getTime() - HOUR * 2 + index),
        checkedInAt: now,
        seed: index + 1,
        createdAt: now,
      })),
    ),
    db
      .insert(tournamentPlayers)
      .values(teams.map((team) => ({ tournamentId: id, userId: team.captainId, teamId: team.id, joinedAt: now }))),
  ]);
  return { id, hostId, teams };
}

/** Marks the players' Riot accounts as verified, unless they already are. */
export const verifyAccounts = (db: Database, userIds: readonly string[]) =>
  db
    .update(profiles)
    .set({ riotPuuid: sql`user_id`, riotVerifiedAt: new Date() })
    .where(and(inArray(profiles.userId, [...userIds]), isNull(profiles.riotVerifiedAt)));
