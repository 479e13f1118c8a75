import { isShared } from "#db/words/sharing";
import { currentPresence } from "~/features/messages/rules";
import { type VerifiedMark, verifiedMark } from "~/features/riot/rules";
import type { Agent } from "~/game/agents";
import { canQueue } from "~/game/queue";
import { type Rank, rankPosition } from "~/game/ranks";
import type { Region } from "~/game/regions";
import type { Role } from "~/game/roles";
import { describeVoice } from "~/game/voice";
import { commonHours, countHours, DAYS, type WeekHours } from "../availability";
import { displayName, initial } from "../rules";
import { type Match, type MatchProfile, type MatchReason, match, strongest } from "../shared/match";
import { type MatchClock, matchProfileOf } from "../shared/match-profile";
import type { PlayerRow } from "./directory.server";
import type { FreeTime, PlayerFilters } from "./filters";

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
const WORKDAYS = [0, 1, 2, 3, 4];
const TIMES: Record<Exclude<FreeTime, "mine">, { days: readonly number[]; from: number; to: number }> = {
  "weekday-evenings": { days: WORKDAYS, from: 18, to: 24 },
  "weekday-daytime": { days: WORKDAYS, from: 6, to: 18 },
  weekends: { days: [5, 6], from: 0, to: 24 },
};

/** A player with how well they match the viewer. */
export interface RankedPlayer {
  row: PlayerRow;
  other: MatchProfile;
  match: Match;
}

/**
 * Matches each player with the viewer; those stay who pass the filters that only the viewer's profile can tell. The best
 * first where the filters say so, else in the order given.
 */
export function rankPlayers(
  rows: readonly PlayerRow[],
  viewer: MatchProfile,
  filters: Pick<PlayerFilters, "canQueue" | "free" | "sort">,
  clock: MatchClock,
): RankedPlayer[] {
  const own = filters.canQueue ? viewer.rank : null;
  const times = filters.free && timesOf(filters.free, viewer);
  const passing = rows.flatMap((row) => {
    const other = matchProfileOf(row, clock);
    if (own && !(other.rank && canQueue([own, other.rank]).allowed)) return [];
    if (times && !(other.hours && countHours(commonHours(other.hours, times)) > 0)) return [];
    return [{ row, other, match: match(viewer, other) }];
  });
  // Sorting keeps the order of equals, which is the list's own.
  return filters.sort === "best" ? passing.sort((a, b) => b.match.score - a.match.score) : passing;
}

/** Whether a player fits a profile's filters (`defaultFilters`): ranks, region and language as they show them. */
export function fitsFilters(row: PlayerRow, { minRank, maxRank, region, language }: PlayerFilters): boolean {
  const rank = row.currentRank && rankPosition(row.currentRank);
  return (
    (!minRank || (rank !== null && rank >= rankPosition(minRank))) &&
    (!maxRank || (rank !== null && rank <= rankPosition(maxRank))) &&
    (!region || row.region === region) &&
    (!language || (isShared(row.shares, "languages") && (row.languages ?? []).includes(language)))
  );
}

export function presentPlayer({ row, other, match: found }: RankedPlayer, now: Date): PlayerView {
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
      ...(other.voice ? [describeVoice(other.voice)] : []),
    ],
    reputation: isShared(row.shares, "feedback") ? { score: row.feedbackScore, count: row.totalRatings } : null,
    reasons: strongest(found, REASONS),
    hours: other.hours,
  };
}

/** The times that a filter asks for, by the viewer's clock; null, which is any, for the own times of who has not said them. */
function timesOf(free: FreeTime, viewer: MatchProfile): WeekHours | null {
  if (free === "mine") return viewer.hours;
  const wanted = TIMES[free];
  return DAYS.map((_, day) => (wanted.days.includes(day) ? hoursBetween(wanted.from, wanted.to) : 0));
}

/** The bits of a day's hours. */
const hoursBetween = (from: number, to: number): number => (1 << to) - (1 << from);
