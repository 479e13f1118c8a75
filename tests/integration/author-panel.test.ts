import { describe, expect, test } from "vitest";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { links, select, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { addBlock, addPost, newVisitor } from "./players";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { requestOf } = teamsIn(app);

/** The panel beside a post; an empty selection if there is none. */
async function panelOf(client: Client, postId: string) {
  const page = await client.get(`/lfg/${postId}`);
  expect([page.status, roundTrips(page)]).toEqual([200, 1]);
  return select(page.text, "aside[aria-label='About the author']");
}

/** Adds an author who has reviews and has filled in everything that the panel shows, and adds their open post. */
async function newAuthor(profile: Parameters<typeof newVisitor>[1] = {}) {
  const author = await newVisitor(app, {
    riotGameName: "Bea",
    voiceCommsPreference: "required",
    languages: ["en", "pl"],
    personalityTags: ["calm"],
    description: "I call early.",
    timeZone: "UTC",
    availability: [8, 8, 8, 8, 8, 0, 0],
    feedbackScore: 4.5,
    totalRatings: 2,
    ...profile,
  });
  return { ...author, postId: await addPost(app, author.player.id, { neededPlayers: 2 }) };
}

describe("The panel about a post's author", () => {
  test("shows everyone reviews, voice, languages and hours, and shows players the hours they share", async () => {
    const { player, postId } = await newAuthor();
    const reader = await newVisitor(app, { timeZone: "UTC", availability: [8, 0, 0, 0, 0, 0, 0] });
    for (const client of [app.client(), reader.client]) {
      const panel = await panelOf(client, postId);
      const text = textOf(panel);
      for (const words of [
        "4.5",
        "Voice required · English, Polish",
        "calm",
        "I call early.",
        "Friday 18:00 to 22:00",
      ]) {
        expect(text).toContain(words);
      }
      expect(links(panel).map(({ href }) => href)).toEqual([`/players/${player.id}#feedback`]);
      expect(text.includes("4 hours a week together")).toBe(client === reader.client);
    }
  });

  test("leaves out what the author doesn't share", async () => {
    const { postId } = await newAuthor({ shares: [] });
    const { client } = await newVisitor(app);
    const panel = await panelOf(client, postId);
    expect(textOf(panel)).toBe("Voice required calm");
    expect(links(panel)).toEqual([]);
  });

  test.each(["by the author", "of the author"])("isn't shown across a block %s", async (words) => {
    const { player: author, postId } = await newAuthor();
    const { client, player } = await newVisitor(app);
    expect(await panelOf(client, postId)).toHaveLength(1);
    await (words === "by the author" ? addBlock(app, author, player) : addBlock(app, player, author));
    expect(await panelOf(client, postId)).toHaveLength(0);
  });

  test("isn't shown to the author and their team, who know them", async () => {
    const { client: author, postId } = await newAuthor();
    const { client, player } = await newVisitor(app);
    expect(await panelOf(author, postId)).toHaveLength(0);
    await requestToJoin(client, postId);
    expect(await panelOf(client, postId)).toHaveLength(1);
    await pressTeamButton(author, postId, "accept", (await requestOf(postId, player)).id);
    expect(await panelOf(client, postId)).toHaveLength(0);
  });
});
