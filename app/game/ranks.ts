/**
 * The 25 competitive ranks, lowest first. Source: the product's specification, section 3; Riot's own list is the same.
 * A rank is stored as its position in this list, so that "at most this rank" compares numbers (see
 * `db/schema/columns.ts`).
 */
export const RANKS = [
  "Iron 1",
  "Iron 2",
  "Iron 3",
  "Bronze 1",
  "Bronze 2",
  "Bronze 3",
  "Silver 1",
  "Silver 2",
  "Silver 3",
  "Gold 1",
  "Gold 2",
  "Gold 3",
  "Platinum 1",
  "Platinum 2",
  "Platinum 3",
  "Diamond 1",
  "Diamond 2",
  "Diamond 3",
  "Ascendant 1",
  "Ascendant 2",
  "Ascendant 3",
  "Immortal 1",
  "Immortal 2",
  "Immortal 3",
  "Radiant",
] as const;

export type Rank = (typeof RANKS)[number];

/** The nine tiers, lowest first; each but the last has three divisions. */
export const RANK_TIERS = [
  "iron",
  "bronze",
  "silver",
  "gold",
  "platinum",
  "diamond",
  "ascendant",
  "immortal",
  "radiant",
] as const;

export type RankTier = (typeof RANK_TIERS)[number];

/** Splits a rank into its tier and division (1–3; 0 for Radiant, which has none). */
export function splitRank(rank: Rank): { tier: RankTier; division: 0 | 1 | 2 | 3 } {
  const [tier, division] = rank.split(" ");
  return { tier: tier?.toLowerCase() as RankTier, division: Number(division ?? 0) as 0 | 1 | 2 | 3 };
}

/** Returns the rank's position, 0 (Iron 1) to 24 (Radiant). */
export function rankPosition(rank: Rank): number {
  return RANKS.indexOf(rank);
}

/** Returns the rank at a position, as stored in the database; null for null. */
export const rankAt = (position: number | null): Rank | null => (position === null ? null : (RANKS[position] ?? null));
