/** How teams of a group that have won as many matches are parted, one step after the other. */
export type Step =
  /** A team that forfeited a match stands behind. */
  | "forfeit"
  /** Matches won against the other level teams. */
  | "head-to-head"
  | "map-difference"
  | "round-difference"
  | "maps-won"
  | "rounds-won"
  /** A match between the level teams, after all others. */
  | "tie-break"
  /** The seeding, which is drawn at the start. */
  | "draw";

/** The orders that a host can choose from, the usual one first. The steps that aren't named follow: `stepsOf`. */
export const TIE_BREAKS = [
  "head-to-head,map-difference,round-difference",
  "head-to-head,round-difference,map-difference",
  "map-difference,head-to-head,round-difference",
  "map-difference,round-difference,head-to-head",
  "round-difference,head-to-head,map-difference",
  "round-difference,map-difference,head-to-head",
] as const;

/**
 * A tournament's tie-breaks. `legacy` is what tournaments keep that began before there was a choice: rounds and forfeited
 * matches count nothing, and play-offs are seeded by the groups' letters.
 */
export type TieBreaks = (typeof TIE_BREAKS)[number] | "legacy";

/** What decides where teams are equal in everything, and the title or a place in the play-offs depends on it. */
export const LAST_TIE_BREAKS = ["match", "draw"] as const;

export type LastTieBreak = (typeof LAST_TIE_BREAKS)[number];

/** Both choices of a tournament. */
export interface TieBreakRules {
  tieBreaks: TieBreaks;
  lastTieBreak: LastTieBreak;
}

export const DEFAULT_TIE_BREAKS = TIE_BREAKS[0];

/** What players call the steps. */
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

/** The steps that play decides, in their order. */
export function stepsOf(tieBreaks: TieBreaks): Step[] {
  if (tieBreaks === "legacy") return ["head-to-head", "map-difference", "maps-won"];
  return ["forfeit", ...(tieBreaks.split(",") as Step[]), "maps-won", "rounds-won"];
}

/** An order as a host chooses it: "Head-to-head, map difference, round difference". */
export function sayOrder(tieBreaks: (typeof TIE_BREAKS)[number]): string {
  const text = tieBreaks
    .split(",")
    .map((step) => STEP_NAMES[step as Step])
    .join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** All steps for the reader: "head-to-head, then map difference, …, and at last the draw". */
export function sayTieBreaks({ tieBreaks, lastTieBreak }: TieBreakRules): string {
  const steps = stepsOf(tieBreaks).filter((step) => step !== "forfeit");
  const last =
    lastTieBreak === "match" ? "a tie-break match where a place depends on it, or else the draw" : "the draw";
  return `${steps.map((step) => STEP_NAMES[step]).join(", then ")}, and at last ${last}`;
}
