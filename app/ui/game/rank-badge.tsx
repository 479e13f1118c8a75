import type { Rank } from "~/game/ranks";
import { rankGlyph } from "../icons";

/** A rank: its glyph and its name. It is the player's own claim, so a tick never appears here. */
export function RankBadge({ rank, className = "" }: { rank: Rank; className?: string }) {
  return <span className={`rank ${rankGlyph(rank)} ${className}`.trimEnd()}>{rank}</span>;
}
