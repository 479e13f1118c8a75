import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/cloudflare";
import type { RequestContext } from "../context";
import type { Toast } from "../pages/toast";
import { RESTRICTED_HOME } from "../session/guards.server";
import { type FormReply, SECRET_FIELDS } from "./forms";

/** Why a valid form was refused. */
export interface FormFailure {
  status: number;
  /** A sentence for the player. */
  error: string;
  /** The field it belongs to; without it, the error is shown above the form. */
  field?: string | undefined;
  /** The `Retry-After` header, in seconds. */
  retryAfter?: number | undefined;
  /** New values for fields, in place of the submitted ones, such as for an id that was used up. */
  renewed?: Record<string, string>;
  /** The toast's title, if it differs from that of the form's other refusals. */
  toastTitle?: string;
  /** The toast's text, if it differs from the error. */
  toastText?: string;
  /** A link beside the error (`FormReply`). */
  next?: NonNullable<FormReply["next"]> | undefined;
  /** Further fields of the action's data, in addition to those of the reply. */
  more?: Record<string, unknown>;
}

export type AnySubmission<S> = Submission<S> | Submission<S, string[], unknown>;

/**
 * Refuses a form. The entered values are kept (never passwords or codes), each problem is shown at its field, and a
 * toast shows the first one.
 * @param toastTitle the title of the toast, as the specification words it for this form
 * @param failure the reason; left out if the form itself is invalid (status 400)
 */
export function refuseForm<S>(
  context: RequestContext,
  submission: AnySubmission<S>,
  toastTitle: string,
  failure?: FormFailure,
) {
  const { field, error } = failure ?? {};
  const result = submission.reply({
    hideFields: SECRET_FIELDS,
    ...(error && (field ? { fieldErrors: { [field]: [error] } } : { formErrors: [error] })),
  });
  if (failure?.renewed) result.initialValue = { ...result.initialValue, ...failure.renewed };
  const firstProblem = Object.values(result.error ?? {}).flatMap((messages) => messages ?? [])[0];
  const toast: Toast = {
    id: context.requestId,
    kind: "error",
    title: failure?.toastTitle ?? toastTitle,
    description: failure?.toastText ?? firstProblem ?? "",
    atForm: true,
  };
  context.toast = toast;
  context.retryAfter = failure?.retryAfter ?? null;
  const next = failure?.next;
  const reply = { result, toast, ...(next && { next }) } satisfies FormReply;
  return data({ ...reply, ...failure?.more }, { status: failure?.status ?? 400 });
}

/**
 * The refusal of a form that needs a session: the entered values are kept, so that the form can be sent again after
 * signing in.
 */
export const SIGNED_OUT: FormFailure = {
  status: 401,
  error: "Your session has ended. Sign in in another tab, then send this again: your entries are still here.",
  toastText: "Not authenticated",
};

/** The refusal of a form that a suspended player submits. */
export const SUSPENDED: FormFailure = {
  status: 403,
  error: "Your account is suspended, so this wasn't sent.",
  next: { to: RESTRICTED_HOME, label: "See why" },
};

/**
 * Creates the refusal of a form that needs a more recent sign-in (`requireRecentSignIn`).
 * @param here the page of the form
 */
export const signInTooOld = (here: string): FormFailure => ({
  status: 401,
  error: "It's been a while since you signed in. Confirm it's you in another tab, then send this again.",
  toastText: "Confirm it's you first.",
  next: { to: `/auth/reauthenticate?${new URLSearchParams({ redirectTo: here })}`, label: "Confirm it's you" },
});
