/*
 * A profile's limits, texts and buttons, shared by the form in the browser and the schema on the server.
 */
/** The title of the toast for a refused change. */
export const SAVING_FAILED = "Error updating profile";

export const MAX_TAGS = 5;
export const MAX_TAG_LENGTH = 24;
export const MAX_DESCRIPTION_LENGTH = 500;
export const MAX_PLAY_TIMES_LENGTH = 100;
/** Discord's names have up to 32 characters; older ones also had a # and four digits. */
export const MAX_DISCORD_TAG_LENGTH = 37;
/** Five tags with their commas, and room for a few too many, so that the field's error can explain the limit. */
export const MAX_TAGS_TEXT = 300;

export const TOO_MANY_AGENTS = "Three is the most. Take one off to choose another.";

/** The toast's text after one of the clear buttons below, which save nothing. */
export const CLEARED = "Save your profile to keep it that way.";

/** The buttons that clear a choice without JavaScript: all agents, the rank. */
export const CLEAR_AGENTS = "clear-agents";
export const CLEAR_RANK = "clear-rank";
/** The button that verifies a Riot account. */
export const VERIFY = "verify";
/** The button that asks Riot for the verified account's current name. */
export const UPDATE_RIOT_ID = "update-riot-id";
