import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { createPost } from "~/features/lfg/commands.server";
import { PostForm } from "~/features/lfg/post-form";
import { findOwnOpenPost, type OpenPost } from "~/features/lfg/queries.server";
import { MAX_TITLE_LENGTH } from "~/features/lfg/rules";
import { newPostSchema } from "~/features/lfg/schema";
import { type FormReply, orOffline } from "~/platform/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms.server";
import { privatePage } from "~/platform/page-meta";
import { countUse, tooManyTries } from "~/platform/rate-limit.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";
import { ButtonLink } from "~/ui/button";
import { DialogFooter } from "~/ui/dialog-footer";
import { RouteDialog } from "~/ui/route-dialog";

const FAILED = "Error creating post";
const ONE_AT_A_TIME = "You have an open post already. Close it first: one at a time.";

export const meta: MetaFunction = () => privatePage("Create LFG Post");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const [viewer, open] = await Promise.all([
    requireViewer(context, request),
    findOwnOpenPost(context.db, userId, context.now),
  ]);
  const title = new URL(request.url).searchParams.get("title")?.slice(0, MAX_TITLE_LENGTH) ?? "";
  return { id: uuidv7(context.now.getTime()), title, letter: viewer.letter, open: open ?? null };
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
    const created = await createPost(context.db, submission.value, viewer.id, context.now);
    if (created.outcome === "used") {
      const error = "This form was used already. Open it again to write another post.";
      return refuseForm(context, submission, FAILED, { status: 409, error });
    }
    if (created.outcome === "open") {
      const refusal = refuseForm(context, submission, FAILED, { status: 409, error: ONE_AT_A_TIME });
      return data({ ...refusal.data, open: created.post }, refusal.init ?? {});
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
  const { id, title, letter, open } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & { open?: OpenPost }>();
  // The filters of the list that lies under it are in the address too.
  const list = `/dashboard${useLocation().search}`;
  return (
    <RouteDialog title="Create LFG Post" closeTo={list}>
      {/* Who has written something keeps it. */}
      {!reply && open ? (
        <OneAtATime post={open} closeTo={list} />
      ) : (
        <>
          {reply?.open && (
            <p className="mb-[18px] wrap-anywhere">
              Your open post: <OpenPostLink post={reply.open} />
            </p>
          )}
          <PostForm reply={reply} values={{ id, title }} letter={letter} submit="Create Post" closeTo={list} />
        </>
      )}
    </RouteDialog>
  );
}

/** In place of the form: what stands in the way, and where it is. */
function OneAtATime({ post, closeTo }: { post: OpenPost; closeTo: string }) {
  return (
    <>
      <p className="wrap-anywhere">
        You have an open post already: <OpenPostLink post={post} />. One at a time: change it, or close it to write
        another.
      </p>
      <div className="mt-5">
        <DialogFooter closeTo={closeTo}>
          <ButtonLink to={`/lfg/${post.id}`} variant="primary">
            Go to Your Post
          </ButtonLink>
        </DialogFooter>
      </div>
    </>
  );
}

const OpenPostLink = ({ post }: { post: OpenPost }) => (
  <Link to={`/lfg/${post.id}`} dir="auto" className="link">
    {post.title}
  </Link>
);
