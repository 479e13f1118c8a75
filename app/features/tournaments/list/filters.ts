import { REGIONS, type Region } from "~/game/regions";
import { DAY } from "~/platform/dates/durations";
import { readTimeZone } from "~/platform/dates/time-zone";
import { type Cursor, cursorParams, parseCursor } from "~/platform/lists/keyset";
import { fromLocal } from "../zones";

/** The filters of the tournament list. */
export interface TournamentFilters {
  /** Registration is still open. */
  open: boolean;
  /** The viewer's rank may play. */
  fits: boolean;
  free: boolean;
  /** The region, including tournaments for any region; null for all. */
  region: Region | null;
  /** The range of days in which it begins, both included, as `2026-12-05`; empty for no bound. */
  from: string;
  to: string;
  /** The time zone of these days, as the form submits it; empty without days, or if the address names no zone. */
  zone: string;
}

/** The order of the list: newest first, or earliest first by the date that the filters are about. */
type Order = "newest" | "deadline" | "date";

export const orderOf = ({ open, from, to }: TournamentFilters): Order =>
  from || to ? "date" : open ? "deadline" : "newest";

/** Parses filters from an address. Never fails: values that it doesn't understand become the default. */
export function parseTournamentFilters(params: URLSearchParams): TournamentFilters {
  const region = params.get("region");
  const from = dayOf(params.get("from"));
  const to = dayOf(params.get("to"));
  return {
    open: params.get("open") === "on",
    fits: params.get("fits") === "on",
    free: params.get("free") === "on",
    region: REGIONS.find((one) => one === region) ?? null,
    from,
    to,
    zone: ((from || to) && readTimeZone(params.get("zone"))) || "",
  };
}

const dayOf = (text: string | null) => (text && dayStart(text, "UTC") ? text : "");

/** The canonical query string of filters and of a page's cursor, with `?`; empty for the defaults. */
export function tournamentFiltersSearch(filters: TournamentFilters, cursor: Cursor | null = null): string {
  const params = new URLSearchParams();
  const entries = { ...filters, ...cursorParams(cursor) };
  for (const [name, value] of Object.entries(entries)) if (value) params.set(name, value === true ? "on" : value);
  return params.size > 0 ? `?${params}` : "";
}

/** How many filters are set. */
export const countTournamentFilters = ({ zone: _, ...filters }: TournamentFilters): number =>
  Object.values(filters).filter(Boolean).length;

/**
 * Parses a page's cursor; null (the first page) if the address has none for this order. In the newest-first order the
 * id alone is the cursor.
 */
export const parseTournamentCursor = (params: URLSearchParams, order: Order): Cursor | null =>
  parseCursor(params, { isKeyed: order !== "newest" });

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
