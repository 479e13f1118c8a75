import * as z from "zod";
import { defineKind } from "../kind";

const SENTENCES = {
  declined: (title: string) => `Your request to join “${title}” was declined`,
  full: (title: string) => `“${title}” found its team before you had an answer`,
  closed: (title: string) => `“${title}” closed before you had an answer`,
};

/**
 * A request to join came to nothing: declined, or the team was full or the post closed before it was answered. Told by
 * `declineRequest` and `acceptRequest` in `app/features/teams/commands.server.ts`, and by `lapsing` beside it.
 */
export const joinDeclined = defineKind({
  name: "join-declined",
  data: z.object({
    title: z.string(),
    reason: z.enum(["declined", "full", "closed"]).optional(),
    /** In the place of `reason`, in news from before there were three. */
    isFull: z.boolean().optional(),
  }),
  words: ({ title, isFull, reason = isFull ? "full" : "declined" }) => ({ sentence: SENTENCES[reason](title) }),
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Declined requests", sentence: "When a post you asked has no spot for you, or closes." },
});
