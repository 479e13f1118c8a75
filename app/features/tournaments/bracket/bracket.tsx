import { type CSSProperties, useMemo } from "react";
import { Button } from "~/ui/button";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";
import { Link } from "~/ui/link";
import { scrolls } from "~/ui/page/scrolls";
import { BRACKET, type Drawing, drawBrackets, type Place } from "./drawing";
import { ListedMatchBox, type MatchesOnPage } from "./match-line";
import { useBracketWindow } from "./use-bracket-window";
import type { BracketView } from "./view";

/** With this many rounds or fewer, the rounds spread over the full width of a wide page. */
const FEW_ROUNDS = 3;

/**
 * A tournament's brackets, with rounds as columns and lines between their matches. The markup is rendered once: CSS
 * shows it as lists on phones, and to viewers who asked for lists. JavaScript adds zooming, dragging, arrow keys that
 * move between matches, and a highlight along the path of the team under the pointer.
 */
export function Bracket({ page, view }: { page: MatchesOnPage; view: BracketView | null }) {
  const drawings = useMemo(() => drawBrackets(page.matches), [page.matches]);
  const bracketWindow = useBracketWindow(page, view);
  const isHydrated = useIsHydrated();
  const mostRounds = Math.max(...drawings.map(({ columns }) => columns.length));
  const mostRows = Math.max(...drawings.map(({ rows }) => rows));
  const isWide = mostRounds <= FEW_ROUNDS;
  return (
    <div data-view={view ?? undefined}>
      <div className="bracket-tools">
        {isHydrated && (
          <div className="bracket-zoom">
            <Button type="button" size="row" variant="quiet" onClick={bracketWindow.zoomOut}>
              Zoom out
            </Button>
            <output className="min-w-10 text-center text-muted tabular-nums">
              {Math.round(bracketWindow.zoom * 100)}%
            </output>
            <Button type="button" size="row" variant="quiet" onClick={bracketWindow.zoomIn}>
              Zoom in
            </Button>
            <Button type="button" size="row" variant="quiet" onClick={bracketWindow.fit}>
              Fit
            </Button>
          </div>
        )}
        <ViewLink view="list" className="bracket-as-list">
          Show as a list
        </ViewLink>
        <ViewLink view="drawn" className="bracket-as-drawing">
          Show as a bracket
        </ViewLink>
      </div>
      <section
        ref={bracketWindow.ref}
        {...scrolls}
        aria-label="Bracket"
        aria-describedby={isHydrated ? "bracket-keys" : undefined}
        className="bracket-window"
        data-rounds={mostRounds}
      >
        <div className="bracket-canvas" style={{ "--columns": mostRounds, "--most-rows": mostRows } as CSSProperties}>
          {drawings.map((drawing) => (
            <DrawnBracket key={drawing.title} drawing={drawing} page={page} isWide={isWide} />
          ))}
        </div>
      </section>
      <p id="bracket-keys" hidden>
        Use the arrow keys to move between matches.
      </p>
      <style ref={bracketWindow.highlight} />
    </div>
  );
}

function ViewLink({ view, className, children }: { view: BracketView; className: string; children: string }) {
  return (
    <Link to={`?view=${view}`} preventScrollReset className={`link ${className}`}>
      {children}
    </Link>
  );
}

function DrawnBracket({ drawing, page, isWide }: { drawing: Drawing; page: MatchesOnPage; isWide: boolean }) {
  const { title, columns, rows } = drawing;
  return (
    <div>
      <h2 className={title === BRACKET ? "sr-only" : "bracket-title"}>{title}</h2>
      <div className="bracket-rounds" data-wide={isWide || undefined} style={{ "--rows": rows } as CSSProperties}>
        {columns.map((column) => (
          <div key={column.title} className="bracket-round">
            <h3>{column.title}</h3>
            <ol className="bracket-places">
              {column.places.map((place) => (
                <PlacedMatch key={place.match.id} place={place} page={page} />
              ))}
            </ol>
          </div>
        ))}
      </div>
    </div>
  );
}

function PlacedMatch({ place: { match, row, next, onward, arrived }, page }: { place: Place; page: MatchesOnPage }) {
  const winner = match.winner ? match.teams[match.winner === 1 ? 0 : 1] : null;
  const turn = next?.down ? Math.abs(next.down) : undefined;
  const own = [
    ...(page.own !== null && arrived?.includes(page.own) ? ["in"] : []),
    ...(page.own !== null && next && winner === page.own ? ["out"] : []),
  ];
  return (
    <li
      id={`match-${match.id}`}
      className="bracket-place"
      style={{ "--row": row, "--turn": turn } as CSSProperties}
      data-in={arrived?.join(" ")}
      data-next={next?.id}
      data-onward={onward}
      data-turn={turn && (next && next.down < 0 ? "up" : "down")}
      data-out={(next && winner) ?? undefined}
      data-named={match.part === "third-place" || undefined}
      data-own={own.length > 0 ? own.join(" ") : undefined}
    >
      <ListedMatchBox match={match} page={page} />
    </li>
  );
}
