import { DAY } from "~/platform/dates/durations";
import { readTimeZone } from "~/platform/dates/time-zone";
import type { Cursor } from "~/platform/lists/keyset";
import { readSearch, type SearchParams, type Values } from "~/platform/search-params/search-params";
import { REGION_FILTER } from "~/ui/game/game-filters";
import { fromLocal } from "../zones";

/** The address of the tournament list, without parameters. */
export const LIST = "/dashboard/tournaments";

/** The parameters of the list's address, which are also the fields of its form. */
export const TOURNAMENT_LIST = {
  /** Registration is still open. */
  open: { kind: "flag", label: "Open for registration" },
  /** The viewer's rank may play. */
  fits: { kind: "flag", label: "Open to my rank" },
  free: { kind: "flag", label: "Free entry" },
  /** The region, including tournaments for any region. */
  region: REGION_FILTER,
  /** The range of days in which it begins, both included, as `2026-12-05`; empty for no bound. */
  from: { kind: "day", label: "From" },
  to: { kind: "day", label: "To" },
  /** The time zone of these days, as the form submits it; empty without days, or if the address names no zone. */
  zone: { kind: "text", max: 64 },
  cursor: { kind: "cursor", by: "either" },
} satisfies SearchParams;

/** The filters of the tournament list. */
export type TournamentFilters = Omit<Values<typeof TOURNAMENT_LIST>, "cursor">;

/** The order of the list: newest first, or earliest first by the filtered date. */
type Order = "newest" | "deadline" | "date";

export const orderOf = ({ open, from, to }: TournamentFilters): Order =>
  from || to ? "date" : open ? "deadline" : "newest";

/** Parses filters and cursor from an address. Never fails: ignores a cursor whose kind doesn't fit the order. */
export function readTournamentPage(query: URLSearchParams): { filters: TournamentFilters; cursor: Cursor | null } {
  const { cursor, ...asked } = readSearch(TOURNAMENT_LIST, query);
  const filters = { ...asked, zone: ((asked.from || asked.to) && readTimeZone(asked.zone)) || "" };
  // In the newest-first order the id alone is the cursor.
  const fitsOrder = cursor && (cursor.key === null) === (orderOf(filters) === "newest");
  return { filters, cursor: fitsOrder ? cursor : null };
}

/**
 * The time range of the chosen days: from the first day's midnight up to the midnight after the last. In UTC if no zone
 * is named.
 */
export function daysBetween({ from, to, zone }: TournamentFilters): { from: Date | null; to: Date | null } {
  const timeZone = zone || "UTC";
  return { from: from ? dayStart(from, timeZone) : null, to: to ? dayStart(to, timeZone, 1) : null };
}

/**
 * The moment when a day begins: midnight, or the first hour that exists if the clocks skip it. Null for an invalid day.
 */
function dayStart(day: string, timeZone: string, later = 0): Date | null {
  const { moment: midnight } = fromLocal(`${day}T00:00`, "UTC");
  if (!midnight) return null;
  const shifted = new Date(midnight.getTime() + later * DAY).toISOString().slice(0, 10);
  for (const hour of ["00", "01"]) {
    const { moment } = fromLocal(`${shifted}T${hour}:00`, timeZone);
    if (moment) return moment;
  }
  return null;
}
