import * as z from "zod";
import { VERIFICATION_REGIONS } from "~/game/regions";
import { fits } from "~/platform/forms/text";
import { countCharacters } from "~/platform/forms/text-length";
import { MAX_GAME_NAME_LENGTH, type RiotAccountData, splitRiotId } from "./rules";

const accountFields = z.object({
  gameName: z
    .string({ error: "Enter your game name." })
    .overwrite((name) => name.normalize().trim())
    .regex(/^[\p{L}\p{M}\p{N} ._-]*$/u, "Use only letters, digits, spaces, dots, dashes and underscores.")
    .refine((name) => countCharacters(name) >= 3, "A game name has 3 to 16 characters.")
    .check(fits({ max: MAX_GAME_NAME_LENGTH, name: "game name" })),
  tagLine: z
    .string({ error: "Enter the tag, the part after the #." })
    .overwrite((tag) => tag.normalize().trim().replace(/^#/, ""))
    .regex(/^[\p{L}\p{N}]{3,}$/u, "A tag has 3 to 5 letters or digits.")
    .check(fits({ max: 5, name: "tag" })),
  region: z.enum(VERIFICATION_REGIONS, { error: "Choose Americas, Europe or Asia." }).default("americas"),
});

/**
 * The fields by which a Riot account is looked up. Game names have 3 to 16 characters (letters of any script, digits,
 * spaces and some marks), tags 3 to 5 letters or digits (Riot's rules; a `#` before the tag is ignored). A whole Riot
 * ID in the game name field is split.
 */
export const riotAccountSchema = z.preprocess((fields) => {
  if (typeof fields !== "object" || fields === null || !("gameName" in fields)) return fields;
  return { ...fields, ...splitRiotId(fields.gameName, "tagLine" in fields && fields.tagLine) };
}, accountFields);

export type RiotAccountQuery = z.output<typeof riotAccountSchema>;

const riotAccountDataSchema = z.object({
  puuid: z.string().min(1).max(128),
  gameName: z.string().min(1),
  tagLine: z.string().min(1),
  region: z.enum(VERIFICATION_REGIONS),
});

/** Reads an account stored as JSON; null if there is none, or if a field is invalid. */
export function parseRiotAccount(json: string | null): RiotAccountData | null {
  if (json === null) return null;
  const account = riotAccountDataSchema.safeParse(JSON.parse(json));
  return account.success ? account.data : null;
}
