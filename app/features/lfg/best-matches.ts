import type { Match, MatchProfile } from "~/features/players/match";

/** Posts that are called a best match at most; more would be a second list. */
const BEST = 2;
/** What scores less may be the best there is, but is no match. */
const GOOD_ENOUGH = 60;
/** Reasons that a best match tells: it is there because of them. */
export const BEST_REASONS = 4;

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
