import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { findMatchProfile, listPlayers, PAGE_SIZE } from "~/features/players/directory.server";
import {
  defaultFilters,
  EVERYONE,
  hasFilters,
  parsePage,
  parsePlayerCursor,
  parsePlayerFilters,
  playerFiltersSearch,
} from "~/features/players/filters";
import { Clock, matchProfileOf, NO_PROFILE } from "~/features/players/match-profile";
import { PlayerFilters } from "~/features/players/player-filters";
import { PlayerRow } from "~/features/players/player-row";
import { PLAYSTYLES } from "~/features/players/playstyles";
import { presentPlayer, rankPlayers } from "~/features/players/present.server";
import { privatePage } from "~/platform/page-meta";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { NextPageLink } from "~/ui/pagination";

export const meta: MetaFunction = () => privatePage("Players");

const HERE = "/dashboard/players";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const userId = await claimedUserId(context, request);
  const filters = parsePlayerFilters(searchParams);
  const cursor = parsePlayerCursor(searchParams);
  const explicit = hasFilters(searchParams);
  const [, own, found] = await Promise.all([
    requireViewer(context, request),
    findMatchProfile(db, userId),
    explicit ? listPlayers(db, filters, userId, cursor) : null,
  ]);
  if (!found) {
    // The defaults stand in the address like any other filters: it can be changed, kept and shared.
    const { currentRank: rank = null, region = null, languages } = own ?? {};
    throw redirect(HERE + playerFiltersSearch(defaultFilters({ rank, region, languages: languages ?? [] })));
  }
  const clock = new Clock(now, own?.timeZone ?? context.timeZone);
  const viewer = matchProfileOf(own ?? NO_PROFILE, clock, true);
  const ranked = rankPlayers(found.players, viewer, filters, clock);
  const page = filters.sort === "best" ? parsePage(searchParams) : 1;
  const shown = ranked.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const hasMore = ranked.length > page * PAGE_SIZE;
  return {
    filters,
    ownRank: viewer.rank,
    mine: viewer.hours,
    zone: clock.timeZone,
    players: shown.map((player) => presentPlayer(player, now)),
    found: { count: ranked.length, more: found.end !== null || (!found.bounded && hasMore) },
    isFirstPage: cursor === null && page === 1,
    next: nextPage(),
  };

  /** Further in the ranked stretch; else behind the last player shown, or behind the stretch. */
  function nextPage(): { to: string; label: string } | null {
    const last = shown.at(-1)?.row;
    if (hasMore && filters.sort === "best") {
      return { to: HERE + playerFiltersSearch(filters, cursor, page + 1), label: "Next page" };
    }
    if (hasMore && last) return { to: HERE + playerFiltersSearch(filters, last), label: "Next page" };
    return found?.end ? { to: HERE + playerFiltersSearch(filters, found.end), label: "Search further" } : null;
  }
}

export default function Players() {
  const { filters, ownRank, mine, zone, players, found, isFirstPage, next } = useLoaderData<typeof loader>();
  const count = found.more ? `${found.count}+` : String(found.count);
  return (
    <DashboardPage title="Players">
      <div className="players-layout">
        <PlayerFilters filters={filters} ownRank={ownRank} playstyles={PLAYSTYLES} />
        <section aria-labelledby="found">
          <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-1 border-b-2 border-text pb-2.5">
            <h2 id="found" className="font-display text-section">
              {count} {count === "1" ? "player" : "players"}
            </h2>
            <p className="flex flex-wrap gap-x-4 text-meta text-muted">
              {mine && (
                <>
                  <span className="day-bars-key" data-of="both">
                    free when you are
                  </span>
                  <span className="day-bars-key">their other hours</span>
                </>
              )}
              <span>Ranks are self-reported</span>
            </p>
          </div>
          <ul>
            {players.map((player) => (
              <PlayerRow
                key={player.id}
                player={player}
                mine={mine}
                action={
                  <ButtonLink to={`/players/${player.id}/message`} size="row" prefetch="intent">
                    Message
                  </ButtonLink>
                }
              />
            ))}
          </ul>
          {players.length === 0 && (
            <EmptyState title={next ? "Nobody among these players." : "No player fits these filters right now."}>
              <ButtonLink to={HERE + EVERYONE}>Show all players</ButtonLink>
            </EmptyState>
          )}
          {players.length > 0 && (
            <p className="border-t border-line pt-4 text-meta text-muted">
              {isFirstPage && `${players.length} of ${count} players. `}Days show 14:00 to 02:00, {zone} time.
            </p>
          )}
          {next && <NextPageLink to={next.to} label={next.label} />}
        </section>
      </div>
    </DashboardPage>
  );
}
