import { offsetMinutes } from "~/platform/dates/dates";
import { DAY, MINUTE } from "~/platform/dates/durations";

/*
 * Between the clock of a time zone and moments. Forms give times as `<input type="datetime-local">` does: without a zone.
 */

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::00(?:\.0{1,3})?)?$/;

/** What a local time means: a moment, or why it is none (`gap`: the clocks go forward then, and skip it). */
type LocalTime = { moment: Date; problem?: never } | { moment?: never; problem: "no-date" | "gap" };

/**
 * The moment at which a zone's clock shows a time. Of two (the clocks go back then) it is the earlier.
 * @param text as `2026-12-05T18:00`
 */
export function fromLocal(text: string, timeZone: string): LocalTime {
  const [, year, month, day, hour, minute] = (LOCAL.exec(text) ?? []).map(Number);
  if (year === undefined) return { problem: "no-date" };
  const wall = Date.UTC(year, (month as number) - 1, day, hour, minute);
  // What doesn't exist (30 February, 25:00) runs over into what does.
  if (year < 1970 || new Date(wall).toISOString().slice(0, 16) !== text.slice(0, 16)) return { problem: "no-date" };
  // Whichever offset holds then, it holds the day before or the day after; the larger one makes the earlier moment.
  const offsets = [-DAY, DAY].map((aside) => offsetMinutes(timeZone, new Date(wall + aside))).sort((a, b) => b - a);
  for (const offset of offsets) {
    const moment = new Date(wall - offset * MINUTE);
    if (offsetMinutes(timeZone, moment) === offset) return { moment };
  }
  return { problem: "gap" };
}

/** What a zone's clock shows at a moment, as `<input type="datetime-local">` holds it. */
export const toLocal = (moment: Date, timeZone: string): string =>
  new Date(moment.getTime() + offsetMinutes(timeZone, moment) * MINUTE).toISOString().slice(0, 16);
