import { initial } from "~/features/players/rules";
import { EmptyState } from "~/ui/empty-state";
import { CheckIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { useTournament } from "../page/use-tournament";
import { sayPlace } from "../shared/places";
import { sayMissing } from "./rules";
import type { ListedTeam } from "./team-list.server";

/** A tournament's teams: those with a spot, the waiting list in order, and those that were absent at the start. */
export function TeamList({ teams, ownId }: { teams: ListedTeam[]; ownId: string | null }) {
  const { tournament } = useTournament();
  const isSolo = tournament.teamSize === 1;
  const of = (state: ListedTeam["state"]) => teams.filter((team) => team.state === state);
  if (teams.length === 0) return <EmptyState title="Nobody has registered yet." />;
  return (
    <>
      <TeamSection title={isSolo ? "Players" : "Teams"} teams={of("entered")} ownId={ownId} />
      <TeamSection title="Waiting list" teams={of("waiting")} ownId={ownId} numbered />
      <TeamSection title="Absent at the start" teams={of("absent")} ownId={ownId} />
    </>
  );
}

function TeamSection({
  title,
  teams,
  ownId,
  numbered = false,
}: {
  title: string;
  teams: ListedTeam[];
  ownId: string | null;
  numbered?: boolean;
}) {
  if (teams.length === 0) return null;
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id} className="mt-6 first:mt-0">
      <h2 id={id} className="mb-2 font-display text-section">
        {title}
      </h2>
      <ul className="tournament-teams">
        {teams.map((team, index) => (
          <TeamLine key={team.id} team={team} isOwn={team.id === ownId} number={numbered ? index + 1 : team.seed} />
        ))}
      </ul>
    </section>
  );
}

/** One team. A page may show 256 of them, so each has as few elements and words as possible. */
function TeamLine({ team, isOwn, number }: { team: ListedTeam; isOwn: boolean; number: number | null }) {
  const { tournament } = useTournament();
  const { teamSize, id, state } = tournament;
  const missing = teamSize - team.starters;
  const [captain, ...others] = team.members;
  return (
    <li className={isOwn ? "is-own" : undefined}>
      <span className="number">{number}</span>
      <div>
        <Link to={`/tournaments/${id}/teams/${team.id}`} dir="auto">
          {team.name}
        </Link>
        {isOwn && <em>{teamSize === 1 ? " You" : " Your team"}</em>}
        {teamSize > 1 && (
          <details>
            <summary>
              {!team.hasCaptain ? "No captain" : captain}
              {others.length > 0 && ` and ${others.length} ${others.length === 1 ? "other" : "others"}`}
            </summary>
            <p>{team.members.join(", ")}</p>
          </details>
        )}
      </div>
      {teamSize > 1 && (
        <span aria-hidden="true" className="banners">
          {team.members.slice(0, team.starters).map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the order identifies the players
            <i key={index}>
              {initial(name)}
              {team.pictures[index] && <img src={`/avatars/${team.pictures[index]}`} alt="" loading="lazy" />}
            </i>
          ))}
          {Array.from({ length: Math.max(0, missing) }, (_, spot) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: open spots are interchangeable
            <i key={spot} className="open" />
          ))}
        </span>
      )}
      <span className="state">
        {team.isDisqualified ? (
          "Disqualified"
        ) : team.place !== null && state === "finished" ? (
          sayPlace(team.place, team.lastPlace)
        ) : team.isCheckedIn ? (
          <>
            <CheckIcon className="size-3.5 text-good" /> Checked in
          </>
        ) : (
          state === "open" && missing > 0 && sayMissing(missing)
        )}
      </span>
    </li>
  );
}
