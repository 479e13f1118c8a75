import { type Checks, number, readerOf, text } from "./frames";

/** From a player's inbox to their browsers: what the header shows, and the conversation that changed, if one did. */
export type InboxServerMessage = {
  type: "unread";
  messages: number;
  notifications: number;
  conversationId?: string | undefined;
};

const INBOX: Checks<InboxServerMessage> = {
  unread: { messages: number, notifications: number, conversationId: (id) => id === undefined || text(id) },
};

/** Reads what an inbox says; undefined for what is not known here. */
export const readInboxFrame = readerOf(INBOX);
