import type { ReactNode } from "react";
import { RANKS, type Rank } from "~/game/ranks";
import { Badge } from "~/ui/badge";
import { Ruler } from "~/ui/game/ruler";
import { RankGlyph } from "~/ui/icons";
import { Link } from "~/ui/link";
import { ShareButton } from "~/ui/share-button";
import { money } from "../money";
import type { TournamentView } from "../present.server";
import { STATE_WORDS } from "../states";

/** The style of the least important actions. */
const QUIET =
  "inline-flex cursor-pointer items-center text-muted hover:text-text hover:underline hover:underline-offset-3 touch:min-h-11";

const BADGES = { open: "dashed", running: "good", finished: "outline", cancelled: "outline" } as const;

/** The head of a tournament's page: its name and description. */
export function TournamentHead({ tournament }: { tournament: TournamentView }) {
  const { host, state, title, description, phase, deadline, entered, places } = tournament;
  const isFull = state === "open" && entered >= places;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-muted">
        <Badge variant={BADGES[state]}>{STATE_WORDS[state]}</Badge> {isFull && <Badge>Full</Badge>}
        <span className="wrap-anywhere">
          Hosted by{" "}
          {host ? (
            <Link to={`/players/${host.id}`} className="font-semibold text-text hover:underline">
              {host.name}
            </Link>
          ) : (
            "a player who has left"
          )}
        </span>
        {phase === "registration" && (
          <span>
            {" "}
            {isFull ? "Waiting list until" : "Register until"} {deadline.text}{" "}
          </span>
        )}
        {phase === "closed" && <span>Registration closed</span>}
      </p>
      <h1
        dir="auto"
        className="tournament-name mt-1.5 text-[1.75rem] leading-[2.125rem] font-[650] tracking-[-0.012em] wrap-anywhere md:text-[2.5rem] md:leading-[2.875rem] print:text-title"
      >
        {title}
      </h1>
      <p dir="auto" className="mt-1.5 max-w-[42em] text-lead wrap-anywhere whitespace-pre-line text-muted">
        {description}
      </p>
    </>
  );
}

/** A tournament's facts, the eligible ranks, and the least important actions. */
export function TournamentDetails({
  tournament,
  viewerRank,
  zone,
  mayReport,
}: {
  tournament: TournamentView;
  viewerRank: Rank | null;
  /** Whether to offer reporting it: its host can't, and nobody can report it while it is hidden. */
  mayReport: boolean;
  /** The zone in which times are shown: "your time" or "UTC". */
  zone: string;
}) {
  const { state, title, isHidden } = tournament;
  return (
    <>
      <Facts tournament={tournament} zone={zone} />
      <div className="flex flex-wrap items-end justify-between gap-x-7 gap-y-3">
        <Ranks tournament={tournament} you={viewerRank} />
        <p className="flex flex-wrap gap-x-5 text-meta empty:hidden print:hidden">
          {(state === "open" || state === "running") && !isHidden && (
            <a
              href={`/tournaments/${tournament.id}/calendar.ics`}
              className="link inline-flex items-center touch:min-h-11"
            >
              Add to calendar
            </a>
          )}
          {state !== "cancelled" && !isHidden && (
            <ShareButton as="button" className={QUIET} link={`/tournaments/${tournament.id}`} title={title} />
          )}
          {mayReport && (
            <Link to={`/tournaments/${tournament.id}/report`} preventScrollReset className={QUIET}>
              Report
            </Link>
          )}
        </p>
      </div>
    </>
  );
}

function Facts({ tournament, zone }: { tournament: TournamentView; zone: string }) {
  const { date, feeCents, prizeCents, prizeShare, entered, places, teamSize, waiting } = tournament;
  const solo = teamSize === 1;
  return (
    <dl className="mt-7 grid grid-cols-2 gap-x-4 gap-y-4 border-t border-edge pt-4 print:mt-2 print:pt-2 md:flex md:flex-wrap md:justify-between md:gap-x-7">
      <Fact name="Tournament Date" note={`${date.time} ${zone}`}>
        <time dateTime={date.iso} title={date.exact}>
          {date.day}
        </time>
      </Fact>
      <Fact name="Entry Fee" note={feeCents > 0 ? "per player" : undefined}>
        {feeCents > 0 ? money(feeCents) : "Free"}
      </Fact>
      <Fact
        name="Prize Pool"
        note={prizeShare === null ? undefined : prizeShare > 100 ? "more than the fees" : `${prizeShare}% of the fees`}
      >
        {prizeCents > 0 ? money(prizeCents) : "None"}
      </Fact>
      <Fact
        name={solo ? "Players" : "Teams"}
        note={waiting > 0 ? `${waiting} waiting` : solo ? "solo" : `${teamSize} players each`}
      >
        {entered} of {places}
      </Fact>
    </dl>
  );
}

function Fact({ name, note, children }: { name: string; note: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0 text-meta text-muted">
      <dt>{name}</dt>
      <dd className="font-display text-[1.3125rem] leading-[1.6875rem] text-text tabular-nums">{children}</dd>
      {note && <dd className="text-balance">{note}</dd>}
    </div>
  );
}

/** The eligible ranks: both ends, above the ruler of all ranks. */
function Ranks({ tournament: { minRank, maxRank }, you }: { tournament: TournamentView; you: Rank | null }) {
  return (
    <div className="mt-4 w-full max-w-[420px] text-meta text-muted print:mt-2">
      <div className="mb-2 flex flex-wrap justify-between gap-x-4 gap-y-1">
        {minRank === null && maxRank === null && "Open to any rank"}
        {minRank && <End name="Minimum Rank" rank={minRank} />}
        {maxRank && <End name="Maximum Rank" rank={maxRank} />}
      </div>
      <Ruler from={minRank ?? RANKS[0]} to={maxRank ?? (RANKS.at(-1) as Rank)} {...(you && { you })} />
    </div>
  );
}

const End = ({ name, rank }: { name: string; rank: Rank }) => (
  <span className="flex items-center gap-1.5">
    {name}
    <RankGlyph rank={rank} />
    <span className="text-text">{rank}</span>
  </span>
);
