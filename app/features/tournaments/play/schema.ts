import * as z from "zod";
import type { ShownMatch, Side } from "#party/wire/tournament-commands";
import { MAPS } from "~/game/maps";
import {
  findScoreProblem,
  type MapResult,
  type MatchLength,
  mapsToPlay,
  mapsToWin,
  type ScoreProblem,
} from "~/game/scores";
import type { FormReply } from "~/platform/forms/forms";
import { multiLine } from "~/platform/forms/text";
import { MAX_REASON_LENGTH } from "../hosting/options";
import type { MatchState } from "./state";

/** Maximum length of a dispute's evidence, in characters. */
export const MAX_EVIDENCE_LENGTH = 2_000;

/** The numbers of a form's maps, up to the most that a match can have. */
const MAP_NUMBERS = [1, 2, 3, 4, 5] as const;

type MapNumber = (typeof MAP_NUMBERS)[number];

/** The fields of one map: its name, and the rounds of the two sides. */
export const mapFields = (number: MapNumber) =>
  ({ map: `map${number}`, left: `left${number}`, right: `right${number}` }) as const;

/** The numbers of the maps that a match of this length can have. */
export const mapNumbers = (length: MatchLength): readonly MapNumber[] => MAP_NUMBERS.slice(0, mapsToPlay(length));

/**
 * The value of a form's hidden field `shown`, which describes the match as its page shows it: the ids of its two teams
 * (side 1 first), the times when it was called and reported, and whether it is disputed.
 */
export const writeShown = ({
  teams,
  readyAt,
  reportedAt,
  state,
}: {
  teams: readonly ({ id: string } | null)[];
  readyAt: Date | null;
  reportedAt: Date | null;
  state: MatchState;
}): string =>
  [
    ...teams.map((team) => team?.id ?? ""),
    ...[readyAt, reportedAt].map((time) => time?.getTime() ?? 0),
    state === "disputed" ? 1 : 0,
  ].join();

/** The part of a value of `writeShown` that says which game it is: the two teams, and when they were called. */
export const gameOf = (shown: string): string => shown.split(",", 3).join();

/**
 * The value of the hidden field `shown` for a form with this reply. After a refusal, what the form holds still belongs
 * to the match as the form showed it, even if the page has loaded a newer state (as it does without JavaScript), unless
 * the refusal was about just that.
 * @param shown the match as the page shows it now
 */
export const shownIn = (reply: FormReply | undefined, shown: string): string =>
  reply?.result.initialValue && !reply.isOutdated ? String(reply.result.initialValue.shown ?? "") : shown;

/** Pages that were loaded before this field existed send none; somewhat later ones may send only its first parts. */
const shown = z
  .string()
  .max(120)
  .optional()
  .transform((value): ShownMatch | undefined => {
    const [one = "", two = "", readyAt, reportedAt, isDisputed] = value?.split(",") ?? [];
    return value === undefined
      ? undefined
      : {
          teams: [one, two],
          readyAt: Number(readyAt) || null,
          ...(reportedAt && { reportedAt: Number(reportedAt) || null }),
          ...(isDisputed && { isDisputed: isDisputed === "1" }),
        };
  });

const OUT_OF_DATE = "This form is out of date. Open it again.";

const rounds = z
  .string()
  .regex(/^\d{1,2}$/, "Enter a whole number, like 13.")
  .transform(Number)
  .optional();

const name = z.enum(MAPS, { error: "Choose a map from the list." }).optional();

/**
 * A match's score, as submitted by its form. The form includes how it showed the match: the number of maps, the side
 * that starts one map up, and the side on the left. The tournament's room checks the score again.
 */
const scoreForm = z.object({
  bestOf: z.enum(["1", "3", "5"], { error: OUT_OF_DATE }).transform(Number),
  leftSide: z.enum(["1", "2"], { error: OUT_OF_DATE }).transform(Number),
  shown,
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

/** The fields of a score form, with their values as text. */
export type ScoreFields = Record<keyof ScoreForm, string>;

/** @returns the maps with side 1 first; undefined if a problem was added to `context` */
function readScore(form: ScoreForm, context: z.RefinementCtx): MapResult[] | undefined {
  const { bestOf, advantage } = form;
  // In the order of the form: side 1 is the one on the left.
  const length: MatchLength = { bestOf, advantage: advantage && (advantage === form.leftSide ? 1 : 2) };
  const rows = rowsOf(form, length);
  const wrong = findFieldProblem(rows, length);
  if (!wrong) return form.leftSide === 1 ? playedMaps(rows) : swapSides(playedMaps(rows));
  context.addIssue({ code: "custom", path: [wrong.field], message: wrong.message });
  return undefined;
}

/** A captain's report: maps with side 1 first. Maps without rounds were not played. */
export const reportSchema = scoreForm.transform((form, context) => {
  const maps = readScore(form, context);
  return maps ? { maps, shown: form.shown } : z.NEVER;
});

/** An organiser's decision: a score, or the side that forfeits. */
export const decisionSchema = scoreForm
  .extend({ decision: z.enum(["score", "forfeit-1", "forfeit-2"], { error: "Choose a decision." }) })
  .transform((form, context): ({ maps: MapResult[] } | { forfeits: Side }) & { shown: ShownMatch | undefined } => {
    const { decision, shown } = form;
    if (decision !== "score") return { forfeits: decision === "forfeit-1" ? 1 : 2, shown };
    const maps = readScore(form, context);
    return maps ? { maps, shown } : z.NEVER;
  });

/** A map in a form. */
interface Row {
  map: MapResult["map"];
  left: number | undefined;
  right: number | undefined;
}

/** A problem, and the field that shows it. */
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
      return { field: left, message: "Enter this map's score, too: later maps have one." };
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
  "not-a-map-score": () => "The first side to 13 rounds wins a map. After 12–12, it takes a two-round lead.",
  "played-on": () => "The match was decided before this map. Leave it empty.",
  "same-map": () => "This map was already played. Choose another.",
  "too-many-maps": (length) => `This match has ${mapsToPlay(length)} maps at most.`,
  unfinished: ({ bestOf, advantage }) =>
    bestOf === 1
      ? "Enter how the map ended."
      : advantage === null
        ? `Nobody has won yet: it takes ${mapsToWin(bestOf)} maps. Enter this one.`
        : `Nobody has won yet: it takes ${mapsToWin(bestOf)} maps, including the one-map head start. Enter this one.`,
};

/** Swaps the two sides of some maps. */
export const swapSides = (maps: readonly MapResult[]): MapResult[] =>
  maps.map(({ map, rounds: [one, two] }) => ({ map, rounds: [two, one] }));

/** A captain's dispute. The action requires evidence, except from captains whose messaging is limited. */
export const disputeSchema = z.object({
  evidence: multiLine({ max: MAX_EVIDENCE_LENGTH, name: "evidence" })
    .optional()
    .transform((text) => text ?? ""),
  shown,
});

/** A captain's forfeit. */
export const forfeitSchema = z.object({ shown });

const WHY = "Say why. The team and the organisers will see it.";

/**
 * The forms that disqualify a team, for a reason, or reinstate it. `expects` is the time of the disqualification that
 * the dialog showed, in milliseconds since 1970.
 */
export const disqualificationSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("disqualify"),
    reason: z
      .string({ error: WHY })
      .pipe(multiLine({ max: MAX_REASON_LENGTH, name: "reason" }).refine((text) => text !== "", WHY)),
  }),
  // Pages that were loaded before `expects` existed send none.
  z.object({ intent: z.literal("reinstate"), expects: z.coerce.number().optional().catch(0) }),
]);

/**
 * The start that the page showed, as `digestStart` returns it. Pages that were loaded before this field existed send
 * none.
 */
export const startSchema = z.object({ expects: z.string().optional() });

/** The results that, according to the page, would be undone, as `writeResults` returns them. */
export const reopenSchema = z.object({
  expects: z
    .string()
    .optional()
    .transform((results) => results ?? ""),
});

/**
 * The buttons of a match's page. `expects` is the time of the report that the page showed, in milliseconds since 1970;
 * 0 if it showed none.
 */
export const matchButtonSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["check-in", "claim", "join-chat"]) }),
  z.object({ type: z.literal("confirm"), expects: z.coerce.number().catch(0) }),
]);

export type MatchButton = z.output<typeof matchButtonSchema>["type"];
