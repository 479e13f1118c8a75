import { EmptyState } from "~/ui/empty-state";
import { Pages } from "~/ui/pagination";
import type { FeedbackView } from "./present.server";
import { RatingBars } from "./rating-bars";
import { ReviewList } from "./review-list";
import { Rating } from "./shared/stars";

/** The section `Feedback`: the score, the number of reviews and their distribution, and a page of reviews. */
export function FeedbackSection({
  feedback: { score, count, counts, reviews, pages, isFirstPage },
  here,
}: {
  feedback: FeedbackView;
  /** The address of the page that contains the section. */
  here: string;
}) {
  const addressOf = (search: string | null) => search && `${here}${search}#feedback`;
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
      ) : isFirstPage ? (
        <EmptyState title="No feedback received yet." />
      ) : (
        <p className="text-muted">There are no older reviews.</p>
      )}
      <Pages previous={addressOf(pages.previous)} next={addressOf(pages.next)} by="time" className="pt-4" />
    </section>
  );
}
