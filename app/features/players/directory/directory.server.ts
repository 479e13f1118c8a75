import { and, eq, gte, isNotNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, unionAll } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import { packed } from "#db/packed";
import { playerFacets, playerNames, profiles, users } from "#db/schema";
import type { Language } from "#db/words/languages";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { RANKS, type Rank, rankPosition } from "~/game/ranks";
import type { Cursor, Place, Walked } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { shownRanking } from "../shared/facets.server";
import { wordsOf } from "../shared/names";
import { beginsWith, hasName } from "../shared/names.server";
import { EVERYONE, rankFacet, VERIFIED } from "./facets";
import type { PlayerFilters } from "./filters";

const otherRow = alias(playerFacets, "other");

export const PAGE_SIZE = 20;
/**
 * The maximum number of a facet's index entries that one page reads, if players are sorted by match or some filters
 * can't use the index. Each entry is read twice and needs up to seven lookups, so a page stays under 2,000 reads
 * (decision 0022).
 */
const STRETCH = 220;
/** The same limit for the index of names. The other words of the search and all filters are checked on each entry. */
const NAMED_STRETCH = 120;
/** The same limit in that index for all words of the search written as one ("darkmoon" for "dark moon"). */
const WHOLE_STRETCH = 60;
/**
 * The number of entries to read if one index is enough for the page: its players, one more to know whether there is a
 * next page, and a few spare ones to replace players who may not be shown.
 */
const SHORT_STRETCH = PAGE_SIZE + 4;

const playerColumns = {
  userId: profiles.userId,
  riotId: profiles.riotId,
  riotGameName: profiles.riotGameName,
  riotVerifiedAt: profiles.riotVerifiedAt,
  riotProvenAt: profiles.riotProvenAt,
  avatarId: profiles.avatarId,
  currentRank: profiles.currentRank,
  preferredRole: profiles.preferredRole,
  mainAgents: profiles.mainAgents,
  personalityTags: profiles.personalityTags,
  region: profiles.region,
  voiceCommsPreference: profiles.voiceCommsPreference,
  languages: profiles.languages,
  availability: profiles.availability,
  timeZone: profiles.timeZone,
  shares: profiles.shares,
  feedbackScore: profiles.feedbackScore,
  totalRatings: profiles.totalRatings,
};

/** A player as the list's queries return them. `key` is the sort key: when they joined, or their reputation. */
export type PlayerRow = Awaited<ReturnType<typeof listNamedPlayers>>["found"][number];

/** A stretch of the directory, as `listPlayers` reads it. */
export interface WalkedPlayers extends Walked<PlayerRow> {
  /** Whether the stretch is a limited sample that is filtered or sorted after reading. */
  isBounded: boolean;
  /** The sort key of the list's first entry; null if the list is empty, or if no link of the page needs it. */
  firstKey: number | null;
}

/** Returns a player's place in the list. */
export const placeOf = ({ key, userId }: Pick<PlayerRow, "key" | "userId">): Place => ({ key, id: userId });

/**
 * Lists a stretch of the directory (a run of consecutive index entries) in one round trip, at a cost that does not grow
 * with the number of players. One filter is read from its own index, in the order of the list; the index of a rank can
 * also cover a region, a language or both. The other filters are checked on each player of the stretch.
 *
 * Leaves out the viewer, players with a block between them and the viewer, and players whose account is suspended or
 * about to be deleted. The caller applies everything that depends on the viewer's own profile: `filters.canQueue`,
 * `filters.free` and the order by match.
 * @returns the players in the order in which they were read
 */
export async function listPlayers(
  db: Database,
  filters: PlayerFilters,
  viewerId: string,
  cursor: Cursor | null,
): Promise<WalkedPlayers> {
  if (filters.name) return listNamedPlayers(db, filters, filters.name, viewerId);
  const { streams, checks } = planFilters(filters);
  const isBounded = checks.length > 0 || filters.sort === "best" || filters.canQueue || filters.free !== null;
  const length = isBounded ? STRETCH : SHORT_STRETCH;
  const key = filters.sort === "reputation" ? playerFacets.rankingScore : playerFacets.joinedAt;
  const columns = { key, id: playerFacets.userId };
  const plan = planWalk(cursor, columns);
  const walkOne = (facet: string, from: SQL | undefined) =>
    db
      .select({ userId: playerFacets.userId, key: sql<number>`${key}`.as("key") })
      .from(playerFacets)
      .where(and(eq(playerFacets.facet, facet), from));
  const walk = ({ isUp, from, orderBy } = plan) => {
    const [first, second, ...others] = streams.map((facet) => walkOne(facet, from)) as [Walk, ...Walk[]];
    // SQLite merges the ordered streams while it reads them.
    return second
      ? unionAll(first, second, ...others).orderBy(
          ...(isUp ? [sql`key ASC`, sql`user_id ASC`] : [sql`key DESC`, sql`user_id DESC`]),
        )
      : first.orderBy(...orderBy);
  };
  type Walk = ReturnType<typeof walkOne>;
  const stretch = walk().limit(length).as("stretch");
  const last = walk()
    .limit(1)
    .offset(plan.isUp ? length : length - 1)
    .as("last");
  const mayBegin = filters.sort === "best" && cursor?.way !== "after";
  const first = mayBegin ? sql`(SELECT key FROM ${walk(planWalk(null, columns)).limit(1).as("first")})` : sql`NULL`;
  const [rows, bounds] = await Promise.all([
    db
      .select({ player: packed(playerColumns), key: stretch.key })
      .from(stretch)
      .innerJoin(profiles, eq(profiles.userId, stretch.userId))
      .innerJoin(users, and(eq(users.id, stretch.userId), staysOpen(users)))
      .where(and(isOther(stretch.userId, viewerId), ...checks)),
    db.get<{ firstKey: number | null; key: number | null; userId: string | null }>(sql`
      SELECT ${first} AS firstKey, ${last.key} AS key, ${last.userId} AS userId FROM (SELECT 1) LEFT JOIN ${last} ON 1`),
  ]);
  const { firstKey, key: lastKey, userId: lastId } = bounds;
  return {
    found: rows.map(unpacked).sort((a, b) => plan.compare(placeOf(a), placeOf(b))),
    end: lastId === null ? null : { key: lastKey, id: lastId },
    isBounded,
    firstKey,
  };
}

/**
 * Lists the players whose names match: each word of the search must be the beginning of a word of the name. Two ranges
 * of the word index are read: one for all words of the search written as one, which finds a full name directly, and one
 * for the longest word. Everything else is checked on the first entries of each, in alphabetical order.
 * @returns the players in the order of the list. `end` is set if more entries begin with the longest word than
 *   were read; only a longer search finds them
 */
async function listNamedPlayers(db: Database, filters: PlayerFilters, name: string, viewerId: string) {
  const words = wordsOf(name);
  if (words.length === 0) return { found: [], end: null, isBounded: true, firstKey: null };
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), "");
  const selectBeginningWith = (word: string) =>
    db
      .select({ userId: playerNames.userId })
      .from(playerNames)
      .where(beginsWith(playerNames.word, word))
      .orderBy(playerNames.word, playerNames.userId);
  const byWord = selectBeginningWith(longest).limit(NAMED_STRETCH).as("by_word");
  const whole = selectBeginningWith(words.join("")).limit(WHOLE_STRETCH).as("whole");
  const stretch = (
    words.length > 1
      ? unionAll(db.select({ userId: whole.userId }).from(whole), db.select({ userId: byWord.userId }).from(byWord))
      : db.select({ userId: byWord.userId }).from(byWord)
  ).as("stretch");
  const { minRank, maxRank, sort } = filters;
  const key = sql<number>`${sort === "reputation" ? shownRanking : sql`coalesce(profiles.joined_at, 0)`}`;
  const [rows, beyond] = await Promise.all([
    db
      .select({ player: packed(playerColumns), key })
      .from(stretch)
      .innerJoin(profiles, eq(profiles.userId, stretch.userId))
      .innerJoin(users, and(eq(users.id, stretch.userId), staysOpen(users)))
      .where(
        and(
          isOther(stretch.userId, viewerId),
          // Players who are not listed have no facets, but they have names.
          eq(profiles.isListed, true),
          ...words.map((word) => hasName(sql`${profiles.userId}`, word)),
          ...rankChecks(minRank, maxRank),
          ...facetFilters(filters).map(({ check }) => check),
        ),
      ),
    selectBeginningWith(longest).limit(1).offset(NAMED_STRETCH).get(),
  ]);
  // Two words of one name may begin with the same letters, so a player can be found twice.
  const found = [...new Map(rows.map((row) => [row.player.userId, unpacked(row)])).values()];
  return {
    found: found.sort((a, b) => b.key - a.key || (a.userId < b.userId ? 1 : -1)),
    end: beyond ? { key: null, id: beyond.userId } : null,
    isBounded: true,
    firstKey: null,
  };
}

/** The sort key may be a fraction, so it isn't packed. */
const unpacked = <Player extends object>({ player, key }: { player: Player; key: number }) => ({ ...player, key });

const isOther = (userId: SQLWrapper, viewerId: string) =>
  sql`${userId} <> ${viewerId} AND NOT ${blockBetween(sql`${userId}`, viewerId)}`;

/**
 * Chooses the facets whose indexes are read: those expected to have the fewest players. The other filters become checks
 * on each player.
 */
function planFilters(filters: PlayerFilters): { streams: string[]; checks: SQL[] } {
  const { region, language, minRank, maxRank } = filters;
  const rarestFirst = facetFilters(filters).sort((a, b) => a.share - b.share);
  if (minRank || maxRank) {
    const ranks = ranksBetween(minRank, maxRank);
    const share = (ranks.length / RANKS.length) * (region ? SHARES.region : 1) * (language ? shareOf(language) : 1);
    if (share <= (rarestFirst[0]?.share ?? 1)) {
      return {
        streams: ranks.map((rank) => rankFacet(rank, region, language)),
        checks: facetFilters({ ...filters, region: null, language: null }).map(({ check }) => check),
      };
    }
  }
  const [first, ...others] = rarestFirst;
  return {
    streams: [first?.facet ?? EVERYONE],
    checks: [...rankChecks(minRank, maxRank), ...others.map(({ check }) => check)],
  };
}

const rankChecks = (minRank: Rank | null, maxRank: Rank | null) => [
  ...(minRank ? [gte(profiles.currentRank, minRank)] : []),
  ...(maxRank ? [lte(profiles.currentRank, maxRank)] : []),
];

/** The rough share of all players that each facet has, to choose the rarest. */
const SHARES = { playstyle: 0.08, agent: 0.1, language: 0.1, region: 0.17, role: 0.25, voice: 0.35, verified: 0.6 };
/** More players speak English than live in any one region. Every other language is rarer than a region. */
const shareOf = (language: Language) => (language === "en" ? 0.5 : SHARES.language);

/** Lists the active filters that have a facet, with their shares. */
function facetFilters({ agent, playstyle, language, role, region, voice, verified }: PlayerFilters) {
  return [
    ...(agent ? [facetFilter(SHARES.agent, `agent:${agent}`)] : []),
    ...(playstyle ? [facetFilter(SHARES.playstyle, `tag:${playstyle}`)] : []),
    ...(language ? [facetFilter(shareOf(language), `language:${language}`)] : []),
    ...(region ? [facetFilter(SHARES.region, `region:${region}`, eq(profiles.region, region))] : []),
    ...(role ? [facetFilter(SHARES.role, `role:${role}`, eq(profiles.preferredRole, role))] : []),
    ...(voice ? [facetFilter(SHARES.voice, `voice:${voice}`, eq(profiles.voiceCommsPreference, voice))] : []),
    ...(verified ? [facetFilter(SHARES.verified, VERIFIED, isNotNull(profiles.riotVerifiedAt))] : []),
  ];
}

const facetFilter = (share: number, facet: string, check: SQL = hasFacet(facet)) => ({ share, facet, check });

const ranksBetween = (lowest: Rank | null, highest: Rank | null): readonly Rank[] =>
  RANKS.slice(lowest ? rankPosition(lowest) : 0, highest ? rankPosition(highest) + 1 : RANKS.length);

const hasFacet = (facet: string) => sql`EXISTS (
  SELECT 1 FROM ${playerFacets} AS ${otherRow} WHERE ${otherRow.userId} = ${profiles.userId}
    AND ${otherRow.facet} = ${facet}
)`;
