import { DAY } from "~/platform/dates/durations";

/** The durations that the forms for limits and suspensions offer, in days. */
export const LENGTHS = [1, 3, 7, 14, 30, 90, 180, 365] as const;

/** Describes a duration: "1 day", "2 weeks". @param days one of `LENGTHS` */
export function sayLength(days: number): string {
  if (days === 365) return "1 year";
  if (days % 7 === 0 && days < 30) return days === 7 ? "1 week" : `${days / 7} weeks`;
  return days === 1 ? "1 day" : `${days} days`;
}

/** Returns the moment `days` days after `now`. */
export const daysFrom = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY);
