import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { handlePostButton } from "~/features/lfg/actions.server";
import { Five } from "~/features/lfg/five";
import { postIdOf } from "~/features/lfg/params.server";
import { useBumpForm, withBump } from "~/features/lfg/pending-bump";
import { AuthorLine, needs } from "~/features/lfg/post-card";
import { PageActions, PostWords } from "~/features/lfg/post-page";
import { matchPost, presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { canReopen, opensAgain, reopenableUntil } from "~/features/lfg/rules";
import { postButtonSchema } from "~/features/lfg/schema";
import { summarisePost } from "~/features/lfg/summary.server";
import { wayBack } from "~/features/lfg/way-back";
import { HiddenNotice } from "~/features/moderation/shared/hidden-notice";
import { PushButton } from "~/features/notifications/push/push-button";
import { findPushOffer } from "~/features/notifications/push/queries.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { useNewsOnPage } from "~/features/notifications/use-news-on-page";
import { AuthorPanel } from "~/features/players/page/author-panel";
import { presentPublicProfile } from "~/features/players/page/public-profile.server";
import { findProfile } from "~/features/players/queries.server";
import { initial } from "~/features/players/rules";
import { matchProfileOf, NO_PROFILE } from "~/features/players/shared/match-profile";
import { PeopleSection } from "~/features/players/shared/player-line";
import { type AcceptReply, pressTeamButton, returnAfterButton, whyNotJoin } from "~/features/teams/actions.server";
import { OwnRequest } from "~/features/teams/own-request";
import { findOwnRequest, listRequests } from "~/features/teams/queries.server";
import { Requests } from "~/features/teams/requests";
import { handleRoomForm, isRoomForm } from "~/features/teams/room/actions.server";
import { LiveRoom } from "~/features/teams/room/live-room";
import { presentRoom } from "~/features/teams/room/present.server";
import { findRoom } from "~/features/teams/room/queries.server";
import { teamButtonSchema } from "~/features/teams/schema";
import { Team } from "~/features/teams/team";
import { isQueueSize } from "~/game/queue";
import type { Clock } from "~/platform/dates/dates";
import { soonTime } from "~/platform/dates/time";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { FormReply, ToastReply } from "~/platform/forms/forms";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import { ownPath } from "~/platform/request/origin";
import roomStyles from "~/styles/room.css";
import { Badge } from "~/ui/badge";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: roomStyles }];

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { post, summary } = data;
  return publicPage({
    title: post.title,
    description: summary,
    path: `/lfg/${post.id}`,
    origin: originOf(matches),
    type: "article",
    indexed: post.isOpen,
  });
};

export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const { db, claim, isPrefetch } = context;
  const subject = subjectOf("post", id);
  const userId = claim?.userId;
  const [viewer, news, post, profile, unread, asked, requests, room, pushKey, clock] = await Promise.all([
    context.viewer(),
    userId ? findUnreadNews(db, userId, subject) : [],
    findPost(db, id, userId),
    userId ? findProfile(db, userId) : null,
    userId && countUnread(db, userId, isPrefetch ? null : { subject }),
    userId ? findOwnRequest(db, id, userId) : null,
    userId ? listRequests(db, id, userId) : [],
    userId ? findRoom(db, id, userId, context.now) : null,
    findPushOffer(context),
    context.clock(),
  ]);
  if (!post || (post.hiddenAt && !viewer)) notFound(context, request);
  const isOwn = viewer?.id === post.userId;
  if (viewer && (isOwn || asked)) resolveNewsLater(context, viewer.id, news);
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
    summary: summarisePost(shown, post.expiresAt),
    isOwn,
    isFull: shown.openSpots === 0,
    opensAgain: opensAgain(post, context.now),
    isClosed: post.closedAt !== null,
    isHidden: post.hiddenAt !== null,
    canReopen: isOwn && canReopen(post, context.now),
    reopenableUntil: isOwn ? soonTime(reopenableUntil(post, context.now), clock) : null,
    about:
      shown.isOpen && !isOwn && !room && !hasBlocked && !isBlocked
        ? presentAuthor(post, viewer && profile, clock)
        : null,
    canDelete: isOwn && !post.hasTeam,
    isPartyOfFour: !isQueueSize(1 + post.neededPlayers),
    canJoin: !whyNotJoin({ ...shown, ...relation, hasBlocked, isBlocked }),
    fits: shown.isOpen && shown.fits && !hasBlocked && !isBlocked,
    // Only the player who blocked the other is told about the block.
    block: viewer && (hasBlocked ? ("blocked" as const) : isBlocked ? ("unreachable" as const) : null),
    mayGiveFeedback: post.sessionEndedAt !== null && Boolean(isOwn ? post.hasTeam : viewer && asked?.hasPlayed),
    asked: (viewer && asked) ?? null,
    pushKey: isOwn && shown.isOpen ? pushKey : null,
    requests: viewer && shown.isOpen ? requests : [],
    room: viewer && room && presentRoom(room, viewer.id, clock, context),
    conversationId: viewer && room ? post.conversationId : null,
    now: context.now.getTime(),
    ...presentFrame(viewer, unread || null),
  };
}

/** Presents what a post's author shares about themselves, and the hours they have in common with the viewer. */
function presentAuthor(
  { about }: Pick<NonNullable<Awaited<ReturnType<typeof findPost>>>, "about">,
  profile: Parameters<typeof presentPublicProfile>[1] | null,
  clock: Clock,
) {
  if (!about) return null;
  const player = presentPublicProfile(about, profile ?? undefined, clock);
  return { player, rating: player.showsReviews ? { score: about.feedbackScore, count: about.totalRatings } : null };
}

/**
 * Handles the buttons for a post's author, its team and the players who asked to join, and the forms of the team's
 * room. A button returns to the page that its form names, otherwise to the post's page.
 */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = postIdOf(params, context, request);
  const form = await request.formData();
  const way = wayBack(id, new URL(request.url));
  if (isRoomForm(form)) return handleRoomForm(args, form, { team: id, here: way.page });
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
    // A closed post is on no list, and only its page can reopen it.
    to: ownPath(String(form.get("returnTo") ?? "")) ?? (button.data === "close" ? way.page : way.dialog),
    run: ({ viewer }) => handlePostButton(context, button.data, id, viewer.id),
  });
}

/** The maximum number of reasons why the post fits the viewer or doesn't. */
const PAGE_REASONS = 4;

const FILLED = "The post closed when the last spot was taken.";
const REOPENS = "It reopens when someone leaves, unless you close it.";
const STAYS_CLOSED = "You closed it, so it stays closed when someone leaves.";

export default function PostPage() {
  const {
    way,
    post: loaded,
    isOwn,
    isFull,
    canJoin,
    viewer,
    asked,
    room,
    about,
    ...page
  } = useLoaderData<typeof loader>();
  const reply = useReply<ToastReply & AcceptReply & Partial<FormReply>>();
  useReplyToast(reply);
  const { bumped } = useBumpForm();
  const [post = loaded] = withBump([loaded], bumped);
  // The author and the team already know the post, so its text comes after the author's actions, the requests and the
  // team. The actions of the team's other players come after the text.
  const isKnown = isOwn || room !== null;
  const words = <PostWords post={post} isPartyOfFour={page.isPartyOfFour} />;
  const actions = (
    <PageActions
      {...page}
      canJoin={canJoin}
      post={post}
      way={way}
      isSignedIn={viewer !== null}
      isOwn={isOwn}
      mayGiveFeedback={page.mayGiveFeedback && !room?.feedback}
    />
  );
  return (
    <PublicPage viewer={viewer} unread={page.unread} dialog={<Outlet />}>
      {viewer && <LiveNews />}
      {page.conversationId && <LiveRoom conversationId={page.conversationId} since={page.now} />}
      {/* Like the card in the list, but larger: readers find every part in the same place. */}
      <article className={about ? "post-with-about" : ARTICLE}>
        <div className="post-five h-fit">
          <Five
            members={[
              { letter: post.author.letter, picture: post.author.picture, isYou: isOwn },
              ...(room?.members.slice(1) ?? []).map(({ userId, name, picture }) => ({
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
            <Notice
              title={isFull ? `${isOwn || room ? "Your" : "This"} team is complete.` : "This post is closed."}
              className="mt-5"
            >
              {isFull
                ? [FILLED, page.opensAgain && isOwn && REOPENS, page.canReopen && STAYS_CLOSED]
                    .filter(Boolean)
                    .join(" ")
                : page.canReopen
                  ? `Other players no longer see it in the list. You can reopen it until ${page.reopenableUntil}.`
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
              request={asked}
            />
          )}
          {!isKnown && words}
          {(isOwn || !isKnown) && actions}
          {page.pushKey && (
            <PushButton publicKey={page.pushKey} label="Tell me when someone answers" className="mt-4" />
          )}
          {!viewer && (
            <p className="mt-5 text-meta text-muted">
              Lineup is where VALORANT players find teammates.{" "}
              <Link to="/" className="link">
                How it works
              </Link>
            </p>
          )}
        </div>
        {about && <AuthorPanel {...about} />}
      </article>
      <Requests requests={page.requests} wanted={post} toConfirm={reply?.toConfirm} />
      {viewer && room && (
        <Team
          viewerId={viewer.id}
          room={room}
          conversationId={page.conversationId}
          here={way.page}
          reply={reply?.result && (reply as FormReply)}
        />
      )}
      {isKnown && (
        <PeopleSection id="the-post" title="The post">
          {words}
          {!isOwn && actions}
        </PeopleSection>
      )}
    </PublicPage>
  );
}

const ARTICLE = "md:grid md:max-w-[988px] md:grid-cols-[200px_minmax(0,1fr)] md:gap-x-7";

/** Reloads the page's data when news arrives. Only for signed-in players, because others have no inbox. */
function LiveNews() {
  useNewsOnPage();
  return null;
}
