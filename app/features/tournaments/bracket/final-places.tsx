import { Link } from "@remix-run/react";

/** Places that are shown at once; the others are behind a press. */
const SHOWN = 8;

/** Who came in where, once a tournament is finished. */
export function FinalPlaces({
  tournamentId,
  places,
  ownTeamId,
}: {
  tournamentId: string;
  /** The teams, the best first. */
  places: readonly { id: string; name: string; place: number; words: string; isDisqualified: boolean }[];
  ownTeamId: string | null;
}) {
  const lines = places.map(({ id, name, place, words, isDisqualified }) => (
    <li
      key={id}
      className={`flex min-h-10 items-center gap-4 border-b border-line py-1 pl-2.5 ${id === ownTeamId ? "shadow-[inset_4px_0_var(--spot-edge)]" : ""}`}
    >
      <span className={`w-20 flex-none font-display tabular-nums ${place <= 3 ? "" : "text-muted"}`}>{words}</span>
      <Link
        to={`/tournaments/${tournamentId}/teams/${id}`}
        title={name}
        className={`min-w-0 truncate hover:underline ${place === 1 ? "font-semibold" : ""} ${id === ownTeamId ? "text-spot-text" : ""}`}
      >
        {name}
      </Link>
      {id === ownTeamId && <span className="sr-only">your team</span>}
      {isDisqualified && <span className="text-meta text-muted">Disqualified</span>}
    </li>
  ));
  return (
    <section aria-labelledby="final-places" className="mb-10 max-w-[568px]">
      <h2 id="final-places" className="pt-3 pb-3 font-display text-rail">
        Final standings
      </h2>
      <ol className="border-t-2 border-edge">{lines.slice(0, SHOWN)}</ol>
      {lines.length > SHOWN && (
        <details>
          <summary className="flex min-h-11 cursor-pointer items-center text-meta text-spot-text">
            All {lines.length} places
          </summary>
          <ol start={SHOWN + 1}>{lines.slice(SHOWN)}</ol>
        </details>
      )}
    </section>
  );
}
