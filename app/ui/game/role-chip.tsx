import type { Role } from "~/game/roles";
import { roleGlyph } from "../icons";

/** A role: its glyph and its name, muted unless `strong` is set. */
export function RoleChip({
  role,
  strong = false,
  className = "",
}: {
  role: Role;
  strong?: boolean;
  className?: string;
}) {
  return (
    <span className={`role ${roleGlyph(role)} ${strong ? "font-semibold text-text " : ""}${className}`.trimEnd()}>
      {role}
    </span>
  );
}
