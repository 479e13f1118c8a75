import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { BusyBars } from "./button";

/** How long a navigation may take before the player is told, in milliseconds. */
const PATIENCE = 300;

/** `Loading...` and the busy bars, under a rail. */
export function LoadingBar() {
  return (
    <div
      role="status"
      className="flex w-max items-center gap-2.5 rounded-b-panel border-t-4 border-spot-edge bg-overlay px-4 py-2 text-meta font-semibold shadow-float forced-colors:border-x forced-colors:border-b"
    >
      <BusyBars />
      Loading...
    </div>
  );
}

/** The `LoadingBar`, shown over the page (nothing moves) while a navigation waits longer than a blink for its answer. */
export function NavigationProgress() {
  const loading = useNavigation().state === "loading";
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!loading) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [loading]);
  if (!loading || !shown) return null;
  return (
    <div className="fixed top-0 left-1/2 z-70 -translate-x-1/2">
      <LoadingBar />
    </div>
  );
}
