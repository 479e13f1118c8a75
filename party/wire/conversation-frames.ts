import { type Checks, createReader, holds, number, text } from "./frames";

/** Messages from the room of a conversation to the browsers of its members. */
export type ConversationServerMessage =
  | {
      type: "message";
      message: {
        id: string;
        seq: number;
        senderId: string | null;
        senderName?: string;
        content: string;
        createdAt: number;
        /** The leaving page's path for each suspicious link in the text, by the link's URL. */
        leaving?: Record<string, string>;
        /** The receiver has blocked the sender: `content` is empty. */
        isHidden?: true;
        /** The message replaces its earlier version in tabs that show it; other tabs can ignore it. */
        isChanged?: true;
      };
    }
  /** Sent once when a socket opens, with the latest message's `seq`. A browser that lacks messages then loads them. */
  | { type: "hello"; lastSeq: number }
  | { type: "typing"; userId: string }
  | { type: "read"; userId: string; seq: number }
  | { type: "presence"; userId: string; state: "online" | "away" | "offline"; seenAt: number }
  /** The conversation has changed (someone was blocked): load it again. */
  | { type: "changed" }
  /** A message has changed (moderators hid it) since the page was loaded: load it and the page's data again. */
  | { type: "edited"; seq: number }
  /** The room of the conversation's team has changed (someone is ready): load the page's data again. */
  | { type: "team" }
  /** The log of the match whose chat this is has a new entry: load the page's data again. */
  | { type: "match" };

const CONVERSATION: Checks<ConversationServerMessage> = {
  message: {
    message: (value) =>
      holds(
        { id: text, seq: number, senderId: (id) => id === null || text(id), content: text, createdAt: number },
        value,
      ),
  },
  hello: { lastSeq: number },
  typing: { userId: text },
  read: { userId: text, seq: number },
  presence: { userId: text, state: (state) => /^(online|away|offline)$/.test(String(state)), seenAt: number },
  changed: {},
  edited: { seq: number },
  team: {},
  match: {},
};

/** Reads a frame from the room of a conversation; undefined if it isn't a valid message of a type listed above. */
export const readConversationFrame = createReader(CONVERSATION);
