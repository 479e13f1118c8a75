import { useId } from "react";
import type { ShownMoment } from "~/platform/dates/time";
import type { Presence } from "~/ui/avatar";
import { Count, unreadWords } from "~/ui/badge";
import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import { ConversationBanner } from "../conversation-banner";

const PRESENCE_WORDS: Record<Presence, string | null> = { online: "Online", away: "Away", none: null };

/**
 * One conversation in the list: an `<li>` 80 px high whose banner hangs from the rule above. The link, named after the
 * other player, covers the row and has the unread count as its description. An unread row has its preview in the text
 * colour, and the count. The selected row is raised, with a sky edge.
 */
export function ConversationRow({
  to,
  name,
  letters,
  picture,
  presence = "none",
  time,
  preview,
  unread = 0,
  selected = false,
}: {
  to: string;
  /** The other player's name, or all names of a group: "Ngọc Huyền, Łukasz". */
  name: string;
  /** First letters: one, or two for a group. */
  letters: readonly [string] | readonly [string, string];
  /** The key of the other player's picture; none for a group. */
  picture?: string | null;
  presence?: Presence;
  /** When the last message was written. */
  time: ShownMoment;
  /** The preview of the last message; the viewer's own begins with "You: ". */
  preview: string;
  unread?: number;
  selected?: boolean;
}) {
  const id = useId();
  const isUnread = unread > 0;
  return (
    <li
      className={`group relative isolate flex h-20 flex-col border-b border-line [--surface:var(--sheet)] pt-[18px] pr-2 pl-[58px] md:pr-[18px] md:pl-[72px] hover:bg-raised hover:[--surface:var(--raised)] ${selected ? "bg-raised before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-spot-edge" : ""}`}
    >
      <span aria-hidden="true" className="pointer-events-none absolute -top-px left-2 group-first:top-0 md:left-[18px]">
        <ConversationBanner letters={letters} picture={picture} presence={presence} />
      </span>
      <span className="flex items-baseline gap-3">
        <Link
          to={to}
          title={name}
          prefetch="intent"
          aria-current={selected ? "page" : undefined}
          aria-describedby={isUnread ? id : undefined}
          className="min-w-0 flex-1 truncate font-semibold after:absolute after:inset-0 after:-z-1 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-spot-edge"
        >
          {name}
        </Link>
        {PRESENCE_WORDS[presence] && <span className="sr-only">{PRESENCE_WORDS[presence]}</span>}
        <RelativeTime moment={time} className="pointer-events-none flex-none text-meta text-muted" />
      </span>
      <span className="pointer-events-none flex items-center gap-3">
        <span
          className={`min-w-0 flex-1 truncate text-[0.875rem] leading-[1.5] ${isUnread ? "font-medium" : "text-muted"}`}
        >
          {preview}
        </span>
        <Count value={unread} className="flex-none" />
      </span>
      {isUnread && (
        <span id={id} hidden>
          {unreadWords(unread)}
        </span>
      )}
    </li>
  );
}
