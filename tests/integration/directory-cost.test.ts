import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPlayers } from "../../app/features/players/directory/directory.server";
import { defaultFilters, playersPath, readPlayerPage } from "../../app/features/players/directory/filters.server";
import { type Cursor, pageAfter, pageUpTo } from "../../app/platform/lists/keyset";
import { uuidv7 } from "../../db/ids";
import { cost, type MeasuredDatabase, planFaults, startMeasuredDatabase } from "../support/cost";

const list =
  (query: string, cursor: Cursor | null = null) =>
  (db: Parameters<typeof listPlayers>[0]) =>
    listPlayers(db, readPlayerPage(new URLSearchParams(query)).filters, uuidv7(), cursor);

/** Single filters, each served by an index in every order of the list. */
const SERVED = [
  "verified=on",
  "role=Sentinel",
  "agent=Jett",
  "region=Korea",
  "playstyle=calm",
  "voice=required",
  "language=en",
];
/** Ranges, and filters that depend on the viewer's own profile. */
const RANGES = ["minRank=Gold+1", "maxRank=Iron+1", "canQueue=on", "free=weekends", "free=mine"];
const COMBINED = [
  "minRank=Gold+1&maxRank=Diamond+2&canQueue=on&region=Europe&language=en",
  "playstyle=nothing+like+this&agent=Vyse",
  "agent=Jett&playstyle=calm&language=fi",
  "minRank=Iron+1&maxRank=Radiant&canQueue=on&verified=on&role=Duelist&agent=Jett&region=Europe&playstyle=calm&voice=preferred&language=en&free=weekends",
];
/** The default filters of a first visit for several players: ranks to queue with, region and language together. */
const VISITORS = (
  [
    { rank: "Gold 2", region: "Europe", languages: ["de", "en"] },
    { rank: "Silver 1", region: "Korea", languages: ["ko", "en"] },
    { rank: "Diamond 1", region: "North America", languages: ["en"] },
    { rank: "Platinum 3", region: "Brazil", languages: ["pt"] },
  ] as const
).map((own) => playersPath(defaultFilters(own)).split("?")[1] as string);
/** Ranges with few players, alone and together with filters that have an index. */
const NARROW = [
  "minRank=Radiant&maxRank=Radiant",
  "minRank=Immortal+3",
  "minRank=Gold+2&maxRank=Gold+2&region=Europe",
  "minRank=Silver+1&maxRank=Gold+1&language=en",
];
/** Prefixes of very many names, of fewer, of none; and two words. */
const NAMES = ["a", "sh", "nobodyatall", "a b"];
const ORDERS = ["newest", "reputation"];

describe("the directory of 100 000 players", () => {
  let small: MeasuredDatabase;
  let large: MeasuredDatabase;

  beforeAll(async () => {
    const now = new Date();
    [small, large] = await Promise.all([
      startMeasuredDatabase({ players: 10_000, posts: 10 }, now),
      startMeasuredDatabase({ players: 100_000, posts: 10 }, now),
    ]);
    // All players have been online, so that each one costs the maximum.
    for (const { url } of [small, large]) {
      const client = createClient({ url });
      await client.execute(`INSERT INTO presence SELECT user_id, 'away', ${now.getTime()} FROM profiles`);
      client.close();
    }
  }, 240_000);

  afterAll(async () => {
    for (const site of [small, large]) await site?.stop();
  });

  it.each([...ORDERS, "best"])("costs the same as with 10 000, by %s", async (sort) => {
    const few = await cost(small, list(`sort=${sort}`));
    const many = await cost(large, list(`sort=${sort}`));
    console.log(`first page by ${sort}: ${few.rowsRead} rows read of 10 000 players, ${many.rowsRead} of 100 000`);
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeGreaterThan(0);
    expect(many.rowsRead).toBeLessThanOrEqual(few.rowsRead * 1.1);
  });

  it.each([...ORDERS, "best"])("costs at most 50 % more with any indexed filter than without, by %s", async (sort) => {
    const all = await cost(large, list(`sort=${sort}`));
    for (const query of SERVED) {
      const { rowsRead, roundTrips } = await cost(large, list(`sort=${sort}&${query}`));
      console.log(`first page by ${sort}, '${query}': ${rowsRead} rows read, without ${all.rowsRead}`);
      expect(roundTrips).toBe(1);
      expect(rowsRead, query).toBeLessThanOrEqual(all.rowsRead * 1.5);
    }
  });

  it.each([...RANGES, ...COMBINED, ...VISITORS])(
    "reads at most 2 000 entries, then offers to search further: '%s'",
    async (query) => {
      for (const sort of [...ORDERS, "best"]) {
        const { result, rowsRead, roundTrips } = await cost(large, list(`sort=${sort}&${query}`));
        console.log(`first page by ${sort}, '${query}': ${rowsRead} rows read, ${result.found.length} found`);
        expect(roundTrips).toBe(1);
        expect(rowsRead).toBeLessThanOrEqual(2_000);
        if (!query.startsWith("playstyle=nothing")) expect(result.end).not.toBeNull();
      }
    },
  );

  it.each(["", ...SERVED, ...VISITORS])(
    "finds at least 200 candidates for the best matches, filtered by '%s'",
    async (query) => {
      const { result, rowsRead } = await cost(large, list(query));
      expect(result.found.length).toBeGreaterThanOrEqual(200);
      expect(rowsRead).toBeLessThanOrEqual(2_000);
    },
  );

  it.each([
    ["newest", "joined_at"],
    ["reputation", "ranking_score"],
  ])("costs the same far down the list, by %s", async (sort, column) => {
    const client = createClient({ url: large.url });
    const { rows } = await client.execute(
      `SELECT ${column} AS key, user_id FROM player_facets WHERE facet = 'all' ORDER BY ${column} DESC, user_id DESC LIMIT 1 OFFSET 90000`,
    );
    client.close();
    const first = await cost(large, list(`sort=${sort}`));
    const place = { key: Number(rows[0]?.key), id: String(rows[0]?.user_id) };
    for (const way of [pageAfter, pageUpTo]) {
      const deep = await cost(large, list(`sort=${sort}`, way(place)));
      expect(deep.result.found.length).toBeGreaterThanOrEqual(20);
      expect(deep.rowsRead).toBeLessThanOrEqual(first.rowsRead * 1.1);
    }
  });

  it.each(NARROW)("reads only players of the requested ranks among 100 000: '%s'", async (query) => {
    const few = await cost(small, list(query));
    const many = await cost(large, list(query));
    console.log(`best matches, '${query}': ${few.rowsRead} rows read of 10 000, ${many.rowsRead} of 100 000`);
    // The viewer never has to press `Keep searching`, because all players that were read match.
    expect(many.result.found.length).toBeGreaterThanOrEqual(200);
    expect(many.rowsRead).toBeLessThanOrEqual(2_000);
    const all = await cost(large, list(`${query}&sort=newest`));
    expect(all.result.isBounded).toBe(false);
    expect(all.rowsRead).toBeLessThanOrEqual(300);
  });

  it.each(NAMES)("finds players by name among 100 000, reading at most 2 000 entries: '%s'", async (name) => {
    const query = `name=${encodeURIComponent(name)}`;
    const few = await cost(small, list(query));
    const many = await cost(large, list(query));
    console.log(
      `name '${name}': ${few.rowsRead} rows read of 10 000 (${few.result.found.length} found), ` +
        `${many.rowsRead} of 100 000 (${many.result.found.length} found)`,
    );
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeLessThanOrEqual(2_000);
    for (const more of [
      "&sort=newest&region=Europe",
      "&minRank=Gold+1&role=Duelist&agent=Jett&playstyle=calm&language=en",
    ]) {
      expect((await cost(large, list(query + more))).rowsRead).toBeLessThanOrEqual(2_000);
    }
  });

  it("finds a player by the whole name, however many players share a word of it", async () => {
    for (const site of [small, large]) {
      const client = createClient({ url: site.url });
      const { rows } = await client.execute(
        "SELECT riot_game_name AS name, user_id AS id FROM profiles WHERE riot_game_name IS NOT NULL LIMIT 1 OFFSET 7000",
      );
      client.close();
      const name = String(rows[0]?.name);
      const { result, rowsRead } = await cost(site, list(`name=${encodeURIComponent(name)}`));
      console.log(`name '${name}': ${rowsRead} rows read`);
      expect(result.found.map(({ userId }) => userId)).toContain(rows[0]?.id);
      expect(rowsRead).toBeLessThanOrEqual(1_000);
    }
  });

  it("plans every query over an index, without sorting", async () => {
    const statements = [];
    const place = { key: Date.now(), id: uuidv7() };
    for (const query of ["", ...SERVED, ...RANGES, ...COMBINED, ...VISITORS, ...NARROW, "name=a+b&region=Korea"]) {
      for (const sort of ORDERS) {
        for (const cursor of [null, pageAfter(place), pageUpTo(place)]) {
          statements.push(...(await cost(large, list(`sort=${sort}&${query}`, cursor))).statements);
        }
      }
    }
    expect(await planFaults(large.url, statements)).toEqual([]);
  });
});
