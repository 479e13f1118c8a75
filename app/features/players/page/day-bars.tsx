import { hourWords } from "~/platform/dates/dates";
import { zoneWords } from "~/platform/dates/time-zone";
import { commonHours, countHours, DAY_BEGINS, DAYS, type DayRun, dayRuns, type WeekHours } from "../availability";

/** The height of an hour in pixels; `.day-bars-day` is 24 hours high. */
const HOUR = 3;

/**
 * Draws when a player is free: below a line, each day is a column with bars at the player's hours, in sky blue where
 * the viewer is free too. Days run from 6:00 to 6:00, in the time zone of the given hours. The text below gives the
 * total.
 */
export function DayBars({
  theirs,
  mine,
  hour12,
  className = "",
}: {
  theirs: WeekHours;
  /** The viewer's own hours in the same time zone; null if there are none to compare with. */
  mine: WeekHours | null;
  /** Whether the reader uses the 12-hour clock. */
  hour12: boolean;
  className?: string;
}) {
  const days = dayRuns(theirs, mine);
  return (
    <div className={`day-bars ${className}`}>
      <div aria-hidden="true" className="day-bars-week">
        {DAYS.map((day, at) => (
          <span key={day}>
            <span className="day-bars-day">
              {days[at]?.map(({ from, to, both }) => (
                <i
                  key={from}
                  data-of={both ? "both" : undefined}
                  style={{ top: `${from * HOUR}px`, height: `${(to - from) * HOUR}px` }}
                />
              ))}
            </span>
            {day.charAt(0)}
          </span>
        ))}
      </div>
      <p className="sr-only">{sayDays(days, hour12)}</p>
      <p className="mt-1 text-meta text-muted">{sayHours(theirs, mine)}</p>
    </div>
  );
}

/** Says which hours the column of a day covers: "Each bar runs 6 AM to 6 AM, Europe/Berlin time." */
export function sayScale({ hour12, timeZone }: { hour12: boolean; timeZone: string }): string {
  const begins = hourWords(DAY_BEGINS, hour12);
  return `Each bar runs ${begins} to ${begins}, ${zoneWords(timeZone)}.`;
}

/** "16 hours a week together" */
function sayHours(theirs: WeekHours, mine: WeekHours | null) {
  const count = countHours(mine ? commonHours(theirs, mine) : theirs);
  if (mine && count === 0) return "No hours together";
  return (
    <>
      <strong className="font-semibold text-text">{count === 1 ? "1 hour" : `${count} hours`}</strong> a week
      {mine && " together"}
    </>
  );
}

/** Lists the bars' hours in words for screen readers: "Monday 18:00 to 22:00, Tuesday …". */
function sayDays(days: readonly (readonly DayRun[])[], hour12: boolean): string {
  const clock = (hour: number) => hourWords(hour + DAY_BEGINS, hour12);
  return DAYS.flatMap((day, at) => {
    const times = joinRuns(days[at] ?? []).map(({ from, to }) => `${clock(from)} to ${clock(to)}`);
    return times.length > 0 ? [`${day} ${times.join(" and ")}`] : [];
  }).join(", ");
}

/** Joins adjacent runs into one, whether shared or not. */
function joinRuns(runs: readonly DayRun[]): DayRun[] {
  const whole: DayRun[] = [];
  for (const run of runs) {
    const last = whole.at(-1);
    if (last?.to === run.from) last.to = run.to;
    else whole.push({ ...run });
  }
  return whole;
}
