import { useCallback, useEffect, useRef, useState } from "react";
import type { ConnectionState } from "~/platform/rooms/use-room";
import { useBrowserLayoutEffect } from "~/ui/hooks/use-browser-layout-effect";
import type { ThreadMessage } from "../rules";

/* What an open thread does by itself. */

/** While the room can't be heard, new messages are asked for this often. Milliseconds. */
const POLL = 10_000;

/** Keeps what is in view where it is when older messages come in above it. */
export function useStillWhenOlderCome(stored: readonly ThreadMessage[]) {
  const scroll = useRef<HTMLDivElement>(null);
  const first = stored[0]?.seq;
  const place = useRef({ first, top: 0 });
  useEffect(() => {
    const keep = () => {
      place.current.top = scroll.current?.scrollTop ?? 0;
    };
    const { current } = scroll;
    current?.addEventListener("scroll", keep, { passive: true });
    return () => current?.removeEventListener("scroll", keep);
  }, []);
  // The pane counts from its lower end, so the same number is the same place.
  useBrowserLayoutEffect(() => {
    if (place.current.first !== first && scroll.current) scroll.current.scrollTop = place.current.top;
    place.current.first = first;
  }, [first]);
  return scroll;
}

/** A message that is missing between two others may still be on its way; if not, it is asked for. */
export function useGaps(stored: readonly ThreadMessage[], catchUp: () => void) {
  const hasGap = stored.some(({ seq }, index) => index > 0 && seq !== (stored[index - 1]?.seq ?? 0) + 1);
  useEffect(() => {
    if (!hasGap) return;
    const timer = setTimeout(catchUp, 300);
    return () => clearTimeout(timer);
  }, [hasGap, catchUp]);
}

/** Where no socket gets through, new messages are asked for; and once when the page comes back into view. */
export function usePolling(state: ConnectionState, catchUp: () => void) {
  useEffect(() => {
    if (state === "open") return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") catchUp();
    }, POLL);
    return () => clearInterval(timer);
  }, [state, catchUp]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") catchUp();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [catchUp]);
}

/** Tells the room what has been seen: the last message, while the page is in view. */
export function useReading(
  stored: readonly ThreadMessage[],
  readBefore: number,
  state: ConnectionState,
  tell: (frame: object) => void,
) {
  const told = useRef(readBefore);
  const last = stored.at(-1)?.seq ?? 0;
  const read = useCallback(() => {
    if (state !== "open" || document.visibilityState !== "visible" || last <= told.current) return;
    told.current = last;
    tell({ type: "read", seq: last });
  }, [last, state, tell]);
  useEffect(() => {
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [read]);
}

/** Whether a moment is still to come; turns false by itself. */
export function useUntil(moment: number): boolean {
  const [, tick] = useState(0);
  useEffect(() => {
    const left = moment - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => tick((count) => count + 1), left);
    return () => clearTimeout(timer);
  }, [moment]);
  return moment > 0 && moment > Date.now();
}
