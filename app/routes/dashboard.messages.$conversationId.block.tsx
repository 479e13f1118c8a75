import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { blockPlayer, unblockPlayer } from "~/features/messages/blocked-players.server";
import { findConversation } from "~/features/messages/queries.server";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { separateOrganisersLater } from "~/features/tournaments/hosting/organisers.server";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/session.server";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  privatePage(data ? `${titleOf(data.hasBlocked)} ${data.name}` : "Block");

const titleOf = (hasBlocked: boolean) => (hasBlocked ? "Unblock" : "Block");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, conversation] = await Promise.all([
    requireViewer(context, request),
    findConversation(context.db, id, userId, context.now),
  ]);
  // A deleted account can't be blocked.
  if (!conversation?.other?.id) notFound(context, request);
  return { id, name: conversation.name, hasBlocked: conversation.hasBlocked };
}

/** Blocks or unblocks the other player (`intent`). Repeating either has no effect. */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const { db, now } = context;
  const id = idParam(params, "conversationId", context, request);
  const intent = (await request.formData()).get("intent");
  if (intent !== "block" && intent !== "unblock") throw new Response("No such button", { status: 400 });
  return answerButton(args, {
    limit: "block",
    to: `/dashboard/messages/${id}`,
    async alongside(userId) {
      const conversation = await findConversation(db, id, userId, now);
      return conversation?.other?.id ? { id: conversation.other.id, name: conversation.name } : null;
    },
    async run({ viewer, found: other }) {
      if (intent === "unblock") {
        await unblockPlayer(db, viewer.id, other.id);
        tellConversation(context, id, { type: "changed" });
        return { title: `${other.name} is unblocked` };
      }
      await blockPlayer(db, viewer.id, other.id, now.getTime());
      separateOrganisersLater(context, viewer.id, other.id);
      tellConversation(context, id, { type: "changed" });
      return { title: `${other.name} is blocked`, description: "Neither of you can write to the other." };
    },
  });
}

export default function BlockPlayer() {
  const { id, name, hasBlocked } = useLoaderData<typeof loader>();
  useReplyToast(useActionData<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  const thread = `/dashboard/messages/${id}`;
  return (
    <RouteDialog title={titleOf(hasBlocked)} player={name} closeTo={thread}>
      <p className="wrap-anywhere">
        {hasBlocked
          ? `${name} can write to you again, and you to them. They get no notice of it.`
          : `You and ${name} won't be able to write to each other, not even about a post. They get no notice, but they'll see that they can't write to you. You can unblock them here, or in the settings.`}
      </p>
      <Form method="post" className="mt-5">
        <DialogFooter closeTo={thread}>
          {hasBlocked ? (
            <Button name="intent" value="unblock" variant="primary" busy={busy} busyLabel="Unblocking">
              Unblock
            </Button>
          ) : (
            <Button name="intent" value="block" variant="danger-filled" busy={busy} busyLabel="Blocking">
              <span className="wrap-anywhere">Block {name}</span>
            </Button>
          )}
        </DialogFooter>
      </Form>
    </RouteDialog>
  );
}
