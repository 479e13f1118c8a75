import * as z from "zod";
import { defineKind } from "../kind";

const SENTENCES = {
  declined: (title: string) => `Your request to join “${title}” was declined`,
  full: (title: string) => `“${title}” filled up before your request was answered`,
  closed: (title: string) => `“${title}” closed before your request was answered`,
};

/**
 * A request to join failed: it was declined, or the team filled up or the post closed before it was answered. Sent by
 * `declineRequest` and `acceptRequest` in `app/features/teams/commands.server.ts`, and by `lapseRequests` in
 * `app/features/teams/shared/lapse-requests.server.ts`.
 */
export const joinDeclined = defineKind({
  name: "join-declined",
  data: z.object({
    title: z.string(),
    reason: z.enum(["declined", "full", "closed"]).optional(),
    /** Superseded by `reason`, but older notifications still have it. */
    isFull: z.boolean().optional(),
  }),
  words: ({ title, isFull, reason = isFull ? "full" : "declined" }) => ({ sentence: SENTENCES[reason](title) }),
  names: null,
  href: (postId) => `/lfg/${postId}`,
  setting: {
    label: "Declined requests",
    sentence: "When your request to join a post is declined, or the post fills up or closes.",
  },
});
