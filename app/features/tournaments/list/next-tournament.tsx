import { Link } from "@remix-run/react";
import type { presentNextTournament } from "../present.server";

/** The next tournament that is open to the viewer's rank. */
export function NextTournament({ to, name, date, left, solo }: ReturnType<typeof presentNextTournament>) {
  return (
    <section aria-labelledby="next-tournament">
      <h2 id="next-tournament" className="font-display text-rail">
        Next tournament
      </h2>
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
        . {left} {left === 1 ? "spot" : "spots"} left for {solo ? "players" : "teams"}.
      </p>
    </section>
  );
}
