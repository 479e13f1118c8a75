import { redirect } from "@remix-run/cloudflare";
import { linksOf, type PageLinks, pageAfter, pageOf, pageUpTo } from "~/platform/lists/keyset";
import { PAGE_SIZE, placeOf, type WalkedPlayers } from "./directory.server";
import { isRanked, LAST, type PlayerPage } from "./filters";
import { firstStretch, isFirstStretch, playersPath } from "./filters.server";
import type { RankedPlayer } from "./present.server";

/** A page of the directory. */
interface ShownPage {
  shown: RankedPlayer[];
  /** The page's number within its stretch, from 1. */
  number: number;
  links: PageLinks;
}

/**
 * Builds the page that an address asks for. The directory is read a stretch at a time (see `listPlayers`). In a ranked
 * list, a stretch has several pages: its last page links to the next stretch, and its first page links back to the
 * previous one. In other lists, each page is read as its own stretch.
 * @param ranked the players of `walked` who pass all filters, either best first or in the order they were read
 * @throws a redirect if the page no longer exists, or has a simpler address
 */
export function pageOfPlayers(walked: WalkedPlayers, ranked: readonly RankedPlayer[], at: PlayerPage): ShownPage {
  return isRanked(at.filters) ? pageOfStretch(walked, ranked, at) : pageOfList(walked, ranked, at);
}

function pageOfList(
  { end, isBounded }: WalkedPlayers,
  ranked: readonly RankedPlayer[],
  { filters, cursor }: PlayerPage,
): ShownPage {
  const page = pageOf({ found: ranked, end }, PAGE_SIZE, cursor, ({ row }) => placeOf(row));
  if (cursor && page.isFirst) throw redirect(playersPath(filters));
  const links = linksOf(page, (place) => playersPath(filters, { cursor: place }));
  return { shown: page.items, number: 1, links: { ...links, cutShort: isBounded ? links.cutShort : null } };
}

function pageOfStretch(
  { end, firstKey }: WalkedPlayers,
  ranked: readonly RankedPlayer[],
  { filters, cursor, page }: PlayerPage,
): ShownPage {
  const pages = Math.max(1, Math.ceil(ranked.length / PAGE_SIZE));
  const number = page === LAST ? pages : page;
  // The link is old, or the list has become shorter.
  if (number > pages) throw redirect(playersPath(filters, { cursor }));
  const isUp = cursor?.way === "upTo";
  // The links fix the stretch's beginning, so that players who join in the meantime don't push others from page to
  // page. The first entry may be of a player who isn't shown, but it counts towards the stretch.
  const first = firstKey === null ? null : firstStretch(firstKey);
  const stretch = cursor ?? first;
  if (isUp && !end) throw redirect(playersPath(filters, { cursor: pages > 1 ? first : null, page: pages }));
  return {
    shown: ranked.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE),
    number,
    links: { previous: previous(), next: next(), cutShort: number < pages ? null : "next" },
  };

  function previous(): string | null {
    if (number > 1)
      return playersPath(filters, { cursor: number === 2 && isFirstStretch(cursor) ? null : cursor, page: number - 1 });
    if (!cursor || isFirstStretch(cursor)) return null;
    const before = isUp ? end : cursor;
    return before && playersPath(filters, { cursor: pageUpTo(before), page: LAST });
  }

  function next(): string | null {
    if (number < pages) return playersPath(filters, { cursor: stretch, page: number + 1 });
    if (isUp) return playersPath(filters, { cursor: pageAfter(cursor) });
    return end && !filters.name ? playersPath(filters, { cursor: pageAfter(end) }) : null;
  }
}
