import { parseWithZod } from "@conform-to/zod/v4";
import { data, redirect } from "@remix-run/cloudflare";
import type { RequestContext } from "~/platform/context";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { tooManyTries } from "~/platform/limits/rate-limit.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/session.server";
import type { ConversationRef } from "../queries.server";
import { UNEXPLAINED } from "../rules";
import { messageSchema } from "../schema";
import { SEND_FAILED, sendToConversation } from "../send.server";

/**
 * Takes the form under a thread (`Composer`), as it comes without JavaScript, and answers it.
 * @param place.here the page that the thread stands on: there it goes back to
 */
export async function takeMessage(
  context: RequestContext,
  request: Request,
  form: FormData,
  { conversation, here }: { conversation: ConversationRef; here: string },
) {
  const submission = parseWithZod(form, { schema: messageSchema });
  if (form.get("intent") === "look") {
    // The page again with what is new, and with what was half written.
    await requireViewer(context, request);
    return data({ result: { initialValue: submission.payload } });
  }
  return orDatabaseAway(
    context,
    submission,
    SEND_FAILED,
    async () => {
      if (submission.status !== "success") {
        return refuseForm(context, submission, SEND_FAILED, (await context.viewer()) ? undefined : SIGNED_OUT);
      }
      const result = await sendToConversation(context, submission.value, conversation);
      if (!result.viewer) return refuseForm(context, submission, SEND_FAILED, SIGNED_OUT);
      const { limit, sent } = result;
      if (!limit.allowed) return refuseForm(context, submission, SEND_FAILED, tooManyTries(limit.retryAfter));
      if (!sent.ok)
        return sent.status === 404 ? notFound(context, request) : refuseForm(context, submission, SEND_FAILED, sent);
      return redirect(here, 303);
    },
    UNEXPLAINED,
  );
}
