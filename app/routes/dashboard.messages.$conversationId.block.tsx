import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { answerBlockButton } from "~/features/blocks/actions.server";
import { BlockDialog } from "~/features/blocks/block-dialog";
import { findConversation } from "~/features/messages/queries.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  privatePage(data ? `${data.hasBlocked ? "Unblock" : "Block"} ${data.name}` : "Block");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, conversation] = await Promise.all([
    requireViewer(context, request),
    findConversation(context.db, id, userId, context.now),
  ]);
  // A deleted account can't be blocked, nor can a group chat.
  if (!conversation?.other?.id) notFound(context, request);
  return { name: conversation.name, hasBlocked: conversation.hasBlocked, closeTo: `/dashboard/messages/${id}` };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "conversationId", context, request);
  return answerBlockButton(args, {
    async find(userId) {
      const conversation = await findConversation(context.db, id, userId, context.now);
      return conversation?.other?.id ? { id: conversation.other.id, name: conversation.name } : null;
    },
    to: `/dashboard/messages/${id}`,
  });
}

export default function BlockPlayer() {
  return <BlockDialog {...useLoaderData<typeof loader>()} />;
}
