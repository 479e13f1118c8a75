import { offsetMinutes } from "~/platform/dates/dates";
import { DAY, MINUTE } from "~/platform/dates/durations";

/*
 * Conversion between a time zone's local time and moments. Forms submit times as `<input type="datetime-local">` does:
 * without a zone.
 */

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::00(?:\.0{1,3})?)?$/;

/** The meaning of a local time: a moment, or why it isn't one (`gap`: the clocks go forward then and skip it). */
type LocalTime = { moment: Date; problem?: never } | { moment?: never; problem: "no-date" | "gap" };

/**
 * Converts a zone's local time to a moment. If the time occurs twice, because the clocks go back, the earlier moment
 * counts.
 * @param text as `2026-12-05T18:00`
 */
export function fromLocal(text: string, timeZone: string): LocalTime {
  const [, year, month, day, hour, minute] = (LOCAL.exec(text) ?? []).map(Number);
  if (year === undefined) return { problem: "no-date" };
  const wall = Date.UTC(year, (month as number) - 1, day, hour, minute);
  // Dates that don't exist (30 February, 25:00) overflow into ones that do.
  if (year < 1970 || new Date(wall).toISOString().slice(0, 16) !== text.slice(0, 16)) return { problem: "no-date" };
  // At any local time, the zone's offset is the one it has a day earlier or a day later. The larger offset is tried
  // first, because it gives the earlier moment.
  const offsets = [-DAY, DAY].map((aside) => offsetMinutes(timeZone, new Date(wall + aside))).sort((a, b) => b - a);
  for (const offset of offsets) {
    const moment = new Date(wall - offset * MINUTE);
    if (offsetMinutes(timeZone, moment) === offset) return { moment };
  }
  return { problem: "gap" };
}

/** Formats a moment as a zone's local time, for `<input type="datetime-local">`. */
export const toLocal = (moment: Date, timeZone: string): string =>
  new Date(moment.getTime() + offsetMinutes(timeZone, moment) * MINUTE).toISOString().slice(0, 16);
