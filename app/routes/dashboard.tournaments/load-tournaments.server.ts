import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findProfile } from "~/features/players/queries.server";
import {
  orderOf,
  parseTournamentCursor,
  parseTournamentFilters,
  tournamentFiltersSearch,
} from "~/features/tournaments/filters";
import { listTournaments } from "~/features/tournaments/list.server";
import { presentCard, presenter } from "~/features/tournaments/present.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";

/* Beside the route and not in it, as the loader of the dashboard. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now, timeZone } = context;
  const { searchParams } = new URL(request.url);
  const filters = parseTournamentFilters(searchParams);
  const order = orderOf(filters);
  const cursor = parseTournamentCursor(searchParams, order);
  const userId = await claimedUserId(context, request);
  const [, profile, page] = await Promise.all([
    requireViewer(context, request),
    findProfile(db, userId),
    listTournaments(db, filters, cursor, { userId, now, timeZone }),
  ]);
  const ownZone = profile?.timeZone ?? timeZone;
  const words = presenter({ now, timeZone: ownZone });
  return {
    timeZone: ownZone,
    filters,
    order,
    rank: profile?.currentRank ?? null,
    isFirstPage: cursor === null,
    cards: page.tournaments.map((tournament) => presentCard(tournament, words)),
    nextPage: page.next && `/dashboard/tournaments${tournamentFiltersSearch(filters, page.next)}`,
    cutShort: page.cutShort,
  };
}
