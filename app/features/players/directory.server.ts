import { and, desc, eq, gte, isNotNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerFacets, presence, profiles, users } from "#db/schema";
import { RANKS, type Rank, rankPosition } from "~/features/game/ranks";
import { blockBetween } from "~/platform/blocks.server";
import { EVERYONE, peerFacet, VERIFIED } from "./facets";
import type { PlayerCursor, PlayerFilters } from "./filters";
import { isAround } from "./queries.server";

export const PAGE_SIZE = 20;
/**
 * Entries of a facet's index that a page walks at most: where players are ranked by how well they match, or filters are
 * left that no index serves. Each is read twice, and up to seven more are looked up for it: under 2 000 (DESIGN, section 3).
 */
const STRETCH = 220;
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

export type PlayerRow = Awaited<ReturnType<typeof listPlayers>>["players"][number];

/**
 * A stretch of the directory in one round trip, whose cost does not grow with the number of players. One filter is served
 * by its own index, in the order of the list, and a region, a language and ranks together by one of theirs; others are
 * checked on each player of the stretch.
 *
 * Leaves out the viewer, who is blocked or has blocked them, and whose account is suspended or about to be deleted. What
 * the viewer's own profile must tell (`filters.canQueue`, `filters.free`, the order of the best) is the caller's.
 */
export async function listPlayers(db: Database, filters: PlayerFilters, viewerId: string, after: PlayerCursor | null) {
  const { streams, checks } = planFilters(filters);
  const isBounded = checks.length > 0 || filters.sort === "best" || filters.canQueue || filters.free !== null;
  const length = isBounded ? STRETCH : SHORT_STRETCH;
  const key = filters.sort === "reputation" ? playerFacets.rankingScore : playerFacets.joinedAt;
  const walkOne = (facet: string) =>
    db
      .select({ userId: playerFacets.userId, key: sql<number>`${key}`.as("key") })
      .from(playerFacets)
      .where(
        and(
          eq(playerFacets.facet, facet),
          after ? sql`(${key}, ${playerFacets.userId}) < (${after.key}, ${after.userId})` : undefined,
        ),
      );
  const walk = () => {
    const [first, second, ...others] = streams.map(walkOne) as [Walk, ...Walk[]];
    // SQLite merges ordered streams as it reads them.
    return second
      ? unionAll(first, second, ...others).orderBy(sql`key DESC`, sql`user_id DESC`)
      : first.orderBy(desc(key), desc(playerFacets.userId));
  };
  type Walk = ReturnType<typeof walkOne>;
  const stretch = walk().limit(length).as("stretch");
  const [players, end] = await Promise.all([
    db
      .select({ ...playerColumns, key: stretch.key, presence: presence.state, seenAt: presence.seenAt })
      .from(stretch)
      .innerJoin(profiles, eq(profiles.userId, stretch.userId))
      .innerJoin(users, and(eq(users.id, stretch.userId), isAround))
      .leftJoin(presence, eq(presence.userId, stretch.userId))
      .where(and(ne(stretch.userId, viewerId), ...checks, sql`NOT ${blockBetween(sql`${stretch.userId}`, viewerId)}`)),
    walk()
      .limit(1)
      .offset(length - 1)
      .get(),
  ]);
  return {
    /** In the order of the list. */
    players: players.sort((a, b) => b.key - a.key || (a.userId < b.userId ? 1 : -1)),
    /** The last entry of the stretch; null where the list ends within it. */
    end: end ?? null,
    /** More was looked at than is shown. */
    isBounded,
  };
}

/** Which facets' indexes are walked, and what is left to check on each player. */
function planFilters(filters: PlayerFilters): { streams: string[]; checks: SQL[] } {
  const { region, language, minRank, maxRank } = filters;
  if (region && language && (minRank || maxRank)) {
    const others = servedFilters({ ...filters, region: null, language: null });
    const streams = ranksBetween(minRank, maxRank).map((rank) => peerFacet(region, language, rank));
    return { streams, checks: others.map(({ check }) => check) };
  }
  const [first, ...others] = servedFilters(filters);
  return {
    streams: [first?.facet ?? EVERYONE],
    checks: [
      ...(minRank ? [gte(profiles.currentRank, minRank)] : []),
      ...(maxRank ? [lte(profiles.currentRank, maxRank)] : []),
      ...others.map(({ check }) => check),
    ],
  };
}

/** The filters that have a facet, the rarer first: its walk finds more of what the others want. */
function servedFilters({ agent, playstyle, language, role, region, voice, verified }: PlayerFilters) {
  const speaks = language ? [servedBy(`language:${language}`)] : [];
  // More speak English than live in any one region; of every other language it is the other way round.
  const isCommon = language === "en";
  return [
    ...(agent ? [servedBy(`agent:${agent}`)] : []),
    ...(playstyle ? [servedBy(`tag:${playstyle}`)] : []),
    ...(isCommon ? [] : speaks),
    ...(region ? [servedBy(`region:${region}`, eq(profiles.region, region))] : []),
    ...(role ? [servedBy(`role:${role}`, eq(profiles.preferredRole, role))] : []),
    ...(voice ? [servedBy(`voice:${voice}`, eq(profiles.voiceCommsPreference, voice))] : []),
    ...(isCommon ? speaks : []),
    ...(verified ? [servedBy(VERIFIED, isNotNull(profiles.riotVerifiedAt))] : []),
  ];
}

const servedBy = (facet: string, check: SQL = hasFacet(facet)) => ({ facet, check });

const ranksBetween = (lowest: Rank | null, highest: Rank | null): readonly Rank[] =>
  RANKS.slice(lowest ? rankPosition(lowest) : 0, highest ? rankPosition(highest) + 1 : RANKS.length);

const hasFacet = (facet: string) => sql`EXISTS (
  SELECT 1 FROM player_facets AS other WHERE other.user_id = ${profiles.userId} AND other.facet = ${facet}
)`;
