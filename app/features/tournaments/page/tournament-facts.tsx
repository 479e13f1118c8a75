import type { ReactNode } from "react";
import { money } from "../money";
import type { TournamentView } from "../present.server";

/** When a tournament takes place, its fee, its prizes and how full it is. `className` can replace the two columns. */
export function TournamentFacts({
  tournament: { date, feeCents, prizeCents, prizeShare, entered, places, teamSize, waiting },
  zone,
  className = "",
}: {
  tournament: TournamentView;
  /** The zone in which times are shown: "your time" or "UTC". */
  zone: string;
  className?: string;
}) {
  const solo = teamSize === 1;
  return (
    <dl className={`grid grid-cols-2 gap-x-4 gap-y-4 ${className}`}>
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
