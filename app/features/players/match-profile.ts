import type { profiles } from "#db/schema";
import { type Availability, shiftWeek, toWeekHours, type WeekHours, zoneOffset } from "./availability";
import { LANGUAGES } from "./languages";
import type { MatchProfile } from "./match";
import { isShared } from "./sharing";

/** What of a profile's row matching looks at. */
export type MatchRow = Pick<
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

/** Hours by time zone and week: many players share the few there are, and asking Intl is dear. */
export class Clock {
  readonly #offsets = new Map<string, number>();

  /**
   * @param now the moment whose offsets count: daylight saving time may move hours by one
   * @param timeZone the viewer's
   */
  constructor(
    readonly now: Date,
    readonly timeZone: string,
  ) {}

  /** The hours of a player by the viewer's clock; null while nothing was said. */
  hoursOf(availability: Availability | null, timeZone: string | null): WeekHours | null {
    if (!availability?.some(Boolean)) return null;
    return shiftWeek(toWeekHours(availability, this.#offset(timeZone ?? "UTC")), this.#offset(this.timeZone));
  }

  #offset(zone: string): number {
    const known = this.#offsets.get(zone);
    if (known !== undefined) return known;
    const offset = zoneOffset(zone, this.now);
    this.#offsets.set(zone, offset);
    return offset;
  }
}

/**
 * A profile as matching takes it: of others only what they show.
 * @param isOwn the viewer's own, of which nothing is hidden
 */
export function matchProfileOf(row: MatchRow, clock: Clock, isOwn = false): MatchProfile {
  const shows = (what: "availability" | "languages") => isOwn || isShared(row.shares, what);
  return {
    rank: row.currentRank,
    role: row.preferredRole,
    agents: row.mainAgents ?? [],
    region: row.region,
    voice: row.voiceCommsPreference,
    languages: shows("languages") ? (row.languages ?? []).map((code) => LANGUAGES[code]) : [],
    tags: row.personalityTags ?? [],
    hours: shows("availability") ? clock.hoursOf(row.availability, row.timeZone) : null,
  };
}
