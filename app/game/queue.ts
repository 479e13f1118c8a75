import { RANKS, type Rank, type RankTier, rankPosition, splitRank } from "./ranks";

/**
 * The parties that may queue for Competitive: Riot's rules according to players' guides (as of July 2026). Riot has no
 * machine-readable source, so they are data, in one place.
 *
 * Parties of two and three are limited by their lowest rank: up to Gold, to a fixed highest rank; above, to a maximum
 * distance in ranks. Parties of five may have any ranks, with reduced rating gains beyond these limits; parties of four
 * can't queue at all. Sources disagree on whether trios from Immortal up have different limits; here they have the same
 * ones.
 */
const QUEUE_RULES = {
  sizes: [1, 2, 3, 5],
  /** The highest allowed rank, by the tier of the lowest. */
  highest: { iron: "Silver 3", bronze: "Silver 3", silver: "Gold 3", gold: "Platinum 3" } as Partial<
    Record<RankTier, Rank>
  >,
  /** For the other tiers: the allowed distance from the lowest rank, in ranks. */
  ranksAbove: 3,
  /** Parties of this size may have any ranks. */
  anyRanks: 5,
} as const;

/** Whether and how a party can queue. */
type QueueVerdict =
  | {
      allowed: true;
      /** Whether rating gains are reduced, because the ranks are further apart than a smaller party's may be. */
      reducedGains: boolean;
    }
  | { allowed: false; reason: "size" | "ranks" };

/** Returns the highest rank allowed in a party of two or three with the given lowest rank. */
export function highestAllowed(lowest: Rank): Rank {
  const fixed = QUEUE_RULES.highest[splitRank(lowest).tier];
  return fixed ?? (RANKS[Math.min(rankPosition(lowest) + QUEUE_RULES.ranksAbove, RANKS.length - 1)] as Rank);
}

/** Checks whether a party of these ranks may queue for Competitive. */
export function canQueue(ranks: readonly Rank[]): QueueVerdict {
  if (!isQueueSize(ranks.length)) return { allowed: false, reason: "size" };
  const positions = ranks.map(rankPosition);
  const lowest = RANKS[Math.min(...positions)] as Rank;
  const within = Math.max(...positions) <= rankPosition(highestAllowed(lowest));
  if (ranks.length === 1 || within) return { allowed: true, reducedGains: false };
  return ranks.length === QUEUE_RULES.anyRanks
    ? { allowed: true, reducedGains: true }
    : { allowed: false, reason: "ranks" };
}

/** Whether a party of this size may queue for Competitive. */
export const isQueueSize = (players: number): boolean => (QUEUE_RULES.sizes as readonly number[]).includes(players);

/** Returns the lowest and the highest rank that a player may queue with in a party of two. */
export function queueRange(rank: Rank): { from: Rank; to: Rank } {
  const partners = RANKS.filter((other) => canQueue([rank, other]).allowed);
  return { from: partners[0] as Rank, to: partners.at(-1) as Rank };
}

/** The note on a party that can't queue for Competitive because of its size. */
export const PARTY_OF_FOUR = "Parties of four can't queue Competitive; other modes are fine.";
