import { and, eq, getTableColumns, isNotNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { packed } from "../../db/packed";
import { lfgPosts, profiles, tournaments } from "../../db/schema";
import { useApp } from "../support/app";

const app = useApp({ world: "busy" });

test("A packed row equals the row that Drizzle reads without packing, for each kind of column", async () => {
  // These two hold fractions, which lose their last digit.
  const { rankingScore: _, feedbackScore: __, ...ofProfiles } = getTableColumns(profiles);
  for (const [table, columns] of [
    [lfgPosts, getTableColumns(lfgPosts)],
    [profiles, ofProfiles],
    [tournaments, getTableColumns(tournaments)],
  ] as const) {
    const plain = await app.db.select(columns).from(table).orderBy(sql`rowid`).limit(200);
    const rows = await app.db
      .select({ row: packed(columns) })
      .from(table)
      .orderBy(sql`rowid`)
      .limit(200);
    expect(plain.length).toBeGreaterThan(10);
    expect(rows.map(({ row }) => row)).toEqual(plain);
  }
});

test("A packed group of columns is null if its first column is, as when a left join finds no row", async () => {
  const title = sql<string>`upper(${lfgPosts.title})`.as("title");
  const author = { userId: profiles.userId, agents: profiles.mainAgents, verifiedAt: profiles.riotVerifiedAt };
  const isVerifiedAuthor = and(eq(profiles.userId, lfgPosts.userId), isNotNull(profiles.riotVerifiedAt));
  const plain = await app.db
    .select({ title, author })
    .from(lfgPosts)
    .leftJoin(profiles, isVerifiedAuthor)
    .orderBy(lfgPosts.id);
  const rows = await app.db
    .select({ row: packed({ title, author }) })
    .from(lfgPosts)
    .leftJoin(profiles, isVerifiedAuthor)
    .orderBy(lfgPosts.id);
  expect(new Set(plain.map((row) => row.author === null)).size).toBe(2);
  expect(rows.map(({ row }) => row)).toEqual(plain);
});
