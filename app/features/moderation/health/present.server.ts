import type { Clock } from "~/platform/dates/dates";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import { showMoment } from "~/platform/dates/time";
import { type Health, MAX_COUNTED } from "./queries.server";

/* The ages from which an item needs attention, in milliseconds. docs/operations.md lists them. */

/** Two missed runs of the cron. */
const CRON_LATE = 15 * MINUTE;
/** An email this old has failed four times. */
const EMAIL_LATE = 15 * MINUTE;
/** Half of the 48 hours within which an intimate picture must be removed. */
const CASE_LATE = 24 * HOUR;
const URGENT_LATE = 12 * HOUR;
const DATABASE_SLOW = 1_000;

/** Presents the state of the site. @param duration the database's response time, in milliseconds */
export function presentHealth(
  { waiting, givenUp, lastRun, oldestUrgent, oldestCase }: Health,
  duration: number,
  clock: Clock,
) {
  const isOlder = (moment: Date | number | null, age: number) =>
    moment !== null && clock.now.getTime() - Number(moment) > age;
  const shown = (moment: number | null) => (moment === null ? null : showMoment(new Date(moment), clock));
  const counted = (count: number) => (count === MAX_COUNTED ? `${MAX_COUNTED} or more` : String(count));
  return [
    {
      name: "Database",
      text: `Answered in ${duration} ms`,
      moment: null,
      isBad: duration > DATABASE_SLOW,
    },
    {
      name: "Cron",
      text: lastRun
        ? lastRun.failures > 0
          ? `${lastRun.failures} ${lastRun.failures === 1 ? "part" : "parts"} failed, last run`
          : "Last run"
        : "Has never run",
      moment: lastRun && showMoment(lastRun.at, clock),
      isBad: !lastRun || lastRun.failures > 0 || isOlder(lastRun.at, CRON_LATE),
    },
    {
      name: "Emails waiting",
      text: waiting.since === null ? "0" : `${counted(waiting.count)}, the oldest written`,
      moment: shown(waiting.since),
      isBad: isOlder(waiting.since, EMAIL_LATE),
    },
    {
      name: "Emails given up in the last 24 hours",
      text: counted(givenUp),
      moment: null,
      isBad: givenUp > 0,
    },
    {
      name: "Oldest urgent case",
      text: oldestUrgent === null ? "None waiting" : "Opened",
      moment: shown(oldestUrgent),
      isBad: isOlder(oldestUrgent, URGENT_LATE),
    },
    {
      name: "Oldest waiting case",
      text: oldestCase === null ? "None waiting" : "Opened",
      moment: shown(oldestCase),
      isBad: isOlder(oldestCase, CASE_LATE),
    },
  ];
}
