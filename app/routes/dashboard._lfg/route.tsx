import type { MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { useLiveList } from "~/features/lfg/live-list";
import { OwnPosts } from "~/features/lfg/own-posts";
import { OwnTeams } from "~/features/lfg/own-teams";
import { listWithBump, useBumpForm } from "~/features/lfg/pending-bump";
import { PostCard } from "~/features/lfg/post-card";
import { PostFilters } from "~/features/lfg/post-filters";
import { QueueRange } from "~/features/lfg/queue-range";
import { PushButton } from "~/features/notifications/push/push-button";
import { useNewsOnPage } from "~/features/notifications/use-news-on-page";
import { OnlinePlayers } from "~/features/players/online-players";
import * as onServer from "~/features/players/ready/get-ready.server";
import { NextTournament } from "~/features/tournaments/list/next-tournament";
import { OwnTournaments } from "~/features/tournaments/list/own-tournaments";
import { privatePage } from "~/platform/pages/page-meta";
import { ButtonLink } from "~/ui/button";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { EmptyState } from "~/ui/empty-state";
import { PlusIcon } from "~/ui/icons";
import { loadApart } from "~/ui/page/apart";
import { Prerendered, useMissingParts } from "~/ui/page/prerendered";
import { Pages } from "~/ui/pagination";
import type { loader } from "./load-lfg.server";
import "~/shell";

/** The strip for newcomers, which others don't load. */
const GetReady = loadApart(
  "get-ready",
  (onServer as Partial<typeof onServer>).GetReady,
  async () => (await import("~/get-ready")).GetReady,
  <div className="ready-awaited" />,
);

export const meta: MetaFunction = () => privatePage("LFG");

export const shouldRevalidate = keepUnderDialog;

export { loader } from "./load-lfg.server";

export default function LfgTab() {
  const {
    name,
    ready,
    you,
    filters,
    filterCount,
    isFirstPage,
    best,
    sortedFor,
    hasAside,
    aside,
    hasTournaments,
    tournaments,
    posts,
    pages,
    count,
    teams,
    hasMoreTeams,
    own,
    pushKey,
    list,
    live,
  } = useLoaderData<typeof loader>();
  const inert = useInertBehindDialog();
  const { search } = useLocation();
  useNewsOnPage();
  useMissingParts();
  const { bumped } = useBumpForm();
  const { states, pill } = useLiveList(live);
  const listed = listWithBump(posts, bumped, { isFirstPage });
  const ownOpen = listWithBump(own, bumped, { isFirstPage: true });
  const isInvolved = teams.length > 0 || hasTournaments || ownOpen.length > 0;
  return (
    <>
      <main id="content" className="measure lfg-layout" {...inert}>
        <div className="lfg-head min-w-0">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-4 pt-[19px] md:flex-nowrap md:pt-7 md:pb-[22px]">
            <h1 className="min-w-0 font-display text-title-phone wrap-anywhere md:text-title">Welcome back, {name}</h1>
            <ButtonLink
              to={`/dashboard/lfg/new${search}`}
              variant={ready === null ? "primary" : "secondary"}
              prefetch="intent"
              preventScrollReset
              className={ready === null ? "flex-none max-md:w-[calc(100%-7.9375rem)]" : "flex-none max-md:w-full"}
            >
              <PlusIcon className="size-4" />
              Create Post
            </ButtonLink>
          </div>
          {ready && <GetReady view={ready} />}
          <PostFilters filters={filters} filterCount={filterCount} />
        </div>
        {(isInvolved || hasAside) && (
          <div className="lfg-side">
            {isInvolved && (
              <aside className="lfg-own">
                {teams.length > 0 && <OwnTeams teams={teams} hasMore={hasMoreTeams} list={list} />}
                {hasTournaments && (
                  <Prerendered as="section" data={tournaments}>
                    {(mine) => <OwnTournaments tournaments={mine} />}
                  </Prerendered>
                )}
                {ownOpen.length > 0 && <OwnPosts posts={ownOpen} you={you} list={list} />}
                {pushKey && <PushButton publicKey={pushKey} label="Tell me when someone answers" />}
              </aside>
            )}
            {hasAside && (
              <Prerendered as="div" data={aside ?? undefined}>
                {({ queue, online, tournament }) => (
                  <div className="lfg-queue">
                    {queue && <QueueRange {...queue} />}
                    {online.length > 0 && <OnlinePlayers players={online} />}
                    {tournament && <NextTournament {...tournament} />}
                  </div>
                )}
              </Prerendered>
            )}
          </div>
        )}
        <div className="lfg-lists">
          {pill}
          <p className="unscripted pt-3 text-meta">
            <a href={live.list} className="link">
              Check for new posts
            </a>
          </p>
          {best.length > 0 && (
            <section aria-labelledby="best" className="mt-6 md:mt-7">
              <div className="flex items-baseline justify-between gap-4 pb-3 md:pb-2.5">
                <h2
                  id="best"
                  tabIndex={-1}
                  className="font-display text-[1.125rem] leading-6 tracking-[-0.012em] md:text-section"
                >
                  Best matches
                </h2>
                <p className="text-meta text-muted max-md:hidden">Sorted for {sortedFor}</p>
              </div>
              <div className="lfg-best">
                {best.map((post) => (
                  <PostCard key={post.id} post={post} state={states[post.id]} viewer={you} list={list} />
                ))}
              </div>
            </section>
          )}
          <section aria-labelledby="newest" className="mt-6 md:mt-7">
            <div className="flex items-baseline justify-between gap-4 pb-3 md:pb-2.5">
              <h2
                id="newest"
                tabIndex={-1}
                className="font-display text-[1.125rem] leading-6 tracking-[-0.012em] md:text-section"
              >
                Newest
              </h2>
              {count !== null && (
                <p className="text-meta text-muted tabular-nums">
                  {count} active {count === "1" ? "post" : "posts"}
                </p>
              )}
            </div>
            {listed.map((post) => (
              <PostCard key={post.id} post={post} state={states[post.id]} viewer={you} list={list} />
            ))}
            {listed.length === 0 &&
              (best.length === 0 ? (
                <NoPosts filtered={filterCount > 0} isFirstPage={isFirstPage} cutShort={pages.cutShort !== null} />
              ) : (
                <p className="border-t border-line pt-4 text-muted">No others right now.</p>
              ))}
            <Pages {...pages} by="time" />
          </section>
        </div>
      </main>
      <Outlet />
    </>
  );
}

function NoPosts({ filtered, isFirstPage, cutShort }: { filtered: boolean; isFirstPage: boolean; cutShort: boolean }) {
  if (cutShort) {
    return (
      <EmptyState
        title={
          isFirstPage
            ? "None of the newest posts fits these filters."
            : "None of these posts fits. There are more to search."
        }
      />
    );
  }
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
