import { RANKS, type Rank, type RankTier, rankPosition, splitRank } from "./ranks";

/**
 * Who may queue for Competitive together. Riot's rules as players' guides give them (state of July 2026); Riot has no
 * machine-readable source, so they are data, in one place.
 *
 * Parties of two and three are bound by their lowest rank: tiers up to Gold by a fixed highest rank, those above by a
 * distance in ranks. Parties of five may hold any ranks, with reduced rating gains beyond these bounds; parties of four
 * can't queue at all. Whether trios from Immortal on are bound otherwise is told in two ways; they follow the rule here.
 */
const QUEUE_RULES = {
  sizes: [1, 2, 3, 5],
  /** The highest rank allowed, by the tier of the lowest. */
  highest: { iron: "Silver 3", bronze: "Silver 3", silver: "Gold 3", gold: "Platinum 3" } as Partial<
    Record<RankTier, Rank>
  >,
  /** For lowest ranks of the other tiers: so many ranks above. */
  ranksAbove: 3,
  /** Parties of this size may hold any ranks. */
  anyRanks: 5,
} as const;

/** What a party can play. */
type QueueVerdict =
  | { allowed: true /** Wider apart than a smaller party may be: less rating is gained. */; reducedGains: boolean }
  | { allowed: false; reason: "size" | "ranks" };

/** @returns the highest rank that a party of two or three may hold whose lowest rank is `lowest` */
export function highestAllowed(lowest: Rank): Rank {
  const fixed = QUEUE_RULES.highest[splitRank(lowest).tier];
  return fixed ?? (RANKS[Math.min(rankPosition(lowest) + QUEUE_RULES.ranksAbove, RANKS.length - 1)] as Rank);
}

/** Whether a party of these ranks may queue for Competitive. */
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

/** Whether a party of so many players may queue for Competitive. */
export const isQueueSize = (players: number): boolean => (QUEUE_RULES.sizes as readonly number[]).includes(players);

/** @returns the lowest and the highest rank that a player may queue with in a party of two */
export function queueRange(rank: Rank): { from: Rank; to: Rank } {
  const partners = RANKS.filter((other) => canQueue([rank, other]).allowed);
  return { from: partners[0] as Rank, to: partners.at(-1) as Rank };
}

/** What is said of a party that can't queue for Competitive because of its size. */
export const PARTY_OF_FOUR = "Parties of four can't queue Competitive; other modes are fine.";
