import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { createPost } from "~/features/lfg/commands.server";
import { PostForm } from "~/features/lfg/post-form";
import { type OpenPost, selectOpenPosts } from "~/features/lfg/queries.server";
import { MAX_OPEN_POSTS, MAX_TITLE_LENGTH } from "~/features/lfg/rules";
import { newPostSchema } from "~/features/lfg/schema";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { firstCharacters } from "~/platform/forms/text-length";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

const FAILED = "Error creating post";
const NO_ROOM =
  "You have three open posts already. Close one of them, then press Create Post again: what you wrote is still here.";

export const meta: MetaFunction = () => privatePage("Create LFG Post");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const [viewer, open] = await Promise.all([
    requireViewer(context, request),
    selectOpenPosts(context.db, userId, context.now),
  ]);
  const title = firstCharacters(new URL(request.url).searchParams.get("title") ?? "", MAX_TITLE_LENGTH);
  return { id: uuidv7(context.now.getTime()), title, letter: viewer.letter, open };
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
    if (created.outcome === "full") {
      const refusal = refuseForm(context, submission, FAILED, { status: 409, error: NO_ROOM });
      return data({ ...refusal.data, open: created.open }, refusal.init ?? {});
    }
    return redirectWithToast(context, "/dashboard", {
      kind: "success",
      title: "LFG post created!",
      description: "Your post is now live and other players can see it.",
    });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function NewPost() {
  const { id, title, letter, open } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & { open?: OpenPost[] }>();
  // The filters of the list that lies under it are in the address too.
  const list = `/dashboard${useLocation().search}`;
  return (
    <RouteDialog title="Create LFG Post" closeTo={list}>
      {/* A form that was sent stays, with what was written in it. */}
      {!reply && open.length >= MAX_OPEN_POSTS ? (
        <NoRoom posts={open} closeTo={list} />
      ) : (
        <>
          {reply?.open && <OpenPosts posts={reply.open} inNewTab />}
          <PostForm reply={reply} values={{ id, title }} letter={letter} submit="Create Post" closeTo={list} />
        </>
      )}
    </RouteDialog>
  );
}

/** In place of the form: which posts stand in the way, and where they are. */
function NoRoom({ posts, closeTo }: { posts: OpenPost[]; closeTo: string }) {
  return (
    <>
      <p className="mb-3">You have three open posts already. Edit one of them, or close it before you write another.</p>
      <OpenPosts posts={posts} />
      <DialogFooter closeTo={closeTo}>{null}</DialogFooter>
    </>
  );
}

/** The author's open posts as links. They open in a new tab where what was written must stay. */
function OpenPosts({ posts, inNewTab = false }: { posts: OpenPost[]; inNewTab?: boolean }) {
  return (
    <ul aria-label="Your open posts" className="mb-[18px] grid gap-1">
      {posts.map((post) => (
        <li key={post.id} className="wrap-anywhere">
          <Link to={`/lfg/${post.id}`} target={inNewTab ? "_blank" : undefined} dir="auto" className="link">
            {post.title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
