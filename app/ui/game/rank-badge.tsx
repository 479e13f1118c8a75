import type { Rank } from "~/game/ranks";
import { RankGlyph } from "../icons";

/** A rank: its glyph and its name. It is the player's own claim, so a tick never appears here. */
export function RankBadge({ rank, className = "" }: { rank: Rank; className?: string }) {
  return (
    <span
      className={`inline-flex flex-none items-center gap-1.5 text-meta font-semibold whitespace-nowrap ${className}`}
    >
      <RankGlyph rank={rank} />
      {rank}
    </span>
  );
}
