import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { lfgPosts, messages, tournaments } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { announcements, field } from "../support/html";
import { startTournament } from "../support/matches";
import { addPost, DAY, MINUTE, newVisitor, unique } from "./players";
import { registrationsIn } from "./registrations";
import { giveFeedback, reviewsIn } from "./reviews";
import { startConversation } from "./talk";

const app = useApp();
const { newTournament, newEntrant } = registrationsIn(app);
const { newMates, feedbackBetween } = reviewsIn(app);

/** A form of the product, with a player who may send it. */
interface FormOfText {
  client: Client;
  address: string;
  /** The form's fields other than the texts. */
  others?: Record<string, string>;
}

const local = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);

const hosting = () => ({
  title: unique("Night Cup "),
  description: "One evening.",
  entryFee: "0",
  prizePool: "0",
  maxParticipants: "8",
  tournamentDate: local(10),
  registrationDeadline: local(9),
  timeZone: "UTC",
});

async function hostOf(tournament: { id: string; hostId: string }, part: string): Promise<FormOfText> {
  const { client, player } = await newVisitor(app);
  await app.db.update(tournaments).set({ userId: player.id }).where(eq(tournaments.id, tournament.id));
  return { client, address: `/tournaments/${tournament.id}/${part}` };
}

const FORMS = {
  "a new post": async () => {
    const { client } = await newVisitor(app);
    return {
      client,
      address: "/dashboard/lfg/new",
      others: { id: uuidv7(), title: "Two for Haven", neededPlayers: "2" },
    };
  },
  "a post's edit": async () => {
    const { client, player } = await newVisitor(app);
    const postId = await addPost(app, player.id);
    return { client, address: `/lfg/${postId}/edit`, others: { title: "Two for Haven", neededPlayers: "2" } };
  },
  "the contact dialog": async () => {
    const author = await newVisitor(app);
    const { client } = await newVisitor(app);
    return { client, address: `/lfg/${await addPost(app, author.player.id)}/contact`, others: { id: uuidv7() } };
  },
  "a request to join": async () => {
    const author = await newVisitor(app);
    const { client } = await newVisitor(app);
    return { client, address: `/lfg/${await addPost(app, author.player.id)}/join`, others: { id: uuidv7() } };
  },
  "a first message": async () => {
    const other = await newVisitor(app);
    const { client } = await newVisitor(app);
    return { client, address: `/players/${other.player.id}/message`, others: { id: uuidv7() } };
  },
  "a thread": async () => {
    const { author, conversationId } = await startConversation(app);
    return { client: author.client, address: `/dashboard/messages/${conversationId}`, others: { id: uuidv7() } };
  },
  "a report": async () => {
    const { author, conversationId } = await startConversation(app);
    const address = `/dashboard/messages/${conversationId}/report`;
    return { client: author.client, address, others: { id: uuidv7(), reason: "spam" } };
  },
  "the profile": async () => ({ client: (await newVisitor(app)).client, address: "/dashboard/profile" }),
  feedback: async () => {
    const [one, two] = await newMates();
    const address = `/players/${two.player.id}/feedback`;
    return { client: one.client, address, others: { id: uuidv7(), rating: "4" } };
  },
  "a review's report": async () => {
    const [one, two] = await newMates();
    await giveFeedback(one.client, two.player);
    await giveFeedback(two.client, one.player);
    const [review] = await feedbackBetween(one.player, two.player);
    const address = `/players/${two.player.id}/report/${review?.id}`;
    return { client: two.client, address, others: { id: uuidv7(), reason: "spam" } };
  },
  "a new tournament": async () => {
    const { client } = await newVisitor(app);
    return { client, address: "/dashboard/tournaments/new", others: hosting() };
  },
  "a tournament's edit": async () => ({ ...(await hostOf(await newTournament(), "edit")), others: hosting() }),
  "a tournament's end": async () => hostOf(await newTournament(), "cancel"),
  "a new organiser": async () => ({ ...(await hostOf(await newTournament(), "manage")), others: { intent: "add" } }),
  "a registration": async () => {
    const { id } = await newTournament();
    return { client: (await newEntrant()).client, address: `/tournaments/${id}/register`, others: { id: uuidv7() } };
  },
  "the list of players without a team": async () => {
    const { id } = await newTournament();
    return { client: (await newEntrant()).client, address: `/tournaments/${id}/seek` };
  },
  "a dispute": async () => {
    const one = await newVisitor(app);
    const two = await newVisitor(app);
    const { id } = await startTournament(app, {
      teams: 2,
      tournamentDate: new Date(Date.now() - MINUTE),
      captains: [one.player.id, two.player.id],
    });
    const here = `/tournaments/${id}/matches/0`;
    await two.client.post(here, { intent: "report", leftSide: "2", bestOf: "1", left1: "13", right1: "9" });
    return { client: one.client, address: `${here}/dispute` };
  },
} satisfies Record<string, () => Promise<FormOfText>>;

/** Each text of the product: its form, its field, its limit, and its name in sentences. */
const TEXTS: [keyof typeof FORMS, field: string, max: number, name: string, lines?: "lines"][] = [
  ["a new post", "title", 100, "title"],
  ["a new post", "message", 1_000, "message", "lines"],
  ["a post's edit", "title", 100, "title"],
  ["a post's edit", "message", 1_000, "message", "lines"],
  ["the contact dialog", "message", 2_000, "message", "lines"],
  ["a request to join", "note", 200, "note"],
  ["a first message", "message", 2_000, "message", "lines"],
  ["a thread", "message", 2_000, "message", "lines"],
  ["a report", "details", 2_000, "report", "lines"],
  ["the profile", "riotId", 40, "Riot ID"],
  ["the profile", "discordTag", 37, "Discord tag"],
  ["the profile", "playTimes", 100, "text"],
  ["the profile", "description", 500, "description", "lines"],
  ["the profile", "personalityTags", 300, "list of tags"],
  ["feedback", "comment", 1_000, "comment", "lines"],
  ["a review's report", "details", 1_000, "report", "lines"],
  ["a new tournament", "title", 100, "title"],
  ["a new tournament", "description", 2_000, "description", "lines"],
  ["a new tournament", "rules", 10_000, "text", "lines"],
  ["a tournament's edit", "title", 100, "title"],
  ["a tournament's edit", "description", 2_000, "description", "lines"],
  ["a tournament's edit", "rules", 10_000, "text", "lines"],
  ["a tournament's end", "reason", 500, "reason", "lines"],
  ["a new organiser", "riotId", 40, "Riot ID"],
  ["a registration", "name", 40, "name"],
  ["the list of players without a team", "note", 200, "note"],
  ["a dispute", "evidence", 2_000, "evidence", "lines"],
];

describe("A text over its limit", () => {
  test.each(TEXTS)(
    "of %s, %s (%i), is refused at its field, which shows the excess and keeps the whole text",
    async (form, name, max, called, lines) => {
      const { client, address, others }: FormOfText = await FORMS[form]();
      const page = await client.get(address);
      expect(page.status).toBe(200);
      expect(page.text.toLowerCase()).not.toContain("maxlength");

      // As browsers send it: the line break is two characters on the wire, and counts as one.
      const long = lines ? `One 🎯\r\n${"x".repeat(max)}` : `🎯${"x".repeat(max + 6)}`;
      const answer = await client.post(address, { ...others, [name]: long });
      expect(answer.status).toBe(400);
      const shown = field(answer.text, name);
      expect(shown.value.replace(/\r?\n/g, "\r\n")).toBe(long);
      expect(shown.invalid).toBe(true);
      const words = `This ${called} is ${lines ? 6 : 7} characters too long. The limit is ${max.toLocaleString("en-US")}.`;
      expect(shown.description).toContain(words);
      expect(announcements(answer.text).join()).toContain(words);
    },
  );

  test("is accepted whole at exactly the limit, emoji and line breaks included", async () => {
    const { client, player } = await newVisitor(app);
    const fields = { title: "🎯".repeat(100), message: `🎯\r\n${"x".repeat(998)}`, neededPlayers: "2", id: uuidv7() };
    expect((await client.post("/dashboard/lfg/new", fields)).status).toBe(303);
    const [post] = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    expect(post).toMatchObject({ title: fields.title, message: fields.message.replace("\r", "") });
  });

  test("is also refused by the thread's own request", async () => {
    const { author, conversationId } = await startConversation(app);
    const id = uuidv7();
    const message = "x".repeat(2_001);
    const answer = await author.client.post(`/conversations/${conversationId}/messages`, { id, message });
    const error = "This message is 1 character too long. The limit is 2,000.";
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error }]);
    expect(await app.db.select().from(messages).where(eq(messages.id, id))).toEqual([]);
  });

  test("keeps its letters and loses the marks that would stack over other lines, before it is counted", async () => {
    const zalgo = (letters: string) => [...letters].map((letter) => letter + "\u0336\u030d".repeat(40)).join("");
    const calm = (letters: string) => [...letters].map((letter) => letter + "\u0336".repeat(3)).join("");
    const { client, player } = await newVisitor(app);
    const fields = { title: zalgo("Haven"), message: zalgo("Hi"), neededPlayers: "2", id: uuidv7() };
    expect((await client.post("/dashboard/lfg/new", fields)).status).toBe(303);
    const [post] = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    expect(post).toMatchObject({ title: calm("Haven"), message: calm("Hi") });
  });

  test("is cut in the URL of a list, which never fails", async () => {
    const { client } = await newVisitor(app);
    for (const address of ["/dashboard?q=", "/dashboard/messages?q=", "/dashboard/players?playstyle="]) {
      const page = await client.get(`${address}${"%F0%9F%8E%AF".repeat(400)}`);
      expect(page.status, address).toBe(200);
      expect(page.text.toLowerCase(), address).not.toContain("maxlength");
    }
  });

  test("is refused as a Riot ID at sign-up, and Back keeps it", async () => {
    const client = app.client();
    await client.post("/auth?tab=sign-up", {
      intent: "next",
      email: `${unique("n-")}@lineup.test`,
      password: "k7#q2v-lynx",
    });
    const step = "/auth?tab=sign-up&step=2";
    expect((await client.get(step)).text.toLowerCase()).not.toContain("maxlength");
    const gameName = "Somebody ".repeat(5).trim();
    const answer = await client.submit(step, "Verify", { gameName, tagLine: "EUWEST" });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "gameName")).toMatchObject({
      value: gameName,
      description: "This game name is 28 characters too long. The limit is 16.",
    });
    expect(field(answer.text, "tagLine").description).toBe("This tag is 1 character too long. The limit is 5.");
    await client.submit(step, "Back", { gameName, tagLine: "EUWEST" });
    expect(field((await client.get(step)).text, "gameName").value).toBe(gameName);
  });
});
