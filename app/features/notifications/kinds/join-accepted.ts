import * as z from "zod";
import { defineKind } from "../kind";

/** A request to join was accepted. Sent by `acceptRequest` in `app/features/teams/commands.server.ts`. */
export const joinAccepted = defineKind({
  name: "join-accepted",
  data: z.object({ name: z.string(), title: z.string() }),
  words: ({ name, title }) => ({
    sentence: `${name} added you to “${title}”`,
    detail: "Open the post to see your teammates and the team chat.",
    from: name,
  }),
  names: "author",
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Accepted requests", sentence: "When a player adds you to their team." },
});
