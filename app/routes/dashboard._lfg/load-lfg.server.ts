import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queueRange } from "~/features/game/queue";
import { BEST_REASONS, bestMatches, pageOf } from "~/features/lfg/best-matches";
import { parsePostCursor, parsePostFilters, parseSeen, postFiltersSearch } from "~/features/lfg/filters";
import { matchPost, presentPost } from "~/features/lfg/present.server";
import {
  COUNT_LIMIT,
  countOpenPosts,
  listOpenPosts,
  listOwnOpenPosts,
  type PostRow,
} from "~/features/lfg/queries.server";
import { matchProfileOf, NO_PROFILE } from "~/features/players/match-profile";
import { findProfile } from "~/features/players/queries.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";

/* Beside the route and not in it, as the loader of the dashboard. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const filters = parsePostFilters(searchParams);
  const cursor = parsePostCursor(searchParams);
  const userId = await claimedUserId(context, request);
  const [viewer, profile, found, count, own, clock] = await Promise.all([
    requireViewer(context, request),
    findProfile(db, userId),
    listOpenPosts(db, filters, cursor, now),
    countOpenPosts(db, now),
    listOwnOpenPosts(db, userId, now),
    context.clock(),
  ]);
  const me = matchProfileOf(profile ?? NO_PROFILE, clock, true);
  const matchOf = (post: PostRow) => (post.userId === userId ? null : matchPost(post, me, clock));
  const best = cursor ? [] : bestMatches(found.posts, me, matchOf);
  const bestIds = best.map(({ post }) => post.id);
  const seen = cursor ? parseSeen(searchParams) : [];
  const page = pageOf(found, { best: bestIds, seen });
  return {
    name: viewer.name,
    letter: viewer.letter,
    picture: viewer.avatarId,
    filters,
    isFirstPage: cursor === null,
    best: best.map(({ post, match }) => presentPost(post, clock, match, BEST_REASONS)),
    sortedFor: [me.rank, me.role, me.region].filter((fact) => fact !== null).join(", "),
    queue: me.rank && { you: me.rank, ...queueRange(me.rank) },
    posts: page.posts.map((post) => ({ ...presentPost(post, clock, matchOf(post)), isOwn: post.userId === userId })),
    nextPage: page.next && `/dashboard${postFiltersSearch(filters, page.next, cursor ? seen : bestIds)}`,
    cutShort: page.cutShort,
    count: count >= COUNT_LIMIT ? `${COUNT_LIMIT - 1}+` : String(count),
    own: own.map((post) => ({ ...presentPost({ ...post, author: null }, clock), requests: post.requests })),
    here: `/dashboard${postFiltersSearch(filters, cursor ?? undefined, seen)}`,
  };
}
