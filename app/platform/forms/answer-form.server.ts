import { parseWithZod } from "@conform-to/zod/v4";
import { type data, redirect } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { RequestContext } from "../context";
import { countUse, RATE_LIMITS, type RateLimitRule, tooManyTries } from "../limits/rate-limit.server";
import { redirectWithToast } from "../pages/toast.server";
import { notFound } from "../request/not-found.server";
import { isRecent, requireViewer } from "../session/session.server";
import type { Viewer } from "../session/viewer";
import { type FormFailure, notRecent, orDatabaseAway, refuseAction, refuseForm, SIGNED_OUT } from "./forms.server";

/*
 * One way to answer a form or a button (docs/decisions/0037-one-way-to-answer-a-form.md). Refusals come in this order:
 * nobody is signed in, or not lately (401, or the way to the sign-in), the subject isn't there (404), the form reads badly (400), a limit
 * is used up (429), and last the command's own. A database that is away answers 503 at any of these steps.
 */

/** The request was carried out. */
export interface Done {
  /** The page that comes next; left out, the one that the options name. */
  to?: string | undefined;
  /** The toast on that page; left out, the page speaks for itself. */
  title?: string | undefined;
  description?: string | undefined;
}

/**
 * The outcome of a form or a button: it is done, it was refused, or (`missing`) its subject isn't there for this player.
 * A response is passed on as it is.
 */
export type Answer = Done | FormFailure | "missing" | Response | ReturnType<typeof data>;

/** The arguments of an action, as far as they matter here. */
interface Args {
  request: Request;
  context: RequestContext;
}

/** The options that a form and a button of a signed-in player have in common. */
interface Options {
  /** The limits that a request counts against; `RATE_LIMITS` says by whom they count, and whether a bad form counts. */
  limit?: RateLimitRule | readonly RateLimitRule[];
  /** Finds the player. Default: `context.viewer()` for a form, `requireViewer` for a button. */
  viewer?: (context: RequestContext, request: Request) => Promise<Viewer | null>;
  /** The refusal when `alongside` finds nothing. Default: the page for addresses that don't exist. */
  missing?: FormFailure;
  /** The page of the form to which a sign-in leads back that must be recent (`notRecent`). */
  recentFor?: string;
  /** The page that follows unless the answer names one. */
  to?: string;
}

interface FormOptions<Schema extends z.ZodType, Found> extends Options {
  schema: Schema;
  /** The form, if the route has read it already. */
  form?: FormData;
  /** The title of the toast that says why the form was refused. */
  failed: string;
  /** The refusal when nobody is signed in (any more). */
  signedOut?: FormFailure;
  /** The sentence for a failure that nobody has foreseen, as in `orDatabaseAway`. */
  unexplained?: string;
  /**
   * Reads in the same round trip as the session check.
   * @param userId the player as the cookie claims
   * @param value the form; null when it reads badly
   * @returns null when the form's subject isn't there for this player
   */
  alongside?: (userId: string, value: z.output<Schema> | null) => Promise<Found | null> | undefined;
  /** Carries out the form. */
  run: (form: { value: z.output<Schema>; viewer: Viewer; found: Found }) => Promise<Answer>;
}

interface ButtonOptions<Found> extends Options {
  /** The title of the toast that says why the button wasn't obeyed. */
  failed?: string;
  /** The page that says why, where the button's own address has none. */
  refusedTo?: string;
  /** Reads in the same round trip as the session check; as for a form. */
  alongside?: (userId: string) => Promise<Found | null>;
  /** Obeys the button. */
  run: (button: { viewer: Viewer; found: Found }) => Promise<Answer>;
}

/**
 * Answers a form of a signed-in player. A refusal keeps what was entered. Costs the round trip of the session check,
 * limits and `alongside` included, and those of `run`.
 */
export async function answerForm<Schema extends z.ZodType, Found = undefined>(
  { request, context }: Args,
  options: FormOptions<Schema, Found>,
) {
  const { failed, limit, alongside, signedOut = SIGNED_OUT, recentFor, missing = "missing" } = options;
  const submission = parseWithZod(options.form ?? (await request.formData()), { schema: options.schema });
  const work = async () => {
    const userId = context.claim?.userId;
    const isGood = submission.status === "success";
    const [viewer, refusal, found] = await Promise.all([
      options.viewer ? userId && options.viewer(context, request) : context.viewer(),
      userId ? countAgainst(context, userId, limit, isGood) : null,
      userId ? alongside?.(userId, isGood ? submission.value : null) : undefined,
    ]);
    const refuse = (failure?: FormFailure) => refuseForm(context, submission, failed, failure);
    if (!viewer) return refuse(signedOut);
    if (recentFor && !isRecent(viewer, context.now)) return refuse(notRecent(recentFor));
    if (found === null) return conclude(context, request, missing, options.to, refuse);
    if (!isGood) return refuse();
    if (refusal) return refuse(refusal);
    const answer = await options.run({ value: submission.value, viewer, found: found as Found });
    return conclude(context, request, answer, options.to, refuse);
  };
  return orDatabaseAway(context, submission, failed, work, options.unexplained);
}

/**
 * Answers a form that anybody may send, such as a sign-in: as `answerForm`, but without a session and its limits, which
 * `run` counts itself.
 */
export async function answerGuestForm<Schema extends z.ZodType>(
  { request, context }: Args,
  options: Pick<FormOptions<Schema, undefined>, "schema" | "form" | "failed" | "unexplained" | "to"> & {
    run: (value: z.output<Schema>) => Promise<Answer>;
  },
) {
  const { failed, schema, run, unexplained } = options;
  const submission = parseWithZod(options.form ?? (await request.formData()), { schema });
  const refuse = (failure?: FormFailure) => refuseForm(context, submission, failed, failure);
  if (submission.status !== "success") return refuse();
  const work = async () => conclude(context, request, await run(submission.value), options.to, refuse);
  return orDatabaseAway(context, submission, failed, work, unexplained);
}

/**
 * Answers a button: a form without fields to keep. As `answerForm`, but a player who isn't signed in is led to the
 * sign-in, and a database that is away gets a page.
 */
export async function answerButton<Found = undefined>({ request, context }: Args, options: ButtonOptions<Found>) {
  const { failed = "Error", refusedTo, limit, alongside, recentFor, missing = "missing" } = options;
  const { viewer: find = requireViewer } = options;
  const userId = context.claim?.userId;
  const [viewer, refusal, found] = await Promise.all([
    find(context, request),
    userId ? countAgainst(context, userId, limit, true) : null,
    userId ? alongside?.(userId) : undefined,
  ]);
  const refuse = (failure: FormFailure) =>
    refusedTo === undefined
      ? refuseAction(context, failed, failure)
      : redirectWithToast(context, refusedTo, { kind: "error", title: failed, description: failure.error });
  if (!viewer) return refuse(SIGNED_OUT);
  if (recentFor && !isRecent(viewer, context.now)) return refuse(notRecent(recentFor));
  if (found === null) return conclude(context, request, missing, options.to, refuse);
  if (refusal) return refuse(refusal);
  const answer = await options.run({ viewer, found: found as Found });
  return conclude(context, request, answer, options.to, refuse);
}

/** Answers a button that anybody may press; else as `answerButton`. */
export async function answerGuestButton(
  { request, context }: Args,
  { failed, to, run }: Pick<ButtonOptions<undefined>, "to"> & { failed: string; run: () => Promise<Answer> },
) {
  return conclude(context, request, await run(), to, (failure) => refuseAction(context, failed, failure));
}

/**
 * Counts a request against its limits, all in one round trip.
 * @param isGood whether its form reads well: if not, it counts only against limits that say so
 * @returns the refusal of the first limit that is used up, or null
 */
async function countAgainst(
  context: RequestContext,
  userId: string,
  limit: RateLimitRule | readonly RateLimitRule[] = [],
  isGood: boolean,
): Promise<FormFailure | null> {
  const rules = (typeof limit === "string" ? [limit] : limit).filter((rule) => isGood || countsBadForms(rule));
  const verdicts = await Promise.all(
    rules.map((rule) => countUse(context, rule, countsByAddress(rule) ? context.ip : userId)),
  );
  for (const verdict of verdicts) if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  return null;
}

const countsByAddress = (rule: RateLimitRule): boolean => "by" in RATE_LIMITS[rule];
const countsBadForms = (rule: RateLimitRule): boolean => "badForms" in RATE_LIMITS[rule];

/** Turns an outcome into a response. */
function conclude<Refusal>(
  context: RequestContext,
  request: Request,
  answer: Answer,
  elsewhere: string | undefined,
  refuse: (failure: FormFailure) => Refusal,
) {
  if (answer === "missing") return notFound(context, request);
  if (answer instanceof Response || "data" in answer) return answer;
  if ("status" in answer) return refuse(answer);
  const { to = elsewhere ?? new URL(request.url).pathname, title, description } = answer;
  return title === undefined
    ? redirect(to, 303)
    : redirectWithToast(context, to, { kind: "success", title, ...(description && { description }) });
}
