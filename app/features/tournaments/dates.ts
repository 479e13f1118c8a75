/** A moment as pages of tournaments show it, in the reader's time zone. */
export interface ShownDate {
  iso: string;
  /** "Sat 5 Dec, 18:00"; with the year where it is another one. */
  text: string;
  /** "5 Dec 2026" */
  day: string;
  /** "Sat, 18:00" */
  time: string;
}

/**
 * Words for moments in one time zone. Made once for a page: what it needs from `Intl` is dear.
 * @param timeZone an IANA name
 */
export function dateWords(timeZone: string, now: Date): (moment: Date) => ShownDate {
  const format = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  const partsOf = (moment: Date) =>
    Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value])) as Record<string, string>;
  const thisYear = partsOf(now).year;
  return (moment) => {
    const { weekday, day, month, year, hour, minute } = partsOf(moment);
    const time = `${hour}:${minute}`;
    const date = `${day} ${month}`;
    return {
      iso: moment.toISOString(),
      text: `${weekday} ${date}${year === thisYear ? "" : ` ${year}`}, ${time}`,
      day: `${date} ${year}`,
      time: `${weekday}, ${time}`,
    };
  };
}
