import { type Checks, createReader, number, text } from "./frames";

/**
 * A message from a player's inbox to their browsers: the unread counts, and the conversation that changed, if any. For
 * moderators also the number of open cases, whenever it may have changed. `isNews`: notifications have changed, even if
 * the counts are the same as before, and pages that show them must load them again.
 */
export type InboxServerMessage = {
  type: "unread";
  messages: number;
  notifications: number;
  cases?: number | undefined;
  conversationId?: string | undefined;
  isNews?: boolean | undefined;
};

/** Not checked: `cases` and `isNews`, because checks would add bytes to every player's pages. */
const INBOX: Checks<Omit<InboxServerMessage, "cases" | "isNews">> = {
  unread: {
    messages: number,
    notifications: number,
    conversationId: (id) => id === undefined || text(id),
  },
};

/** Reads a frame from an inbox; undefined if its type is unknown. */
export const readInboxFrame: (frame: string) => InboxServerMessage | undefined = createReader(INBOX);
