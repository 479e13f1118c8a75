import { STAR } from "./stars";

/** The longest bar, in pixels. */
const LONGEST = 48;

/**
 * How many reviews gave each number of stars: five bars that hang from a line, the number and the stars below each.
 * @param counts of 1, 2, 3, 4 and 5 stars
 */
export function RatingBars({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  return (
    <ol aria-label="Reviews by stars" className="rating-bars">
      {counts.map((count, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: five, always the same
        <li key={index}>
          <i aria-hidden="true" style={{ height: `${count > 0 ? Math.max(3, (count / most) * LONGEST) : 0}px` }} />
          <span className="pt-1">
            <span aria-hidden="true" className="block font-semibold">
              {count}
            </span>
            <span aria-hidden="true" className="rating-bars-stars">
              {index + 1}
              <svg viewBox="0 0 24 24" className="size-3" aria-hidden="true" focusable="false">
                <path fill="currentColor" d={STAR} />
              </svg>
            </span>
            <span className="sr-only">
              {index === 0 ? "1 star" : `${index + 1} stars`}: {count === 1 ? "1 review" : `${count} reviews`}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
