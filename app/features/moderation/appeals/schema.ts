import * as z from "zod";
import { multiLine } from "~/platform/forms/text";
import { isBlank } from "~/platform/forms/text-length";
import { MAX_ANSWER_LENGTH, MAX_APPEAL_LENGTH } from "./rules";

const REASON_MISSING = "Say why the decision is wrong.";

/** A player's appeal. */
export const appealSchema = z.object({
  words: z
    .string({ error: REASON_MISSING })
    .pipe(multiLine({ max: MAX_APPEAL_LENGTH, name: "appeal" }))
    .refine((words) => !isBlank(words), REASON_MISSING),
});

const ANSWER_MISSING = "Give a reason.";

/** A moderator's answer to an appeal. */
export const appealAnswerSchema = z.object({
  outcome: z.enum(["granted", "rejected"], { error: "Grant or reject the appeal." }),
  reason: z
    .string({ error: ANSWER_MISSING })
    .pipe(multiLine({ max: MAX_ANSWER_LENGTH, name: "answer" }))
    .refine((words) => !isBlank(words), ANSWER_MISSING),
});
