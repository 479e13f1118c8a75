import type { ReactNode } from "react";
import type { VerifiedMark as VerifiedMarkWords } from "~/features/riot/rules";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import type { Rank } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { Avatar } from "~/ui/avatar";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { Link } from "~/ui/link";
import { initial } from "../rules";

/**
 * A section of a post's page. On wide screens the heading is on the left, in the same column as the post's spots, and
 * the list is on the right, below a line.
 */
export function PeopleSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="mt-10 md:grid md:max-w-[988px] md:grid-cols-[200px_minmax(0,1fr)] md:gap-x-7"
    >
      <h2 id={`${id}-title`} className="pb-3 font-display text-section md:pt-4">
        {title}
      </h2>
      <div className="border-t-2 border-text">{children}</div>
    </section>
  );
}

/** The id of the player's name in a `PlayerLine`. The line's actions refer to it with `aria-describedby`. */
export const playerNameId = (userId: string) => `player-${userId}`;

/** A player's note, for use in a `PlayerLine`, with a link to report the player. */
export function PlayerNote({ userId, note }: { userId: string; note: string }) {
  return (
    <p dir="auto" className="mt-1.5 wrap-anywhere">
      {note}{" "}
      <Link to={`/players/${userId}/report`} className="link text-meta font-normal text-muted">
        Report
      </Link>
    </p>
  );
}

/**
 * One player in a list on a post's page: who they are, what they wrote (`children`), and what the viewer can do
 * (`actions`).
 */
export function PlayerLine({
  player,
  tag,
  isYou = false,
  mark,
  actions,
  children,
}: {
  player: {
    userId: string;
    name: string;
    picture: string | null;
    verified: VerifiedMarkWords | null;
    rank: Rank | null;
    role: Role | null;
  };
  /** A word shown beside the name: "You". */
  tag?: string | undefined;
  /** Whether this player is the viewer, whose banner is filled with sky blue. */
  isYou?: boolean;
  /** The player's state, shown beside the name. */
  mark?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="group relative flex flex-wrap items-start justify-between gap-x-4 gap-y-3 border-t border-line pt-4 pb-5 pl-[52px] first:border-t-0">
      <span className="absolute -top-px left-0 group-first:top-0">
        <Avatar letter={initial(player.name)} picture={player.picture} isYou={isYou} />
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex min-h-5 flex-wrap items-center gap-x-3.5 gap-y-1 text-meta">
          <span className="flex min-w-0 flex-wrap items-center gap-x-[7px]">
            <Link
              id={playerNameId(player.userId)}
              to={`/players/${player.userId}`}
              dir="auto"
              className="min-w-0 rounded-badge font-semibold wrap-anywhere hover:underline hover:underline-offset-3 touch:py-3 touch:-my-3"
            >
              {player.name}
            </Link>
            {player.verified && <VerifiedMark {...player.verified} />}
          </span>
          {player.rank && <RankBadge rank={player.rank} />}
          {player.role && <RoleChip role={player.role} />}
          {tag && <span className={`font-semibold ${isYou ? "text-spot-text" : "text-muted"}`}>{tag}</span>}
          {mark}
        </div>
        {children}
      </div>
      {actions}
    </li>
  );
}
