import { tzOffset } from "@date-fns/tz/tzOffset";
import { DAY, MINUTE } from "./durations";
import { type ReaderZone, zoneWords } from "./time-zone";

/*
 * All dates and times for human readers are formatted here. `Intl` is used only for a zone's offset: its wording
 * differs between the Worker and browsers (narrow spaces, "Sept" or "Sep"), and a page must read the same in both.
 */

/** The order of day, month and year. */
export type DateOrder = "day-month-year" | "month-day-year" | "year-month-day";

/** The date conventions of the reader's region. */
export interface DateConventions {
  order: DateOrder;
  /** Whether clocks say "6:00 PM" rather than "18:00". */
  hour12: boolean;
}

/** A reader's date format. It is plain data that pages include, so that the browser formats like the server. */
export interface DateStyle extends DateConventions {
  /** An IANA name accepted by `readTimeZone`. */
  timeZone: string;
}

/** A reader's clock: the current time, and the format of dates. */
export interface Clock extends DateStyle, ReaderZone {
  now: Date;
}

/** Picks the part of a clock that a page in the browser needs. */
export const styleOf = ({ timeZone, order, hour12 }: DateStyle): DateStyle => ({ timeZone, order, hour12 });

/** Zones change their offsets at full quarters of an hour; the last exception was Antarctica/Casey, until 2022. */
const QUARTER = 15 * MINUTE;
/**
 * The offsets that pages have asked for, by zone and quarter of an hour. A call to `Intl` takes as long as rendering a
 * card.
 */
const knownOffsets = new Map<string, number>();
const MOST_OFFSETS = 5_000;

/** Returns how far a zone's clock is ahead of UTC at a moment, in minutes; 0 for an unknown zone. */
export function offsetMinutes(timeZone: string, moment: Date): number {
  const key = `${timeZone} ${Math.floor(moment.getTime() / QUARTER)}`;
  let offset = knownOffsets.get(key);
  if (offset === undefined) {
    offset = tzOffset(timeZone, moment) || 0;
    if (knownOffsets.size === MOST_OFFSETS) knownOffsets.clear();
    knownOffsets.set(key, offset);
  }
  return offset;
}

/** Converts a moment to the reader's wall clock, to be read with the `getUTC…` methods. */
function wallClock(moment: Date | number, timeZone: string): Date {
  const at = new Date(moment);
  return new Date(at.getTime() + offsetMinutes(timeZone, at) * MINUTE);
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const monthOf = (wall: Date) => MONTHS[wall.getUTCMonth()] as string;
const weekdayOf = (wall: Date) => WEEKDAYS[wall.getUTCDay()] as string;

function formatDate(wall: Date, order: DateOrder, { withYear = true, month = monthOf(wall) } = {}): string {
  const day = wall.getUTCDate();
  const year = wall.getUTCFullYear();
  if (order === "day-month-year") return withYear ? `${day} ${month} ${year}` : `${day} ${month}`;
  const date = `${month} ${day}`;
  if (!withYear) return date;
  return order === "month-day-year" ? `${date}, ${year}` : `${year} ${date}`;
}

function formatTime(wall: Date, hour12: boolean): string {
  const hour = wall.getUTCHours();
  const minute = String(wall.getUTCMinutes()).padStart(2, "0");
  if (!hour12) return `${String(hour).padStart(2, "0")}:${minute}`;
  return `${hour % 12 || 12}:${minute}\u00a0${hour < 12 ? "AM" : "PM"}`;
}

/** Formats a full hour, 0 to 48: "18:00", "6 PM". */
export const hourWords = (hour: number, hour12: boolean): string =>
  hour12 ? `${hour % 12 || 12}\u00a0${hour % 24 < 12 ? "AM" : "PM"}` : `${String(hour % 24).padStart(2, "0")}:00`;

/** Formats a range of full hours in little space: "18–22", "6–10 PM", "10 AM–2 PM". */
export function hourRange(from: number, to: number, hour12: boolean): string {
  if (!hour12) return `${from % 24}–${to % 24}`;
  const [start, end] = [hourWords(from, true), hourWords(to, true)];
  return `${start.slice(-2) === end.slice(-2) ? start.slice(0, -3) : start}–${end}`;
}

/** Returns the date of a moment in a zone, as `2026-11-21`. */
export const dateIn = (timeZone: string, moment: Date | number): string =>
  wallClock(moment, timeZone).toISOString().slice(0, 10);

/** Formats the time of day of a moment: "18:42" or "6:42 PM". */
export const timeOf = (moment: Date | number, { timeZone, hour12 }: DateStyle): string =>
  formatTime(wallClock(moment, timeZone), hour12);

/** A moment for `<time datetime={iso} title={exact}>{text}</time>`. */
export interface ShownTime {
  iso: string;
  /** A short form that suits the context: "18:42", "Sat 5 Dec, 18:00". */
  text: string;
  /** The full date and time, with the zone. */
  exact: string;
}

/** Formats a moment for a thread: its text is only the time of day. */
export const clockTime = (moment: number, style: DateStyle): ShownTime => ({
  iso: new Date(moment).toISOString(),
  text: timeOf(moment, style),
  exact: exactMoment(moment, style),
});

/** Formats the date of a moment: "28 November 2026". */
export const longDate = (moment: Date | number, { timeZone, order }: DateStyle): string =>
  formatDate(wallClock(moment, timeZone), order);

/**
 * Formats a date for an email, always as "28 November 2026", and names its zone: the email may be read anywhere, by
 * readers with other conventions.
 */
export const emailDate = (moment: Date, timeZone: string): string =>
  `${longDate(moment, { timeZone, order: "day-month-year", hour12: false })} (${zoneWords(timeZone)})`;

/** Formats the date of a moment for a sentence: "28 November", with the year unless it is the current one. */
export const shortDate = (moment: Date | number, style: Pick<Clock, "timeZone" | "order" | "now">): string =>
  formatDay(dateIn(style.timeZone, moment), dateIn(style.timeZone, style.now), style.order);

function formatDay(date: string, today: string, order: DateOrder): string {
  return formatDate(new Date(date), order, { withYear: date.slice(0, 4) !== today.slice(0, 4) });
}

/**
 * Names a day in a list of days: "Today", "Yesterday", "21 November", with the year unless it is the current one.
 * @param date in the format of `dateIn`
 * @param today the reader's current date, in the same format
 */
export function dayWords(date: string, today: string, order: DateOrder): string {
  if (date === today) return "Today";
  // Compares dates, because a day on the clock may have 23 or 25 hours.
  if (Date.parse(date) === Date.parse(today) - DAY) return "Yesterday";
  return formatDay(date, today, order);
}

/** Formats a moment in full, with its zone, for a `title`: "21 November 2026, 18:42, Europe/Berlin time". */
export function exactMoment(moment: Date | number, { timeZone, order, hour12 }: DateStyle): string {
  const wall = wallClock(moment, timeZone);
  return `${formatDate(wall, order)}, ${formatTime(wall, hour12)}, ${zoneWords(timeZone)}`;
}

/** A moment for tournament pages. Its text is "Sat 5 Dec, 18:00", with the year unless it is the current one. */
export interface ShownDate extends ShownTime {
  /** "5 Dec 2026" */
  day: string;
  /** "Sat, 18:00" */
  time: string;
  /** "18:00" */
  clock: string;
}

/** Creates the formatter for a page's moments. */
export function dateWords({ timeZone, order, hour12, now }: DateStyle & Pick<Clock, "now">) {
  const thisYear = wallClock(now, timeZone).getUTCFullYear();
  return (moment: Date): ShownDate => {
    const wall = wallClock(moment, timeZone);
    const month = monthOf(wall).slice(0, 3);
    const weekday = weekdayOf(wall).slice(0, 3);
    const clock = formatTime(wall, hour12);
    const date = formatDate(wall, order, { month, withYear: wall.getUTCFullYear() !== thisYear });
    return {
      iso: moment.toISOString(),
      text: `${weekday}${order === "day-month-year" ? "" : ","} ${date}, ${clock}`,
      day: formatDate(wall, order, { month }),
      time: `${weekday}, ${clock}`,
      clock,
      exact: exactMoment(moment, { timeZone, order, hour12 }),
    };
  };
}
