import type { Match, MatchProfile } from "~/features/players/match";
import type { PostCursor } from "./filters";

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

/** A post's place in the list. */
export const placeOf = ({ listedAt, id }: Listed): PostCursor => ({ listedAt: listedAt.getTime(), id });

/** A page of the list. */
export interface PostPage<Post> {
  posts: Post[];
  /** Where the next page begins; null at the end. */
  next: PostCursor | null;
  /** The page ended because enough was read, not because it was full: there may be more further down. */
  cutShort: boolean;
}

/**
 * The page that found posts make: the newest, and none of those that stand above the first page as best matches.
 * @param best the ids of the best matches above this page, which count to its posts
 * @param seen those above the first page, on a later one
 */
export function pageOf<Post extends Listed>(
  { posts, end }: { posts: readonly Post[]; end: PostCursor | null },
  { best = [], seen = [] }: { best?: readonly string[]; seen?: readonly string[] } = {},
): PostPage<Post> {
  const listed = posts.filter(({ id }) => !best.includes(id) && !seen.includes(id));
  const shown = listed.slice(0, PAGE_SIZE - best.length);
  const last = shown.at(-1);
  return listed.length > shown.length && last
    ? { posts: shown, next: placeOf(last), cutShort: false }
    : { posts: shown, next: end, cutShort: end !== null };
}
