import * as z from "zod";
import { LANGUAGES, type Language } from "#db/words/languages";
import { SHAREABLE } from "#db/words/sharing";
import { isReservedName } from "~/features/flags/shared/reserved-names.server";
import { MAX_RIOT_ID_LENGTH } from "~/features/riot/rules";
import { AGENTS_BY_ROLE, type Agent, MAX_MAIN_AGENTS } from "~/game/agents";
import { RANKS } from "~/game/ranks";
import { REGIONS } from "~/game/regions";
import { ROLES } from "~/game/roles";
import { VOICE_COMMS } from "~/game/voice";
import { readTimeZone } from "~/platform/dates/time-zone";
import { multiLine, optionalLine } from "~/platform/forms/text";
import { lengthProblem } from "~/platform/forms/text-length";
import { availabilityOf, SLOTS } from "../availability";
import { foldTag } from "../directory/facets";
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_DISCORD_TAG_LENGTH,
  MAX_PLAY_TIMES_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TAGS_TEXT,
  TOO_MANY_AGENTS,
} from "./profile-rules";
import { splitTags } from "./tags";

/** One value of a list, or null. */
export const choice = <const T extends readonly [string, ...string[]]>(list: T, error: string) =>
  z
    .enum(list, { error })
    .optional()
    .transform((one) => one ?? null);

/**
 * Any values of a list, each once and in the list's order. An unknown value makes the whole field invalid, so that its
 * error is shown at the field.
 */
export const choices = <T extends string>(list: readonly T[], error: string) =>
  z
    .array(z.string())
    .default([])
    .refine((chosen) => chosen.every((one) => (list as readonly string[]).includes(one)), error)
    .transform((chosen) => list.filter((one) => chosen.includes(one)));

/** Whether a tag beside a name could be taken for a mark from Lineup. "Support" can't, because it is a way to play. */
const isReservedTag = (tag: string) => isReservedName(tag) && foldTag(tag) !== "support";

/** The profile's form. Empty text fields and choices become null, and empty lists stay empty. */
export const profileSchema = z.object({
  currentRank: choice(RANKS, "Choose a rank from the list."),
  mainAgents: choices(Object.values(AGENTS_BY_ROLE).flat() as Agent[], "Choose agents from the list.").refine(
    (agents) => agents.length <= MAX_MAIN_AGENTS,
    TOO_MANY_AGENTS,
  ),
  riotId: optionalLine({ max: MAX_RIOT_ID_LENGTH, name: "Riot ID" }).refine(
    (riotId) => riotId === null || /^[^#]+#[^#\s]+$/.test(riotId),
    "Enter the name and the tag, like Name#TAG.",
  ),
  discordTag: optionalLine({ max: MAX_DISCORD_TAG_LENGTH, name: "Discord tag" }),
  preferredRole: choice(ROLES, "Choose a role from the list."),
  region: choice(REGIONS, "Choose a region from the list."),
  playTimes: optionalLine({ max: MAX_PLAY_TIMES_LENGTH, name: "text" }),
  voiceCommsPreference: choice(VOICE_COMMS, "Choose one from the list."),
  personalityTags: optionalLine({ max: MAX_TAGS_TEXT, name: "list of tags" })
    .transform((text) => splitTags(text ?? ""))
    .refine((tags) => tags.length <= MAX_TAGS, `Use up to ${MAX_TAGS} tags.`)
    .superRefine((tags, context) => {
      const problems = tags.map((tag) => lengthProblem(tag, { max: MAX_TAG_LENGTH, name: `tag, “${tag}”,` }));
      const problem = problems.find((one) => one !== null);
      if (problem) context.addIssue({ code: "custom", message: `${problem} Put commas between tags.` });
      const reserved = tags.find(isReservedTag);
      if (reserved) {
        const error = `The tag “${reserved}” looks like a mark from Lineup. Choose another.`;
        context.addIssue({ code: "custom", message: error });
      }
    }),
  description: multiLine({ max: MAX_DESCRIPTION_LENGTH, name: "description" })
    .optional()
    .transform((text) => text || null),
  timeZone: z
    .string()
    .optional()
    .refine((zone) => zone === undefined || readTimeZone(zone), "Choose a time zone from the list.")
    .transform(readTimeZone),
  availability: choices(SLOTS, "Choose times from the table.").transform(availabilityOf),
  languages: choices(Object.keys(LANGUAGES) as Language[], "Choose languages from the list."),
  shares: choices(SHAREABLE, "Choose from the list."),
  isListed: z
    .boolean()
    .optional()
    .transform((isListed) => isListed ?? false),
});

export type ProfileFields = z.output<typeof profileSchema>;
