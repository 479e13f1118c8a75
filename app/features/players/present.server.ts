import type { Agent } from "~/features/game/agents";
import type { Rank } from "~/features/game/ranks";
import type { Region } from "~/features/game/regions";
import type { Role } from "~/features/game/roles";
import { sayVoice } from "~/features/game/voice";
import { currentPresence } from "~/features/messages/rules";
import { type VerifiedMark, verifiedMark } from "~/features/riot/rules";
import { commonHours, countHours, DAYS, type WeekHours } from "./availability";
import type { PlayerRow } from "./directory.server";
import type { FreeTime, PlayerFilters } from "./filters";
import { type Match, type MatchProfile, type MatchReason, match, strongest } from "./match";
import { type Clock, matchProfileOf } from "./match-profile";
import { displayName, initial } from "./rules";
import { isShared } from "./sharing";

/** A player as the directory shows them. */
export interface PlayerView {
  id: string;
  name: string;
  letter: string;
  picture: string | null;
  verified: VerifiedMark | null;
  presence: "online" | "away" | "none";
  rank: Rank | null;
  role: Role | null;
  agents: Agent[];
  region: Region | null;
  tags: string[];
  /** "English, Polish" and "Voice required", where they were said. */
  facts: string[];
  /** Null where the player shows none. */
  reputation: { score: number | null; count: number } | null;
  /** The strongest, those that speak for it first. */
  reasons: MatchReason[];
  /** By the viewer's clock. */
  hours: WeekHours | null;
}

/** Reasons on a card: more would be read by nobody. */
const REASONS = 2;
const WEEKDAYS = 5;
const EVENING = { from: 18, to: 24 };
const DAYTIME = { from: 6, to: 18 };
const WHOLE_DAY = { from: 0, to: 24 };

export interface Ranked {
  row: PlayerRow;
  other: MatchProfile;
  match: Match;
}

/** Matches each player with the viewer, keeping who is free when the filters want it; the best first where they say so. */
export function rankPlayers(
  rows: readonly PlayerRow[],
  viewer: MatchProfile,
  { free, sort }: Pick<PlayerFilters, "free" | "sort">,
  clock: Clock,
): Ranked[] {
  const wanted = free && timesOf(free, viewer);
  const ranked = rows.flatMap((row) => {
    const other = matchProfileOf(row, clock);
    if (wanted && (!other.hours || countHours(commonHours(other.hours, wanted)) === 0)) return [];
    return [{ row, other, match: match(viewer, other) }];
  });
  // Sorting keeps the order of equals, which is the list's own.
  return sort === "best" ? ranked.sort((a, b) => b.match.score - a.match.score) : ranked;
}

export function presentPlayer({ row, other, match: found }: Ranked, now: Date): PlayerView {
  const name = displayName(row);
  const state = row.presence && row.seenAt ? { state: row.presence, seenAt: row.seenAt.getTime() } : null;
  const presence = currentPresence(state, now.getTime());
  return {
    id: row.userId,
    name,
    letter: initial(name),
    picture: row.avatarId,
    verified: verifiedMark({ verified: row.riotVerifiedAt !== null, riotProven: row.riotProvenAt !== null }),
    presence: presence === "offline" ? "none" : presence,
    rank: row.currentRank,
    role: row.preferredRole,
    agents: row.mainAgents ?? [],
    region: row.region,
    tags: row.personalityTags ?? [],
    facts: [
      ...(other.languages.length > 0 ? [other.languages.join(", ")] : []),
      ...(other.voice ? [sayVoice(other.voice)] : []),
    ],
    reputation: isShared(row.shares, "feedback") ? { score: row.feedbackScore, count: row.totalRatings } : null,
    reasons: strongest(found, REASONS),
    hours: other.hours,
  };
}

/** The times that a filter asks for, by the viewer's clock; whoever has not said when they play gets any. */
function timesOf(free: FreeTime, viewer: MatchProfile): WeekHours | null {
  if (free === "mine") return viewer.hours;
  const { from, to } = { "weekday-evenings": EVENING, "weekday-daytime": DAYTIME, weekends: WHOLE_DAY }[free];
  const day = Array.from({ length: to - from }, (_, hour) => 1 << (from + hour)).reduce((bits, bit) => bits | bit, 0);
  return DAYS.map((_, at) => (at < WEEKDAYS === (free !== "weekends") ? day : 0));
}
