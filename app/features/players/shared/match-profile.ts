import type { profiles } from "#db/schema";
import { LANGUAGES } from "#db/words/languages";
import { isShared } from "#db/words/sharing";
import type { Clock } from "~/platform/dates/dates";
import { hoursFor } from "../availability";
import type { MatchProfile } from "./match";

/** What of a profile's row matching looks at. */
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

/** Who has said nothing. */
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

/** By whose clock hours are compared, and when: daylight saving time may move them by one. */
export type MatchClock = Pick<Clock, "now" | "timeZone">;

/**
 * A profile as matching takes it: of others only what they show.
 * @param isOwn the viewer's own, of which nothing is hidden
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
