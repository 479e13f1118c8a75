import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A team's session is over. Sent once to each of its players by the cron job, with `endSessions` in
 * `app/features/teams/sessions.server.ts`.
 */
export const feedback = defineKind({
  name: "feedback",
  // `title` is null for players who have blocked the post's author.
  data: z.object({ title: z.string().nullable() }),
  words: ({ title }) => ({
    sentence:
      title === null
        ? "How was playing with your team? Leave them some feedback"
        : `How was playing with “${title}”? Leave your team some feedback`,
  }),
  names: null,
  href: (postId) => `/dashboard/feedback/${postId}`,
  setting: { label: "Feedback after a session", sentence: "Once, after a team you were in has played." },
});
