import type { profiles } from "#db/schema";
import type { Clock } from "~/platform/dates/dates";
import { commonHours, countHours } from "../availability";
import { presentPublicProfile } from "../page/public-profile.server";
import { match, strongest } from "../shared/match";
import { matchProfileOf } from "../shared/match-profile";

type Profile = typeof profiles.$inferSelect;

/** The number of reasons that a card shows. */
const MAX_REASONS = 3;

/**
 * Presents a player for the card that pops up over links to them, with only the parts that they share.
 * @param own the viewer's profile
 */
export function presentCard(profile: Profile, own: Profile | undefined, clock: Clock) {
  const { name, letter, picture, verified, rank, role, hours, mine, showsReviews } = presentPublicProfile(
    profile,
    own,
    clock,
  );
  const isOther = own !== undefined && own.userId !== profile.userId;
  return {
    name,
    letter,
    picture,
    verified,
    rank,
    role,
    hours: hours && mine && sayHours(countHours(commonHours(hours, mine))),
    reasons: isOther
      ? strongest(match(matchProfileOf(own, clock, true), matchProfileOf(profile, clock)), MAX_REASONS)
      : [],
    reviews: showsReviews ? sayReviews(profile.feedbackScore, profile.totalRatings) : null,
  };
}

export type PlayerCard = ReturnType<typeof presentCard>;

function sayHours(count: number): string {
  if (count === 0) return "No hours together";
  return `${count === 1 ? "1 hour" : `${count} hours`} a week together`;
}

function sayReviews(score: number | null, count: number): string {
  if (score === null || count === 0) return "No reviews yet";
  return `${score.toFixed(1)} of 5 stars, ${count === 1 ? "1 review" : `${count} reviews`}`;
}
