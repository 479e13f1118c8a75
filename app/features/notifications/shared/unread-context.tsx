import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

/** The viewer's unread counts in the header. */
export interface Unread {
  messages: number;
  notifications: number;
  /** Number of cases waiting for a moderator, once the inbox has reported it; never set for players. */
  cases?: number | undefined;
}

interface LiveUnread extends Unread {
  /**
   * Sets the counts reported by the viewer's inbox, and leaves the others. They apply until a loader returns new ones.
   */
  setUnread(unread: Unread): void;
  /** The number of times that news has arrived since hydration. A list of notifications reloads when this changes. */
  newsCount: number;
  /** Records that news has arrived. */
  countNews(): void;
}

const NOTHING: Unread = { messages: 0, notifications: 0 };

const UnreadContext = createContext<LiveUnread | null>(null);

/**
 * Provides the viewer's unread counts: first those loaded with the page, then those reported by the inbox, until the
 * next load.
 * @param loaded the loader's value, the same object until the next load; omitted if no loader has counted, in which
 *   case the inbox's room reports the counts
 */
export function UnreadProvider({ loaded = NOTHING, children }: { loaded?: Unread | undefined; children: ReactNode }) {
  const [live, setLive] = useState<{ unread: Unread; replaced: Unread }>();
  const [newsCount, setNewsCount] = useState(0);
  const shown = live?.replaced === loaded ? live.unread : loaded;
  const setUnread = useCallback(
    (unread: Unread) =>
      setLive((before) => ({
        unread: { ...(before?.replaced === loaded ? before.unread : loaded), ...unread },
        replaced: loaded,
      })),
    [loaded],
  );
  const countNews = useCallback(() => setNewsCount((before) => before + 1), []);
  const value = useMemo(
    () => ({ ...shown, setUnread, newsCount, countNews }),
    [shown, setUnread, newsCount, countNews],
  );
  return <UnreadContext.Provider value={value}>{children}</UnreadContext.Provider>;
}

/**
 * Returns the viewer's unread counts, and functions to update them.
 * @throws Error outside an `UnreadProvider`
 */
export function useUnread(): LiveUnread {
  const unread = useContext(UnreadContext);
  if (!unread) throw new Error("useUnread must be used within an UnreadProvider");
  return unread;
}
