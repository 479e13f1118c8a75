import { createClient } from "@libsql/client/http";
import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { reportCases, reports } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("Reports made before cases existed become cases with the quoted text, and no text is lost", async () => {
  await migrateUpTo(sqld.url, "0011_who-may-write");
  const client = createClient({ url: sqld.url });
  for (const id of ["one", "two", "bad"]) {
    await client.execute(
      `INSERT INTO users (id, email, password_hash, created_at) VALUES ('${id}', '${id}@lineup.test', 'none', 0)`,
    );
  }
  await client.execute("INSERT INTO conversations (id, created_at) VALUES ('chat', 0)");
  await client.execute(`INSERT INTO messages (id, conversation_id, seq, sender_id, content, created_at)
    VALUES ('message', 'chat', 1, 'bad', 'Rude words', 0)`);
  await client.execute(`INSERT INTO user_feedback
    (id, reviewer_id, reviewed_id, rating, created_at, updated_at, due_at) VALUES ('review', 'bad', 'one', 1, 0, 0, 0)`);
  const old: (string | number | null)[][] = [
    // id, reporter, reported, message, review, reason, details, quoted, at
    ["r1", "one", "bad", "message", null, "spam", "First", "Rude words", 1],
    ["r2", "one", "bad", "message", null, "hate", "Second", "Rude words", 2],
    ["r3", "two", "bad", "message", null, "threats", null, "Rude words", 3],
    ["r4", "one", "bad", null, "review", "other", null, "1 of 5 stars", 4],
    ["r5", "two", "bad", null, null, "cheating", "Boosts", null, 5],
    ["r6", "two", null, null, null, "other", null, "Its message is gone", 6],
    ["r7", null, "bad", null, null, "spam", "Its reporter is gone", null, 7],
  ];
  for (const args of old) {
    await client.execute({
      sql: `INSERT INTO reports (id, reporter_id, reported_id, message_id, feedback_id, reason, details, quoted_content,
        created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      args,
    });
  }
  client.close();

  await migrate(sqld.url);
  const { db } = openDatabase({ url: sqld.url });
  const cases = await db.select().from(reportCases).orderBy(asc(reportCases.id));
  expect(
    cases.map(({ id, kind, subjectId, playerId, reportCount, snapshot, updatedAt }) => [
      ...[id, kind, subjectId, playerId, reportCount, snapshot.quoted, updatedAt.getTime()],
    ]),
  ).toEqual([
    ["r1", "message", "message", "bad", 2, "Rude words", 3],
    ["r4", "review", "review", "bad", 1, "1 of 5 stars", 4],
    ["r5", "player", "bad", "bad", 2, null, 7],
    ["r6", "message", "r6", null, 1, "Its message is gone", 6],
  ]);
  expect(cases.every(({ state, isFlagged }) => state === "open" && !isFlagged)).toBe(true);
  const kept = await db.select().from(reports).orderBy(asc(reports.id));
  expect(kept.map(({ id, caseId, reporterId, reason, details }) => [id, caseId, reporterId, reason, details])).toEqual([
    ["r2", "r1", "one", "hate", "First\n\nSecond"],
    ["r3", "r1", "two", "threats", null],
    ["r4", "r4", "one", "other", null],
    ["r5", "r5", "two", "cheating", "Boosts"],
    ["r6", "r6", "two", "other", null],
    ["r7", "r5", null, "spam", "Its reporter is gone"],
  ]);
});
