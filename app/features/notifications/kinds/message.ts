import * as z from "zod";
import { defineKind } from "../kind";

/**
 * Someone wrote in a conversation. Sent by `sendMessage` and `contactPlayer` in
 * `app/features/messages/commands.server.ts`.
 */
export const message = defineKind({
  name: "message",
  data: z.object({
    name: z.string(),
    preview: z.string().catch(""),
    // The title of the group conversation; null in a conversation of two players.
    party: z.string().nullable().catch(null),
    count: z.int().min(1).catch(1),
  }),
  words: ({ name, preview, party, count }) => {
    const news = count === 1 ? "New message" : `${count} new messages`;
    return party === null
      ? { sentence: `${news} from ${name}`, detail: preview, from: name }
      : { sentence: `${news} in “${party}”`, detail: `${name}: ${preview}`, from: name };
  },
  names: "sender",
  href: (conversationId) => `/dashboard/messages/${conversationId}`,
  setting: { label: "New messages", sentence: "When a player writes to you." },
});
