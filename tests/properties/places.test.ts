import fc from "fast-check";
import { expect, test } from "vitest";
import { LAST_TIE_BREAKS, TIE_BREAKS } from "#db/words/tie-breaks";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import { groupTables } from "~/features/tournaments/bracket/standings";
import type { PlayMatch, PlayState, PlayTeam } from "~/features/tournaments/play/state";
import { Game, ORGANISER, openTournament } from "../support/play-state";

/*
 * The final places of tournaments that are played at random through the product's commands, disqualifications included.
 * A team may rank above one that it lost to, but only if a step of the ranking (`stepBetween`) puts it there.
 */

type Roll = (sides: number) => number;

/**
 * Plays a tournament to its end. One in ten matches is forfeited, and up to `disqualified` teams are disqualified on
 * the way.
 */
async function playOut(game: Game, roll: Roll, disqualified: number): Promise<void> {
  let left = disqualified;
  for (;;) {
    const ready = game.state.matches.filter(({ state }) => state === "ready");
    const next = ready[roll(ready.length)];
    if (!next) return;
    if (left > 0 && roll(6) === 0) {
      left -= 1;
      const team = game.state.teams[roll(game.state.teams.length)]?.id as string;
      await game.attempt(ORGANISER, { type: "disqualify", team, reason: "Cheated." });
    } else if (roll(10) === 0) {
      await game.execute(ORGANISER, { type: "rule", match: next.id, forfeits: roll(2) === 0 ? 1 : 2 });
    } else {
      const lost = roll(3) + 10;
      const rounds: [number, number] = roll(2) === 0 ? [13, lost - 1] : [lost - 1, 13];
      await game.execute(ORGANISER, { type: "rule", match: next.id, maps: [{ map: null, rounds }] });
    }
  }
}

const loserOf = ({ team1, team2, winner }: PlayMatch) => (winner === 1 ? team2 : team1) as string;
const winnerOf = ({ team1, team2, winner }: PlayMatch) => (winner === 1 ? team1 : team2) as string;
const isTableMatch = ({ part }: PlayMatch) => part === "group" || part === "tie-break";

/**
 * The progress of a team in a bracket: the round in which it was knocked out, numbered within its part of the bracket.
 * Zero for a team that played only in groups, 1 000 for the loser of the grand final, infinite for the champion.
 */
function progressOf({ matches }: PlayState, team: string): number {
  const bracket = matches.filter((match) => match.state === "finished" && !isTableMatch(match));
  const lost = bracket.filter((match) => match.part !== "third-place" && loserOf(match) === team);
  const isIn = bracket.some(({ team1, team2 }) => team1 === team || team2 === team);
  // The loser of the first grand final may still play the second, so go by the last one.
  const grandFinal = bracket.findLast(({ part }) => part === "grand-final");
  if (grandFinal?.team1 === team || grandFinal?.team2 === team) {
    return loserOf(grandFinal) === team ? 1_000 : Number.POSITIVE_INFINITY;
  }
  const last = lost.findLast(({ part }) => part !== "winners");
  if (!last) return isIn ? Number.POSITIVE_INFINITY : 0;
  return last.round;
}

/** The step that puts one team above another; null if there is none. */
function stepBetween(state: PlayState, upper: PlayTeam, lower: PlayTeam): string | null {
  if (lower.disqualification) {
    if (!upper.disqualification) return "disqualified";
    return upper.disqualification.at > lower.disqualification.at ? "disqualified first" : null;
  }
  const [above, below] = [progressOf(state, upper.id), progressOf(state, lower.id)];
  if (above !== below) return above > below ? "came further" : null;
  const finished = state.matches.filter((match) => match.state === "finished");
  const third = finished.find(({ part }) => part === "third-place");
  if (third && winnerOf(third) === upper.id && loserOf(third) === lower.id) return "third-place match";
  const gaveUp = (team: PlayTeam) =>
    finished.some(
      (match) =>
        !isTableMatch(match) && match.part !== "winners" && match.forfeit !== null && loserOf(match) === team.id,
    );
  if (above > 0) return gaveUp(lower) && !gaveUp(upper) ? "forfeit" : null;
  for (const table of groupTables(state.snapshot as Snapshot, state.tieBreaks)) {
    const [first, last] = [upper, lower].map(({ id }) => table.findIndex(({ team }) => team === id)) as [
      number,
      number,
    ];
    if (first < 0 || last < 0) continue;
    if ((table[first]?.won ?? 0) > (table[last]?.won ?? 0)) return "wins";
    return first < last
      ? (table.slice(first + 1, last + 1).find(({ separatedBy }) => separatedBy)?.separatedBy ?? null)
      : null;
  }
  return null;
}

const FORMATS = {
  "single elimination": { format: "single_elimination", thirdPlace: "no" },
  "single elimination with a third-place match": { format: "single_elimination", thirdPlace: "yes" },
  "double elimination": { format: "double_elimination" },
  "round robin": { format: "round_robin", groupSize: 8 },
  "round robin with play-offs": { format: "round_robin", groupSize: 3 },
} as const satisfies Record<string, Partial<PlayState>>;

test.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])(
  "in a %s, a step of the ranking explains each team that ranks above one that beat it",
  async (name) => {
    await fc.assert(
      fc.asyncProperty(
        name === "round robin"
          ? fc.integer({ min: 2, max: 7 })
          : fc.integer({ min: name === "round robin with play-offs" ? 6 : 2, max: 16 }),
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom(...TIE_BREAKS),
        fc.constantFrom(...LAST_TIE_BREAKS),
        fc.infiniteStream(fc.nat({ max: 0xffff })),
        async (count, disqualified, tieBreaks, lastTieBreak, dice) => {
          const game = new Game(openTournament(count, { ...FORMATS[name], tieBreaks, lastTieBreak }));
          await game.start();
          await playOut(game, (sides) => (dice.next().value as number) % Math.max(1, sides), disqualified);
          const { state } = game;
          expect(state.state).toBe("finished");
          const teams = new Map(state.teams.map((team) => [team.id, team]));
          const place = (team: PlayTeam) => team.place as number;
          for (const match of state.matches.filter((one) => one.state === "finished")) {
            const [winner, loser] = [teams.get(winnerOf(match)), teams.get(loserOf(match))] as [PlayTeam, PlayTeam];
            if (place(loser) >= place(winner)) continue;
            const step = stepBetween(state, loser, winner);
            expect(step, `${loser.id} above ${winner.id}, to whom it lost match ${match.id}`).not.toBeNull();
          }
          const champion = state.teams.find(({ id }) => id === state.winnerTeamId) as PlayTeam;
          expect([place(champion), champion.disqualification]).toEqual([1, null]);
          // A disqualified team may rank above one that isn't disqualified, but only if a step of the ranking says why.
          for (const upper of state.teams.filter(({ disqualification }) => disqualification)) {
            for (const lower of state.teams) {
              if (lower.disqualification || place(upper) >= place(lower)) continue;
              expect(stepBetween(state, upper, lower), `${upper.id}, disqualified, above ${lower.id}`).not.toBeNull();
            }
          }
        },
      ),
      // With a fixed seed, every run repeats the same cases. Thousands of others were tried once to find rare failures.
      { numRuns: 100, seed: 14 },
    );
  },
);
