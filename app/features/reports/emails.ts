import type { ReportKind } from "#db/words/report-kinds";
import type { Email } from "~/platform/email/email";
import { REPORT_FORMS } from "./rules";

/**
 * Composes the confirmation of a report. It repeats nothing that the reporter has typed: a stranger may have typed the
 * address, too.
 */
export function reportEmail(recipient: string, kind: ReportKind, isGuest: boolean): Email {
  const { words } = REPORT_FORMS[kind];
  return {
    recipient,
    subject: "We have your report",
    paragraphs: [
      `Thank you for your report of ${words} on Lineup. We have kept it as it was at that moment, so changing or deleting it helps nobody.`,
      "Our moderators read every report. They see who sent it; the reported player doesn't.",
    ],
    ...(isGuest && {
      notes: ["If you didn't send a report, somebody has typed your address. You don't have to do anything."],
    }),
  };
}
