import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { QUEUE } from "../../app/features/moderation/queue/filters";
import { listCases } from "../../app/features/moderation/queue/queries.server";
import { notifyWaitingCases } from "../../app/features/moderation/shared/staff-news.server";
import { readSearch } from "../../app/platform/search-params/search-params";
import { uuidv7 } from "../../db/ids";
import { cost, type MeasuredDatabase, startMeasuredDatabase } from "../support/cost";

/*
 * The queue with 100 cases and with 100 000: half of them open, every seventh flagged, every eleventh urgent, every
 * tenth for admins, and one in fifty assigned to the moderator.
 */

const MODERATOR = uuidv7();
const SIZES = [100, 100_000] as const;

let small: MeasuredDatabase;
let large: MeasuredDatabase;

/** Adds cases, the oldest first. */
async function addCases({ url }: MeasuredDatabase, count: number): Promise<void> {
  const client = createClient({ url });
  await client.execute({
    sql: `
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO report_cases (id, kind, subject_id, player_id, state, report_count, is_flagged, is_urgent, is_for_admin,
        assigned_to, snapshot, created_at, updated_at, closed_at)
      SELECT printf('%08x-0000-7000-8000-000000000000', i),
        CASE i % 3 WHEN 0 THEN 'post' WHEN 1 THEN 'message' ELSE 'player' END,
        printf('subject-%d', i), NULL, iif(i % 2, 'open', 'closed'), 1 + i % 9, i % 7 = 0, i % 11 = 0,
        i % 10 = 1,
        iif(i % 50 = 1, ?, NULL), '{"author":"Jett Main","content":"Rude words"}', i, i, iif(i % 2, NULL, i)
      FROM n`,
    args: [count, MODERATOR],
  });
  client.close();
}

beforeAll(async () => {
  const now = new Date();
  [small, large] = (await Promise.all(
    SIZES.map(async (size) => {
      const database = await startMeasuredDatabase({ players: 100, posts: 10 }, now);
      await addCases(database, size);
      return database;
    }),
  )) as [MeasuredDatabase, MeasuredDatabase];
}, 240_000);

afterAll(async () => {
  for (const database of [small, large]) await database?.stop();
});

/** Reads a page of the queue. */
const queue = (query: string) => (db: Parameters<typeof listCases>[0]) => {
  const { cursor, ...filters } = readSearch(QUEUE, new URLSearchParams(query));
  return listCases(db, filters, cursor, MODERATOR);
};

test.each([
  ...["", "state=closed", "urgent=on", "kind=post", "flagged=on", "admin=on", "order=reports"],
  ...["kind=post&urgent=on", "flagged=on&urgent=on", "admin=on&urgent=on"],
])("A page of the queue reads as many rows with 100 000 cases as with 100: '%s'", async (query) => {
  const [few, many] = [await cost(small, queue(query)), await cost(large, queue(query))];
  console.log(`queue '${query}': ${few.rowsRead} rows read with 100 cases, ${many.rowsRead} with 100 000`);
  expect([few.roundTrips, many.roundTrips]).toEqual([1, 1]);
  expect(many.result.items).toHaveLength(20);
  // The small queue's page may be shorter.
  const perCase = few.rowsRead / few.result.items.length;
  expect(many.rowsRead).toBeLessThanOrEqual(Math.ceil(perCase * 20 * 1.1) + 5);
});

test.each(["", "urgent=on", "order=reports"])(
  "A page far down the queue costs at most twice as much as the first: '%s'",
  async (query) => {
    const first = await cost(large, queue(query));
    const key = { "": "0_", "urgent=on": "", "order=reports": "5_" }[query];
    const place = `${key}0000c350-0000-7000-8000-000000000000`;
    for (const way of ["after", "upto"]) {
      const { rowsRead, roundTrips, result } = await cost(large, queue(`${query}&${way}=${place}`));
      expect([roundTrips, result.items.length]).toEqual([1, 20]);
      expect(rowsRead).toBeLessThanOrEqual(first.rowsRead * 2 + 5);
    }
  },
);

test.each(["kind=post&flagged=on&admin=on&mine=on", "state=closed&mine=on", "order=reports&admin=on&flagged=on"])(
  "Filters without a common index examine at most 500 cases, each of them twice: '%s'",
  async (query) => {
    const { rowsRead, roundTrips } = await cost(large, queue(query));
    console.log(`queue '${query}': ${rowsRead} rows read`);
    expect(roundTrips).toBe(1);
    expect(rowsRead).toBeLessThanOrEqual(1_000);
  },
);

const CONDITIONS: Record<string, string> = {
  "urgent=on": "AND is_urgent",
  "kind=post": "AND kind = 'post'",
  "flagged=on&admin=on": "AND is_flagged AND is_for_admin",
};

test("Paging through the queue, forwards and back, shows every open case once, in order", async () => {
  for (const query of ["", "urgent=on", "kind=post", "order=reports", "flagged=on&admin=on"]) {
    const seen: string[] = [];
    let next = "";
    let previous = "";
    for (let turn = 0; turn < 10; turn += 1) {
      const { result } = await cost(small, queue(`${query}${next}`));
      seen.push(...result.items.map(({ id }) => id));
      if (!result.next) break;
      next = `&after=${result.next.key === null ? "" : `${result.next.key}_`}${result.next.id}`;
      previous = next;
    }
    const { result: all } = await cost(small, (db) =>
      db.all<{ id: string }>(
        `SELECT id FROM report_cases WHERE state = 'open' ${CONDITIONS[query] ?? ""}
         ORDER BY ${query.startsWith("order") ? "report_count" : "is_urgent"} DESC, id` as never,
      ),
    );
    expect(seen, query).toEqual(all.map(({ id }) => id));
    if (!previous) continue;
    const back = previous.replace("after", "upto");
    const { result } = await cost(small, queue(`${query}${back}`));
    expect(result.items.map(({ id }) => id)).toEqual(
      seen.slice(seen.length - (seen.length % 20 || 20) - 20).slice(0, 20),
    );
  }
}, 60_000);

test("Paging back shows each case once, wherever the search for rare cases stops", async () => {
  const query = "order=reports&admin=on&flagged=on";
  // Every 18th case is open and has four reports, and one in 35 of those matches the filters. So of 35 consecutive
  // starting points, one makes the search stop at a matching case.
  for (let step = 0; step < 35; step += 1) {
    const id = `${(90_003 - (90_003 % 18) + 3 + 18 * step).toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`;
    const { result: page } = await cost(large, queue(`${query}&upto=4_${id}`));
    expect(page.cutShort).toBe("previous");
    const { result: before } = await cost(large, queue(`${query}&upto=4_${page.previous?.id}`));
    const { result: all } = await cost(large, (db) =>
      db.all<{ id: string }>(
        `SELECT id FROM report_cases WHERE state = 'open' AND is_flagged AND is_for_admin AND report_count = 4
         AND id <= '${id}' AND id >= '${before.items[0]?.id}' ORDER BY id` as never,
      ),
    );
    expect([...before.items, ...page.items].map((item) => item.id)).toEqual(all.map((item) => item.id));
  }
}, 60_000);

test("The cron looks at no more than the hundred oldest cases for each moderator", async () => {
  for (const database of [small, large]) {
    const client = createClient({ url: database.url });
    await client.batch([
      "UPDATE users SET role = 'moderator' WHERE id IN (SELECT id FROM users ORDER BY id LIMIT 3)",
      `INSERT INTO totp_factors (user_id, secret, created_at, confirmed_at)
        SELECT id, 'none', 1, 1 FROM users WHERE role IS NOT NULL`,
      // None of the oldest is theirs to decide.
      "UPDATE report_cases SET is_for_admin = 1 WHERE rowid <= 400",
    ]);
    client.close();
  }
  const [few, many] = [
    await cost(small, (db) => notifyWaitingCases(db, new Date())),
    await cost(large, (db) => notifyWaitingCases(db, new Date())),
  ];
  console.log(`waiting cases: ${few.rowsRead} rows read with 100 cases, ${many.rowsRead} with 100 000`);
  expect([few.result, many.result, many.roundTrips]).toEqual([[], [], 1]);
  expect(many.rowsRead).toBeLessThanOrEqual(3 * 120);
});
