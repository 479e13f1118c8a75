import { foldTag } from "../directory/facets";

/*
 * The limits of a profile, and the words for them: for the form in the browser and the schema on the server.
 */
export const MAX_TAGS = 5;
export const MAX_TAG_LENGTH = 24;
export const MAX_DESCRIPTION_LENGTH = 500;
export const MAX_PLAY_TIMES_LENGTH = 100;
/** Discord's own names hold 32; before them were names with a # and four digits. */
export const MAX_DISCORD_TAG_LENGTH = 37;
/** Five tags with their commas, and room for some that are one too many: the field's error says which. */
export const MAX_TAGS_TEXT = 300;

export const TOO_MANY_AGENTS = "Three is the most. Take one off to choose another.";

/** Said after one of the buttons below: nothing is saved yet. */
export const CLEARED = "Save your profile to keep it that way.";

/** The buttons that take back a choice without script: all agents, the rank. */
export const CLEAR_AGENTS = "clear-agents";
export const CLEAR_RANK = "clear-rank";
/** The button of the form that asks Riot. */
export const VERIFY = "verify";
/** The button that asks Riot what the verified account is called by now. */
export const UPDATE_RIOT_ID = "update-riot-id";

/** The tags of a text that has commas between them, each once. */
export function splitTags(text: string): string[] {
  const tags = text
    .split(/[,\n]/)
    .map((tag) => tag.replace(/\s+/gu, " ").trim())
    .filter(Boolean);
  const folded = tags.map(foldTag);
  return tags.filter((_, at) => folded.indexOf(folded[at] as string) === at);
}
