import type { ReactNode } from "react";
import type { ShownTime } from "~/platform/dates/dates";
import { Link } from "~/ui/link";

interface Props {
  to: string;
  name: string;
  date: Pick<ShownTime, "iso" | "text" | "exact">;
  /** Ends the line that begins with the date. */
  children: ReactNode;
}

/** A tournament in the column beside LFG: its name as the link, and a line that begins with its date. */
export function TournamentLine({ to, name, date, children }: Props) {
  return (
    <>
      <Link to={to} prefetch="intent" dir="auto" className="own-title block">
        {name}
      </Link>
      <p className="mt-1 text-meta text-muted">
        <time dateTime={date.iso} title={date.exact}>
          {date.text}
        </time>
        . {children}.
      </p>
    </>
  );
}
