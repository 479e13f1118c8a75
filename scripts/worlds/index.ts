import { type Client, createClient } from "@libsql/client/http";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql/http";
import { hashPassword } from "../../app/features/auth/passwords/passwords.server";
import { selectCurrentSubject } from "../../app/features/reports/shared/subjects.server";
import * as schema from "../../db/schema";
import { transact } from "../../db/statements";
import { type Cases, makeCases } from "./cases";
import { busyConversations, type Conversations, demoConversations } from "./conversations";
import { busyFeedback, demoFeedback, withScores } from "./feedback";
import { LARGE, type LargeSize, seedLarge } from "./large";
import type { PlayedTournament } from "./played";
import { makePlayers, type Player } from "./players";
import { busyPosts, demoPosts, type Post } from "./posts";
import { busyTeams, demoTeams, type Teams } from "./teams";
import {
  busyPlayedTournaments,
  busyTournaments,
  demoTournaments,
  playedTournaments,
  type Tournaments,
} from "./tournaments";

/** Named initial states of the database, for people and tests. */
export const WORLDS = ["empty", "demo", "busy", "large"] as const;

export type World = (typeof WORLDS)[number];

/** The password of all players in all worlds. */
export const PASSWORD = "password123";

export interface SeedOptions {
  world: World;
  authToken?: string | undefined;
  /** The time that the world's dates are relative to. */
  now?: Date;
  /** The hash of `PASSWORD` that all players get; made with the app's own parameters by default. */
  passwordHash?: string | undefined;
  /** For `large`: sizes that replace the usual ones (`LARGE`). */
  size?: Partial<LargeSize>;
}

/**
 * Fills a migrated database with a world. Does nothing if the database already has players.
 * @returns whether it was filled now
 * @throws Error if an earlier run was interrupted
 */
export async function seed(
  url: string,
  { world, authToken, now = new Date(), passwordHash: given, size }: SeedOptions,
): Promise<boolean> {
  if (world === "empty") return false;
  const client = createClient({ url, intMode: "number", ...(authToken && { authToken }) });
  try {
    if (await hasPlayers(client)) return false;
    const passwordHash = given ?? (await hashPassword(PASSWORD));
    if (world === "large") {
      await markWhileFilling(client, () => seedLarge(client, now, passwordHash, { ...LARGE, ...size }));
    } else {
      const unrated = makePlayers(world === "demo" ? 12 : 200, now, passwordHash);
      const feedback = world === "demo" ? demoFeedback(unrated, now) : busyFeedback(unrated, now);
      const players = withScores(unrated, feedback);
      const posts = world === "demo" ? demoPosts(players, now) : busyPosts(players, now, 60);
      const talk = (world === "demo" ? demoConversations : busyConversations)(players, posts, now);
      const reported =
        world === "demo" ? { cases: [], findings: [], reports: [] } : makeCases(players, posts, talk, feedback, now);
      const hosted = world === "demo" ? demoTournaments(players, now) : busyTournaments(players, now);
      const played = await (world === "demo" ? playedTournaments : busyPlayedTournaments)(players, now);
      const teams = (world === "demo" ? demoTeams : busyTeams)(players, now);
      await insert(client, players, posts, teams, talk, feedback, reported, hosted, played);
    }
    return true;
  } finally {
    client.close();
  }
}

async function hasPlayers(client: Client): Promise<boolean> {
  const unfinished = await client.execute("SELECT 1 FROM sqlite_master WHERE name = '_unfinished_seed'");
  if (unfinished.rows.length > 0) {
    throw new Error("Filling this database with a world was interrupted: start over with an empty one.");
  }
  return (await client.execute("SELECT 1 FROM users LIMIT 1")).rows.length > 0;
}

/** Marks the database while it is being filled in several transactions. */
async function markWhileFilling(client: Client, fill: () => Promise<void>): Promise<void> {
  await client.execute("CREATE TABLE _unfinished_seed (started_at integer)");
  await fill();
  await client.execute("DROP TABLE _unfinished_seed");
}

async function insert(
  client: Client,
  players: readonly Player[],
  posts: readonly Post[],
  teams: Teams,
  talk: Conversations,
  feedback: readonly (typeof schema.userFeedback.$inferInsert)[],
  reported: Cases,
  hosted: Tournaments,
  played: readonly PlayedTournament[],
): Promise<void> {
  const db = drizzle(client, { schema });
  await transact(db, {
    users: db.insert(schema.users).values(players.map(({ user }) => user)),
    profiles: db.insert(schema.profiles).values(players.map(({ profile }) => profile)),
    facets: db.insert(schema.playerFacets).values(players.flatMap(({ facets }) => facets)),
    names: db.insert(schema.playerNames).values(players.flatMap(({ names }) => names)),
    conversations: db.insert(schema.conversations).values([...talk.conversations, ...teams.conversations]),
    posts: db.insert(schema.lfgPosts).values([...posts, ...teams.posts]),
    requests: db.insert(schema.joinRequests).values(teams.requests),
    details: teams.details.length > 0 ? db.insert(schema.teamDetails).values(teams.details) : undefined,
    ready: teams.ready.length > 0 ? db.insert(schema.teamReady).values(teams.ready) : undefined,
    members: db.insert(schema.conversationMembers).values([...talk.members, ...teams.members]),
    messages: db.insert(schema.messages).values([...talk.messages, ...teams.messages]),
    notifications: db.insert(schema.notifications).values([...talk.notifications, ...teams.notifications]),
    presence: db.insert(schema.presence).values(talk.presence),
    feedback: db.insert(schema.userFeedback).values([...feedback]),
    cases: reported.cases.length > 0 ? db.insert(schema.reportCases).values(reported.cases) : undefined,
    // Each snapshot is taken as the product takes it. Then the reported parts that have changed since are put back.
    snapshots: reported.cases.map(({ id, snapshot }) =>
      db
        .update(schema.reportCases)
        .set({
          snapshot: sql`json_patch((SELECT snapshot FROM (${selectCurrentSubject(id)})), ${JSON.stringify(snapshot)})`,
        })
        .where(eq(schema.reportCases.id, id)),
    ),
    findings: reported.findings.length > 0 ? db.insert(schema.caseFindings).values(reported.findings) : undefined,
    reports: reported.reports.length > 0 ? db.insert(schema.reports).values(reported.reports) : undefined,
    tournaments: db.insert(schema.tournaments).values(hosted.tournaments),
    organisers: db.insert(schema.tournamentOrganisers).values(hosted.organisers),
    tournamentTeams: db.insert(schema.tournamentTeams).values(hosted.teams),
    tournamentPlayers: db.insert(schema.tournamentPlayers).values(hosted.players),
    tournamentEvents: db.insert(schema.tournamentEvents).values(hosted.events),
    played: played.flatMap(({ tournament: { winnerTeamId, ...tournament }, ...rows }) => [
      db.insert(schema.tournaments).values(tournament),
      db.insert(schema.tournamentTeams).values(rows.teams),
      db.update(schema.tournaments).set({ winnerTeamId }).where(eq(schema.tournaments.id, tournament.id)),
      db.insert(schema.tournamentPlayers).values(rows.players),
      db.insert(schema.conversations).values(rows.conversations),
      db.insert(schema.conversationMembers).values(rows.members),
      db.insert(schema.tournamentBrackets).values(rows.bracket),
      db.insert(schema.tournamentMatches).values(rows.matches),
      db.insert(schema.tournamentEvents).values(rows.events),
    ]),
  });
}
