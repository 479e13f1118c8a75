import * as z from "zod/mini";

/* The messages that browsers may send to rooms, as rooms check them. For the other direction see `frames.ts`. */

/** The biggest frame that a room accepts from a browser, in characters; ours are far smaller. */
export const MAX_FRAME = 1_024;

const seq = z.int().check(z.nonnegative());

/** Messages from a browser to the room of a conversation. */
export const conversationClientMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("typing") }),
  /** The player has read everything up to `seq`. */
  z.object({ type: z.literal("read"), seq }),
]);

/** Messages from a browser to the inbox of its player. */
export const inboxClientMessage = z.discriminatedUnion("type", [
  /**
   * Whether this tab is being used; `away` after five minutes without input. `inView`: whether the player sees the tab;
   * older pages leave it out.
   */
  z.object({ type: z.literal("presence"), state: z.enum(["online", "away"]), inView: z.optional(z.boolean()) }),
]);

export type ConversationClientMessage = z.infer<typeof conversationClientMessage>;
export type InboxClientMessage = z.infer<typeof inboxClientMessage>;

/**
 * Reads one frame.
 * @returns undefined if it is not JSON or doesn't match `schema`
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
