import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { queueRange } from "~/features/game/queue";
import { BEST_REASONS, bestMatches } from "~/features/lfg/best-matches";
import { countFilters, parsePostCursor, parsePostFilters, postFiltersSearch } from "~/features/lfg/filters";
import { OwnPosts } from "~/features/lfg/own-posts";
import { listWithPendingChange, usePendingChange } from "~/features/lfg/pending-change";
import { PostCard } from "~/features/lfg/post-card";
import { PostFilters } from "~/features/lfg/post-filters";
import { matchPost, presentPost } from "~/features/lfg/present.server";
import {
  COUNT_LIMIT,
  countOpenPosts,
  listOpenPosts,
  listOwnOpenPosts,
  type PostRow,
} from "~/features/lfg/queries.server";
import { QueueRange } from "~/features/lfg/queue-range";
import { findMatchProfile } from "~/features/players/directory.server";
import { Clock, matchProfileOf, NO_PROFILE } from "~/features/players/match-profile";
import { privatePage } from "~/platform/page-meta";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { ButtonLink } from "~/ui/button";
import { keepUnderDialog } from "~/ui/dialogs";
import { EmptyState } from "~/ui/empty-state";
import { PlusIcon } from "~/ui/icons";
import { NextPageLink } from "~/ui/pagination";
import { useInertBehindDialog } from "~/ui/use-inert-behind-dialog";

export const meta: MetaFunction = () => privatePage("LFG");

export const shouldRevalidate = keepUnderDialog;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const filters = parsePostFilters(searchParams);
  const cursor = parsePostCursor(searchParams);
  const userId = await claimedUserId(context, request);
  const [viewer, profile, page, count, own] = await Promise.all([
    requireViewer(context, request),
    findMatchProfile(db, userId),
    listOpenPosts(db, filters, cursor, now),
    countOpenPosts(db, now),
    listOwnOpenPosts(db, userId, now),
  ]);
  const clock = new Clock(now, profile?.timeZone ?? context.timeZone);
  const me = matchProfileOf(profile ?? NO_PROFILE, clock, true);
  const matchOf = (post: PostRow) => (post.userId === userId ? null : matchPost(post, me, clock));
  const best = cursor ? [] : bestMatches(page.candidates, me, matchOf);
  const isBest = new Set(best.map(({ post }) => post.id));
  return {
    name: viewer.name,
    letter: viewer.letter,
    filters,
    isFirstPage: cursor === null,
    best: best.map(({ post, match }) => presentPost(post, context, match, BEST_REASONS)),
    sortedFor: [me.rank, me.role, me.region].filter((fact) => fact !== null).join(", "),
    queue: me.rank && { you: me.rank, ...queueRange(me.rank) },
    posts: page.posts
      .filter(({ id }) => !isBest.has(id))
      .map((post) => ({ ...presentPost(post, context, matchOf(post)), isOwn: post.userId === userId })),
    nextPage: page.next && `/dashboard${postFiltersSearch(filters, page.next)}`,
    cutShort: page.cutShort,
    count: count >= COUNT_LIMIT ? `${COUNT_LIMIT - 1}+` : String(count),
    own: own.map((post) => presentPost({ ...post, author: null }, context)),
    here: `/dashboard${postFiltersSearch(filters, cursor ?? undefined)}`,
  };
}

export default function LfgTab() {
  const { name, letter, filters, isFirstPage, best, sortedFor, queue, posts, nextPage, cutShort, count, own, here } =
    useLoaderData<typeof loader>();
  const inert = useInertBehindDialog();
  const { search } = useLocation();
  const { change } = usePendingChange();
  const listed = listWithPendingChange(posts, change, { isFirstPage });
  const ownOpen = listWithPendingChange(own, change, { isFirstPage: true });
  const filtered = countFilters(filters) > 0;
  return (
    <>
      <main className="measure lfg-layout" {...inert}>
        <div className="lfg-head min-w-0">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-4 pt-[19px] md:flex-nowrap md:pt-7 md:pb-[22px]">
            <h1 className="min-w-0 font-display text-title-phone wrap-anywhere md:text-title">Welcome back, {name}</h1>
            <ButtonLink
              to={`/dashboard/lfg/new${search}`}
              variant="primary"
              prefetch="intent"
              preventScrollReset
              className="flex-none max-md:w-[calc(100%-7.9375rem)]"
            >
              <PlusIcon className="size-4" />
              Create Post
            </ButtonLink>
          </div>
          <PostFilters filters={filters} />
          {best.length > 0 && (
            <section aria-labelledby="best" className="mt-6 md:mt-7">
              <div className="flex items-baseline justify-between gap-4 pb-3 md:pb-2.5">
                <h2 id="best" className="font-display text-[1.125rem] leading-6 tracking-[-0.012em] md:text-section">
                  Best matches
                </h2>
                <p className="text-meta text-muted max-md:hidden">Sorted for {sortedFor}</p>
              </div>
              <div className="lfg-best">
                {best.map((post) => (
                  <PostCard key={post.id} post={post} action={<ContactLink postId={post.id} />} />
                ))}
              </div>
            </section>
          )}
          <section aria-labelledby="newest" className="mt-6 md:mt-7">
            <div className="flex items-baseline justify-between gap-4 pb-3 md:pb-2.5">
              <h2 id="newest" className="font-display text-[1.125rem] leading-6 tracking-[-0.012em] md:text-section">
                Newest
              </h2>
              <p className="text-meta text-muted tabular-nums">
                {count} active {count === "1" ? "post" : "posts"}
              </p>
            </div>
            {listed.map((post) => (
              <PostCard
                key={post.id}
                post={post}
                action={
                  post.isOwn ? (
                    <p className="lfg-card-own text-meta text-muted">Your post</p>
                  ) : (
                    <ContactLink postId={post.id} />
                  )
                }
              />
            ))}
            {listed.length === 0 && best.length === 0 && (
              <NoPosts filtered={filtered} isFirstPage={isFirstPage} cutShort={cutShort} />
            )}
            {nextPage && <NextPageLink to={nextPage} label={cutShort ? "Search further" : "Next page"} />}
          </section>
        </div>
        {(queue || ownOpen.length > 0) && (
          <aside className="lfg-rail">
            {queue && <QueueRange {...queue} />}
            {ownOpen.length > 0 && <OwnPosts posts={ownOpen} letter={letter} returnTo={here} />}
          </aside>
        )}
      </main>
      <Outlet />
    </>
  );
}

function ContactLink({ postId }: { postId: string }) {
  return (
    <ButtonLink to={`/lfg/${postId}/contact`} size="row" prefetch="intent">
      Contact
    </ButtonLink>
  );
}

function NoPosts({ filtered, isFirstPage, cutShort }: { filtered: boolean; isFirstPage: boolean; cutShort: boolean }) {
  if (cutShort) return <EmptyState title="Nothing among the newest posts." />;
  if (!isFirstPage) {
    return (
      <EmptyState title="That was the last post.">
        <ButtonLink to="/dashboard">Back to the newest</ButtonLink>
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title="No post fits these filters right now.">
        <ButtonLink to="/dashboard">Show all posts</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No active LFG posts. Be the first to create one!">
      <ButtonLink to="/dashboard/lfg/new">Write the first post</ButtonLink>
    </EmptyState>
  );
}
