import { useId } from "react";
import { Count, unreadWords } from "~/ui/badge";
import { BellIcon } from "~/ui/icons";
import { Link } from "~/ui/link";

/**
 * The bell: a link to the notifications with the unread count (99+ at most, hidden at 0). For screen readers, the
 * link's name is always `Notifications`, and "5 unread" is its description.
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
        {/* A ring in the background colour separates the number from the bell. */}
        <Count
          value={unread}
          className="absolute top-0 left-[23px] rounded-full outline-2 outline-(--surface,var(--floor))"
        />
      </Link>
      {/* Present even if empty: without a description of its own, the link would be described by its title, which
          repeats its name. */}
      <span id={id} hidden>
        {unread > 0 && unreadWords(unread)}
      </span>
    </>
  );
}
