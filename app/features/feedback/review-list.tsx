import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import type { ReviewView } from "./present.server";
import { Stars } from "./shared/stars";

/** A player's reviews, the latest first. */
export function ReviewList({ reviews }: { reviews: readonly ReviewView[] }) {
  return (
    <ul aria-label="Reviews">
      {reviews.map(({ id, name, page, rating, comment, tags, time, report }) => (
        <li key={id} className="review">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span id={`reviewer-${id}`} className="min-w-0 font-semibold wrap-anywhere">
              {page ? (
                <Link
                  to={page}
                  dir="auto"
                  className="rounded-badge hover:underline hover:underline-offset-3 touch:-my-3 touch:py-3"
                >
                  {name}
                </Link>
              ) : (
                name
              )}
            </span>
            <RelativeTime moment={time} className="text-meta text-muted" />
          </p>
          <p className="flex min-h-6 items-center justify-between gap-3">
            <Stars rating={rating} size="small" />
            {report && (
              <Link
                to={report}
                preventScrollReset
                aria-describedby={`reviewer-${id}`}
                className="inline-flex min-h-6 items-center rounded-badge text-meta text-muted hover:text-text hover:underline hover:underline-offset-3 touch:-my-2.5 touch:min-h-11"
              >
                Report
              </Link>
            )}
          </p>
          {comment && (
            <p dir="auto" className="text-meta wrap-anywhere whitespace-pre-line">
              {comment}
            </p>
          )}
          {tags.length > 0 && (
            <ul aria-label="What was good" className="mt-1.5 flex flex-wrap gap-1.5">
              {tags.map((tag) => (
                <li key={tag} className="rounded-badge bg-raised px-2 py-0.5 text-badge font-semibold">
                  {tag}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
