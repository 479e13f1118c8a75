import * as z from "zod";
import { skeleton } from "./skeleton.server";

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean).map(skeleton);

/** Words that claim to speak for Lineup anywhere in a name. */
const STAFF = wordsOf(
  "Lineup moderator moderators moderation admin admins administrator administrators sysadmin webmaster",
);

/** Words that claim to speak for Lineup or Riot if a name consists only of them: "Riot Support", "Official Staff". */
const VOICES = wordsOf("mod mods official support helpdesk staff system security verified riot riotgames valorant");
/** Words that may appear between them. */
const FILLERS = wordsOf("the a by of from your our my team account games game service");

/** Companies and products that no player officially represents. */
const MAKERS = wordsOf("riot riotgames valorant");
const OFFICIAL = skeleton("official");

/** The words that replace a player's or a team's missing name, or address the reader. Compared without spaces. */
const STAND_INS = new Set(
  wordsOf(`you yourteam yourside unknownuser unknownplayer unknownteam deleteduser deletedplayer deletedaccount
    someone aplayeryoublocked playeryoublocked blockedplayer organiser organisers theorganisers organizer organizers
    theorganizers bye tbd`),
);

/** Matches a name made up only of the words in `STAFF`, `VOICES` and `FILLERS`. */
const ONLY_VOICES = new RegExp(`^(?:${[...STAFF, ...VOICES, ...FILLERS].join("|")})+$`);
const ONLY_FILLERS = new RegExp(`^(?:${[...FILLERS, skeleton("valorant")].join("|")})+$`);

/** Matches the name that `displayName` returns for a player without one. */
const NAMELESS = /^player\s*[0-9a-f]{8}$/i;

/**
 * Whether a name could be mistaken for the product's own voice: Lineup, its moderators, Riot's staff, or the words that
 * replace a missing name. Recognises disguises: other alphabets, invisible letters, spaced-out letters, and digits and
 * symbols that look like letters. The words are allowed as parts of longer words: "Lineups", "Badminton".
 */
export function isReservedName(name: string): boolean {
  const shown = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return NAMELESS.test(shown.trim()) || [shown, readSigns(shown)].some(soundsOfficial);
}

/** Whether the name or the tag of a Riot ID could be mistaken for the product's own voice. */
export const isReservedRiotId = (riotId: string): boolean => riotId.split("#").some(isReservedName);

/** Refuses a reserved name: `singleLine(rules, required).check(ofTheirOwn("title"))`. @param name as in `TextRules` */
export const ofTheirOwn = (name: string) =>
  z.refine<string>((text) => !isReservedName(text), {
    error: `This ${name} could be mistaken for Lineup itself. Choose another.`,
  });

function soundsOfficial(name: string): boolean {
  const words = name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .flatMap((word) => [word, word.replace(/^\d+|\d+$/g, "")])
    .map(skeleton);
  const joined = skeleton(name.replace(/[^\p{L}\p{M}\p{N}]+/gu, ""));
  return (
    words.some((word) => STAFF.includes(word)) ||
    (words.includes(OFFICIAL) && words.some((word) => MAKERS.includes(word))) ||
    STAND_INS.has(joined) ||
    (ONLY_VOICES.test(joined) && !ONLY_FILLERS.test(joined))
  );
}

/** Replaces symbols and digits with the letters they stand for: "@dm!n". */
const readSigns = (name: string): string =>
  name.replace(/[@4]/g, "a").replace(/\$/g, "s").replace(/[!|]/g, "l").replace(/7/g, "t").replace(/€/g, "e");
