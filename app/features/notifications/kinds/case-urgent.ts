import * as z from "zod";
import { REPORT_KINDS } from "#db/words/report-kinds";
import { URGENT_REASONS } from "#db/words/report-reasons";
import { REASON_WORDS, REPORT_FORMS } from "~/features/reports/rules";
import { defineKind } from "../kind";

/**
 * A case has become urgent. `notifyUrgentCase` in `app/features/moderation/shared/staff-news.server.ts` sends it to the
 * moderators who may decide the case. It names no player and quotes nothing, because it is also pushed and emailed.
 */
export const caseUrgent = defineKind({
  name: "case-urgent",
  data: z.object({ kind: z.enum(REPORT_KINDS), reason: z.enum(URGENT_REASONS) }),
  words: ({ kind, reason }) => ({
    sentence: `An urgent report of ${REPORT_FORMS[kind].words} is waiting: ${REASON_WORDS[reason].toLowerCase()}`,
  }),
  names: null,
  href: (caseId) => `/moderation/cases/${caseId}`,
  setting: null,
});
