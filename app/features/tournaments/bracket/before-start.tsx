import type { ShownTime } from "~/platform/dates/dates";
import { ButtonLink } from "~/ui/button";
import type { Teams } from "./match-line";

const SEEDINGS = {
  random: "The bracket is drawn at random.",
  rank: "Teams are seeded by average rank, so the strongest ones meet late.",
  manual: "The organisers seed the teams. Top seeds meet late.",
} as const;

/** Replaces the bracket before the start: says when and how it will be drawn, and lists the teams. */
export function BeforeStart({
  date,
  seeding,
  teams,
  own,
  seedingPage,
}: {
  /** The tournament's date; null once it has passed. */
  date: ShownTime | null;
  seeding: keyof typeof SEEDINGS;
  teams: Teams;
  own: number | null;
  /** The seeding page's address, for organisers; null for everyone else, and while the tournament is hidden. */
  seedingPage: string | null;
}) {
  return (
    <section aria-labelledby="before-start">
      <h2 id="before-start" className="pt-3 font-display text-rail">
        Bracket appears at the start
      </h2>
      <p className="mt-2 max-w-[46em] text-muted">
        The organisers start the tournament
        {date && (
          <>
            {" "}
            on{" "}
            <time dateTime={date.iso} title={date.exact}>
              {date.text}
            </time>
          </>
        )}
        . {SEEDINGS[seeding]}
      </p>
      {seedingPage && (
        <p className="mt-4 print:hidden">
          <ButtonLink to={seedingPage}>Seeding and Start</ButtonLink>
        </p>
      )}
      {teams.length > 0 ? (
        <ol className="mt-5 grid grid-cols-1 gap-x-10 border-t border-line md:grid-cols-2 lg:grid-cols-3 print:grid-cols-3">
          {teams.map(([name, seed], number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a team is identified by its number in the page's list
            <li key={number} className="flex min-h-10 items-center gap-3 border-b border-line">
              {seeding === "manual" && seed !== null && (
                <span className="w-7 flex-none text-badge text-faint tabular-nums">
                  <span className="sr-only">Seed </span>
                  {seed}
                </span>
              )}
              <span
                title={name}
                className={`relative min-w-0 truncate ${number === own ? "font-semibold text-spot-text" : ""}`}
              >
                {name}
                {number === own && <span className="sr-only">, your team</span>}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <p className="mt-5 text-muted">Nobody has registered yet.</p>
      )}
    </section>
  );
}
