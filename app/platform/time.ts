import { formatDistance, formatDistanceStrict } from "date-fns";

/** A moment as a page shows it: `<time datetime={iso} title={exact}>{ago}</time>`. */
export interface ShownMoment {
  iso: string;
  /** "about 2 hours ago" */
  ago: string;
  /** The date and time in the visitor's zone as far as the edge knows it, the zone named. */
  exact: string;
}

/** Words for a moment, made on the server so that the browser needs no date library and renders the same text. */
export function showMoment(moment: Date, now: Date, timeZone: string): ShownMoment {
  return {
    iso: moment.toISOString(),
    ago: formatDistance(moment, now, { addSuffix: true }),
    exact: new Intl.DateTimeFormat("en-GB", {
      day: "numeric",
      month: "long",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
      timeZoneName: "short",
    }).format(moment),
  };
}

/** "22 hours", rounded down: never more than is left. */
export function timeLeft(until: Date, now: Date): string {
  return formatDistanceStrict(until < now ? now : until, now, { roundingMethod: "floor" });
}
