import { type Checks, createReader, number, text } from "./frames";

/**
 * A message from a player's inbox to their browsers: the unread counts, and the conversation that changed, if any. For
 * moderators also the number of cases that wait, whenever it may have changed.
 */
export type InboxServerMessage = {
  type: "unread";
  messages: number;
  notifications: number;
  cases?: number | undefined;
  conversationId?: string | undefined;
};

/** Not checked: `cases`, because a check would weigh something on the pages of all players. */
const INBOX: Checks<Omit<InboxServerMessage, "cases">> = {
  unread: {
    messages: number,
    notifications: number,
    conversationId: (id) => id === undefined || text(id),
  },
};

/** Reads a frame from an inbox; undefined if it is not known here. */
export const readInboxFrame: (frame: string) => InboxServerMessage | undefined = createReader(INBOX);
