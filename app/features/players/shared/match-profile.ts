import type { profiles } from "#db/schema";
import { LANGUAGES } from "#db/words/languages";
import { isShared } from "#db/words/sharing";
import type { Clock } from "~/platform/dates/dates";
import { hoursFor } from "../availability";
import type { MatchProfile } from "./match";

/** The columns of a profile that matching uses. */
type MatchRow = Pick<
  typeof profiles.$inferSelect,
  | "currentRank"
  | "preferredRole"
  | "mainAgents"
  | "region"
  | "voiceCommsPreference"
  | "languages"
  | "personalityTags"
  | "availability"
  | "timeZone"
  | "shares"
>;

/** An empty profile. */
export const NO_PROFILE: MatchRow = {
  currentRank: null,
  preferredRole: null,
  mainAgents: null,
  region: null,
  voiceCommsPreference: null,
  languages: null,
  personalityTags: null,
  availability: null,
  timeZone: null,
  shares: null,
};

/** The time zone in which hours are compared, and the date, because daylight saving time shifts them. */
export type MatchClock = Pick<Clock, "now" | "timeZone">;

/**
 * Builds the profile that matching uses. It includes everything if the profile is the viewer's own, and otherwise only
 * what the player shares. If a profile has no time zone, the viewer's own hours are taken to be in the zone of `clock`.
 * Another player's hours could be in any zone, so they count as unknown.
 */
export function matchProfileOf(row: MatchRow, clock: MatchClock, isOwn = false): MatchProfile {
  const includes = (what: "availability" | "languages") => isOwn || isShared(row.shares, what);
  const from = row.timeZone ?? (isOwn ? clock.timeZone : null);
  return {
    rank: row.currentRank,
    role: row.preferredRole,
    agents: row.mainAgents ?? [],
    region: row.region,
    voice: row.voiceCommsPreference,
    languages: includes("languages") ? (row.languages ?? []).map((code) => LANGUAGES[code]) : [],
    tags: row.personalityTags ?? [],
    hours: includes("availability") ? hoursFor(row.availability, { from, to: clock.timeZone, at: clock.now }) : null,
  };
}
