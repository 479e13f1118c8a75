import type { Group, Match, ParticipantResult, Round, Stage } from "brackets-model";
import type { Part } from "#db/words/match-parts";
import { byId, type SideResult, type Snapshot } from "./snapshot";

/** One side of a match: its team, or the match that the team will come from. */
export interface Slot {
  /** The team's id; null while it isn't known, and for a bye. */
  team: string | null;
  /** Whether this side is a bye. */
  isBye: boolean;
  /** The match that this side's team comes from; null where the seeding decides the team. */
  from: { match: number; outcome: "winner" | "loser" } | null;
  /** Maps won; null while the match isn't decided, and in a forfeit. */
  score: number | null;
  /**
   * Rounds won over all maps; null while the match isn't decided, and if nobody entered them. A forfeit counts as 13 to
   * 0 on each map needed to win.
   */
  rounds: number | null;
  won: boolean;
  /** Lost by forfeit. */
  forfeited: boolean;
}

/**
 * - `waiting`: a team isn't known yet
 * - `ready`: both teams are known
 * - `finished`
 * - `bye`: one side is empty, so the other goes on without playing
 * - `idle`: never played (two byes, or a second grand final that isn't needed)
 */
export type MatchStatus = "waiting" | "ready" | "finished" | "bye" | "idle";

/** One match of a bracket, with its current state. */
export interface BracketMatch {
  /** Its number in the tournament, from 0. */
  id: number;
  part: Part;
  /** The number of its group, from 1, in a round robin and its tie-break; 1 elsewhere. */
  group: number;
  /** From 1. */
  round: number;
  /** Number of rounds in its part. */
  rounds: number;
  /** Its position among the played matches of its round, from 1; 0 for a bye or a match that is never played. */
  number: number;
  slots: [Slot, Slot];
  status: MatchStatus;
}

/** All matches of a snapshot, in the order in which they can be played. */
export function readMatches(snapshot: Snapshot): BracketMatch[] {
  const names = new Map(snapshot.participant.map(({ id, name }) => [id, name]));
  const places = new Map(placesOf(snapshot).map((place) => [place.match.id as number, place]));
  const find = finder([...places.values()]);
  const second = [...places.values()].find(({ part, round }) => part === "grand-final" && round === 2);
  const first = second && find("grand-final", 1, 1);
  const counted = new Map<string, number>();
  const nextNumber = (key: string) => {
    const number = (counted.get(key) ?? 0) + 1;
    counted.set(key, number);
    return number;
  };
  return [...places.values()].map(({ match, part, group, round, rounds, stage }) => {
    const sources = sourcesOf({ match, part, group, round, stage }, find);
    // The library leaves the second grand final unchanged when the first one decides the tournament.
    const isUnneeded = match === second?.match && first?.opponent1?.result === "win";
    const status = isUnneeded ? "idle" : statusOf(match);
    return {
      id: match.id as number,
      part,
      group,
      round,
      rounds,
      number: status === "bye" || status === "idle" ? 0 : nextNumber(`${part}:${group}:${round}`),
      slots: [
        readSlot(isUnneeded ? { id: null } : match.opponent1, sources[0], names),
        readSlot(isUnneeded ? { id: null } : match.opponent2, sources[1], names),
      ],
      status,
    };
  });
}

/**
 * Reads one side of a match. The library writes `null` for no opponent, and `{ id: null }` for one that isn't known
 * yet.
 */
function readSlot(opponent: ParticipantResult | null, from: Slot["from"], names: Map<unknown, string>): Slot {
  const team = opponent?.id === null || opponent?.id === undefined ? null : (names.get(opponent.id) ?? null);
  return {
    team,
    isBye: opponent === null,
    from,
    score: opponent?.score ?? null,
    rounds: (opponent as SideResult | null)?.rounds ?? null,
    won: team !== null && opponent?.result === "win",
    forfeited: opponent?.forfeit === true,
  };
}

/**
 * Reads the status of one of the library's matches. It can't recognise an unneeded second grand final, because that
 * depends on the first one.
 */
export function statusOf({ opponent1: one, opponent2: two }: Pick<Match, "opponent1" | "opponent2">): MatchStatus {
  if (one === null && two === null) return "idle";
  if (one === null || two === null) return "bye";
  if (one.result || two.result) return "finished";
  return one.id === null || two.id === null ? "waiting" : "ready";
}

interface Place {
  match: Match;
  part: Part;
  group: number;
  round: number;
  rounds: number;
  stage: number;
}

function placesOf(snapshot: Snapshot): Place[] {
  const stages = byId<Stage>(snapshot.stage);
  const groups = byId<Group>(snapshot.group);
  const rounds = byId<Round>(snapshot.round);
  const roundCount = new Map<number, number>();
  for (const { group_id, number } of snapshot.round) {
    roundCount.set(group_id as number, Math.max(number, roundCount.get(group_id as number) ?? 0));
  }
  const groupOf = groupsOfTeams(snapshot, groups);
  return snapshot.match.map((match) => {
    const stage = stages.get(match.stage_id as number) as Stage;
    const group = groups.get(match.group_id as number) as Group;
    const round = rounds.get(match.round_id as number) as Round;
    const part = partOf(stage, group);
    // The third-place match is played alongside the final, so it counts as the same round.
    const lastRound = part === "third-place" ? Math.max(...roundCount.values()) : null;
    return {
      match,
      part,
      group: part === "group" ? group.number : part === "tie-break" ? groupOf(match.opponent1?.id) : 1,
      round: lastRound ?? round.number,
      rounds: lastRound ?? (roundCount.get(group.id as number) as number),
      stage: stage.number,
    };
  });
}

/**
 * Returns a function that finds the group a team played in. A tie-break is a stage of its own, which doesn't name the
 * group it belongs to.
 */
function groupsOfTeams(snapshot: Snapshot, groups: ReadonlyMap<number, Group>) {
  const [first] = snapshot.stage;
  const hasTieBreaks = snapshot.stage.filter(({ type }) => type === "round_robin").length > 1;
  const numbers = new Map(
    (hasTieBreaks ? snapshot.match : []).flatMap(({ stage_id, group_id, opponent1, opponent2 }) =>
      stage_id === first?.id
        ? [opponent1, opponent2].map((side) => [side?.id, (groups.get(group_id as number) as Group).number] as const)
        : [],
    ),
  );
  return (id: ParticipantResult["id"] | undefined) => numbers.get(id) ?? 1;
}

function partOf(stage: Stage, group: Group): Part {
  if (stage.type === "round_robin") return stage.number > 1 ? "tie-break" : "group";
  if (stage.number > 1) return "playoffs";
  if (stage.type === "single_elimination") return group.number === 1 ? "bracket" : "third-place";
  return (["winners", "losers", "grand-final"] as const)[group.number - 1] as Part;
}

type Find = (part: Part, round: number, number: number) => Match | undefined;

function finder(places: readonly Place[]): Find {
  const index = new Map(places.map(({ match, part, round }) => [`${part}:${round}:${match.number}`, match]));
  return (part, round, number) => index.get(`${part}:${round}:${number}`);
}

/** Finds the matches that the two sides come from, by the library's own rules. */
function sourcesOf(
  { match, part, round }: Pick<Place, "match" | "part" | "group" | "round" | "stage">,
  find: Find,
): [Slot["from"], Slot["from"]] {
  const from = (outcome: "winner" | "loser", source: Match | undefined) =>
    source ? { match: source.id as number, outcome } : null;
  const pair = (of: Part) =>
    [1, 0].map((back) => from("winner", find(of, round - 1, 2 * match.number - back))) as [Slot["from"], Slot["from"]];
  /** The match of the winners' bracket whose loser drops into this match: `position` is its number in the round. */
  const dropped = (opponent: ParticipantResult | null, winnersRound: number) =>
    from("loser", opponent?.position === undefined ? undefined : find("winners", winnersRound, opponent.position));
  if (part === "group" || part === "tie-break") return [null, null];
  if (part === "losers") {
    if (round === 1) return [dropped(match.opponent1, 1), dropped(match.opponent2, 1)];
    if (round % 2 === 1) return pair("losers");
    return [dropped(match.opponent1, round / 2 + 1), from("winner", find("losers", round - 1, match.number))];
  }
  if (part === "grand-final" && round === 1) {
    const winners = lastOf(find, "winners");
    const losers = lastOf(find, "losers");
    return [from("winner", winners), from("winner", losers)];
  }
  if (part === "grand-final") {
    const first = find("grand-final", 1, 1);
    // The second grand final is played only if the second side won the first one.
    return [from("loser", first), from("winner", first)];
  }
  if (part === "third-place") {
    return [from("loser", find("bracket", round - 1, 1)), from("loser", find("bracket", round - 1, 2))];
  }
  return round === 1 ? [null, null] : pair(part);
}

/** The match that decides a part. */
function lastOf(find: Find, part: Part): Match | undefined {
  let last: Match | undefined;
  for (let round = 1; ; round++) {
    const match = find(part, round, 1);
    if (!match) return last;
    last = match;
  }
}
