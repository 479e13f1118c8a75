import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { BusyBars } from "./button";

/** How long a navigation may take before the player is told, in milliseconds. */
const PATIENCE = 300;

/** `Loading...`, shown over the page (nothing moves) while a navigation waits longer than a blink for its answer. */
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
    <div
      role="status"
      className="fixed top-0 left-1/2 z-70 flex -translate-x-1/2 items-center gap-2.5 rounded-b-panel border-t-4 border-spot-edge bg-overlay px-4 py-2 text-meta font-semibold shadow-float"
    >
      <BusyBars />
      Loading...
    </div>
  );
}
