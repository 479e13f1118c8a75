import type { VerifiedMark } from "~/features/riot/rules";
import type { Rank } from "~/game/ranks";
import type { Role } from "~/game/roles";

/** The maximum number of results shown in a group. */
export const SHOWN = 6;

/** The results of a search, as the page and the dialog show them. */
export interface SearchResults {
  /** The words searched for; empty before the first search. */
  q: string;
  /** The groups with results, and those whose search stopped early. */
  groups: SearchGroup[];
}

/** The results of one kind. */
export interface SearchGroup {
  title: "Players" | "Posts" | "Tournaments" | "Conversations";
  results: SearchResult[];
  /** The list to continue in; null if all results are shown here. */
  more: { to: string; label: string } | null;
  /** Says how far the search got; null unless it stopped early with fewer than `SHOWN` results. */
  limit: string | null;
}

/** One result: a link with facts below it. */
export interface SearchResult {
  to: string;
  name: string;
  /** The banner before the name, for players and conversations; null for other results. */
  banner: { letter: string; picture: string | null } | null;
  verified: VerifiedMark | null;
  rank: Rank | null;
  role: Role | null;
  facts: string[];
}

/**
 * Makes a group of the results found.
 * @param found in the order in which they are shown; may be more than fit
 * @param isCut whether the search stopped before it had checked everything that could match
 * @param limit how far a search that was cut short has looked: "Only the newest posts were searched."
 * @returns a list with the group; empty if this search checked everything and found nothing
 */
export function searchGroup(
  title: SearchGroup["title"],
  {
    found,
    isCut,
    more,
    limit,
  }: { found: readonly SearchResult[]; isCut: boolean; more: { to: string; label: string }; limit: string },
): SearchGroup[] {
  if (found.length === 0 && !isCut) return [];
  const hasMore = isCut || found.length > SHOWN;
  return [
    {
      title,
      results: found.slice(0, SHOWN),
      more: hasMore ? more : null,
      limit: isCut && found.length < SHOWN ? limit : null,
    },
  ];
}
