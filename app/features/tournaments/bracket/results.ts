import { type ParticipantResult, Status } from "brackets-model";
import { DEFAULT_TIE_BREAKS } from "#db/words/tie-breaks";
import { ROUNDS_TO_WIN } from "~/game/scores";
import type { TieBreakRules } from "../format/tie-breaks";
import { drawPlayoffs, drawTieBreak, qualifiersPerGroup, seedPlayoffs } from "./draw";
import { type BracketMatch, type MatchStatus, readMatches, statusOf } from "./matches";
import { openSnapshot, type SideResult, type Snapshot } from "./snapshot";
import { disqualifiedLast, type GroupStanding, groupTables } from "./standings";

/**
 * How a match ended: the maps won by each side, and their rounds if known; or the side (0 or 1) that forfeited, and how
 * many maps win the match.
 */
export type Result =
  | { scores: readonly [number, number]; rounds?: readonly [number, number] }
  | { forfeits: 0 | 1; mapsToWin?: number };

/** Thrown if a match can't be changed as requested. */
export class MatchLocked extends Error {}

/** The tie-breaks of a tournament that doesn't set its own. */
const DEFAULT_RULES: TieBreakRules = { tieBreaks: DEFAULT_TIE_BREAKS, lastTieBreak: "draw" };

/**
 * Enters a match's result, and moves its winner and loser to their next matches. If the result completes the groups or
 * their tie-breaks, draws the next stage (`drawNextStages`).
 * @param disqualified teams that advance to the play-offs only if no other team is left
 * @throws MatchLocked if the match is not ready to be played, or ends in a tie
 */
export async function enterResult(
  stored: Snapshot,
  matchId: number,
  result: Result,
  rules: TieBreakRules = DEFAULT_RULES,
  disqualified: ReadonlySet<string> = new Set(),
): Promise<Snapshot> {
  const match = stored.match.find(({ id }) => id === matchId);
  if (!match || statusOf(match) !== "ready") throw new MatchLocked("The match isn't ready to be played.");
  const { manager, snapshot } = openSnapshot(stored);
  if ("forfeits" in result) {
    const sides: Partial<SideResult>[] = [
      { forfeit: true, rounds: 0 },
      { rounds: ROUNDS_TO_WIN * (result.mapsToWin ?? 1) },
    ];
    const [one, two] = result.forfeits === 0 ? sides : sides.reverse();
    await manager.update.match({ id: matchId, opponent1: one, opponent2: two });
  } else {
    const [one, two] = result.scores;
    if (one === two) throw new MatchLocked("A tie decides nothing.");
    const sides: Partial<SideResult>[] = [
      { score: one, result: one > two ? "win" : "loss", rounds: result.rounds?.[0] },
      { score: two, result: two > one ? "win" : "loss", rounds: result.rounds?.[1] },
    ];
    await manager.update.match({ id: matchId, opponent1: sides[0], opponent2: sides[1] });
  }
  return drawNextStages(snapshot(), rules, disqualified);
}

/**
 * Adds the next stage of a round robin once all its matches so far are played: the tie-breaks if any are needed,
 * otherwise the play-offs if there are several groups.
 */
export async function drawNextStages(
  played: Snapshot,
  rules: TieBreakRules,
  disqualified: ReadonlySet<string>,
): Promise<Snapshot> {
  if (!areGroupsOver(played)) return played;
  const { tables, level } = rankFinishedGroups(played, rules, disqualified);
  let next = played;
  for (const teams of level) if (teams.length > 0) next = await drawTieBreak(next, teams);
  if (next !== played || tables.length === 1) return next;
  return drawPlayoffs(next, tables, rules.tieBreaks);
}

const areGroupsOver = ({ stage, match }: Snapshot) =>
  stage.every(({ type }) => type === "round_robin") && match.every((row) => statusOf(row) === "finished");

/**
 * Ranks the groups once all their matches are played.
 * @returns the table of each group, and for each the level teams that play a tie-break
 */
function rankFinishedGroups(
  played: Snapshot,
  { tieBreaks, lastTieBreak }: TieBreakRules,
  disqualified: ReadonlySet<string>,
) {
  const tables = groupTables(played, tieBreaks).map((table) =>
    disqualifiedLast(table, ({ team }) => disqualified.has(team)),
  );
  const isFirst = played.stage.length === 1;
  const level =
    isFirst && lastTieBreak === "match" ? tables.map((table) => findLevelAtCut(table, qualifiersPerGroup(tables))) : [];
  return { tables, level };
}

/**
 * Removes the tie-breaks and play-offs that would have different teams without the disqualification of one team.
 * @param disqualified the teams that were disqualified when the groups ended, and when the tie-breaks did
 * @returns null if the disqualification changed nothing
 */
export function removeAffectedStages(
  snapshot: Snapshot,
  team: string,
  rules: TieBreakRules,
  disqualified: { afterGroups: ReadonlySet<string>; afterTieBreaks: ReadonlySet<string> },
): Snapshot | null {
  const later = snapshot.stage.slice(1);
  const groups = later.reduce((left, { id }) => withoutStage(left, id), snapshot);
  if (affectsNextStage(team, groups, rules, disqualified.afterGroups)) return groups;
  const playoffs = later.filter(({ type }) => type !== "round_robin");
  const tieBroken = playoffs.reduce((left, { id }) => withoutStage(left, id), snapshot);
  return affectsNextStage(team, tieBroken, rules, disqualified.afterTieBreaks) ? tieBroken : null;
}

/** Whether the next tie-breaks or play-offs would have different teams without the disqualification of one team. */
function affectsNextStage(
  team: string,
  played: Snapshot,
  rules: TieBreakRules,
  disqualified: ReadonlySet<string>,
): boolean {
  if (!disqualified.has(team) || !areGroupsOver(played)) return false;
  const teamsWith = (out: ReadonlySet<string>) => {
    const { tables, level } = rankFinishedGroups(played, rules, out);
    if (level.some((teams) => teams.length > 0)) return level.join(";");
    return tables.length === 1 ? "" : seedPlayoffs(tables, rules.tieBreaks).join();
  };
  return teamsWith(disqualified) !== teamsWith(new Set([...disqualified].filter((id) => id !== team)));
}

/**
 * Finds the teams of a group that no step separates, although only some of them can win something.
 * @param places number of the group's teams that win something: the title, or a place in the play-offs
 */
function findLevelAtCut(table: readonly GroupStanding[], places: number): string[] {
  const isLevel = (index: number) => table[index]?.separatedBy === "draw";
  if (!isLevel(places)) return [];
  let [first, last] = [places - 1, places];
  while (isLevel(first)) first--;
  while (isLevel(last + 1)) last++;
  return table.slice(first, last + 1).map(({ team }) => team);
}

/**
 * Finds the matches that reopening a match would undo, latest first: those that depend on its result, directly or
 * through other matches, and are finished or ready to be played. For a group match these are all tie-breaks and
 * play-offs; for a tie-break match, the play-offs.
 * @returns their ids, without the match's own
 */
export function findDependents(snapshot: Snapshot, matchId: number): number[] {
  const matches = readMatches(snapshot);
  const start = matches.find(({ id }) => id === matchId);
  if (!start) return [];
  if (isInGroups(start)) {
    return latestFirst(matches.filter((match) => isAfter(match, start) && isAtStake(match.status)));
  }
  const affected = new Set([matchId]);
  // Follow the winners and losers from match to match, until no match is added.
  for (let known = 0; known < affected.size; ) {
    known = affected.size;
    for (const { id, slots } of matches) {
      if (slots.some(({ from }) => from && affected.has(from.match))) affected.add(id);
    }
  }
  affected.delete(matchId);
  return latestFirst(matches.filter(({ id, status }) => affected.has(id) && isAtStake(status)));
}

const isInGroups = ({ part }: BracketMatch) => part === "group" || part === "tie-break";

/** Whether a match was drawn from results that include the result of `start`, a group or tie-break match. */
const isAfter = ({ part }: BracketMatch, start: BracketMatch) =>
  part === "playoffs" || (part === "tie-break" && start.part === "group");

/** Whether reopening an earlier match would lose this match's result, check-in or report. */
const isAtStake = (status: MatchStatus) => status === "finished" || status === "ready";

/** Sorts matches in the order in which they can be undone: each one after those that wait for it. */
function latestFirst(matches: readonly BracketMatch[]): number[] {
  const order = (match: BracketMatch) =>
    // Round r of the winners' bracket feeds round 2r − 2 of the losers' (round 1 feeds round 1) and so comes before it.
    match.part === "grand-final"
      ? 1_000 + match.round
      : match.part === "winners"
        ? 2 * match.round - 2.5
        : match.part === "tie-break"
          ? match.round - 1_000
          : match.round;
  return [...matches].sort((a, b) => order(b) - order(a) || b.id - a.id).map(({ id }) => id);
}

/**
 * Reopens a finished match, and before it every finished match that depends on it (`findDependents`). The tie-breaks
 * and play-offs of a round robin are removed instead, and drawn again once the groups are played again.
 * @throws MatchLocked if the match has no result
 */
export async function reopenMatch(stored: Snapshot, matchId: number): Promise<Snapshot> {
  const match = readMatches(stored).find(({ id }) => id === matchId);
  if (match?.status !== "finished") throw new MatchLocked("The match has no result.");
  const finished = new Set(readMatches(stored).flatMap(({ id, status }) => (status === "finished" ? [id] : [])));
  const later = isInGroups(match) ? [] : findDependents(stored, matchId).filter((id) => finished.has(id));
  const undone = [...later, matchId];
  const base = withoutScores(stored, new Set(undone));
  // A group match has no next match, but the library looks for one and finds an unrelated match.
  if (isInGroups(match)) {
    const gone = base.stage.slice(1).filter(({ type }) => match.part === "group" || type !== "round_robin");
    return withoutResult(
      gone.reduce((left, { id }) => withoutStage(left, id), base),
      matchId,
    );
  }
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

/** Clears scores and forfeits. `reset.matchResults` leaves them, and would then treat the match as being played. */
function withoutScores(snapshot: Snapshot, matchIds: ReadonlySet<number>): Snapshot {
  const clear = (opponent: ParticipantResult | null) =>
    opponent && { ...opponent, score: undefined, forfeit: undefined, rounds: undefined };
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
