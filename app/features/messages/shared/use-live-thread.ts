import { useState } from "react";
import { readConversationFrame } from "#party/wire/conversation-frames";
import type { PresenceState } from "#party/wire/presence";
import { type DateStyle, timeOf } from "~/platform/dates/dates";
import { useRoom } from "~/platform/rooms/use-room";
import { useReload } from "~/ui/hooks/use-reload";
import type { HeadView } from "../present.server";
import type { Stretch } from "../rules";
import { usePolling, useReading, useUntil } from "../thread/thread-effects";
import { useThread } from "../thread/use-thread";

/**
 * The time that "is typing" stays visible, in milliseconds: longer than the interval at which the writer's page
 * repeats it.
 */
const TYPING_LASTS = 5_000;

/** A page of a conversation, as `loadThread` in `load-thread.server.ts` returns it. */
export interface ThreadPage extends Stretch {
  head: HeadView;
  viewerId: string;
  /** The id of the next message, for submitting the form without JavaScript. */
  nextId: string;
  /** The reader's date and time formats. */
  dates: DateStyle;
  /** The name of the time zone, if the reader could be in doubt about it. */
  zoneNote: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Keeps a conversation up to date: starts with the page's messages, and adds everything that the room sends.
 * @param isMatchPage whether this is the chat on a match's page, which reloads by itself when the match changes
 */
export function useLiveThread(page: ThreadPage, isMatchPage = false) {
  const { head, viewerId, dates } = page;
  const { other, party } = head;
  const thread = useThread(head.id, viewerId, page);
  const { stored, isOlderPage, receive, catchUp } = thread;
  const [seenLive, setSeenLive] = useState(0);
  const [typing, setTyping] = useState({ name: head.name, until: 0 });
  // The other player's presence as the room reports it; it counts until the page is loaded again.
  const [live, setLive] = useState<{ over: HeadView["other"]; state: PresenceState; seenAt: number }>();
  const livePresence = live?.over === other ? live : undefined;
  const reload = useReload();

  const { state, send: sendFrame } = useRoom(`/parties/conversation/${head.id}`, {
    onFrame: handleFrame,
    // The party, a block or the other player's presence may have changed while the page was not connected.
    onReopen: reload,
    since: page.now,
  });

  function handleFrame(frame: string) {
    const event = readConversationFrame(frame);
    switch (event?.type) {
      case "message":
        receive(event.message);
        if (event.message.senderId !== viewerId) setTyping((before) => ({ ...before, until: 0 }));
        break;
      case "hello":
        catchUp.current?.catchUpTo(event.lastSeq);
        break;
      case "typing":
        if (event.userId !== viewerId) {
          const name = party?.members.find(({ id }) => id === event.userId)?.name ?? head.name;
          setTyping({ name, until: Date.now() + TYPING_LASTS });
        }
        break;
      case "read":
        if (event.userId === viewerId) confirmReading(event.seq);
        if (event.userId === other?.id) setSeenLive((before) => Math.max(before, event.seq));
        break;
      case "presence":
        if (event.userId === other?.id) setLive({ over: other, state: event.state, seenAt: event.seenAt });
        break;
      case "match":
        if (!isMatchPage) reload();
        break;
      case "edited":
        thread.drop(event.seq);
        reload();
        break;
      case "changed":
      case "team":
        reload();
        break;
      default:
    }
  }

  /** Returns, in words, when the other of two players was last seen, even if that was after the page was loaded. */
  function lastSeen(): { words: string; short: string } | null {
    const loaded = other?.presence.lastSeen;
    const written = stored.findLast(({ senderId }) => senderId === other?.id)?.createdAt ?? 0;
    const seenAt = Math.max(livePresence?.seenAt ?? 0, written > page.now ? written : 0);
    if (seenAt > (loaded ? Date.parse(loaded.iso) : 0)) {
      const words = `at ${timeOf(seenAt, dates)}`;
      return { words, short: words };
    }
    return loaded ? { words: loaded.ago, short: loaded.short } : null;
  }

  usePolling(state, catchUp, isOlderPage);
  const confirmReading = useReading(isOlderPage ? 0 : thread.lastSeq, head.lastReadSeq, state, sendFrame);
  const isTyping = useUntil(typing.until);
  return {
    ...thread,
    /** The state of the socket to the room. */
    connection: state,
    /** Tells the room that the viewer is typing. */
    sendTyping: () => sendFrame({ type: "typing" }),
    /** The name of another player who is typing, else null. */
    typing: isTyping ? typing.name : null,
    /** The place of the last message that the other of two players has read. */
    seenSeq: Math.max(seenLive, other?.lastReadSeq ?? 0),
    /** The presence of the other of two players. */
    presence: livePresence?.state ?? other?.presence.state ?? "offline",
    lastSeen: lastSeen(),
  };
}

export type LiveThread = ReturnType<typeof useLiveThread>;
