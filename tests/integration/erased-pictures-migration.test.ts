import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { migrate } from "../../db/migrate";
import { followUps, users } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("Reported pictures that nobody uses any more wait for the cron, which hides or deletes them", async () => {
  await migrateUpTo(sqld.url, "0027_seekers-by-time");
  const { db } = openDatabase({ url: sqld.url });
  const now = new Date();
  const [erased, player] = [uuidv7(), uuidv7()];
  await db.insert(users).values({ id: player, email: "player@lineup.test", passwordHash: "none", createdAt: now });
  // As plain SQL, because the schema has columns that later migrations add.
  await db.run(
    sql`INSERT INTO profiles (user_id, avatar_id, updated_at) VALUES (${player}, 'in-use', ${now.getTime()})`,
  );
  for (const [subjectId, picture] of [
    [erased, "left-behind"],
    [player, "in-use"],
  ] as const) {
    await db.run(sql`INSERT INTO report_cases (id, kind, subject_id, picture, snapshot, created_at, updated_at)
      VALUES (${uuidv7()}, 'player', ${subjectId}, ${picture}, '{}', ${now.getTime()}, ${now.getTime()})`);
  }

  await migrate(sqld.url);
  const rows = await db.select().from(followUps);
  expect(rows).toMatchObject([{ kind: "player", subjectId: erased, picture: "left-behind" }]);
});
