import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type InboxServerMessage, readInboxFrame } from "#party/wire/inbox-frames";
import type { InboxClientMessage } from "#party/wire/protocol";
import { MINUTE } from "~/platform/dates/durations";
import { useRoom } from "~/platform/rooms/use-room";
import { useIsActive } from "~/ui/hooks/use-is-active";
import { useUnread } from "./unread-context";

/** Who has not touched a tab for so long is away. Milliseconds. */
const AWAY_AFTER = 5 * MINUTE;
/**
 * A message in the conversation that is open counts as unread until the page has said that it was seen: so long the
 * header waits for that, lest its count flicker. Milliseconds.
 */
const READING = 1_500;

/**
 * Listens to the viewer's inbox while the page is open: keeps the unread totals as they are, and tells whether the
 * viewer is there.
 * @param reading the conversation that is in view; null when none is
 */
export function useInbox(reading: string | null): void {
  const shown = useUnread();
  const { setUnread, hear } = shown;
  const { revalidate, state: revalidation } = useRevalidator();
  const isNavigating = useNavigation().state !== "idle";
  const isIdle = !isNavigating && revalidation === "idle";
  const isActive = useIsActive(AWAY_AFTER);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);

  // The latest that came in while the page was loading. What the loaders answered may be older than that, and a page that
  // is not there yet can't hear: it is told once it is.
  const waiting = useRef<InboxServerMessage | null>(null);
  const take = ({ messages, notifications, conversationId }: InboxServerMessage) => {
    // A room says the totals whenever a socket opens, news or not.
    const isNews = messages !== shown.messages || notifications !== shown.notifications;
    if (isNews || conversationId !== undefined) hear();
    const isBeingRead = conversationId !== undefined && conversationId === reading && !document.hidden;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setUnread({ messages, notifications }), isBeingRead ? READING : 0);
  };
  useEffect(() => {
    if (!isIdle || !waiting.current) return;
    take(waiting.current);
    waiting.current = null;
  });

  const { state, send } = useRoom("/parties/inbox", {
    onFrame: (frame) => {
      const event = readInboxFrame(frame);
      if (!event) return;
      if (isIdle) take(event);
      else waiting.current = event;
    },
    // Signed out elsewhere: the loaders know where to go from here. Who signs out here is on the way already.
    onEnd: () => {
      if (!isNavigating) revalidate();
    },
  });

  useEffect(() => {
    if (state === "open") send({ type: "presence", state: isActive ? "online" : "away" } satisfies InboxClientMessage);
  }, [state, isActive, send]);
}
