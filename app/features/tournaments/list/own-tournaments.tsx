import type { presentOwnTournament } from "../present.server";
import { TournamentLine } from "./tournament-line";

/** The unfinished tournaments that the viewer has entered or is on the waiting list of. */
export function OwnTournaments({ tournaments }: { tournaments: ReturnType<typeof presentOwnTournament>[] }) {
  return (
    <section aria-labelledby="your-tournaments">
      <h2 id="your-tournaments" className="font-display text-rail">
        {tournaments.length === 1 ? "Your tournament" : "Your tournaments"}
      </h2>
      {tournaments.map(({ part, isUrgent, ...tournament }) => (
        <div key={tournament.to}>
          <TournamentLine {...tournament}>
            {isUrgent ? <strong className="font-semibold text-spot-text">{part}</strong> : part}
          </TournamentLine>
        </div>
      ))}
    </section>
  );
}
