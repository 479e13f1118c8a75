import * as z from "zod";
import { defineKind } from "../kind";

/**
 * Feedback about the player was revealed. Sent by `giveFeedback` or, if the player gave none in return, by the cron job
 * with `revealDueFeedback`, both in `app/features/feedback/commands.server.ts`. It contains no player's name, so
 * erasing an account leaves no name behind.
 */
export const feedbackReceived = defineKind({
  name: "feedback-received",
  data: z.object({ count: z.number() }),
  words: ({ count }) => ({
    sentence: count === 1 ? "A player you met left you feedback" : `${count} players you met left you feedback`,
  }),
  names: null,
  href: () => "/dashboard/profile#feedback",
  setting: { label: "Feedback for you", sentence: "When another player's feedback for you is revealed." },
});
