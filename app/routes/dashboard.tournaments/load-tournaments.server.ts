import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { findProfile } from "~/features/players/queries.server";
import { listingGaps } from "~/features/tournaments/hosting/listing.server";
import { LIST, orderOf, readTournamentPage, TOURNAMENT_LIST } from "~/features/tournaments/list/filters";
import { listTournaments, listUnlisted } from "~/features/tournaments/list/queries.server";
import { presentCard, presenter } from "~/features/tournaments/present.server";
import type { TournamentCardRow } from "~/features/tournaments/queries.server";
import { pageLinks } from "~/platform/lists/keyset.server";
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
  const addressOf = (place: typeof cursor) => LIST + writeSearch(TOURNAMENT_LIST, { ...filters, cursor: place });
  const pages = pageLinks(request, { cursor, page, addressOf });
  // Days are ambiguous without their zone, so it is part of the address like any other filter.
  if ((filters.from || filters.to) && !filters.zone) {
    throw redirect(LIST + writeSearch(TOURNAMENT_LIST, { ...filters, zone: clock.timeZone, cursor }));
  }
  const words = presenter(clock);
  const card = (tournament: TournamentCardRow) => presentCard(tournament, words);
  const filterCount = countActiveFilters(TOURNAMENT_LIST, filters);
  const isCutShort = pages.cutShort !== null;
  const view = {
    timeZone: clock.timeZone,
    filters,
    filterCount,
    order: orderOf(filters),
    rank: profile?.currentRank ?? null,
    gaps: listingGaps(context, viewer),
    unlisted: {
      current: unlisted.filter((tournament) => !isOver(tournament)).map(card),
      over: unlisted.filter(isOver).map(card),
    },
    empty: page.items.length > 0 ? null : presentEmpty({ isCutShort, isFirstPage: cursor === null, filterCount }),
    cards: page.items.map(card),
    pages,
  };
  return hideFromScript(context, view, "cards");
}

/**
 * Returns the text and the link for an empty list. They aren't in the component, to keep them out of the page's script.
 */
function presentEmpty({
  isCutShort,
  isFirstPage,
  filterCount,
}: {
  isCutShort: boolean;
  isFirstPage: boolean;
  filterCount: number;
}): { title: string; link: { to: string; text: string } | null } {
  if (isCutShort) {
    const none = isFirstPage
      ? "None of the first tournaments fits these filters."
      : "None of these tournaments fits. There are more to search.";
    return { title: none, link: null };
  }
  if (!isFirstPage) return { title: "That was the last tournament.", link: { to: LIST, text: "Back to the newest" } };
  if (filterCount > 0) {
    return {
      title: "No tournament fits these filters right now.",
      link: { to: LIST, text: "Show all tournaments" },
    };
  }
  return { title: "No tournaments yet", link: { to: `${LIST}/new`, text: "Host the first one" } };
}
