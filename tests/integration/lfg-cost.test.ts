import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postPage } from "../../app/features/lfg/best-matches";
import { POST_LIST } from "../../app/features/lfg/filters";
import { CANDIDATES, listOpenPosts } from "../../app/features/lfg/post-list.server";
import { listOwnOpenPosts, listSharedPosts } from "../../app/features/lfg/queries.server";
import { listOnlinePlayers } from "../../app/features/players/online.server";
import { listBriefRequests, listOwnTeams } from "../../app/features/teams/queries.server";
import { listStandings } from "../../app/features/teams/shared/standing.server";
import { findNextTournament, listUnfinished } from "../../app/features/tournaments/list/queries.server";
import { type Cursor, pageAfter, pageUpTo } from "../../app/platform/lists/keyset";
import { readSearch, writeSearch } from "../../app/platform/search-params/search-params";
import { openDatabase } from "../../db/client";
import { cost, type MeasuredDatabase, planFaults, startMeasuredDatabase } from "../support/cost";
import { walkPages } from "../support/pages";

const now = new Date();
/** A viewer without blocks. */
const NOBODY = "nobody";

const list =
  (query: string, cursor: Cursor | null = null, viewer = NOBODY) =>
  (db: Parameters<typeof listOpenPosts>[0]) =>
    listOpenPosts(db, readFilters(query), cursor, viewer, now);

/** Reads filters. Throws if the product ignores one, because the test would then measure the list without it. */
function readFilters(query: string) {
  const filters = readSearch(POST_LIST, new URLSearchParams(query));
  const understood = new URLSearchParams(writeSearch(POST_LIST, filters));
  for (const [name, value] of new URLSearchParams(query)) {
    if (!understood.has(name)) throw new Error(`The list ignores ${name}=${value}: unknown filter or option`);
  }
  return filters;
}

/** A cursor far down the list. */
const DEEP = { key: now.getTime() - 19 * 60 * 60 * 1000, id: "f".repeat(36) };

const SERVED = ["role=Sentinel", "region=Korea", "voice=required", "players=4"];
const SINGLE = ["", ...SERVED, "rank=Gold+1"];
const COMBINED = [
  "rank=Iron+1",
  "rank=Radiant",
  "q=controller",
  "q=nothing+like+this+anywhere",
  "role=Duelist&region=Brazil",
  // Not in `SINGLE`: it reads more among a million posts than among few, because more of their authors are online.
  "online=on",
  "online=on&q=nothing+like+this+anywhere",
  "online=on&rank=Iron+1&role=Sentinel&region=Korea&voice=none&players=4&q=scrims",
];

describe("the list of posts", () => {
  let small: MeasuredDatabase;
  let large: MeasuredDatabase;

  beforeAll(async () => {
    const size = { players: 5_000, openShare: 0.8 };
    [small, large] = await Promise.all([
      startMeasuredDatabase({ ...size, posts: 3_000 }, now),
      startMeasuredDatabase({ ...size, posts: 1_000_000 }, now),
    ]);
  }, 240_000);

  afterAll(async () => {
    for (const site of [small, large]) await site?.stop();
  });

  it.each(SINGLE)("costs the same with 3 000 and with 1 000 000 posts, filtered by '%s'", async (query) => {
    const few = await cost(small, list(query));
    const many = await cost(large, list(query));
    console.log(
      `first page, filter '${query}': ${few.rowsRead} rows read of 3 000 posts, ${many.rowsRead} of 1 000 000`,
    );
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeGreaterThan(0);
    expect(many.rowsRead).toBeLessThanOrEqual(few.rowsRead * 1.3);
  });

  it("costs at most 50 % more with one indexed filter than without", async () => {
    const all = await cost(large, list(""));
    for (const query of SERVED) {
      const { rowsRead } = await cost(large, list(query));
      expect(rowsRead, query).toBeLessThanOrEqual(all.rowsRead * 1.5);
    }
  });

  it.each(["", ...SERVED])("finds 200 candidates for the best matches, filtered by '%s'", async (query) => {
    expect((await cost(large, list(query))).result.found).toHaveLength(CANDIDATES);
  });

  it.each(COMBINED)("reads a bounded number of entries, filtered by '%s'", async (query) => {
    for (const cursor of [null, pageAfter(DEEP), pageUpTo(DEEP)]) {
      const many = await cost(large, list(query, cursor));
      console.log(`${cursor?.way ?? "first"} page, filter '${query}': ${many.rowsRead} rows read of 1 000 000 posts`);
      expect(many.roundTrips).toBe(1);
      expect(many.rowsRead).toBeLessThanOrEqual(2_000);
    }
  });

  it.each(["", "role=Sentinel"])("costs the same deep down the list, filtered by '%s'", async (query) => {
    const first = await cost(large, list(query));
    for (const way of [pageAfter, pageUpTo]) {
      const deep = await cost(large, list(query, way(DEEP)));
      expect(deep.rowsRead).toBeLessThanOrEqual(first.rowsRead * 1.3);
    }
  });

  it.each(["", ...SERVED, "q=controller"])(
    "reads a bounded number of entries for a viewer with blocks in both directions, filtered by '%s'",
    async (query) => {
      // The viewer has blocked, or is blocked by, nearly everyone who has posted lately.
      const client = createClient({ url: large.url });
      const authors = await client.execute(
        "SELECT user_id AS id FROM lfg_posts WHERE is_active = 1 ORDER BY listed_at DESC LIMIT 5000",
      );
      const viewer = authors.rows.at(-1)?.id as string;
      const ids = [...new Set(authors.rows.map(({ id }) => id as string))].filter((id) => id !== viewer);
      await client.batch(
        ids.map((id, at) => ({
          sql: "INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
          args: at % 2 ? [viewer, id] : [id, viewer],
        })),
      );
      client.close();
      for (const cursor of [null, pageAfter(DEEP), pageUpTo(DEEP)]) {
        const many = await cost(large, list(query, cursor, viewer));
        console.log(`${cursor?.way ?? "first"} page with blocks, filter '${query}': ${many.rowsRead} rows read`);
        expect(many.roundTrips).toBe(1);
        expect(many.rowsRead).toBeLessThanOrEqual(2_000);
        expect(many.result.found.filter(({ userId }) => ids.includes(userId))).toEqual([]);
        expect(await planFaults(large.url, many.statements)).toEqual([]);
      }
    },
  );

  it("reads a bounded number of entries for the sitemap's list of posts", async () => {
    const many = await cost(large, (db) => listSharedPosts(db, now));
    console.log(`sitemap: ${many.rowsRead} rows read of 1 000 000 posts`);
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeLessThanOrEqual(2_000);
  });

  it("reads a bounded number of entries for the viewer's requests, their teams and the requests they got", async () => {
    const client = createClient({ url: large.url });
    // The viewer has asked to join a thousand posts in the past, and is in the team of each.
    const posts = await client.execute("SELECT id, user_id FROM lfg_posts ORDER BY listed_at LIMIT 1001");
    const [own, ...others] = posts.rows;
    const viewer = own?.user_id as string;
    await client.batch(
      others.map(({ id }, at) => ({
        sql: `INSERT INTO join_requests (id, post_id, user_id, state, created_at) VALUES (?, ?, ?, 'accepted', ?)
          ON CONFLICT DO NOTHING`,
        args: [`request-${at}`, id as string, viewer, now.getTime() - 40 * 24 * 60 * 60 * 1000 - at],
      })),
    );
    client.close();
    const many = await cost(large, (db) =>
      Promise.all([listStandings(db, viewer, now), listOwnTeams(db, viewer, now), listBriefRequests(db, viewer, now)]),
    );
    console.log(`requests and teams: ${many.rowsRead} rows read, with 1 000 old memberships`);
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeLessThanOrEqual(300);
    expect(await planFaults(large.url, many.statements)).toEqual([]);
  });

  it("reads a bounded number of entries for the column beside the list: players online, own tournaments and the next one", async () => {
    const client = createClient({ url: large.url });
    const viewer = (await client.execute("SELECT user_id AS id FROM profiles LIMIT 1")).rows[0]?.id as string;
    await client.batch([
      {
        sql: `INSERT INTO presence (user_id, state, seen_at) SELECT user_id, 'online', ? - joined_at % 60000
          FROM profiles WHERE 1 ON CONFLICT DO NOTHING`,
        args: [now.getTime()],
      },
      {
        // None of them is open to the viewer, who has no rank here.
        sql: `INSERT INTO tournaments (
            id, user_id, title, description, entry_fee, prize_pool, max_participants, min_rank, format, team_size,
            best_of, final_best_of, group_size, check_in_minutes, seeding, tournament_date, registration_deadline,
            time_zone, created_at, updated_at
          ) SELECT 'cup-' || user_id, user_id, 'Cup', 'Cup', 0, 0, 16, 24, 'single_elimination', 5, 1, 1, 4, 30, 'manual',
            ? + 7200000, ? + 3600000 + joined_at % 60000, 'UTC', 0, 0 FROM profiles`,
        args: [now.getTime(), now.getTime()],
      },
      {
        // The viewer is in a thousand of them.
        sql: `INSERT INTO tournament_teams (
            id, tournament_id, name, name_key, captain_id, invite_token, state, listed_at, created_at
          ) SELECT 'team-' || id, id, 'Team', 'team', ?1, id, 'entered', 0, 0 FROM tournaments WHERE id LIKE 'cup-%' LIMIT 1000`,
        args: [viewer],
      },
      {
        sql: `INSERT INTO tournament_players (tournament_id, user_id, team_id, joined_at)
          SELECT tournament_id, ?1, id, 0 FROM tournament_teams WHERE captain_id = ?1`,
        args: [viewer],
      },
      { sql: "UPDATE profiles SET current_rank = NULL WHERE user_id = ?", args: [viewer] },
    ]);
    client.close();
    const many = await cost(large, (db) =>
      Promise.all([
        listOnlinePlayers(db, viewer, now),
        findNextTournament(db, { userId: viewer, now }),
        listUnfinished(db, { userId: viewer, now }),
      ]),
    );
    console.log(
      `column: ${many.rowsRead} rows read, with 5 000 players online, and the viewer in 1 000 of 5 000 tournaments`,
    );
    const [online, next, entered] = many.result;
    expect(entered).toHaveLength(2);
    expect(online.length).toBeGreaterThan(50);
    expect(next).toBeUndefined();
    expect(many.roundTrips).toBe(1);
    expect(many.rowsRead).toBeLessThanOrEqual(500);
    expect(await planFaults(large.url, many.statements)).toEqual([]);
  });

  it("plans each query over an index, without sorting an unbounded set", async () => {
    const statements = [];
    for (const query of [...SINGLE, ...COMBINED]) {
      for (const cursor of [null, pageAfter(DEEP), pageUpTo(DEEP)]) {
        statements.push(...(await cost(large, list(query, cursor))).statements);
      }
    }
    statements.push(...(await cost(large, (db) => listOwnOpenPosts(db, "nobody", now))).statements);
    expect(await planFaults(large.url, statements)).toEqual([]);
  });

  it("walks every matching post exactly once, page by page and back, with every kind of filter", async () => {
    const client = createClient({ url: small.url });
    const walks: Record<string, string> = {
      "": "1",
      "role=Sentinel": "(required_role = 'Sentinel' OR required_role IS NULL)",
      "rank=Silver+1": "(required_rank IS NULL OR required_rank <= 6)",
      "role=Sentinel&rank=Silver+1&region=Europe":
        "(required_role = 'Sentinel' OR required_role IS NULL) AND (required_rank IS NULL OR required_rank <= 6) AND (region = 'Europe' OR region IS NULL)",
      "online=on": `author_state <> 'away' AND author_seen_at > ${now.getTime() - 5 * 60 * 1000}`,
      "players=2&voice=required": "needed_players = 2 AND voice_comms = 'required'",
      "q=controller": "instr(search_text, 'controller') > 0",
    };
    for (const [query, condition] of Object.entries(walks)) {
      const expected = await client.execute({
        sql: `SELECT id FROM lfg_posts WHERE is_active = 1 AND expires_at > ? AND ${condition} ORDER BY listed_at DESC, id DESC`,
        args: [now.getTime()],
      });
      const { db } = openDatabase({ url: small.url });
      const filters = readFilters(query);
      const read = async (cursor: Cursor | null) =>
        postPage(await listOpenPosts(db, filters, cursor, NOBODY, now), cursor);
      const { down, up } = await walkPages(read);
      expect(down, query).toEqual(expected.rows.map((row) => row.id));
      expect(up, query).toEqual(down);
      expect(down.length, query).toBeGreaterThan(0);
    }
    client.close();
  });
});
