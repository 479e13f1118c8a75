import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import { uuidv7 } from "#db/ids";
import { reportPlayer } from "~/features/messages/commands.server";
import { ReportForm } from "~/features/messages/contact/report-form";
import { presentReportable } from "~/features/messages/present.server";
import { findConversation, listReportableMessages } from "~/features/messages/queries.server";
import { reportSchema } from "~/features/messages/schema";
import type { RequestContext } from "~/platform/context";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

const FAILED = "Error sending report";

export const meta: MetaFunction = () => privatePage("Report");

/** The message that the address names; null when it names none. */
function messageIdOf(context: RequestContext, request: Request): string | null {
  const id = new URL(request.url).searchParams.get("message");
  if (id !== null && !isUuid(id)) notFound(context, request);
  return id?.toLowerCase() ?? null;
}

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const conversationId = idParam(params, "conversationId", context, request);
  const messageId = messageIdOf(context, request);
  const userId = await claimedUserId(context, request);
  const [, conversation, messages, clock] = await Promise.all([
    requireViewer(context, request),
    findConversation(context.db, conversationId, userId, context.now),
    listReportableMessages(context.db, conversationId, userId, messageId),
    context.clock(),
  ]);
  if (!conversation?.other?.id || (messageId !== null && messages.length === 0)) notFound(context, request);
  return {
    id: uuidv7(context.now.getTime()),
    thread: `/dashboard/messages/${conversationId}`,
    name: conversation.name,
    messages: messages.map((message) => presentReportable(message, clock)),
    messageId,
  };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const conversationId = idParam(params, "conversationId", context, request);
  const submission = parseWithZod(await request.formData(), { schema: reportSchema });
  const messageId = submission.status === "success" ? submission.value.message : null;
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit, conversation, messages] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "report", userId) : null,
      userId ? findConversation(context.db, conversationId, userId, context.now) : undefined,
      userId && messageId ? listReportableMessages(context.db, conversationId, userId, messageId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (!conversation?.other?.id || messages?.length === 0) notFound(context, request);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const { name } = conversation;
    const { id: reportedId } = conversation.other;
    const { id, reason, details } = submission.value;
    const report = { id, reason, details, reporterId: viewer.id, reportedId, conversationId, messageId };
    if (!(await reportPlayer(context.db, report, context.now.getTime()))) {
      const error = "This form was used already. Open it again to send another report.";
      return refuseForm(context, submission, FAILED, { status: 409, error });
    }
    return redirectWithToast(context, `/dashboard/messages/${conversationId}`, {
      kind: "success",
      title: "Report sent",
      description: `It is kept for our moderators. ${name} isn't told.`,
    });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function ReportPlayer() {
  const { thread, name, ...form } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Report" player={name} closeTo={thread}>
      <ReportForm reply={reply} name={name} {...form} closeTo={thread} />
    </RouteDialog>
  );
}
