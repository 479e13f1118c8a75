import type { profiles } from "#db/schema";
import { SHARED_BY_DEFAULT } from "#db/words/sharing";
import { slotsOf } from "../availability";

type Profile = typeof profiles.$inferSelect;

/** The fields of the profile's form as they stand in it. */
export interface ProfileValues extends Record<string, string | string[]> {
  currentRank: string;
  mainAgents: string[];
  riotId: string;
  discordTag: string;
  preferredRole: string;
  region: string;
  playTimes: string;
  voiceCommsPreference: string;
  personalityTags: string;
  description: string;
  timeZone: string;
  availability: string[];
  languages: string[];
  shares: string[];
  /** `on`, as a box sends it. */
  isListed: string;
}

/**
 * What the form begins with.
 * @param browserZone proposed to players who have chosen no zone; the address's would be a guess, kept for good
 */
export function profileValues(profile: Profile | undefined, browserZone: string | null): ProfileValues {
  return {
    currentRank: profile?.currentRank ?? "",
    mainAgents: profile?.mainAgents ?? [],
    riotId: profile?.riotId ?? "",
    discordTag: profile?.discordTag ?? "",
    preferredRole: profile?.preferredRole ?? "",
    region: profile?.region ?? "",
    playTimes: profile?.playTimes ?? "",
    voiceCommsPreference: profile?.voiceCommsPreference ?? "",
    personalityTags: profile?.personalityTags?.join(", ") ?? "",
    description: profile?.description ?? "",
    timeZone: profile?.timeZone ?? browserZone ?? "",
    availability: slotsOf(profile?.availability ?? null),
    languages: profile?.languages ?? [],
    shares: [...(profile?.shares ?? SHARED_BY_DEFAULT)],
    isListed: (profile?.isListed ?? true) ? "on" : "",
  };
}

/**
 * The time zones to choose from, by continent.
 * @param chosen is among them, whatever Intl calls it nowadays
 */
export function listTimeZones(chosen: string): [continent: string, zones: string[]][] {
  const all = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), chosen].filter(Boolean))].sort();
  const groups = new Map<string, string[]>([["", []]]);
  for (const zone of all) {
    const continent = zone.includes("/") ? zone.slice(0, zone.indexOf("/")) : "";
    groups.set(continent, [...(groups.get(continent) ?? []), zone]);
  }
  return [...groups];
}
