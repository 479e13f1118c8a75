import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { DatabaseUnavailableError, openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { rateLimits } from "../../db/schema";
import { transact } from "../../db/statements";
import { startWatchedDatabase } from "../support/watched-database";

const { proxy, sqld } = await startWatchedDatabase();
const { db } = openDatabase({ url: proxy.url });

const END = new Date(1_000);
const add = (key: string) => db.insert(rateLimits).values({ key, count: 1, windowEndsAt: END });
const countUp = (key: string) => db.run(sql`UPDATE rate_limits SET count = count + 1 WHERE key = ${key}`);
const read = (key: string) =>
  db
    .select({ count: rateLimits.count, endsAt: rateLimits.windowEndsAt })
    .from(rateLimits)
    .where(eq(rateLimits.key, key));

beforeAll(() => migrate(sqld.url));

beforeEach(async () => {
  proxy.locked = 0;
  await db.delete(rateLimits);
  proxy.clear();
});

describe("A database that another connection has locked", () => {
  test("is sent refused transactions and writes again, and the reads after them, which see the changes", async () => {
    await add("b");
    proxy.clear();
    proxy.locked = 2;
    const [before, changed, raised, rows] = await Promise.all([
      read("b").all(),
      transact(db, { add: add("a") }),
      countUp("b"),
      read("b"),
    ]);
    expect([changed.add.rowsAffected, raised.rowsAffected]).toEqual([1, 1]);
    expect([before, rows]).toMatchObject([[{ count: 1 }], [{ count: 2 }]]);
    expect(proxy.posts).toBe(3);
    // The first read isn't repeated.
    expect(proxy.statements.filter((statement) => statement.sql.startsWith("select"))).toHaveLength(4);
  });

  test("counts as unavailable after three refusals, and nothing has changed", async () => {
    proxy.locked = 3;
    const failure = await transact(db, { add: add("a") }).catch((error: Error) => error);
    expect([failure, (failure as Error).cause]).toContainEqual(expect.any(DatabaseUnavailableError));
    expect(proxy.posts).toBe(3);
    expect(await read("a")).toEqual([]);
  });
});

describe("transact", () => {
  test("returns the results of query-builder and raw statements by name, in one request", async () => {
    const { added, raised, row, rows, one } = await transact(db, {
      added: add("a"),
      raised: countUp("a"),
      row: read("a"),
      rows: db.all<{ n: number }>(sql`SELECT count(*) AS n FROM rate_limits`),
      one: db.get<{ n: number }>(sql`SELECT 7 AS n`),
    });
    expect([added.rowsAffected, raised.rowsAffected]).toEqual([1, 1]);
    expect(row).toEqual([{ count: 2, endsAt: END }]);
    expect(rows).toEqual([{ n: 1 }]);
    expect(one).toEqual({ n: 7 });
    expect(proxy.posts).toBe(1);
    expectTypeOf(raised.rowsAffected).toEqualTypeOf<number>();
    expectTypeOf(row).toEqualTypeOf<{ count: number; endsAt: Date }[]>();
    expectTypeOf(rows).toEqualTypeOf<{ n: number }[]>();
    expectTypeOf(one).toEqualTypeOf<{ n: number }>();
  });

  test("runs the statements in the order in which they are written, including within lists and groups", async () => {
    await transact(db, {
      last: add("z"),
      group: { second: add("b"), list: [add("d"), add("c")] },
      first: add("a"),
    });
    const inserts = proxy.statements.filter((statement) => statement.sql.startsWith("insert"));
    expect(inserts.map(({ args: [key] }) => key)).toEqual(["z", "b", "d", "c", "a"]);
  });

  test("returns lists and groups in their own shape", async () => {
    const { list, tuple, group, after } = await transact(db, {
      add: add("a"),
      list: ["a", "b", "a"].map(read),
      tuple: [read("a"), countUp("a")],
      group: { row: read("a"), counts: [countUp("b")] },
      after: read("a"),
    });
    expect(list.map((rows) => rows.length)).toEqual([1, 0, 1]);
    expect(tuple).toMatchObject([[{ count: 1 }], { rowsAffected: 1 }]);
    expect(group).toMatchObject({ row: [{ count: 2 }], counts: [{ rowsAffected: 0 }] });
    expect(after).toMatchObject([{ count: 2 }]);
    expectTypeOf(list).toEqualTypeOf<{ count: number; endsAt: Date }[][]>();
    expectTypeOf(tuple[0]).toEqualTypeOf<{ count: number; endsAt: Date }[]>();
    expectTypeOf(group.row).toEqualTypeOf<{ count: number; endsAt: Date }[]>();
  });

  test.each([true, false])(
    "leaves out a conditional statement without shifting the other results (%s)",
    async (isWanted) => {
      const { raised, row } = await transact(db, {
        add: add("a"),
        raised: isWanted ? countUp("a") : undefined,
        row: read("a"),
      });
      expect(raised?.rowsAffected).toBe(isWanted ? 1 : undefined);
      expect(row).toMatchObject([{ count: isWanted ? 2 : 1 }]);
      expectTypeOf(raised?.rowsAffected).toEqualTypeOf<number | undefined>();
      // @ts-expect-error The statement may have been left out.
      expect(() => raised.rowsAffected).toBeTypeOf("function");
    },
  );

  test("changes nothing when one statement fails, and throws that statement's error", async () => {
    const doubled = transact(db, { one: add("a"), wrong: add("a"), after: db.run(sql`SELECT no_such_column`) });
    await expect(doubled).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT" });
    expect(await read("a")).toEqual([]);
  });

  test("sends no request when every statement is left out", async () => {
    expect(await transact(db, { none: undefined, list: [] })).toEqual({ none: undefined, list: [] });
    expect(proxy.posts).toBe(0);
  });

  test("types its names, and accepts only statements", async () => {
    const results = await transact(db, { row: read("a") });
    // @ts-expect-error There is no such name.
    expect(results.rows).toBeUndefined();
    // @ts-expect-error A promise isn't a statement: it would run by itself.
    const typed = () => transact(db, { row: Promise.resolve(1) });
    expect(typed).toBeTypeOf("function");
  });
});
