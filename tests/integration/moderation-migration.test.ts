import { createClient } from "@libsql/client/http";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { auditLog, conversationMembers, lfgPosts, reportCases, sessions, users } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();
const { sqld: later } = await startWatchedDatabase();

test("Accounts, their rows, suspensions and cases survive the migration that adds the moderation tables", async () => {
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

test("The history of accounts survives, and chat members who have written are marked", async () => {
  await migrateUpTo(later.url, "0018_keep-decided-cases");
  const client = createClient({ url: later.url });
  await client.executeMultiple(`
    INSERT INTO users (id, email, password_hash, created_at)
      VALUES ('one', 'one@lineup.test', 'none', 0), ('two', 'two@lineup.test', 'none', 0);
    INSERT INTO audit_log (id, user_id, actor, action, details, created_at)
      VALUES ('entry', 'one', 'operator', 'suspended', '{"reason":"Spam"}', 7);
    INSERT INTO conversations (id, pair_key, created_at) VALUES ('talk', 'one:two', 0);
    INSERT INTO conversation_members (conversation_id, user_id, listed_at, joined_at)
      VALUES ('talk', 'one', 0, 0), ('talk', 'two', 0, 0);
    INSERT INTO messages (id, conversation_id, seq, sender_id, content, created_at)
      VALUES ('first', 'talk', 1, 'one', 'Hi', 0), ('second', 'talk', 2, NULL, 'From a deleted account', 0)`);
  client.close();

  await migrate(later.url);
  const { db } = openDatabase({ url: later.url });
  expect(await db.select().from(auditLog)).toEqual([
    {
      id: "entry",
      userId: "one",
      actor: "operator",
      action: "suspended",
      details: { reason: "Spam" },
      createdAt: new Date(7),
    },
  ]);
  const { userId, hasWritten } = conversationMembers;
  expect(await db.select({ userId, hasWritten }).from(conversationMembers).orderBy(userId)).toEqual([
    { userId: "one", hasWritten: true },
    { userId: "two", hasWritten: false },
  ]);
  await expect(db.update(auditLog).set({ actor: "nobody" as "player" })).rejects.toThrow();
});
