import type { LastTieBreak, TIE_BREAKS, TieBreaks } from "#db/words/tie-breaks";

/** A step to separate a group's teams that are level on wins. Tournaments apply their steps one after the other. */
export type Step =
  /** A team that forfeited a match ranks below the others. */
  | "forfeit"
  /** Matches won against the other level teams. */
  | "head-to-head"
  | "map-difference"
  | "round-difference"
  | "maps-won"
  | "rounds-won"
  /** Matches between the level teams, played after all others. */
  | "tie-break"
  /** The seeding: the better seed ranks first. */
  | "draw";

/** A tournament's two choices about tie-breaks. */
export interface TieBreakRules {
  tieBreaks: TieBreaks;
  lastTieBreak: LastTieBreak;
}

/** The names that players use for the steps. */
export const STEP_NAMES: Record<Step, string> = {
  forfeit: "forfeits",
  "head-to-head": "head-to-head",
  "map-difference": "map difference",
  "round-difference": "round difference",
  "maps-won": "maps won",
  "rounds-won": "rounds won",
  "tie-break": "a tie-break match",
  draw: "the draw",
};

/** Returns the steps that compare results of the group's matches, in their order. */
export function stepsOf(tieBreaks: TieBreaks): Step[] {
  if (tieBreaks === "legacy") return ["head-to-head", "map-difference", "maps-won"];
  return ["forfeit", ...(tieBreaks.split(",") as Step[]), "maps-won", "rounds-won"];
}

/** An order as a host chooses it, short enough for a phone's select: "Head-to-head, maps, rounds". */
export function sayOrder(tieBreaks: (typeof TIE_BREAKS)[number]): string {
  const text = tieBreaks
    .split(",")
    .map((step) => STEP_NAMES[step as Step].replace(/^(map|round) difference$/, "$1s"))
    .join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** All steps in words: "forfeits first, then head-to-head, then map difference, …, and finally the draw". */
export function sayTieBreaks({ tieBreaks, lastTieBreak }: TieBreakRules): string {
  const steps = stepsOf(tieBreaks).map((step) => (step === "forfeit" ? "forfeits first" : STEP_NAMES[step]));
  const last =
    lastTieBreak === "match" ? "a tie-break match where a place depends on it, otherwise the draw" : "the draw";
  return `${steps.join(", then ")}, and finally ${last}`;
}
