import { and, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { playerFacets, presence, profiles } from "#db/schema";
import { queueRange } from "~/features/game/queue";
import { RANKS, rankPosition } from "~/features/game/ranks";
import { blockBetween } from "~/platform/blocks.server";
import type { PlayerCursor, PlayerFilters } from "./filters";

export const PAGE_SIZE = 20;
/**
 * Index entries that a page may read. Where no index serves all filters, or players are ranked by how well they match,
 * they are looked for on a stretch of one index as long as that allows.
 */
const ENTRIES = 2_000;
/** Players that are ranked at once. */
const CANDIDATES = 400;

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

/** What the viewer is matched by. */
export function findMatchProfile(db: Database, userId: string) {
  return db.select(playerColumns).from(profiles).where(eq(profiles.userId, userId)).get();
}

export type PlayerRow = Awaited<ReturnType<typeof listPlayers>>["players"][number];

/**
 * Players as the filters want them, in one round trip whose cost does not grow with their number. One filter is served by
 * its own index, in the order of the list. Others are checked on a bounded stretch of it, and so are all where the best
 * matches are wanted: the caller ranks what the stretch holds.
 *
 * Never lists the viewer, nor across a block. What only the viewer's clock can tell (`filters.free`) is the caller's.
 */
export async function listPlayers(db: Database, filters: PlayerFilters, viewerId: string, cursor: PlayerCursor | null) {
  const { stream, checks } = planFilters(filters, viewerId);
  const ranked = filters.sort === "best";
  const bounded = ranked || checks.length > 0 || filters.free !== null;
  const key = filters.sort === "reputation" ? playerFacets.rankingScore : playerFacets.joinedAt;
  // Each entry costs itself, its profile, the two blocks, and each facet that is looked up; the stretch's end is found once more.
  const facets = checks.filter(({ isFacet }) => isFacet).length;
  const length = bounded ? Math.min(CANDIDATES, Math.floor(ENTRIES / (5 + facets))) : PAGE_SIZE + 2;
  const walk = db
    .select({ userId: playerFacets.userId, key: sql<number>`${key}`.as("key") })
    .from(playerFacets)
    .where(
      and(
        eq(playerFacets.facet, stream),
        cursor ? sql`(${key}, ${playerFacets.userId}) < (${cursor.key}, ${cursor.userId})` : undefined,
      ),
    )
    .orderBy(desc(key), desc(playerFacets.userId));
  const stretch = walk.limit(length).as("stretch");
  const [players, last] = await Promise.all([
    db
      .select({
        ...playerColumns,
        key: stretch.key,
        presence: presence.state,
        seenAt: presence.seenAt,
      })
      .from(stretch)
      .innerJoin(profiles, eq(profiles.userId, stretch.userId))
      .leftJoin(presence, eq(presence.userId, stretch.userId))
      .where(
        and(
          sql`${stretch.userId} <> ${viewerId}`,
          sql`NOT ${blockBetween(sql`${stretch.userId}`, viewerId)}`,
          ...checks.map(({ sql }) => sql),
        ),
      ),
    bounded
      ? db
          .select({ userId: playerFacets.userId, key: sql<number>`${key}` })
          .from(playerFacets)
          .where(
            and(
              eq(playerFacets.facet, stream),
              cursor ? sql`(${key}, ${playerFacets.userId}) < (${cursor.key}, ${cursor.userId})` : undefined,
            ),
          )
          .orderBy(desc(key), desc(playerFacets.userId))
          .limit(1)
          .offset(length - 1)
          .get()
      : undefined,
  ]);
  players.sort((a, b) => b.key - a.key || (a.userId < b.userId ? 1 : -1));
  return {
    players,
    /** Where the stretch ends, if it was walked to its end and more may lie behind it; always null for an unbounded page. */
    end: last ? { key: Number(last.key), userId: last.userId } : null,
    bounded,
  };
}

interface Check {
  sql: SQL;
  /** Looked up in `player_facets`, an index entry more. */
  isFacet: boolean;
}

/** Which facet's index is walked, and what is left to check on each player. */
function planFilters(filters: PlayerFilters, viewerId: string): { stream: string; checks: Check[] } {
  const { role, agent, region, playstyle, voice, language, verified, minRank, maxRank, canQueue } = filters;
  // The rarer first: the walk is then the shorter.
  const facets = [
    agent && `agent:${agent}`,
    playstyle && `tag:${playstyle}`,
    language && `language:${language}`,
    role && `role:${role}`,
    region && `region:${region}`,
    voice && `voice:${voice}`,
    verified && "verified",
  ].filter((facet) => typeof facet === "string");
  const [stream = "all", ...others] = facets;
  const ranks = [
    minRank && gte(profiles.currentRank, minRank),
    maxRank && lte(profiles.currentRank, maxRank),
    canQueue && canQueueWith(viewerId),
  ].flatMap((check) => (check ? [{ sql: check, isFacet: false }] : []));
  return {
    stream,
    checks: [
      ...ranks,
      ...others.map((facet) => ({
        sql: sql`EXISTS (SELECT 1 FROM player_facets AS other WHERE other.user_id = ${profiles.userId} AND other.facet = ${facet})`,
        isFacet: true,
      })),
    ],
  };
}

const RANGES = RANKS.map((rank) => queueRange(rank));
const LOWEST = JSON.stringify(RANGES.map(({ from }) => rankPosition(from)));
const HIGHEST = JSON.stringify(RANGES.map(({ to }) => rankPosition(to)));

/** That a player's rank is one which the viewer may queue with, whatever that is; without a rank of their own, anyone's. */
function canQueueWith(viewerId: string): SQL {
  const own = sql`'$[' || (SELECT viewer.current_rank FROM profiles AS viewer WHERE viewer.user_id = ${viewerId}) || ']'`;
  return sql`${profiles.currentRank} BETWEEN coalesce(json_extract(${LOWEST}, ${own}), 0) AND coalesce(json_extract(${HIGHEST}, ${own}), 99)`;
}
