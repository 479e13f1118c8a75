import type { SubmissionResult } from "@conform-to/react";
import type { ClientActionFunctionArgs } from "@remix-run/react";
import { runSelfReporting } from "../network";
import type { Toast } from "../pages/toast";

/** A field that people don't see and bots fill in: `ui/forms/honeypot.tsx`. */
export const TRAP_FIELD = "homepage";

/** The response to a refused form: conform's result, and the toast with the reason. */
export interface FormReply {
  result: SubmissionResult;
  toast: Toast;
  /**
   * A link to another page: where the player can continue if this form doesn't let them, or a page that they may want
   * to see first (`inNewTab`, so that the form stays).
   */
  next?: { to: string; label: string; inNewTab?: boolean };
  /** Whether the form showed something that has changed since, so that its page has loaded again (`OUTDATED`). */
  isOutdated?: boolean;
}

/** The response to a refused button, which has no fields. */
export type ToastReply = Pick<FormReply, "toast" | "next">;

/** The names of all fields for secrets, whose values are never sent back, shown again or kept. */
export const SECRET_FIELDS = ["password", "code", "emailCode"];

/** The error of a form that could not reach the server. */
const OFFLINE = "Lineup can't be reached from here. Your entries are still here: try again in a moment.";

/**
 * Submits a form with JavaScript. If the request can't reach the server, returns a refusal like the server's: the
 * entered values stay, and a toast says why.
 * @param submit sends the request
 * @param title the toast's title, the same as when the server refuses this form; a function of the form data if the
 *   form has several buttons
 * @param error the toast's text
 */
async function replyWhenOffline<T>(
  request: Request,
  submit: () => Promise<T>,
  title: string | ((form: FormData) => string) = "Error",
  error: string = OFFLINE,
) {
  const form = await request.clone().formData();
  try {
    return await runSelfReporting(submit);
  } catch (failure) {
    // Without a connection `fetch` throws a TypeError; anything else that is thrown is the server's response.
    if (!(failure instanceof TypeError)) throw failure;
    const initialValue: Record<string, string | string[]> = {};
    for (const [name, value] of form) {
      if (typeof value !== "string" || SECRET_FIELDS.includes(name)) continue;
      const earlier = initialValue[name];
      // A group of checkboxes submits several values under one name.
      initialValue[name] = earlier === undefined ? value : [earlier, value].flat();
    }
    const reply: FormReply = {
      result: { status: "error", initialValue, error: { "": [error] } },
      toast: {
        id: crypto.randomUUID(),
        kind: "error",
        title: typeof title === "string" ? title : title(form),
        description: error,
        atForm: true,
      },
    };
    // A failure status keeps Remix from reloading the page's data, which would fail as well.
    return Response.json(reply, { status: 503 });
  }
}

/**
 * The `clientAction` of a form: without a network the form stays, with the entered values. Its refusals are titled
 * "Error".
 */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  replyWhenOffline(request, serverAction);

/** Creates a `clientAction` with a form's own `title` and `error`, which `replyWhenOffline` explains. */
export const offlineAction =
  (title: string | ((form: FormData) => string), error?: string) =>
  ({ request, serverAction }: ClientActionFunctionArgs) =>
    replyWhenOffline(request, serverAction, title, error);
