import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles, userFeedback } from "#db/schema";
import { isShown } from "~/features/feedback/shared/visible-reviews.server";
import { displayName, type NamedPlayer, UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameColumns } from "~/features/players/shared/name.server";
import { PAGE_SIZE, paginate } from "./pages.server";

const feedbackColumns = {
  id: userFeedback.id,
  rating: userFeedback.rating,
  comment: userFeedback.comment,
  tags: userFeedback.tags,
  createdAt: userFeedback.createdAt,
  revealedAt: userFeedback.revealedAt,
};

/**
 * Exports the feedback that the player gave, including hidden feedback, in the index's order: by recipient, then oldest
 * first.
 */
export async function* listFeedbackGiven(db: Database, userId: string) {
  const { reviewerId, reviewedId, createdAt, updatedAt, hiddenAt } = userFeedback;
  const rows = paginate<{ reviewedId: string; createdAt: Date; player: NamedPlayer | null }>((last) =>
    db
      .select({ ...feedbackColumns, updatedAt, hiddenAt, reviewedId, player: nameColumns })
      .from(userFeedback)
      .leftJoin(profiles, eq(profiles.userId, reviewedId))
      .where(
        and(
          eq(reviewerId, userId),
          last && sql`(${reviewedId}, ${createdAt}) > (${last.reviewedId}, ${last.createdAt.getTime()})`,
        ),
      )
      .orderBy(reviewedId, createdAt)
      .limit(PAGE_SIZE),
  );
  for await (const { player, reviewedId: _, ...feedback } of rows) {
    yield { ...feedback, about: player ? displayName(player) : UNKNOWN_PLAYER };
  }
}

/**
 * Exports the shown feedback about the player. Feedback that isn't revealed yet, or that moderators have hidden,
 * belongs to its author alone.
 */
export async function* listFeedbackReceived(db: Database, userId: string) {
  const place = sql<number>`user_feedback.rowid`;
  const rows = paginate<{ place: number; player: NamedPlayer | null }>((last) =>
    db
      .select({ place, ...feedbackColumns, player: nameColumns })
      .from(userFeedback)
      .leftJoin(profiles, eq(profiles.userId, userFeedback.reviewerId))
      .where(and(eq(userFeedback.reviewedId, userId), isShown, gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE_SIZE),
  );
  for await (const { place: _, player, ...feedback } of rows) {
    yield { ...feedback, from: player ? displayName(player) : UNKNOWN_PLAYER };
  }
}
