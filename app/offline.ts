import { useEffect } from "react";

/** The player who is signed in. The page without a network shows only their messages, because several may use this browser. */
const VIEWER = "lineup:viewer";

/**
 * Prepares this browser for lost connections, for a player who is signed in: once the page is idle, it installs the
 * service worker, which keeps `/offline`, and sends what an earlier page couldn't send.
 * @param viewerId undefined if nobody is signed in
 */
export function useOfflineCare(viewerId: string | undefined): void {
  useEffect(() => {
    const unsent = rememberViewer(viewerId);
    // While developing, a service worker would keep an outdated copy.
    if (!viewerId || process.env.NODE_ENV !== "production") return;
    const begin = () => {
      // A browser may lack service workers, or refuse them.
      navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
      if (unsent) import("./send-unsent").then(({ sendUnsent }) => sendUnsent(viewerId));
    };
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in window) requestIdleCallback(begin);
    else setTimeout(begin, 2_000);
  }, [viewerId]);
}

/** @returns whether messages of theirs wait in this browser */
function rememberViewer(id: string | undefined): boolean {
  try {
    if (id) localStorage.setItem(VIEWER, id);
    else localStorage.removeItem(VIEWER);
    return Object.keys(localStorage).some((key) => key.startsWith(`lineup:unsent:${id}:`));
  } catch {
    // Storage may be full or forbidden.
    return false;
  }
}
