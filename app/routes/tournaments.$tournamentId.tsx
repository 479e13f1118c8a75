import type { LoaderFunctionArgs, MetaFunction, SerializeFrom } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { GuestHeader } from "~/features/dashboard/guest-header";
import { ViewerError, ViewerHeader } from "~/features/dashboard/viewer-header";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { UnreadProvider } from "~/features/notifications/shared/unread-context";
import { findProfile } from "~/features/players/queries.server";
import { TournamentCard } from "~/features/tournaments/list/tournament-card";
import { HiddenTournament } from "~/features/tournaments/page/hidden-tournament";
import { MORE_TOURNAMENTS, presentPage } from "~/features/tournaments/page/page.server";
import { structuredData } from "~/features/tournaments/page/structured-data";
import { TournamentDetails, TournamentHead } from "~/features/tournaments/page/tournament-head";
import { LiveTournament } from "~/features/tournaments/page/use-tournament-room";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament, listUpcoming } from "~/features/tournaments/queries.server";
import { YourTeam } from "~/features/tournaments/registration/your-team";
import { findOwnPanel } from "~/features/tournaments/registration/your-team.server";
import { UnlistedNotice } from "~/features/tournaments/unlisted-notice";
import { zoneNote } from "~/platform/dates/time-zone";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import { pageUnderDialog, reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { FrameError } from "~/ui/page/error-pages";
import { SiteFooter } from "~/ui/page/site-footer";
import { Tabs } from "~/ui/tabs";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data, error, matches }) => {
  if (!data || error) return matches[0]?.meta ?? [];
  const { tournament, summary } = data;
  const path = `/tournaments/${tournament.id}`;
  const origin = originOf(matches);
  const page = publicPage({
    title: tournament.title,
    description: summary,
    path,
    origin,
    type: "article",
    indexed: tournament.isListed && tournament.state !== "cancelled" && !tournament.isHidden,
  });
  if (!origin || tournament.isHidden) return page;
  return [...page, { "script:ld+json": structuredData(tournament, summary, origin + path) }];
};

export const shouldRevalidate = reloadIfOutdated;

/** Its tabs and dialogs use this data, too: `useTournament`. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, claim, now, isPrefetch } = context;
  const userId = claim?.userId;
  const subject = subjectOf("tournament", id);
  const [viewer, news, tournament, upcoming, profile, panel, unread, clock] = await Promise.all([
    context.viewer(),
    userId ? findUnreadNews(db, userId, subject) : [],
    findTournament(db, id, userId),
    listUpcoming(db, now, MORE_TOURNAMENTS + 1, userId),
    userId ? findProfile(db, userId) : undefined,
    userId ? findOwnPanel(db, id, userId, now) : null,
    userId ? countUnread(db, userId, isPrefetch ? null : { subject }) : null,
    context.clock(),
  ]);
  if (!tournament || (tournament.hiddenAt && !viewer)) notFound(context, request);
  if (viewer) resolveNewsLater(context, viewer.id, news);
  return {
    ...presentPage(tournament, viewer, upcoming, clock, context),
    panel: viewer && tournament.viewer.team && panel,
    rank: (viewer && profile?.currentRank) ?? null,
    zone: zoneNote(clock),
    now: now.getTime(),
    unread: { messages: unread?.messages ?? 0, notifications: unread?.notifications ?? 0 },
  };
}

export default function TournamentPage() {
  return (
    <Frame loaded={useLoaderData<typeof loader>()} inert={useInertBehindDialog()}>
      <Outlet />
    </Frame>
  );
}

/** Serves the tournament's tabs and dialogs. */
export function ErrorBoundary() {
  const loaded = useRouteLoaderData<typeof loader>("routes/tournaments.$tournamentId");
  if (!loaded) return <ViewerError />;
  return (
    <Frame loaded={loaded}>
      <FrameError />
    </Frame>
  );
}

/** The common parts of a tournament's pages: its head, the viewer's own team, the tabs, and other tournaments. */
function Frame({
  loaded: { tournament, viewer, isHost, isOrganiser, unlisted, more, panel, rank, zone, now, unread },
  inert,
  children,
}: {
  loaded: SerializeFrom<typeof loader>;
  inert?: ReturnType<typeof useInertBehindDialog>;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const isDialog = pageUnderDialog(pathname) !== null;
  const home = `/tournaments/${tournament.id}`;
  const tabs = [
    { to: home, name: "Bracket" },
    { to: `${home}/teams`, name: tournament.teamSize === 1 ? "Players" : "Teams" },
    { to: `${home}/matches`, name: "Matches" },
    { to: `${home}/rules`, name: "Rules" },
    ...(isOrganiser ? [{ to: `${home}/manage`, name: "Organise" }] : []),
  ];
  // Seeding is a part of the Organise tab.
  const here = (isDialog ? home : pathname).replace(/\/+$/, "").replace(/\/seeding$/, "/manage");
  const isCancelled = tournament.state === "cancelled";
  const isOver = isCancelled || tournament.state === "finished";
  return (
    <UnreadProvider loaded={unread}>
      {/* A finished tournament can be reopened. */}
      {!isCancelled && <LiveTournament id={tournament.id} since={now} />}
      <div className="flex min-h-dvh flex-col">
        <div className="print:hidden" {...inert}>
          {viewer ? <ViewerHeader {...viewer} /> : <GuestHeader />}
        </div>
        <main id="content" className="measure w-full flex-1 pt-7 pb-14 md:pt-8">
          <div {...inert}>
            {/* On narrow screens the panel, with its button, comes before the facts. */}
            <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_300px] lg:grid-rows-[auto_1fr] lg:gap-x-16">
              <div className="min-w-0">
                <TournamentHead tournament={tournament} />
              </div>
              <div className="lg:row-span-2 print:hidden">
                <YourTeam panel={panel} />
              </div>
              <div className="min-w-0">
                <TournamentDetails
                  tournament={tournament}
                  viewerRank={rank}
                  zone={zone}
                  mayReport={!isHost && !tournament.isHidden}
                />
              </div>
            </div>
            {tournament.isHidden && <HiddenTournament className="mt-7" />}
            {unlisted && !isOver && !tournament.isHidden && (
              <UnlistedNotice {...unlisted} className="mt-7 print:hidden" />
            )}
            {isCancelled && (
              <Notice title="This tournament was cancelled." className="mt-7">
                <span dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {tournament.cancelReason}
                </span>
              </Notice>
            )}
            <Tabs
              label="Tournament"
              tabs={tabs.map((tab) => ({ ...tab, current: tab.to === here }))}
              className="mt-10 mb-4 print:hidden"
            />
          </div>
          {children}
          <p className="mt-10 text-meta text-muted print:hidden" {...inert}>
            Lineup doesn't handle payments. Organisers collect fees and pay prizes.
          </p>
          {more.length > 0 && (
            <section aria-labelledby="more" className="mt-10 print:hidden" {...inert}>
              <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 id="more" className="font-display text-section">
                  More tournaments
                </h2>
                {viewer && (
                  <Link to="/dashboard/tournaments" className="link text-meta">
                    All tournaments
                  </Link>
                )}
              </div>
              <div className="grid items-start gap-6 md:grid-cols-2">
                {more.map((card) => (
                  <TournamentCard key={card.to} {...card} />
                ))}
              </div>
            </section>
          )}
        </main>
        <div className="print:hidden" {...inert}>
          <SiteFooter signedIn={viewer !== null} />
        </div>
      </div>
    </UnreadProvider>
  );
}
