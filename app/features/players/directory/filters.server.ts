import type { Language } from "#db/words/languages";
import { queueRange } from "~/game/queue";
import { type Rank, rankPosition } from "~/game/ranks";
import type { Region } from "~/game/regions";
import { type Cursor, pageAfter } from "~/platform/lists/keyset";
import { countSet, readSearch, writeSearch } from "~/platform/search-params/search-params";
import { isRanked, PLAYER_LIST, type PlayerFilters, type PlayerPage, type PlayerPlace } from "./filters";

/** No player's id, and after all of them. */
const BEYOND_IDS = "f".repeat(36);

/**
 * The first stretch of the list as it was at a moment: nobody who comes to stand before it pushes anyone to its next page.
 * @param key of the player who stands first
 */
export const firstStretch = (key: number): Cursor => pageAfter({ key, id: BEYOND_IDS });

export const isFirstStretch = (cursor: Cursor | null): boolean => cursor === null || cursor.id === BEYOND_IDS;

const { filters: NO_FILTERS } = readPlayerPage(new URLSearchParams());

/** What a visit without filters begins with: five, from the viewer's own profile. */
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
    // English, where it is one of several: it is what most others speak, too.
    language: own.languages.find((language) => language === "en") ?? own.languages[0] ?? null,
  };
}

/**
 * The same, wider and wider, for whom nobody fits: without the language, then in any region, then of any rank. How well players
 * match still says who stands first.
 */
export function looserFilters(filters: PlayerFilters): PlayerFilters[] {
  const looser: PlayerFilters[] = [];
  for (const without of GIVING_WAY) {
    const last = looser.at(-1) ?? filters;
    const next = { ...last, ...without };
    if (countSet(PLAYER_LIST, next) < countSet(PLAYER_LIST, last)) looser.push(next);
  }
  return looser;
}

/** Of some filters those that others have given up. */
export function leftOut(filters: PlayerFilters, looser: PlayerFilters): PlayerFilters {
  const gone = Object.entries(filters).filter(([name, value]) => value !== looser[name as keyof PlayerFilters]);
  return { ...NO_FILTERS, ...Object.fromEntries(gone) };
}

/** What gives way first, where nobody fits all that a profile says. */
const GIVING_WAY: readonly Partial<PlayerFilters>[] = [
  { language: null },
  { region: null },
  { minRank: null, maxRank: null, canQueue: false },
];

/** The address of a page of players. @param place left out for the first page */
export const playersPath = (filters: Partial<PlayerFilters>, place: Partial<PlayerPlace> = {}): string =>
  `/dashboard/players${writeSearch(PLAYER_LIST, { ...filters, ...place })}`;

/** The address that shows everyone: `Reset`. */
export const EVERYONE = playersPath({});

/** Reads an address whole. Never fails: a place that this list doesn't have is its beginning. */
export function readPlayerPage(query: URLSearchParams): PlayerPage {
  const { cursor, page, ...asked } = readSearch(PLAYER_LIST, query);
  const { minRank: one, maxRank: other } = asked;
  // The lowest rank above the highest is a slip of the hand: the two change places.
  const isSlip = one && other && rankPosition(one) > rankPosition(other);
  const filters = isSlip ? { ...asked, minRank: other, maxRank: one } : asked;
  return {
    filters,
    // All players whom a name finds are one stretch.
    cursor: filters.name ? null : cursor,
    page: isRanked(filters) ? page : 1,
  };
}
