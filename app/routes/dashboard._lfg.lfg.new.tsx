import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { useState } from "react";
import { uuidv7 } from "#db/ids";
import { createPost } from "~/features/lfg/commands.server";
import { PostForm } from "~/features/lfg/post-form";
import { type OpenPost, selectOpenPosts } from "~/features/lfg/queries.server";
import { MAX_MESSAGE_LENGTH, MAX_OPEN_POSTS, MAX_TITLE_LENGTH } from "~/features/lfg/rules";
import { newPostSchema } from "~/features/lfg/schema";
import { tellPostLists } from "~/features/lfg/shared/tell-post-lists.server";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { firstCharacters } from "~/platform/forms/text-length";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import "~/shell";

const FAILED = "Error creating post";
const NO_ROOM = "You already have three open posts. Close one, then press Create Post again. Your text is still here.";

export const meta: MetaFunction = () => privatePage("Create LFG Post");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [viewer, open] = await Promise.all([
    requireViewer(context, request),
    selectOpenPosts(context.db, userId, context.now),
  ]);
  const { searchParams } = new URL(request.url);
  const title = firstCharacters(searchParams.get("title") ?? "", MAX_TITLE_LENGTH);
  // From another app that shares a text or a link with Lineup (`share_target` in `public/site.webmanifest`).
  const shared = ["text", "url"].map((name) => searchParams.get(name)).filter(Boolean);
  const message = firstCharacters(shared.join("\n"), MAX_MESSAGE_LENGTH);
  return { id: uuidv7(context.now.getTime()), title, message, letter: viewer.letter, open };
}

export const action = (args: ActionFunctionArgs) =>
  answerForm(args, {
    schema: newPostSchema,
    failed: FAILED,
    limit: ["post", "postPerAddress"],
    async run({ value, viewer }) {
      const created = await createPost(args.context, value, viewer.id);
      switch (created.outcome) {
        case "different":
        case "over":
          return {
            status: 409,
            error: `This form has already created a post, ${created.outcome === "over" ? "which isn't open any more" : "with other details"}. To create another, press Create Post again.`,
            renewed: { id: uuidv7(args.context.now.getTime()) },
            next: { to: `/lfg/${value.id}`, label: "See that post", inNewTab: true },
          };
        case "used":
          return { status: 409, error: "This form was already used. Open it again to write another post." };
        case "limited":
          return refuseLimited(args.context, created);
        case "full":
          return { status: 409, error: NO_ROOM, more: { open: created.open } };
        default:
          tellPostLists(args.context, value.id, true);
          return {
            to: "/dashboard",
            title: "LFG post created!",
            description: "Your post is now live and other players can see it.",
          };
      }
    },
  });

export const clientAction = offlineAction(FAILED);

export default function NewPost() {
  const { id, title, message, letter, open } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply & { open?: OpenPost[] }>();
  // The address also holds the filters of the list below.
  const list = `/dashboard${useLocation().search}`;
  // Once shown, the form stays, with its values, even if another post has opened when the data is loaded again.
  const hasRoom = reply !== undefined || open.length < MAX_OPEN_POSTS;
  const [showsForm, setShowsForm] = useState(hasRoom);
  if (hasRoom && !showsForm) setShowsForm(true);
  return (
    <RouteDialog title="Create LFG Post" closeTo={list}>
      {showsForm ? (
        <>
          {reply?.open && <OpenPosts posts={reply.open} inNewTab />}
          <PostForm reply={reply} values={{ id, title, message }} letter={letter} submit="Create Post" closeTo={list} />
        </>
      ) : (
        <PostLimitReached posts={open} closeTo={list} />
      )}
    </RouteDialog>
  );
}

/** Replaces the form when the player has too many open posts, and links to them. */
function PostLimitReached({ posts, closeTo }: { posts: OpenPost[]; closeTo: string }) {
  return (
    <>
      <p className="mb-3">You already have three open posts. Edit or close one before posting again.</p>
      <OpenPosts posts={posts} />
      <DialogFooter closeTo={closeTo}>{null}</DialogFooter>
    </>
  );
}

/** Links to the author's open posts. They open in a new tab if the form with its entered values must stay. */
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
