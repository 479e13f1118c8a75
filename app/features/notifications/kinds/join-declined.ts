import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A request to join came to nothing: declined, or the team was full before it was answered. Told by `declineRequest` and
 * `acceptRequest` in `app/features/teams/commands.server.ts`.
 */
export const joinDeclined = defineKind({
  name: "join-declined",
  data: z.object({ title: z.string(), isFull: z.boolean().catch(false) }),
  words: ({ title, isFull }) => ({
    sentence: isFull
      ? `“${title}” found its team before you had an answer`
      : `Your request to join “${title}” was declined`,
  }),
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Declined requests", sentence: "When a team you asked has no spot for you." },
});
