import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, Outlet, useLoaderData } from "@remix-run/react";
import { ViewerHeader } from "~/features/dashboard/viewer-header";
import { bumpPost, closePost } from "~/features/lfg/commands.server";
import { postIdOf } from "~/features/lfg/params.server";
import { usePendingChange, withPendingChange } from "~/features/lfg/pending-change";
import { PostActions } from "~/features/lfg/post-actions";
import { AuthorLine, needs, Wants } from "~/features/lfg/post-card";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { UnreadProvider } from "~/features/notifications/unread-context";
import { verifiedMark } from "~/features/riot/rules";
import { refuseAction } from "~/platform/forms.server";
import { notFound } from "~/platform/not-found.server";
import { resolveNewsLater } from "~/platform/notify.server";
import { ownPath } from "~/platform/origin";
import { originOf, publicPage } from "~/platform/page-meta";
import { countUse, tooManyTries } from "~/platform/rate-limit.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";
import { countUnread } from "~/platform/unread.server";
import { ButtonLink } from "~/ui/button";
import { keepUnderDialog } from "~/ui/dialogs";
import { Five } from "~/ui/five";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { SiteFooter } from "~/ui/site-footer";
import { SiteHeader } from "~/ui/site-header";
import { useInertBehindDialog } from "~/ui/use-inert-behind-dialog";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { post } = data;
  return publicPage({
    title: post.title,
    description: `${needs(post.neededPlayers)}. ${post.message ?? `By ${post.author.name}`}`,
    path: `/lfg/${post.id}`,
    origin: originOf(matches),
    type: "article",
    indexed: post.isOpen,
  });
};

export const shouldRevalidate = keepUnderDialog;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const { db, claim, isPrefetch } = context;
  const news = `post:${id}`;
  const [viewer, post, unread] = await Promise.all([
    context.viewer(),
    findPost(db, id),
    claim && countUnread(db, claim.userId, isPrefetch ? null : { subject: news }),
  ]);
  if (!post) notFound(context, request);
  const isOwn = viewer?.id === post.userId;
  if (isOwn && !isPrefetch) resolveNewsLater(context, post.userId, news);
  return {
    post: presentPost(post, context),
    isOwn,
    viewer: viewer && {
      name: viewer.name,
      letter: viewer.letter,
      avatarId: viewer.avatarId,
      verified: verifiedMark(viewer),
    },
    unread: { messages: unread?.messages ?? 0, notifications: unread?.notifications ?? 0 },
  };
}

/** Bump and close, from wherever the post's author stands; back to there. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = postIdOf(params, context, request);
  const form = await request.formData();
  const intent = form.get("intent");
  if (intent !== "bump" && intent !== "close") notFound(context, request);
  const userId = await claimedUserId(context, request);
  const [viewer, limit] = await Promise.all([requireViewer(context, request), countUse(context, "postChange", userId)]);
  if (!limit.allowed) return refuseAction(context, "Error", tooManyTries(limit.retryAfter));
  const back = ownPath(String(form.get("returnTo") ?? "")) ?? `/lfg/${id}`;
  const outcome = await (intent === "bump" ? bumpPost : closePost)(context.db, id, viewer.id, context.now);
  switch (outcome) {
    case "missing":
      return notFound(context, request);
    case "done":
      if (intent === "close") resolveNewsLater(context, viewer.id, `post:${id}`);
      return redirectWithToast(context, back, intent === "bump" ? BUMPED : CLOSED);
    case "too-soon":
      return refuseAction(context, "Not yet", { status: 409, error: "A post can be bumped once in 30 minutes." });
    case "closed":
      return refuseAction(context, "Error", { status: 409, error: "This post is closed already." });
    default:
      outcome satisfies never;
  }
}

const BUMPED = { kind: "success", title: "Post bumped", description: "It is on top of the list again." } as const;
const CLOSED = {
  kind: "success",
  title: "Post closed",
  description: "Other players no longer see it in the list.",
} as const;

export default function PostPage() {
  const { post: loaded, isOwn, viewer, unread } = useLoaderData<typeof loader>();
  const [post = loaded] = withPendingChange([loaded], usePendingChange().change);
  const inert = useInertBehindDialog();
  return (
    <UnreadProvider loaded={unread}>
      <div className="flex min-h-dvh flex-col" {...inert}>
        {viewer ? <ViewerHeader {...viewer} /> : <SiteHeader />}
        <main className="measure w-full flex-1 pb-14">
          {/* As in the list, only larger: whoever comes from there finds every part where it was. */}
          <article className="md:grid md:max-w-[988px] md:grid-cols-[200px_minmax(0,1fr)] md:gap-x-7">
            <div>
              <Five
                letter={post.author.letter}
                picture={post.author.picture}
                needed={post.neededPlayers}
                fits={post.isOpen && !isOwn}
                role={post.requiredRole}
              />
              <p className="mt-[7px] text-meta font-semibold">{needs(post.neededPlayers)}</p>
            </div>
            <div className="min-w-0 pt-5 md:pt-7">
              <h1 dir="auto" className="text-title-phone font-[650] tracking-[-0.005em] wrap-anywhere md:text-title">
                {post.title}
              </h1>
              <div className="mt-1.5">
                <AuthorLine author={post.author} />
              </div>
              {!post.isOpen && (
                <Notice title="This post is closed." className="mt-5">
                  It no longer shows in the list. There may be others like it.
                </Notice>
              )}
              {post.message && (
                <p dir="auto" className="mt-5 text-landing wrap-anywhere whitespace-pre-line">
                  {post.message}
                </p>
              )}
              <div className="mt-5">
                <Wants post={post} />
              </div>
              <p className="mt-5 text-meta text-muted">
                <RelativeTime iso={post.listed.iso} ago={post.listed.ago} title={post.listed.exact} />
                {post.isOpen && ` · ${post.timeLeft} left`}
              </p>
              <div className="mt-7 flex flex-wrap gap-2">
                {isOwn && post.isOpen && <PostActions postId={post.id} returnTo={`/lfg/${post.id}`} />}
                {isOwn && (
                  <ButtonLink to={`/lfg/${post.id}/delete`} variant="danger" preventScrollReset>
                    Delete Post
                  </ButtonLink>
                )}
                {!isOwn && post.isOpen && (
                  <ButtonLink to={`/lfg/${post.id}/contact`} variant="primary" preventScrollReset>
                    Contact
                  </ButtonLink>
                )}
                {viewer && !isOwn && <ButtonLink to="/dashboard">All posts</ButtonLink>}
              </div>
              {!viewer && (
                <p className="mt-5 text-meta text-pretty text-muted">
                  Lineup is where VALORANT players find the teammates they are missing.{" "}
                  <Link to="/" className="link">
                    How it works
                  </Link>
                </p>
              )}
            </div>
          </article>
        </main>
        <SiteFooter signedIn={viewer !== null} />
      </div>
      <Outlet />
    </UnreadProvider>
  );
}
