import { Avatar } from "~/ui/avatar";
import { RankBadge } from "~/ui/game/rank-badge";
import { Link } from "~/ui/link";
import type { OnlinePlayer } from "./online.server";

/** Online players who are good matches for the viewer. */
export function OnlinePlayers({ players }: { players: readonly OnlinePlayer[] }) {
  return (
    <section aria-labelledby="online">
      <h2 id="online" className="font-display text-rail">
        Online now
      </h2>
      <ul className="mt-3 grid gap-2">
        {players.map(({ id, name, letter, picture, rank }) => (
          <li key={id} className="side-player">
            <Avatar letter={letter} picture={picture} presence="online" size="small" />
            <Link to={`/players/${id}`} dir="auto" className="author-link text-meta">
              {name}
            </Link>
            {rank && <RankBadge rank={rank} className="text-meta" />}
          </li>
        ))}
      </ul>
    </section>
  );
}
