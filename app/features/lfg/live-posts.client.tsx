import { useState } from "react";
import { type PostState, readPostFrame } from "#party/wire/post-frames";
import { useRoom } from "~/platform/rooms/use-room";
import { Link } from "~/ui/link";

/**
 * Keeps an open list up to date: reports changes to the posts on its cards, and shows a link to the newest list while
 * there are new posts. The list itself never moves.
 */
export default function LivePosts({
  room,
  list,
  shown,
  onChange,
}: {
  /** The address of the list's room, with its filters but without `shown`. A new address needs a new `key`. */
  room: string;
  /** The address of the list's first page. */
  list: string;
  /** The posts on the page, by id. */
  shown: readonly string[];
  onChange: (states: readonly PostState[]) => void;
}) {
  const [newer, setNewer] = useState<ReadonlySet<string>>(new Set());
  useRoom(`${room}&shown=${shown.join("_")}`, {
    onFrame: (text) => {
      const frame = readPostFrame(text);
      if (frame?.type === "list") {
        setNewer(new Set(frame.newer));
        onChange(frame.shown);
      } else if (frame) {
        const { type, fits, isNew, ...state } = frame;
        const { id } = state;
        if (shown.includes(id)) onChange([state]);
        else
          setNewer((known) => {
            const next = new Set(known);
            if (!fits) next.delete(id);
            else if (isNew) next.add(id);
            return next;
          });
      }
    },
  });
  const count = newer.size;
  return (
    <p role="status" className="new-posts">
      {count > 0 && (
        <Link to={list} className="btn" data-size="row" onClick={() => document.getElementById("newest")?.focus()}>
          {count > 99 ? "99+" : count} new {count === 1 ? "post" : "posts"}
        </Link>
      )}
    </p>
  );
}
