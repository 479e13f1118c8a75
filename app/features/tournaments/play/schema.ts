import * as z from "zod";
import type { Side } from "#party/wire/tournament-commands";
import { MAPS } from "~/game/maps";
import {
  findScoreProblem,
  type MapResult,
  type MatchLength,
  mapsToPlay,
  mapsToWin,
  type ScoreProblem,
} from "~/game/scores";
import { multiLine } from "~/platform/forms/text";
import { MAX_REASON_LENGTH } from "../hosting/options";

/** Evidence of a dispute says at most so many characters. */
export const MAX_EVIDENCE_LENGTH = 2_000;

/** The maps of a form, as many as a match can have. */
const MAP_NUMBERS = [1, 2, 3, 4, 5] as const;

type MapNumber = (typeof MAP_NUMBERS)[number];

/** The fields of one map: its name, and the rounds of the two sides. */
export const mapFields = (number: MapNumber) =>
  ({ map: `map${number}`, left: `left${number}`, right: `right${number}` }) as const;

/** The maps that can be played in a match of such a length. */
export const mapNumbers = (length: MatchLength): readonly MapNumber[] => MAP_NUMBERS.slice(0, mapsToPlay(length));

const OUT_OF_DATE = "This form is out of date. Open it again.";

const rounds = z
  .string()
  .regex(/^\d{1,2}$/, "Rounds are a whole number, like 13.")
  .transform(Number)
  .optional();

const name = z.enum(MAPS, { error: "Choose a map from the list." }).optional();

/**
 * A match's score as a form holds it. The form says by itself how it shows the match: how many maps, which side starts one
 * map up, and which side stands on the left. The tournament's room looks at the score once more.
 */
const scoreForm = z.object({
  bestOf: z.enum(["1", "3", "5"], { error: OUT_OF_DATE }).transform(Number),
  leftSide: z.enum(["1", "2"], { error: OUT_OF_DATE }).transform(Number),
  advantage: z
    .enum(["1", "2"], { error: OUT_OF_DATE })
    .optional()
    .transform((side) => (side === undefined ? null : side === "1" ? 1 : 2)),
  map1: name,
  left1: rounds,
  right1: rounds,
  map2: name,
  left2: rounds,
  right2: rounds,
  map3: name,
  left3: rounds,
  right3: rounds,
  map4: name,
  left4: rounds,
  right4: rounds,
  map5: name,
  left5: rounds,
  right5: rounds,
});

type ScoreForm = z.output<typeof scoreForm>;

/** The fields of a score's form, with what they hold as text. */
export type ScoreFields = Record<keyof ScoreForm, string>;

/** @returns the maps by side 1 and 2; undefined once a problem was added to `context` */
function readScore(form: ScoreForm, context: z.RefinementCtx): MapResult[] | undefined {
  const { bestOf, advantage } = form;
  // As the form shows the sides: the left one first.
  const length: MatchLength = { bestOf, advantage: advantage && (advantage === form.leftSide ? 1 : 2) };
  const rows = rowsOf(form, length);
  const wrong = findFieldProblem(rows, length);
  if (!wrong) return form.leftSide === 1 ? playedMaps(rows) : turned(playedMaps(rows));
  context.addIssue({ code: "custom", path: [wrong.field], message: wrong.message });
  return undefined;
}

/** A captain's report, as the maps of side 1 and side 2. Maps without rounds were not played. */
export const reportSchema = scoreForm.transform((form, context) => {
  const maps = readScore(form, context);
  return maps ? { maps } : z.NEVER;
});

/** An organiser's decision: a score, or the side that forfeits. */
export const decisionSchema = scoreForm
  .extend({ decision: z.enum(["score", "forfeit-1", "forfeit-2"], { error: "Choose how it is decided." }) })
  .transform((form, context): { maps: MapResult[] } | { forfeits: Side } => {
    if (form.decision !== "score") return { forfeits: form.decision === "forfeit-1" ? 1 : 2 };
    const maps = readScore(form, context);
    return maps ? { maps } : z.NEVER;
  });

/** A map as a form holds it. */
interface Row {
  map: MapResult["map"];
  left: number | undefined;
  right: number | undefined;
}

/** What is wrong with a field. */
interface FieldProblem {
  field: keyof ScoreForm;
  message: string;
}

const rowsOf = (form: ScoreForm, length: MatchLength): Row[] =>
  mapNumbers(length).map((number) => {
    const { map, left, right } = mapFields(number);
    return { map: form[map] ?? null, left: form[left], right: form[right] };
  });

const isEmpty = ({ left, right }: Row) => left === undefined && right === undefined;

const playedMaps = (rows: readonly Row[]): MapResult[] =>
  rows
    .filter((played) => !isEmpty(played))
    .map(({ map, left, right }) => ({ map, rounds: [left as number, right as number] }));

function findFieldProblem(rows: readonly Row[], length: MatchLength): FieldProblem | null {
  for (const [index, played] of rows.entries()) {
    const { left, right } = mapFields((index + 1) as MapNumber);
    if (isEmpty(played)) {
      if (rows.slice(index).every(isEmpty)) break;
      return { field: left, message: "Later maps have a score: this one needs one, too." };
    }
    if (played.left === undefined || played.right === undefined) {
      return { field: played.left === undefined ? left : right, message: "Enter the rounds of both sides." };
    }
  }
  const maps = playedMaps(rows);
  const problem = findScoreProblem(maps, length);
  if (!problem) return null;
  const fields = mapFields(((problem.map ?? maps.length) + 1) as MapNumber);
  return {
    field: problem.problem === "same-map" ? fields.map : fields.left,
    message: PROBLEMS[problem.problem](length),
  };
}

const PROBLEMS: Record<ScoreProblem["problem"], (length: MatchLength) => string> = {
  "not-a-map-score": () => "A map ends at 13 rounds; after 12 to 12, two rounds ahead.",
  "played-on": () => "The match was decided before this map. Leave it empty.",
  "same-map": () => "This map was played before. Choose another one.",
  "too-many-maps": (length) => `No more than ${mapsToPlay(length)} maps are played here.`,
  unfinished: ({ bestOf, advantage }) =>
    bestOf === 1
      ? "Enter how the map ended."
      : advantage === null
        ? `Nobody has won yet: it takes ${mapsToWin(bestOf)} maps. Enter this one.`
        : `Nobody has won yet: it takes ${mapsToWin(bestOf)} maps, with the one up from the start. Enter this one.`,
};

/** The same maps with the sides the other way round. */
export const turned = (maps: readonly MapResult[]): MapResult[] =>
  maps.map(({ map, rounds: [one, two] }) => ({ map, rounds: [two, one] }));

/** A captain's complaint. */
export const disputeSchema = z.object({
  evidence: multiLine({ max: MAX_EVIDENCE_LENGTH, name: "evidence" })
    .optional()
    .transform((text) => text ?? "")
    .refine((text) => text !== "", "Say what happened."),
});

const WHY = "Say why: the team and the organisers read it.";

/** Why a team is disqualified; or that it no longer is. */
export const disqualificationSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("disqualify"),
    reason: z
      .string({ error: WHY })
      .pipe(multiLine({ max: MAX_REASON_LENGTH, name: "reason" }).refine((text) => text !== "", WHY)),
  }),
  z.object({ intent: z.literal("reinstate") }),
]);

/** Which matches the page has said would be reopened, too. */
export const reopenSchema = z.object({
  expects: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .optional()
    .transform((list) => list?.split(",").map(Number) ?? []),
});

/** The buttons of a match's page. What is confirmed is the report that the page has shown, or nothing. */
export const matchButtonSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["check-in", "claim", "join-chat"]) }),
  z.object({ type: z.literal("confirm"), expects: z.coerce.number().catch(0) }),
]);

export type MatchButton = z.output<typeof matchButtonSchema>["type"];
