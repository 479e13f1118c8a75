import type { Rank } from "~/game/ranks";
import { RankGlyph } from "../icons";

/** A rank: its glyph and its name. It is the player's own claim, so a tick never appears here. */
export function RankBadge({ rank, className = "" }: { rank: Rank; className?: string }) {
  return (
    <span className={`mark rank ${className}`.trimEnd()}>
      <RankGlyph rank={rank} className="" />
      {rank}
    </span>
  );
}
