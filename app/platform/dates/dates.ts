import { tzOffset } from "@date-fns/tz/tzOffset";
import { DAY, MINUTE } from "./durations";
import { type ReaderZone, zoneWords } from "./time-zone";

/*
 * Every date and time that a person reads is written here. `Intl` is asked for nothing but a zone's offset: its wording differs
 * between the Worker and browsers (narrow spaces, "Sept" or "Sep"), and a page must read the same in both.
 */

/** In which order day, month and year stand. */
export type DateOrder = "day-month-year" | "month-day-year" | "year-month-day";

/** What is customary where the reader lives. */
export interface DateConventions {
  order: DateOrder;
  /** Whether clocks say "6:00 PM" rather than "18:00". */
  hour12: boolean;
}

/** How dates are written for one reader. Plain data: pages carry it, so that the browser writes what the server wrote. */
export interface DateStyle extends DateConventions {
  /** An IANA name that `readTimeZone` has let through. */
  timeZone: string;
}

/** A reader's clock: when it is, and how it is said. */
export interface Clock extends DateStyle, ReaderZone {
  now: Date;
}

/** Just what a page in the browser needs of a clock. */
export const styleOf = ({ timeZone, order, hour12 }: DateStyle): DateStyle => ({ timeZone, order, hour12 });

/** How far a zone's clock is ahead of UTC at a moment, in minutes; 0 for a zone that nobody knows. */
export const offsetMinutes = (timeZone: string, moment: Date): number => tzOffset(timeZone, moment) || 0;

/** The reader's wall clock at a moment, to be read with the `getUTC…` methods. */
function wallClock(moment: Date | number, timeZone: string): Date {
  const at = new Date(moment);
  return new Date(at.getTime() + offsetMinutes(timeZone, at) * MINUTE);
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const monthOf = (wall: Date) => MONTHS[wall.getUTCMonth()] as string;
const weekdayOf = (wall: Date) => WEEKDAYS[wall.getUTCDay()] as string;

function sayDate(wall: Date, order: DateOrder, { withYear = true, month = monthOf(wall) } = {}): string {
  const day = wall.getUTCDate();
  const year = wall.getUTCFullYear();
  if (order === "day-month-year") return withYear ? `${day} ${month} ${year}` : `${day} ${month}`;
  const date = `${month} ${day}`;
  if (!withYear) return date;
  return order === "month-day-year" ? `${date}, ${year}` : `${year} ${date}`;
}

function sayTime(wall: Date, hour12: boolean): string {
  const hour = wall.getUTCHours();
  const minute = String(wall.getUTCMinutes()).padStart(2, "0");
  if (!hour12) return `${String(hour).padStart(2, "0")}:${minute}`;
  return `${hour % 12 || 12}:${minute}\u00a0${hour < 12 ? "AM" : "PM"}`;
}

/** The day on which a moment falls in a zone, as `2026-11-21`. */
export const dateIn = (timeZone: string, moment: Date | number): string =>
  wallClock(moment, timeZone).toISOString().slice(0, 10);

/** A moment on a reader's clock: "18:42" or "6:42 PM". */
export const timeOf = (moment: Date | number, { timeZone, hour12 }: DateStyle): string =>
  sayTime(wallClock(moment, timeZone), hour12);

/** A moment as pages show it: `<time datetime={iso} title={exact}>{text}</time>`. */
export interface ShownTime {
  iso: string;
  /** As short as its place asks for: "18:42", "Sat 5 Dec, 18:00". */
  text: string;
  /** In full, its zone named. */
  exact: string;
}

/** A moment as a thread shows it: its text is the time alone. */
export const clockTime = (moment: number, style: DateStyle): ShownTime => ({
  iso: new Date(moment).toISOString(),
  text: timeOf(moment, style),
  exact: exactMoment(moment, style),
});

/** A moment's day in full: "28 November 2026". */
export const longDate = (moment: Date | number, { timeZone, order }: DateStyle): string =>
  sayDate(wallClock(moment, timeZone), order);

/** A moment's day in an e-mail, which names its zone: nobody knows where it will be read, nor in which conventions. */
export const emailDate = (moment: Date, timeZone: string): string =>
  `${longDate(moment, { timeZone, order: "day-month-year", hour12: false })} (${zoneWords(timeZone)})`;

/** A moment's day as sentences say it: "28 November", with its year when that is another one. */
export const shortDate = (moment: Date | number, style: Pick<Clock, "timeZone" | "order" | "now">): string =>
  sayDay(dateIn(style.timeZone, moment), dateIn(style.timeZone, style.now), style.order);

function sayDay(date: string, today: string, order: DateOrder): string {
  return sayDate(new Date(date), order, { withYear: date.slice(0, 4) !== today.slice(0, 4) });
}

/**
 * What a day among others is called: "Today", "Yesterday", "21 November", with its year when that is another one.
 * @param date as `dateIn` has it
 * @param today the same, of the reader
 */
export function dayWords(date: string, today: string, order: DateOrder): string {
  if (date === today) return "Today";
  // Dates alone: a day by the clock may have 23 hours, or 25.
  if (Date.parse(date) === Date.parse(today) - DAY) return "Yesterday";
  return sayDay(date, today, order);
}

/** A moment in full, with its zone, as `title`s have it: "21 November 2026, 18:42, Europe/Berlin time". */
export function exactMoment(moment: Date | number, { timeZone, order, hour12 }: DateStyle): string {
  const wall = wallClock(moment, timeZone);
  return `${sayDate(wall, order)}, ${sayTime(wall, hour12)}, ${zoneWords(timeZone)}`;
}

/** A moment as pages of tournaments show it. Its text is "Sat 5 Dec, 18:00", with the year where it is another one. */
export interface ShownDate extends ShownTime {
  /** "5 Dec 2026" */
  day: string;
  /** "Sat, 18:00" */
  time: string;
  /** "18:00" */
  clock: string;
}

/** Words for the moments of a page. */
export function dateWords({ timeZone, order, hour12, now }: DateStyle & Pick<Clock, "now">) {
  const thisYear = wallClock(now, timeZone).getUTCFullYear();
  return (moment: Date): ShownDate => {
    const wall = wallClock(moment, timeZone);
    const month = monthOf(wall).slice(0, 3);
    const weekday = weekdayOf(wall).slice(0, 3);
    const clock = sayTime(wall, hour12);
    const date = sayDate(wall, order, { month, withYear: wall.getUTCFullYear() !== thisYear });
    return {
      iso: moment.toISOString(),
      text: `${weekday}${order === "day-month-year" ? "" : ","} ${date}, ${clock}`,
      day: sayDate(wall, order, { month }),
      time: `${weekday}, ${clock}`,
      clock,
      exact: exactMoment(moment, { timeZone, order, hour12 }),
    };
  };
}
