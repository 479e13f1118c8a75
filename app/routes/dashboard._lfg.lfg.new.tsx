import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { createPost } from "~/features/lfg/commands.server";
import { PostForm } from "~/features/lfg/post-form";
import { newPostSchema } from "~/features/lfg/schema";
import { type FormReply, orOffline } from "~/platform/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms.server";
import { privatePage } from "~/platform/page-meta";
import { countUse, tooManyTries } from "~/platform/rate-limit.server";
import { requireViewer } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";
import { RouteDialog } from "~/ui/route-dialog";

const FAILED = "Error creating post";

export const meta: MetaFunction = () => privatePage("Create LFG Post");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  return { id: uuidv7(context.now.getTime()), letter: viewer.letter };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: newPostSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "post", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    if (!(await createPost(context.db, submission.value, viewer.id, context.now))) {
      const error = "This form was used already. Open it again to write another post.";
      return refuseForm(context, submission, FAILED, { status: 409, error });
    }
    return redirectWithToast(context, "/dashboard", {
      kind: "success",
      title: "LFG post created!",
      description: "Your post is now live and other players can see it.",
    });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) => orOffline(request, serverAction);

export default function NewPost() {
  const { id, letter } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  // The filters of the list that lies under it are in the address too.
  const list = `/dashboard${useLocation().search}`;
  return (
    <RouteDialog title="Create LFG Post" closeTo={list}>
      <PostForm reply={reply} values={{ id }} letter={letter} submit="Create Post" closeTo={list} />
    </RouteDialog>
  );
}
