import type { profiles } from "#db/schema";
import { SHARED_BY_DEFAULT } from "#db/words/sharing";
import { slotsOf } from "../availability";

type Profile = typeof profiles.$inferSelect;

/** The values of the profile's form fields. */
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
  /** `on` if checked, as a checkbox submits it. */
  isListed: string;
}

/**
 * Returns the form's initial values.
 * @param browserZone the browser's time zone, suggested to players who have chosen none. A zone guessed from the IP
 *   address is not suggested, because saving the form would store the guess
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

/** Returns a profile's version, which changes with every save. A form carries the one it was made from. */
export const profileVersion = (profile: Pick<Profile, "updatedAt"> | undefined) =>
  String(profile?.updatedAt.getTime() ?? 0);

/**
 * Lists the time zones to choose from, by continent.
 * @param chosen always included, even if Intl now has another name for it
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
