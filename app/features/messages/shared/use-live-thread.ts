import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { readConversationFrame } from "#party/wire/conversation-frames";
import type { PresenceState } from "#party/wire/presence";
import { type DateStyle, timeOf } from "~/platform/dates/dates";
import { useRoom } from "~/platform/rooms/use-room";
import type { HeadView } from "../present.server";
import type { ThreadMessage } from "../rules";
import { useGaps, usePolling, useReading, useUntil } from "../thread/thread-effects";
import { useThread } from "../thread/use-thread";

/** How long "is typing" is believed, in milliseconds: longer than it takes the writer's page to say it again. */
const TYPING_LASTS = 5_000;

/** A page of a conversation, as a loader has read it: `loadThread` in `load-thread.server.ts`. */
export interface ThreadPage {
  head: HeadView;
  viewerId: string;
  messages: ThreadMessage[];
  hasOlder: boolean;
  /** This page shows older messages: there are newer ones after it. */
  isOlderPage: boolean;
  /** The id of the next message, for the form without JavaScript. */
  nextId: string;
  /** How the reader has dates and times written. */
  dates: DateStyle;
  /** The zone of its times, where the reader could doubt it. */
  zoneNote: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** A conversation as it is at this moment: the page's messages, and what its room tells from then on. */
export function useLiveThread(page: ThreadPage) {
  const { head, viewerId, dates } = page;
  const { other, party } = head;
  const thread = useThread(head.id, viewerId, page);
  const { stored, add, catchUp } = thread;
  const [seenLive, setSeenLive] = useState(0);
  const [typing, setTyping] = useState({ name: head.name, until: 0 });
  // What the room has said of the other holds until the page is loaded again.
  const [live, setLive] = useState<{ over: HeadView["other"]; state: PresenceState; seenAt: number }>();
  const heard = live?.over === other ? live : undefined;
  const revalidator = useRevalidator();

  const { state, send: tell } = useRoom(`/parties/conversation/${head.id}`, { onFrame: hear });

  function hear(frame: string) {
    const event = readConversationFrame(frame);
    switch (event?.type) {
      case "message":
        add([event.message]);
        if (event.message.senderId !== viewerId) setTyping((before) => ({ ...before, until: 0 }));
        break;
      case "hello":
        if (event.lastSeq > (stored.at(-1)?.seq ?? 0)) void catchUp();
        break;
      case "typing":
        if (event.userId !== viewerId) {
          const name = party?.members.find(({ id }) => id === event.userId)?.name ?? head.name;
          setTyping({ name, until: Date.now() + TYPING_LASTS });
        }
        break;
      case "read":
        if (event.userId === other?.id) setSeenLive((before) => Math.max(before, event.seq));
        break;
      case "presence":
        if (event.userId === other?.id) setLive({ over: other, state: event.state, seenAt: event.seenAt });
        break;
      case "changed":
        revalidator.revalidate();
        break;
      default:
    }
  }

  /** When the other of two was last seen, in words: what has happened since the page was loaded counts, too. */
  function lastSeen(): { words: string; short: string } | null {
    const loaded = other?.presence.lastSeen;
    const written = stored.findLast(({ senderId }) => senderId === other?.id)?.createdAt ?? 0;
    const seenAt = Math.max(heard?.seenAt ?? 0, written > page.now ? written : 0);
    if (seenAt > (loaded ? Date.parse(loaded.iso) : 0)) {
      const words = `at ${timeOf(seenAt, dates)}`;
      return { words, short: words };
    }
    return loaded ? { words: loaded.ago, short: loaded.short } : null;
  }

  useGaps(stored, catchUp);
  usePolling(state, catchUp);
  useReading(stored, head.lastReadSeq, state, tell);
  const isTyping = useUntil(typing.until);
  return {
    ...thread,
    /** Whether the room can be heard. */
    connection: state,
    /** Says that the viewer is typing. */
    tellTyping: () => tell({ type: "typing" }),
    /** Who else is typing. */
    typing: isTyping ? typing.name : null,
    /** The other of two has read up to here. */
    seenSeq: Math.max(seenLive, other?.lastReadSeq ?? 0),
    /** Of the other of two. */
    presence: heard?.state ?? other?.presence.state ?? "offline",
    lastSeen: lastSeen(),
  };
}

export type LiveThread = ReturnType<typeof useLiveThread>;
