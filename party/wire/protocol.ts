import * as z from "zod/mini";

/* What browsers may say to rooms, as rooms check it. The other direction, and the words both share: `frames.ts`. */

/** The biggest frame that a room takes from a browser, in characters: none of ours comes near. */
export const MAX_FRAME = 1_024;

const seq = z.int().check(z.nonnegative());

/** From a browser to the room of a conversation. */
export const conversationClientMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("typing") }),
  /** "I have seen everything up to here." */
  z.object({ type: z.literal("read"), seq }),
]);

/** From a browser to the inbox of its player. */
export const inboxClientMessage = z.discriminatedUnion("type", [
  /** Whether this tab is being used; `away` after five minutes without a touch. */
  z.object({ type: z.literal("presence"), state: z.enum(["online", "away"]) }),
]);

export type ConversationClientMessage = z.infer<typeof conversationClientMessage>;
export type InboxClientMessage = z.infer<typeof inboxClientMessage>;

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
