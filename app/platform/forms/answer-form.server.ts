import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/cloudflare";
import type * as z from "zod";
import { transact } from "#db/statements";
import type { RequestContext } from "../context";
import { isDatabaseUnavailable } from "../database";
import { DEFAULT_LIMITS, type RateLimitRule } from "../limits/limits.server";
import { tooManyTries } from "../limits/refusal";
import { isBusy } from "../limits/turns.server";
import { prepareUses } from "../limits/uses.server";
import type { Toast } from "../pages/toast";
import { redirectWithToast } from "../pages/toast.server";
import { notFound } from "../request/not-found.server";
import { isRestrictedSessionOpen } from "../session/conditions.server";
import { isRecent, requireViewer } from "../session/guards.server";
import type { SessionClaim, Viewer } from "../session/viewer";
import type { ToastReply } from "./forms";
import { type AnySubmission, type FormFailure, refuseForm, SIGNED_OUT, SUSPENDED, signInTooOld } from "./forms.server";

/*
 * The standard way to handle a submitted form or a pressed button (docs/decisions/0037-one-way-to-answer-a-form.md).
 * Refusals come in this order: no session, or no recent sign-in (401, or a redirect to the sign-in); no such subject
 * (404); an invalid form (400); an exceeded limit (429); last, the command's own refusals. If the database is
 * unavailable, any of these steps responds with 503.
 */

/** The request was carried out. */
export interface Done {
  /** The next page; by default `to` of the options. */
  to?: string | undefined;
  /** The title of the toast on that page; without it there is no toast. */
  title?: string | undefined;
  description?: string | undefined;
}

/**
 * The outcome of a form or a button: done, refused, or `missing` if its subject doesn't exist for this player. A
 * response is passed on unchanged.
 */
export type Answer = Done | FormFailure | "missing" | Response | ReturnType<typeof data>;

/** The arguments of an action that are used here. */
interface Args {
  request: Request;
  context: RequestContext;
}

/** The common options of forms and buttons of signed-in players. */
interface Options {
  /**
   * The limits that the request counts against, in this order; `DEFAULT_LIMITS` defines whether they count by account
   * or by IP address, and whether invalid forms count.
   */
  limit?: RateLimitRule | readonly RateLimitRule[];
  /** Finds the player. Default: `context.viewer()` for a form, `requireViewer` for a button. */
  viewer?: (context: RequestContext, request: Request) => Promise<Viewer | null>;
  /** The refusal if `alongside` finds nothing. Default: the page for unknown addresses. */
  missing?: FormFailure;
  /** The form's own page, to which a required recent sign-in returns (`signInTooOld`). */
  recentFor?: string;
  /** The next page, unless the answer names one. */
  to?: string;
}

interface FormOptions<Schema extends z.ZodType, Found> extends Options {
  schema: Schema;
  /** The form, if the route has read it already. */
  form?: FormData;
  /** The title of the toast that reports a refusal. */
  failed: string;
  /** The refusal if there is no session or it has ended. */
  signedOut?: FormFailure;
  /** The error text for an unexpected failure, as in `catchUnavailable`. */
  unexplained?: string;
  /**
   * Reads further data in the same round trip as the session check.
   * @param claim what the cookie says, not yet checked
   * @param value the form; null if it is invalid
   * @returns null if the form's subject doesn't exist for this player
   */
  alongside?: (claim: SessionClaim, value: z.output<Schema> | null) => Promise<Found | null> | undefined;
  /** Carries out the form's command. */
  run: (form: { value: z.output<Schema>; viewer: Viewer; claim: SessionClaim; found: Found }) => Promise<Answer>;
}

interface ButtonOptions<Found> extends Options {
  /** The title of the toast that reports a refusal. */
  failed?: string;
  /** The page that shows the refusal, if the button's own address has none. */
  refusedTo?: string;
  /** Reads further data in the same round trip as the session check, as for a form. */
  alongside?: (claim: SessionClaim) => Promise<Found | null>;
  /** Carries out the button's command. */
  run: (button: { viewer: Viewer; found: Found }) => Promise<Answer>;
}

/**
 * Handles a form that a signed-in player submits. A refusal keeps the entered values. Costs one round trip for the
 * session check, limits and `alongside`, and those of `run`.
 */
export async function answerForm<Schema extends z.ZodType, Found = undefined>(
  { request, context }: Args,
  options: FormOptions<Schema, Found>,
) {
  const { failed, limit, alongside, signedOut = SIGNED_OUT, recentFor, missing = "missing" } = options;
  const submission = parseWithZod(options.form ?? (await request.formData()), { schema: options.schema });
  const work = async () => {
    const { claim } = context;
    const isValid = submission.status === "success";
    const [viewer, refusal, found] = await Promise.all([
      options.viewer ? claim && options.viewer(context, request) : context.viewer(),
      claim ? countAgainst(context, claim, limit, isValid) : null,
      claim ? alongside?.(claim, isValid ? submission.value : null) : undefined,
    ]);
    const refuse = (failure?: FormFailure) => refuseForm(context, submission, failed, failure);
    if (!viewer || !claim) return refuse(await refusalOf(context, signedOut));
    if (recentFor && !isRecent(viewer, context.now)) return refuse(signInTooOld(recentFor));
    if (found === null) return conclude(context, request, missing, options.to, refuse);
    if (!isValid) return refuse();
    if (refusal) return refuse(refusal);
    const answer = await options.run({ value: submission.value, viewer, claim, found: found as Found });
    return conclude(context, request, answer, options.to, refuse);
  };
  return catchUnavailable(context, submission, failed, work, options.unexplained);
}

/**
 * Handles a form that anyone may submit, such as a sign-in. Like `answerForm`, but without a session check and limits:
 * `run` counts its own limits.
 * @param options.refuseInvalid called if the form is invalid, because `run` isn't then; may return a refusal that takes
 *   precedence over the form's own errors
 */
export async function answerGuestForm<Schema extends z.ZodType>(
  { request, context }: Args,
  options: Pick<FormOptions<Schema, undefined>, "schema" | "form" | "failed" | "unexplained" | "to"> & {
    refuseInvalid?: () => Promise<FormFailure | undefined>;
    run: (value: z.output<Schema>) => Promise<Answer>;
  },
) {
  const { failed, schema, run, unexplained, refuseInvalid } = options;
  const submission = parseWithZod(options.form ?? (await request.formData()), { schema });
  const refuse = (failure?: FormFailure) => refuseForm(context, submission, failed, failure);
  const work = async () =>
    submission.status === "success"
      ? conclude(context, request, await run(submission.value), options.to, refuse)
      : refuse(await refuseInvalid?.());
  return catchUnavailable(context, submission, failed, work, unexplained);
}

/**
 * Handles a button: a form without fields to keep. Like `answerForm`, but a player who isn't signed in is redirected to
 * the sign-in, and an unavailable database gets a page.
 */
export async function answerButton<Found = undefined>({ request, context }: Args, options: ButtonOptions<Found>) {
  const { failed = "Error", refusedTo, limit, alongside, recentFor, missing = "missing" } = options;
  const { viewer: find = requireViewer } = options;
  const { claim } = context;
  const [viewer, refusal, found] = await Promise.all([
    find(context, request),
    claim ? countAgainst(context, claim, limit, true) : null,
    claim ? alongside?.(claim) : undefined,
  ]);
  const refuse = (failure: FormFailure) =>
    refusedTo === undefined
      ? refuseAction(context, failed, failure)
      : redirectWithToast(context, refusedTo, { kind: "error", title: failed, description: failure.error });
  if (!viewer) return refuse(await refusalOf(context, SIGNED_OUT));
  if (recentFor && !isRecent(viewer, context.now)) return refuse(signInTooOld(recentFor));
  if (found === null) return conclude(context, request, missing, options.to, refuse);
  if (refusal) return refuse(refusal);
  const answer = await options.run({ viewer, found: found as Found });
  return conclude(context, request, answer, options.to, refuse);
}

/** Returns the refusal for a player without access: the session has ended, or the account is suspended. */
export const refusalOf = async (context: RequestContext, signedOut: FormFailure): Promise<FormFailure> =>
  (await context.restrictedViewer())?.isSuspended ? SUSPENDED : signedOut;

/** Handles a button that anyone may press. Unlike `answerButton`, it neither checks the session nor counts limits. */
export async function answerGuestButton(
  { request, context }: Args,
  { failed, to, run }: Pick<ButtonOptions<undefined>, "to"> & { failed: string; run: () => Promise<Answer> },
) {
  return conclude(context, request, await run(), to, (failure) => refuseAction(context, failed, failure));
}

/**
 * Counts a request against its limits, in their order and in one round trip. It counts only if the session is open, and
 * a request over one limit doesn't count against the next. So if a player's own limit comes first, a player over it
 * uses up none of their IP address's limit.
 * @param isValid whether the form is valid; an invalid one counts only against limits with `badForms`
 * @returns the refusal of the exceeded limit, or null
 */
async function countAgainst(
  context: RequestContext,
  claim: SessionClaim,
  limit: RateLimitRule | readonly RateLimitRule[] = [],
  isValid: boolean,
): Promise<FormFailure | null> {
  const rules = (typeof limit === "string" ? [limit] : limit).filter((rule) => isValid || countsBadForms(rule));
  const { counts, judge } = prepareUses(
    context,
    rules.map((rule) => [rule, countsByAddress(rule) ? context.ip : claim.userId]),
    isRestrictedSessionOpen(claim, context.now),
  );
  const verdict = judge((await transact(context.db, { counts })).counts);
  return verdict.allowed ? null : tooManyTries(verdict.retryAfter);
}

const countsByAddress = (rule: RateLimitRule): boolean => "by" in DEFAULT_LIMITS[rule];
const countsBadForms = (rule: RateLimitRule): boolean => "badForms" in DEFAULT_LIMITS[rule];

/** Turns an outcome into a response. */
function conclude<Refusal>(
  context: RequestContext,
  request: Request,
  answer: Answer,
  defaultTo: string | undefined,
  refuse: (failure: FormFailure) => Refusal,
) {
  if (answer === "missing") return notFound(context, request);
  if (answer instanceof Response || "data" in answer) return answer;
  if ("status" in answer) return refuse(answer);
  const { to = defaultTo ?? new URL(request.url).pathname, title, description } = answer;
  return title === undefined
    ? redirect(to, 303)
    : redirectWithToast(context, to, { kind: "success", title, ...(description && { description }) });
}

/**
 * Runs a form's command. If the database is unavailable, or too many passwords are waiting to be hashed, the form is
 * refused like any other, with status 503 and its values kept.
 * @param unexplained the error for an unexpected failure, which is then refused in the same way with status 500; if
 *   left out, the page for unexpected errors is shown
 */
async function catchUnavailable<S, T>(
  context: RequestContext,
  submission: AnySubmission<S>,
  toastTitle: string,
  work: () => Promise<T>,
  unexplained?: string,
) {
  try {
    return await work();
  } catch (error) {
    if (isBusy(error)) {
      context.log.warn("Too many passwords are waiting to be hashed");
      return refuseForm(context, submission, toastTitle, {
        status: 503,
        error: "Lots of players are signing in right now. Your entries are still here: try again in a few seconds.",
      });
    }
    if (!isDatabaseUnavailable(error)) {
      if (unexplained === undefined || error instanceof Response) throw error;
      context.log.error("A form could not be processed", error);
      return refuseForm(context, submission, "Error", { status: 500, error: unexplained });
    }
    context.log.error("The database is unavailable", error);
    return refuseForm(context, submission, toastTitle, {
      status: 503,
      error: "Lineup can't reach its database right now. Your entries are still here: try again in a moment.",
    });
  }
}

/** Refuses a button, which has no fields to keep: a 4xx status, and a toast with the reason. */
function refuseAction(context: RequestContext, toastTitle: string, failure: FormFailure) {
  const { status, error, retryAfter, next } = failure;
  const title = failure.toastTitle ?? toastTitle;
  const toast: Toast = { id: context.requestId, kind: "error", title, description: error };
  context.toast = toast;
  context.retryAfter = retryAfter ?? null;
  return data({ ...({ toast, ...(next && { next }) } satisfies ToastReply), ...failure.more }, { status });
}
