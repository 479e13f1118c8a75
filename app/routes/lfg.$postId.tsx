import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  Form,
  Link,
  Outlet,
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
} from "@remix-run/react";
import { blockPage } from "~/features/blocks/rules";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { handlePostButton } from "~/features/lfg/actions.server";
import { Five } from "~/features/lfg/five";
import { postIdOf } from "~/features/lfg/params.server";
import { useBumpForm, withBump } from "~/features/lfg/pending-bump";
import { PostActions } from "~/features/lfg/post-actions";
import { AuthorLine, needs, Wants } from "~/features/lfg/post-card";
import { matchPost, presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { canReopen, opensAgain } from "~/features/lfg/rules";
import { postButtonSchema } from "~/features/lfg/schema";
import { wayBack } from "~/features/lfg/way-back";
import { HiddenNotice } from "~/features/moderation/hidden-notice";
import { PushButton } from "~/features/notifications/push/push-button";
import { findPushOffer } from "~/features/notifications/push/queries.server";
import { resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { useNewsOnPage } from "~/features/notifications/use-news-on-page";
import { findProfile } from "~/features/players/queries.server";
import { initial } from "~/features/players/rules";
import { matchProfileOf, NO_PROFILE } from "~/features/players/shared/match-profile";
import { Reason } from "~/features/players/shared/reason";
import { type AcceptReply, pressTeamButton, returnAfterButton, whyNotJoin } from "~/features/teams/actions.server";
import { OwnRequest } from "~/features/teams/own-request";
import { findOwnRequest, listRequests, listTeam } from "~/features/teams/queries.server";
import { Requests } from "~/features/teams/requests";
import { teamButtonSchema } from "~/features/teams/schema";
import { Team } from "~/features/teams/team";
import { isQueueSize, PARTY_OF_FOUR } from "~/game/queue";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import { ownPath } from "~/platform/request/origin";
import { Badge } from "~/ui/badge";
import { Button, ButtonLink } from "~/ui/button";
import { keepUnderDialog, pageUnderDialog } from "~/ui/dialogs/dialogs";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

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

/** If a button is refused because it came too late, the page is outdated, so it reloads and says so. */
export const shouldRevalidate: ShouldRevalidateFunction = (args) =>
  (args.actionStatus === 409 && pageUnderDialog(args.formAction ?? "") === null) || keepUnderDialog(args);

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const { db, claim, isPrefetch } = context;
  const news = `post:${id}`;
  const userId = claim?.userId;
  const [viewer, post, profile, unread, asked, requests, team, pushKey, clock] = await Promise.all([
    context.viewer(),
    findPost(db, id, userId),
    userId ? findProfile(db, userId) : null,
    userId && countUnread(db, userId, isPrefetch ? null : { subject: news }),
    userId ? findOwnRequest(db, id, userId) : null,
    userId ? listRequests(db, id, userId) : [],
    userId ? listTeam(db, id, userId) : [],
    findPushOffer(context),
    context.clock(),
  ]);
  if (!post || (post.hiddenAt && !viewer)) notFound(context, request);
  const isOwn = viewer?.id === post.userId;
  if (viewer && (isOwn || asked) && !isPrefetch) resolveNewsLater(context, viewer.id, news);
  const { hasBlocked, isBlocked } = post;
  const relation = {
    isOwn,
    asked: (viewer && asked?.state) ?? null,
    match: viewer && !isOwn ? matchPost(post, matchProfileOf(profile ?? NO_PROFILE, clock, true), clock) : null,
    seesPresence: viewer !== null && !isOwn && !hasBlocked && !isBlocked,
  };
  const shown = presentPost(post, clock, relation, PAGE_REASONS);
  return {
    way: wayBack(id, new URL(request.url)),
    post: shown,
    isOwn,
    isFull: shown.openSpots === 0,
    opensAgain: opensAgain(post, context.now),
    isClosed: post.closedAt !== null,
    isHidden: post.hiddenAt !== null,
    canReopen: isOwn && canReopen(post, context.now),
    canDelete: isOwn && !post.hasTeam,
    isPartyOfFour: !isQueueSize(1 + post.neededPlayers),
    canJoin: !whyNotJoin({ ...shown, ...relation, hasBlocked, isBlocked }),
    fits: shown.isOpen && shown.fits && !hasBlocked && !isBlocked,
    // Only the player who blocked the other is told about the block.
    block: viewer && (hasBlocked ? "blocked" : isBlocked ? "unreachable" : null),
    mayGiveFeedback: post.sessionEndedAt !== null && Boolean(isOwn ? post.hasTeam : viewer && asked?.hasPlayed),
    asked: (viewer && asked) ?? null,
    isPlayed: post.sessionEndedAt !== null,
    pushKey: isOwn && shown.isOpen ? pushKey : null,
    requests: viewer && shown.isOpen ? requests : [],
    team: viewer ? team : [],
    conversationId: viewer && team.length > 0 ? post.conversationId : null,
    ...presentFrame(viewer, unread || null),
  };
}

/**
 * Handles bump, close and reopen from any of the author's pages, and returns there; and from this page, the actions of
 * authors and players in a team.
 */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = postIdOf(params, context, request);
  const form = await request.formData();
  const way = wayBack(id, new URL(request.url));
  const team = teamButtonSchema.safeParse(Object.fromEntries(form));
  if (team.success) {
    return answerButton(args, {
      limit: "team",
      to: returnAfterButton(context, form, team.data, id) ?? way.page,
      run: ({ viewer }) => pressTeamButton(context, team.data, id, viewer.id),
    });
  }
  const button = postButtonSchema.safeParse(form.get("intent"));
  if (!button.success) notFound(context, request);
  return answerButton(args, {
    limit: "postChange",
    to: ownPath(String(form.get("returnTo") ?? "")) ?? way.dialog,
    run: ({ viewer }) => handlePostButton(context, button.data, id, viewer.id),
  });
}

/** How many reasons the page shows why the post fits the viewer or doesn't. */
const PAGE_REASONS = 4;

const FILLED = "The post closed when the last spot was taken.";
const REOPENS = "It reopens when someone leaves, unless you close it.";
const STAYS_CLOSED = "You closed it, so it stays closed when someone leaves.";

export default function PostPage() {
  const { way, post: loaded, isOwn, isFull, canJoin, viewer, asked, ...page } = useLoaderData<typeof loader>();
  const reply = useActionData<ToastReply & AcceptReply>();
  useReplyToast(reply);
  const { bumped } = useBumpForm();
  const pressed = useNavigation().formData?.get("intent");
  const [post = loaded] = withBump([loaded], bumped);
  const { pathname } = useLocation();
  // Members find the chat beside the words that they are in.
  const isIn = asked?.state === "accepted" && !page.isPlayed;
  return (
    <PublicPage viewer={viewer} unread={page.unread} dialog={<Outlet />}>
      {viewer && pageUnderDialog(pathname) === null && <LiveNews />}
      {/* Like the card in the list, but larger, so that readers find every part in the same place. */}
      <article className="md:grid md:max-w-[988px] md:grid-cols-[200px_minmax(0,1fr)] md:gap-x-7">
        <div className="post-five h-fit">
          <Five
            members={[
              { letter: post.author.letter, picture: post.author.picture, isYou: isOwn },
              ...page.team.slice(1).map(({ userId, name, picture }) => ({
                letter: initial(name),
                picture,
                isYou: userId === viewer?.id,
              })),
            ]}
            taken={post.takenSpots}
            needed={post.openSpots}
            fits={page.fits}
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
          {page.block === "blocked" && <Badge className="mt-2.5">Blocked</Badge>}
          {page.isHidden && (
            <HiddenNotice title="Moderators have hidden this post." className="mt-5">
              Only you can still see it.
            </HiddenNotice>
          )}
          {!post.isOpen && !page.isHidden && (
            <Notice title={isFull ? "This team is complete." : "This post is closed."} className="mt-5">
              {isFull
                ? [FILLED, page.opensAgain && isOwn && REOPENS, page.canReopen && STAYS_CLOSED]
                    .filter(Boolean)
                    .join(" ")
                : page.canReopen
                  ? `Other players no longer see it in the list. You can reopen it until ${post.closes}.`
                  : "It no longer shows in the list. There may be others like it."}
            </Notice>
          )}
          {page.block && (
            <Notice title="You can't contact this player." className="mt-5">
              {page.block === "blocked" ? (
                <>
                  You've blocked them.{" "}
                  <Link to="/dashboard/settings/blocked" className="link">
                    Your blocked players
                  </Link>
                </>
              ) : (
                "There are other posts, and one of them has your spot."
              )}
            </Notice>
          )}
          {asked && !page.block && (
            <OwnRequest
              author={post.author.name}
              isOpen={post.isOpen}
              isFull={isFull}
              opensAgain={page.opensAgain}
              hasPlayed={page.isPlayed}
              chat={page.conversationId}
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
            {post.isOpen && post.reasons.length > 0 && (
              <ul className="mt-3 grid gap-1 text-meta">
                {post.reasons.map(({ about, fits, text }) => (
                  <Reason key={about} fits={fits}>
                    {text}
                  </Reason>
                ))}
              </ul>
            )}
            {page.isPartyOfFour && <p className="mt-2 text-meta text-muted">{PARTY_OF_FOUR}</p>}
          </div>
          <p className="mt-5 text-meta text-muted">
            <RelativeTime iso={post.listed.iso} ago={post.listed.ago} title={post.listed.exact} />
            {post.isOpen && ` · Closes ${post.closes}`}
          </p>
          <div className="actions mt-7 flex flex-wrap gap-2">
            {isOwn && post.isOpen && <PostActions post={post} returnTo={way.page} query={way.query} />}
            {isOwn && page.opensAgain && (
              <ButtonLink to={`/lfg/${post.id}/close${way.query}`} preventScrollReset>
                Close Post
              </ButtonLink>
            )}
            {page.canReopen && (
              <Form method="post" preventScrollReset className="contents">
                <Button
                  name="intent"
                  value="reopen"
                  variant="primary"
                  busy={pressed === "reopen"}
                  busyLabel="Reopening"
                >
                  Reopen Post
                </Button>
              </Form>
            )}
            {page.canDelete && (
              <ButtonLink to={`/lfg/${post.id}/delete${way.query}`} variant="danger" preventScrollReset>
                Delete Post
              </ButtonLink>
            )}
            {canJoin && (
              <ButtonLink to={`/lfg/${post.id}/join${way.query}`} variant="primary" preventScrollReset>
                Request to Join
              </ButtonLink>
            )}
            {page.mayGiveFeedback && (
              <ButtonLink to={`/dashboard/feedback/${post.id}`} prefetch="intent">
                Feedback for Your Team
              </ButtonLink>
            )}
            {!isOwn && post.isOpen && !page.block && (
              <ButtonLink to={`/lfg/${post.id}/contact${way.query}`} preventScrollReset>
                Contact
              </ButtonLink>
            )}
            {viewer && (
              <ButtonLink to={way.list} variant="quiet">
                All posts
              </ButtonLink>
            )}
            {viewer && !isOwn && page.block !== "blocked" && (
              <ButtonLink to={blockPage(post.author.id, way.page)} variant="quiet">
                Block
              </ButtonLink>
            )}
            {!isOwn && (
              <ButtonLink to={`/lfg/${post.id}/report${way.query}`} variant="quiet" preventScrollReset>
                Report
              </ButtonLink>
            )}
          </div>
          {page.pushKey && (
            <PushButton publicKey={page.pushKey} label="Tell me when someone answers" className="mt-4" />
          )}
          {!viewer && (
            <p className="mt-5 text-meta text-pretty text-muted">
              Lineup is where VALORANT players find teammates.{" "}
              <Link to="/" className="link">
                How it works
              </Link>
            </p>
          )}
        </div>
      </article>
      <Requests requests={page.requests} toConfirm={reply?.toConfirm} />
      {viewer && (
        <Team
          viewerId={viewer.id}
          members={page.team}
          conversationId={isIn && !page.block ? null : page.conversationId}
        />
      )}
    </PublicPage>
  );
}

/** Shows changes of the team immediately, unless the player is typing in a dialog. */
function LiveNews() {
  useNewsOnPage();
  return null;
}
