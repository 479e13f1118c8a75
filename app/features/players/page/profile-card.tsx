import type { ReactNode } from "react";
import type { Rank } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { Avatar, type Presence } from "~/ui/avatar";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";

/** A player's card below a thick line: avatar, name, rank and role. `children` are links below the role. */
export function ProfileCard({
  name,
  letter,
  picture,
  presence,
  riotId,
  rank,
  role,
  children,
}: {
  name: string;
  letter: string;
  picture: string | null;
  presence: Presence;
  riotId: string | null;
  rank: Rank | null;
  role: Role | null;
  children?: ReactNode;
}) {
  return (
    <div className="flex gap-[18px] border-t-4 border-text">
      <Avatar letter={letter} picture={picture} presence={presence} size="profile" />
      <div className="min-w-0 flex-1 pt-3.5">
        <p dir="auto" className="text-[1.1875rem] leading-6 font-semibold wrap-anywhere">
          {name}
        </p>
        {riotId && riotId !== name && <p className="text-meta wrap-anywhere text-muted">{riotId}</p>}
        <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1">
          {rank && <RankBadge rank={rank} />}
          {role && <RoleChip role={role} />}
        </p>
        {children}
      </div>
    </div>
  );
}
