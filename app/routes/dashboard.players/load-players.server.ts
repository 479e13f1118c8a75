import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { listPlayers } from "~/features/players/directory/directory.server";
import { PLAYER_LIST } from "~/features/players/directory/filters";
import {
  defaultFilters,
  EVERYONE,
  leftOut,
  looserFilters,
  playersPath,
  readPlayerPage,
} from "~/features/players/directory/filters.server";
import { pageOfPlayers } from "~/features/players/directory/pages.server";
import { fitsFilters, presentPlayer, rankPlayers } from "~/features/players/directory/present.server";
import { sayFilters, waysOut } from "~/features/players/directory/say-filters";
import { findProfile } from "~/features/players/queries.server";
import { matchProfileOf, NO_PROFILE } from "~/features/players/shared/match-profile";
import { tooManyTries } from "~/platform/limits/refusal";
import { countOwnUse } from "~/platform/limits/uses.server";
import { hideFromScript } from "~/platform/pages/hide-from-script.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { countActiveFilters, hasAnyParam } from "~/platform/search-params/search-params";
import { requireClaim, requireViewer } from "~/platform/session/guards.server";

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db } = context;
  const { searchParams } = new URL(request.url);
  const claim = requireClaim(context, request);
  const { userId } = claim;
  const at = readPlayerPage(searchParams);
  const { filters, cursor } = at;
  const isLaterPage = cursor !== null || at.page !== 1;
  const [, pace, profile, walked, clock] = await Promise.all([
    requireViewer(context, request),
    isLaterPage ? countOwnUse(context, "directoryPages", claim) : null,
    findProfile(db, userId),
    hasAnyParam(PLAYER_LIST, searchParams) ? listPlayers(db, filters, userId, cursor) : null,
    context.clock(),
  ]);
  if (pace && !pace.allowed) {
    const { error } = tooManyTries(pace.retryAfter);
    throw redirectWithToast(context, playersPath(filters), { kind: "error", title: "Slow down", description: error });
  }
  const own = profile ?? NO_PROFILE;
  const defaults = defaultFilters({ rank: own.currentRank, region: own.region, languages: own.languages ?? [] });
  // The default filters are put into the address like any others, so that they can be changed, kept and shared.
  if (!walked) throw redirect(playersPath(defaults));

  const viewer = matchProfileOf(own, clock, true);
  const ranked = rankPlayers(walked.found, viewer, filters, clock);
  const path = playersPath(filters);
  const levels = [defaults, ...looserFilters(defaults)];
  const level = levels.findIndex((one) => playersPath(one) === path);
  const looser = level < 0 ? undefined : levels[level + 1];
  // No player fits the filters from the profile: drop the least important one.
  if (looser && !cursor && ranked.length === 0 && !walked.end) throw redirect(playersPath(looser));

  const { shown, number, links } = pageOfPlayers(walked, ranked, at);
  const view = {
    filters,
    filterCount: countActiveFilters(PLAYER_LIST, filters),
    own: { rank: viewer.rank, hours: viewer.hours, timeZone: clock.timeZone, hour12: clock.hour12 },
    defaults: countActiveFilters(PLAYER_LIST, defaults) > 0 ? describeDefaults() : null,
    shown: shown.length,
    players: shown.map(presentPlayer),
    /** The number of players to display, with a "+" if `hasMore`. */
    count: walked.isBounded || !walked.end ? ranked.length : shown.length,
    hasMore: walked.end !== null,
    isFirst: cursor === null,
    page: number,
    pages: links,
    unfilteredPath: EVERYONE,
    /** The address that finds the name without the other filters; null if no others are set. */
    named: filters.name && countActiveFilters(PLAYER_LIST, filters) > 1 ? playersPath({ name: filters.name }) : null,
    waysOut: shown.length > 0 || path === EVERYONE ? [] : waysOut(filters),
  };
  return hideFromScript(context, view, "players");

  /** Describes the filters set from the profile, and those dropped because no player fitted them. */
  function describeDefaults() {
    const stricter = levels[level - 1];
    // A player fits the stricter filters after all: one who has joined since, or is no longer blocked.
    const isStale = stricter && ranked.some(({ row }) => fitsFilters(row, stricter));
    return {
      areSet: level >= 0 && !isStale,
      said: sayFilters(filters),
      leftOut: level > 0 ? sayFilters(leftOut(defaults, filters)) : "",
    };
  }
}
