import type { ShownMoment } from "~/platform/dates/time";

/**
 * A moment in relative form ("about 2 hours ago"), with the exact date as its title. The server formats both, so that
 * the browser renders the same.
 */
export function RelativeTime({ moment, className }: { moment: ShownMoment; className?: string }) {
  return (
    <time dateTime={moment.iso} title={moment.exact} className={className}>
      {moment.ago}
    </time>
  );
}
