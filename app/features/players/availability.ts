import type { Availability } from "#db/words/availability";
import { offsetMinutes } from "~/platform/dates/dates";

/*
 * When a player usually plays: days by parts of the day, in their own time zone. Two players are compared hour by hour of
 * one UTC week, so that "evening" in Seoul and in Lisbon meet where they really do.
 */

export const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** Parts of a day: the local hours `from` (included) to `to` (not); night goes on past midnight. */
export const DAY_PARTS = [
  { word: "morning", name: "Morning", from: 6, to: 10 },
  { word: "midday", name: "Midday", from: 10, to: 14 },
  { word: "afternoon", name: "Afternoon", from: 14, to: 18 },
  { word: "evening", name: "Evening", from: 18, to: 22 },
  { word: "night", name: "Night", from: 22, to: 26 },
] as const;

export type DayPart = (typeof DAY_PARTS)[number]["word"];

/** What can be ticked: `monday-morning` and so on, day by day. */
export const SLOTS: readonly string[] = DAYS.flatMap((day) => DAY_PARTS.map(({ word }) => slotOf(day, word)));

/** The name of a part of a day in forms. */
export function slotOf(day: (typeof DAYS)[number], part: DayPart): string {
  return `${day.toLowerCase()}-${part}`;
}

/** The week that ticked slots make; null for none. */
export function availabilityOf(slots: readonly string[]): Availability | null {
  if (slots.length === 0) return null;
  return DAYS.map((day) =>
    DAY_PARTS.reduce((bits, { word }, part) => bits | (slots.includes(slotOf(day, word)) ? 1 << part : 0), 0),
  );
}

/** The slots of a week. */
export function slotsOf(availability: Availability | null): string[] {
  return SLOTS.filter((_, slot) => {
    const [day, part] = [Math.floor(slot / DAY_PARTS.length), slot % DAY_PARTS.length];
    return ((availability?.[day] ?? 0) >> part) & 1;
  });
}

const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** The hours of a week as seven numbers of 24 bits, Monday 0:00 first. */
export type WeekHours = readonly number[];

/** The hours of each part of the day, as bits; those of the night reach into the next day. */
const PART_HOURS = DAY_PARTS.map(({ from, to }) => (1 << to) - (1 << from));
const WHOLE_DAY = (1 << DAY_HOURS) - 1;

/**
 * @param offset the hours by which the player's clock is ahead of UTC; part hours are rounded, halves up: India counts as
 *   +6 and Newfoundland as −3, which keeps the nine hours between them
 * @returns the hours in UTC
 */
export function toWeekHours(availability: Availability, offset: number): WeekHours {
  const days = DAYS.map((_, day) =>
    PART_HOURS.reduce((hours, part, bit) => ((availability[day] ?? 0) & (1 << bit) ? hours | part : hours), 0),
  );
  const week = days.map((hours, day) => (hours & WHOLE_DAY) | ((days.at(day - 1) as number) >> DAY_HOURS));
  return rotate(week, -Math.round(offset));
}

/** The same hours by a clock that is `offset` hours ahead of the given one. */
export const shiftWeek = (week: WeekHours, offset: number): WeekHours => rotate(week, Math.round(offset));

/** The week so many hours later; what goes beyond Sunday comes again on Monday. */
function rotate(week: WeekHours, hours: number): WeekHours {
  const days = Math.floor(hours / DAY_HOURS);
  const rest = hours - days * DAY_HOURS;
  const was = (day: number) => week[(((day - days) % 7) + 7) % 7] as number;
  return DAYS.map((_, day) => ((was(day) << rest) & WHOLE_DAY) | (was(day - 1) >> (DAY_HOURS - rest)));
}

/**
 * A player's hours by the viewer's clock; null while nothing was said.
 * @param at the moment whose offsets count: daylight saving time may move hours by one
 */
export function hoursFor(
  availability: Availability | null,
  { from, to, at }: { from: string; to: string; at: Date },
): WeekHours | null {
  if (!availability?.some(Boolean)) return null;
  return shiftWeek(toWeekHours(availability, zoneOffset(from, at)), zoneOffset(to, at));
}

/** The hours that both have. */
export const commonHours = (a: WeekHours, b: WeekHours): WeekHours => a.map((hours, day) => hours & (b[day] ?? 0));

/**
 * The same hours, but each day from its morning (bit 0) to the next: what is played past midnight belongs to the evening
 * before, as players speak of it.
 */
export function fromMorning(week: WeekHours): WeekHours {
  const morning = DAY_PARTS[0].from;
  const early = (1 << morning) - 1;
  return week.map((hours, day) => {
    const pastMidnight = (week[(day + 1) % week.length] as number) & early;
    return (hours >> morning) | (pastMidnight << (DAY_HOURS - morning));
  });
}

/** How many hours there are. */
export const countHours = (week: WeekHours): number => week.reduce((sum, hours) => sum + bitCount(hours), 0);

/** The hour at which a day is drawn to begin: an evening that goes on past midnight stays in one piece. */
export const DAY_BEGINS = 6;

/** A stretch of a drawn day: hours since `DAY_BEGINS`, `to` not included. */
export interface DayRun {
  from: number;
  to: number;
  /** Both are free. */
  both: boolean;
}

/**
 * The week as it is drawn: for each day, Monday first, the stretches in which `theirs` has hours.
 * @param mine whose hours in common are told apart; null for none
 */
export function dayRuns(theirs: WeekHours, mine: WeekHours | null): DayRun[][] {
  return DAYS.map((_, day) => {
    const runs: DayRun[] = [];
    for (let at = 0; at < DAY_HOURS; at += 1) {
      const hour = day * DAY_HOURS + DAY_BEGINS + at;
      if (!hasHour(theirs, hour)) continue;
      const both = mine !== null && hasHour(mine, hour);
      const last = runs.at(-1);
      if (last?.to === at && last.both === both) last.to = at + 1;
      else runs.push({ from: at, to: at + 1, both });
    }
    return runs;
  });
}

/** How far a time zone's clock is ahead of UTC at a moment, in hours; 0 for a zone that nobody knows. */
export const zoneOffset = (timeZone: string, at: Date): number => offsetMinutes(timeZone, at) / 60;

function hasHour(week: WeekHours, hour: number): boolean {
  const inWeek = hour % WEEK_HOURS;
  return Boolean((week[Math.floor(inWeek / DAY_HOURS)] ?? 0) & (1 << (inWeek % DAY_HOURS)));
}

/** By adding neighbours up: first bits, then pairs, then fours; the product gathers the bytes. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333);
  return Math.imul((fours + (fours >> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
