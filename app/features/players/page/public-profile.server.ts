import type { profiles } from "#db/schema";
import { LANGUAGES } from "#db/words/languages";
import { isShared, type Shareable } from "#db/words/sharing";
import { verifiedMark } from "~/features/riot/rules";
import { describeVoice } from "~/game/voice";
import type { Clock } from "~/platform/dates/dates";
import { hoursFor } from "../availability";
import { displayName, initial } from "../rules";

type Profile = typeof profiles.$inferSelect;

/**
 * Presents a profile as everyone sees it, with only the parts that its player shares.
 * @param viewer the visitor's own profile, for the hours in common; absent if they are not signed in
 */
export function presentPublicProfile(profile: Profile, viewer: Profile | undefined, { now, timeZone, hour12 }: Clock) {
  const { userId, riotVerifiedAt, voiceCommsPreference: voice, shares } = profile;
  const name = displayName(profile);
  const shows = (what: Shareable) => isShared(shares, what);
  const hoursOf = ({ availability }: Profile, from: string | null) =>
    hoursFor(availability, { from, to: timeZone, at: now });
  return {
    id: userId,
    name,
    letter: initial(name),
    picture: profile.avatarId,
    verified: verifiedMark({ verified: riotVerifiedAt !== null, riotProven: profile.riotProvenAt !== null }),
    isListed: profile.isListed,
    rank: profile.currentRank,
    role: profile.preferredRole,
    agents: profile.mainAgents ?? [],
    region: profile.region,
    tags: profile.personalityTags ?? [],
    voice: voice && describeVoice(voice),
    languages: shows("languages") ? (profile.languages ?? []).map((code) => LANGUAGES[code]) : [],
    description: shows("description") ? profile.description : null,
    discordTag: shows("discordTag") ? profile.discordTag : null,
    playTimes: shows("availability") ? profile.playTimes : null,
    hours: shows("availability") ? hoursOf(profile, profile.timeZone) : null,
    // If the viewer's profile has no zone, the viewer's hours are taken to be in the zone of the page.
    mine: viewer && viewer.userId !== userId ? hoursOf(viewer, viewer.timeZone ?? timeZone) : null,
    timeZone,
    hour12,
    showsReviews: shows("feedback"),
  };
}

export type PublicProfile = ReturnType<typeof presentPublicProfile>;
