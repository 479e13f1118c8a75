import * as z from "zod";
import { defineKind } from "../kind";

/** Someone wrote in a conversation. Told by `sendMessage` in `app/features/messages/commands.server.ts`. */
export const message = defineKind({
  name: "message",
  data: z.object({ name: z.string(), preview: z.string().catch(""), count: z.int().min(1).catch(1) }),
  words: ({ name, preview, count }) => ({
    sentence: count === 1 ? `New message from ${name}` : `${count} new messages from ${name}`,
    detail: preview,
    from: name,
  }),
  href: (conversationId) => `/dashboard/messages/${conversationId}`,
  setting: { label: "New messages", sentence: "When a player writes to you." },
});
