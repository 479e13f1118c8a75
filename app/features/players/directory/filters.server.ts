import type { Language } from "#db/words/languages";
import { queueRange } from "~/game/queue";
import { type Rank, rankPosition } from "~/game/ranks";
import type { Region } from "~/game/regions";
import { type Cursor, pageAfter } from "~/platform/lists/keyset";
import { countActiveFilters, readSearch, writeSearch } from "~/platform/search-params/search-params";
import { isRanked, PLAYER_LIST, type PlayerFilters, type PlayerPage, type PlayerPlace } from "./filters";

/** Sorts after every player's id, and is no player's id itself. */
const BEYOND_IDS = "f".repeat(36);

/**
 * Returns a cursor that fixes where the first stretch (see `listPlayers`) begins, so that players who join later don't
 * push others to the next page of the stretch.
 * @param key the sort key of the first player
 */
export const firstStretch = (key: number): Cursor => pageAfter({ key, id: BEYOND_IDS });

export const isFirstStretch = (cursor: Cursor | null): boolean => cursor === null || cursor.id === BEYOND_IDS;

const { filters: NO_FILTERS } = readPlayerPage(new URLSearchParams());

/** Returns the filters for an address that sets none: at most five, taken from the viewer's own profile. */
export function defaultFilters(own: {
  rank: Rank | null;
  region: Region | null;
  languages: readonly Language[];
}): PlayerFilters {
  const range = own.rank && queueRange(own.rank);
  return {
    ...NO_FILTERS,
    minRank: range?.from ?? null,
    maxRank: range?.to ?? null,
    canQueue: range !== null,
    region: own.region,
    // English if the player speaks several, because it is the most widely spoken.
    language: own.languages.find((language) => language === "en") ?? own.languages[0] ?? null,
  };
}

/**
 * Returns looser and looser filters to try if no player passes: without the language, then for any region, then for any
 * rank. The order by match still puts the best first.
 */
export function looserFilters(filters: PlayerFilters): PlayerFilters[] {
  const looser: PlayerFilters[] = [];
  for (const without of LOOSENING_STEPS) {
    const last = looser.at(-1) ?? filters;
    const next = { ...last, ...without };
    if (countActiveFilters(PLAYER_LIST, next) < countActiveFilters(PLAYER_LIST, last)) looser.push(next);
  }
  return looser;
}

/** Returns only the filters that `looser` has dropped. */
export function leftOut(filters: PlayerFilters, looser: PlayerFilters): PlayerFilters {
  const gone = Object.entries(filters).filter(([name, value]) => value !== looser[name as keyof PlayerFilters]);
  return { ...NO_FILTERS, ...Object.fromEntries(gone) };
}

/** The filters to drop, in this order, if no player passes all of them. */
const LOOSENING_STEPS: readonly Partial<PlayerFilters>[] = [
  { language: null },
  { region: null },
  { minRank: null, maxRank: null, canQueue: false },
];

/**
 * Returns the path of a page of players.
 * @param place the cursor and page; left out for the first page
 */
export const playersPath = (filters: Partial<PlayerFilters>, place: Partial<PlayerPlace> = {}): string =>
  `/dashboard/players${writeSearch(PLAYER_LIST, { ...filters, ...place })}`;

/** The path of the list without filters, for `Reset`. */
export const EVERYONE = playersPath({});

/** Reads the query string of a page of players. Never fails: an invalid place counts as the beginning. */
export function readPlayerPage(query: URLSearchParams): PlayerPage {
  const { cursor, page, ...asked } = readSearch(PLAYER_LIST, query);
  const { minRank: one, maxRank: other } = asked;
  // A lowest rank above the highest must be a mistake, so the two are swapped.
  const areSwapped = one && other && rankPosition(one) > rankPosition(other);
  const filters = areSwapped ? { ...asked, minRank: other, maxRank: one } : asked;
  return {
    filters,
    // All players found by name are in one stretch.
    cursor: filters.name ? null : cursor,
    page: isRanked(filters) ? page : 1,
  };
}
