import type { ReactNode } from "react";
import { describeStart } from "~/game/scores";
import { Badge } from "~/ui/badge";
import { RankBadge } from "~/ui/game/rank-badge";
import { CheckIcon, DashIcon, RoleGlyph } from "~/ui/icons";
import { Link } from "~/ui/link";
import { OpenSpots } from "~/ui/open-spots";
import type { Phase } from "../play/phase";
import type { MatchView, PlayerView, TeamView } from "./present-match.server";

const BADGES: Record<Phase, "outline" | "dashed" | "good" | "warn"> = {
  "Waiting for teams": "dashed",
  "Check-in": "warn",
  "Playing now": "good",
  "Waiting for confirmation": "warn",
  Disputed: "warn",
  Finished: "outline",
  Bye: "outline",
  "Not played": "outline",
  Cancelled: "outline",
};

/** Undecided phases in which nobody checks in any more. */
const AFTER_CHECK_IN: readonly Phase[] = ["Waiting for confirmation", "Disputed", "Cancelled"];

/**
 * The head of a match's page: the tournament it belongs to, its name and phase, the two teams, and between them the
 * score.
 */
export function MatchHead({ match, zone }: { match: MatchView; zone: string }) {
  const { tournament, when } = match;
  const [left, right] = match.teams;
  const home = `/tournaments/${tournament.id}`;
  const shared = { teamSize: tournament.teamSize, awaitsCheckIn: !AFTER_CHECK_IN.includes(match.phase) };
  return (
    <>
      <nav aria-label="Breadcrumb">
        <ol className="flex flex-wrap gap-x-2 text-meta">
          <li className="min-w-0 wrap-anywhere">
            <Link to={home} dir="auto" className="link font-semibold touch:inline-block touch:py-3">
              {tournament.title}
            </Link>
          </li>
          <li className="before:mr-2 before:text-muted before:content-['/']">
            <Link to={home} className="link font-semibold touch:inline-block touch:py-3">
              Bracket
            </Link>
          </li>
        </ol>
      </nav>
      <div className="mt-0.5 flex flex-wrap items-center justify-between gap-x-7 gap-y-2">
        <h1 className="font-display text-title-phone md:text-title">{match.name}</h1>
        <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-meta text-muted">
          <Badge variant={BADGES[match.phase]}>{match.phase}</Badge>
          <span>
            Best of {match.bestOf}
            {describeStart(match, match.left)}
          </span>
          {when && (
            <span>
              {when.words}{" "}
              <time dateTime={when.date.iso} title={when.date.exact}>
                {when.date.text}
              </time>{" "}
              {zone}
            </span>
          )}
        </p>
      </div>
      <div className="match-rosters">
        <Team team={left} won={match.leftWon} {...shared} />
        <Score match={match} />
        <Team team={right} won={match.leftWon === null ? null : !match.leftWon} {...shared} />
      </div>
    </>
  );
}

interface TeamProps {
  team: TeamView;
  teamSize: number;
  /** Whether the team has won; null while the match has no result. */
  won: boolean | null;
  /** Whether the team may still check in. */
  awaitsCheckIn: boolean;
}

/** A team: its players' banners in a row, and below them its name. */
function Team({ team, teamSize, won, awaitsCheckIn }: TeamProps) {
  const isFew = teamSize <= 3;
  // A team of one is named after its player, who then needs no caption.
  const [only] = teamSize === 1 ? team.players : [];
  const isNamesake = only?.name === team.name;
  return (
    <section aria-label={team.name} className="match-roster" data-yours={team.isYours || undefined}>
      {team.isKnown ? (
        <ul className="match-banners" data-few={isFew || undefined}>
          {team.players.map((player) => (
            <Player key={player.id} player={player} isNamed={!isNamesake} isFew={isFew} />
          ))}
        </ul>
      ) : (
        <div aria-hidden="true" className="match-banners" data-few={isFew || undefined}>
          <OpenSpots count={teamSize} className="u-empty match-banner" />
        </div>
      )}
      <h2
        dir="auto"
        className={`mt-4 text-[1.375rem] leading-7 font-[650] wrap-anywhere ${team.isKnown ? "" : "text-muted"} ${won === false ? "text-muted" : ""}`}
      >
        {only && isNamesake ? (
          <Link to={`/players/${only.id}`} className="rounded-badge hover:underline hover:underline-offset-3">
            {team.name}
          </Link>
        ) : (
          team.name
        )}
      </h2>
      {team.facts && <p className="mt-1 text-meta wrap-anywhere text-muted">{team.facts}</p>}
      {team.isDisqualified && <p className="mt-1 text-meta">Disqualified</p>}
      {team.substitutes.length > 0 && (
        <p className="mt-1 text-meta wrap-anywhere text-muted">
          {team.substitutes.length === 1 ? "Substitute" : "Substitutes"}:{" "}
          {team.substitutes.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <Link to={`/players/${id}`} className="hover:underline">
                {name}
              </Link>
            </span>
          ))}
        </p>
      )}
      {team.checkedIn && (
        <p className="mt-2 flex items-center gap-2 text-meta">
          <CheckIcon className="size-3.5 text-good" />
          <span>
            Checked in,{" "}
            <time dateTime={team.checkedIn.iso} title={team.checkedIn.exact}>
              {team.checkedIn.text}
            </time>
          </span>
        </p>
      )}
      {team.isKnown && !team.checkedIn && won === null && awaitsCheckIn && (
        <p className="mt-2 flex items-center gap-2 text-meta text-muted">
          <DashIcon className="size-3.5" />
          Not checked in yet
        </p>
      )}
    </section>
  );
}

/**
 * @param isNamed false if the name is shown right below, as the team's
 * @param isFew whether the team is small enough to leave room beside the banners
 */
function Player({
  player: { id, name, letter, picture, rank, role, isYou },
  isNamed,
  isFew,
}: {
  player: PlayerView;
  isNamed: boolean;
  isFew: boolean;
}) {
  return (
    <li className="match-player">
      <span aria-hidden="true" className={`u match-banner ${isYou ? "u-filled" : "u-banner"}`}>
        <span className="text-title-phone font-semibold">{letter}</span>
        {picture && <img src={`/avatars/${picture}`} alt="" />}
        {role && !picture && <RoleGlyph role={role} className="size-5" />}
      </span>
      {isNamed ? (
        <Link
          to={`/players/${id}`}
          dir="auto"
          title={name}
          className="mt-1.5 block truncate rounded-badge text-meta font-semibold hover:underline hover:underline-offset-3 touch:py-3"
        >
          {name}
        </Link>
      ) : (
        <span className="sr-only">{name}</span>
      )}
      {isYou && <span className="sr-only">, you</span>}
      {role && <span className="sr-only">, {role}</span>}
      {rank && (
        <RankBadge
          rank={rank}
          className={`max-w-full gap-x-1! text-badge! font-normal! text-muted [&>svg]:flex-none ${isFew ? "mt-1.5" : "max-lg:flex-col max-lg:whitespace-normal"}`}
        />
      )}
    </li>
  );
}

/** The score between the teams, which team reported it, and the maps. */
function Score({ match }: { match: MatchView }) {
  const { score, leftWon, maps } = match;
  const note = scoreNote(match);
  return (
    <section aria-label="Score" className="match-result">
      {score ? (
        <p className="font-display text-hero-phone tabular-nums lg:text-[4.5rem]/[1]">
          <Won isWon={score[0] > score[1]}>{score[0]}</Won>
          <span aria-hidden="true" className="mx-4 inline-block h-1 w-6 bg-faint align-middle" />
          <span className="sr-only"> to </span>
          <Won isWon={score[1] > score[0]}>{score[1]}</Won>
        </p>
      ) : (
        leftWon === null && <p className="font-display text-hero-phone text-faint">vs</p>
      )}
      {note && <p className="mt-2 text-meta text-balance wrap-anywhere text-muted">{note}</p>}
      {maps && (
        <table className="mx-auto mt-4 text-meta">
          <caption className="sr-only">Maps</caption>
          <tbody>
            {maps.map(({ name, score: rounds }) => (
              <tr key={name} className={rounds ? "" : "text-muted"}>
                <th scope="row" className="py-0.5 pr-3 text-right font-normal text-muted">
                  {name}
                </th>
                <td className={`py-0.5 text-left tabular-nums ${rounds ? "font-semibold" : ""}`}>
                  {rounds ?? "not played"}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const Won = ({ isWon, children }: { isWon: boolean; children: ReactNode }) => (
  <span className={isWon ? "" : "text-faint"}>{children}</span>
);

function scoreNote({ phase, winner, forfeiter, reporter, teams, advantage, left }: MatchView): string | null {
  if (winner) return forfeiter ? `${winner} won: ${forfeiter} forfeited` : `${winner} won`;
  if (reporter) return reporter.isOwn ? "You reported this" : `${reporter.name} reported this`;
  if (phase === "Disputed" || phase === "Cancelled" || !teams.every(({ isKnown }) => isKnown)) return null;
  const up = advantage && teams[advantage === left ? 0 : 1];
  return up ? `Not played yet. ${up.isYours ? "You start" : `${up.name} starts`} one map up` : "Not played yet";
}
