import { eq, inArray } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { LAST } from "../../app/features/players/directory/filters";
import { EVERYONE } from "../../app/features/players/directory/filters.server";
import { uuidv7 } from "../../db/ids";
import { blocks, playerFacets, playerNames as playerWords, profiles, users } from "../../db/schema";
import type { Availability } from "../../db/words/availability";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import {
  field,
  findByHeading,
  heading,
  links,
  playerNames,
  postTitles,
  select,
  selectEach,
  textOf,
  texts,
} from "../support/html";
import { roundTrips } from "../support/server-timing";
import { addBlock, addListedPlayer, addPost, DAY, newVisitor, type Player, unique, visitAs } from "./players";

const app = useApp();

const PLAYERS = "/dashboard/players";
type Profile = Partial<typeof profiles.$inferInsert>;

/** Adds a player with this name to the directory. */
const add = (name: string, profile: Profile = {}) => addListedPlayer(app, { riotGameName: name, ...profile });
const isAmong = (players: readonly Player[]) =>
  inArray(
    users.id,
    players.map(({ id }) => id),
  );
const remove = (...players: Player[]) => app.db.delete(users).where(isAmong(players));
const visit = async (profile: Profile = {}) => (await newVisitor(app, profile)).client;
const found = (html: string) => textOf(select(html, "h2#found"));
const row = (html: string, name: string) => findByHeading(html, ".player-row", name);
const next = (html: string) => links(html).find(({ text }) => text === "Next page" || text === "Keep searching");

/** The names on all pages of a list, page by page. */
async function walk(client: Client, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let to: string | undefined = path; to; ) {
    const page = await client.get(to);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    pages.push(playerNames(page.text));
    to = next(page.text)?.href;
    expect(pages.length).toBeLessThan(50);
  }
  return pages;
}

/** Monday to Friday from 18 to 22, Saturday and Sunday from 10 to 18. */
const EVENINGS: Availability = [8, 8, 8, 8, 8, 0, 0];
const WEEKENDS: Availability = [0, 0, 0, 0, 0, 6, 6];

describe("the directory's address", () => {
  test("leads a signed-out visitor to the sign-in, and back", async () => {
    const { location } = await app.client().get(`${PLAYERS}?role=Duelist`);
    expect(location).toBe(`/auth?redirectTo=${encodeURIComponent(`${PLAYERS}?role=Duelist`)}`);
  });

  test("gets five filters from the viewer's profile, which the page names until `Reset` shows everyone", async () => {
    const fits = await add("Fits all five", { currentRank: "Gold 2", region: "Brazil", languages: ["en"] });
    const client = await visit({ currentRank: "Platinum 2", region: "Brazil", languages: ["pt", "en"] });
    const { status, location } = await client.get(`${PLAYERS}?utm_source=chat`);
    const wanted = { minRank: "Gold 1", maxRank: "Diamond 2", canQueue: "on", region: "Brazil", language: "en" };
    expect(status).toBe(302);
    expect(location).toBe(`${PLAYERS}?${new URLSearchParams({ ...wanted, sort: "best" })}`);
    const page = await client.get(location as string);
    expect(roundTrips(page)).toBe(1);
    expect(textOf(page.text)).toContain(
      "Set from your profile: Gold 1 to Diamond 2, can queue with you, Brazil, English.",
    );
    expect(links(page.text)).toContainEqual({ text: "Reset", href: EVERYONE });
    expect(texts(page.text, "summary")).toContain("Filters 5");
    const everyone = await client.get(EVERYONE);
    expect(textOf(everyone.text)).not.toContain("Set from your profile");
    expect(links(everyone.text)).toContainEqual({ text: "Set filters from my profile", href: PLAYERS });
    await remove(fits);
  });

  test("leaves out a default filter that matches nobody, and says so until someone matches", async () => {
    const spaniard = await add("No Thai", { currentRank: "Bronze 2", region: "Latin America", languages: ["es"] });
    const client = await visit({ currentRank: "Bronze 1", region: "Latin America", languages: ["th"] });
    const follow = async () => {
      let page = await client.get(PLAYERS);
      while (page.location) {
        expect(roundTrips(page)).toBe(1);
        page = await client.get(page.location);
      }
      return page;
    };
    const page = await follow();
    expect(roundTrips(page)).toBe(1);
    expect(playerNames(page.text)).toEqual(["No Thai"]);
    expect(textOf(page.text)).toContain(
      "Set from your profile: Iron 1 to Silver 3, can queue with you, Latin America. " +
        "Left out because nobody would match: Thai.",
    );
    expect(texts(page.text, 'option[value=""][selected]')).toContain("Any");
    const thai = await add("Thai", { currentRank: "Bronze 3", region: "Latin America", languages: ["th"] });
    expect(playerNames((await follow()).text)).toEqual(["Thai"]);
    // The viewer removed the filter, so the page doesn't claim that nobody fits it.
    const byHand = await client.get(
      `${PLAYERS}?minRank=Iron+1&maxRank=Silver+3&canQueue=on&region=Latin+America&sort=best`,
    );
    expect(textOf(byHand.text)).not.toContain("Left out");
    expect(links(byHand.text)).toContainEqual({ text: "Set filters from my profile", href: PLAYERS });
    await remove(spaniard, thai);
  });

  test("shows everyone to a player whose defaults match nobody at all", async () => {
    const anyone = await add("Anyone", {});
    const client = await visit({ currentRank: "Radiant", region: "Korea", languages: ["hu"] });
    let page = await client.get(PLAYERS);
    while (page.location) page = await client.get(page.location);
    expect(playerNames(page.text)).toContain("Anyone");
    expect(textOf(page.text)).toMatch(/Left out because nobody matches right now: .*, Korea, Hungarian\./);
    await remove(anyone);
  });

  test("shows everyone to a player with an empty profile, and says what a profile is good for", async () => {
    const client = await visit();
    const { location } = await client.get(PLAYERS);
    expect(location).toBe(EVERYONE);
    const page = await client.get(EVERYONE);
    expect(links(page.text)).toContainEqual({ text: "Complete your profile", href: "/dashboard/profile" });
  });

  test("shows everyone when its parameters are unknown", async () => {
    const client = await visit();
    const everyone = playerNames((await client.get(EVERYONE)).text);
    for (const junk of [
      "role=Healer&agent=Neo&minRank=Wood&free=never&sort=worst",
      "sort=best&after=x&page=-1",
      `sort=newest&after=1e9_${uuidv7()}`,
      "region[]=Europe&sort=best&sort=newest",
      "playstyle=%00%0a&role=",
    ]) {
      const page = await client.get(`${PLAYERS}?${junk}`);
      expect(page.status, junk).toBe(200);
      expect(playerNames(page.text).length, junk).toBe(everyone.length);
    }
    const long = await client.get(`${PLAYERS}?playstyle=${"x".repeat(5_000)}`);
    expect([long.status, playerNames(long.text)]).toEqual([200, []]);
  });
});

describe("each filter", () => {
  const one: Profile = {
    riotPuuid: unique("puuid"),
    riotVerifiedAt: new Date(),
    currentRank: "Gold 2",
    preferredRole: "Controller",
    mainAgents: ["Omen", "Clove"],
    region: "Korea",
    personalityTags: ["Warm-Up  first"],
    voiceCommsPreference: "required",
    languages: ["ko", "ja"],
    timeZone: "UTC",
    availability: EVENINGS,
  };
  const other: Profile = {
    currentRank: "Radiant",
    preferredRole: "Duelist",
    mainAgents: ["Jett"],
    region: "Brazil",
    personalityTags: ["jokes"],
    voiceCommsPreference: "none",
    languages: ["pt"],
    timeZone: "UTC",
    availability: WEEKENDS,
  };
  let client: Client;

  beforeAll(async () => {
    client = await visit({ currentRank: "Platinum 1", timeZone: "UTC", availability: EVENINGS });
    await add("One", { ...one, personalityTags: ["Warm-up first"] });
    await add("Other", other);
    await add("Silent");
  });

  test.each([
    ["minRank=Gold+1&maxRank=Gold+3", "One"],
    ["minRank=Gold+3&maxRank=Gold+1", "One"],
    ["minRank=Immortal+1", "Other"],
    ["maxRank=Platinum+1", "One"],
    ["canQueue=on", "One"],
    ["role=Duelist", "Other"],
    ["agent=Clove", "One"],
    ["region=Brazil", "Other"],
    ["playstyle=warm-up+FIRST", "One"],
    ["voice=none", "Other"],
    ["language=ja", "One"],
    ["verified=on", "One"],
    ["free=mine", "One"],
    ["free=weekday-evenings", "One"],
    ["free=weekends", "Other"],
    ["role=Controller&agent=Omen&region=Korea&playstyle=warm-up+first&voice=required&language=ko&verified=on", "One"],
  ])("keeps only matching players: %s", async (query, name) => {
    for (const sort of ["best", "reputation", "newest"]) {
      const page = await client.get(`${PLAYERS}?sort=${sort}&${query}`);
      expect(playerNames(page.text), sort).toEqual([name]);
      expect(found(page.text)).toBe("1 player");
    }
  });

  test("that matches nobody offers to leave out one filter", async () => {
    const page = await client.get(`${PLAYERS}?free=weekday-daytime&region=Korea`);
    expect(playerNames(page.text)).toEqual([]);
    expect(textOf(page.text)).toContain("No player fits these filters right now.");
    for (const [text, href] of [
      ["Show all players", EVERYONE],
      ["Any time", `${PLAYERS}?region=Korea&sort=best`],
      ["Any region", `${PLAYERS}?free=weekday-daytime&sort=best`],
    ]) {
      expect(links(page.text)).toContainEqual({ text, href });
    }
  });

  test("uses the viewer's clock", async () => {
    // An evening in UTC is a night in Tokyo, and also an evening in Lisbon.
    const tokyo = await visit({ timeZone: "Asia/Tokyo" });
    expect(playerNames((await tokyo.get(`${PLAYERS}?free=weekday-evenings&region=Korea`)).text)).toEqual([]);
    const lisbon = await visit({ timeZone: "Europe/Lisbon" });
    expect(playerNames((await lisbon.get(`${PLAYERS}?free=weekday-evenings&region=Korea`)).text)).toEqual(["One"]);
  });

  test("on hours never finds a player without a time zone, whose hours nobody can compare", async () => {
    const placeless = await add("Placeless", { availability: EVENINGS, personalityTags: ["placeless"] });
    const reader = await visit({ timeZone: "Europe/Lisbon", availability: EVENINGS });
    const list = `${PLAYERS}?playstyle=placeless`;
    for (const free of ["mine", "weekday-evenings"]) {
      expect(playerNames((await reader.get(`${list}&free=${free}`)).text), free).toEqual([]);
    }
    expect(textOf(row((await reader.get(list)).text, "Placeless"))).not.toMatch(/hours|evenings/i);
    await remove(placeless);
  });

  test("that needs the viewer's own profile says so when the profile is empty, and keeps everyone", async () => {
    const empty = await visit();
    const page = await empty.get(`${PLAYERS}?canQueue=on&free=mine`);
    expect(playerNames(page.text)).toEqual(expect.arrayContaining(["One", "Other", "Silent"]));
    expect(textOf(page.text)).toContain("Set your rank on the Profile tab. Until then, this is anyone.");
    expect(textOf(page.text)).toContain("Add when you play on the Profile tab. Until then, this is any time.");
  });

  test("never finds players by fields that they hide", async () => {
    await add("Discreet", { languages: ["el"], timeZone: "UTC", availability: WEEKENDS, shares: [] });
    expect(playerNames((await client.get(`${PLAYERS}?language=el`)).text)).toEqual([]);
    const page = await client.get(`${PLAYERS}?sort=newest`);
    const shown = textOf(row(page.text, "Discreet"));
    expect(shown).toContain("No rank set");
    expect(shown).not.toMatch(/Greek|hours|New/);
  });
});

describe("the order", () => {
  const tag = "in order";

  beforeAll(async () => {
    const ago = (days: number) => new Date(Date.now() - days * DAY);
    const near = { currentRank: "Gold 1", preferredRole: "Sentinel", region: "Europe" } as const;
    await add("Oldest", { personalityTags: [tag], joinedAt: ago(3), rankingScore: 4.1, ...near });
    await add("Newest", { personalityTags: [tag], joinedAt: ago(1), rankingScore: 3.2, currentRank: "Radiant" });
    await add("Praised", {
      personalityTags: [tag],
      joinedAt: ago(2),
      rankingScore: 4.8,
      feedbackScore: 4.9,
      totalRatings: 41,
    });
  });

  test.each([
    ["newest", ["Newest", "Praised", "Oldest"]],
    ["reputation", ["Praised", "Oldest", "Newest"]],
    ["best", ["Oldest", "Praised", "Newest"]],
  ])("is %s", async (sort, names) => {
    const client = await visit({ currentRank: "Gold 1", preferredRole: "Duelist", region: "Europe" });
    const page = await client.get(`${PLAYERS}?sort=${sort}&playstyle=${encodeURIComponent(tag)}`);
    expect(playerNames(page.text)).toEqual(names);
    expect(textOf(row(page.text, "Oldest"))).toMatch(/Both Gold 1.*Sentinel and Duelist: your roles go together/);
    expect(textOf(row(page.text, "Newest"))).toContain("Gold 1 and Radiant can't queue ranked together.");
    expect(textOf(row(page.text, "Praised"))).toContain("4.9");
    expect(textOf(row(page.text, "Praised"))).toContain("41 reviews");
  });
});

describe("players who are not listed", () => {
  const tag = "is it me";
  let viewer: Player;
  let client: Client;
  const names = async (sort: string) =>
    playerNames((await client.get(`${PLAYERS}?sort=${sort}&playstyle=${encodeURIComponent(tag)}`)).text);

  beforeAll(async () => {
    viewer = await add("Myself", { personalityTags: [tag] });
    client = await visitAs(app, viewer);
    await add("Present", { personalityTags: [tag] });
  });

  test.each(["best", "reputation", "newest"])("include the viewer and players who opted out, by %s", async (sort) => {
    await addListedPlayer(app, { riotGameName: "Unlisted", personalityTags: [tag], isListed: false });
    expect(await names(sort)).toEqual(["Present"]);
  });

  test("include players who blocked the viewer, and players blocked by the viewer", async () => {
    const [hostile, unwanted] = [
      await add("Hostile", { personalityTags: [tag] }),
      await add("Unwanted", { personalityTags: [tag] }),
    ];
    expect((await names("newest")).sort()).toEqual(["Hostile", "Present", "Unwanted"]);
    await addBlock(app, hostile, viewer);
    await addBlock(app, viewer, unwanted);
    expect(await names("newest")).toEqual(["Present"]);
    expect(await names("best")).toEqual(["Present"]);
  });

  test.each([
    ["suspended, who have no page either", { suspendedAt: new Date(), suspendedReason: "Insults" }, false],
    ["about to be deleted, who keep their page", { deletionDueAt: new Date(Date.now() + DAY) }, true],
  ])("include players who are %s", async (_, state, hasPage) => {
    const gone = await add("Gone", { personalityTags: [tag] });
    expect((await client.get(`/players/${gone.id}`)).status).toBe(200);
    await app.db.update(users).set(state).where(eq(users.id, gone.id));
    for (const sort of ["best", "reputation", "newest"]) expect(await names(sort), sort).toEqual(["Present"]);
    for (const visitor of [client, app.client()]) {
      for (const page of [`/players/${gone.id}`, `/players/${gone.id}/message`]) {
        const { status, location, text } = await visitor.get(page);
        // Guests are asked to sign in before they write, if there is someone to write to.
        if (hasPage && location) expect(location).toBe(`/auth?redirectTo=${encodeURIComponent(page)}`);
        else expect([status, text.includes("Gone")], page).toEqual(hasPage ? [200, true] : [404, false]);
      }
    }
    await app.db
      .update(users)
      .set({ suspendedAt: null, suspendedReason: null, deletionDueAt: null })
      .where(eq(users.id, gone.id));
    expect(await names("newest")).toEqual(["Gone", "Present"]);
    await app.db.delete(playerFacets).where(eq(playerFacets.userId, gone.id));
  });

  test("still see their own page when their account is about to be deleted", async () => {
    const { player, client: own } = await newVisitor(app, { riotGameName: "Leaving" });
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() + DAY) })
      .where(eq(users.id, player.id));
    const page = await own.get(`/players/${player.id}`);
    expect([page.status, heading(page.text), roundTrips(page)]).toEqual([200, "Leaving", 1]);
  });
});

describe("the pages of the directory", () => {
  const COUNT = 270;
  const names = Array.from({ length: COUNT }, (_, at) => `Many ${at}`);
  /** Two filters that no index serves together. */
  const BOTH = "language=fi&agent=Vyse";
  let client: Client;
  let blocked: Player[];

  beforeAll(async () => {
    const viewer = await add("Reader", { languages: ["fi"], mainAgents: ["Vyse"], currentRank: "Gold 1" });
    client = await visitAs(app, viewer);
    const ranks = ["Gold 1", "Iron 1", "Radiant", "Silver 3"] as const;
    const players: Player[] = [];
    for (const [at, name] of names.entries()) {
      players.push(
        await add(name, {
          languages: ["fi"],
          mainAgents: ["Vyse"],
          currentRank: ranks[at % ranks.length] ?? null,
          // Some joined in the same millisecond, and many have equal scores.
          joinedAt: new Date(Date.now() - 100 * DAY - Math.floor(at / 3) * 1_000),
          rankingScore: at % 7 === 0 ? 4.166666666666667 : 0,
        }),
      );
    }
    // A whole page of consecutive players.
    blocked = players.slice(30, 60);
    await app.db
      .insert(blocks)
      .values(blocked.map(({ id }) => ({ blockerId: viewer.id, blockedId: id, createdAt: new Date() })));
  }, 120_000);

  const expected = () => names.filter((_, at) => at < 30 || at >= 60);

  test.each([
    ["sort=newest&language=fi", "one filter, newest first"],
    ["sort=reputation&language=fi", "one filter, by reputation"],
    [`sort=newest&${BOTH}`, "two filters, newest first"],
    [`sort=reputation&${BOTH}`, "two filters, by reputation"],
    [`sort=best&${BOTH}`, "two filters, best match"],
  ])("show every player exactly once: %s", async (query) => {
    const pages = await walk(client, `${PLAYERS}?${query}`);
    expect(pages.flat().sort()).toEqual(expected().sort());
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(20);
  });

  test.each(["sort=newest&language=fi", "sort=reputation&language=fi", `sort=newest&${BOTH}`, `sort=best&${BOTH}`])(
    "lead back to the first page, which has the plain address: %s",
    async (query) => {
      const plain = `${PLAYERS}?${query}`;
      let address = plain;
      let page = await client.get(address);
      for (let to = next(page.text); to; to = next(page.text)) {
        address = to.href;
        page = await client.get(address);
      }
      const seen = new Set<string>();
      for (let pages = 0; pages < 60; pages += 1) {
        page = await client.get(address);
        for (const name of playerNames(page.text)) seen.add(name);
        const to = page.location ?? links(page.text).find(({ text }) => text === "Previous page")?.href;
        if (!to) break;
        address = to;
      }
      expect([...seen].sort()).toEqual(expected().sort());
      const params = (path: string) => [...new URL(path, app.url).searchParams].sort();
      expect(params(address)).toEqual(params(plain));
    },
  );

  test("are ranked within one stretch of the directory, after which the search can be continued", async () => {
    const first = await client.get(`${PLAYERS}?${BOTH}&sort=best`);
    expect(found(first.text)).toMatch(/^1\d\d\+ players$/);
    expect(next(first.text)?.text).toBe("Next page");
    expect(new Set(playerNames(first.text).map((name) => Number(name.split(" ")[1]) % 4))).toEqual(new Set([0]));
    const second = await client.get(next(first.text)?.href as string);
    expect(found(second.text)).toMatch(/^1\d\d\+ players, page 2$/);
    const ranks = await walk(client, `${PLAYERS}?${BOTH}&sort=best&minRank=Radiant`);
    expect(ranks.flat().length).toBe(expected().filter((name) => Number(name.split(" ")[1]) % 4 === 2).length);
  });

  test("don't shift when a player joins in the meantime", async () => {
    const first = await client.get(`${PLAYERS}?${BOTH}&sort=best`);
    const to = next(first.text)?.href as string;
    const before = playerNames((await client.get(to)).text);
    const late = await add("Latecomer", { languages: ["fi"], mainAgents: ["Vyse"], currentRank: "Gold 1" });
    expect(playerNames((await client.get(to)).text)).toEqual(before);
    expect(playerNames((await client.get(`${PLAYERS}?${BOTH}&sort=best`)).text)).toContain("Latecomer");
    await app.db.delete(playerFacets).where(eq(playerFacets.userId, late.id));
  });

  test("of a stretch begin at the same entry, even if its first players aren't shown", async () => {
    const hidden: Player[] = [];
    for (const name of names.slice(0, 15)) {
      hidden.push(await add(`Hidden ${name}`, { languages: ["fi"], mainAgents: ["Vyse"] }));
    }
    await app.db.update(users).set({ suspendedAt: new Date() }).where(isAmong(hidden));
    const query = `${PLAYERS}?${BOTH}&sort=best`;
    const pages = await walk(client, query);
    expect(pages.flat().sort()).toEqual(expected().sort());
    const first = await client.get(query);
    const second = await client.get(next(first.text)?.href as string);
    expect(found(second.text)).toBe(`${found(first.text)}, page 2`);
    // From the next stretch back to the last page of this one.
    const last = pages.findIndex((names) => names.length < 20);
    let page = second;
    for (let number = 2; number <= last + 1; number += 1) page = await client.get(next(page.text)?.href as string);
    const previous = links(page.text).find(({ text }) => text === "Previous page")?.href as string;
    expect(playerNames((await client.follow(await client.get(previous))).text)).toEqual(pages[last]);
    await remove(...hidden);
  });

  test("say that the search can be continued when a stretch has no match", async () => {
    const page = await client.get(`${PLAYERS}?${BOTH}&sort=newest&voice=none`);
    expect(found(page.text)).toBe("0+ players");
    expect(textOf(page.text)).toContain("No matches so far. There are more players to search.");
    const last = await client.get(next(page.text)?.href as string);
    expect(found(last.text)).toBe("0 more players");
    expect(next(last.text)).toBeUndefined();
  });
});

describe("a player in the directory", () => {
  test("can be written to in two steps", async () => {
    const friend = await add("A friend", { personalityTags: ["write to me"] });
    const client = await visit();
    const page = await client.get(`${PLAYERS}?playstyle=write+to+me`);
    const href = `/players/${friend.id}/message`;
    expect(links(row(page.text, "A friend"))).toEqual([
      { text: "A friend", href: `/players/${friend.id}` },
      { text: "Message", href },
    ]);
    const sent = await client.submit(href, "Send Message", { message: "Duo tonight?" });
    expect(sent.location).toBe(`/players/${friend.id}`);
  });

  test("is found once the profile is saved, and no longer once the player opts out", async () => {
    const { client } = await newVisitor(app, { riotGameName: "Late riser" });
    const reader = await visit();
    const seen = async () => playerNames((await reader.get(`${PLAYERS}?agent=Astra`)).text);
    expect(await seen()).toEqual([]);
    await client.post("/dashboard/profile", { mainAgents: ["Astra"], riotId: "Late riser#1", isListed: "on" });
    expect(await seen()).toEqual(["Late riser#1"]);
    await client.post("/dashboard/profile", { mainAgents: ["Astra"], riotId: "Late riser#1" });
    expect(await seen()).toEqual([]);
  });

  test("has a tab of the dashboard that leads to the directory", async () => {
    const { text } = await (await visit()).get(EVERYONE);
    const tab = selectEach(text, "a").find((link) => textOf(link) === "Players");
    expect(tab?.attr("href")).toBe(PLAYERS);
    expect(tab?.attr("aria-current")).toBe("page");
  });
});

describe("a player's name", () => {
  const search = async (client: Client, name: string, more = "") =>
    playerNames((await client.get(`${PLAYERS}?name=${encodeURIComponent(name)}${more}`)).text);

  test("finds the player by the beginning of any of its words, in any script, with any case or accents", async () => {
    const client = await visit();
    const names = ["Zephyr Walker", "Żółw", "Ковалёв", "Đặng", "愛してる", "zephyrine#EUW"];
    for (const name of names) {
      await add(name, name.includes("#") ? { riotGameName: null, riotId: name } : {});
    }
    for (const [typed, expected] of [
      ["zephyr", ["Zephyr Walker", "zephyrine#EUW"]],
      ["walk zeph", ["Zephyr Walker"]],
      ["ZEPHYRWALKER", ["Zephyr Walker"]],
      ["zolw", ["Żółw"]],
      ["ковалев", ["Ковалёв"]],
      ["dang", ["Đặng"]],
      ["てる", ["愛してる"]],
      ["zephyrine#EUW", ["zephyrine#EUW"]],
    ] as const) {
      expect((await search(client, typed)).sort(), typed).toEqual([...expected].sort());
    }
    const page = await client.get(`${PLAYERS}?name=++zephyr+`);
    expect(roundTrips(page)).toBe(1);
    expect(field(page.text, "name").value).toBe("zephyr");
  });

  test("of a combining accent alone finds nobody, and causes no server error", async () => {
    const client = await visit();
    await add("Accented");
    const page = await client.get(`${PLAYERS}?name=%CC%81`);
    expect([page.status, playerNames(page.text)]).toEqual([200, []]);
  });

  test("narrows with the other filters, and offers a search among everyone when they match nobody", async () => {
    const client = await visit();
    await add("Quillon East", { region: "Korea" });
    await add("Quillon West", { region: "Brazil" });
    expect(await search(client, "quillon", "&region=Korea")).toEqual(["Quillon East"]);
    const page = await client.get(`${PLAYERS}?name=quillon&region=Europe`);
    const all = links(page.text).find(({ text }) => text === "Search all players for this name");
    expect(playerNames((await client.get(all?.href as string)).text).sort()).toEqual(["Quillon East", "Quillon West"]);
  });

  test("follows the player's state: renamed, hidden, blocked, gone", async () => {
    const { client: reader, player } = await newVisitor(app);
    const { client, player: found } = await newVisitor(app);
    const save = (fields: Record<string, string>) => client.post("/dashboard/profile", fields);
    await save({ riotId: "Ulfberht#1", isListed: "on" });
    expect(await search(reader, "ulfberht")).toEqual(["Ulfberht#1"]);
    await save({ riotId: "Vorpal#1", isListed: "on" });
    expect([await search(reader, "ulfberht"), await search(reader, "vorpal")]).toEqual([[], ["Vorpal#1"]]);
    await save({ riotId: "Vorpal#1" });
    expect(await search(reader, "vorpal")).toEqual([]);
    await save({ riotId: "Vorpal#1", isListed: "on" });
    await addBlock(app, found, player);
    expect(await search(reader, "vorpal")).toEqual([]);
    await app.db.delete(blocks).where(eq(blocks.blockerId, found.id));
    await save({ riotId: "", isListed: "on" });
    expect(await search(reader, "vorpal")).toEqual([]);
    await app.db.delete(users).where(eq(users.id, found.id));
    expect(await app.db.select().from(playerWords).where(eq(playerWords.userId, found.id))).toEqual([]);
  });

  test("whose words a migration couldn't write is found after the cron has run", async () => {
    const client = await visit();
    const early = await add("Earlybird Nest");
    await app.db.delete(playerWords).where(eq(playerWords.userId, early.id));
    await app.db.update(profiles).set({ foundBy: null }).where(eq(profiles.userId, early.id));
    expect(await search(client, "nest")).toEqual([]);
    await app.runScheduled();
    expect(await search(client, "nest")).toEqual(["Earlybird Nest"]);
  });

  test("also finds the player's posts in the list of posts", async () => {
    const { client } = await newVisitor(app);
    const author = await add("Señor Smoke");
    await addPost(app, author.id, { title: "Two for Haven" });
    for (const typed of ["senor", "SMOKE", "smoke haven", "señor#EUW"]) {
      expect(postTitles((await client.get(`/dashboard?q=${encodeURIComponent(typed)}`)).text), typed).toEqual([
        "Two for Haven",
      ]);
    }
    expect(postTitles((await client.get("/dashboard?q=moke")).text)).toEqual([]);
  });
});

describe("the pace of the directory", () => {
  const paced = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "directoryPages=3/60" } });

  test("lets a player turn a limited number of pages a minute, then leads back to the first one", async () => {
    const { client } = await newVisitor(paced);
    await addListedPlayer(paced, { riotGameName: "Found By All" });
    const later = `${EVERYONE}&page=${LAST}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.get(later)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 303);
    expect(refused?.location).toBe(EVERYONE);
    const first = await client.follow(await client.get(later));
    expect([first.status, heading(first.text)]).toEqual([200, "Players"]);
    expect(textOf(first.text)).toMatch(/Slow down That was a lot in a short time\. Try again in \d+ seconds?\./);
    const other = await newVisitor(paced);
    expect((await other.client.get(later)).status).toBe(200);
  });
});
