import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { editPost } from "~/features/lfg/commands.server";
import { postIdOf } from "~/features/lfg/params.server";
import { PostForm } from "~/features/lfg/post-form";
import { findPostToEdit } from "~/features/lfg/queries.server";
import { isOpen } from "~/features/lfg/rules";
import { editedPostSchema } from "~/features/lfg/schema";
import { tellPostLists } from "~/features/lfg/shared/tell-post-lists.server";
import { wayBack } from "~/features/lfg/way-back";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { tellTeams } from "~/features/teams/shared/tell-teams.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error saving post";
const CHANGED =
  "This post has changed elsewhere since you opened this form. Your entries are still here: save again to replace what's saved.";

export const meta: MetaFunction = () => privatePage("Edit LFG Post");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const userId = await requireClaimedUserId(context, request);
  const [viewer, post] = await Promise.all([requireViewer(context, request), findPostToEdit(context.db, id, userId)]);
  if (!post) notFound(context, request);
  const way = wayBack(id, new URL(request.url));
  // This dialog is also the response to a form posted without JavaScript, and then says that it is too late.
  if (!isOpen(post, context.now) && !context.submitted) throw redirect(way.page);
  return {
    closeTo: way.dialog,
    letter: viewer.letter,
    values: {
      version: post.version,
      title: post.title,
      message: post.message ?? "",
      neededPlayers: String(post.neededPlayers),
      requiredRank: post.requiredRank ?? "",
      requiredRole: post.requiredRole ?? "",
      region: post.region ?? "",
    },
  };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = postIdOf(params, context, request);
  return answerForm(args, {
    schema: editedPostSchema,
    failed: FAILED,
    limit: "postChange",
    async run({ value: { version, ...fields }, viewer }) {
      const outcome = await editPost(context, id, fields, viewer.id, version);
      if (typeof outcome === "object") {
        return outcome.outcome === "changed"
          ? { status: 409, error: CHANGED, renewed: { version: outcome.version } }
          : refuseLimited(context, outcome);
      }
      switch (outcome) {
        case "missing":
          return "missing";
        case "too-few":
          return {
            status: 409,
            field: "neededPlayers",
            error: "Your team already has that many players. Choose more, or close the post to stop looking.",
          };
        case "hidden":
          return { status: 409, error: "Moderators have hidden this post, so you can't edit it." };
        case "closed":
          return { status: 409, error: "This post is already closed, so you can't edit it." };
        default:
          tellPostLists(context, id);
          tellTeams(context, id);
          return { to: wayBack(id, new URL(request.url)).dialog, title: "Post saved" };
      }
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function EditPost() {
  const { closeTo, letter, values } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Edit LFG Post" closeTo={closeTo}>
      <PostForm reply={reply} values={values} letter={letter} submit="Save Post" closeTo={closeTo} />
    </RouteDialog>
  );
}
