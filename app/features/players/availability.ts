import type { Availability } from "#db/words/availability";
import { offsetMinutes } from "~/platform/dates/dates";

/*
 * When a player usually plays: parts of each day, in the player's own time zone. Two players are compared hour by hour
 * on the viewer's clock, so that an evening in Seoul overlaps one in Lisbon only where it really does.
 */

export const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** The parts of a day, as local hours: `from` is included and `to` is not. Night continues past midnight. */
export const DAY_PARTS = [
  { word: "morning", name: "Morning", from: 6, to: 10 },
  { word: "midday", name: "Midday", from: 10, to: 14 },
  { word: "afternoon", name: "Afternoon", from: 14, to: 18 },
  { word: "evening", name: "Evening", from: 18, to: 22 },
  { word: "night", name: "Night", from: 22, to: 26 },
] as const;

export type DayPart = (typeof DAY_PARTS)[number]["word"];

/** The values of the checkboxes, day by day: `monday-morning` and so on. */
export const SLOTS: readonly string[] = DAYS.flatMap((day) => DAY_PARTS.map(({ word }) => slotOf(day, word)));

/** Returns the name that forms use for a part of a day. */
export function slotOf(day: (typeof DAYS)[number], part: DayPart): string {
  return `${day.toLowerCase()}-${part}`;
}

/** Builds the availability from checked slots; null if there are none. */
export function availabilityOf(slots: readonly string[]): Availability | null {
  if (slots.length === 0) return null;
  return DAYS.map((day) =>
    DAY_PARTS.reduce((bits, { word }, part) => bits | (slots.includes(slotOf(day, word)) ? 1 << part : 0), 0),
  );
}

/** Lists the slots of an availability. */
export function slotsOf(availability: Availability | null): string[] {
  return SLOTS.filter((_, slot) => {
    const [day, part] = [Math.floor(slot / DAY_PARTS.length), slot % DAY_PARTS.length];
    return ((availability?.[day] ?? 0) >> part) & 1;
  });
}

const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** The hours of a week as seven numbers of 24 bits, from Monday 0:00. */
export type WeekHours = readonly number[];

/** The hours of each part of the day, as bits; those of the night continue into the next day. */
const PART_HOURS = DAY_PARTS.map(({ from, to }) => (1 << to) - (1 << from));
const WHOLE_DAY = (1 << DAY_HOURS) - 1;

/**
 * Converts an availability to hours in UTC.
 * @param offset the hours by which the player's clock is ahead of UTC. It is rounded to whole hours, halves up: India
 *   counts as +6 and Newfoundland as −3, which keeps the nine hours between them
 */
export function toWeekHours(availability: Availability, offset: number): WeekHours {
  const days = DAYS.map((_, day) =>
    PART_HOURS.reduce((hours, part, bit) => ((availability[day] ?? 0) & (1 << bit) ? hours | part : hours), 0),
  );
  const week = days.map((hours, day) => (hours & WHOLE_DAY) | ((days.at(day - 1) as number) >> DAY_HOURS));
  return rotate(week, -Math.round(offset));
}

/** Converts hours to a clock that is `offset` hours ahead of the given one. */
export const shiftWeek = (week: WeekHours, offset: number): WeekHours => rotate(week, Math.round(offset));

/** Moves a week later by some hours; the hours beyond Sunday wrap around to Monday. */
function rotate(week: WeekHours, hours: number): WeekHours {
  const days = Math.floor(hours / DAY_HOURS);
  const rest = hours - days * DAY_HOURS;
  const was = (day: number) => week[(((day - days) % 7) + 7) % 7] as number;
  return DAYS.map((_, day) => ((was(day) << rest) & WHOLE_DAY) | (was(day - 1) >> (DAY_HOURS - rest)));
}

/**
 * Returns a player's hours by the viewer's clock; null if the player has given none, or if `from`, their time zone, is
 * null.
 * @param at the moment whose UTC offsets apply: daylight saving time may move hours by one
 */
export function hoursFor(
  availability: Availability | null,
  { from, to, at }: { from: string | null; to: string; at: Date },
): WeekHours | null {
  if (from === null || !availability?.some(Boolean)) return null;
  return shiftWeek(toWeekHours(availability, zoneOffset(from, at)), zoneOffset(to, at));
}

/** Returns the hours that both weeks contain. */
export const commonHours = (a: WeekHours, b: WeekHours): WeekHours => a.map((hours, day) => hours & (b[day] ?? 0));

/**
 * Moves the start of each day to its morning (bit 0), so that hours past midnight belong to the evening before, as
 * players would say.
 */
export function fromMorning(week: WeekHours): WeekHours {
  const morning = DAY_PARTS[0].from;
  const early = (1 << morning) - 1;
  return week.map((hours, day) => {
    const pastMidnight = (week[(day + 1) % week.length] as number) & early;
    return (hours >> morning) | (pastMidnight << (DAY_HOURS - morning));
  });
}

/** Counts the hours of a week. */
export const countHours = (week: WeekHours): number => week.reduce((sum, hours) => sum + bitCount(hours), 0);

/** The hour at which a drawn day begins, so that an evening that continues past midnight stays in one piece. */
export const DAY_BEGINS = 6;

/** A run of hours in a drawn day: hours since `DAY_BEGINS`; `to` is not included. */
export interface DayRun {
  from: number;
  to: number;
  /** Whether the viewer is free, too. */
  both: boolean;
}

/**
 * Returns the week as it is drawn: for each day, Monday first, the runs of hours in `theirs`.
 * @param mine the viewer's hours, to mark the hours in common; null if there are none
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

/** Returns the hours by which a time zone's clock is ahead of UTC at a moment; 0 for an unknown zone. */
export const zoneOffset = (timeZone: string, at: Date): number => offsetMinutes(timeZone, at) / 60;

function hasHour(week: WeekHours, hour: number): boolean {
  const inWeek = hour % WEEK_HOURS;
  return Boolean((week[Math.floor(inWeek / DAY_HOURS)] ?? 0) & (1 << (inWeek % DAY_HOURS)));
}

/** Counts bits by adding neighbours: first bits, then pairs, then fours; the multiplication adds up the bytes. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333);
  return Math.imul((fours + (fours >> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
