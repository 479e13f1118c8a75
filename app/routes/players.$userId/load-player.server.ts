import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findOtherPlayer } from "~/features/blocks/queries.server";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { presentFeedback } from "~/features/feedback/present.server";
import { countRatings, findGivenFeedback, listReviews } from "~/features/feedback/queries.server";
import { nextStep, REVIEW_LIST } from "~/features/feedback/rules";
import { presentPost } from "~/features/lfg/present.server";
import { listOwnOpenPosts } from "~/features/lfg/queries.server";
import { CONTACT_POLICY_NOTICES } from "~/features/messages/rules";
import { findWhetherTakesMessages } from "~/features/messages/shared/contact-policy.server";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { presentPublicProfile } from "~/features/players/page/public-profile.server";
import { findProfile, findPublicProfile } from "~/features/players/queries.server";
import { listBriefRequests } from "~/features/teams/queries.server";
import { listStandings, presentStanding } from "~/features/teams/shared/standing.server";
import { listPlayed } from "~/features/tournaments/played/queries.server";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { readSearch } from "~/platform/search-params/search-params";

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "userId", context, request);
  const { db, claim, now } = context;
  const { cursor } = readSearch(REVIEW_LIST, new URL(request.url).searchParams);
  // Also undefined on the viewer's own page.
  const viewerId = claim?.userId === id ? undefined : claim?.userId;
  const [viewer, profile, page, ratings, own, posts, standings, asking, other, ...rest] = await Promise.all([
    context.viewer(),
    findPublicProfile(db, id),
    listReviews(db, id, cursor),
    countRatings(db, id),
    claim && findProfile(db, claim.userId),
    listOwnOpenPosts(db, id, now),
    viewerId ? listStandings(db, viewerId, now) : null,
    claim ? listBriefRequests(db, claim.userId, now, viewerId && id) : null,
    viewerId ? findOtherPlayer(db, id, viewerId) : undefined,
    viewerId ? findWhetherTakesMessages(db, id, viewerId) : undefined,
    viewerId ? findGivenFeedback(db, viewerId, id) : null,
    listPlayed(db, id),
    claim && countUnread(db, claim.userId),
    context.clock(),
  ]);
  if (!profile) notFound(context, request);
  redirectToFirstPage(request, { cursor, page, first: `/players/${id}#feedback` });
  const [takesMessages, given, played, unread, clock] = rest;
  const player = presentPublicProfile(profile, (viewer && own) || undefined, clock);
  const hasBlocked = Boolean(viewer && other?.hasBlocked);
  const isApart = hasBlocked || Boolean(viewer && other?.isBlocked);
  const step = viewer && given && nextStep(given.last, now.getTime());
  return {
    player,
    feedback: player.showsReviews
      ? presentFeedback({ page, ratings }, profile, { playerId: id, viewerId: viewer?.id ?? null }, clock)
      : null,
    reviewStep: step === "edit" || (step === "give" && given?.mayReview) ? step : null,
    posts: isApart
      ? []
      : posts.map((post) => {
          const standing = viewer && standings?.get(post.id);
          const { id: postId, title, openSpots, timeLeft } = presentPost({ ...post, author: null }, clock);
          return { id: postId, title, openSpots, timeLeft, standing: standing ? presentStanding(standing) : null };
        }),
    // On the viewer's own page, all requests to join their posts; on another player's page, only that player's
    // requests.
    asking: (viewer && asking ? [...asking] : []).flatMap(([postId, { title, requests }]) =>
      requests.length > 0 ? { postId, title, requests } : [],
    ),
    played,
    isOwn: viewer?.id === id,
    isApart,
    block: viewer && other ? (hasBlocked ? ("Unblock" as const) : ("Block" as const)) : null,
    contactNotice: CONTACT_POLICY_NOTICES[profile.contactPolicy],
    mayMessage: (viewer && takesMessages) ?? profile.contactPolicy === "everyone",
    ...presentFrame(viewer, unread),
  };
}
