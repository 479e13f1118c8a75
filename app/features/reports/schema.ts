import * as z from "zod";
import type { ReportKind } from "#db/words/report-kinds";
import { addressSchema } from "~/features/auth/schema";
import { multiLine, optionalLine } from "~/platform/forms/text";
import { ANONYMOUS_REASON, REPORT_FORMS } from "./rules";

const OUT_OF_DATE = "This form is out of date. Open it again.";

/** An id that the page, not the player, filled in: an invalid one means that the form is out of date. */
const madeId = z.uuid({ error: OUT_OF_DATE }).toLowerCase();

/** A signed-in player's report. */
export const reportSchema = (kind: ReportKind) =>
  z.object({
    /** The id of the row to create. It is part of the form, so submitting the form twice creates only one row. */
    id: madeId,
    reason: z.enum(REPORT_FORMS[kind].reasons, { error: "Choose a reason." }),
    details: multiLine({ max: REPORT_FORMS[kind].maxDetails, name: "report" })
      .optional()
      .transform((text) => text || null),
  });

/** A report from a conversation, either of one of its messages or of the other player. */
export const chatReportSchema = reportSchema("message").extend({
  /** The reported message; null to report the player. */
  message: madeId.optional().transform((id) => id ?? null),
});

/** A report by a visitor without an account, with their name and address unless it is about child abuse. */
export const guestReportSchema = (kind: ReportKind) =>
  reportSchema(kind)
    .extend({
      name: optionalLine({ max: 100, name: "name" }),
      email: addressSchema.shape.email.optional().transform((email) => email ?? null),
    })
    .superRefine(({ reason, name, email }, context) => {
      if (reason === ANONYMOUS_REASON) return;
      if (!name) context.addIssue({ code: "custom", path: ["name"], message: "Enter your name." });
      if (!email) context.addIssue({ code: "custom", path: ["email"], message: "Enter your email address." });
    });
