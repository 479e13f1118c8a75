import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A case has waited for a day. Sent by the cron job at most once a day, with `notifyWaitingCases` in
 * `app/features/moderation/shared/staff-news.server.ts`.
 */
export const caseWaiting = defineKind({
  name: "case-waiting",
  data: z.object({ count: z.number() }),
  words: () => ({ sentence: "A report has been waiting for more than a day" }),
  names: null,
  href: () => "/moderation",
  setting: null,
});
