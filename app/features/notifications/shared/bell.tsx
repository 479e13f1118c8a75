import { Link } from "@remix-run/react";
import { useId } from "react";
import { Count } from "~/ui/badge";
import { BellIcon } from "~/ui/icons";

/**
 * The bell: a link to the notifications, with how many are unread (99+ at most, nothing at 0). The number is
 * decoration; "5 unread" is the link's description, its name stays `Notifications`.
 */
export function Bell({
  unread = 0,
  to = "/dashboard/notifications",
  className = "",
}: {
  unread?: number;
  to?: string;
  className?: string;
}) {
  const id = useId();
  return (
    <>
      <Link
        to={to}
        title="Notifications"
        aria-describedby={id}
        className={`relative grid size-11 flex-none place-items-center rounded-control hover:bg-raised ${className}`}
      >
        <BellIcon />
        <span className="sr-only">Notifications</span>
        {/* A ring of what lies under the bell sets the number off from it. */}
        <Count
          value={unread}
          className="absolute top-0 left-[23px] rounded-full outline-2 outline-(--surface,var(--floor))"
        />
      </Link>
      {/* Stands empty, too: without a description of its own the link would be described by its title, which is its name. */}
      <span id={id} hidden>
        {unread > 0 && `${unread} unread`}
      </span>
    </>
  );
}
