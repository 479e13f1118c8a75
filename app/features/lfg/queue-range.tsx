import type { Rank } from "~/game/ranks";
import { RankBadge } from "~/ui/game/rank-badge";
import { Ruler } from "~/ui/game/ruler";

/** The ranks with which the viewer may queue for Competitive, as a ruler and in words. */
export function QueueRange({ you, from, to }: { you: Rank; from: Rank; to: Rank }) {
  return (
    <section aria-labelledby="queue-range">
      <h2 id="queue-range" className="font-display text-rail">
        Who you can queue with
      </h2>
      <p className="mt-1 mb-3 text-meta text-muted">Duo or trio. The long bar is you, {you}.</p>
      <Ruler from={from} to={to} you={you} />
      <p className="mt-2 flex justify-between text-meta">
        <RankBadge rank={from} />
        <span className="sr-only">to</span>
        <RankBadge rank={to} />
      </p>
    </section>
  );
}
