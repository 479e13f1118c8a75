import type { Rank } from "./ranks";

/**
 * Describes a range of ranks: "Gold 1 to Diamond 3", "Gold 1", "Gold 1 and up", "Diamond 3 and below"; null if all are
 * meant.
 */
export function sayRankRange(from: Rank | null, to: Rank | null): string | null {
  if (from && to) return from === to ? from : `${from} to ${to}`;
  if (from) return `${from} and up`;
  return to && `${to} and below`;
}
