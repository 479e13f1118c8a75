import type { ReactNode } from "react";
import { EmptyState } from "~/ui/empty-state";
import { Rating } from "~/ui/stars";

/** `Feedback`: the score, how many reviews it comes from, and `children`, the reviews themselves. */
export function FeedbackSection({
  score,
  count,
  children,
}: {
  /** 1 to 5; null before the first review. */
  score: number | null;
  count: number;
  children?: ReactNode;
}) {
  return (
    <section aria-labelledby="feedback" className="profile-section">
      <h2 id="feedback" className="profile-legend">
        Feedback
      </h2>
      <Rating score={score} count={count} />
      {children ?? <EmptyState title="No feedback received yet." />}
    </section>
  );
}
