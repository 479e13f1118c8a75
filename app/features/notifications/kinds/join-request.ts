import * as z from "zod";
import { defineKind } from "../kind";

/** Someone asked to join a post. Sent to its author by `requestToJoin` in `app/features/teams/commands.server.ts`. */
export const joinRequest = defineKind({
  name: "join-request",
  data: z.object({ name: z.string(), title: z.string(), count: z.int().min(1).catch(1) }),
  words: ({ name, title, count }) => ({
    sentence: count === 1 ? `${name} wants to join “${title}”` : `${count} players want to join “${title}”`,
    from: name,
  }),
  names: "asker",
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Requests to join", sentence: "When a player wants to join one of your posts." },
});
