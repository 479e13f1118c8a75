import type * as z from "zod";
import { LANGUAGES, type Language } from "#db/words/languages";
import { READY_STEPS, type ReadyStep } from "#db/words/ready-steps";
import { availabilityOf } from "../availability";
import { choice, choices, profileSchema } from "../profile/profile-schema";
import { slotsOfWeek, WEEK_SLOTS } from "./rules";

const ALL_LANGUAGES = Object.keys(LANGUAGES) as Language[];

/** Reads the step that a form is about; null if there is no such step. */
export const readStep = (value: unknown): ReadyStep | null => READY_STEPS.find((step) => step === value) ?? null;

/**
 * The forms of the steps. Each is a part of the profile form and follows its rules, but requires an answer: a player
 * who has none skips the step.
 */
export const STEP_SCHEMAS = {
  rank: profileSchema
    .pick({ currentRank: true })
    .refine(({ currentRank }) => currentRank !== null, { path: ["currentRank"], error: "Choose a rank, or skip." }),
  role: profileSchema
    .pick({ preferredRole: true, mainAgents: true })
    .refine(({ preferredRole }) => preferredRole !== null, {
      path: ["preferredRole"],
      error: "Choose a role, or skip.",
    }),
  hours: profileSchema
    .pick({ region: true, languages: true, timeZone: true })
    .extend({
      week: choices(WEEK_SLOTS, "Choose from the list.").refine((week) => week.length > 0, {
        error: "Choose when you play, or skip.",
      }),
      otherLanguage: choice(ALL_LANGUAGES as [Language, ...Language[]], "Choose a language from the list."),
    })
    .transform(({ week, languages, otherLanguage, ...fields }) => ({
      ...fields,
      languages: ALL_LANGUAGES.filter((code) => code === otherLanguage || languages.includes(code)),
      availability: availabilityOf(slotsOfWeek(week)),
    })),
} satisfies Record<ReadyStep, z.ZodType>;
