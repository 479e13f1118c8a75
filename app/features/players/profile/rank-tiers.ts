import { RANK_TIERS, RANKS, splitRank } from "~/game/ranks";

/** The ranks by tier, lowest first, with the tier's name as players say it: "Gold". */
export const TIERS = RANK_TIERS.map((tier) => {
  const ranks = RANKS.filter((rank) => splitRank(rank).tier === tier);
  return { name: ranks[0]?.split(" ")[0] ?? "", ranks };
});
