import type { profiles } from "#db/schema";
import { LANGUAGES, type Language } from "#db/words/languages";
import type { ReadyStep } from "#db/words/ready-steps";
import type { RequestContext } from "~/platform/context";
import { readConventions } from "~/platform/dates/date-conventions.server";
import { listTimeZones, profileVersion } from "../profile/profile-values";
import { browserLanguages } from "./browser-languages";
import { guessRegion, stepStates } from "./rules";
import type { ReadyView } from "./steps";

type Profile = typeof profiles.$inferSelect;

const ANSWERS: Record<ReadyStep, (profile: Profile) => string | null> = {
  rank: ({ currentRank }) => currentRank,
  role: ({ preferredRole }) => preferredRole,
  hours: () => null,
};

/**
 * Presents the strip `Get ready` with its guesses.
 * @param held the Riot account that the player signed up with, if another player holds it
 * @param list the address of the list below the strip
 * @returns null if no step is left, or if there is no profile
 */
export function presentReady(
  request: Request,
  { zones }: Pick<RequestContext, "zones">,
  profile: Profile | undefined,
  { held, list }: { held: { riotId: string } | undefined; list: string },
): ReadyView | null {
  const states = profile && stepStates(profile);
  if (!states) return null;
  const languages = browserLanguages(request.headers.get("Accept-Language"));
  const spoken = profile.languages?.length ? profile.languages : languages;
  // English is always offered, because strangers share it most often.
  const offered = new Set<Language>([...spoken, "en"]);
  const timeZone = profile.timeZone ?? zones.browser;
  const asksHours = states.some(({ step, state }) => step === "hours" && state === "now");
  return {
    steps: states.map(({ step, state }) => ({ step, state, answer: ANSWERS[step](profile) })),
    list,
    version: profileVersion(profile),
    held: held?.riotId ?? null,
    mainAgents: profile.mainAgents ?? [],
    region: profile.region ?? guessRegion(timeZone ?? zones.address, languages[0], profile.riotRegion) ?? "",
    languages: [...offered].map((code) => ({ code, name: LANGUAGES[code], isSpoken: spoken.includes(code) })),
    otherLanguages: Object.entries(LANGUAGES).filter(([code]) => !offered.has(code as Language)),
    timeZone: timeZone ?? zones.address ?? "",
    timeZones: asksHours && timeZone === null ? listTimeZones(zones.address ?? "") : null,
    hour12: readConventions(request.headers.get("Accept-Language")).hour12,
  };
}
