import type { ComponentProps, ReactElement } from "react";
import type { Role } from "~/game/roles";
import { Avatar } from "~/ui/avatar";
import { RoleGlyph } from "~/ui/icons";

const PLACES = [1, 2, 3, 4] as const;
/** The banner of a player whom the viewer may not know: it is blank. */
const UNKNOWN: Banner = { letter: "" };

/** A player's banner in a team: their letter or picture, whether they are online, and whether they are the viewer. */
export type Banner = Omit<ComponentProps<typeof Avatar>, "size" | "className">;

/**
 * A team of five hanging from a line: the author's banner, one banner for each player who has joined, one open spot per
 * player needed, and short ticks for the remaining places. The viewer's own banner is filled with sky blue. Spots that
 * fit the viewer are solid sky, the others dashed; a required role is drawn inside. 200 px wide. Decorative: the text
 * "Needs N players" says the same.
 */
export function Five({
  members: [author, ...joined],
  taken = joined.length,
  needed,
  fits,
  role,
  rail = true,
  className = "",
}: {
  /** The author, or their banner as an element; then those who have joined and whom the viewer may know. */
  members: readonly [Banner | ReactElement, ...Banner[]];
  /** Spots that players have taken, known or not. */
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
    <div aria-hidden="true" className={`five ${rail ? "" : "border-t-0 "}${className}`.trimEnd()}>
      {"letter" in author ? <Avatar {...author} size="team" /> : author}
      {PLACES.map((place) =>
        place <= taken ? (
          <Avatar key={place} {...(joined[place - 1] ?? UNKNOWN)} size="team" />
        ) : place <= taken + needed ? (
          <span key={place} className={`u ${fits ? "u-spot" : "u-misfit"}`}>
            {role && <RoleGlyph role={role} className="size-[18px]" />}
          </span>
        ) : (
          <i key={place} />
        ),
      )}
    </div>
  );
}
