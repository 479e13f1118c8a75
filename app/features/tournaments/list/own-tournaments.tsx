import { Link } from "@remix-run/react";
import type { presentOwnTournament } from "../present.server";

/** The viewer's own unfinished tournaments. */
export function OwnTournaments({ tournaments }: { tournaments: ReturnType<typeof presentOwnTournament>[] }) {
  return (
    <section aria-labelledby="your-tournaments">
      <h2 id="your-tournaments" className="font-display text-rail">
        {tournaments.length === 1 ? "Your tournament" : "Your tournaments"}
      </h2>
      {tournaments.map(({ to, name, date, part, isUrgent }) => (
        <div key={to}>
          <Link
            to={to}
            prefetch="intent"
            dir="auto"
            className="own-title block rounded-badge font-semibold wrap-anywhere hover:underline hover:underline-offset-3"
          >
            {name}
          </Link>
          <p className="mt-1 text-meta text-muted">
            <time dateTime={date.iso} title={date.exact}>
              {date.text}
            </time>
            . {isUrgent ? <strong className="font-semibold text-spot-text">{part}</strong> : part}.
          </p>
        </div>
      ))}
    </section>
  );
}
