import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { lfgPosts, presence, profiles, tournaments, tournamentTeams, users } from "../../db/schema";
import { PRESENCE_POLICIES } from "../../db/words/presence-policies";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { texts } from "../support/html";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { addBlock, addPlayer, addPost, HOUR, MINUTE, newVisitor, unique } from "./players";
import { register, registrationsIn } from "./registrations";
import { requestToJoin, teamsIn } from "./teams";

/* The column beside the posts: the viewer's teams and tournaments, players who are online, the next tournament. */

const app = useApp();
const { newTournament, newEntrant, newTeam } = registrationsIn(app);

/** The links of a section of the LFG page. */
async function linksIn(
  client: Client,
  section: "online" | "next-tournament" | "your-team" | "your-tournaments",
): Promise<string[]> {
  const page = await client.get("/dashboard");
  expect([page.status, roundTrips(page)]).toEqual([200, 1]);
  return texts(page.text, `section[aria-labelledby=${section}] a`);
}

describe("Your team", () => {
  const { accept, newPost } = teamsIn(app);

  test("shows three teams, those that play first, and says that there are more", async () => {
    const author = await newVisitor(app);
    const own: string[] = [];
    for (const title of [unique("Duo "), unique("Trio "), unique("Five-stack ")]) {
      const postId = await addPost(app, author.player.id, { title, neededPlayers: 2 });
      const asker = await newVisitor(app);
      await requestToJoin(asker.client, postId);
      await accept(author, postId, asker);
      own.push(title);
    }
    expect(await linksIn(author.client, "your-team")).not.toContain("Chat");
    const joined = await newPost(1, 0);
    const title = unique("Complete ");
    await app.db.update(lfgPosts).set({ title }).where(eq(lfgPosts.id, joined.postId));
    await requestToJoin(author.client, joined.postId);
    await accept(joined.author, joined.postId, author);
    // The oldest post closes first.
    const [first, second] = own;
    const shown = [title, "Team Chat", first, "Team Chat", second, "Team Chat", "Chat"];
    expect(await linksIn(author.client, "your-team")).toEqual(shown);
  });
});

describe("Online now", () => {
  beforeEach(() => app.db.delete(presence));

  /** A player who was last seen `age` milliseconds ago. */
  async function newOnlinePlayer(
    profile: Parameters<typeof addPlayer>[1] = {},
    { state = "online" as (typeof presence.$inferInsert)["state"], age = 0 } = {},
  ) {
    const name = unique("Seen ");
    const player = await addPlayer(app, { riotGameName: name, ...profile });
    await app.db.insert(presence).values({ userId: player.id, state, seenAt: new Date(Date.now() - age) });
    return { ...player, name };
  }

  test("lists players seen within five minutes, without the viewer and without players who are away", async () => {
    const shown = await newOnlinePlayer({}, { age: 4 * MINUTE });
    await newOnlinePlayer({}, { age: 6 * MINUTE });
    await newOnlinePlayer({}, { state: "away" });
    await newOnlinePlayer({}, { state: "offline" });
    const { client, player } = await newVisitor(app);
    await app.db.insert(presence).values({ userId: player.id, state: "online", seenAt: new Date() });
    expect(await linksIn(client, "online")).toEqual([shown.name]);
  });

  test.each(PRESENCE_POLICIES)("lists a player whose policy is '%s' only if that is everyone", async (policy) => {
    const hidden = await newOnlinePlayer({ presencePolicy: policy });
    const { client, player } = await newVisitor(app);
    const expected = policy === "everyone" ? [hidden.name] : [];
    expect(await linksIn(client, "online")).toEqual(expected);
    // The list is the same for people whom the player knows: they see the presence elsewhere.
    await addSession(app.db, hidden, [player]);
    expect(await linksIn(client, "online")).toEqual(expected);
  });

  test.each(["who blocked the viewer", "whom the viewer blocked"])("leaves out a player %s", async (words) => {
    const other = await newOnlinePlayer();
    const { client, player } = await newVisitor(app);
    expect(await linksIn(client, "online")).toEqual([other.name]);
    await (words.startsWith("who ") ? addBlock(app, other, player) : addBlock(app, player, other));
    expect(await linksIn(client, "online")).toEqual([]);
  });

  test("leaves out players who are not in the directory, are suspended, or are deleting their account", async () => {
    const [unlisted, suspended, leaving] = [await newOnlinePlayer(), await newOnlinePlayer(), await newOnlinePlayer()];
    const { client } = await newVisitor(app);
    expect((await linksIn(client, "online")).sort()).toEqual([unlisted.name, suspended.name, leaving.name].sort());
    await app.db.update(profiles).set({ isListed: false }).where(eq(profiles.userId, unlisted.id));
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.id));
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() + HOUR) })
      .where(eq(users.id, leaving.id));
    expect(await linksIn(client, "online")).toEqual([]);
  });

  test("lists the four players who fit best, and none who can't queue with the viewer", async () => {
    const far = await newOnlinePlayer({ currentRank: "Radiant", region: "Europe" });
    const fitting: string[] = [];
    for (let number = 1; number <= 4; number += 1) {
      fitting.push((await newOnlinePlayer({ currentRank: "Gold 2", region: "Europe" })).name);
    }
    // They were seen last, but play elsewhere.
    for (let number = 1; number <= 2; number += 1) await newOnlinePlayer({ currentRank: "Gold 2", region: "Korea" });
    const { client } = await newVisitor(app, { currentRank: "Gold 2", region: "Europe" });
    expect((await linksIn(client, "online")).sort()).toEqual(fitting.sort());
    const { client: radiant } = await newVisitor(app, { currentRank: "Radiant", region: "Europe" });
    expect(await linksIn(radiant, "online")).toEqual([far.name]);
  });
});

describe("Next tournament", () => {
  beforeEach(() => app.db.update(tournaments).set({ state: "cancelled" }));

  /** A tournament of two places whose registration ends in so many hours. */
  const closingIn = async (hours: number, tournament: Parameters<typeof newTournament>[0] = {}) => {
    const title = unique("Cup ");
    const registrationDeadline = new Date(Date.now() + hours * HOUR);
    return { title, ...(await newTournament({ title, registrationDeadline, teamSize: 1, ...tournament })) };
  };

  test("is the one whose registration ends first, among those open to the viewer's rank", async () => {
    // Announced in the opposite order.
    const any = await closingIn(4);
    const gold = await closingIn(3, { minRank: "Gold 1", maxRank: "Platinum 1" });
    const low = await closingIn(2, { maxRank: "Silver 3" });
    const high = await closingIn(1, { minRank: "Diamond 1" });
    for (const [currentRank, { title }] of [
      ["Diamond 2", high],
      ["Iron 1", low],
      ["Gold 1", gold],
      ["Platinum 1", gold],
      [null, any],
    ] as const) {
      const { client } = await newVisitor(app, { currentRank });
      expect(await linksIn(client, "next-tournament"), String(currentRank)).toEqual([title]);
    }
  });

  test("is one with a free spot, listed, not hidden, and with its registration still open", async () => {
    const full = await closingIn(1);
    for (let number = 1; number <= 2; number += 1) await newTeam(full.id, null);
    await closingIn(-1);
    await closingIn(2, { isListed: false });
    await closingIn(3, { hiddenAt: new Date() });
    const { client } = await newVisitor(app);
    expect(await linksIn(client, "next-tournament")).toEqual([]);
    const { title } = await closingIn(4);
    expect(await linksIn(client, "next-tournament")).toEqual([title]);
  });

  test("is one that the viewer hasn't entered, by a host whom the viewer hasn't blocked", async () => {
    const entered = await closingIn(1);
    const blocked = await closingIn(2);
    const blocking = await closingIn(3);
    const { client, player } = await newEntrant();
    expect(await linksIn(client, "next-tournament")).toEqual([entered.title]);
    expect((await register(client, entered.id, null)).status).toBe(303);
    expect(await linksIn(client, "next-tournament")).toEqual([blocked.title]);
    await addBlock(app, player, { id: blocked.hostId });
    // The other way round nothing changes: as in the list of tournaments, a host can't hide one from a player.
    await addBlock(app, { id: blocking.hostId }, player);
    expect(await linksIn(client, "next-tournament")).toEqual([blocking.title]);
  });
});

describe("Your tournaments", () => {
  beforeEach(() => app.db.update(tournaments).set({ state: "cancelled" }));

  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
  const newCup = async (hours: number, tournament: Parameters<typeof newTournament>[0] = {}) => {
    const title = unique("Cup ");
    const dates = { registrationDeadline: inHours(hours - 1), tournamentDate: inHours(hours) };
    return { title, ...(await newTournament({ title, teamSize: 1, ...dates, ...tournament })) };
  };
  const sectionOf = async (client: Client) =>
    texts((await client.get("/dashboard")).text, "section[aria-labelledby=your-tournaments]").join();

  test("are the two with the nearest dates that the viewer has entered and that aren't over", async () => {
    const { client } = await newEntrant();
    await newCup(2);
    expect(await linksIn(client, "your-tournaments")).toEqual([]);
    const cups = [await newCup(50), await newCup(30), await newCup(40)];
    for (const { id } of cups) expect((await register(client, id, null)).status).toBe(303);
    expect(await linksIn(client, "your-tournaments")).toEqual([cups[1]?.title, cups[2]?.title]);
    const end = (id: string, state: "finished" | "cancelled") =>
      app.db.update(tournaments).set({ state }).where(eq(tournaments.id, id));
    await end(cups[1]?.id as string, "finished");
    await end(cups[2]?.id as string, "cancelled");
    expect(await linksIn(client, "your-tournaments")).toEqual([cups[0]?.title]);
    await app.db
      .update(tournaments)
      .set({ hiddenAt: new Date() })
      .where(eq(tournaments.id, cups[0]?.id as string));
    expect(await linksIn(client, "your-tournaments")).toEqual([]);
  });

  test("come before older ones that were never started", async () => {
    const { client } = await newEntrant();
    const cups = [await newCup(2), await newCup(3), await newCup(40)];
    for (const { id } of cups) await register(client, id, null);
    for (const { id } of cups.slice(0, 2)) {
      const dates = { registrationDeadline: inHours(-73), tournamentDate: inHours(-72) };
      await app.db.update(tournaments).set(dates).where(eq(tournaments.id, id));
    }
    expect((await linksIn(client, "your-tournaments"))[0]).toBe(cups[2]?.title);
  });

  test("no longer include one from which the viewer has withdrawn", async () => {
    const cup = await newCup(30);
    const { client } = await newEntrant();
    await register(client, cup.id, null);
    expect(await linksIn(client, "your-tournaments")).toEqual([cup.title]);
    expect((await client.submit(`/tournaments/${cup.id}/withdraw`, "Withdraw")).status).toBe(303);
    expect(await linksIn(client, "your-tournaments")).toEqual([]);
  });

  test("say what the viewer's part is: registered, waiting, check-in open, live", async () => {
    const cup = await newCup(30, { maxParticipants: 2, checkInMinutes: 60 });
    const { client } = await newEntrant();
    await register(client, cup.id, null);
    expect(await sectionOf(client)).toMatch(/Registered\.$/);
    await newTeam(cup.id, null);
    const { client: late } = await newEntrant();
    await register(late, cup.id, null);
    expect(await sectionOf(late)).toMatch(/On the waiting list\.$/);
    const dates = { registrationDeadline: inHours(-1), tournamentDate: inHours(0.5) };
    await app.db.update(tournaments).set(dates).where(eq(tournaments.id, cup.id));
    expect(await sectionOf(client)).toMatch(/Check-in open \.$/);
    const team = eq(tournamentTeams.tournamentId, cup.id);
    await app.db.update(tournamentTeams).set({ checkedInAt: new Date() }).where(team);
    expect(await sectionOf(client)).toMatch(/Registered\.$/);
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, cup.id));
    expect(await sectionOf(client)).toMatch(/Live\.$/);
    expect(await sectionOf(late)).toBe("");
  });
});
