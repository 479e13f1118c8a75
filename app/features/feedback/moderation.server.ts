import { sql } from "drizzle-orm";
import { userFeedback } from "#db/schema";
import { transact } from "#db/statements";
import { type Doer, logDeed } from "~/features/moderation/shared/log.server";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { switchReview } from "./shared/hide-review.server";

type Pieces = Pick<RequestContext, "db" | "now">;

/**
 * Hides a review from a player's page, or shows it again (`switchReview`), and adds entries to the audit log of the
 * player's account and to the moderation log, in one transaction.
 * @returns false if there is no such review of this player, or nothing to change
 */
export async function setReviewHidden(
  { db, now }: Pieces,
  review: { id: string; reviewedId: string },
  isHidden: boolean,
  doer: Doer,
): Promise<boolean> {
  const { id, reviewedId } = review;
  const isTarget = sql`${userFeedback.reviewedId} = ${reviewedId}`;
  const isFound = sql`EXISTS (SELECT 1 FROM ${userFeedback} WHERE ${userFeedback.id} = ${id} AND ${isTarget}
    AND ${userFeedback.hiddenAt} IS ${isHidden ? sql`` : sql`NOT`} NULL)`;
  const entry = { action: isHidden ? "review-hidden" : "review-shown", details: { review: id } } as const;
  const { changed } = await transact(db, {
    audit: recordAuditIf(db, isFound, { userId: reviewedId, actor: "operator", ...entry }, now),
    log: logDeed(db, doer, { ...entry, playerId: reviewedId }, now, isFound),
    ...switchReview(db, id, isHidden, now, isTarget),
  });
  return changed.rowsAffected > 0;
}
