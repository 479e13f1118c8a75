import { STAR } from "./shared/stars";

/** The longest bar, in pixels. */
const LONGEST = 48;

/**
 * The distribution of reviews by number of stars: five bars hanging from a line, with the count and the stars below
 * each.
 * @param counts for 1, 2, 3, 4 and 5 stars
 */
export function RatingBars({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, index) => ({ stars: index + 1, count }));
  return (
    <ol aria-label="Reviews by stars" className="rating-bars">
      {bars.map(({ stars, count }) => (
        <li key={stars}>
          <i aria-hidden="true" style={{ height: `${count > 0 ? Math.max(3, (count / most) * LONGEST) : 0}px` }} />
          <span className="pt-1">
            <span aria-hidden="true" className="block font-semibold">
              {count}
            </span>
            <span aria-hidden="true" className="rating-bars-stars">
              {stars}
              <svg viewBox="0 0 24 24" className="size-3" aria-hidden="true" focusable="false">
                <path fill="currentColor" d={STAR} />
              </svg>
            </span>
            <span className="sr-only">
              {stars === 1 ? "1 star" : `${stars} stars`}: {count === 1 ? "1 review" : `${count} reviews`}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
