import type { Match, MatchProfile } from "~/features/players/shared/match";
import { type Cursor, type Page, type Place, pageOf, type Walked } from "~/platform/lists/keyset";

export const PAGE_SIZE = 20;
/** Posts that are called a best match at most; more would be a second list. */
export const BEST = 2;
/** What scores less may be the best there is, but is no match. */
const GOOD_ENOUGH = 60;
/** Reasons that a best match tells: it is there because of them. */
export const BEST_REASONS = 3;

/**
 * The posts that fit the viewer best, the best first; of equals the newer.
 * @param posts newest first
 * @param matchOf how well a post fits; null for one's own
 */
export function bestMatches<Post>(
  posts: readonly Post[],
  viewer: MatchProfile,
  matchOf: (post: Post) => Match | null,
): { post: Post; match: Match }[] {
  // Of someone who has said neither rank nor role, nobody can tell what fits.
  if (!viewer.rank && !viewer.role) return [];
  return posts
    .flatMap((post) => {
      const match = matchOf(post);
      return match && match.score >= GOOD_ENOUGH ? [{ post, match }] : [];
    })
    .sort((a, b) => b.match.score - a.match.score)
    .slice(0, BEST);
}

interface Listed {
  id: string;
  listedAt: Date;
}

/** Counts stop here: "99+". */
const COUNT_LIMIT = 100;

/** How many posts fit, as the first page says it: "8", "99+", or "8+" where the search ended before the list did. */
export const countWords = ({ found, end }: Walked<unknown>): string =>
  found.length >= COUNT_LIMIT ? `${COUNT_LIMIT - 1}+` : `${found.length}${end ? "+" : ""}`;

/** A post's place in the list. */
export const placeOf = ({ listedAt, id }: Listed): Place => ({ key: listedAt.getTime(), id });

/**
 * The page that found posts make, without those that stand above the first page as best matches.
 * @param best the ids of the best matches above this page, which count to its posts
 * @param seen those above the first page, on a later one
 */
export function postPage<Post extends Listed>(
  { found, end }: Walked<Post>,
  cursor: Cursor | null,
  { best = [], seen = [] }: { best?: readonly string[]; seen?: readonly string[] } = {},
): Page<Post> {
  const listed = found.filter(({ id }) => !best.includes(id) && !seen.includes(id));
  return pageOf({ found: listed, end }, PAGE_SIZE - best.length, cursor, placeOf);
}
