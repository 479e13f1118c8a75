import type { SubmissionResult } from "@conform-to/react";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { answeringItself } from "../network";
import type { Toast } from "../pages/toast";

/** A field that people don't see and programs fill in: `ui/forms/honeypot.tsx`. */
export const TRAP_FIELD = "homepage";

/** What an action answers when a form could not be taken: conform's account of it, and the toast that says so. */
export interface FormReply {
  result: SubmissionResult;
  toast: Toast;
  /** Where to go on, if not with this form. */
  next?: { to: string; label: string };
}

/** What an action answers that has no fields to speak of. */
export type ToastReply = Pick<FormReply, "toast" | "next">;

/** Fields whose values are never sent back, shown again or kept: fields that hold one are called by these names. */
export const SECRET_FIELDS = ["password", "code", "emailCode"];

/** What a form says that found no way to the server. */
const OFFLINE = "Lineup can't be reached from here. What you entered is still here: try again in a moment.";

/**
 * Submits a form from script. Where the request itself finds no way, the form is answered as the server would: what was
 * entered stays, and a toast says so.
 * @param submit asks the server
 * @param title of the toast, as the server's own refusals of this form have it; by what the form holds where it has
 *   several buttons
 * @param error the toast's text
 */
async function orOffline<T>(
  request: Request,
  submit: () => Promise<T>,
  title: string | ((form: FormData) => string) = "Error",
  error: string = OFFLINE,
) {
  const form = await request.clone().formData();
  try {
    return await answeringItself(submit);
  } catch (failure) {
    // What `fetch` throws without a connection; an answer of the server's is something else.
    if (!(failure instanceof TypeError)) throw failure;
    const initialValue: Record<string, string> = {};
    for (const [name, value] of form) {
      if (typeof value === "string" && !SECRET_FIELDS.includes(name)) initialValue[name] = value;
    }
    const reply: FormReply = {
      result: { status: "error", initialValue, error: { "": [error] } },
      toast: {
        id: crypto.randomUUID(),
        kind: "error",
        title: typeof title === "string" ? title : title(form),
        description: error,
      },
    };
    // With a status of failure the page is not loaded anew: there is no way to load it either.
    return Response.json(reply, { status: 503 });
  }
}

/** The `clientAction` of a form: offline the form stays, with what was entered. Its refusals are titled "Error". */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) => orOffline(request, serverAction);

/** A `clientAction` with a form's own words; `title` and `error` as for `orOffline`. */
export const offlineAction =
  (title: string | ((form: FormData) => string), error?: string) =>
  ({ request, serverAction }: ClientActionFunctionArgs) =>
    orOffline(request, serverAction, title, error);
