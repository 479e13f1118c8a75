import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parsePostCursor, parsePostFilters, postFiltersSearch } from "~/features/lfg/filters";
import { presentPost } from "~/features/lfg/present.server";
import { COUNT_LIMIT, countOpenPosts, listOpenPosts, listOwnOpenPosts } from "~/features/lfg/queries.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";

/* Beside the route and not in it, as the loader of the dashboard. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const filters = parsePostFilters(searchParams);
  const cursor = parsePostCursor(searchParams);
  const userId = await claimedUserId(context, request);
  const [viewer, page, count, own] = await Promise.all([
    requireViewer(context, request),
    listOpenPosts(db, filters, cursor, now),
    countOpenPosts(db, now),
    listOwnOpenPosts(db, userId, now),
  ]);
  return {
    name: viewer.name,
    letter: viewer.letter,
    picture: viewer.avatarId,
    filters,
    isFirstPage: cursor === null,
    posts: page.posts.map((post) => ({ ...presentPost(post, context), isOwn: post.userId === userId })),
    nextPage: page.next && `/dashboard${postFiltersSearch(filters, page.next)}`,
    cutShort: page.cutShort,
    count: count >= COUNT_LIMIT ? `${COUNT_LIMIT - 1}+` : String(count),
    own: own.map((post) => ({ ...presentPost({ ...post, author: null }, context), requests: post.requests })),
    here: `/dashboard${postFiltersSearch(filters, cursor ?? undefined)}`,
  };
}
