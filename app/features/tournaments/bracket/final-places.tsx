import { Link } from "~/ui/link";

/** Number of places shown at first; the others can be unfolded. */
const SHOWN = 8;

/** The final places of a finished tournament. */
export function FinalPlaces({
  tournamentId,
  places,
  ownTeamId,
}: {
  tournamentId: string;
  /** The teams, best first. */
  places: readonly { id: string; name: string; place: number; words: string; isDisqualified: boolean }[];
  ownTeamId: string | null;
}) {
  // "1st" to "5th–8th", "129th–256th", "33rd–64th".
  const width = places.length <= SHOWN ? "w-20" : places.length > 128 ? "w-32" : "w-28";
  const lines = places.map(({ id, name, place, words, isDisqualified }) => (
    <li
      key={id}
      className={`flex min-h-10 print:min-h-7 break-inside-avoid items-center gap-4 border-b border-line py-1 pl-2.5 ${id === ownTeamId ? "shadow-[inset_4px_0_var(--spot-edge)]" : ""}`}
    >
      <span
        className={`${width} flex-none font-display whitespace-nowrap tabular-nums ${place <= 3 ? "" : "text-muted"}`}
      >
        {words}
      </span>
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
    <section
      aria-labelledby="final-places"
      className="mb-10 max-w-[568px] break-inside-avoid print:mb-4 print:max-w-none"
    >
      <h2 id="final-places" className="pt-3 pb-3 font-display text-rail">
        Final standings
      </h2>
      <ol className="border-t-2 border-edge print:columns-2 print:gap-10">{lines.slice(0, SHOWN)}</ol>
      {lines.length > SHOWN && (
        <details className="print-open">
          <summary className="print:hidden flex min-h-11 cursor-pointer items-center text-meta text-spot-text">
            All {lines.length} places
          </summary>
          <ol start={SHOWN + 1} className="print:columns-2 print:gap-10">
            {lines.slice(SHOWN)}
          </ol>
        </details>
      )}
    </section>
  );
}
