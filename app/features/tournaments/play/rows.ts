import type { Side } from "#party/wire/tournament-commands";
import { type BracketMatch, readMatches, type Slot } from "../bracket/matches";
import type { Snapshot } from "../bracket/snapshot";
import { lengthOf, type MatchLengths } from "../format/stages";
import type { MatchState, PlayMatch } from "./state";

/** What happens in a match besides its bracket: nothing yet. */
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
 * The matches of a bracket as they are stored. What has happened in a match is kept for as long as the same teams stand in
 * it.
 * @param before the matches as they were
 */
export function rowsOf(snapshot: Snapshot, lengths: MatchLengths, before: readonly PlayMatch[] = []): PlayMatch[] {
  const known = new Map(before.map((match) => [match.id, match]));
  return readMatches(snapshot).map((match) => {
    const [one, two] = match.slots;
    const old = known.get(match.id);
    const isSame = old?.team1 === one.team && old?.team2 === two.team;
    const { id, part, group, round, rounds, number, standing } = match;
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
      score1: standing === "finished" ? one.score : null,
      score2: standing === "finished" ? two.score : null,
      rounds1: standing === "finished" ? one.rounds : null,
      rounds2: standing === "finished" ? two.rounds : null,
      winner: standing === "finished" ? winnerOf(match) : null,
      forfeit: one.forfeited ? 1 : two.forfeited ? 2 : null,
      state,
    };
  });
}

/** A match that was opened again begins anew, with the chat that it had. */
export const begunAnew = (match: PlayMatch): PlayMatch => ({
  ...match,
  ...UNTOUCHED,
  conversationId: match.conversationId,
});

/** The bracket says what can be played; what the captains have said about it stays until it is finished. */
function stateOf({ standing }: BracketMatch, old: PlayMatch | undefined): MatchState {
  const isOpen = old?.state === "reported" || old?.state === "disputed";
  return standing === "ready" && old && isOpen ? old.state : standing;
}

const sourceName = ({ from, isBye }: Slot) =>
  from === null || isBye ? null : `${from.outcome === "winner" ? "W" : "L"}${from.match}`;

const winnerOf = ({ slots: [one, two] }: BracketMatch): Side | null => (one.won ? 1 : two.won ? 2 : null);
