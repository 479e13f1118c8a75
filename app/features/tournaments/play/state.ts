import type { Disqualification } from "#db/words/disqualification";
import type { Part } from "#db/words/match-parts";
import type { LastTieBreak, TieBreaks } from "#db/words/tie-breaks";
import type { Format, ThirdPlace } from "#db/words/tournament-formats";
import type { Side } from "#party/wire/tournament-commands";
import type { Rank } from "~/game/ranks";
import type { MapResult, MatchLength } from "~/game/scores";
import type { Snapshot } from "../bracket/snapshot";
import type { MatchLengths } from "../format/stages";

/** A team as the room knows it. */
export interface PlayTeam {
  id: string;
  name: string;
  captainId: string | null;
  state: "entered" | "waiting" | "absent";
  /** Milliseconds since 1970, like all times here. */
  listedAt: number;
  checkedInAt: number | null;
  seed: number | null;
  /**
   * Its final place, and the last of the places that it shares. Both are null until it has one; `lastPlace` is also
   * null if it doesn't share its place.
   */
  place: number | null;
  lastPlace: number | null;
  disqualification: Disqualification | null;
  /** Its players, substitutes included. */
  members: { userId: string; isSubstitute: boolean; isVerified: boolean; rank: Rank | null }[];
}

export type MatchState = "waiting" | "ready" | "reported" | "disputed" | "finished" | "bye" | "idle";

/** A row of `tournament_matches`, without the tournament's id. */
export interface PlayMatch extends MatchLength {
  id: number;
  part: Part;
  group: number;
  round: number;
  rounds: number;
  number: number;
  /** `W12` is the winner of match 12, `L3` the loser of match 3. */
  source1: string | null;
  source2: string | null;
  team1: string | null;
  team2: string | null;
  score1: number | null;
  score2: number | null;
  /** The rounds that each team has won on all maps together. */
  rounds1: number | null;
  rounds2: number | null;
  winner: Side | null;
  forfeit: Side | null;
  state: MatchState;
  readyAt: number | null;
  deadlineAt: number | null;
  overdueToldAt: number | null;
  checkedIn1: number | null;
  checkedIn2: number | null;
  reporter: Side | null;
  report: MapResult[] | null;
  reportedAt: number | null;
  confirmBy: number | null;
  disputer: Side | null;
  dispute: string | null;
  maps: MapResult[] | null;
  finishedAt: number | null;
  conversationId: string | null;
}

/** The state that decisions about a tournament depend on. */
export interface PlayState extends MatchLengths {
  tournamentId: string;
  version: number;
  title: string;
  state: "open" | "running" | "finished" | "cancelled";
  format: Format;
  teamSize: number;
  maxParticipants: number;
  groupSize: number;
  thirdPlace: ThirdPlace;
  checkInMinutes: number;
  seeding: "random" | "rank" | "manual";
  tieBreaks: TieBreaks;
  lastTieBreak: LastTieBreak;
  registrationDeadline: number;
  tournamentDate: number;
  /** The host first, unless their account is gone. */
  organisers: string[];
  winnerTeamId: string | null;
  teams: PlayTeam[];
  matches: PlayMatch[];
  /** Null before the start. */
  snapshot: Snapshot | null;
}

/** Identifies the results of some matches, by each match's id and the time when it was decided (0 before that). */
export const writeResults = (matches: readonly Pick<PlayMatch, "id" | "finishedAt">[]): string =>
  matches
    .map(({ id, finishedAt }) => `${id}:${finishedAt ?? 0}`)
    .sort()
    .join();

/** Returns the team of a side. */
export const teamOf = (match: Pick<PlayMatch, "team1" | "team2">, side: Side) =>
  side === 1 ? match.team1 : match.team2;

export const otherSide = (side: Side): Side => (side === 1 ? 2 : 1);
