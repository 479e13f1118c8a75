import * as z from "zod";

/** When the player's list was loaded: later news is not marked as read. Milliseconds since 1970. */
const until = z.coerce.number().int().positive();

/** The buttons of the list. */
export const readSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("read"), id: z.string().regex(/^[0-9a-f-]{32,36}$/), until }),
  z.object({ intent: z.literal("read-all"), until }),
]);

/** The settings: the names of the kinds that are switched on. */
export const notificationSettingsSchema = z.object({
  kinds: z.array(z.string().max(50)).max(50).default([]),
});
