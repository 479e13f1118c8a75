import { countHours, DAY_PARTS, DAYS, type DayPart, type WeekHours } from "../availability";

/** The days of a week. In all weeks below, a day runs from morning to morning. */
const WEEK = [0, 1, 2, 3, 4, 5, 6];
const WEEKEND = [5, 6];
const EVENING = bitsBetween(18, 24);

/**
 * Describes hours in common: "Both free at weekends", "Free together Monday to Thursday",
 * "Both play evenings (3 h overlap)".
 */
export function sayTogether(common: WeekHours): string {
  const days = daysOf(common);
  const [first, last] = [days[0] as number, days.at(-1) as number];
  const inEvenings = days.every((day) => ((common[day] as number) & ~EVENING) === 0);
  if (days.length === 1) return `Free together on ${DAYS[first]}${inEvenings ? " evenings" : "s"}`;
  if (days.length === 2 && days.every((day) => WEEKEND.includes(day))) return "Both free at weekends";
  const isRun = days.length >= 3 && days.length < 7 && last - first === days.length - 1;
  if (isRun) return `Free together ${DAYS[first]} to ${DAYS[last]}`;
  if (inEvenings) {
    const least = Math.min(...days.map((day) => countHours([common[day] as number])));
    return `Both play evenings (${least} h overlap)`;
  }
  return days.length === 7 ? "Free together every day" : `Free together ${WORDS[days.length]} days a week`;
}

const WORDS = ["no", "one", "two", "three", "four", "five", "six"];

/** Describes hours without an overlap: "Plays afternoons. You play evenings." */
export function sayApart(mine: WeekHours, theirs: WeekHours): string {
  for (const say of [sayDays, sayDayPart]) {
    const [my, their] = [say(mine), say(theirs)];
    if (my && their && my !== their) return `Plays ${their}. You play ${my}.`;
  }
  return "No hours together.";
}

function sayDays(week: WeekHours): string | undefined {
  const days = daysOf(week);
  if (days.every((day) => WEEKEND.includes(day))) return "weekends";
  return days.some((day) => WEEKEND.includes(day)) ? undefined : "weekdays";
}

const DAY_PART_BITS = DAY_PARTS.map(({ word, from, to }) => ({ word, bits: bitsBetween(from, to) }));
const DAY_PART_WORDS: Record<DayPart, string> = {
  morning: "mornings",
  midday: "around noon",
  afternoon: "afternoons",
  evening: "evenings",
  night: "nights",
};

/** Names the part of the day that has most of the hours. */
function sayDayPart(week: WeekHours): string | undefined {
  const half = countHours(week) / 2;
  const most = DAY_PART_BITS.find(({ bits }) => countHours(week.map((hours) => hours & bits)) > half);
  return most && DAY_PART_WORDS[most.word];
}

const daysOf = (week: WeekHours): number[] => WEEK.filter((day) => week[day]);

/** Returns the bits of the hours from `from` up to `to`, for a day that begins in the morning. */
function bitsBetween(from: number, to: number): number {
  let bits = 0;
  for (let hour = from; hour < to; hour += 1) bits |= 1 << (hour - DAY_PARTS[0].from);
  return bits;
}
