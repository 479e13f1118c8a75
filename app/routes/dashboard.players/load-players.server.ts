import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { listPlayers, PAGE_SIZE } from "~/features/players/directory.server";
import {
  countPlayerFilters,
  defaultFilters,
  EVERYONE,
  hasPlayerFilters,
  parsePlayerPage,
  playersPath,
  upTo,
} from "~/features/players/filters";
import { matchProfileOf, NO_PROFILE } from "~/features/players/match-profile";
import { presentPlayer, rankPlayers } from "~/features/players/present.server";
import { findProfile } from "~/features/players/queries.server";
import { sayFilters, waysOut } from "~/features/players/say-filters";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { zoneWords } from "~/platform/time-zone";

/* Beside the route and not in it, as the loader of the dashboard. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const userId = await claimedUserId(context, request);
  const { filters, after, page } = parsePlayerPage(searchParams);
  const [, profile, found, clock] = await Promise.all([
    requireViewer(context, request),
    findProfile(db, userId),
    hasPlayerFilters(searchParams) ? listPlayers(db, filters, userId, after) : null,
    context.clock(),
  ]);
  const own = profile ?? NO_PROFILE;
  const defaults = defaultFilters({ rank: own.currentRank, region: own.region, languages: own.languages ?? [] });
  // They stand in the address like any other filters, to be changed, kept and shared.
  if (!found) throw redirect(playersPath(defaults));

  const viewer = matchProfileOf(own, clock, true);
  const ranked = rankPlayers(found.players, viewer, filters, clock);
  // An old bookmark, or a list that has become shorter.
  if (page > 1 && ranked.length <= (page - 1) * PAGE_SIZE) throw redirect(playersPath(filters, after));
  const shown = ranked.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const isLast = ranked.length <= page * PAGE_SIZE;
  const path = playersPath(filters);
  return {
    filters,
    own: { rank: viewer.rank, hours: viewer.hours, zone: zoneWords(clock.timeZone) },
    defaults:
      countPlayerFilters(defaults) > 0 ? { areSet: path === playersPath(defaults), said: sayFilters(defaults) } : null,
    players: shown.map((player) => presentPlayer(player, now)),
    /** How many there are, as far as it is known. */
    count: found.isBounded || !found.end ? ranked.length : shown.length,
    hasMore: found.end !== null,
    isFirst: after === null,
    page,
    next: isLast ? further() : nextPage(),
    waysOut: shown.length > 0 || path === EVERYONE ? [] : waysOut(filters),
  };

  /** Ranked, the same stretch again, from where it began: who joins meanwhile does not push anyone to the next page. */
  function nextPage() {
    const [newest] = found?.players ?? [];
    const to =
      filters.sort === "best"
        ? playersPath(filters, after ?? (newest && upTo(newest.key)), page + 1)
        : playersPath(filters, shown.at(-1)?.row);
    return { to, label: "Next page" };
  }

  /** Behind the stretch, if the list goes on. */
  function further() {
    if (!found?.end) return null;
    return { to: playersPath(filters, found.end), label: found.isBounded ? "Search further" : "Next page" };
  }
}
