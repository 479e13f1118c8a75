import { DEFAULT_TIE_BREAKS, type LastTieBreak } from "#db/words/tie-breaks";
import type { Format, GrandFinal, ThirdPlace } from "#db/words/tournament-formats";

/* The host's options and their defaults. */

export const TEAM_SIZES = [1, 2, 3, 5] as const;
/** Maps per match. */
export const BEST_OF = [1, 3, 5] as const;
/** Minutes; 0 for none. */
export const CHECK_IN_WINDOWS = [0, 15, 30, 60] as const;
/** Teams per group in a round robin. */
export const GROUP_SIZE = { min: 3, max: 16 } as const;
export const PARTICIPANTS = { min: 2, max: 256 } as const;

export const MAX_TITLE_LENGTH = 100;
export const MAX_DESCRIPTION_LENGTH = 2_000;
export const MAX_RULES_LENGTH = 10_000;
export const MAX_REASON_LENGTH = 500;

export const SEEDING_NAMES = { random: "Random", rank: "By rank", manual: "By hand" } as const;

export const THIRD_PLACE_NAMES = { automatic: "Automatic", yes: "Yes", no: "No" } as const satisfies Record<
  ThirdPlace,
  string
>;

export const GRAND_FINAL_NAMES = {
  reset: "With reset",
  advantage: "With advantage",
  single: "Single match",
} as const satisfies Record<GrandFinal, string>;

/** The way in which a full tie is broken when the title or a place in the play-offs depends on it. */
export const LAST_TIE_BREAK_NAMES = { match: "Play a tie-break match", draw: "Leave it to the draw" } as const;

export const DEFAULTS = {
  format: "single_elimination" satisfies Format,
  teamSize: 5,
  bestOf: 1,
  finalBestOf: 3,
  grandFinal: "reset",
  groupSize: 4,
  thirdPlace: "automatic",
  checkInMinutes: 30,
  seeding: "random",
  tieBreaks: DEFAULT_TIE_BREAKS,
  lastTieBreak: "match" satisfies LastTieBreak,
} as const;

/** The labels of a tournament's fields, in the form and in the log. */
export const FIELD_LABELS = {
  title: "Title",
  description: "Description",
  entryFee: "Entry Fee",
  prizePool: "Prize Pool",
  maxParticipants: "Max Participants",
  minRank: "Minimum Rank",
  maxRank: "Maximum Rank",
  tournamentDate: "Tournament Date",
  registrationDeadline: "Registration Deadline",
  format: "Format",
  teamSize: "Team Size",
  grandFinal: "Grand Final",
  thirdPlace: "Third-place Match",
  groupSize: "Group Size",
  tieBreaks: "Tie-breaks",
  lastTieBreak: "Last Tie-break",
  bestOf: "Early Rounds",
  quarterBestOf: "Quarter-finals",
  semiBestOf: "Semi-finals",
  lowerFinalBestOf: "Losers' Final",
  finalBestOf: "Final",
  checkInMinutes: "Check-in Window",
  region: "Region",
  rules: "Rules",
  seeding: "Seeding",
} as const;

export type TournamentField = keyof typeof FIELD_LABELS;

/** The heading above the `MATCH_LENGTH_FIELDS`. */
export const MATCH_LENGTH = "Match Length";

/** The fields for the number of maps in each stage's matches. */
export const MATCH_LENGTH_FIELDS = [
  "bestOf",
  "quarterBestOf",
  "semiBestOf",
  "lowerFinalBestOf",
  "finalBestOf",
] as const satisfies readonly TournamentField[];

/** Fields that apply to one format only. */
const FORMAT_OF: Partial<Record<TournamentField, Format>> = {
  thirdPlace: "single_elimination",
  grandFinal: "double_elimination",
  lowerFinalBestOf: "double_elimination",
  groupSize: "round_robin",
  tieBreaks: "round_robin",
  lastTieBreak: "round_robin",
};

/** Whether a field applies to a format. */
export const fitsFormat = (field: TournamentField, format: Format): boolean => (FORMAT_OF[field] ?? format) === format;
