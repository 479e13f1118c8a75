import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { editPost } from "~/features/lfg/commands.server";
import { postIdOf } from "~/features/lfg/params.server";
import { PostForm } from "~/features/lfg/post-form";
import { findPost } from "~/features/lfg/queries.server";
import { isOpen } from "~/features/lfg/rules";
import { postSchema } from "~/features/lfg/schema";
import { wayBack } from "~/features/lfg/way-back";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

const FAILED = "Error saving post";

export const meta: MetaFunction = () => privatePage("Edit LFG Post");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const [viewer, post] = await Promise.all([requireViewer(context, request), findPost(context.db, id)]);
  if (post?.userId !== viewer.id) notFound(context, request);
  const way = wayBack(id, new URL(request.url));
  // As the answer to a form the dialog stays, and says that it came too late.
  if (!isOpen(post, context.now) && !context.submitted) throw redirect(way.page);
  return {
    closeTo: way.dialog,
    letter: viewer.letter,
    values: {
      title: post.title,
      message: post.message ?? "",
      neededPlayers: String(post.neededPlayers),
      requiredRank: post.requiredRank ?? "",
      requiredRole: post.requiredRole ?? "",
      region: post.region ?? "",
    },
  };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = postIdOf(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: postSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId ? countUse(context, "postChange", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const outcome = await editPost(context.db, id, submission.value, viewer.id, context.now);
    if (outcome === "missing") return notFound(context, request);
    if (outcome === "too-few") {
      return refuseForm(context, submission, FAILED, {
        status: 409,
        field: "neededPlayers",
        error: "So many are in your team already. Choose more, or close the post to stop looking.",
      });
    }
    if (outcome !== "done") {
      return refuseForm(context, submission, FAILED, {
        status: 409,
        error: "This post is closed already, so it can't be edited.",
      });
    }
    return redirectWithToast(context, wayBack(id, new URL(request.url)).dialog, {
      kind: "success",
      title: "Post saved",
    });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function EditPost() {
  const { closeTo, letter, values } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Edit LFG Post" closeTo={closeTo}>
      <PostForm reply={reply} values={values} letter={letter} submit="Save Post" closeTo={closeTo} />
    </RouteDialog>
  );
}
