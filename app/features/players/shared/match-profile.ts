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

/** The clock by which hours are compared, and the moment: daylight saving time may move hours by one. */
export type MatchClock = Pick<Clock, "now" | "timeZone">;

/**
 * Builds the profile that matching uses. Another player's includes only what they share.
 * @param isOwn whether it is the viewer's own, which is included in full
 */
export function matchProfileOf(row: MatchRow, clock: MatchClock, isOwn = false): MatchProfile {
  const shows = (what: "availability" | "languages") => isOwn || isShared(row.shares, what);
  const zones = { from: row.timeZone ?? clock.timeZone, to: clock.timeZone, at: clock.now };
  return {
    rank: row.currentRank,
    role: row.preferredRole,
    agents: row.mainAgents ?? [],
    region: row.region,
    voice: row.voiceCommsPreference,
    languages: shows("languages") ? (row.languages ?? []).map((code) => LANGUAGES[code]) : [],
    tags: row.personalityTags ?? [],
    hours: shows("availability") ? hoursFor(row.availability, zones) : null,
  };
}
