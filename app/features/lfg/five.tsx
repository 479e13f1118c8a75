import type { Role } from "~/game/roles";
import { Avatar, type Presence } from "~/ui/avatar";
import { RoleGlyph } from "~/ui/icons";

const PLACES = [1, 2, 3, 4] as const;

/**
 * A team of five hanging from a line: the author's banner, one banner for each player who has joined, one open spot per
 * player needed, and short ticks for the remaining places. Spots that fit the viewer are solid sky, the others dashed;
 * a required role is drawn inside. 200 px wide. Decorative: the text "Needs N players" says the same.
 */
export function Five({
  letter,
  picture,
  presence,
  taken = 0,
  needed,
  fits,
  role,
  rail = true,
  className = "",
}: {
  letter: string;
  /** The name of the author's picture. */
  picture?: string | null;
  presence?: Presence;
  /** Spots that players have taken. */
  taken?: number;
  /** Open spots; at most 4 together with the taken ones. */
  needed: number;
  fits: boolean;
  role?: Role | null;
  /** Whether the team draws its own line; false directly under the line of a section. */
  rail?: boolean;
  className?: string;
}) {
  return (
    <div
      aria-hidden="true"
      className={`flex w-[200px] flex-none gap-[5px] ${rail ? "border-t-2 border-edge" : ""} ${className}`}
    >
      <Avatar letter={letter} picture={picture} presence={presence} />
      {PLACES.map((place) =>
        place <= taken ? (
          <span key={place} className="u u-banner" />
        ) : place <= taken + needed ? (
          <span key={place} className={`u ${fits ? "u-spot" : "u-misfit"}`}>
            {role && <RoleGlyph role={role} className="size-[18px]" />}
          </span>
        ) : (
          <span key={place} className="u u-none" />
        ),
      )}
    </div>
  );
}
