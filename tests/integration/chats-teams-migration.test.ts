import { createClient } from "@libsql/client/http";
import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { conversations } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("The migration gives the chat of each current match the match's teams, and other chats none", async () => {
  await migrateUpTo(sqld.url, "0028_pictures-of-erased-players");
  const client = createClient({ url: sqld.url });
  await client.executeMultiple(`
    INSERT INTO tournaments (id, title, description, entry_fee, prize_pool, max_participants, format, team_size, best_of,
        final_best_of, group_size, check_in_minutes, seeding, tournament_date, registration_deadline, time_zone,
        created_at, updated_at)
      VALUES ('cup', 'Cup', 'Words', 0, 0, 8, 'single_elimination', 5, 1, 1, 4, 0, 'random', 2, 1, 'UTC', 0, 0);
    INSERT INTO tournament_teams (id, tournament_id, name, name_key, invite_token, state, listed_at, created_at)
      VALUES ('one', 'cup', 'One', 'one', 'one', 'entered', 0, 0), ('two', 'cup', 'Two', 'two', 'two', 'entered', 0, 0);
    INSERT INTO conversations (id, title, created_at)
      VALUES ('match', 'Final: One – Two', 0), ('undone', 'Final: Two – One', 0), ('team', 'Tonight', 0);
    INSERT INTO tournament_matches (tournament_id, id, part, group_number, round, rounds, number, best_of, team1_id,
        team2_id, state, conversation_id)
      VALUES ('cup', 0, 'bracket', 1, 1, 1, 1, 1, 'one', 'two', 'ready', 'match');
  `);
  client.close();

  await migrate(sqld.url);
  const { db } = openDatabase({ url: sqld.url });
  const { id, team1, team2 } = conversations;
  expect(await db.select({ id, team1, team2 }).from(conversations).orderBy(asc(id))).toEqual([
    { id: "match", team1: "one", team2: "two" },
    { id: "team", team1: null, team2: null },
    { id: "undone", team1: null, team2: null },
  ]);
});
