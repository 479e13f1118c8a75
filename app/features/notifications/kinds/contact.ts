import * as z from "zod";
import { defineKind } from "../kind";

/** Someone answered a post. Sent by `contactAuthor` in `app/features/messages/commands.server.ts`. */
export const contact = defineKind({
  name: "contact",
  data: z.object({
    name: z.string(),
    preview: z.string().catch(""),
    // Null if the post was deleted before the message was stored.
    title: z.string().nullable().catch(null),
  }),
  words: ({ name, preview, title }) => ({
    sentence: title === null ? `${name} replied to your post` : `${name} replied to your post “${title}”`,
    detail: preview,
    from: name,
  }),
  names: "sender",
  href: (conversationId) => `/dashboard/messages/${conversationId}`,
  setting: { label: "Replies to your posts", sentence: "When a player contacts you about one of your posts." },
});
