import type { ReportKind } from "#db/words/report-kinds";
import type { Email } from "~/platform/email/email";
import { REPORT_FORMS } from "./rules";

/**
 * Writes the confirmation of a report. It quotes none of the reporter's input, because the address may be a stranger's.
 */
export function reportEmail(recipient: string, kind: ReportKind, isGuest: boolean): Email {
  const { words } = REPORT_FORMS[kind];
  return {
    recipient,
    subject: "We have your report",
    paragraphs: [
      `Thank you for reporting ${words} on Lineup. We've saved it as it was at that moment, so changing or deleting it won't hide anything.`,
      "Our moderators read every report. They see who sent it, but the reported player doesn't.",
    ],
    ...(isGuest && {
      notes: ["If you didn't send a report, someone else typed in your address. There's nothing you need to do."],
    }),
  };
}
