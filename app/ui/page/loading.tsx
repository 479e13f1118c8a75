import { useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { useIsWaitingForNetwork } from "~/platform/network";
import { BusyBars } from "../button";

/** The delay before a slow navigation shows the loading bar, in milliseconds. */
const SHOW_AFTER = 300;

/** A line of text under a rail: the children, or `Loading...` after the busy bars by default. */
export function LoadingBar({ children }: { children?: ReactNode }) {
  return (
    <div role="status" className="loading-bar text-meta">
      {children ?? (
        <>
          <BusyBars />
          Loading...
        </>
      )}
    </div>
  );
}

/**
 * Shows the `LoadingBar` over the page without moving it: once a navigation takes longer than `SHOW_AFTER`, and while a
 * requested page waits for the network.
 */
export function NavigationProgress() {
  const loading = useNavigation().state === "loading";
  const isWaitingForNetwork = useIsWaitingForNetwork();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!loading) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), SHOW_AFTER);
    return () => clearTimeout(timer);
  }, [loading]);
  if (!isWaitingForNetwork && !(loading && shown)) return null;
  return (
    <div className="fixed top-0 left-1/2 z-70 -translate-x-1/2">
      {isWaitingForNetwork ? <LoadingBar>You're offline. This opens when you're back.</LoadingBar> : <LoadingBar />}
    </div>
  );
}
