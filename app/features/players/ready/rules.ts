import { READY_STEPS, type ReadyStep } from "#db/words/ready-steps";
import type { Region, VerificationRegion } from "~/game/regions";
import { DAY_PARTS, DAYS, slotOf } from "../availability";

/** The parts of a profile that decide which steps are left. */
interface ReadyProfile {
  currentRank: string | null;
  preferredRole: string | null;
  availability: readonly number[] | null;
  readySteps: readonly ReadyStep[] | null;
}

/** Whether the profile holds the answer to a step, wherever it was given. */
export const HAS_ANSWER: Record<ReadyStep, (profile: ReadyProfile) => boolean> = {
  rank: ({ currentRank }) => currentRank !== null,
  role: ({ preferredRole }) => preferredRole !== null,
  hours: ({ availability }) => availability?.some(Boolean) ?? false,
};

/** The state of a step of `Get ready`. The first open one is `now`, and those after it are `next`. */
export type StepState = "answered" | "skipped" | "now" | "next";

/**
 * Returns the state of each step.
 * @returns null if no step is left: the strip then disappears
 */
export function stepStates(profile: ReadyProfile): { step: ReadyStep; state: StepState }[] | null {
  let hasOpen = false;
  const states = READY_STEPS.map((step) => {
    if (HAS_ANSWER[step](profile)) return { step, state: "answered" as const };
    if (profile.readySteps?.includes(step)) return { step, state: "skipped" as const };
    const state = hasOpen ? ("next" as const) : ("now" as const);
    hasOpen = true;
    return { step, state };
  });
  return hasOpen ? states : null;
}

/** The days that the third step asks about together. The profile's form tells all seven apart. */
export const WEEK_PARTS = [
  { word: "weekdays", name: "Weekdays", days: DAYS.slice(0, 5) },
  { word: "weekends", name: "Weekends", days: DAYS.slice(5) },
] as const;

/** The values of the third step's checkboxes: `weekdays-morning` and so on. */
export const WEEK_SLOTS: readonly string[] = WEEK_PARTS.flatMap((week) =>
  DAY_PARTS.map(({ word }) => `${week.word}-${word}`),
);

/** The times when most players play, which the third step suggests. */
export const USUAL_SLOTS: readonly string[] = ["weekdays-evening", "weekends-evening"];

/** Returns the slots of single days that the slots of the third step stand for. */
export function slotsOfWeek(weekSlots: readonly string[]): string[] {
  return WEEK_PARTS.flatMap((week) =>
    DAY_PARTS.filter(({ word }) => weekSlots.includes(`${week.word}-${word}`)).flatMap(({ word }) =>
      week.days.map((day) => slotOf(day, word)),
    ),
  );
}

/** The zones of Asia whose players usually play on the servers of Europe. */
const MIDDLE_EAST =
  /^Asia\/(Amman|Baghdad|Bahrain|Beirut|Damascus|Dubai|Gaza|Hebron|Istanbul|Jerusalem|Kuwait|Muscat|Nicosia|Qatar|Riyadh|Tbilisi|Yerevan|Baku)$/;

/**
 * Guesses where a player plays. The time zone says most, and the browser's first language tells the Americas apart; if
 * the zone is unknown or names no continent, the region that the player chose for the Riot account decides.
 * @param timeZone the profile's zone, or else the browser's; null if both are unknown
 * @param language the browser's first language, such as `en`
 * @returns null if nothing is known. "Americas" is the sign-up's default, so by itself it says nothing
 */
export function guessRegion(
  timeZone: string | null,
  language: string | undefined,
  riotRegion: VerificationRegion | null,
): Region | null {
  if (timeZone === "Asia/Seoul") return "Korea";
  if (timeZone && (/^(Europe|Africa|Atlantic)\//.test(timeZone) || MIDDLE_EAST.test(timeZone))) return "Europe";
  if (timeZone && /^((Asia|Australia|Indian)\/|Pacific\/Auckland$)/.test(timeZone)) return "Asia Pacific";
  if (timeZone && /^America\//.test(timeZone)) {
    if (language === "pt") return "Brazil";
    return language === "es" ? "Latin America" : "North America";
  }
  if (riotRegion === "europe") return "Europe";
  return riotRegion === "asia" ? "Asia Pacific" : null;
}
