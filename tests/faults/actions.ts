import { setTimeout as pause } from "node:timers/promises";
import { and, asc, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { joinRequests, lfgPosts, reportCases, tournamentMatches, tournamentTeams } from "../../db/schema";
import type { Visitor } from "../integration/talk";
import type { HttpResponse } from "../support/client";
import type { Expected } from "./model";
import type { Action } from "./plan";
import type { Talk, World } from "./world";

/** The time that a player keeps trying, in milliseconds. Every fault is over by then. */
const PATIENCE = 60_000;
const RETRY = 100;

/** Whether the final response to an action acknowledged it, and what earlier tries leave open. */
interface Outcome {
  /** False if the player gave up, too. */
  isAcknowledged: boolean;
  /** Whether a try without a response may have changed something. */
  isUncertain: boolean;
  startedAt: number;
}

/** Tries again, as players do, until the server answers with a status below 500, or until `PATIENCE` is over. */
async function sendUntilAnswered(send: () => Promise<HttpResponse>): Promise<Outcome> {
  const startedAt = performance.now();
  let isUncertain = false;
  while (performance.now() - startedAt < PATIENCE) {
    const response = await send().catch(() => null);
    if (response && response.status < 500) {
      return { isAcknowledged: response.status < 400, isUncertain, startedAt };
    }
    isUncertain = true;
    await pause(RETRY);
  }
  return { isAcknowledged: false, isUncertain: true, startedAt };
}

/** Enters an outcome into the model. */
function settle<Value>(expected: Expected<Value>, value: Value, outcome: Outcome): void {
  if (outcome.isAcknowledged) expected.acknowledge(value, outcome.startedAt);
  else if (outcome.isUncertain) expected.allow(value);
}

const pick = <T>(list: readonly T[], place: number): T | undefined => list[place % list.length];

/** Reads from the database directly. Tries up to 100 times, because a fault may have made it unavailable. */
async function readWithRetries<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (tries === 100) throw error;
      await pause(RETRY);
    }
  }
}

type Act = (world: World, who: Visitor, choice: number) => Promise<unknown>;

/** Performs one action of the plan. @throws Error if the server gives a response that no player should get */
export async function perform(world: World, { kind, player, choice }: Action): Promise<void> {
  await ACTS[kind](world, pick(world.players, player) as Visitor, choice);
}

const ACTS: Record<Action["kind"], Act> = {
  async message({ talks, model }, who, choice) {
    const own = talks.filter(({ talkers }) => talkers.some(({ senderId }) => senderId === who.player.id));
    const { id: conversationId, talkers } = pick(own, choice) as Talk;
    const talker = talkers.find(({ senderId }) => senderId === who.player.id)?.talker;
    const id = uuidv7();
    const content = `Message ${model.messages.size + 1}`;
    const sent = { conversationId, senderId: who.player.id, content };
    model.messages.set(id, sent);
    const stored = await talker?.send(content, id);
    model.messages.set(id, { ...sent, ...(stored && { seq: stored.seq }) });
  },

  async read({ talks }, who, choice) {
    const own = talks.filter(({ talkers }) => talkers.some(({ senderId }) => senderId === who.player.id));
    const { id } = pick(own, choice) as Talk;
    await sendUntilAnswered(() => who.client.get(`/dashboard/messages/${id}`));
  },

  async post({ model }, who, choice) {
    const id = uuidv7();
    const title = `Post ${model.posts.size + 1} of ${who.player.id.slice(-6)}`;
    const fields = { id, title, message: "", neededPlayers: 1 + (choice % 4) };
    const outcome = await sendUntilAnswered(() => who.client.post("/dashboard/lfg/new", fields));
    settle(model.of(model.posts, id, false), true, outcome);
  },

  async close(world, who) {
    const post = await ownPost(world, who);
    if (post) await sendUntilAnswered(() => who.client.post(`/lfg/${post.id}`, { intent: "close" }));
  },

  async ask({ site, model }, who, choice) {
    const posts = await readWithRetries(() =>
      site.db.select().from(lfgPosts).where(eq(lfgPosts.isActive, true)).orderBy(asc(lfgPosts.id)),
    );
    const post = pick(
      posts.filter(({ userId }) => userId !== who.player.id),
      choice,
    );
    if (!post) return;
    const id = uuidv7();
    const key = `${post.id} ${who.player.id}`;
    const outcome = await sendUntilAnswered(() => who.client.post(`/lfg/${post.id}/join`, { id, role: "", note: "" }));
    if (outcome.isAcknowledged || outcome.isUncertain) model.asks.set(key, (model.asks.get(key) ?? 0) + 1);
    settle(model.of(model.requests, key, "none"), "pending", outcome);
  },

  async answer(world, who, choice) {
    const post = await ownPost(world, who);
    if (!post) return;
    const request = pick(await requestsOf(world, post.id, ["pending"]), choice >> 1);
    if (!request) return;
    const isYes = choice % 4 !== 0;
    const intent = isYes ? "accept" : "decline";
    const outcome = await sendUntilAnswered(() => who.client.post(`/lfg/${post.id}`, { intent, request: request.id }));
    const expected = world.model.of(world.model.requests, `${post.id} ${request.userId}`, "none");
    settle(expected, isYes ? "accepted" : "declined", outcome);
  },

  async leave({ site, model }, who, choice) {
    const own = await readWithRetries(() =>
      site.db
        .select()
        .from(joinRequests)
        .where(and(eq(joinRequests.userId, who.player.id), inArray(joinRequests.state, ["pending", "accepted"])))
        .orderBy(desc(joinRequests.id)),
    );
    const request = pick(
      own.filter(({ playedAt }) => playedAt === null),
      choice,
    );
    if (!request) return;
    const [intent, state] = request.state === "pending" ? ["withdraw", "withdrawn"] : ["leave", "left"];
    const outcome = await sendUntilAnswered(() => who.client.post(`/lfg/${request.postId}`, { intent }));
    settle(model.of(model.requests, `${request.postId} ${who.player.id}`, "none"), state as string, outcome);
  },

  async rate({ players, model }, who, choice) {
    const other = pick(players.slice(0, 4), choice) as Visitor;
    if (other === who) return;
    const rating = 1 + (choice % 5);
    const id = uuidv7();
    const outcome = await sendUntilAnswered(() =>
      who.client.post(`/players/${other.player.id}/feedback`, { id, rating }),
    );
    settle(model.of(model.reviews, `${who.player.id} ${other.player.id}`, null as number | null), rating, outcome);
  },

  async report({ players, model }, who, choice) {
    const other = pick(players, choice) as Visitor;
    if (other === who) return;
    const id = uuidv7();
    const fields = { id, reason: "harassment", details: `Report ${model.reports.size + 1}` };
    const outcome = await sendUntilAnswered(() => who.client.post(`/players/${other.player.id}/report`, fields));
    settle(model.of(model.reports, `${who.player.id} ${other.player.id}`, false), true, outcome);
  },

  async dismiss({ site, moderator, model }, _, choice) {
    const open = await readWithRetries(() =>
      site.db.select().from(reportCases).where(eq(reportCases.state, "open")).orderBy(asc(reportCases.id)),
    );
    const chosen = pick(open, choice);
    if (!chosen) return;
    const page = `/moderation/cases/${chosen.id}/dismiss`;
    const outcome = await sendUntilAnswered(() =>
      moderator.client.submit(page, "Dismiss", { reason: "We have looked at it." }),
    );
    settle(model.of(model.cases, chosen.id, false), true, outcome);
  },

  async register({ openTournaments, model }, who, choice) {
    const tournament = pick(openTournaments, choice) as string;
    const fields = { id: uuidv7(), alone: "yes" };
    const outcome = await sendUntilAnswered(() => who.client.post(`/tournaments/${tournament}/register`, fields));
    settle(model.of(model.entries, `${tournament} ${who.player.id}`, false), true, outcome);
  },

  async withdraw({ openTournaments, model }, who, choice) {
    const tournament = pick(openTournaments, choice) as string;
    const outcome = await sendUntilAnswered(() => who.client.post(`/tournaments/${tournament}/withdraw`));
    settle(model.of(model.entries, `${tournament} ${who.player.id}`, false), false, outcome);
  },

  /** The winner of a match reports a score, and the other captain confirms it. */
  async score({ site, players, runningTournaments, matchesInPlay, model }, _, choice) {
    const tournament = pick(runningTournaments, choice);
    const rows = await readWithRetries(() =>
      site.db
        .select({ id: tournamentMatches.id, team1: tournamentMatches.team1, team2: tournamentMatches.team2 })
        .from(tournamentMatches)
        .where(
          and(
            eq(tournamentMatches.tournamentId, tournament as string),
            eq(tournamentMatches.state, "ready"),
            isNotNull(tournamentMatches.team1),
            isNotNull(tournamentMatches.team2),
          ),
        )
        .orderBy(asc(tournamentMatches.id)),
    );
    // Only one result per match is ever reported, because the second captain confirms whichever one the page shows.
    const free = rows.filter(({ id }) => !matchesInPlay.has(`${tournament} ${id}`));
    const match = pick(free, choice >> 2);
    if (!match) return;
    const key = `${tournament} ${match.id}`;
    matchesInPlay.add(key);
    const teams = await readWithRetries(() =>
      site.db
        .select()
        .from(tournamentTeams)
        .where(eq(tournamentTeams.tournamentId, tournament as string)),
    );
    const captainOf = (team: string | null) =>
      players.find(({ player }) => player.id === teams.find(({ id }) => id === team)?.captainId);
    const [one, two] = [captainOf(match.team1), captainOf(match.team2)];
    if (!one || !two) return;
    const page = `/tournaments/${tournament}/matches/${match.id}`;
    const rounds = choice % 12;
    const result = { intent: "report", leftSide: "1", bestOf: "1", left1: "13", right1: String(rounds) };
    const reported = await sendUntilAnswered(() => one.client.post(page, result));
    if (!reported.isAcknowledged) return;
    const confirmed = await sendUntilAnswered(() => two.client.submit(page, "Confirm"));
    settle(model.of(model.results, key, null as string | null), `13 ${rounds}`, confirmed);
  },

  /** Asks Riot about accounts for which the stand-in answers, refuses, fails or sends no JSON. */
  async verify(_, who, choice) {
    const gameName = pick(["Somebody", "Missing", "Limited", "Broken", "Garbled"], choice) as string;
    const body = { gameName: `${gameName} ${choice}`, tagLine: "EUW", region: "europe" };
    const answer = await who.client.postJson("/riot-api/verify-account", body).catch(() => null);
    if (answer && answer.status < 500) JSON.parse(answer.text);
  },
};

const ownPost = ({ site }: World, { player }: Visitor) =>
  readWithRetries(() =>
    site.db
      .select()
      .from(lfgPosts)
      .where(and(eq(lfgPosts.userId, player.id), eq(lfgPosts.isActive, true)))
      .get(),
  );

const requestsOf = ({ site }: World, postId: string, states: (typeof joinRequests.$inferSelect.state)[]) =>
  readWithRetries(() =>
    site.db
      .select()
      .from(joinRequests)
      .where(and(eq(joinRequests.postId, postId), inArray(joinRequests.state, states)))
      .orderBy(asc(joinRequests.id)),
  );
