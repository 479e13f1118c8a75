import type { Format, GrandFinal } from "#db/words/tournament-formats";
import type { MatchLength } from "~/game/scores";
import type { BracketMatch } from "../bracket/matches";

/** The stages of a tournament. The host chooses the number of maps for each stage's matches. */
const STAGES = ["early", "quarter", "semi", "lower-final", "final"] as const;

type Stage = (typeof STAGES)[number];

/** The lengths of a tournament's matches: best of 1, 3 or 5. Null stands for the length of the early rounds. */
export interface MatchLengths {
  /** Of the early rounds, which include every group match. */
  bestOf: number;
  quarterBestOf: number | null;
  semiBestOf: number | null;
  /** Of the losers' final. */
  lowerFinalBestOf: number | null;
  /** Of the final, or the grand final. */
  finalBestOf: number;
  grandFinal: GrandFinal;
}

const FIELDS = {
  early: "bestOf",
  quarter: "quarterBestOf",
  semi: "semiBestOf",
  "lower-final": "lowerFinalBestOf",
  final: "finalBestOf",
} as const satisfies Record<Stage, keyof MatchLengths>;

type Placed = Pick<BracketMatch, "part" | "round" | "rounds">;

/**
 * The stage that a match belongs to, by the number of rounds after it:
 * - single elimination and play-offs: final, semi-finals, quarter-finals; the third-place match counts as a semi-final
 * - winners' bracket: its final and the round before count as semi-finals, the round before those as quarter-finals
 * - losers' bracket: lower final, semi-final, quarter-finals
 * - groups and tie-breaks: early rounds
 */
export function stageOf({ part, round, rounds }: Placed): Stage {
  const left = rounds - round;
  switch (part) {
    case "group":
    case "tie-break":
      return "early";
    case "grand-final":
      return "final";
    case "third-place":
      return "semi";
    case "winners":
      return left < 2 ? "semi" : left === 2 ? "quarter" : "early";
    case "losers":
      return (["lower-final", "semi", "quarter"] as const)[left] ?? "early";
    case "bracket":
    case "playoffs":
      return (["final", "semi", "quarter"] as const)[left] ?? "early";
    default:
      return part satisfies never;
  }
}

/** The best-of of a stage. */
const bestOfStage = (stage: Stage, lengths: MatchLengths): number => lengths[FIELDS[stage]] ?? lengths.bestOf;

/** Returns a match's length. The winners' side, which may start one map up, is side 1 of the grand final. */
export const lengthOf = (match: Placed, lengths: MatchLengths): MatchLength => ({
  bestOf: bestOfStage(stageOf(match), lengths),
  advantage: lengths.grandFinal === "advantage" && match.part === "grand-final" ? 1 : null,
});

/** Explains the stages of a double elimination. In the other formats, their names are clear enough. */
export const DOUBLE_ELIMINATION_STAGES =
  "Semi-finals are the winners' final, the two matches before it, and the match before the losers' final. Quarter-finals are the round before those, in both brackets.";

const STAGE_NAMES: Record<Exclude<Stage, "early">, string> = {
  quarter: "quarter-finals",
  semi: "semi-finals",
  "lower-final": "losers' final",
  final: "final",
};

/** All lengths in words: "Best of 1; quarter-finals and semi-finals best of 3; grand final best of 5". */
export function sayLengths(format: Format, lengths: MatchLengths): string {
  const isDouble = format === "double_elimination";
  const groups = new Map<number, string[]>();
  for (const stage of STAGES) {
    const bestOf = bestOfStage(stage, lengths);
    if (stage === "early" || bestOf === lengths.bestOf || (stage === "lower-final" && !isDouble)) continue;
    const name = stage === "final" && isDouble ? "grand final" : STAGE_NAMES[stage];
    groups.set(bestOf, [...(groups.get(bestOf) ?? []), name]);
  }
  const list = new Intl.ListFormat("en-GB", { type: "conjunction" });
  const others = [...groups].map(([bestOf, names]) => `${list.format(names)} best of ${bestOf}`);
  const where = format === "round_robin" && others.length > 0 ? "in any play-offs, " : "";
  return [`Best of ${lengths.bestOf}`, `${where}${others.join("; ")}`].filter(Boolean).join("; ");
}
