import type { Rank } from "./ranks";

/** Describes a range of ranks: "Gold 1 to Diamond 3", "Gold 1 and up", "up to Diamond 3"; null if all are meant. */
export function sayRankRange(from: Rank | null, to: Rank | null): string | null {
  if (from && to) return `${from} to ${to}`;
  if (from) return `${from} and up`;
  return to && `up to ${to}`;
}
