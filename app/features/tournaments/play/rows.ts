import type { Side } from "#party/wire/tournament-commands";
import { type BracketMatch, readMatches, type Slot } from "../bracket/matches";
import type { Snapshot } from "../bracket/snapshot";
import { lengthOf, type MatchLengths } from "../format/stages";
import type { MatchState, PlayMatch } from "./state";

/** The values of a match in which nothing has happened yet, for the fields that the bracket doesn't decide. */
const UNTOUCHED = {
  readyAt: null,
  deadlineAt: null,
  overdueToldAt: null,
  checkedIn1: null,
  checkedIn2: null,
  reporter: null,
  report: null,
  reportedAt: null,
  confirmBy: null,
  disputer: null,
  dispute: null,
  maps: null,
  finishedAt: null,
  conversationId: null,
} satisfies Partial<PlayMatch>;

/**
 * Converts a bracket's matches to rows. A match keeps its history as long as its teams stay the same.
 * @param before the previous rows
 */
export function rowsOf(snapshot: Snapshot, lengths: MatchLengths, before: readonly PlayMatch[] = []): PlayMatch[] {
  const known = new Map(before.map((match) => [match.id, match]));
  return readMatches(snapshot).map((match) => {
    const [one, two] = match.slots;
    const old = known.get(match.id);
    const isSame = old?.team1 === one.team && old?.team2 === two.team;
    const { id, part, group, round, rounds, number, status } = match;
    const state = stateOf(match, isSame ? old : undefined);
    return {
      ...(isSame && old ? old : UNTOUCHED),
      id,
      part,
      group,
      round,
      rounds,
      number,
      ...lengthOf(match, lengths),
      source1: sourceName(one),
      source2: sourceName(two),
      team1: one.team,
      team2: two.team,
      score1: status === "finished" ? one.score : null,
      score2: status === "finished" ? two.score : null,
      rounds1: status === "finished" ? one.rounds : null,
      rounds2: status === "finished" ? two.rounds : null,
      winner: status === "finished" ? winnerOf(match) : null,
      forfeit: one.forfeited ? 1 : two.forfeited ? 2 : null,
      state,
    };
  });
}

/** Resets a match that was reopened. It keeps its chat. */
export const resetMatch = (match: PlayMatch): PlayMatch => ({
  ...match,
  ...UNTOUCHED,
  conversationId: match.conversationId,
});

/** The bracket decides whether a match can be played; a report or a dispute stays until the match is finished. */
function stateOf({ status }: BracketMatch, old: PlayMatch | undefined): MatchState {
  const isOpen = old?.state === "reported" || old?.state === "disputed";
  return status === "ready" && old && isOpen ? old.state : status;
}

const sourceName = ({ from, isBye }: Slot) =>
  from === null || isBye ? null : `${from.outcome === "winner" ? "W" : "L"}${from.match}`;

const winnerOf = ({ slots: [one, two] }: BracketMatch): Side | null => (one.won ? 1 : two.won ? 2 : null);
