import type { Role } from "~/game/roles";
import { RoleGlyph } from "../icons";

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
    <span className={`inline-flex flex-none items-center gap-1.5 text-meta whitespace-nowrap ${className}`}>
      <RoleGlyph role={role} className="size-[15px] text-text" />
      <span className={strong ? "font-semibold" : "text-muted"}>{role}</span>
    </span>
  );
}
