import { sql } from "drizzle-orm";
import { userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { type Doer, logDeed } from "~/features/moderation/shared/log.server";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { recountScores } from "./scores.server";

type Pieces = Pick<RequestContext, "db" | "now">;

/**
 * Hides a review from a player's page, or shows it again, recounts the player's scores, and adds entries to the audit
 * log of their account and to the moderation log, in one transaction. A hidden review stays stored, so its author still can't give another until
 * the 14 days are over.
 * @returns false if there is no such review of this player, or nothing to change
 */
export async function setReviewHidden(
  { db, now }: Pieces,
  review: { id: string; reviewedId: string },
  isHidden: boolean,
  doer: Doer,
): Promise<boolean> {
  const { id, reviewedId } = review;
  const isTarget = sql`${userFeedback.id} = ${id} AND ${userFeedback.reviewedId} = ${reviewedId}
    AND ${userFeedback.hiddenAt} IS ${isHidden ? sql`` : sql`NOT`} NULL`;
  const isFound = sql`EXISTS (SELECT 1 FROM ${userFeedback} WHERE ${isTarget})`;
  const entry = { action: isHidden ? "review-hidden" : "review-shown", details: { review: id } } as const;
  const { changed } = await transact(db, {
    audit: recordAuditIf(db, isFound, { userId: reviewedId, actor: "operator", ...entry }, now),
    log: logDeed(db, doer, { ...entry, playerId: reviewedId }, now, isFound),
    changed: db.run(sql`UPDATE ${userFeedback} SET ${bare(userFeedback.hiddenAt)} = ${isHidden ? now.getTime() : null}
      WHERE ${isTarget}`),
    recount: recountScores(
      db,
      sql`SELECT ${reviewedId} AS player UNION ALL SELECT ${userFeedback.reviewerId} FROM ${userFeedback}
        WHERE ${userFeedback.id} = ${id} AND ${userFeedback.reviewerId} IS NOT NULL`,
    ),
  });
  return changed.rowsAffected > 0;
}
