import { Link } from "@remix-run/react";

/** One side of a match. */
export interface MatchSide {
  name: string;
  seed?: number;
  /** Maps won; absent before the match. */
  score?: number;
  won?: boolean;
  /** The viewer plays for it. */
  yours?: boolean;
}

export type MatchState = "upcoming" | "live" | "finished" | "bye";

/**
 * A match in a bracket, 316 × 78 with its state above; on phones as wide as the list, its state inside. A side that isn't
 * known yet is given as words ("Winner of semi-final 2"). Won: strong, lost: muted; the viewer's own side has a sky
 * edge; a match that is being played has a good border and says so.
 */
export function MatchBox({
  name,
  sides,
  state,
  bestOf,
  map,
  when,
  to,
}: {
  /** "Semi-final 1" */
  name: string;
  sides: readonly [MatchSide | string, MatchSide | string];
  state: MatchState;
  bestOf: 1 | 3 | 5;
  /** Which map is being played, 1 to 5. */
  map?: number;
  /** When an upcoming match begins, in the viewer's time. */
  when?: { iso: string; text: string };
  /** The match's own page. */
  to?: string;
}) {
  const live = state === "live";
  const frame = live ? "border-good" : "border-line";
  return (
    <article
      aria-label={name}
      className={`relative isolate w-full min-w-0 max-md:rounded-control max-md:border max-md:bg-sheet md:w-[316px] ${frame}`}
    >
      {/* Under the words, which let every press through to it. */}
      {to && <Link to={to} aria-label={name} prefetch="intent" className="absolute inset-0 -z-1 rounded-control" />}
      <p className="pointer-events-none flex min-h-[30px] items-center justify-between gap-x-3 px-3 text-badge text-muted md:mb-1 md:min-h-0 md:justify-start md:gap-0 md:px-0">
        {state === "upcoming" && when ? (
          <time dateTime={when.iso}>{when.text}</time>
        ) : (
          <span className={state === "upcoming" ? "" : "md:hidden"}>{name}</span>
        )}
        <span className="whitespace-pre">
          {live && <span className="font-semibold text-good">Playing now</span>}
          {state === "finished" && "Finished"}
          {state === "bye" && "Bye"}
          {state !== "bye" && (
            <span
              className={state === "upcoming" ? "max-md:inline-block max-md:first-letter:uppercase" : "max-md:hidden"}
            >
              <span className="max-md:hidden"> · </span>best of {bestOf}
            </span>
          )}
          {live && map && <span className="max-md:font-semibold max-md:text-good">, map {map}</span>}
        </span>
      </p>
      <ul
        className={`pointer-events-none overflow-hidden rounded-b-control md:rounded-control md:border md:bg-sheet ${frame}`}
      >
        {sides.map((side, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in the bracket's order
          <Side key={index} side={side} decided={state === "finished" || state === "bye"} />
        ))}
      </ul>
    </article>
  );
}

const ROW = "relative flex h-[45px] items-center border-t border-line pr-3 pl-[13px] md:h-[38px] md:first:border-t-0";

function Side({ side, decided }: { side: MatchSide | string; decided: boolean }) {
  if (typeof side === "string") {
    return (
      <li className={ROW}>
        <span className="truncate pl-[29px] text-faint">{side}</span>
      </li>
    );
  }
  const { name, seed, score, won, yours } = side;
  const strong = won || (yours && !decided);
  return (
    <li
      className={`${ROW} ${yours ? "before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-spot-edge" : ""}`}
    >
      <span className="min-w-[29px] flex-none pr-1.5 text-badge text-faint">
        {seed !== undefined && (
          <>
            <span className="sr-only">Seed </span>
            {seed}
          </>
        )}
      </span>
      <span
        className={`min-w-0 flex-1 truncate ${strong ? "font-semibold" : ""} ${yours ? "text-spot-text" : won ? "" : "text-muted"}`}
      >
        {name}
        {yours && <span className="sr-only">, your team</span>}
      </span>
      {score !== undefined && <span className={`pl-2 font-display text-body ${won ? "" : "text-muted"}`}>{score}</span>}
    </li>
  );
}
