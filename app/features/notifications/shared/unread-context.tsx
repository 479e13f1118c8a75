import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

/** How much the viewer has not read, as the header shows it. */
export interface Unread {
  messages: number;
  notifications: number;
}

interface LiveUnread extends Unread {
  /** What the viewer's inbox says. It holds until a loader knows better. */
  setUnread(unread: Unread): void;
  /** How often news has come in since the page came to life: a list that shows it loads again when this changes. */
  heard: number;
  /** News has come in. */
  hear(): void;
}

const NOTHING: Unread = { messages: 0, notifications: 0 };

const UnreadContext = createContext<LiveUnread | null>(null);

/**
 * Gives everything inside the viewer's unread totals: those that the page was loaded with, then whatever has come in
 * since. A new load counts afresh.
 * @param loaded as the loader answered it: the same object until it answers again; left out where none has counted, so
 *   that the inbox's room tells
 */
export function UnreadProvider({ loaded = NOTHING, children }: { loaded?: Unread | undefined; children: ReactNode }) {
  const [live, setLive] = useState<{ unread: Unread; over: Unread }>();
  const [heard, setHeard] = useState(0);
  const { messages, notifications } = live?.over === loaded ? live.unread : loaded;
  const setUnread = useCallback((unread: Unread) => setLive({ unread, over: loaded }), [loaded]);
  const hear = useCallback(() => setHeard((before) => before + 1), []);
  const value = useMemo(
    () => ({ messages, notifications, setUnread, heard, hear }),
    [messages, notifications, setUnread, heard, hear],
  );
  return <UnreadContext.Provider value={value}>{children}</UnreadContext.Provider>;
}

/**
 * The viewer's unread totals, and how to renew them.
 * @throws Error outside of an `UnreadProvider`
 */
export function useUnread(): LiveUnread {
  const unread = useContext(UnreadContext);
  if (!unread) throw new Error("useUnread must be used within an UnreadProvider");
  return unread;
}
