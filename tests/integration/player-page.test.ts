import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { messages, notifications } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { announcements, field, heading, links, meta, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { conversationsIn } from "./conversations";
import { addBlock, addPost, newVisitor, unique } from "./players";

const app = useApp();
const { conversationsOf } = conversationsIn(app);

const EVERYTHING = {
  riotId: "Sørina Wójcik#CALM",
  riotGameName: "Sørina Wójcik",
  riotVerifiedAt: new Date(),
  currentRank: "Diamond 1",
  preferredRole: "Initiator",
  mainAgents: ["Fade", "Sova"],
  region: "Europe",
  voiceCommsPreference: "required",
  personalityTags: ["calm", "early caller"],
  languages: ["en", "pl"],
  discordTag: "sorina.w",
  description: "I call early and nobody shouts.",
  playTimes: "Weekdays 19:00 to 23:00",
  timeZone: "UTC",
  availability: [8, 8, 8, 8, 8, 0, 0],
} as const;

const profile = (more: object = {}) => ({
  ...EVERYTHING,
  mainAgents: [...EVERYTHING.mainAgents],
  personalityTags: [...EVERYTHING.personalityTags],
  languages: [...EVERYTHING.languages],
  riotPuuid: unique("puuid"),
  ...more,
});

describe("a player's page", () => {
  test("shows everyone the fields that the player shares, in one round trip", async () => {
    const { player } = await newVisitor(app, profile());
    const page = await app.client().get(`/players/${player.id}`);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(heading(page.text)).toBe("Sørina Wójcik");
    const text = textOf(page.text);
    for (const words of [
      "Verified",
      "Diamond 1 self-reported",
      "Initiator",
      "Fade, Sova",
      "calm early caller",
      "Europe · English, Polish · Voice required",
      "I call early and nobody shouts.",
      "Weekdays 19:00 to 23:00",
      "20 hours a week",
      "N/A",
      "No feedback received yet.",
    ]) {
      expect(text).toContain(words);
    }
    // By default, only members of the player's teams see the Discord and Riot tags. The page never shows the email
    // address.
    expect(page.text).not.toContain("sorina.w");
    expect(page.text).not.toContain("#CALM");
    expect(page.text).not.toContain(player.email);
  });

  test("hides the fields that the player doesn't share", async () => {
    const { player } = await newVisitor(app, profile({ shares: [] }));
    const page = await app.client().get(`/players/${player.id}`);
    for (const words of [
      EVERYTHING.description,
      EVERYTHING.playTimes,
      "Polish",
      "hours a week",
      "Feedback",
      "sorina.w",
    ]) {
      expect(page.text).not.toContain(words);
    }
    expect(textOf(page.text)).toContain("Diamond 1");
    const other = await newVisitor(app, profile({ shares: ["discordTag"] }));
    expect((await app.client().get(`/players/${other.player.id}`)).text).toContain("sorina.w");
  });

  test("can be shared, and may be indexed if the player is listed", async () => {
    const listed = await newVisitor(app, profile());
    const page = await app.client().get(`/players/${listed.player.id}`);
    expect(meta(page.text, "og:title")).toBe("Sørina Wójcik");
    expect(meta(page.text, "og:description")).toBe("Diamond 1, Initiator, Europe. I call early and nobody shouts.");
    await addPost(app, listed.player.id, { title: "Two for Haven", neededPlayers: 2 });
    expect(meta((await app.client().get(`/players/${listed.player.id}`)).text, "og:description")).toBe(
      "Diamond 1, Initiator, Europe. Needs 2 players: Two for Haven. I call early and nobody shouts.",
    );
    expect(meta(page.text, "og:url")).toBe(`${app.url}/players/${listed.player.id}`);
    expect(meta(page.text, "robots")).toBeNull();
    const unlisted = await newVisitor(app, profile({ isListed: false }));
    expect(meta((await app.client().get(`/players/${unlisted.player.id}`)).text, "robots")).toBe("noindex");
  });

  test("shows a signed-in viewer the hours both can play and a Message link, except on their own page", async () => {
    const author = await newVisitor(app, profile());
    const reader = await newVisitor(app, { timeZone: "UTC", availability: [8, 8, 0, 0, 0, 0, 0] });
    const page = await reader.client.get(`/players/${author.player.id}`);
    expect(roundTrips(page)).toBe(1);
    expect(textOf(page.text)).toContain("8 hours a week together");
    expect(links(page.text)).toContainEqual({ text: "Message", href: `/players/${author.player.id}/message` });
    const own = await author.client.get(`/players/${author.player.id}`);
    expect(textOf(own.text)).toContain("This is how others see you.");
    expect(links(own.text).map(({ text }) => text)).not.toContain("Message");
  });

  test("shows no hours of a player without a time zone, but takes the viewer's to be in the page's zone", async () => {
    const author = await newVisitor(app, profile({ timeZone: null }));
    const reader = await newVisitor(app, { timeZone: "Europe/Lisbon", availability: [8, 8, 0, 0, 0, 0, 0] });
    for (const client of [app.client(), reader.client, author.client]) {
      const page = textOf((await client.get(`/players/${author.player.id}`)).text);
      expect(page).toContain("Weekdays 19:00 to 23:00");
      expect(page).not.toMatch(/hours a week|No hours together/);
    }
    const inUtc = await newVisitor(app, profile());
    const zoneless = await newVisitor(app, { availability: [8, 8, 0, 0, 0, 0, 0] });
    const page = await zoneless.client.get(`/players/${inUtc.player.id}`);
    expect(textOf(page.text)).toContain("8 hours a week together");
  });

  test("names the open posts, and links to them", async () => {
    const { player } = await newVisitor(app, profile());
    const post = await addPost(app, player.id, { title: "Two for Haven" });
    await addPost(app, player.id, { title: "Closed before", isActive: false });
    const page = await app.client().get(`/players/${player.id}`);
    expect(links(page.text)).toContainEqual({ text: "Two for Haven", href: `/lfg/${post}` });
    expect(page.text).not.toContain("Closed before");
    expect(links((await app.client().get(`/lfg/${post}`)).text)).toContainEqual({
      text: "Sørina Wójcik",
      href: `/players/${player.id}`,
    });
  });

  test("lets everyone else report the player, and signed-in players block them", async () => {
    const author = await newVisitor(app, profile());
    const reader = await newVisitor(app);
    const stranger = await newVisitor(app);
    const offered = async ({ client }: typeof reader) =>
      links((await client.get(`/players/${author.player.id}`)).text).filter(({ text }) =>
        /^(Block|Report)$/.test(text),
      );
    expect(await offered(reader)).toEqual([
      { text: "Block", href: `/players/${author.player.id}/block` },
      { text: "Report", href: `/players/${author.player.id}/report` },
    ]);
    expect(await offered(stranger)).toEqual(await offered(reader));
    expect(await offered(author)).toEqual([]);
    expect(await offered({ client: app.client(), player: stranger.player })).toEqual([
      { text: "Report", href: `/players/${author.player.id}/report` },
    ]);
  });

  test("answers 404 for an unknown id", async () => {
    for (const id of [uuidv7(), "nobody", "%00"]) {
      expect((await app.client().get(`/players/${id}`)).status, id).toBe(404);
      expect((await app.client().get(`/players/${id}/message`)).status, id).toBe(404);
    }
  });
});

describe("writing to a player", () => {
  const send = (client: Awaited<ReturnType<typeof newVisitor>>["client"], to: string, message: string, id = uuidv7()) =>
    client.post(`/players/${to}/message`, { id, message });

  test("needs no post: it opens the pair's one conversation, and a reply continues it", async () => {
    const ann = await newVisitor(app, { riotGameName: "Ann" });
    const ben = await newVisitor(app, { riotGameName: "Ben" });
    const answer = await ben.client.submit(`/players/${ann.player.id}/message`, "Send Message", { message: "Hello" });
    expect([answer.status, answer.location]).toEqual([303, `/players/${ann.player.id}`]);
    expect(roundTrips(answer)).toBeLessThanOrEqual(2);
    expect(announcements((await ben.client.follow(answer)).text)).toEqual([
      "Message sent! Check the Messages tab to continue the conversation.",
    ]);
    await send(ann.client, ben.player.id, "Hello back");
    const [conversation, ...more] = await conversationsOf(ann.player);
    expect(more).toEqual([]);
    const sent = await app.db
      .select()
      .from(messages)
      .where(eq(messages.conversationId, conversation?.id as string));
    expect(sent.map(({ content, postId }) => [content, postId])).toEqual([
      ["Hello", null],
      ["Hello back", null],
    ]);
    const news = await app.db.select().from(notifications).where(eq(notifications.userId, ann.player.id));
    expect(news.map(({ kind }) => kind)).toEqual(["message"]);
  });

  test("sends one message if the same form is posted several times", async () => {
    const [ann, ben] = [await newVisitor(app), await newVisitor(app)];
    const id = uuidv7();
    const answers = await Promise.all([1, 2, 3].map(() => send(ben.client, ann.player.id, "Once", id)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await app.db.$count(messages, eq(messages.senderId, ben.player.id))).toBe(1);
  });

  test("asks guests to sign in, then leads back to the form", async () => {
    const ann = await newVisitor(app);
    const { player } = await newVisitor(app);
    const address = `/players/${ann.player.id}/message`;
    const client = app.client();
    const answer = await client.get(address);
    expect(answer.location).toBe(`/auth?redirectTo=${encodeURIComponent(address)}`);
    const signedIn = await client.submit(answer.location as string, "Sign In", {
      email: player.email,
      password: PASSWORD,
    });
    expect(signedIn.location).toBe(address);
    expect((await send(app.client(), ann.player.id, "Typed")).status).toBe(401);
  });

  test("is refused to oneself, to unknown players, when empty or across a block; the form keeps its text", async () => {
    const [ann, ben] = [await newVisitor(app), await newVisitor(app)];
    const self = await send(ann.client, ann.player.id, "To me");
    expect([self.status, field(self.text, "message").value]).toEqual([409, "To me"]);
    expect((await ann.client.get(`/players/${ann.player.id}/message`)).location).toBe(`/players/${ann.player.id}`);
    expect((await send(ann.client, ben.player.id, "  ")).status).toBe(400);
    expect((await send(ann.client, uuidv7(), "Nobody")).status).toBe(410);
    await addBlock(app, ben.player, ann.player);
    const blocked = await send(ann.client, ben.player.id, "Please");
    expect([blocked.status, field(blocked.text, "message").value]).toEqual([403, "Please"]);
    expect(await conversationsOf(ann.player)).toEqual([]);
  });
});
