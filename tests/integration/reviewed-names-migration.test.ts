import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { migrate } from "../../db/migrate";
import { caseFindings, conversations, reportCases, reports, users } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("Existing cases of reviews lose the reviewed players' names, and chats the ids of erased senders", async () => {
  await migrateUpTo(sqld.url, "0032_second-click");
  const { db } = openDatabase({ url: sqld.url });
  const now = new Date();
  const review = { author: "Author", about: "Reviewed", aboutId: uuidv7(), rating: 1, comment: "Rude words" };
  const caseId = uuidv7();
  // Raw SQL, because the schema has columns that the table gets only in later migrations.
  await db.run(sql`INSERT INTO report_cases (id, kind, subject_id, snapshot, created_at, updated_at)
    VALUES (${caseId}, 'review', ${uuidv7()}, ${JSON.stringify(review)}, 1, 1)`);
  const report = { caseId, reason: "hate", createdAt: now } as const;
  await db.insert(reports).values([
    { ...report, id: uuidv7(), snapshot: { ...review, comment: "Ruder words" } },
    { ...report, id: uuidv7() },
  ]);
  const found = { field: "comment", finding: "profanity", foundAt: now } as const;
  await db.insert(caseFindings).values({ ...found, caseId, matches: ["words"], snapshot: review });

  const [here, gone] = [uuidv7(), uuidv7()];
  await db.insert(users).values({ id: here, email: "here@lineup.test", passwordHash: "none", createdAt: now });
  const chats = [here, gone].map((lastSenderId) => ({ id: uuidv7(), lastSenderId, createdAt: now }));
  await db.insert(conversations).values(chats);

  await migrate(sqld.url);
  const { about: _, ...kept } = review;
  expect((await db.select().from(reportCases)).map(({ snapshot }) => snapshot)).toEqual([kept]);
  const seen = (await db.select().from(reports)).map(({ snapshot }) => snapshot);
  expect(seen).toEqual([{ ...kept, comment: "Ruder words" }, null]);
  expect((await db.select().from(caseFindings)).map(({ snapshot }) => snapshot)).toEqual([kept]);
  const senders = (await db.select().from(conversations)).map(({ lastSenderId }) => lastSenderId);
  expect(new Set(senders)).toEqual(new Set([here, null]));
});
