import { formatDistance, formatDistanceStrict } from "date-fns";
import { type Clock, dateIn, dateWords, exactMoment, timeOf } from "./dates";
import { DAY } from "./durations";

/** A moment for `<time datetime={iso} title={exact}>{ago}</time>`. */
export interface ShownMoment {
  iso: string;
  /** "about 2 hours ago" */
  ago: string;
  /** The date and time on the reader's clock, with the zone. */
  exact: string;
}

/** Formats a moment on the server, so that the browser needs no date library and renders the same text. */
export function showMoment(moment: Date, clock: Clock): ShownMoment {
  return {
    iso: moment.toISOString(),
    ago: formatDistance(moment, clock.now, { addSuffix: true }),
    exact: exactMoment(moment, clock),
  };
}

/** Formats the remaining time: "22 hours". It is rounded to the nearest unit, so that a new post shows "24 hours". */
export function timeLeft(until: Date, now: Date): string {
  return formatDistanceStrict(until < now ? now : until, now, { roundingMethod: "round" });
}

/**
 * Formats a moment within the next 24 hours, on the reader's clock: "today, 22:40", "tomorrow, 14:20". Late in the
 * evening before a day of only 23 hours, it may be the day after tomorrow: "Mon, 00:30".
 */
export function soonTime(moment: Date, clock: Clock): string {
  const daysAhead = (dayOf(moment, clock) - dayOf(clock.now, clock)) / DAY;
  const day = ["today", "tomorrow"][daysAhead];
  return day ? `${day}, ${timeOf(moment, clock)}` : dateWords(clock)(moment).time;
}

/** Returns the date of a moment on the reader's clock, as a number that grows by `DAY` from one date to the next. */
const dayOf = (moment: Date, { timeZone }: Clock): number => Date.parse(dateIn(timeZone, moment));
