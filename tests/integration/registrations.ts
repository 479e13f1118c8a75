import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { uuidv7 } from "../../db/ids";
import { notifications, tournamentPlayers, tournaments, tournamentTeams } from "../../db/schema";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { addTournament } from "../support/tournaments";
import { DAY, HOUR, MINUTE, newVisitor, type Player, unique } from "./players";
import type { Visitor } from "./talk";

/** Registers a team as the dialog does, or a solo player if `name` is null. */
export const register = (
  client: Client,
  tournamentId: string,
  name: string | null = unique("Team "),
  id = uuidv7(),
): Promise<HttpResponse> =>
  client.post(`/tournaments/${tournamentId}/register`, { id, ...(name === null ? { alone: "yes" } : { name }) });

/** The name of the team in `newTournamentWithOnePlace`. */
export const FIRST_TEAM = "Already Here";

/** Test helpers for the teams of an app's tournaments. */
export function registrationsIn(app: TestApp) {
  /** An open tournament, by default without teams, and its host. */
  const newTournament = async (tournament: Partial<typeof tournaments.$inferInsert> & { teams?: number } = {}) =>
    addTournament(app.db, {
      teams: 0,
      state: "open",
      title: unique("Night Cup "),
      teamSize: 2,
      maxParticipants: 2,
      checkInMinutes: 30,
      registrationDeadline: new Date(Date.now() + DAY),
      tournamentDate: new Date(Date.now() + 2 * DAY),
      ...tournament,
    });

  /** A verified player with a rank, by default Gold 2. */
  const newEntrant = (profile: Parameters<typeof newVisitor>[1] = {}): Promise<Visitor> =>
    newVisitor(app, {
      riotGameName: unique("Player "),
      riotVerifiedAt: new Date(),
      riotPuuid: unique("puuid-"),
      currentRank: "Gold 2",
      ...profile,
    });

  const tournamentOf = async (id: string) =>
    (await app.db.select().from(tournaments).where(eq(tournaments.id, id)).get()) as typeof tournaments.$inferSelect;

  const teamsOf = async (id: string) =>
    app.db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, id)).orderBy(tournamentTeams.listedAt);

  const membersOf = async (teamId: string) =>
    app.db.select().from(tournamentPlayers).where(eq(tournamentPlayers.teamId, teamId));

  /** A registered team with only its captain: its id and the captain's browser. */
  async function newTeam(tournamentId: string, name: string | null = unique("Team ")) {
    const captain = await newEntrant();
    const teamId = uuidv7();
    const answer = await register(captain.client, tournamentId, name, teamId);
    expect(answer.status).toBe(303);
    return { captain, teamId, name };
  }

  /** Has a player join a team by its link. */
  async function join(visitor: Visitor, tournamentId: string, teamId: string): Promise<HttpResponse> {
    const team = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.id, teamId)).get();
    return visitor.client.post(`/tournaments/${tournamentId}/join/${team?.inviteToken}`);
  }

  /** A complete team. */
  async function newFullTeam(tournamentId: string, size = 2) {
    const team = await newTeam(tournamentId);
    const members: Visitor[] = [];
    for (let number = 1; number < size; number += 1) {
      const member = await newEntrant();
      expect((await join(member, tournamentId, team.teamId)).status).toBe(303);
      members.push(member);
    }
    return { ...team, members };
  }

  /** An open tournament of two places, one of which is taken. */
  async function newTournamentWithOnePlace() {
    const { id, hostId } = await newTournament({ maxParticipants: 2 });
    await newTeam(id, FIRST_TEAM);
    return { id, hostId };
  }

  /** The kinds of a player's unread news, in no particular order. */
  const kindsOf = async ({ id }: Pick<Player, "id">) => {
    const rows = await app.db.select().from(notifications).where(eq(notifications.userId, id));
    return rows.filter(({ readAt }) => readAt === null).map(({ kind }) => kind);
  };

  /** Moves a tournament's dates, so that its check-in is open. */
  const openCheckIn = (id: string) =>
    app.db
      .update(tournaments)
      .set({
        // In whole minutes: an edit's form drops the seconds, and the deadline must not move to an earlier time.
        registrationDeadline: new Date(Math.floor((Date.now() - HOUR) / MINUTE) * MINUTE),
        tournamentDate: new Date(Date.now() + HOUR / 4),
        checkInMinutes: 30,
      })
      .where(eq(tournaments.id, id));

  return {
    newTournament,
    newTournamentWithOnePlace,
    newEntrant,
    tournamentOf,
    teamsOf,
    membersOf,
    newTeam,
    newFullTeam,
    join,
    kindsOf,
    openCheckIn,
  };
}
