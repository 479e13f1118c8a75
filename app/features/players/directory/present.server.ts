import { isShared } from "#db/words/sharing";
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
  rank: Rank | null;
  role: Role | null;
  agents: Agent[];
  region: Region | null;
  tags: string[];
  /** Languages and voice, if given: "English, Polish" and "Voice required". */
  facts: string[];
  /** Null if the player keeps it private. */
  reputation: { score: number | null; count: number } | null;
  /** The strongest reasons, those in favour first. */
  reasons: MatchReason[];
  /** The player's hours by the viewer's clock. */
  hours: WeekHours | null;
}

/** The number of reasons on a card. */
const MAX_REASONS = 2;
const WORKDAYS = [0, 1, 2, 3, 4];
const TIMES: Record<Exclude<FreeTime, "mine">, { days: readonly number[]; from: number; to: number }> = {
  "weekday-evenings": { days: WORKDAYS, from: 18, to: 24 },
  "weekday-daytime": { days: WORKDAYS, from: 6, to: 18 },
  weekends: { days: [5, 6], from: 0, to: 24 },
};

/** A player, and how well they match the viewer. */
export interface RankedPlayer {
  row: PlayerRow;
  other: MatchProfile;
  match: Match;
}

/**
 * Matches each player with the viewer, and keeps those who pass the filters that depend on the viewer's rank, hours or
 * time zone. The result is sorted by score if the filters ask for that, and otherwise keeps the given order.
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
  // The sort is stable, so equal scores keep the list's own order.
  return filters.sort === "best" ? passing.sort((a, b) => b.match.score - a.match.score) : passing;
}

/** Whether a player's public profile passes the filters on ranks, region and language, which `defaultFilters` sets. */
export function fitsFilters(row: PlayerRow, { minRank, maxRank, region, language }: PlayerFilters): boolean {
  const rank = row.currentRank && rankPosition(row.currentRank);
  return (
    (!minRank || (rank !== null && rank >= rankPosition(minRank))) &&
    (!maxRank || (rank !== null && rank <= rankPosition(maxRank))) &&
    (!region || row.region === region) &&
    (!language || (isShared(row.shares, "languages") && (row.languages ?? []).includes(language)))
  );
}

export function presentPlayer({ row, other, match: found }: RankedPlayer): PlayerView {
  const name = displayName(row);
  return {
    id: row.userId,
    name,
    letter: initial(name),
    picture: row.avatarId,
    verified: verifiedMark({ verified: row.riotVerifiedAt !== null, riotProven: row.riotProvenAt !== null }),
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
    reasons: strongest(found, MAX_REASONS),
    hours: other.hours,
  };
}

/**
 * Returns the hours that a filter asks for, by the viewer's clock; null (any hours) if it asks for the viewer's own
 * hours and the viewer has given none.
 */
function timesOf(free: FreeTime, viewer: MatchProfile): WeekHours | null {
  if (free === "mine") return viewer.hours;
  const wanted = TIMES[free];
  return DAYS.map((_, day) => (wanted.days.includes(day) ? hoursBetween(wanted.from, wanted.to) : 0));
}

/** Sets a bit for each hour of a day from `from` up to, but not including, `to`. */
const hoursBetween = (from: number, to: number): number => (1 << to) - (1 << from);
