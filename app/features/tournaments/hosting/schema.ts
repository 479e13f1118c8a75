import * as z from "zod";
import { timeOfId } from "#db/ids";
import { LAST_TIE_BREAKS, TIE_BREAKS } from "#db/words/tie-breaks";
import { FORMATS, type Format, GRAND_FINALS, THIRD_PLACE } from "#db/words/tournament-formats";
import { ofTheirOwn } from "~/features/flags/shared/reserved-names.server";
import { MAX_RIOT_ID_LENGTH } from "~/features/riot/rules";
import { RANKS, rankPosition } from "~/game/ranks";
import { REGIONS } from "~/game/regions";
import { DAY, MINUTE } from "~/platform/dates/durations";
import { readTimeZone } from "~/platform/dates/time-zone";
import { multiLine, optionalLine, singleLine } from "~/platform/forms/text";
import { MAX_CENTS, money, parseCents } from "../money";
import { allFees, type Fees, feeProblem, leastPrize, MIN_PLAYERS_WITH_FEE } from "../rules";
import { fromLocal } from "../zones";
import {
  BEST_OF,
  CHECK_IN_WINDOWS,
  DEFAULTS,
  FIELD_LABELS,
  fitsFormat,
  GROUP_SIZE,
  MAX_DESCRIPTION_LENGTH,
  MAX_REASON_LENGTH,
  MAX_RULES_LENGTH,
  MAX_TITLE_LENGTH,
  PARTICIPANTS,
  SEEDING_NAMES,
  TEAM_SIZES,
  type TournamentField,
} from "./options";

const AMOUNT = "Enter an amount from 0 to 100,000 dollars, like 12.50.";
const LIST = "Choose one from the list.";

const dollars = z.string({ error: AMOUNT }).transform((text, context) => {
  const cents = parseCents(text);
  if (cents !== null) return cents;
  context.addIssue({ code: "custom", message: AMOUNT });
  return z.NEVER;
});

/** A number from a list; an empty choice means the default. */
const oneOf = <const T extends number>(values: readonly T[], otherwise: NoInfer<T>) =>
  z
    .number({ error: LIST })
    .refine((value): value is T => values.includes(value as T), LIST)
    .optional()
    .transform((value) => (value ?? otherwise) as T);

/** Maps per match of a stage; null for as many as in the early rounds. */
const stage = z
  .number({ error: LIST })
  .refine((value): value is (typeof BEST_OF)[number] => BEST_OF.some((maps) => maps === value), LIST)
  .optional()
  .transform((value) => value ?? null);

const rank = z
  .enum(RANKS, { error: "Choose a rank from the list." })
  .optional()
  .transform((value) => value ?? null);

const description = multiLine({ max: MAX_DESCRIPTION_LENGTH, name: "description" }).refine(
  (text) => text !== "",
  "Describe the tournament in a sentence or two.",
);

const rules = multiLine({ max: MAX_RULES_LENGTH, name: "text" })
  .optional()
  .transform((text) => text || null);

const PLACES = `Enter a whole number from ${PARTICIPANTS.min} to ${PARTICIPANTS.max}.`;
const places = z.number({ error: PLACES }).int(PLACES).min(PARTICIPANTS.min, PLACES).max(PARTICIPANTS.max, PLACES);

const GROUPS = `Enter a whole number from ${GROUP_SIZE.min} to ${GROUP_SIZE.max}.`;

const fields = {
  title: singleLine({ max: MAX_TITLE_LENGTH, name: "title" }, "Give your tournament a title.").check(
    ofTheirOwn("title"),
  ),
  description: z.string({ error: "Describe the tournament in a sentence or two." }).pipe(description),
  entryFee: dollars,
  prizePool: dollars,
  maxParticipants: places,
  minRank: rank,
  maxRank: rank,
  tournamentDate: z.string({ error: "Enter when the tournament starts." }),
  registrationDeadline: z.string({ error: "Enter when registration closes." }),
  /** The time zone that the form submits along with the dates. */
  timeZone: z.string({ error: LIST }).refine(readTimeZone, LIST),
  format: z.enum(FORMATS, { error: LIST }).default(DEFAULTS.format),
  teamSize: oneOf(TEAM_SIZES, DEFAULTS.teamSize),
  bestOf: oneOf(BEST_OF, DEFAULTS.bestOf),
  quarterBestOf: stage,
  semiBestOf: stage,
  lowerFinalBestOf: stage,
  finalBestOf: oneOf(BEST_OF, DEFAULTS.finalBestOf),
  grandFinal: z.enum(GRAND_FINALS, { error: LIST }).default(DEFAULTS.grandFinal),
  groupSize: z
    .number({ error: GROUPS })
    .int(GROUPS)
    .min(GROUP_SIZE.min, GROUPS)
    .max(GROUP_SIZE.max, GROUPS)
    .default(DEFAULTS.groupSize),
  thirdPlace: z.enum(THIRD_PLACE, { error: LIST }).default(DEFAULTS.thirdPlace),
  checkInMinutes: oneOf(CHECK_IN_WINDOWS, DEFAULTS.checkInMinutes),
  region: z
    .enum(REGIONS, { error: "Choose a region from the list." })
    .optional()
    .transform((value) => value ?? null),
  rules,
  seeding: z
    .enum(Object.keys(SEEDING_NAMES) as (keyof typeof SEEDING_NAMES)[], { error: LIST })
    .default(DEFAULTS.seeding),
  tieBreaks: z.enum(TIE_BREAKS, { error: LIST }).default(DEFAULTS.tieBreaks),
  lastTieBreak: z.enum(LAST_TIE_BREAKS, { error: LIST }).default(DEFAULTS.lastTieBreak),
};

type Given = z.output<z.ZodObject<typeof fields>>;

/** How far ahead a tournament may start, in milliseconds. */
const FURTHEST = 366 * DAY;

/** Checks conditions between fields and converts dates to moments. */
const checked = (now: Date) => (given: Given, context: z.RefinementCtx) => {
  const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  const { minRank, maxRank, timeZone } = given;
  if (minRank && maxRank && rankPosition(maxRank) < rankPosition(minRank)) {
    problem("maxRank", `The maximum rank can't be below the minimum rank, ${minRank}.`);
  }
  const feeField = feeProblem(given);
  if (feeField) problem(feeField, sayFeeProblem(given)[feeField]);
  if (given.grandFinal === "advantage" && given.finalBestOf === 1) problem("finalBestOf", ONE_MAP_UP);
  const [date, deadline] = (["tournamentDate", "registrationDeadline"] as const).map((name) => {
    const { moment, problem: why } = fromLocal(given[name], timeZone);
    if (why) problem(name, why === "gap" ? sayGap(given[name], timeZone) : "Enter a date and time that exist.");
    return moment;
  });
  if (date && date <= now) problem("tournamentDate", "Choose a date in the future.");
  else if (date && date.getTime() > now.getTime() + FURTHEST) {
    problem("tournamentDate", "Choose a date within the next year.");
  }
  if (date && date > now && deadline && deadline <= now)
    problem("registrationDeadline", "Choose a deadline in the future.");
  if (date && deadline && deadline >= date) {
    problem("registrationDeadline", "Choose a deadline before the tournament's date.");
  }
  if (!date || !deadline) return z.NEVER;
  return { ...given, tournamentDate: date, registrationDeadline: deadline };
};

const ONE_MAP_UP = "With an advantage, the grand final needs 3 or 5 maps: one map up already wins a best of 1.";

const sayGap = (local: string, timeZone: string) =>
  `There's no ${local.slice(11, 16)} on that day in ${timeZone.replaceAll("_", " ")}: the clocks go forward. Choose another time.`;

/** Explains which of Riot's conditions isn't met, with this tournament's figures. */
function sayFeeProblem(fees: Fees & { prizePool: number }) {
  const all = allFees(fees);
  const least = leastPrize(fees);
  return {
    entryFee: `With every spot taken, the fees come to ${money(all)}. Riot asks for at least 70% of them as prizes, and the prize pool can be ${money(MAX_CENTS)} at most. Lower the fee or offer fewer spots.`,
    prizePool: `With every spot taken, the fees come to ${money(all)}. Riot asks for at least 70% of them as prizes: ${money(least)} or more.`,
    maxParticipants: `With an entry fee, Riot asks for room for at least 20 players. Offer ${Math.ceil(MIN_PLAYERS_WITH_FEE / fees.teamSize)} spots or more.`,
  };
}

/** Drops fields that don't apply to the chosen format, as if they had been left empty. */
function dropInapplicable(given: unknown): unknown {
  const { format = DEFAULTS.format } = given as { format?: unknown };
  if (!FORMATS.includes(format as Format)) return given;
  const isKept = (name: string) => !(name in FIELD_LABELS) || fitsFormat(name as TournamentField, format as Format);
  return Object.fromEntries(Object.entries(given as object).filter(([name]) => isKept(name)));
}

/** The form of a tournament. @param now the moment from which "in the future" counts */
export const tournamentSchema = (now: Date) => z.preprocess(dropInapplicable, z.object(fields)).transform(checked(now));

const OUT_OF_DATE = "This form is out of date. Open it again.";

/**
 * The form of a new tournament. It contains the tournament's id, so that submitting it twice creates one tournament.
 * The list of tournaments is sorted by id, and so by the creation time in each id. An id with a future time would keep
 * its tournament at the top, so it is refused; one minute is allowed, because clocks differ.
 */
export const newTournamentSchema = (now: Date) =>
  z
    .preprocess(
      dropInapplicable,
      z.object({
        ...fields,
        id: z
          .uuid({ error: OUT_OF_DATE })
          .toLowerCase()
          .refine((id) => timeOfId(id) <= now.getTime() + MINUTE, OUT_OF_DATE),
      }),
    )
    .transform((given, context) => ({ ...checked(now)(given, context), id: given.id }));

export type TournamentFields = z.output<ReturnType<typeof tournamentSchema>>;

/** The values that players signed up for; an edit can't make them worse. */
interface Promised extends Fees {
  prizePool: number;
  maxParticipants: number;
  registrationDeadline: Date;
  tournamentDate: Date;
  timeZone: string;
}

/** The form of a tournament that already has teams. It allows only changes that harm none of them. */
const harmlessSchema = (promised: Promised, now: Date) =>
  z
    .object({
      description: fields.description,
      rules,
      maxParticipants: places.min(
        promised.maxParticipants,
        `You promised ${promised.maxParticipants} spots. You can only add more.`,
      ),
      prizePool: dollars.refine(
        (cents) => cents >= promised.prizePool,
        `You promised ${money(promised.prizePool)}. The prize pool can only grow.`,
      ),
      registrationDeadline: fields.registrationDeadline,
    })
    .transform((given, context) => {
      const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      const feeField = feeProblem({ ...promised, ...given });
      if (feeField) problem(feeField, sayFeeProblem({ ...promised, ...given })[feeField]);
      const { moment, problem: why } = fromLocal(given.registrationDeadline, promised.timeZone);
      if (!moment) {
        problem(
          "registrationDeadline",
          why === "gap" ? sayGap(given.registrationDeadline, promised.timeZone) : "Enter a date and time that exist.",
        );
        return z.NEVER;
      }
      if (moment < promised.registrationDeadline) problem("registrationDeadline", "Choose a later time than before.");
      if (moment > promised.registrationDeadline && moment <= now) {
        problem("registrationDeadline", "Choose a deadline in the future.");
      }
      if (moment >= promised.tournamentDate) {
        problem("registrationDeadline", "Choose a deadline before the tournament's date.");
      }
      return { ...given, registrationDeadline: moment };
    });

/** The form of a tournament that has started. It allows only changes to its explanatory texts. */
const wordsSchema = z.object({ description: fields.description, rules });

export const cancelSchema = z.object({
  reason: z
    .string({ error: "Say why. Everyone who registered will see it." })
    .pipe(
      multiLine({ max: MAX_REASON_LENGTH, name: "reason" }).refine(
        (text) => text !== "",
        "Say why. Everyone who registered will see it.",
      ),
    ),
});

/** The fields that an edit sets. */
export type EditedFields = Partial<TournamentFields>;

/** Returns the form of an edit. @param promised the tournament's current values; only `harmless` uses them */
export function schemaOf(
  scope: "everything" | "harmless" | "words",
  promised: Promised | null,
  now: Date,
): z.ZodType<EditedFields> {
  if (scope === "everything") return tournamentSchema(now);
  return scope === "harmless" && promised ? harmlessSchema(promised, now) : wordsSchema;
}

/** The forms of the organisers' tab, which add an organiser, by Riot ID or from a list of players, or remove one. */
export const organiserSchema = z
  .object({
    intent: z.enum(["add", "remove"]),
    riotId: optionalLine({ max: MAX_RIOT_ID_LENGTH, name: "Riot ID" }),
    playerId: z.uuid().optional(),
  })
  .refine(({ riotId, playerId }) => riotId || playerId, { path: ["riotId"], error: "Enter a Riot ID." });

export type OrganiserChange = z.output<typeof organiserSchema>;
