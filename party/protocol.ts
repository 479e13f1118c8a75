import * as z from "zod/mini";

/*
 * What browsers and rooms say to each other. Both ends parse what they receive; what they don't know they drop, so that
 * an old page and a new room get along. Messages themselves are never sent this way: a form stores them, and the room
 * tells of what is stored.
 */

/** The biggest frame that a room takes from a browser, in characters: none of ours comes near. */
export const MAX_FRAME = 1_024;
/** The browser's sign of life and the room's answer, which costs no waking. */
export const PING = "ping";
export const PONG = "pong";
/** Milliseconds between two signs of life (specification, section 9). */
export const HEARTBEAT = 25_000;

/** Why a room closed a socket; in the range that applications have to themselves. */
export const CLOSE = {
  /** The session has ended: coming back leads nowhere. */
  sessionEnded: 4401,
  /** RFC 6455: what was sent breaks the rules. */
  policy: 1008,
  /** RFC 6455: too big. */
  tooBig: 1009,
} as const;

const seq = z.int().check(z.nonnegative());
const presenceState = z.enum(["online", "away", "offline"]);

const message = z.object({
  id: z.string(),
  seq,
  senderId: z.nullable(z.string()),
  content: z.string(),
  createdAt: z.number(),
});

/** From a browser to the room of a conversation. */
export const conversationClientMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("typing") }),
  /** "I have seen everything up to here." */
  z.object({ type: z.literal("read"), seq }),
]);

/** From the room of a conversation to the browsers of its members. */
export const conversationServerMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), message }),
  /** Once when a socket opens: whoever has seen less asks for what came after. */
  z.object({ type: z.literal("hello"), lastSeq: seq }),
  z.object({ type: z.literal("typing"), userId: z.string() }),
  z.object({ type: z.literal("read"), userId: z.string(), seq }),
  z.object({ type: z.literal("presence"), userId: z.string(), state: presenceState, seenAt: z.number() }),
  /** Something about the conversation has changed (someone was blocked): load it again. */
  z.object({ type: z.literal("changed") }),
]);

/** From a browser to the inbox of its player. */
export const inboxClientMessage = z.discriminatedUnion("type", [
  /** Whether this tab is being used; `away` after five minutes without a touch. */
  z.object({ type: z.literal("presence"), state: z.enum(["online", "away"]) }),
]);

/** From a player's inbox to their browsers. */
export const inboxServerMessage = z.discriminatedUnion("type", [
  /** What the header shows, and the conversation that changed, if one did. */
  z.object({
    type: z.literal("unread"),
    messages: z.number(),
    notifications: z.number(),
    conversationId: z.optional(z.string()),
  }),
]);

export type ConversationClientMessage = z.infer<typeof conversationClientMessage>;
export type ConversationServerMessage = z.infer<typeof conversationServerMessage>;
export type InboxClientMessage = z.infer<typeof inboxClientMessage>;
export type InboxServerMessage = z.infer<typeof inboxServerMessage>;

/**
 * Reads one frame.
 * @returns undefined when it is not JSON or says nothing that `schema` knows
 */
export function parseFrame<T>(schema: z.ZodMiniType<T>, frame: unknown): T | undefined {
  if (typeof frame !== "string") return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(frame));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
