import type { Match, MatchProfile } from "~/features/players/shared/match";
import { type Cursor, type Page, type Place, pageOf, type Walked } from "~/platform/lists/keyset";

export const PAGE_SIZE = 20;
/** The most posts that are called a best match; more would be a second list. */
export const BEST = 2;
/** A post with a lower score is no best match, even if no other post fits better. */
const GOOD_ENOUGH = 60;
/** The number of reasons that a best match shows. */
export const MAX_BEST_REASONS = 3;

/**
 * Returns the posts that fit the viewer best, the best first; the newer first if they fit equally.
 * @param posts newest first
 * @param matchOf returns how well a post fits; null for the viewer's own posts
 */
export function bestMatches<Post>(
  posts: readonly Post[],
  viewer: MatchProfile,
  matchOf: (post: Post) => Match | null,
): { post: Post; match: Match }[] {
  // Without the viewer's rank or role there is no basis for a match.
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

/** From this number on, the count is shown as "99+". */
const COUNT_LIMIT = 100;

/**
 * The number of matching posts, as the first page shows it: "8", "99+", or "8+" if the search stopped before the end of
 * the list.
 */
export const countWords = ({ found, end }: Walked<unknown>): string =>
  found.length >= COUNT_LIMIT ? `${COUNT_LIMIT - 1}+` : `${found.length}${end ? "+" : ""}`;

/** Returns a post's position in the list. */
export const placeOf = ({ listedAt, id }: Listed): Place => ({ key: listedAt.getTime(), id });

/**
 * Makes a page of the posts found, without those shown above the first page as best matches.
 * @param best the ids of the best matches above this page, which count towards its size
 * @param seen on later pages, the ids of the best matches above the first page
 */
export function postPage<Post extends Listed>(
  { found, end }: Walked<Post>,
  cursor: Cursor | null,
  { best = [], seen = [] }: { best?: readonly string[]; seen?: readonly string[] } = {},
): Page<Post> {
  const listed = found.filter(({ id }) => !best.includes(id) && !seen.includes(id));
  return pageOf({ found: listed, end }, PAGE_SIZE - best.length, cursor, placeOf);
}
