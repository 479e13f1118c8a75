import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { postIdOf } from "~/features/lfg/params.server";
import { matchPost, presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { canReopen, opensAgain, reopenableUntil } from "~/features/lfg/rules";
import { summarisePost } from "~/features/lfg/summary.server";
import { wayBack } from "~/features/lfg/way-back";
import { findPushOffer } from "~/features/notifications/push/queries.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { presentPublicProfile } from "~/features/players/page/public-profile.server";
import { findProfile } from "~/features/players/queries.server";
import { matchProfileOf, NO_PROFILE } from "~/features/players/shared/match-profile";
import { whyNotJoin } from "~/features/teams/actions.server";
import { findOwnRequest, listRequests } from "~/features/teams/queries.server";
import { presentRoom } from "~/features/teams/room/present.server";
import { findRoom } from "~/features/teams/room/queries.server";
import { isQueueSize } from "~/game/queue";
import type { Clock } from "~/platform/dates/dates";
import { soonTime } from "~/platform/dates/time";
import { notFound } from "~/platform/request/not-found.server";

/** The maximum number of reasons why the post fits the viewer or doesn't. */
const PAGE_REASONS = 4;

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
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
