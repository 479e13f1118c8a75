import { useEffect } from "react";
import { useIsOnline } from "~/platform/network";
import { whenIdle } from "~/ui/hooks/when-idle";

/** The time in which the tab where a message was written usually sends it, in milliseconds. */
const USUALLY_SENT = 5_000;
/** The signed-in player. The offline page shows only their messages, because several players may use this browser. */
const VIEWER = "lineup:viewer";

/**
 * Prepares a signed-in player's browser for lost connections. Once the page is idle, and whenever the site can be
 * reached again, installs the service worker, which stores `/offline`, and sends messages that an earlier page or a
 * closed tab couldn't send. Also sends those of a tab that is closed later. On the first page after the player has
 * signed out, removes their push subscription and notifications.
 * @param viewerId undefined if nobody is signed in
 */
export function useOfflineCare(viewerId: string | undefined): void {
  const isOnline = useIsOnline();
  useEffect(() => {
    const [hasLeft, hasUnsent] = rememberViewer(viewerId);
    if (hasLeft) {
      import("./features/notifications/push/turn-on.client").then(
        ({ removePushes }) => removePushes(),
        () => {}, // Offline: the server has ended the subscription with the session anyway.
      );
    }
    // In development, a service worker would keep an outdated copy.
    if (!viewerId || !isOnline || process.env.NODE_ENV !== "production") return;
    const send = () => import("./send-unsent").then(({ sendUnsent }) => sendUnsent(viewerId));
    whenIdle(() => {
      // A browser may lack service workers, or refuse them.
      navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
      if (hasUnsent) send();
    });
    // Another tab has stored a message. If that tab is closed before it has sent it, this one does.
    const listen = ({ key }: StorageEvent) => {
      if (key?.startsWith(unsentOf(viewerId))) setTimeout(() => localStorage.getItem(key) && send(), USUALLY_SENT);
    };
    addEventListener("storage", listen);
    return () => removeEventListener("storage", listen);
  }, [viewerId, isOnline]);
}

/** Returns the prefix of the keys of a player's unsent messages. */
const unsentOf = (id: string | undefined) => `lineup:unsent:${id}:`;

/**
 * Stores the signed-in player.
 * @returns whether somebody else was signed in before, and whether this browser has unsent messages of the player
 */
function rememberViewer(id: string | undefined): [hasLeft?: boolean, hasUnsent?: boolean] {
  try {
    const before = localStorage.getItem(VIEWER);
    if (id) localStorage.setItem(VIEWER, id);
    else localStorage.removeItem(VIEWER);
    return [before !== null && before !== id, Object.keys(localStorage).some((key) => key.startsWith(unsentOf(id)))];
  } catch {
    // Storage may be full or forbidden.
    return [];
  }
}
