import { Rating } from "~/features/feedback/shared/stars";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { Avatar } from "~/ui/avatar";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { Link } from "~/ui/link";
import type { WeekHours } from "../availability";
import { DayBars } from "../page/day-bars";
import { Reason } from "../shared/reason";
import type { PlayerView } from "./present.server";

/**
 * One player of the directory: who they are, why they fit, when they are free, their reputation, and a link to contact
 * them.
 * @param mine the viewer's own hours
 * @param hour12 whether the viewer uses a 12-hour clock
 */
export function PlayerRow({ player, mine, hour12 }: { player: PlayerView; mine: WeekHours | null; hour12: boolean }) {
  const { rank, role, agents, tags, facts, reputation, reasons, hours } = player;
  const nameId = `p${player.id.slice(-8)}`;
  return (
    <li className="player-row">
      <Avatar letter={player.letter} picture={player.picture} size="player" className="player-row-banner" />
      <div className="player-row-body">
        <div className="flex flex-wrap items-center gap-x-2.5">
          <h3 dir="auto" className="min-w-0 text-post font-[650] wrap-anywhere">
            <Link
              id={nameId}
              to={`/players/${player.id}`}
              prefetch="intent"
              viewTransition
              className="rounded-badge hover:underline hover:underline-offset-3"
            >
              {player.name}
            </Link>
          </h3>
          {player.verified && <VerifiedMark {...player.verified} />}
        </div>
        <div className="flex min-h-5 flex-wrap items-center gap-x-3.5 gap-y-1 text-meta">
          {rank ? <RankBadge rank={rank} /> : <span className="text-muted">No rank set</span>}
          {role && <RoleChip role={role} />}
          {agents.length > 0 && <span className="text-muted">{agents.join(", ")}</span>}
        </div>
        {(tags.length > 0 || facts.length > 0) && (
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-meta text-muted">
            {tags.length > 0 && (
              <ul className="flex flex-wrap gap-1.5" aria-label="Playstyle">
                {tags.map((tag) => (
                  <li
                    key={tag}
                    dir="auto"
                    className="rounded-badge bg-raised px-2 py-0.5 text-badge font-semibold text-text wrap-anywhere"
                  >
                    {tag}
                  </li>
                ))}
              </ul>
            )}
            {facts.length > 0 && <span>{facts.join(" · ")}</span>}
          </div>
        )}
        {reasons.length > 0 && (
          <ul className="grid gap-1 text-meta">
            {reasons.map(({ about, fits, text }) => (
              <Reason key={about} fits={fits}>
                {text}
              </Reason>
            ))}
          </ul>
        )}
      </div>
      <div className="player-row-hours">{hours && <DayBars theirs={hours} mine={mine} hour12={hour12} />}</div>
      <div className="player-row-side">
        {reputation && <Reputation {...reputation} />}
        <ButtonLink to={`/players/${player.id}/message`} size="row" prefetch="intent" aria-describedby={nameId}>
          Message
        </ButtonLink>
      </div>
    </li>
  );
}

function Reputation({ score, count }: NonNullable<PlayerView["reputation"]>) {
  return count > 0 ? <Rating score={score} count={count} variant="row" /> : <Badge>New</Badge>;
}
