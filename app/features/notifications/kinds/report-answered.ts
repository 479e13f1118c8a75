import * as z from "zod";
import { REPORT_KINDS } from "#db/words/report-kinds";
import { REPORT_FORMS } from "~/features/reports/rules";
import { defineKind } from "../kind";

/** The answer to a report: the kind of its subject, and whether moderators acted. */
const answer = z.object({ kind: z.enum(REPORT_KINDS), hasActed: z.boolean() });

/**
 * Moderators have decided a case that the player reported. Sent by `tellOfDecision` in
 * `app/features/moderation/statement/tell.server.ts`. It says whether they acted, but not how. `cases` has the latest
 * answer in each case; older news has only the latest of all.
 */
export const reportAnswered = defineKind({
  name: "report-answered",
  data: answer.extend({ count: z.number(), cases: z.object({}).catchall(answer).optional() }),
  words: ({ cases = {}, count, ...latest }) => {
    const answers = Object.values(cases);
    const { kind, hasActed } = answers[0] ?? latest;
    const answered = answers.length || count;
    return {
      sentence:
        answered > 1
          ? `Moderators answered ${answered} of your reports`
          : hasActed
            ? `We've acted on your report of ${REPORT_FORMS[kind].words}`
            : `We've reviewed your report of ${REPORT_FORMS[kind].words}: it doesn't break our rules`,
    };
  },
  names: null,
  href: () => "/account/decisions#reports",
  setting: { label: "Your reports", sentence: "When moderators have decided about something you reported." },
});
