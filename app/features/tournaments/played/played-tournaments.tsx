import { Link } from "~/ui/link";
import { sayPlace } from "../shared/places";
import { STATE_WORDS } from "../states";
import type { PlayedTournament } from "./queries.server";

/** The tournaments that a player has played in, on their profile. Renders nothing if there are none. */
export function PlayedTournaments({
  tournaments,
  played,
  won,
}: {
  /** The latest ones. */
  tournaments: PlayedTournament[];
  /** Number of tournaments played, counted up to a hundred. */
  played: number;
  /** Number of those that the player won. */
  won: number;
}) {
  if (played === 0) return null;
  return (
    <section aria-labelledby="played" className="profile-section">
      <h2 id="played" className="profile-legend">
        Tournaments
      </h2>
      <p className="mb-3 text-meta text-muted">
        {played === 100 ? "100+" : played} played, {won} won
      </p>
      <ul className="grid gap-3">
        {tournaments.map(({ id, title, state, team, place, lastPlace }) => (
          <li key={id}>
            <Link
              to={`/tournaments/${id}`}
              prefetch="intent"
              dir="auto"
              className="inline-flex items-center text-post font-[650] wrap-anywhere hover:underline touch:min-h-11"
            >
              {title}
            </Link>
            <p className="text-meta wrap-anywhere text-muted">
              {place === 1 ? "Won" : place === null ? STATE_WORDS[state] : sayPlace(place, lastPlace)} ·{" "}
              <bdi>{team}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
