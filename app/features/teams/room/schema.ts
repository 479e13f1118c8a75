import * as z from "zod";
import { readPartyCode, readVoiceLink } from "./rules";

/** A text that one of our readers understands. @param error says what the reader expects */
const readable = (read: (text: string) => string | null, error: string) =>
  z
    .string({ error })
    .refine((text) => read(text) !== null, error)
    .transform((text) => read(text) as string);

/** The buttons of a team's room that carry nothing else. */
const BUTTONS = ["ready", "not-ready", "clear-party-code", "clear-voice-link"] as const;
/** The forms of a team's room with a field. */
const FORMS = ["set-party-code", "set-voice-link"] as const;

export const roomIntentSchema = z.enum([...BUTTONS, ...FORMS]);

/** The forms of a team's room. */
export const roomSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(BUTTONS) }),
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
