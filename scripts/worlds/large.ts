import type { Client, InStatement } from "@libsql/client/http";
import { POST_LIFETIME, searchTextOf } from "../../app/features/lfg/rules";
import { rankPosition } from "../../app/game/ranks";
import { HOUR } from "../../app/platform/dates/durations";
import { SEEN_SLOT } from "../../db/words/presence";
import { POST_TEXTS } from "./copy";
import { makePlayers, type Player } from "./players";

export interface LargeSize {
  players: number;
  posts: number;
  /** The share of posts that are open now (made in the last 20 hours); the others are from the year before. */
  openShare: number;
}

/** As many posts as a busy site has in a year; half of them are open, which is far more than on any real site. */
export const LARGE: LargeSize = { players: 100_000, posts: 1_000_000, openShare: 0.5 };

/** A chunk of players is sent as two parameters, each of which must stay below the database's limit (10 MB). */
const PLAYERS_A_CHUNK = 4_000;
const POSTS_A_CHUNK = 100_000;

/** Fills a database within SQLite itself: a million rows would take minutes as single statements. */
export async function seedLarge(client: Client, now: Date, passwordHash: string, size: LargeSize): Promise<void> {
  const players = makePlayers(size.players, now, passwordHash);
  // Indexes are built at the end: one sorted build each instead of a million insertions.
  const { rows } = await client.execute(
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('users', 'profiles', 'lfg_posts', 'player_facets', 'player_names') AND sql IS NOT NULL",
  );
  for (const { name } of rows) await client.execute(`DROP INDEX "${name}"`);
  for (const chunk of chunksOf(players)) await client.batch(playerStatements(chunk), "write");
  // Sorted by primary key. In any other order, the rows change pages all over a tree that outgrows the database's
  // cache, which takes several times as long.
  const byId = players.toSorted((a, b) => (a.user.id < b.user.id ? -1 : 1));
  for (const chunk of chunksOf(byId)) await client.batch(wordStatements(chunk), "write");
  for (let first = 0; first < size.posts; first += POSTS_A_CHUNK) {
    await client.execute(postsStatement(first, Math.min(first + POSTS_A_CHUNK, size.posts), now, size));
  }
  for (const { sql } of rows) await client.execute(String(sql));
}

function* chunksOf(players: readonly Player[]): Generator<readonly Player[]> {
  for (let first = 0; first < players.length; first += PLAYERS_A_CHUNK) {
    yield players.slice(first, first + PLAYERS_A_CHUNK);
  }
}

const ms = (date: Date | null | undefined) => date?.getTime() ?? null;

function playerStatements(players: readonly Player[]): InStatement[] {
  const users = players.map(({ user }) => [
    user.id,
    user.email,
    ms(user.emailConfirmedAt),
    user.passwordHash,
    user.riotGameName,
    user.riotTagLine,
    user.riotRegion,
    user.riotAccountData,
    ms(user.createdAt),
  ]);
  const profiles = players.map(({ profile }) => [
    profile.userId,
    profile.riotId,
    profile.riotGameName,
    profile.riotTagLine,
    profile.riotRegion,
    profile.riotPuuid,
    ms(profile.riotVerifiedAt),
    ms(profile.lastRankSync),
    profile.currentRank ? rankPosition(profile.currentRank) : null,
    profile.mainAgents && JSON.stringify(profile.mainAgents),
    profile.personalityTags && JSON.stringify(profile.personalityTags),
    profile.preferredRole,
    profile.region,
    profile.description,
    profile.playTimes,
    profile.voiceCommsPreference,
    profile.timeZone,
    profile.availability && JSON.stringify(profile.availability),
    profile.languages && JSON.stringify(profile.languages),
    ms(profile.joinedAt),
    ms(profile.updatedAt),
    profile.foundBy,
  ]);
  return [
    insertJson(
      "users",
      [
        "id",
        "email",
        "email_confirmed_at",
        "password_hash",
        "riot_game_name",
        "riot_tag_line",
        "riot_region",
        "riot_account_data",
        "created_at",
      ],
      users,
    ),
    insertJson(
      "profiles",
      [
        "user_id",
        "riot_id",
        "riot_game_name",
        "riot_tag_line",
        "riot_region",
        "riot_puuid",
        "riot_verified_at",
        "last_rank_sync",
        "current_rank",
        "main_agents",
        "personality_tags",
        "preferred_role",
        "region",
        "description",
        "play_times",
        "voice_comms_preference",
        "time_zone",
        "availability",
        "languages",
        "joined_at",
        "updated_at",
        "found_by",
      ],
      profiles,
    ),
  ];
}

/** The rows by which the directory finds players. */
function wordStatements(players: readonly Player[]): InStatement[] {
  const names = players.flatMap((player) => player.names.map(({ word, userId }) => [word, userId]).sort());
  const facets = players.flatMap((player) =>
    player.facets
      .map(({ facet, userId, joinedAt, rankingScore }) => [facet, userId, ms(joinedAt), rankingScore])
      .sort(),
  );
  return [
    insertJson("player_facets", ["facet", "user_id", "joined_at", "ranking_score"], facets),
    insertJson("player_names", ["word", "user_id"], names),
  ];
}

/** Builds one statement for many rows, which are sent as one JSON parameter. */
function insertJson(table: string, columns: string[], rows: unknown[][]): InStatement {
  const values = columns.map((_, index) => `value ->> ${index}`);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`,
    args: [JSON.stringify(rows)],
  };
}

/**
 * Builds the statement for the posts `first` to `last` (exclusive), oldest first. Their authors are picked by the
 * players' rowids, which follow the order they were inserted in; "random" choices come from `h`, a scrambled row
 * number.
 */
function postsStatement(first: number, last: number, now: Date, { players, posts, openShare }: LargeSize): InStatement {
  const open = Math.round(posts * openShare);
  const texts = POST_TEXTS.map(({ title, message = null, neededPlayers, role = null }) => [
    title,
    message,
    neededPlayers,
    role,
    searchTextOf({ title, message }),
  ]);
  return {
    sql: `
      WITH RECURSIVE
      numbers (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < :last),
      texts AS MATERIALIZED (
        SELECT key AS k, value ->> 0 AS title, value ->> 1 AS message, value ->> 2 AS needed, value ->> 3 AS role, value ->> 4 AS folded
        FROM json_each(:texts)
      ),
      drafts AS (
        SELECT i, (i * 2654435761 + 12345) % 4294967291 AS h, i >= :posts - :open AS is_open,
          CASE WHEN i >= :posts - :open
            THEN :now - (:posts - 1 - i) * (20.0 * ${HOUR} / max(1, :open))
            ELSE :now - 25 * ${HOUR} - (:posts - :open - 1 - i) * (365.0 * 24 * ${HOUR} / max(1, :posts - :open))
          END AS created
        FROM numbers
      )
      INSERT INTO lfg_posts (
        id, user_id, title, message, needed_players, required_rank, required_role, region, voice_comms,
        search_text, is_active, created_at, listed_at, expires_at, updated_at,
        author_state, author_seen_at, author_slot
      )
      SELECT
        printf('%08x-%04x-7%03x-%04x-%012x', CAST(created AS INTEGER) >> 16, CAST(created AS INTEGER) & 65535, i >> 16 & 4095, 32768 + h % 16384, i),
        author.user_id, title, message, needed,
        CASE WHEN h / 7 % 3 > 0 THEN max(0, coalesce(author.current_rank, 9) - h / 21 % 5) END,
        role, author.region, author.voice_comms_preference, folded,
        is_open, CAST(created AS INTEGER), CAST(created AS INTEGER),
        CAST(created AS INTEGER) + ${POST_LIFETIME},
        CAST(created AS INTEGER) + iif(is_open, 0, ${POST_LIFETIME}),
        CASE h % 7 WHEN 0 THEN 'online' WHEN 1 THEN 'away' ELSE 'offline' END,
        iif(h % 7 < 2, :now - h % 240000, CAST(created AS INTEGER)),
        iif(h % 7 = 1, NULL, CAST(iif(h % 7 = 0, :now - h % 240000, created) AS INTEGER) / ${SEEN_SLOT})
      FROM drafts
      CROSS JOIN texts ON k = h % ${texts.length}
      CROSS JOIN profiles AS author ON author.rowid = 1 + h % :players
      ORDER BY i`,
    args: { first, last, posts, open, players, now: now.getTime(), texts: JSON.stringify(texts) },
  };
}
