import { REGIONS, type Region } from "~/game/regions";
import { DAY } from "~/platform/dates/durations";
import { readTimeZone } from "~/platform/dates/time-zone";
import { type Cursor, cursorParams, parseCursor } from "~/platform/lists/keyset";
import { fromLocal } from "../zones";

/** What the list of tournaments is narrowed to. */
export interface TournamentFilters {
  /** One can still register. */
  open: boolean;
  /** Open to the viewer's rank. */
  fits: boolean;
  free: boolean;
  /** For this region, or any. */
  region: Region | null;
  /** Days on which it may begin, both included, as `2026-12-05`; empty for no bound. */
  from: string;
  to: string;
  /** The zone in which these days are meant, as the form says it; empty without days, or where nobody has said it. */
  zone: string;
}

/** The order of the list: the newest first, or what comes first in time where the filters are about that. */
type Order = "newest" | "deadline" | "date";

export const orderOf = ({ open, from, to }: TournamentFilters): Order =>
  from || to ? "date" : open ? "deadline" : "newest";

/** Reads filters from an address. Never fails: what it does not understand is the default. */
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

/** The canonical query string of filters (and of a page of them), with `?`; empty for the defaults. */
export function tournamentFiltersSearch(filters: TournamentFilters, cursor: Cursor | null = null): string {
  const params = new URLSearchParams();
  const entries = { ...filters, ...cursorParams(cursor) };
  for (const [name, value] of Object.entries(entries)) if (value) params.set(name, value === true ? "on" : value);
  return params.size > 0 ? `?${params}` : "";
}

/** How many filters are set. */
export const countTournamentFilters = ({ zone: _, ...filters }: TournamentFilters): number =>
  Object.values(filters).filter(Boolean).length;

/** Reads where a page stands; null (the first page) when the address says nothing of this order. By age the id says it. */
export const parseTournamentCursor = (params: URLSearchParams, order: Order): Cursor | null =>
  parseCursor(params, { isKeyed: order !== "newest" });

/** The stretch of time that the days are, in UTC where they name no zone: from the first one's midnight up to that after the last. */
export function daysBetween({ from, to, zone }: TournamentFilters): { from: Date | null; to: Date | null } {
  const timeZone = zone || "UTC";
  return { from: from ? dayStart(from, timeZone) : null, to: to ? dayStart(to, timeZone, 1) : null };
}

/** When a day begins; where its midnight is skipped, at the first hour that there is. Null for what is no day. */
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
