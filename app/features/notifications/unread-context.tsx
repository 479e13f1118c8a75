import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

/** How much the viewer has not read, as the header shows it. */
export interface Unread {
  messages: number;
  notifications: number;
}

export interface LiveUnread extends Unread {
  /** How often news has come in since the page came to life: a list that shows it loads again when this changes. */
  heard: number;
  /** What the viewer's inbox says. It holds until a loader knows better. */
  setUnread(unread: Unread): void;
}

const UnreadContext = createContext<LiveUnread | null>(null);

/**
 * Gives everything inside the viewer's unread totals: those that the page was loaded with, then whatever has come in
 * since. A new load counts afresh.
 * @param loaded as the loader answered it: the same object until it answers again
 */
export function UnreadProvider({ loaded, children }: { loaded: Unread; children: ReactNode }) {
  const [live, setLive] = useState<{ unread: Unread; over: Unread; heard: number }>();
  const { messages, notifications } = live?.over === loaded ? live.unread : loaded;
  const heard = live?.heard ?? 0;
  const setUnread = useCallback(
    (unread: Unread) => setLive((before) => ({ unread, over: loaded, heard: (before?.heard ?? 0) + 1 })),
    [loaded],
  );
  const value = useMemo(
    () => ({ messages, notifications, heard, setUnread }),
    [messages, notifications, heard, setUnread],
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
