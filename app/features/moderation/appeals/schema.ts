import * as z from "zod";
import { multiLine } from "~/platform/forms/text";
import { MAX_ANSWER_LENGTH, MAX_APPEAL_LENGTH } from "./rules";

/** A player's appeal. */
export const appealSchema = z.object({
  words: z
    .string({ error: "Say why the decision is wrong." })
    .pipe(multiLine({ max: MAX_APPEAL_LENGTH, name: "appeal" })),
});

/** A moderator's answer to an appeal. */
export const appealAnswerSchema = z.object({
  outcome: z.enum(["granted", "rejected"], { error: "Grant or reject the appeal." }),
  reason: z
    .string({ error: "Give your reasons: the player reads them." })
    .pipe(multiLine({ max: MAX_ANSWER_LENGTH, name: "answer" })),
});
