import type { Submission, SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/cloudflare";
import type { Toast } from "~/ui/toaster";
import type { RequestContext } from "./context";
import { isDatabaseUnavailable } from "./database";

/** What an action answers when a form could not be taken: conform's account of it, and a toast where there is one. */
export interface FormReply {
  result: SubmissionResult;
  toast?: Toast;
}

export interface FormProblem {
  status?: number;
  /** Problems of the form as a whole. */
  formErrors?: string[];
  fieldErrors?: Record<string, string[]>;
  toast?: { title: string; description?: string };
  /** Seconds, for the `Retry-After` header. */
  retryAfter?: number | undefined;
}

/**
 * Answers a form that could not be taken: status 400 unless told otherwise, what was entered kept (never passwords),
 * each problem at its field, and a toast where the specification has one.
 */
export function refuseForm<S>(
  context: RequestContext,
  submission: Submission<S> | Submission<S, string[], unknown>,
  problem: FormProblem = {},
) {
  const { status = 400, formErrors, fieldErrors, toast, retryAfter } = problem;
  const result = submission.reply({
    hideFields: ["password"],
    ...(formErrors && { formErrors }),
    ...(fieldErrors && { fieldErrors }),
  });
  const reply: FormReply = { result };
  if (toast) {
    reply.toast = { id: context.requestId, kind: "error", ...toast };
    context.toast = reply.toast;
  }
  return data(reply, { status, ...(retryAfter && { headers: { "Retry-After": String(retryAfter) } }) });
}

const DATABASE_AWAY =
  "Lineup can't reach its database right now. Nothing was saved, and what you entered is still here: try again in a moment.";

/**
 * Runs what a form asks for. With the database away the form is answered like any other that could not be taken, with
 * status 503 and its values kept.
 */
export async function orDatabaseAway<S, T>(
  context: RequestContext,
  submission: Submission<S> | Submission<S, string[], unknown>,
  work: () => Promise<T>,
) {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    context.log.error("The database is away", error);
    return refuseForm(context, submission, { status: 503, formErrors: [DATABASE_AWAY], retryAfter: 5 });
  }
}

/** Answers a form that needs a session when there is none (any more): what was entered is kept for after the sign-in. */
export function refuseSignedOut<S>(
  context: RequestContext,
  submission: Submission<S> | Submission<S, string[], unknown>,
  title: string,
) {
  return refuseForm(context, submission, {
    status: 401,
    formErrors: [
      "Your session has ended. Sign in in another tab, then send this again: what you entered is still here.",
    ],
    toast: { title, description: "Not authenticated" },
  });
}
