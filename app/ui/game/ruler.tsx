import { RANKS, type Rank, type RankTier, rankPosition, splitRank } from "~/game/ranks";

const BAR_COLOURS: Record<RankTier, string> = {
  iron: "[--bar:var(--rank-iron)]",
  bronze: "[--bar:var(--rank-bronze)]",
  silver: "[--bar:var(--rank-silver)]",
  gold: "[--bar:var(--rank-gold)]",
  platinum: "[--bar:var(--rank-platinum)]",
  diamond: "[--bar:var(--rank-diamond)]",
  ascendant: "[--bar:var(--rank-ascendant)]",
  immortal: "[--bar:var(--rank-immortal)]",
  radiant: "[--bar:var(--rank-radiant)]",
};

/**
 * The 25 ranks as bars hanging from a line. Those from `from` to `to` (inclusive) are coloured, and `you` is longer.
 * Decoration, always used next to words. With `landing`, it is 50% higher.
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
          className={BAR_COLOURS[splitRank(rank).tier]}
          data-open={position >= low && position <= high ? "" : undefined}
          data-you={rank === you ? "" : undefined}
        />
      ))}
    </div>
  );
}
