import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import { uuidv7 } from "#db/ids";
import { ReportForm } from "~/features/messages/contact/report-form";
import { presentReportable } from "~/features/messages/present.server";
import { findConversation } from "~/features/messages/queries.server";
import { listReportableMessages, reportPlayer } from "~/features/messages/reports.server";
import { reportSchema } from "~/features/messages/schema";
import type { RequestContext } from "~/platform/context";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const FAILED = "Error sending report";

export const meta: MetaFunction = () => privatePage("Report");

/** Reads the message's id from the address; null if there is none. */
function messageIdOf(context: RequestContext, request: Request): string | null {
  const id = new URL(request.url).searchParams.get("message");
  if (id !== null && !isUuid(id)) notFound(context, request);
  return id?.toLowerCase() ?? null;
}

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const conversationId = idParam(params, "conversationId", context, request);
  const messageId = messageIdOf(context, request);
  const userId = await requireClaimedUserId(context, request);
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

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const { db, now } = context;
  const conversationId = idParam(params, "conversationId", context, request);
  return answerForm(args, {
    schema: reportSchema,
    failed: FAILED,
    limit: "report",
    to: `/dashboard/messages/${conversationId}`,
    async alongside(userId, value) {
      const [conversation, messages] = await Promise.all([
        findConversation(db, conversationId, userId, now),
        value?.message ? listReportableMessages(db, conversationId, userId, value.message) : null,
      ]);
      const id = conversation?.other?.id;
      return id && messages?.length !== 0 ? { id, name: conversation.name } : null;
    },
    async run({ value, viewer, found: other }) {
      const { message: messageId, ...rest } = value;
      const report = { ...rest, reporterId: viewer.id, reportedId: other.id, conversationId, messageId };
      if (!(await reportPlayer(db, report, now.getTime()))) {
        return { status: 409, error: "This form was used already. Open it again to send another report." };
      }
      return { title: "Report sent", description: `It is kept for our moderators. ${other.name} isn't told.` };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function ReportPlayer() {
  const { thread, name, ...form } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Report" player={name} closeTo={thread}>
      <ReportForm reply={reply} name={name} {...form} closeTo={thread} />
    </RouteDialog>
  );
}
