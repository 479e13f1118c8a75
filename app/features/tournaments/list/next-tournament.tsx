import type { presentNextTournament } from "../present.server";
import { TournamentLine } from "./tournament-line";

/** The next tournament that is open to the viewer's rank. */
export function NextTournament({ left, solo, ...tournament }: ReturnType<typeof presentNextTournament>) {
  return (
    <section aria-labelledby="next-tournament">
      <h2 id="next-tournament" className="font-display text-rail">
        Next tournament
      </h2>
      <TournamentLine {...tournament}>
        {left} {left === 1 ? "spot" : "spots"} left for {solo ? "players" : "teams"}
      </TournamentLine>
    </section>
  );
}
