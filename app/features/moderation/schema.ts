import * as z from "zod";
import type { DecisionAction } from "#db/words/decision-actions";
import { RESTRICTION_SCOPES } from "#db/words/restriction-scopes";
import { multiLine } from "~/platform/forms/text";
import { COMMUNITY_RULES, type RuleKey } from "./community-rules";
import { LENGTHS } from "./decisions/durations";
import { findsFault, hasEnd, MAX_REASON } from "./rules";

const OUT_OF_DATE = "This form is out of date. Open it again.";
const RULE_MISSING = "Choose the rule that was broken.";

const ruleSchema = z.enum(COMMUNITY_RULES.map(({ key }) => key) as [RuleKey, ...RuleKey[]], { error: RULE_MISSING });

/** The decision form. Its fields depend on the action. */
export const decisionSchema = (action: DecisionAction) =>
  z
    .object({
      /** The id of the latest decision that the page showed; empty if it showed none. */
      seen: z
        .union([z.uuid(), z.literal("")], { error: OUT_OF_DATE })
        .optional()
        .transform((id) => id ?? ""),
      /** The reports and findings that the page showed, as `digestEvidence` computes them. */
      evidence: z.string().optional(),
      /** The decision that `Undo` named; empty if there was nothing to undo. */
      undoes: z
        .uuid({ error: OUT_OF_DATE })
        .optional()
        .transform((id) => id ?? ""),
      rule: ruleSchema.optional().transform((rule) => rule ?? null),
      reason: multiLine({ max: MAX_REASON, name: "reason" })
        .optional()
        .transform((text) => text ?? ""),
      scopes: z.array(z.enum(RESTRICTION_SCOPES, { error: OUT_OF_DATE })).optional(),
      days: z.coerce
        .number()
        .refine((days) => LENGTHS.some((one) => one === days), { error: "Choose when it ends." })
        .optional(),
    })
    .superRefine(({ rule, reason, scopes, days }, context) => {
      const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
      if (findsFault(action) && rule === null) refuse("rule", RULE_MISSING);
      if (reason === "") refuse("reason", "Give your reason.");
      if (action === "limit" && !scopes?.length) refuse("scopes", "Choose what to limit.");
      if (hasEnd(action) && days === undefined) refuse("days", "Choose when it ends.");
    });

/** The note form. */
export const noteSchema = z.object({
  id: z.uuid({ error: OUT_OF_DATE }).toLowerCase(),
  words: multiLine({ max: MAX_REASON, name: "note" })
    .optional()
    .transform((text) => text ?? "")
    .refine((text) => text !== "", { error: "Write something first." }),
});
