import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { deletePost } from "~/features/lfg/commands.server";
import { postIdOf } from "~/features/lfg/params.server";
import { findPost } from "~/features/lfg/queries.server";
import { tellPostLists } from "~/features/lfg/shared/tell-post-lists.server";
import { wayBack } from "~/features/lfg/way-back";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { refuseVisit } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const HAS_TEAM = "Others have joined this post, so you can't delete it.";

export const meta: MetaFunction = () => privatePage("Delete Post");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const [viewer, post] = await Promise.all([
    requireViewer(context, request),
    findPost(context.db, id, context.claim?.userId),
  ]);
  const way = wayBack(id, new URL(request.url));
  if (post?.userId !== viewer.id) notFound(context, request);
  if (post.hasTeam) refuseVisit(context, way.page, HAS_TEAM);
  return { title: post.title, closeTo: way.dialog };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = postIdOf(params, context, request);
  // Only the author is shown this button. If it is pressed when the post is gone, an earlier press deleted the post.
  const isPressed = (await request.formData()).get("intent") === "delete";
  return answerButton(args, {
    limit: "postChange",
    async run({ viewer }) {
      const { outcome, forgotten } = await deletePost(context.db, id, viewer.id);
      if (outcome === "missing" || (outcome === "gone" && !isPressed)) return "missing";
      if (outcome === "has-team") return { status: 409, error: HAS_TEAM };
      // If the response to an earlier press was lost, the author's other tabs still count news of the post.
      tellUnread(context, viewer.id, ...forgotten);
      tellPostLists(context, id);
      const way = wayBack(id, new URL(request.url));
      return { to: way.query ? way.list : "/dashboard", title: "Post deleted" };
    },
  });
}

export default function DeletePost() {
  const { title, closeTo } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title="Delete Post" closeTo={closeTo} isQuestion>
      <p className="wrap-anywhere">
        “{title}” and its page will be gone for good. To just take it off the list, close it instead.
      </p>
      <DialogForm className="mt-5">
        <DialogFooter closeTo={closeTo}>
          <Button name="intent" value="delete" variant="danger-filled" busy={busy} busyLabel="Deleting">
            Delete Post
          </Button>
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
