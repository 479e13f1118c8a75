import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { findProfile } from "~/features/players/queries.server";
import { listingGaps } from "~/features/tournaments/hosting/listing.server";
import { LIST, orderOf, readTournamentPage, TOURNAMENT_LIST } from "~/features/tournaments/list/filters";
import { listTournaments, listUnlisted } from "~/features/tournaments/list/queries.server";
import { presentCard, presenter } from "~/features/tournaments/present.server";
import type { TournamentCardRow } from "~/features/tournaments/queries.server";
import { linksOf } from "~/platform/lists/keyset";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { hideFromScript } from "~/platform/pages/hide-from-script.server";
import { countActiveFilters, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";

const isOver = ({ state }: TournamentCardRow) => state === "finished" || state === "cancelled";

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const { filters, cursor } = readTournamentPage(searchParams);
  const userId = await requireClaimedUserId(context, request);
  const [viewer, profile, page, unlisted, clock] = await Promise.all([
    requireViewer(context, request),
    findProfile(db, userId),
    listTournaments(db, filters, cursor, { userId, now }),
    cursor ? [] : listUnlisted(db, filters, { userId, now }),
    context.clock(),
  ]);
  redirectToFirstPage(request, { cursor, page, list: LIST, first: LIST + writeSearch(TOURNAMENT_LIST, filters) });
  // Days are ambiguous without their zone, so it is part of the address like any other filter.
  if ((filters.from || filters.to) && !filters.zone) {
    throw redirect(LIST + writeSearch(TOURNAMENT_LIST, { ...filters, zone: clock.timeZone, cursor }));
  }
  const words = presenter(clock);
  const card = (tournament: TournamentCardRow) => presentCard(tournament, words);
  const view = {
    timeZone: clock.timeZone,
    filters,
    filterCount: countActiveFilters(TOURNAMENT_LIST, filters),
    order: orderOf(filters),
    rank: profile?.currentRank ?? null,
    isFirstPage: cursor === null,
    gaps: listingGaps(context, viewer),
    unlisted: {
      current: unlisted.filter((tournament) => !isOver(tournament)).map(card),
      over: unlisted.filter(isOver).map(card),
    },
    isEmpty: page.items.length === 0,
    cards: page.items.map(card),
    pages: linksOf(page, (place) => LIST + writeSearch(TOURNAMENT_LIST, { ...filters, cursor: place })),
  };
  return hideFromScript(context, view, "cards");
}
