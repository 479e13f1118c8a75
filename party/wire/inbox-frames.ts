import { type Checks, createReader, number, text } from "./frames";

/** A message from a player's inbox to their browsers: the unread counts, and the conversation that changed, if any. */
export type InboxServerMessage = {
  type: "unread";
  messages: number;
  notifications: number;
  conversationId?: string | undefined;
};

const INBOX: Checks<InboxServerMessage> = {
  unread: { messages: number, notifications: number, conversationId: (id) => id === undefined || text(id) },
};

/** Reads a frame from an inbox; undefined if it is not known here. */
export const readInboxFrame = createReader(INBOX);
