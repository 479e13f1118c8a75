import { ordering } from "brackets-manager/dist/ordering";
import type { SeedOrdering } from "brackets-model";
import { type BracketMatch, readMatches } from "../../app/features/tournaments/bracket/matches";
import type { Snapshot } from "../../app/features/tournaments/bracket/snapshot";
import { drawnSeeds } from "./seeds";

/** The library's orderings for losers who drop into the losers' bracket. */
const ORDERS = [
  "natural",
  "reverse",
  "half_shift",
  "reverse_half_shift",
  "pair_flip",
] as const satisfies SeedOrdering[];

/** All orders in which a double elimination with `places` places can be drawn. The first round is always natural. */
export function allOrders(places: number): SeedOrdering[][] {
  let orders: SeedOrdering[][] = [["natural"]];
  for (let fallers = places / 4; fallers > 1; fallers /= 2) {
    orders = orders.flatMap((order) => ORDERS.map((next) => [...order, next]));
  }
  return orders;
}

/**
 * The earliest rematches of two teams in the losers' bracket of a double elimination. The number at index n counts the
 * pairs of teams that have n matches between their two meetings; the team with fewer matches decides.
 */
type Rematches = number[];

/** Compares two brackets: the one whose teams meet again later comes first. */
export function compareRematches(a: Rematches, b: Rematches): number {
  const index = a.findIndex((count, matches) => count !== b[matches]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number);
}

const firstLosersRound = (round: number) => Math.max(1, 2 * round - 2);

/**
 * Computes the same as `drawnRematches` without drawing a bracket, so that thousands of orders can be tried.
 * @param order the order of losers from each round of the winners' bracket but the last
 */
export function rematches(teams: number, order: readonly SeedOrdering[]): Rematches {
  const rounds = Math.ceil(Math.log2(teams));
  const places = 2 ** rounds;
  const seeds = drawnSeeds(places);
  const isPlayed = Array.from({ length: places / 2 }, (_, match) =>
    seeds.slice(2 * match, 2 * match + 2).every((seed) => seed <= teams),
  );
  // For each round of the winners' bracket, the match of the losers' bracket that each loser enters.
  const entries = Array.from({ length: rounds }, (_, index) => {
    const matches = Array.from({ length: places >> (index + 1) }, (_, match) => match);
    const method = ordering[order[index] ?? "natural"];
    const entry: number[] = [];
    (matches.length > 1 ? method(matches) : matches).forEach((match, at) => {
      entry[match] = index === 0 ? at >> 1 : at;
    });
    return entry;
  });
  const fallen = Array<number>(places / 4).fill(0);
  isPlayed.forEach((played, match) => {
    if (played) fallen[entries[0]?.[match] as number] = (fallen[entries[0]?.[match] as number] ?? 0) + 1;
  });
  const isReal = (round: number, match: number) =>
    round === 1 ? fallen[match] === 2 : round === 2 ? (fallen[match] ?? 0) > 0 : true;
  const counts: Rematches = Array(3 * rounds).fill(0);
  for (let first = 1; first < rounds; first++) {
    for (let match = 0; match < places >> first; match++) {
      if (first === 1 && !isPlayed[match]) continue;
      for (let second = first + 1; second <= rounds; second++) {
        let round = firstLosersRound(first);
        let [one, two] = [
          entries[first - 1]?.[match] as number,
          entries[second - 1]?.[match >> (second - first)] as number,
        ];
        let [played, playedByWinner] = [0, second - first];
        const advance = () => {
          if (isReal(round, one)) played++;
          if (round % 2 === 0) one >>= 1;
        };
        for (; round < firstLosersRound(second); round++) advance();
        for (; one !== two; round++) {
          if (isReal(round, two)) playedByWinner++;
          if (round % 2 === 0) two >>= 1;
          advance();
        }
        const between = Math.min(played, playedByWinner);
        counts[between] = (counts[between] ?? 0) + 1;
      }
    }
  }
  return counts;
}

/** Counts how soon two teams may meet again in a drawn bracket. */
export function drawnRematches(drawn: Snapshot): Rematches {
  const matches = readMatches(drawn);
  const winners = matches.filter(({ part }) => part === "winners");
  const rounds = winners[0]?.rounds as number;
  const isReal = ({ slots }: BracketMatch) => slots.every(({ isBye }) => !isBye);
  const goesTo = new Map(
    matches.flatMap((match) =>
      match.slots.flatMap(({ from }) => (from ? [[`${from.outcome} ${from.match}`, match] as const] : [])),
    ),
  );
  /** The matches that the loser of a match then plays in the losers' bracket, as long as that team keeps winning. */
  const losersPathOf = (match: BracketMatch) => {
    const way: BracketMatch[] = [];
    for (let next = goesTo.get(`loser ${match.id}`); next?.part === "losers"; next = goesTo.get(`winner ${next.id}`)) {
      way.push(next);
    }
    return way;
  };
  const counts: Rematches = Array(3 * rounds).fill(0);
  for (const first of winners.filter(isReal)) {
    const way = losersPathOf(first);
    for (
      let next = goesTo.get(`winner ${first.id}`);
      next?.part === "winners";
      next = goesTo.get(`winner ${next.id}`)
    ) {
      const other = losersPathOf(next);
      const meeting = other.find((match) => way.includes(match)) as BracketMatch;
      const before = (matchesOnWay: BracketMatch[]) =>
        matchesOnWay.slice(0, matchesOnWay.indexOf(meeting)).filter(isReal).length;
      const between = Math.min(before(way), next.round - first.round + before(other));
      counts[between] = (counts[between] ?? 0) + 1;
    }
  }
  return counts;
}
