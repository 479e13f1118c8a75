import * as z from "zod";
import { defineKind } from "../kind";

/**
 * Feedback about the player is revealed. Told by `giveFeedback` and, for what nobody has answered, by the cron:
 * `revealDueFeedback` in `app/features/feedback/commands.server.ts`. It names nobody, so that there is no name to take
 * back when an account is erased.
 */
export const feedbackReceived = defineKind({
  name: "feedback-received",
  data: z.object({ count: z.number() }),
  words: ({ count }) => ({
    sentence:
      count === 1
        ? "A player you met has left feedback for you"
        : `${count} players you met have left feedback for you`,
  }),
  href: () => "/dashboard/profile#feedback",
  setting: { label: "Feedback for you", sentence: "When what another player says of you is revealed." },
});
