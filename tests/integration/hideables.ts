import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { uuidv7 } from "../../db/ids";
import { notifications, tournamentMatches } from "../../db/schema";
import type { TestApp } from "../support/app";
import type { Client } from "../support/client";
import { links } from "../support/html";
import { startTournament } from "../support/matches";
import { png } from "../support/pictures";
import { addSession } from "../support/played";
import { addListedPlayer, type NamedVisitor, newNamedVisitor, unique, visitAs } from "./players";
import { register, registrationsIn } from "./registrations";
import { giveFeedback, reviewsIn } from "./reviews";
import type { Visitor } from "./talk";

/** Whether a page contains some text. */
export const sees = async (client: Client, page: string, words: string) =>
  (await client.get(page)).text.includes(words);
/** The path of the search page with these words. */
export const searchFor = (words: string) => `/dashboard/search?q=${encodeURIComponent(words)}`;
/** Whether a page can be opened. */
export const opens = async (client: Client, page: string) => (await client.get(page)).status === 200;
/** Whether a page has a link with this text. */
export const hasLink = async (client: Client, page: string, label: string) =>
  links((await client.get(page)).text).some(({ text }) => text === label);

/** Downloads a player's data. */
export const exported = (reader: Visitor) => reader.client.post("/dashboard/settings/export/download");

/** Uploads a picture of the player who is signed in. */
export async function upload(client: Client) {
  const body = new FormData();
  body.set("picture", new File([new Uint8Array(png(40, 30))], "me.png"));
  expect((await client.request("/dashboard/profile/picture", { method: "POST", body })).status).toBe(303);
}

/** Test helpers for the things that moderators can hide. */
export function hideablesIn(app: TestApp) {
  const { newTournament, newEntrant, join } = registrationsIn(app);
  const { feedbackBetween } = reviewsIn(app);

  const newPlayer = (word: string) => newNamedVisitor(app, word);

  /** A player whose name, texts and tag no other player has. */
  async function newTalker(): Promise<NamedVisitor & { words: string; tag: string }> {
    const [name, words, tag] = [unique("Typed"), unique("Words of theirs "), unique("tag")];
    const player = await addListedPlayer(app, {
      riotId: `${name}#EUW`,
      description: words,
      playTimes: `${words} at night`,
      personalityTags: [tag],
      discordTag: `${name.toLowerCase()}.chat`,
    });
    return { player, name, words, tag, client: await visitAs(app, player) };
  }

  /** All notifications of a player. */
  const newsOf = async ({ player }: Visitor) =>
    app.db.select().from(notifications).where(eq(notifications.userId, player.id));
  const newsSays = async (reader: Visitor, words: string) => JSON.stringify(await newsOf(reader)).includes(words);

  /** Feedback that two players have given each other: the review of the first by the second. */
  async function newReview(comment: string) {
    const [reviewed, author] = [await newPlayer("Reviewed"), await newPlayer("Author")];
    await addSession(app.db, reviewed.player, [author.player]);
    expect((await giveFeedback(reviewed.client, author.player)).status).toBe(303);
    expect((await giveFeedback(author.client, reviewed.player, { rating: 1, comment })).status).toBe(303);
    const [review] = await feedbackBetween(author.player, reviewed.player);
    return { reviewed, author, id: review?.id as string };
  }

  /** An open tournament and one of its teams, which has a foul name and which the viewer has joined. */
  async function newTeam(viewer: NamedVisitor) {
    const name = unique("Foul team ");
    const { id: tournamentId, hostId } = await newTournament({ maxParticipants: 8 });
    const [captain, teamId] = [await newEntrant(), uuidv7()];
    expect((await register(captain.client, tournamentId, name, teamId)).status).toBe(303);
    const host = { player: { id: hostId, email: "" }, client: await visitAs(app, { id: hostId, email: "" }) };
    expect((await join(viewer, tournamentId, teamId)).status).toBe(303);
    return { name, tournamentId, teamId, captain, host, page: `/tournaments/${tournamentId}` };
  }

  /** A running tournament of two solo players: the viewer is the first, called "Team 1", the author the second. */
  async function newMatch(viewer: NamedVisitor) {
    const author = await newPlayer("Author");
    const tournament = await startTournament(app, {
      teams: 2,
      title: unique("Foul cup "),
      captains: [viewer.player.id, author.player.id],
    });
    const [, team] = tournament.teams;
    const page = `/tournaments/${tournament.id}`;
    const match = await app.db
      .select()
      .from(tournamentMatches)
      .where(eq(tournamentMatches.tournamentId, tournament.id))
      .get();
    const host = {
      player: { id: tournament.hostId, email: "" },
      client: await visitAs(app, { id: tournament.hostId, email: "" }),
    };
    return { ...tournament, page, team, author, host, chat: match?.conversationId as string };
  }

  /** Such a match, which the author has disputed. */
  async function newDispute(viewer: NamedVisitor) {
    const made = await newMatch(viewer);
    const evidence = unique("Foul evidence ");
    expect((await made.author.client.post(`${made.page}/matches/0/dispute`, { evidence })).status).toBe(303);
    return { ...made, evidence };
  }

  return { newPlayer, newTalker, newsOf, newsSays, newReview, newTeam, newMatch, newDispute };
}
