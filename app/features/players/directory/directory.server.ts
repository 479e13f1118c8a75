import { and, eq, gte, isNotNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerFacets, playerNames, presence, profiles, users } from "#db/schema";
import type { Language } from "#db/words/languages";
import { blockBetween } from "~/features/messages/shared/blocks.server";
import { RANKS, type Rank, rankPosition } from "~/game/ranks";
import type { Cursor, Place, Walked } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { isAround } from "../queries.server";
import { shownRanking } from "../shared/facets.server";
import { wordsOf } from "../shared/names";
import { beginsWith, hasName } from "../shared/names.server";
import { EVERYONE, rankFacet, VERIFIED } from "./facets";
import type { PlayerFilters } from "./filters";

const otherRow = alias(playerFacets, "other");

export const PAGE_SIZE = 20;
/**
 * Entries of a facet's index that a page walks at most: where players are ranked by how well they match, or filters are
 * left that no index serves. Each is read twice, and up to seven more are looked up for it: under 2 000 (decision 0022).
 */
const STRETCH = 220;
/** The same of the index of names, where further words and all filters are checked on each. */
const NAMED_STRETCH = 120;
/** And of those, as many whose whole name is written so. */
const WHOLE_STRETCH = 60;
/** Where one index serves the page: its players, one who says that there are more, and some who may not be shown. */
const SHORT_STRETCH = PAGE_SIZE + 4;

const playerColumns = {
  // First, because Drizzle takes a joined row for missing when its first column is null.
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

/** A player as the list reads them. `key` is what the list is ordered by: when they joined, or how they rank. */
export type PlayerRow = Awaited<ReturnType<typeof listNamedPlayers>>["found"][number];

/** Where a player stands in the list. */
export const placeOf = ({ key, userId }: Pick<PlayerRow, "key" | "userId">): Place => ({ key, id: userId });

/**
 * A stretch of the directory in one round trip, whose cost does not grow with the number of players. One filter is served
 * by its own index, in the order of the list, and ranks together with a region, a language or both by theirs; others are
 * checked on each player of the stretch.
 *
 * Leaves out the viewer, who is blocked or has blocked them, and whose account is suspended or about to be deleted. What
 * the viewer's own profile must tell (`filters.canQueue`, `filters.free`, the order of the best) is the caller's.
 * @returns players in the order in which they were read, and whether more was looked at than is shown
 */
export async function listPlayers(
  db: Database,
  filters: PlayerFilters,
  viewerId: string,
  cursor: Cursor | null,
): Promise<Walked<PlayerRow> & { isBounded: boolean }> {
  if (filters.name) return listNamedPlayers(db, filters, filters.name, viewerId);
  const { streams, checks } = planFilters(filters);
  const isBounded = checks.length > 0 || filters.sort === "best" || filters.canQueue || filters.free !== null;
  const length = isBounded ? STRETCH : SHORT_STRETCH;
  const key = filters.sort === "reputation" ? playerFacets.rankingScore : playerFacets.joinedAt;
  const { isUp, from, orderBy, compare } = planWalk(cursor, { key, id: playerFacets.userId });
  const walkOne = (facet: string) =>
    db
      .select({ userId: playerFacets.userId, key: sql<number>`${key}`.as("key") })
      .from(playerFacets)
      .where(and(eq(playerFacets.facet, facet), from));
  const walk = () => {
    const [first, second, ...others] = streams.map(walkOne) as [Walk, ...Walk[]];
    // SQLite merges ordered streams as it reads them.
    return second
      ? unionAll(first, second, ...others).orderBy(
          ...(isUp ? [sql`key ASC`, sql`user_id ASC`] : [sql`key DESC`, sql`user_id DESC`]),
        )
      : first.orderBy(...orderBy);
  };
  type Walk = ReturnType<typeof walkOne>;
  const stretch = walk().limit(length).as("stretch");
  const [found, end] = await Promise.all([
    db
      .select({ ...playerColumns, key: stretch.key, presence: presence.state, seenAt: presence.seenAt })
      .from(stretch)
      .innerJoin(profiles, eq(profiles.userId, stretch.userId))
      .innerJoin(users, and(eq(users.id, stretch.userId), isAround))
      .leftJoin(presence, eq(presence.userId, stretch.userId))
      .where(and(isOther(stretch.userId, viewerId), ...checks)),
    walk()
      .limit(1)
      .offset(isUp ? length : length - 1)
      .get(),
  ]);
  return {
    found: found.sort((a, b) => compare(placeOf(a), placeOf(b))),
    end: end ? placeOf(end) : null,
    isBounded,
  };
}

/**
 * The players who are found by a name: those in whose name each of its words begins one. The index of words serves two ranges:
 * the whole as it is written in one, which leads to a full name at once, and its longest word. Everything else is checked on the
 * first so many of them, in the order of the alphabet.
 * @returns them in the order of the list. `end` only says that more begin like this: a longer word finds them
 */
async function listNamedPlayers(db: Database, filters: PlayerFilters, name: string, viewerId: string) {
  const words = wordsOf(name);
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), "");
  const begun = (word: string) =>
    db
      .select({ userId: playerNames.userId })
      .from(playerNames)
      .where(beginsWith(playerNames.word, word))
      .orderBy(playerNames.word, playerNames.userId);
  const byWord = begun(longest).limit(NAMED_STRETCH).as("by_word");
  const whole = begun(words.join("")).limit(WHOLE_STRETCH).as("whole");
  const stretch = (
    words.length > 1
      ? unionAll(db.select({ userId: whole.userId }).from(whole), db.select({ userId: byWord.userId }).from(byWord))
      : db.select({ userId: byWord.userId }).from(byWord)
  ).as("stretch");
  const { minRank, maxRank, sort } = filters;
  const key = sql<number>`${sort === "reputation" ? shownRanking : sql`coalesce(profiles.joined_at, 0)`}`;
  const [rows, beyond] = await Promise.all([
    db
      .select({ ...playerColumns, key, presence: presence.state, seenAt: presence.seenAt })
      .from(stretch)
      .innerJoin(profiles, eq(profiles.userId, stretch.userId))
      .innerJoin(users, and(eq(users.id, stretch.userId), isAround))
      .leftJoin(presence, eq(presence.userId, stretch.userId))
      .where(
        and(
          isOther(stretch.userId, viewerId),
          // Who is not listed has no facets, but a name.
          eq(profiles.isListed, true),
          ...words.map((word) => hasName(sql`${profiles.userId}`, word)),
          ...rankChecks(minRank, maxRank),
          ...servedFilters(filters).map(({ check }) => check),
        ),
      ),
    begun(longest).limit(1).offset(NAMED_STRETCH).get(),
  ]);
  // Two words of one name may begin alike.
  const found = [...new Map(rows.map((row) => [row.userId, row])).values()];
  return {
    found: found.sort((a, b) => b.key - a.key || (a.userId < b.userId ? 1 : -1)),
    end: beyond ? { key: null, id: beyond.userId } : null,
    isBounded: true,
  };
}

const isOther = (userId: SQLWrapper, viewerId: string) =>
  sql`${userId} <> ${viewerId} AND NOT ${blockBetween(sql`${userId}`, viewerId)}`;

/** Which facets' indexes are walked, and what is left to check on each player: the walk is the one with the fewest players. */
function planFilters(filters: PlayerFilters): { streams: string[]; checks: SQL[] } {
  const { region, language, minRank, maxRank } = filters;
  const served = servedFilters(filters).sort((a, b) => a.share - b.share);
  if (minRank || maxRank) {
    const ranks = ranksBetween(minRank, maxRank);
    const share = (ranks.length / RANKS.length) * (region ? SHARES.region : 1) * (language ? shareOf(language) : 1);
    if (share <= (served[0]?.share ?? 1)) {
      return {
        streams: ranks.map((rank) => rankFacet(rank, region, language)),
        checks: servedFilters({ ...filters, region: null, language: null }).map(({ check }) => check),
      };
    }
  }
  const [first, ...others] = served;
  return {
    streams: [first?.facet ?? EVERYONE],
    checks: [...rankChecks(minRank, maxRank), ...others.map(({ check }) => check)],
  };
}

const rankChecks = (minRank: Rank | null, maxRank: Rank | null) => [
  ...(minRank ? [gte(profiles.currentRank, minRank)] : []),
  ...(maxRank ? [lte(profiles.currentRank, maxRank)] : []),
];

/** Roughly what share of all players has a facet: only which is the rarest matters, and most by far are alike. */
const SHARES = { playstyle: 0.08, agent: 0.1, language: 0.1, region: 0.17, role: 0.25, voice: 0.35, verified: 0.6 };
/** More speak English than live in any one region; of every other language it is the other way round. */
const shareOf = (language: Language) => (language === "en" ? 0.5 : SHARES.language);

/** The filters that have a facet, with their shares. */
function servedFilters({ agent, playstyle, language, role, region, voice, verified }: PlayerFilters) {
  return [
    ...(agent ? [servedBy(SHARES.agent, `agent:${agent}`)] : []),
    ...(playstyle ? [servedBy(SHARES.playstyle, `tag:${playstyle}`)] : []),
    ...(language ? [servedBy(shareOf(language), `language:${language}`)] : []),
    ...(region ? [servedBy(SHARES.region, `region:${region}`, eq(profiles.region, region))] : []),
    ...(role ? [servedBy(SHARES.role, `role:${role}`, eq(profiles.preferredRole, role))] : []),
    ...(voice ? [servedBy(SHARES.voice, `voice:${voice}`, eq(profiles.voiceCommsPreference, voice))] : []),
    ...(verified ? [servedBy(SHARES.verified, VERIFIED, isNotNull(profiles.riotVerifiedAt))] : []),
  ];
}

const servedBy = (share: number, facet: string, check: SQL = hasFacet(facet)) => ({ share, facet, check });

const ranksBetween = (lowest: Rank | null, highest: Rank | null): readonly Rank[] =>
  RANKS.slice(lowest ? rankPosition(lowest) : 0, highest ? rankPosition(highest) + 1 : RANKS.length);

const hasFacet = (facet: string) => sql`EXISTS (
  SELECT 1 FROM ${playerFacets} AS ${otherRow} WHERE ${otherRow.userId} = ${profiles.userId}
    AND ${otherRow.facet} = ${facet}
)`;
