import { Fragment } from "react";
import { CopyButton } from "~/ui/copy-button";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { GAP_STEPS, type ListingGap } from "./listing";

/** Tells hosts that lists don't show their tournaments to others, and what to do about it. */
export function UnlistedNotice({
  gaps,
  link,
  className = "",
}: {
  gaps: readonly ListingGap[];
  /** The tournament's address; given only on the tournament's own page. */
  link?: string;
  className?: string;
}) {
  return (
    <Notice title="Works by link only" className={className}>
      <p>
        Only you see your tournaments in lists, so share the link with players.
        {gaps.length > 0 && (
          <>
            {" "}
            Everyone can find them once you <GapSteps gaps={gaps} />.
          </>
        )}
      </p>
      {link && (
        <p className="mt-2.5 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
          <span className="font-semibold wrap-anywhere select-all">{link}</span>
          <CopyButton text={link} />
        </p>
      )}
    </Notice>
  );
}

/** Links to the steps that close a host's gaps, worded as part of a sentence. */
export function GapSteps({ gaps }: { gaps: readonly ListingGap[] }) {
  return gaps.map((gap, index) => (
    <Fragment key={gap}>
      {index > 0 && " and "}
      <Link to={GAP_STEPS[gap].to} className="link">
        {GAP_STEPS[gap].step}
      </Link>
    </Fragment>
  ));
}
