import * as z from "zod";
import { readPartyCode, readVoiceLink } from "./rules";

/** Builds the schema for a text that `read` understands. @param error says what `read` expects */
const readable = (read: (text: string) => string | null, error: string) =>
  z
    .string({ error })
    .refine((text) => read(text) !== null, error)
    .transform((text) => read(text) as string);

/** The intents of the buttons in a team's room that send no other field. */
const BUTTONS = ["ready", "not-ready"] as const;
/** The intents of the buttons that clear a detail. */
const CLEARING = ["clear-party-code", "clear-voice-link"] as const;
/** The intents of the forms in a team's room, which send one more field. */
const FORMS = ["set-party-code", "set-voice-link"] as const;

export const roomIntentSchema = z.enum([...BUTTONS, ...CLEARING, ...FORMS]);

/** A form or button of a team's room, as it is sent. */
export const roomSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(BUTTONS) }),
  z.object({
    intent: z.enum(CLEARING),
    /**
     * When the detail shown on the page was set, in milliseconds since 1970. Missing from pages that were opened before
     * the form had this field.
     */
    setAt: z.coerce.number().int().optional(),
  }),
  z.object({
    intent: z.literal("set-party-code"),
    partyCode: readable(readPartyCode, "Enter the 6 letters and digits that VALORANT shows."),
  }),
  z.object({
    intent: z.literal("set-voice-link"),
    voiceLink: readable(readVoiceLink, "Paste a Discord link: discord.gg/… or discord.com/…"),
  }),
]);

export type RoomForm = z.output<typeof roomSchema>;
