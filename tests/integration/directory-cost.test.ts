import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPlayers } from "../../app/features/players/directory.server";
import { defaultFilters, type PlayerCursor, parsePlayerFilters, playersPath } from "../../app/features/players/filters";
import { uuidv7 } from "../../db/ids";
import { cost, planFaults, type Site, startSite } from "../support/cost";

const list =
  (query: string, after: PlayerCursor | null = null) =>
  (db: Parameters<typeof listPlayers>[0]) =>
    listPlayers(db, parsePlayerFilters(new URLSearchParams(query)), uuidv7(), after);

/** One filter, which an index serves in each order of the list. */
const SERVED = [
  "verified=on",
  "role=Sentinel",
  "agent=Jett",
  "region=Korea",
  "playstyle=calm",
  "voice=required",
  "language=en",
];
/** Ranges, and what the viewer's own profile must tell. */
const RANGES = ["minRank=Gold+1", "maxRank=Iron+1", "minRank=Radiant", "canQueue=on", "free=weekends", "free=mine"];
const COMBINED = [
  "minRank=Gold+1&maxRank=Diamond+2&canQueue=on&region=Europe&language=en",
  "minRank=Radiant&maxRank=Radiant",
  "playstyle=nothing+like+this&agent=Vyse",
  "agent=Jett&playstyle=calm&language=fi",
  "minRank=Iron+1&maxRank=Radiant&canQueue=on&verified=on&role=Duelist&agent=Jett&region=Europe&playstyle=calm&voice=preferred&language=en&free=weekends",
];
/** What a first visit asks for, by who comes: ranks to queue with, region and language at once. */
const VISITORS = (
  [
    { rank: "Gold 2", region: "Europe", languages: ["de", "en"] },
    { rank: "Silver 1", region: "Korea", languages: ["ko", "en"] },
    { rank: "Diamond 1", region: "North America", languages: ["en"] },
    { rank: "Platinum 3", region: "Brazil", languages: ["pt"] },
  ] as const
).map((own) => playersPath(defaultFilters(own)).split("?")[1] as string);
const ORDERS = ["newest", "reputation"];

describe("the directory of 100 000 players", () => {
  let small: Site;
  let large: Site;

  beforeAll(async () => {
    const now = new Date();
    [small, large] = await Promise.all([
      startSite({ players: 10_000, posts: 10 }, now),
      startSite({ players: 100_000, posts: 10 }, now),
    ]);
    // Everyone has been here, so that each player costs as much as one can.
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

  it.each([...ORDERS, "best"])(
    "costs with any one filter at most half as much again as without, by %s",
    async (sort) => {
      const all = await cost(large, list(`sort=${sort}`));
      for (const query of SERVED) {
        const { rowsRead, roundTrips } = await cost(large, list(`sort=${sort}&${query}`));
        console.log(`first page by ${sort}, '${query}': ${rowsRead} rows read, without ${all.rowsRead}`);
        expect(roundTrips).toBe(1);
        expect(rowsRead, query).toBeLessThanOrEqual(all.rowsRead * 1.5);
      }
    },
  );

  it.each([...RANGES, ...COMBINED, ...VISITORS])(
    "reads at most 2 000 entries, then offers to search further: '%s'",
    async (query) => {
      for (const sort of [...ORDERS, "best"]) {
        const { result, rowsRead, roundTrips } = await cost(large, list(`sort=${sort}&${query}`));
        console.log(`first page by ${sort}, '${query}': ${rowsRead} rows read, ${result.players.length} found`);
        expect(roundTrips).toBe(1);
        expect(rowsRead).toBeLessThanOrEqual(2_000);
        expect(result.isBounded).toBe(true);
        if (!query.startsWith("playstyle=nothing")) expect(result.end).not.toBeNull();
      }
    },
  );

  it.each(["", ...SERVED, ...VISITORS])(
    "finds at least 200 candidates for the best matches, filtered by '%s'",
    async (query) => {
      const { result, rowsRead } = await cost(large, list(query));
      expect(result.players.length).toBeGreaterThanOrEqual(200);
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
    const place = { key: Number(rows[0]?.key), userId: String(rows[0]?.user_id) };
    const deep = await cost(large, list(`sort=${sort}`, place));
    expect(deep.result.players.length).toBeGreaterThanOrEqual(20);
    expect(deep.rowsRead).toBeLessThanOrEqual(first.rowsRead * 1.1);
  });

  it("plans every query over an index, without sorting", async () => {
    const statements = [];
    for (const query of ["", ...SERVED, ...RANGES, ...COMBINED, ...VISITORS]) {
      for (const sort of ORDERS) statements.push(...(await cost(large, list(`sort=${sort}&${query}`))).statements);
    }
    expect(await planFaults(large.url, statements)).toEqual([]);
  });
});
