import { createClient } from "@libsql/client/http";
import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { tournaments } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("Tournaments from before the column `is_listed` stay listed only if the host is verified or gone", async () => {
  await migrateUpTo(sqld.url, "0015_known-browsers");
  const client = createClient({ url: sqld.url });
  for (const [id, verifiedAt] of [
    ["verified", 1],
    ["unverified", null],
    ["nameless", undefined],
  ] as const) {
    await client.execute(
      `INSERT INTO users (id, email, password_hash, created_at) VALUES ('${id}', '${id}@lineup.test', 'none', 0)`,
    );
    if (verifiedAt === undefined) continue;
    await client.execute({
      sql: `INSERT INTO profiles (user_id, riot_puuid, riot_verified_at, joined_at, updated_at)
        VALUES (?, ?, ?, 0, 0)`,
      args: [id, verifiedAt && "puuid", verifiedAt],
    });
  }
  for (const host of ["verified", "unverified", "nameless", null]) {
    await client.execute({
      sql: `INSERT INTO tournaments (id, user_id, title, description, entry_fee, prize_pool, max_participants, format,
          team_size, best_of, final_best_of, group_size, check_in_minutes, seeding, tournament_date,
          registration_deadline, time_zone, created_at, updated_at)
        VALUES (?, ?, 'Cup', 'Words', 0, 0, 8, 'single_elimination', 5, 1, 1, 4, 0, 'random', 2, 1, 'UTC', 0, 0)`,
      args: [host ?? "gone", host],
    });
  }
  client.close();

  await migrate(sqld.url);
  const { db } = openDatabase({ url: sqld.url });
  const { id, isListed } = tournaments;
  expect(await db.select({ id, isListed }).from(tournaments).orderBy(asc(id))).toEqual([
    { id: "gone", isListed: true },
    { id: "nameless", isListed: false },
    { id: "unverified", isListed: false },
    { id: "verified", isListed: true },
  ]);
});
