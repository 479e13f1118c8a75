import type { Role } from "~/game/roles";
import { Avatar, type Presence } from "~/ui/avatar";
import { RoleGlyph } from "~/ui/icons";

const PLACES = [1, 2, 3, 4] as const;

/**
 * A team of five hanging from a line: the author's banner, one for each who has joined, one open spot per player needed,
 * short ticks for the rest.
 * Solid sky spots fit the viewer, dashed ones don't; a required role is drawn inside. 200 px wide. Decoration: the words
 * "Needs N players" say it.
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
  /** Open spots; together with the taken ones at most 4. */
  needed: number;
  fits: boolean;
  role?: Role | null;
  /** Draws its own line; false where a section's line already runs above. */
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
