import * as z from "zod";
import { REPORT_KINDS } from "#db/words/report-kinds";
import { REPORT_FORMS } from "~/features/reports/rules";
import { defineKind } from "../kind";

/**
 * Moderators have decided a case that the player reported. Sent by `tellOfDecision` in
 * `app/features/moderation/statement/tell.server.ts`. It says whether they acted, but not how.
 */
export const reportAnswered = defineKind({
  name: "report-answered",
  data: z.object({ kind: z.enum(REPORT_KINDS), hasActed: z.boolean(), count: z.number() }),
  words: ({ kind, hasActed, count }) => ({
    sentence:
      count > 1
        ? `Moderators answered ${count} of your reports`
        : hasActed
          ? `We've acted on your report of ${REPORT_FORMS[kind].words}`
          : `We've reviewed your report of ${REPORT_FORMS[kind].words}: it doesn't break our rules`,
  }),
  names: null,
  href: () => "/account/decisions#reports",
  setting: { label: "Your reports", sentence: "When moderators have decided about something you reported." },
});
