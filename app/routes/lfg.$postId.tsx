import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  Link,
  Outlet,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
  useLocation,
} from "@remix-run/react";
import { presentFrame } from "~/features/dashboard/frame.server";
import { PublicPage } from "~/features/dashboard/public-page";
import { isQueueSize, PARTY_OF_FOUR } from "~/features/game/queue";
import { ClosePost } from "~/features/lfg/close-post";
import { bumpPost, closePost } from "~/features/lfg/commands.server";
import { postIdOf } from "~/features/lfg/params.server";
import { usePendingChange, withPendingChange } from "~/features/lfg/pending-change";
import { PostActions } from "~/features/lfg/post-actions";
import { AuthorLine, needs, Wants } from "~/features/lfg/post-card";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { opensAgain } from "~/features/lfg/rules";
import { useNewsOnPage } from "~/features/notifications/use-news-on-page";
import { pressTeamButton } from "~/features/teams/buttons.server";
import { whyNotJoin } from "~/features/teams/join.server";
import { OwnRequest } from "~/features/teams/own-request";
import { findOwnRequest, listRequests, listTeam } from "~/features/teams/queries.server";
import { Requests } from "~/features/teams/requests";
import { teamButtonSchema } from "~/features/teams/schema";
import { Team } from "~/features/teams/team";
import type { ToastReply } from "~/platform/forms";
import { refuseAction } from "~/platform/forms.server";
import { notFound } from "~/platform/not-found.server";
import { resolveNewsLater } from "~/platform/notify.server";
import { ownPath } from "~/platform/origin";
import { originOf, publicPage } from "~/platform/page-meta";
import { countUse, tooManyTries } from "~/platform/rate-limit.server";
import { tellUnread } from "~/platform/rooms.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";
import { countUnread } from "~/platform/unread.server";
import { ButtonLink } from "~/ui/button";
import { keepUnderDialog, pageUnderDialog } from "~/ui/dialogs";
import { Five } from "~/ui/five";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { useReplyToast } from "~/ui/use-toasts";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { post } = data;
  return publicPage({
    title: post.title,
    description: `${needs(post.openSpots)}. ${post.message ?? `By ${post.author.name}`}`,
    path: `/lfg/${post.id}`,
    origin: originOf(matches),
    type: "article",
    indexed: post.isOpen,
  });
};

/** A button that came too late means that the page is old: it loads again, besides saying so. */
export const shouldRevalidate: ShouldRevalidateFunction = (args) =>
  (args.actionStatus === 409 && pageUnderDialog(args.formAction ?? "") === null) || keepUnderDialog(args);

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const { db, claim, isPrefetch } = context;
  const news = `post:${id}`;
  const userId = claim?.userId;
  const [viewer, post, unread, asked, requests, team] = await Promise.all([
    context.viewer(),
    findPost(db, id),
    userId && countUnread(db, userId, isPrefetch ? null : { subject: news }),
    userId ? findOwnRequest(db, id, userId) : null,
    userId ? listRequests(db, id, userId) : [],
    userId ? listTeam(db, id, userId) : [],
  ]);
  if (!post) notFound(context, request);
  const isOwn = viewer?.id === post.userId;
  if (viewer && (isOwn || asked) && !isPrefetch) resolveNewsLater(context, viewer.id, news);
  const shown = presentPost(post, await context.clock());
  return {
    post: shown,
    isOwn,
    isFull: shown.openSpots === 0,
    opensAgain: opensAgain(post, context.now),
    canDelete: isOwn && !post.hasTeam,
    isPartyOfFour: !isQueueSize(1 + post.neededPlayers),
    canJoin: !whyNotJoin({ ...shown, isOwn, asked: (viewer && asked?.state) ?? null }),
    mayGiveFeedback: post.sessionEndedAt !== null && Boolean(isOwn ? post.hasTeam : viewer && asked?.hasPlayed),
    asked: (viewer && asked) ?? null,
    requests: viewer && shown.isOpen ? requests : [],
    team: viewer ? team : [],
    conversationId: viewer && team.length > 0 ? post.conversationId : null,
    ...presentFrame(viewer, unread || null),
  };
}

/**
 * Bump and close, from wherever the post's author stands, and back to there; and what authors and players do with a team,
 * from this page.
 */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = postIdOf(params, context, request);
  const form = await request.formData();
  const team = teamButtonSchema.safeParse(Object.fromEntries(form));
  const intent = form.get("intent");
  if (!team.success && intent !== "bump" && intent !== "close") notFound(context, request);
  const userId = await claimedUserId(context, request);
  const [viewer, limit] = await Promise.all([
    requireViewer(context, request),
    countUse(context, team.success ? "team" : "postChange", userId),
  ]);
  if (!limit.allowed) return refuseAction(context, "Error", tooManyTries(limit.retryAfter));
  if (team.success) {
    const pressed = await pressTeamButton(context, team.data, id, viewer.id);
    if (pressed.outcome === "missing") return notFound(context, request);
    if (pressed.outcome === "refused") return refuseAction(context, "Error", pressed);
    return redirectWithToast(context, `/lfg/${id}`, pressed.toast);
  }
  const back = ownPath(String(form.get("returnTo") ?? "")) ?? `/lfg/${id}`;
  if (intent === "close") {
    const { outcome, told } = await closePost(context.db, id, viewer.id, context.now);
    if (outcome === "missing") return notFound(context, request);
    tellUnread(context, ...told);
    resolveNewsLater(context, viewer.id, `post:${id}`);
    return redirectWithToast(context, back, CLOSED);
  }
  const outcome = await bumpPost(context.db, id, viewer.id, context.now);
  switch (outcome) {
    case "missing":
      return notFound(context, request);
    case "done":
      return redirectWithToast(context, back, BUMPED);
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

const REOPENS = " It opens again when somebody leaves, unless you close it.";

export default function PostPage() {
  const { post: loaded, isOwn, isFull, canJoin, viewer, asked, ...page } = useLoaderData<typeof loader>();
  useReplyToast(useActionData<ToastReply>());
  const [post = loaded] = withPendingChange([loaded], usePendingChange().change);
  const { pathname } = useLocation();
  return (
    <PublicPage viewer={viewer} unread={page.unread} dialog={<Outlet />}>
      {viewer && pageUnderDialog(pathname) === null && <LiveNews />}
      {/* As in the list, only larger: whoever comes from there finds every part where it was. */}
      <article className="md:grid md:max-w-[988px] md:grid-cols-[200px_minmax(0,1fr)] md:gap-x-7">
        <div>
          <Five
            letter={post.author.letter}
            picture={post.author.picture}
            taken={post.takenSpots}
            needed={post.openSpots}
            fits={post.isOpen && canJoin}
            role={post.requiredRole}
          />
          <p className="mt-[7px] text-meta font-semibold">{isFull ? "The team is complete" : needs(post.openSpots)}</p>
        </div>
        <div className="min-w-0 pt-5 md:pt-7">
          <h1 dir="auto" className="text-title-phone font-[650] tracking-[-0.005em] wrap-anywhere md:text-title">
            {post.title}
          </h1>
          <div className="mt-1.5">
            <AuthorLine author={post.author} />
          </div>
          {!post.isOpen && (
            <Notice title={isFull ? "This team is complete." : "This post is closed."} className="mt-5">
              {isFull
                ? `The post closed itself when the last spot was taken.${isOwn && page.opensAgain ? REOPENS : ""}`
                : "It no longer shows in the list. There may be others like it."}
            </Notice>
          )}
          {asked && (
            <OwnRequest
              postId={post.id}
              author={post.author.name}
              isOpen={post.isOpen}
              isFull={isFull}
              opensAgain={page.opensAgain}
              request={asked}
            />
          )}
          {post.message && (
            <p dir="auto" className="mt-5 text-landing wrap-anywhere whitespace-pre-line">
              {post.message}
            </p>
          )}
          <div className="mt-5">
            <Wants post={post} />
            {page.isPartyOfFour && <p className="mt-2 text-meta text-muted">{PARTY_OF_FOUR}</p>}
          </div>
          <p className="mt-5 text-meta text-muted">
            <RelativeTime iso={post.listed.iso} ago={post.listed.ago} title={post.listed.exact} />
            {post.isOpen && ` · ${post.timeLeft} left`}
          </p>
          <div className="mt-7 flex flex-wrap gap-2">
            {isOwn && post.isOpen && <PostActions postId={post.id} returnTo={`/lfg/${post.id}`} />}
            {isOwn && page.opensAgain && <ClosePost postId={post.id} />}
            {page.canDelete && (
              <ButtonLink to={`/lfg/${post.id}/delete`} variant="danger" preventScrollReset>
                Delete Post
              </ButtonLink>
            )}
            {canJoin && (
              <ButtonLink to={`/lfg/${post.id}/join`} variant="primary" preventScrollReset>
                Request to Join
              </ButtonLink>
            )}
            {page.mayGiveFeedback && (
              <ButtonLink to={`/dashboard/feedback/${post.id}`} prefetch="intent">
                Feedback for Your Team
              </ButtonLink>
            )}
            {!isOwn && post.isOpen && (
              <ButtonLink to={`/lfg/${post.id}/contact`} preventScrollReset>
                Contact
              </ButtonLink>
            )}
            {viewer && !isOwn && (
              <ButtonLink to="/dashboard" variant="quiet">
                All posts
              </ButtonLink>
            )}
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
      <Requests postId={post.id} requests={page.requests} />
      {viewer && (
        <Team postId={post.id} viewerId={viewer.id} members={page.team} conversationId={page.conversationId} />
      )}
    </PublicPage>
  );
}

/** Shows at once what happens to the team; not while something is being written in a dialog. */
function LiveNews() {
  useNewsOnPage();
  return null;
}
