import { sayRankRange } from "~/game/rank-range";
import { sentence, sharedMoment, summary } from "~/platform/pages/summary.server";
import { needs } from "./post-card";
import type { PostView } from "./present.server";

/**
 * Describes a post for people who are sent its link: how many players it needs, whom it wants, and when it closes.
 * @param expiresAt when it closes by itself
 */
export function summarisePost(post: PostView, expiresAt: Date): string {
  const state = post.openSpots === 0 ? "The team is complete." : post.isOpen ? `${needs(post.openSpots)}.` : "Closed.";
  return summary(
    state,
    sentence(
      sayRankRange(post.requiredRank, null) ?? "any rank",
      post.requiredRole ?? "any role",
      post.region ?? "any region",
    ),
    post.isOpen && post.openSpots > 0 && `Closes ${sharedMoment(expiresAt)}.`,
    post.message ?? `By ${post.author.name}`,
  );
}
