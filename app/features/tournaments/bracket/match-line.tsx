import { describeLength } from "~/game/scores";
import { matchName } from "../shared/match-names";
import { type ListedMatch, type ListedState, type Matches, openSide } from "./listed-match";
import { MatchBox, type MatchSide, type MatchState } from "./match-box";

/** The teams of a page. Matches refer to them by their index. */
export type Teams = readonly (readonly [name: string, seed: number | null, isDisqualified: boolean])[];

/** The data that a page needs to show its matches. */
export interface MatchesOnPage {
  tournamentId: string;
  matches: Matches;
  teams: Teams;
  /** The index of the viewer's team in `teams`; null if they play in none. */
  own: number | null;
}

const STATES: Record<ListedState, MatchState> = {
  waiting: "upcoming",
  ready: "upcoming",
  playing: "live",
  reported: "reported",
  disputed: "disputed",
  finished: "finished",
  bye: "bye",
  idle: "upcoming",
};

/** A match of a bracket as a box that links to the match's page. */
export function ListedMatchBox({ match, page }: { match: ListedMatch; page: MatchesOnPage }) {
  return (
    <MatchBox
      name={matchName(match)}
      state={STATES[match.state]}
      length={describeLength(match)}
      when={match.checkInBy ?? undefined}
      to={`/tournaments/${page.tournamentId}/matches/${match.id}`}
      sides={[sideOf(match, 0, page), sideOf(match, 1, page)]}
    />
  );
}

function sideOf(match: ListedMatch, side: 0 | 1, { matches, teams, own }: MatchesOnPage): MatchSide | string {
  const number = match.teams[side];
  const team = number === null ? undefined : teams[number];
  if (number === null || !team) return openSide(match, side, matches);
  const score = match.scores[side];
  return {
    name: team[0],
    seed: team[1] ?? undefined,
    score: score ?? undefined,
    won: match.winner === side + 1,
    forfeited: match.forfeit === side + 1,
    disqualified: team[2],
    yours: number === own,
    team: number,
  };
}
