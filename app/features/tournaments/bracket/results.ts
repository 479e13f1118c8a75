import { type ParticipantResult, Status } from "brackets-model";
import { drawPlayoffs } from "./draw";
import { type BracketMatch, readMatches, type Standing, standingOf } from "./matches";
import { openSnapshot, type Snapshot } from "./snapshot";
import { groupStandings } from "./standings";

/** How a match has ended: maps won by each side, or the side (0 or 1) that forfeits. */
export type Result = { scores: readonly [number, number] } | { forfeits: 0 | 1 };

/** A match can't be changed as asked. */
export class MatchLocked extends Error {}

/**
 * Enters a match's result; who wins and who loses go on to where they belong. With the last match of several groups the
 * play-offs are drawn.
 * @throws MatchLocked when the match is not ready to be played, or a tie decides nothing
 */
export async function enterResult(stored: Snapshot, matchId: number, result: Result): Promise<Snapshot> {
  const match = stored.match.find(({ id }) => id === matchId);
  if (!match || standingOf(match) !== "ready") throw new MatchLocked("The match is not ready to be played.");
  const { manager, snapshot } = openSnapshot(stored);
  if ("forfeits" in result) {
    await manager.update.match({
      id: matchId,
      ...(result.forfeits === 0 ? { opponent1: { forfeit: true } } : { opponent2: { forfeit: true } }),
    });
  } else {
    const [one, two] = result.scores;
    if (one === two) throw new MatchLocked("A tie decides nothing.");
    await manager.update.match({
      id: matchId,
      opponent1: { score: one, result: one > two ? "win" : "loss" },
      opponent2: { score: two, result: two > one ? "win" : "loss" },
    });
  }
  const played = snapshot();
  return isGroupStageOver(played) ? drawPlayoffs(played, groupStandings(played)) : played;
}

/** The groups of several are all played, and the play-offs not drawn yet. */
function isGroupStageOver(snapshot: Snapshot): boolean {
  if (snapshot.stage.length !== 1 || snapshot.stage[0]?.type !== "round_robin" || snapshot.group.length < 2)
    return false;
  return snapshot.match.every((match) => standingOf(match) === "finished");
}

/**
 * Which matches would lose what was played in them, too, if a match were opened again: those that its teams have gone on to,
 * finished or begun, the last first. After the groups of a round robin these are the play-offs, all of them.
 * @returns their ids; the match's own is not among them
 */
export function hangingOn(snapshot: Snapshot, matchId: number): number[] {
  const matches = readMatches(snapshot);
  const start = matches.find(({ id }) => id === matchId);
  if (!start) return [];
  if (start.part === "group") {
    return latestFirst(matches.filter(({ part, standing }) => part === "playoffs" && isAtStake(standing)));
  }
  const affected = new Set([matchId]);
  // A match always comes after those it waits for, but for the losers' bracket, which stands behind the winners'.
  for (let known = 0; known < affected.size; ) {
    known = affected.size;
    for (const { id, slots } of matches) {
      if (slots.some(({ from }) => from && affected.has(from.match))) affected.add(id);
    }
  }
  affected.delete(matchId);
  return latestFirst(matches.filter(({ id, standing }) => affected.has(id) && isAtStake(standing)));
}

/** In such a match there is something to lose: a result, or what its captains have said so far. */
const isAtStake = (standing: Standing) => standing === "finished" || standing === "ready";

/** In the order in which they may be taken back: no match before those that wait for it. */
function latestFirst(matches: readonly BracketMatch[]): number[] {
  const order = (match: BracketMatch) =>
    // Round r of the winners' bracket comes before round 2r − 2 of the losers', which it feeds.
    match.part === "grand-final" ? 1_000 + match.round : match.part === "winners" ? 2 * match.round - 2.5 : match.round;
  return [...matches].sort((a, b) => order(b) - order(a) || b.id - a.id).map(({ id }) => id);
}

/**
 * Opens a finished match again, and before it all that hangs on it (`hangingOn`); the play-offs of a round robin are drawn
 * anew when the groups are played again.
 * @throws MatchLocked when the match has no result
 */
export async function reopenMatch(stored: Snapshot, matchId: number): Promise<Snapshot> {
  const match = readMatches(stored).find(({ id }) => id === matchId);
  if (match?.standing !== "finished") throw new MatchLocked("The match has no result.");
  const finished = new Set(readMatches(stored).flatMap(({ id, standing }) => (standing === "finished" ? [id] : [])));
  const later = match.part === "group" ? [] : hangingOn(stored, matchId).filter((id) => finished.has(id));
  const undone = [...later, matchId];
  const [, playoffs] = stored.stage;
  const base = withoutScores(stored, new Set(undone));
  // Groups have no next match, but the library looks for one and finds somebody else's.
  if (match.part === "group") return withoutResult(playoffs ? withoutStage(base, playoffs.id) : base, matchId);
  const { manager, snapshot } = openSnapshot(base);
  for (const id of undone) await manager.reset.matchResults(id);
  return snapshot();
}

function withoutStage(snapshot: Snapshot, stageId: string | number): Snapshot {
  const stays = ({ stage_id }: { stage_id: string | number }) => stage_id !== stageId;
  return {
    ...snapshot,
    stage: snapshot.stage.filter(({ id }) => id !== stageId),
    group: snapshot.group.filter(stays),
    round: snapshot.round.filter(stays),
    match: snapshot.match.filter(stays),
    match_game: snapshot.match_game.filter(stays),
  };
}

/** `reset.matchResults` leaves scores and forfeits where they are, and then takes the match for one that is being played. */
function withoutScores(snapshot: Snapshot, matchIds: ReadonlySet<number>): Snapshot {
  const clear = (opponent: ParticipantResult | null) =>
    opponent && { ...opponent, score: undefined, forfeit: undefined };
  const match = snapshot.match.map((played) =>
    matchIds.has(played.id as number)
      ? { ...played, opponent1: clear(played.opponent1), opponent2: clear(played.opponent2) }
      : played,
  );
  return { ...snapshot, match };
}

function withoutResult(snapshot: Snapshot, matchId: number): Snapshot {
  const open = (opponent: ParticipantResult | null) => opponent && { ...opponent, result: undefined };
  const match = snapshot.match.map((played) =>
    played.id === matchId
      ? { ...played, status: Status.Ready, opponent1: open(played.opponent1), opponent2: open(played.opponent2) }
      : played,
  );
  return openSnapshot({ ...snapshot, match }).snapshot();
}
