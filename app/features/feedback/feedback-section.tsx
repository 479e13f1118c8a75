import { Link } from "@remix-run/react";
import { EmptyState } from "~/ui/empty-state";
import { RatingBars } from "~/ui/rating-bars";
import { Rating } from "~/ui/stars";
import type { FeedbackView } from "./present.server";
import { ReviewList } from "./review-list";

/** `Feedback`: the score, how many reviews it comes from and how they are spread, and a page of them. */
export function FeedbackSection({
  feedback: { score, count, counts, reviews, next, isOlderPage },
  here,
}: {
  feedback: FeedbackView;
  /** The address of the page that it stands on. */
  here: string;
}) {
  return (
    <section aria-labelledby="feedback" className="profile-section">
      <h2 id="feedback" className="profile-legend">
        Feedback
      </h2>
      <Rating score={score} count={count} />
      {count > 0 && (
        <div className="mt-5 mb-4">
          <RatingBars counts={counts} />
        </div>
      )}
      {reviews.length > 0 ? (
        <ReviewList reviews={reviews} />
      ) : isOlderPage ? (
        <p className="text-muted">There are no older reviews.</p>
      ) : (
        <EmptyState title="No feedback received yet." />
      )}
      {(next || isOlderPage) && (
        <p className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-3 text-meta">
          {isOlderPage && (
            <Link to={`${here}#feedback`} className="link inline-flex min-h-6 items-center touch:min-h-11">
              Newest reviews
            </Link>
          )}
          {next && (
            <Link to={`${here}${next}#feedback`} className="link inline-flex min-h-6 items-center touch:min-h-11">
              Older reviews
            </Link>
          )}
        </p>
      )}
    </section>
  );
}
