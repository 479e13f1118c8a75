import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTournamentPage } from "../../app/features/tournaments/list/filters";
import { listTournaments, listUnlisted } from "../../app/features/tournaments/list/queries.server";
import { listUpcoming } from "../../app/features/tournaments/queries.server";
import { DAY } from "../../app/platform/dates/durations";
import { type Database, openDatabase } from "../../db/client";
import { cost, type MeasuredDatabase, planFaults, startMeasuredDatabase } from "../support/cost";
import { walkPages } from "../support/pages";

const now = new Date("2026-11-22T12:00:00Z");

/**
 * Adds tournaments of all kinds to a site; the later ones are newer. Many begin at the same moment. The newest 1 000
 * are unlisted.
 */
async function fill({ url }: MeasuredDatabase, count: number): Promise<string> {
  const client = createClient({ url });
  const users = await client.execute("SELECT id FROM users LIMIT 1");
  const host = String(users.rows[0]?.id);
  await client.execute({
    sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO tournaments (
        id, user_id, title, description, entry_fee, prize_pool, max_participants, current_participants, min_rank, max_rank,
        region, format, team_size, best_of, final_best_of, group_size, check_in_minutes, seeding, tournament_date,
        registration_deadline, time_zone, state, is_listed, created_at, updated_at
      )
      SELECT printf('%08x-0000-7000-8000-000000000000', i), ?4, 'Cup ' || i, 'One of many', iif(i % 41 = 0, 0, 500), 100000, 16, 0,
        iif(i % 5 = 0, 10, NULL), iif(i % 7 = 0, 12, NULL),
        CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'Europe' WHEN 2 THEN 'Korea' ELSE 'Brazil' END,
        'single_elimination', 5, 1, 1, 4, 0, 'random', ?2 + (i * 7919 % 365) * ?3, ?2 + (i * 7919 % 365 - 1) * ?3, 'UTC',
        CASE i % 4 WHEN 0 THEN 'finished' WHEN 1 THEN 'cancelled' ELSE 'open' END, i <= ?1 - 1000, ?2, ?2
      FROM n`,
    args: [count, now.getTime(), DAY, host],
  });
  await client.execute({ sql: "UPDATE profiles SET current_rank = 11 WHERE user_id = ?", args: [host] });
  client.close();
  return host;
}

const SERVED = ["", "open=on", "free=on", "region=Korea", "from=2026-12-24&to=2027-12-31"];
const CHECKED = [
  "fits=on",
  "open=on&fits=on",
  "open=on&free=on&region=Korea",
  "region=Brazil&free=on&fits=on",
  "region=Brazil&free=on",
  "from=2026-12-24&to=2027-12-31&open=on&free=on&region=Europe&fits=on",
  "to=2027-01-31&region=Korea",
];

describe("the list of tournaments", () => {
  let small: MeasuredDatabase;
  let large: MeasuredDatabase;
  /** The hosts' visits to their own sites. Ids are random, so each site has its own host. */
  let asked: { userId: string; now: Date };
  let askedOfSmall: typeof asked;

  const list =
    (query: string, place: Record<string, string> = {}, visit = asked) =>
    (db: Database) => {
      const asksFor = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), ...place });
      const { filters, cursor } = readTournamentPage(asksFor);
      return listTournaments(db, filters, cursor, visit);
    };

  beforeAll(async () => {
    const size = { players: 100, posts: 100 };
    [small, large] = await Promise.all([startMeasuredDatabase(size, now), startMeasuredDatabase(size, now)]);
    askedOfSmall = { userId: await fill(small, 3_000), now };
    asked = { userId: await fill(large, 60_000), now };
  }, 240_000);

  afterAll(async () => {
    for (const site of [small, large]) await site?.stop();
  });

  it.each(SERVED)("costs the same with 3 000 and with 60 000 tournaments, filtered by '%s'", async (query) => {
    const few = await cost(small, list(query, {}, askedOfSmall));
    const many = await cost(large, list(query));
    console.log(`filter '${query}': ${few.rowsRead} rows read of 3 000 tournaments, ${many.rowsRead} of 60 000`);
    expect(many.roundTrips).toBe(1);
    expect(many.result.items).toHaveLength(20);
    expect(many.rowsRead).toBeLessThanOrEqual(few.rowsRead * 1.3);
    expect(many.rowsRead).toBeLessThanOrEqual(200);
  });

  it.each(CHECKED)("reads at most 2 000 entries if no index serves all filters: '%s'", async (query) => {
    const many = await cost(large, list(query));
    console.log(`filter '${query}': ${many.rowsRead} rows read of 60 000 tournaments`);
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeLessThanOrEqual(2_000);
  });

  it("plans each query over an index, without sorting an unbounded set", async () => {
    const statements = [];
    for (const query of [...SERVED, ...CHECKED]) statements.push(...(await cost(large, list(query))).statements);
    const id = "0000ffff-0000-7000-8000-000000000000";
    for (const [query, after] of [
      ["", id],
      ["region=Korea", id],
      ["open=on", `${now.getTime() + DAY}_${id}`],
      ["from=2026-12-24", `${now.getTime() + 50 * DAY}_${id}`],
      ["open=on&free=on&region=Korea", `${now.getTime() + DAY}_${id}`],
      ["region=Brazil&free=on", id],
    ] as const) {
      statements.push(...(await cost(large, list(query, { after }))).statements);
      const upwards = await cost(large, list(query, { upto: after }));
      expect(upwards.rowsRead, query).toBeLessThanOrEqual(2_000);
      statements.push(...upwards.statements);
    }
    for (const query of [...SERVED, ...CHECKED]) {
      const { filters } = readTournamentPage(new URLSearchParams(query));
      const own = await cost(large, (db) => listUnlisted(db, filters, asked));
      expect(own.rowsRead, query).toBeLessThanOrEqual(2_000);
      statements.push(...own.statements);
    }
    statements.push(...(await cost(large, (db) => listUpcoming(db, now, 3))).statements);
    expect(await planFaults(large.url, statements)).toEqual([]);
  });

  it("walks every matching tournament exactly once, page by page and back, with every kind of filter", async () => {
    const client = createClient({ url: small.url });
    const isOpen = `state = 'open' AND registration_deadline > ${now.getTime()}`;
    const fits = "(min_rank IS NULL OR min_rank <= 11) AND (max_rank IS NULL OR max_rank >= 11)";
    const day = (text: string) => Date.parse(`${text}T00:00Z`);
    const walks: Record<string, readonly [condition: string, order: string]> = {
      "": ["1", "id DESC"],
      "free=on": ["entry_fee = 0", "id DESC"],
      "region=Korea": ["(region = 'Korea' OR region IS NULL)", "id DESC"],
      "region=Korea&fits=on": [`(region = 'Korea' OR region IS NULL) AND ${fits}`, "id DESC"],
      "open=on": [isOpen, "registration_deadline, id"],
      "open=on&fits=on&free=on": [`${isOpen} AND ${fits} AND entry_fee = 0`, "registration_deadline, id"],
      "from=2026-12-24&to=2027-01-05": [
        `tournament_date >= ${day("2026-12-24")} AND tournament_date < ${day("2027-01-06")}`,
        "tournament_date, id",
      ],
      // Few in a stretch are free, so pages end where stretches do.
      "from=2026-12-24&free=on": [`tournament_date >= ${day("2026-12-24")} AND entry_fee = 0`, "tournament_date, id"],
      "open=on&free=on": [`${isOpen} AND entry_fee = 0`, "registration_deadline, id"],
      "from=2026-12-24&region=Korea": [
        `tournament_date >= ${day("2026-12-24")} AND (region = 'Korea' OR region IS NULL)`,
        "tournament_date, id",
      ],
    };
    for (const [query, [condition, order]] of Object.entries(walks)) {
      const expected = await client.execute(
        `SELECT id FROM tournaments WHERE is_listed = 1 AND (${condition}) ORDER BY ${order}`,
      );
      const { db } = openDatabase({ url: small.url });
      const { filters } = readTournamentPage(new URLSearchParams(query));
      const { down, up } = await walkPages((cursor) => listTournaments(db, filters, cursor, askedOfSmall));
      expect(down, query).toEqual(expected.rows.map((row) => row.id));
      expect(up, query).toEqual(down);
      expect(down.length, query).toBeGreaterThan(0);
    }
    client.close();
  });
});
