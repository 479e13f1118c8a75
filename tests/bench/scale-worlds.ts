import { type Client, createClient } from "@libsql/client/http";
import { DAY } from "../../app/platform/dates/durations";

export interface WorldSize {
  players: number;
  posts: number;
  /** Messages in all conversations. */
  messages: number;
  /** Messages in the longest conversation. */
  thread: number;
  tournaments: number;
  cases: number;
}

/** The length of most conversations. */
const CONVERSATION = 50;
const AT_ONCE = 100_000;

/**
 * Adds conversations with messages, tournaments and cases to the world `large`. SQLite itself generates the rows. The
 * conversations are those of the reader with other players, and of other players with each other.
 * @param thread the reader's long conversation, which exists and is empty
 */
export async function fillWorld(
  url: string,
  { messages, thread: length, tournaments, cases }: WorldSize,
  { readerId, thread }: { readerId: string; thread: string },
): Promise<void> {
  const client = createClient({ url });
  const now = Date.now();
  await addConversations(client, readerId, Math.ceil((messages - length) / CONVERSATION), now);
  await addMessages(url, `id = '${thread}'`, length, now);
  await addMessages(url, "id LIKE 'bench-%'", CONVERSATION, now);
  await client.execute({
    sql: `UPDATE conversations SET last_seq = (SELECT max(seq) FROM messages WHERE conversation_id = conversations.id),
      last_preview = 'See you tonight', last_message_at = ? WHERE id = ? OR id LIKE 'bench-%'`,
    args: [now, thread],
  });
  await addTournaments(client, tournaments, readerId, now);
  await client.execute({
    sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO report_cases (id, kind, subject_id, player_id, state, report_count, is_flagged, is_for_admin, snapshot,
        created_at, updated_at, closed_at)
      SELECT printf('%08x-0000-7000-8000-000000000000', i),
        CASE i % 3 WHEN 0 THEN 'post' WHEN 1 THEN 'message' ELSE 'player' END, printf('subject-%d', i), NULL,
        iif(i % 2, 'open', 'closed'), 1 + i % 9, i % 7 = 0, i % 10 = 1,
        '{"author":"Jett Main","content":"Rude words"}', i, i, iif(i % 2, NULL, i)
      FROM n`,
    args: [cases],
  });
  client.close();
}

/** Adds conversations of neighbours in the table of players; the reader is in the first twenty. */
async function addConversations(client: Client, readerId: string, count: number, now: number): Promise<void> {
  await client.batch(
    [
      {
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
          INSERT INTO conversations (id, pair_key, last_sender_id, created_at)
          SELECT printf('bench-%08d', i), printf('bench:%08d', i), NULL, ?2 FROM n`,
        args: [count, now],
      },
      {
        sql: `INSERT INTO conversation_members (conversation_id, user_id, listed_at, last_read_seq, joined_at)
          SELECT c.id, CASE WHEN side.value = 0 AND CAST(substr(c.id, 7) AS INTEGER) <= 20 THEN ?1 ELSE p.user_id END,
            ?2 - CAST(substr(c.id, 7) AS INTEGER), ?3, ?2
          FROM conversations c CROSS JOIN json_each('[0,1]') side
          CROSS JOIN profiles p ON p.rowid = 1 + (CAST(substr(c.id, 7) AS INTEGER) * 2 + side.value)
            % ((SELECT max(rowid) FROM profiles WHERE user_id <> ?1) - 2)
          WHERE c.id LIKE 'bench-%'`,
        args: [readerId, now, CONVERSATION],
      },
    ],
    "write",
  );
}

/** Gives each of some conversations this many messages by one of their members. */
export async function addMessages(url: string, condition: string, length: number, now: number): Promise<void> {
  const client = createClient({ url });
  const { rows } = await client.execute(`SELECT count(*) AS count FROM conversations WHERE ${condition}`);
  const conversations = Number(rows[0]?.count);
  // In parts, because the server gives up on a statement that writes for too long.
  const part = Math.max(1, Math.floor(AT_ONCE / length));
  for (let first = 0; first < conversations; first += part) {
    for (let from = 1; from <= length; from += AT_ONCE) {
      await client.execute({
        sql: `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2),
          some AS (SELECT id FROM conversations WHERE ${condition} ORDER BY id LIMIT ?3 OFFSET ?4)
          INSERT INTO messages (id, conversation_id, seq, sender_id, receiver_id, content, created_at)
          SELECT some.id || '-' || i, some.id, i,
            (SELECT min(user_id) FROM conversation_members WHERE conversation_id = some.id),
            (SELECT max(user_id) FROM conversation_members WHERE conversation_id = some.id),
            'Message ' || (i + 1000000), ?5 - (?2 - i) * 1000 FROM some CROSS JOIN n`,
        args: [from, Math.min(length, from + AT_ONCE - 1), part, first, now],
      });
    }
  }
  client.close();
}

const addTournaments = (client: Client, count: number, hostId: string, now: number) =>
  client.execute({
    sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO tournaments (
        id, user_id, title, description, entry_fee, prize_pool, max_participants, current_participants, region, format,
        team_size, best_of, final_best_of, group_size, check_in_minutes, seeding, tournament_date,
        registration_deadline, time_zone, state, is_listed, created_at, updated_at
      )
      SELECT printf('%08x-0000-7000-8000-000000000000', i), ?4, 'Cup ' || i, 'One of many', iif(i % 41 = 0, 0, 500),
        100000, 16, 0, CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'Europe' WHEN 2 THEN 'Korea' ELSE 'Brazil' END,
        'single_elimination', 1, 1, 1, 4, 0, 'random', ?2 + (1 + i * 7919 % 365) * ?3, ?2 + (i * 7919 % 365) * ?3 + ?3 / 2,
        'UTC', CASE i % 4 WHEN 0 THEN 'finished' WHEN 1 THEN 'cancelled' ELSE 'open' END, 1, ?2, ?2 FROM n`,
    args: [count, now, DAY, hostId],
  });
