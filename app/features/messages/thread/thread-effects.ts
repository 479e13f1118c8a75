import { type MutableRefObject, useEffect, useRef, useState } from "react";
import type { ConnectionState } from "~/platform/rooms/use-room";
import { useBrowserLayoutEffect } from "~/ui/hooks/use-browser-layout-effect";
import type { ThreadMessage } from "../rules";
import type { CatchUp } from "./catch-up";

/* The effects of an open thread. */

/** The interval at which new messages are requested while there is no socket, in milliseconds. */
const POLL = 10_000;

/**
 * Keeps the visible messages in place when older ones are inserted above them, and the focus in the pane if the link
 * that loaded them is gone.
 */
export function useStableScroll(stored: readonly ThreadMessage[]) {
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
  // The pane measures `scrollTop` from its lower end, so the same number is the same place.
  useBrowserLayoutEffect(() => {
    const { current } = scroll;
    if (place.current.first !== first && current) {
      current.scrollTop = place.current.top;
      if (place.current.first && document.activeElement === document.body) current.focus({ preventScroll: true });
    }
    place.current.first = first;
  }, [first]);
  return scroll;
}

/**
 * Requests new messages regularly while there is no socket, and once whenever the page becomes visible again or the
 * reader returns from older messages to the newest: more may have arrived while the page was loading.
 */
export function usePolling(
  state: ConnectionState,
  catchUp: MutableRefObject<CatchUp | undefined>,
  isOlderPage: boolean,
) {
  const wasOlderPage = useRef(isOlderPage);
  useEffect(() => {
    const pollIfVisible = () => {
      if (!document.hidden) catchUp.current?.poll();
    };
    if (wasOlderPage.current && !isOlderPage) pollIfVisible();
    wasOlderPage.current = isOlderPage;
    const timer = state === "open" ? undefined : setInterval(pollIfVisible, POLL);
    document.addEventListener("visibilitychange", pollIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", pollIfVisible);
    };
  }, [state, catchUp, isOlderPage]);
}

/**
 * Tells the room the last message that the viewer has seen, while the page is visible. A mark that the room hasn't
 * confirmed is sent again over the next connection, and when the page becomes visible again: it may have been lost with
 * the connection, or because the database didn't answer.
 * @param last the place of the last message on the page; 0 if the room isn't to be told
 * @param readBefore the place of the last message that was read before
 * @returns a function to call with the place that the room has confirmed
 */
export function useReading(
  last: number,
  readBefore: number,
  state: ConnectionState,
  sendFrame: (frame: object) => void,
): (seq: number) => void {
  const confirmed = useRef(readBefore);
  useEffect(() => {
    const read = () => {
      if (state === "open" && !document.hidden && last > confirmed.current) sendFrame({ type: "read", seq: last });
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [last, state, sendFrame]);
  return (seq) => {
    confirmed.current = Math.max(confirmed.current, seq);
  };
}

/**
 * Returns whether a moment is still ahead, and renders the component again when it passes.
 * @param moment milliseconds since 1970
 */
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
