import { createClient } from "@libsql/client/http";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { lfgPosts, reportCases, sessions, users } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("Accounts, what they own, suspensions and cases stay as they were when the tables of moderation come", async () => {
  await migrateUpTo(sqld.url, "0012_reports");
  const client = createClient({ url: sqld.url });
  await client.execute(`INSERT INTO users (id, email, password_hash, created_at, suspended_at, suspended_reason)
    VALUES ('one', 'one@lineup.test', 'none', 0, NULL, NULL), ('two', 'two@lineup.test', 'none', 0, 5, 'Spam')`);
  await client.execute("INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ('s', 'one', 0, 9)");
  await client.execute(`INSERT INTO lfg_posts
    (id, user_id, title, needed_players, search_text, created_at, listed_at, expires_at, updated_at)
    VALUES ('post', 'one', 'Two for Haven', 1, 'two for haven', 0, 0, 9, 0)`);
  await client.execute(`INSERT INTO report_cases (id, kind, subject_id, player_id, snapshot, created_at, updated_at)
    VALUES ('case', 'post', 'post', 'one', '{}', 0, 0)`);
  client.close();

  await migrate(sqld.url);
  const { db } = openDatabase({ url: sqld.url });
  expect(await db.select().from(users)).toMatchObject([
    { id: "one", suspendedAt: null, suspendedUntil: null, role: null },
    { id: "two", suspendedAt: new Date(5), suspendedUntil: null, suspendedReason: "Spam", role: null },
  ]);
  expect(await db.select().from(sessions)).toMatchObject([{ id: "s" }]);
  expect(await db.select().from(lfgPosts)).toMatchObject([{ id: "post", hiddenAt: null }]);
  expect(await db.select().from(reportCases)).toMatchObject([{ id: "case", assignedTo: null, isForAdmin: false }]);
  await expect(db.update(users).set({ role: "owner" as "admin" })).rejects.toThrow();
});
