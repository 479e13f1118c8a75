import { type ParticipantResult, Status } from "brackets-model";
import { DEFAULT_TIE_BREAKS } from "#db/words/tie-breaks";
import { ROUNDS_TO_WIN } from "~/game/scores";
import type { TieBreakRules } from "../format/tie-breaks";
import { drawPlayoffs, drawTieBreak, qualifying, seedPlayoffs } from "./draw";
import { type BracketMatch, readMatches, type Standing, standingOf } from "./matches";
import { openSnapshot, type SideResult, type Snapshot } from "./snapshot";
import { disqualifiedLast, type GroupStanding, groupTables } from "./standings";

/**
 * How a match has ended: maps won by each side, and their rounds if they are known; or the side (0 or 1) that forfeits, and
 * how many maps win the match.
 */
export type Result =
  | { scores: readonly [number, number]; rounds?: readonly [number, number] }
  | { forfeits: 0 | 1; mapsToWin?: number };

/** A match can't be changed as asked. */
export class MatchLocked extends Error {}

/** Tie-breaks of a tournament that says nothing of them. */
const USUAL: TieBreakRules = { tieBreaks: DEFAULT_TIE_BREAKS, lastTieBreak: "draw" };

/**
 * Enters a match's result; who wins and who loses go on to where they belong. After the last match of the groups come the
 * tie-break matches, if there are any, then the play-offs of several groups.
 * @param disqualified teams that don't go on to the play-offs as long as there is another
 * @throws MatchLocked when the match is not ready to be played, or a tie decides nothing
 */
export async function enterResult(
  stored: Snapshot,
  matchId: number,
  result: Result,
  rules: TieBreakRules = USUAL,
  disqualified: ReadonlySet<string> = new Set(),
): Promise<Snapshot> {
  const match = stored.match.find(({ id }) => id === matchId);
  if (!match || standingOf(match) !== "ready") throw new MatchLocked("The match is not ready to be played.");
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
  return afterGroups(snapshot(), rules, disqualified);
}

/** Adds what follows the groups of a round robin once all of their matches are played: tie-breaks, then play-offs. */
export async function afterGroups(
  played: Snapshot,
  rules: TieBreakRules,
  disqualified: ReadonlySet<string>,
): Promise<Snapshot> {
  if (!areGroupsOver(played)) return played;
  const { tables, level } = following(played, rules, disqualified);
  let next = played;
  for (const teams of level) if (teams.length > 0) next = await drawTieBreak(next, teams);
  if (next !== played || tables.length === 1) return next;
  return drawPlayoffs(next, tables, rules.tieBreaks);
}

const areGroupsOver = ({ stage, match }: Snapshot) =>
  stage.every(({ type }) => type === "round_robin") && match.every((row) => standingOf(row) === "finished");

/** Works out where groups that are over lead to: their tables, and of each the teams that play a tie-break. */
function following(played: Snapshot, { tieBreaks, lastTieBreak }: TieBreakRules, disqualified: ReadonlySet<string>) {
  const tables = groupTables(played, tieBreaks).map((table) =>
    disqualifiedLast(table, ({ team }) => disqualified.has(team)),
  );
  const isFirst = played.stage.length === 1;
  const level =
    isFirst && lastTieBreak === "match" ? tables.map((table) => levelAtTheCut(table, qualifying(tables))) : [];
  return { tables, level };
}

/**
 * Takes away the tie-breaks and play-offs that would have other teams if one team had not been disqualified when they were
 * drawn.
 * @param disqualified who was disqualified when the groups were over, and when the tie-breaks were
 * @returns null where the disqualification has changed nothing
 */
export function drawnWithout(
  snapshot: Snapshot,
  team: string,
  rules: TieBreakRules,
  disqualified: { afterGroups: ReadonlySet<string>; afterTieBreaks: ReadonlySet<string> },
): Snapshot | null {
  const later = snapshot.stage.slice(1);
  const groups = later.reduce((left, { id }) => withoutStage(left, id), snapshot);
  if (hasOthersWithout(team, groups, rules, disqualified.afterGroups)) return groups;
  const playoffs = later.filter(({ type }) => type !== "round_robin");
  const tieBroken = playoffs.reduce((left, { id }) => withoutStage(left, id), snapshot);
  return hasOthersWithout(team, tieBroken, rules, disqualified.afterTieBreaks) ? tieBroken : null;
}

/** Whether other teams follow the groups if one is not disqualified. */
function hasOthersWithout(
  team: string,
  played: Snapshot,
  rules: TieBreakRules,
  disqualified: ReadonlySet<string>,
): boolean {
  if (!disqualified.has(team) || !areGroupsOver(played)) return false;
  const teamsWith = (out: ReadonlySet<string>) => {
    const { tables, level } = following(played, rules, out);
    if (level.some((teams) => teams.length > 0)) return level.join(";");
    return tables.length === 1 ? "" : seedPlayoffs(tables, rules.tieBreaks).join();
  };
  return teamsWith(disqualified) !== teamsWith(new Set([...disqualified].filter((id) => id !== team)));
}

/**
 * The teams of a group that are equal in everything while one of their places depends on it.
 * @param places so many of the group win something: the title, or a place in the play-offs
 */
function levelAtTheCut(table: readonly GroupStanding[], places: number): string[] {
  const isLevel = (index: number) => table[index]?.partedBy === "draw";
  if (!isLevel(places)) return [];
  let [first, last] = [places - 1, places];
  while (isLevel(first)) first--;
  while (isLevel(last + 1)) last++;
  return table.slice(first, last + 1).map(({ team }) => team);
}

/**
 * Which matches would lose what was played in them, too, if a match were opened again: those that its teams have gone on to,
 * finished or begun, the last first. After the groups of a round robin these are their tie-breaks and the play-offs, all of
 * them; after a tie-break the play-offs.
 * @returns their ids; the match's own is not among them
 */
export function hangingOn(snapshot: Snapshot, matchId: number): number[] {
  const matches = readMatches(snapshot);
  const start = matches.find(({ id }) => id === matchId);
  if (!start) return [];
  if (isInGroups(start)) {
    return latestFirst(matches.filter((match) => isAfter(match, start) && isAtStake(match.standing)));
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

const isInGroups = ({ part }: BracketMatch) => part === "group" || part === "tie-break";

/** Whether a match is there only because a match of the groups has ended as it did. */
const isAfter = ({ part }: BracketMatch, start: BracketMatch) =>
  part === "playoffs" || (part === "tie-break" && start.part === "group");

/** In such a match there is something to lose: a result, or what its captains have said so far. */
const isAtStake = (standing: Standing) => standing === "finished" || standing === "ready";

/** In the order in which they may be taken back: no match before those that wait for it. */
function latestFirst(matches: readonly BracketMatch[]): number[] {
  const order = (match: BracketMatch) =>
    // Round r of the winners' bracket comes before round 2r − 2 of the losers', which it feeds.
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
 * Opens a finished match again, and before it all that hangs on it (`hangingOn`); tie-breaks and play-offs of a round
 * robin are drawn anew when the groups are played again.
 * @throws MatchLocked when the match has no result
 */
export async function reopenMatch(stored: Snapshot, matchId: number): Promise<Snapshot> {
  const match = readMatches(stored).find(({ id }) => id === matchId);
  if (match?.standing !== "finished") throw new MatchLocked("The match has no result.");
  const finished = new Set(readMatches(stored).flatMap(({ id, standing }) => (standing === "finished" ? [id] : [])));
  const later = isInGroups(match) ? [] : hangingOn(stored, matchId).filter((id) => finished.has(id));
  const undone = [...later, matchId];
  const base = withoutScores(stored, new Set(undone));
  // Groups have no next match, but the library looks for one and finds somebody else's.
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

/** `reset.matchResults` leaves scores and forfeits where they are, and then takes the match for one that is being played. */
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
