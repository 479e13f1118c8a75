/** The outline of a star, in a box of 24 by 24 units. */
export const STAR = "M12 1.6l3.1 7 7.6.7-5.7 5 1.7 7.5L12 17.9l-6.7 3.9L7 14.3l-5.7-5 7.6-.7z";

const STAR_SIZES = { small: "size-[15px]", normal: "size-5", large: "size-6" } as const;

/** One star: an outline in the edge colour, filled from the left by the share `fill` (0, ½ or 1). */
function Star({ fill, size }: { fill: number; size: keyof typeof STAR_SIZES }) {
  return (
    <svg viewBox="0 0 24 24" className={`flex-none ${STAR_SIZES[size]}`} aria-hidden="true" focusable="false">
      {fill < 1 && <path className="stroke-edge" fill="none" strokeWidth="1.6" d={STAR} />}
      {fill > 0 && (
        <svg aria-hidden="true" width={24 * fill} height="24" viewBox={`0 0 ${24 * fill} 24`}>
          <path fill="currentColor" d={STAR} />
        </svg>
      )}
    </svg>
  );
}

/**
 * `rating` (0 to 5) as five stars, rounded to the nearest half. Their accessible name has the exact rating ("4.3 out of
 * 5 stars"), unless there is text beside them.
 */
export function Stars({
  rating,
  size = "normal",
  silent = false,
  className = "",
}: {
  rating: number;
  size?: keyof typeof STAR_SIZES;
  /** Hides the stars from assistive technology, because the number is next to them. */
  silent?: boolean;
  className?: string;
}) {
  const halves = Math.round(rating * 2) / 2;
  return (
    <span className={`inline-flex ${className}`}>
      {[0, 1, 2, 3, 4].map((before) => (
        <Star key={before} fill={Math.min(1, Math.max(0, halves - before))} size={size} />
      ))}
      {!silent && <span className="sr-only">{rating} out of 5 stars</span>}
    </span>
  );
}

/** "1 review", "23 reviews" */
const reviews = (count: number) => `${count} ${count === 1 ? "review" : "reviews"}`;

/**
 * A player's rating: the score with one decimal, or `N/A`, and the number of reviews.
 * `panel`: beside five stars, as on a profile. `row`: above the count, with a single star, as in a list.
 */
export function Rating({
  score,
  count,
  variant = "panel",
  className = "",
}: {
  /** 1 to 5; null before the first review. */
  score: number | null;
  count: number;
  variant?: "panel" | "row";
  className?: string;
}) {
  const scoreText = score === null ? "N/A" : score.toFixed(1);
  const outOf = score !== null && <span className="sr-only"> out of 5 stars</span>;
  if (variant === "row") {
    return (
      <p className={`flex flex-col items-end text-meta text-muted ${className}`}>
        <span className="flex items-center gap-1.5 text-text">
          <span className="font-display text-title-phone">{scoreText}</span>
          {outOf}
          {score !== null && <Star fill={1} size="normal" />}
        </span>
        {reviews(count)}
      </p>
    );
  }
  return (
    <p className={`flex items-center gap-4 ${className}`}>
      <span className={`font-display ${score === null ? "text-section text-muted" : "text-[3rem] leading-none"}`}>
        {scoreText}
        {outOf}
      </span>
      <span className="flex flex-col gap-0.5 text-meta text-muted">
        <Stars rating={score ?? 0} silent className="text-text" />
        {reviews(count)}
      </span>
    </p>
  );
}
