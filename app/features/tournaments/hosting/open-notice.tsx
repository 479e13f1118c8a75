import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import type { ListingGap } from "../listing";
import { GapSteps, UnlistedNotice } from "../unlisted-notice";

/**
 * Warns hosts, before they fill in the form, that they have too many tournaments open, or otherwise that lists won't
 * show the new one.
 */
export function OpenNotice({
  gaps,
  full,
  refusals,
}: {
  gaps: readonly ListingGap[];
  /** The limit, as a sentence, and the open tournaments; null for hosts who may host another. */
  full: { limit: string; open: readonly { to: string; name: string }[] } | null;
  /** The form's errors above the notice. If one of them states the limit, the notice doesn't repeat it. */
  refusals: readonly string[] | null | undefined;
}) {
  if (!full) return gaps.length > 0 && <UnlistedNotice gaps={gaps} />;
  return (
    <Notice title={refusals?.some((text) => text.startsWith(full.limit)) ? "Open now" : full.limit}>
      <ul>
        {full.open.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} dir="auto" className="link wrap-anywhere">
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-1">
        {full.open.length === 1 ? "Start or cancel it" : "Start or cancel one"}
        {gaps.length > 0 ? (
          <>
            , or <GapSteps gaps={gaps} /> to host more.
          </>
        ) : (
          " before you host another."
        )}
      </p>
    </Notice>
  );
}
