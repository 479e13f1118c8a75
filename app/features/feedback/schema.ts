import * as z from "zod";
import { multiLine } from "~/platform/forms/text";
import { FEEDBACK_TAGS, MAX_COMMENT_LENGTH, type Stars } from "./rules";

const OUT_OF_DATE = "This form is out of date. Open it again.";

/** The id of the row to create, which is part of the form, so that submitting it twice creates one row. */
const madeId = z.uuid({ error: OUT_OF_DATE }).toLowerCase();

const CHOOSE_STARS = "Choose one to five stars.";
const CHOOSE_TAGS = "Choose from the list.";

/** Feedback for a player, new or changed. */
export const feedbackSchema = z.object({
  id: madeId,
  /** Identifies the values that the form for a change was filled with. */
  version: z.string().optional(),
  rating: z
    .string({ error: CHOOSE_STARS })
    .regex(/^[1-5]$/, CHOOSE_STARS)
    .transform((stars) => Number(stars) as Stars),
  tags: z
    .array(z.string())
    .default([])
    .refine((tags) => tags.every((tag) => (FEEDBACK_TAGS as readonly string[]).includes(tag)), CHOOSE_TAGS)
    .transform((tags) => FEEDBACK_TAGS.filter((tag) => tags.includes(tag))),
  comment: multiLine({ max: MAX_COMMENT_LENGTH, name: "comment" })
    .optional()
    .transform((text) => text || null),
});
