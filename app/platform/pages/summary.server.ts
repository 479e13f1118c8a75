import { exactMoment } from "../dates/dates";
import { DESCRIPTION_LENGTH, excerpt } from "./public-page";

/*
 * The descriptions of shared pages. Messengers cache them and show them to readers anywhere, so these texts give times
 * in UTC and never in relative form.
 */

/** Formats a moment for readers anywhere: "21 November 2026, 18:42, UTC". */
export const sharedMoment = (moment: Date): string =>
  exactMoment(moment, { timeZone: "UTC", order: "day-month-year", hour12: false });

/** Joins facts into a sentence that begins with a capital: "Gold 1 and up, Europe." Leaves out unknown facts. */
export function sentence(...facts: (string | null | undefined | false)[]): string {
  const text = facts.filter(Boolean).join(", ");
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Joins sentences to a description, without empty ones, and cuts it to `DESCRIPTION_LENGTH`. */
export const summary = (...parts: (string | null | undefined | false)[]): string =>
  excerpt(parts.filter(Boolean).join(" "), DESCRIPTION_LENGTH);
