import { RANKS, type Rank, rankPosition } from "~/game/ranks";
import { rankGlyph } from "../icons";

/**
 * The 25 ranks as bars hanging from a line. Those from `from` to `to` (inclusive) are coloured, and `you` is longer.
 * Decoration, always used next to words. With `size="landing"`, it is about 50% taller.
 */
export function Ruler({
  from,
  to,
  you,
  size,
  className = "",
}: {
  from: Rank;
  to: Rank;
  you?: Rank;
  size?: "landing";
  className?: string;
}) {
  const low = rankPosition(from);
  const high = rankPosition(to);
  return (
    <div className={`ruler ${className}`} data-size={size} aria-hidden="true">
      {RANKS.map((rank, position) => (
        <i
          key={rank}
          className={rankGlyph(rank)}
          data-open={position >= low && position <= high ? "" : undefined}
          data-you={rank === you ? "" : undefined}
        />
      ))}
    </div>
  );
}
