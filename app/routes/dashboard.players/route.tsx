import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { PlayerFilters } from "~/features/players/directory/player-filters";
import { PlayerRow } from "~/features/players/directory/player-row";
import { sayScale } from "~/features/players/page/day-bars";
import { privatePage } from "~/platform/pages/page-meta";
import directoryStyles from "~/styles/directory.css";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Prerendered, useMissingParts } from "~/ui/page/prerendered";
import { Pages } from "~/ui/pagination";
import type { loader } from "./load-players.server";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: directoryStyles }];

export const meta: MetaFunction = () => privatePage("Players");

export { loader } from "./load-players.server";

export default function Players() {
  const {
    filters,
    filterCount,
    own,
    defaults,
    shown,
    players,
    count,
    hasMore,
    isFirst,
    page,
    pages,
    unfilteredPath,
    named,
    waysOut,
  } = useLoaderData<typeof loader>();
  useMissingParts();
  const counted = `${count}${hasMore ? "+" : ""}`;
  const isLaterStretch = !isFirst && page === 1;
  return (
    <main id="content" className="measure players-layout">
      <div>
        <PageHead title="Players" />
        <PlayerFilters
          filters={filters}
          filterCount={filterCount}
          own={own}
          defaults={defaults}
          unfilteredPath={unfilteredPath}
        />
      </div>
      <section aria-labelledby="found" className="min-w-0">
        <div className="players-head">
          <h2 id="found" className="font-display text-section">
            {counted} {isLaterStretch && "more "}
            {counted === "1" ? "player" : "players"}
            {page > 1 && `, page ${page}`}
          </h2>
          {shown > 0 && (
            <p className="flex flex-wrap gap-x-4 text-meta text-muted">
              {own.hours && (
                <>
                  <span className="day-bars-key" data-of="both">
                    free when you are
                  </span>
                  <span className="day-bars-key">their other hours</span>
                </>
              )}
              <span>Ranks are self-reported</span>
            </p>
          )}
        </div>
        {shown > 0 ? (
          <Prerendered as="ul" data={players}>
            {(rows) => (
              <ul>
                {rows.map((player) => (
                  <PlayerRow key={player.id} player={player} mine={own.hours} hour12={own.hour12} />
                ))}
              </ul>
            )}
          </Prerendered>
        ) : (
          <NobodyFound next={pages.next} unfilteredPath={unfilteredPath} named={named} waysOut={waysOut} />
        )}
        {shown > 0 && (
          <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3 pt-4">
            <p className="text-meta text-muted">
              {isFirst && `${shown} of ${counted} ${counted === "1" ? "player" : "players"}. `}
              {sayScale(own)}
            </p>
            <Pages {...pages} by="players" className="" />
          </div>
        )}
        {shown === 0 && <Pages {...pages} next={null} by="players" className="pb-7" />}
        {filters.name && hasMore && (
          <p className="pt-4 text-meta text-muted">
            Too many names start like this to show them all. Type more of the name.
          </p>
        )}
      </section>
    </main>
  );
}

type Way = { to: string; label: string };

/** Shown if no players are found, with links that search further or remove filters. */
function NobodyFound({
  next,
  unfilteredPath,
  named,
  waysOut,
}: {
  next: string | null;
  unfilteredPath: string;
  named: string | null;
  waysOut: Way[];
}) {
  return (
    <EmptyState
      title={next ? "No matches so far. There are more players to search." : "No player fits these filters right now."}
    >
      {next ? (
        <ButtonLink to={next}>Keep searching</ButtonLink>
      ) : named ? (
        <ButtonLink to={named}>Search all players for this name</ButtonLink>
      ) : (
        <ButtonLink to={unfilteredPath}>Show all players</ButtonLink>
      )}
      {waysOut.length > 0 && (
        <p className="flex max-w-md flex-wrap justify-center gap-x-5 gap-y-1.5 text-meta text-muted">
          Or try:
          {waysOut.map(({ to, label }) => (
            <Link key={label} to={to} className="link inline-flex items-center touch:min-h-11">
              {label}
            </Link>
          ))}
        </p>
      )}
    </EmptyState>
  );
}
