import { Link } from "~/ui/link";
import { Banners } from "../registration/your-team";
import { matchName } from "../shared/match-names";
import { isPlayed, type ListedMatch } from "./listed-match";
import type { MatchesOnPage, Teams } from "./match-line";

/** A match on the winner's path, with the side that the winner played on. */
type Step = readonly [match: ListedMatch, side: 0 | 1];

/**
 * Returns the winner's matches in the order of play: those of the bracket, or of the groups if there is no bracket.
 * @param winner the team's index in the page's list of teams
 */
export function winnersPath(matches: Iterable<ListedMatch>, winner: number): Step[] {
  const steps = [...matches].flatMap((match): Step[] => {
    const side = match.teams.indexOf(winner);
    return side >= 0 && match.state === "finished" && isPlayed(match) ? [[match, side as 0 | 1]] : [];
  });
  const bracket = steps.filter(([{ part }]) => part !== "group" && part !== "tie-break");
  return bracket.length > 0 ? bracket : steps;
}

/** Celebrates the winning team: its banners, and its path to the title. */
export function Champions({
  name,
  size,
  players,
  path,
  page: { tournamentId, teams },
}: {
  name: string;
  /** Number of players in a team. */
  size: number;
  /** The starters; those who have left are missing. */
  players: readonly { name: string; picture: string | null; isYou: boolean }[];
  path: readonly Step[];
  page: Pick<MatchesOnPage, "tournamentId" | "teams">;
}) {
  // A player who has left keeps the banner, without a letter.
  const banners = Array.from({ length: size }, (_, index) => players[index] ?? { name: " " });
  return (
    <section aria-labelledby="champions" className="mb-8 min-w-0 max-w-[568px] break-inside-avoid">
      <div className="mt-3 border-t-4 border-text [--u-h:86px] [--u-w:64px] max-md:[--u-h:70px] max-md:[--u-w:52px]">
        <Banners size={size} players={banners} />
      </div>
      <h2 id="champions" dir="auto" className="mt-4 text-title-phone font-[650] wrap-anywhere md:text-title">
        {name} won
      </h2>
      {path.length > 0 && (
        <>
          <h3 className="mt-4 pb-2 font-display text-rail">The way there</h3>
          <ol className="border-t-2 border-edge">
            {path.map(([match, side]) => (
              <WonMatch
                key={match.id}
                match={match}
                side={side}
                teams={teams}
                to={`/tournaments/${tournamentId}/matches/${match.id}`}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** One of the winner's matches: its name, the opponent, and the score from the winner's side. */
function WonMatch({ match, side, teams, to }: { match: ListedMatch; side: 0 | 1; teams: Teams; to: string }) {
  const opponent = match.teams[side === 0 ? 1 : 0];
  const [mine, theirs] = [match.scores[side], match.scores[side === 0 ? 1 : 0]];
  const isLost = match.winner !== side + 1;
  return (
    <li className="border-b border-line">
      <Link to={to} className="flex min-h-10 touch:min-h-11 items-center gap-4 py-1 hover:bg-raised">
        <span className="w-40 flex-none font-semibold">{matchName(match)}</span>
        <span className="min-w-0 flex-1 truncate text-muted">
          {isLost && "lost to "}
          <bdi>{opponent === null || opponent === undefined ? "" : teams[opponent]?.[0]}</bdi>
        </span>
        <span className="flex-none tabular-nums">
          {match.forfeit ? "by forfeit" : mine === null || theirs === null ? "" : `${mine}–${theirs}`}
        </span>
      </Link>
    </li>
  );
}
