import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { type InboxServerMessage, readInboxFrame } from "#party/wire/inbox-frames";
import type { InboxClientMessage } from "#party/wire/protocol";
import { MINUTE } from "~/platform/dates/durations";
import { useIsReloadWaiting } from "~/platform/network";
import { forgetPrefetched } from "~/platform/prefetched";
import { useRoom } from "~/platform/rooms/use-room";
import { useIsActive, useIsVisible } from "~/ui/hooks/use-is-active";
import { useQuietReload } from "~/ui/hooks/use-quiet-reload";
import { useTitleCount } from "~/ui/page/title-count";
import { isSoundOn } from "../sound/sound";
import { type Unread, useUnread } from "./unread-context";
import { unreadTotal } from "./unread-total";

/** The time that a tab must be idle before the player counts as away, in milliseconds. */
const AWAY_AFTER = 5 * MINUTE;
/**
 * The time that the header waits before it shows a new count, in milliseconds. A new message in the open conversation
 * counts as unread until the page has reported it as seen, so without the wait the count would flicker.
 */
const READ_GRACE = 1_500;

/**
 * Connects to the viewer's inbox while the page is open: keeps the unread counts (including the one in the tab's title)
 * up to date, plays a sound for news if the player has turned that on, and reports the viewer's presence.
 */
export function useInbox(): void {
  const shown = useUnread();
  const { setUnread, countNews } = shown;
  useTitleCount(unreadTotal(shown));
  const { state: revalidation } = useRevalidator();
  const isWaiting = useIsReloadWaiting();
  // The next try of a reload that has failed will load newer data than any message that has arrived by then.
  const isIdle = useNavigation().state === "idle" && (revalidation === "idle" || isWaiting);
  const isActive = useIsActive(AWAY_AFTER);
  const isVisible = useIsVisible();
  const timer = useRef<ReturnType<typeof setTimeout>>();

  // The messages that arrived while the page was loading. They wait until the page is idle, because the loaders' data
  // may be older than they are, and a page that isn't mounted yet can't receive them. `undefined` stands for a
  // time without a connection: news may have come and been read elsewhere, and the counts are then unchanged.
  const waiting = useRef<(InboxServerMessage | undefined)[]>([]);
  /** The counts as the room last sent them. Not every message includes the number of cases. */
  const told = useRef<Unread>({ messages: 0, notifications: 0 });
  const reportNews = () => {
    countNews();
    // Pages prefetched before the news don't have it.
    forgetPrefetched();
  };
  const apply = (counts?: InboxServerMessage) => {
    if (!counts) return reportNews();
    const { messages, notifications, conversationId, isNews } = counts;
    // A room also sends the counts whenever a socket opens. They differ if the page was rendered before some news.
    if (isNews || conversationId || messages !== shown.messages || notifications !== shown.notifications) reportNews();
    // The service worker closes pushes that were read elsewhere, and updates the count on the app's icon.
    navigator.serviceWorker?.controller?.postMessage(counts);
    // The pane with a conversation's newest messages has the conversation's id.
    const pane = conversationId && document.getElementById(conversationId);
    const isBeingRead = pane && isVisible;
    told.current = { ...told.current, ...counts };
    const isMore = () => told.current.messages > shown.messages || told.current.notifications > shown.notifications;
    if (isMore() && !isBeingRead && isSoundOn()) {
      // Counts without a conversation don't say what is new. The page may show it and report it as read in a moment.
      const isOnPage = !conversationId;
      import("../sound/play.client")
        .then(({ playNewsSound }) => playNewsSound(isMore, isOnPage))
        .catch(() => {
          // Silent if it can't be loaded: the header shows the news as well.
        });
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => {
        setUnread(told.current);
        // A later load may bring a newer number of cases.
        told.current = { messages, notifications };
      },
      isBeingRead ? READ_GRACE : 0,
    );
  };
  const receive = (event?: InboxServerMessage) => {
    if (isIdle) apply(event);
    else waiting.current.push(event);
  };
  useEffect(() => {
    if (isIdle) for (const event of waiting.current.splice(0)) apply(event);
  });

  /** The number of sessions that have ended while the page was open. */
  const [ends, setEnds] = useState(0);
  useQuietReload(ends, isVisible);
  const { state, send } = useRoom("/parties/inbox", {
    onFrame: (frame) => {
      const event = readInboxFrame(frame);
      if (event) receive(event);
    },
    onReopen: receive,
    // The player signed out elsewhere, so the loaders will redirect, or signed in again, so the data may be another
    // player's. After signing out in this tab, a navigation is already under way. A hidden tab waits until it is
    // visible, except for a sign-out in another tab, of which `AuthProvider` learns.
    onEnd: () => setEnds(ends + 1),
  });

  useEffect(() => {
    if (state !== "open") return;
    const inView = isActive && isVisible;
    send({ type: "presence", state: isActive ? "online" : "away", inView } satisfies InboxClientMessage);
  }, [state, isActive, isVisible, send]);
}
