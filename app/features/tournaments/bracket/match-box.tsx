import type { ShownTime } from "~/platform/dates/dates";
import { Link } from "~/ui/link";

/** One side of a match. */
export interface MatchSide {
  name: string;
  seed?: number | undefined;
  /** Maps won, if known or reported; absent before the match. */
  score?: number | undefined;
  won?: boolean;
  /** Whether it forfeited the match. */
  forfeited?: boolean;
  /** Whether it is disqualified. All its matches say so, including those played before. */
  disqualified?: boolean;
  /** Whether the viewer plays for it. */
  yours?: boolean;
  /** The team's number, which marks the element so that the team can be followed through the bracket. */
  team?: number;
}

export type MatchState = "upcoming" | "live" | "reported" | "disputed" | "finished" | "bye";

const WORDS: Partial<Record<MatchState, string>> = {
  live: "Playing now",
  reported: "Waiting for confirmation",
  disputed: "Disputed",
  finished: "Finished",
  bye: "Bye",
};

/**
 * A match in a bracket: drawn, it is 316 × 78 pixels with its state above; in a list, the default on phones, it is as
 * wide as the list, with its state inside. A side that isn't known yet is described in words ("Winner of semi-final
 * 2"). The winner is bold and the loser muted; the viewer's own side has a sky edge; a match being played has a border
 * in the colour `good` and says so. Its styles are in `styles/match-box.css`, a part of `bracket.css`, which the route
 * links. A bracket holds hundreds of matches, so the markup is kept small.
 */
export function MatchBox({
  name,
  sides,
  state,
  length,
  map,
  when,
  to,
}: {
  /** "Semi-final 1" */
  name: string;
  sides: readonly [MatchSide | string, MatchSide | string];
  state: MatchState;
  /** "best of 5" */
  length: string;
  /** The number of the current map, 1 to 5. */
  map?: number;
  /** The check-in deadline of an upcoming match, in the viewer's time. Shown in place of the length. */
  when?: ShownTime | undefined;
  /** The match's own page. */
  to?: string;
}) {
  const words = WORDS[state];
  const timed = state === "upcoming" && when;
  return (
    <article aria-label={name} className="match" data-state={state}>
      {/* Lies under the text, which lets every click through to it. */}
      {to && <Link to={to} aria-label={name} className="match-link" />}
      <p className="match-head">
        <span className="match-name">{name}</span>
        <span>
          {words && <span className="match-word">{words}</span>}
          {timed ? (
            <time dateTime={when.iso} title={when.exact} className="match-length">
              {when.text}
            </time>
          ) : (
            state !== "bye" && <span className="match-length">{length}</span>
          )}
          {state === "live" && map && <span className="match-map">, map {map}</span>}
        </span>
      </p>
      <ul className="match-sides">
        <Side side={sides[0]} isUpcoming={state === "upcoming"} />
        <Side side={sides[1]} isUpcoming={state === "upcoming"} />
      </ul>
    </article>
  );
}

function Side({ side, isUpcoming }: { side: MatchSide | string; isUpcoming: boolean }) {
  if (typeof side === "string") {
    return (
      <li className="match-side">
        <span className="match-open">{side}</span>
      </li>
    );
  }
  const { name, seed, score, won, forfeited, disqualified, yours, team } = side;
  const emphasis = won ? "won" : yours && isUpcoming ? "next" : undefined;
  return (
    <li className="match-side" data-look={emphasis} data-yours={yours || undefined} data-team={team}>
      <span className="match-seed">
        {seed !== undefined && (
          <>
            <span className="sr-only">Seed </span>
            {seed}
          </>
        )}
      </span>
      <span className="match-team">
        {name}
        {yours && <span className="sr-only">, your team</span>}
      </span>
      {disqualified && <DisqualifiedMark />}
      {score !== undefined && <span className="match-score">{score}</span>}
      {forfeited && <span className="match-forfeit">Forfeit</span>}
    </li>
  );
}

/** Follows the name of a disqualified team: short on screen, in full for screen readers. */
export const DisqualifiedMark = () => (
  <span title="Disqualified" className="disqualified-mark">
    <span aria-hidden="true">DQ</span>
    <span className="sr-only">, disqualified</span>
  </span>
);
