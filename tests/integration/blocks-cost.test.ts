import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST_LIST } from "../../app/features/lfg/filters";
import { listOpenPosts } from "../../app/features/lfg/post-list.server";
import { listConversations } from "../../app/features/messages/list/queries.server";
import { pairKey } from "../../app/features/messages/rules";
import { listPlayers } from "../../app/features/players/directory/directory.server";
import { readPlayerPage } from "../../app/features/players/directory/filters.server";
import { type Cursor, pageAfter } from "../../app/platform/lists/keyset";
import { readSearch } from "../../app/platform/search-params/search-params";
import type { Database } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { cost, type MeasuredDatabase, planFaults, startMeasuredDatabase } from "../support/cost";

const now = new Date();
/** The number of players whom the viewer has blocked, and also of those who have blocked the viewer. */
const BLOCKS = 1_000;
/**
 * Cursors in the list of posts, an hour apart. By chance, a single page skips more or fewer posts of blocked players,
 * so its cost varies by a tenth.
 */
const DEEP = [3, 4, 5, 6, 7].map((hours) =>
  pageAfter({ key: now.getTime() - hours * 60 * 60 * 1000, id: "f".repeat(36) }),
);

const posts =
  (query: string, cursors: readonly (Cursor | null)[] = [null]) =>
  (viewer: string) =>
  (db: Database) =>
    Promise.all(
      cursors.map((cursor) =>
        listOpenPosts(db, readSearch(POST_LIST, new URLSearchParams(query)), cursor, viewer, now),
      ),
    );
const players = (query: string) => (viewer: string) => (db: Database) =>
  listPlayers(db, readPlayerPage(new URLSearchParams(query)).filters, viewer, null);
const chats = (search: string) => (viewer: string) => (db: Database) =>
  listConversations(db, viewer, { search, cursor: null, now: now.getTime() });

const LISTS: Record<string, (viewer: string) => (db: Database) => Promise<unknown>> = {
  posts: posts(""),
  "posts by role": posts("role=Sentinel"),
  "posts by rank": posts("rank=Gold+1"),
  "posts by text": posts("q=controller"),
  "posts, later pages": posts("", DEEP),
  "players, newest": players("sort=newest"),
  "players, best": players("sort=best"),
  "players by region": players("sort=newest&region=Korea"),
  "players by name": players("name=sh"),
  conversations: chats(""),
  "conversations by name": chats("a"),
};

/**
 * Builds the statements that add thirty chats of a player, each with one other player, who wrote the last message.
 * Every third chat is a team's.
 */
const chatsOf = (userId: string, others: readonly string[]) =>
  others.slice(0, 30).flatMap((other, at) => {
    const id = uuidv7();
    const key = at % 3 === 0 ? null : pairKey(userId, other);
    return [
      {
        sql: `INSERT INTO conversations (id, pair_key, title, last_seq, last_preview, last_sender_id, created_at)
          VALUES (?, ?, 'Chat', 1, 'Hi', ?, 0)`,
        args: [id, key, other],
      },
      ...[userId, other].map((member) => ({
        sql: "INSERT INTO conversation_members (conversation_id, user_id, listed_at, joined_at) VALUES (?, ?, ?, 0)",
        args: [id, member, at + 1],
      })),
    ];
  });

describe("A player with 1 000 blocks, and 1 000 against them", () => {
  let database: MeasuredDatabase;
  let idWithoutBlocks: string;
  let idWithBlocks: string;

  beforeAll(async () => {
    database = await startMeasuredDatabase({ players: 20_000, posts: 20_000, openShare: 0.8 }, now);
    const client = createClient({ url: database.url });
    // Ids are random, so the first two players are arbitrary, and every tenth player is spread evenly over the lists.
    const { rows } = await client.execute("SELECT user_id AS id FROM profiles ORDER BY user_id");
    const ids = rows.map(({ id }) => id as string);
    [idWithoutBlocks, idWithBlocks] = [ids[0] as string, ids[1] as string];
    const others = ids.filter((_, index) => index % 10 === 2).slice(0, 2 * BLOCKS);
    await client.batch(
      others.map((id, at) => ({
        sql: "INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES (?, ?, 0)",
        args: at % 2 ? [idWithBlocks, id] : [id, idWithBlocks],
      })),
    );
    await client.batch([...chatsOf(idWithoutBlocks, ids.slice(2)), ...chatsOf(idWithBlocks, others)]);
    client.close();
  }, 240_000);

  afterAll(() => database?.stop());

  it.each(Object.keys(LISTS))("causes at most 1.3 times the row reads of a player without blocks: %s", async (name) => {
    const list = LISTS[name] as (typeof LISTS)[string];
    const without = await cost(database, list(idWithoutBlocks));
    const withBlocks = await cost(database, list(idWithBlocks));
    console.log(`${name}: ${without.rowsRead} rows read without blocks, ${withBlocks.rowsRead} with`);
    expect(withBlocks.roundTrips).toBe(1);
    expect(withBlocks.rowsRead).toBeLessThanOrEqual(without.rowsRead * 1.3);
    expect(await planFaults(database.url, withBlocks.statements)).toEqual([]);
  });
});
