import { ButtonLink } from "~/ui/button";
import { Link } from "~/ui/link";
import { Five } from "./five";
import type { OwnTeamView } from "./own-teams.server";
import { postPage } from "./way-back";

/**
 * The teams that the viewer is in: their players, who is online, and the chat.
 * @param props.hasMore whether the viewer is in teams that aren't among `teams`
 * @param props.list the address of the list beside the teams, to which the pages of their posts lead back
 */
export function OwnTeams({ teams, hasMore, list }: { teams: OwnTeamView[]; hasMore: boolean; list: string }) {
  return (
    <section aria-labelledby="your-team">
      <h2 id="your-team" className="font-display text-rail">
        Your team
      </h2>
      {teams.map(({ id, title, banners, openSpots, role, who, online, ready, chat }) => (
        <div key={id} className="own-team">
          <Five members={banners} needed={openSpots} fits={false} role={role} />
          <Link id={`team-${id}`} to={postPage(id, list)} prefetch="intent" dir="auto" className="own-title">
            {title}
          </Link>
          <p dir="auto">{who}</p>
          <p>{online}</p>
          {ready && <p className="own-team-ready">{ready}</p>}
          <ButtonLink to={chat} size="row" aria-describedby={`team-${id}`}>
            Team Chat
          </ButtonLink>
        </div>
      ))}
      {hasMore && (
        <p className="mt-5 text-meta text-muted">
          Your other teams are in{" "}
          <Link to="/dashboard/messages" className="link">
            Chat
          </Link>
          .
        </p>
      )}
    </section>
  );
}
