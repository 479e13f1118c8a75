import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A post is about to close. Sent once by the cron job, with `notifyExpiringPosts` in
 * `app/features/lfg/commands.server.ts`.
 */
export const postExpiring = defineKind({
  name: "post-expiring",
  data: z.object({ title: z.string() }),
  words: ({ title }) => ({ sentence: `Your post “${title}” closes in less than an hour` }),
  names: null,
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Posts closing soon", sentence: "An hour before one of your posts closes by itself." },
});
