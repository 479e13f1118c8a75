import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";
import { id, moment, words } from "./columns";

/**
 * One player's feedback on another after playing together. Hidden until both have given theirs or a week has passed.
 */
export const userFeedback = sqliteTable(
  "user_feedback",
  {
    id: id(),
    /** Null once the account is deleted: the feedback stays, without a name. */
    reviewerId: text("reviewer_id").references(() => users.id, { onDelete: "set null" }),
    reviewedId: text("reviewed_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Stars, 1 to 5. */
    rating: integer("rating").notNull(),
    comment: text("comment"),
    tags: words("tags"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    /** The latest time at which it is revealed. */
    dueAt: moment("due_at").notNull(),
    /** When it was revealed; from then on everyone sees it, it counts, and it can't be changed. Null until then. */
    revealedAt: moment("revealed_at"),
    /** When moderators hid it; a hidden review is neither shown nor counted. */
    hiddenAt: moment("hidden_at"),
  },
  (table) => {
    const shown = sql`revealed_at IS NOT NULL AND hidden_at IS NULL`;
    return [
      index("user_feedback_received").on(table.reviewedId, sql`revealed_at DESC`, sql`id DESC`).where(shown),
      // Includes the counted column: the chart reads no rows.
      index("user_feedback_counted").on(table.reviewedId, table.rating).where(shown),
      index("user_feedback_by_reviewed").on(table.reviewedId),
      // Scores are counted by reviewer: see `recountScores`.
      index("user_feedback_by_pair").on(table.reviewedId, table.reviewerId, table.rating).where(shown),
      index("user_feedback_given").on(table.reviewerId, table.reviewedId, table.createdAt),
      index("user_feedback_due").on(table.dueAt).where(sql`revealed_at IS NULL`),
      check("user_feedback_rating", sql`rating BETWEEN 1 AND 5`),
      check("user_feedback_comment", sql`comment IS NULL OR length(comment) BETWEEN 1 AND 1000`),
      check("user_feedback_other", sql`reviewer_id IS NULL OR reviewer_id <> reviewed_id`),
    ];
  },
);
