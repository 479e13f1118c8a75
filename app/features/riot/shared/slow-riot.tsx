import { useEffect, useState } from "react";

/** How long a player waits for Riot before the page explains the delay, in milliseconds. */
const SLOW_AFTER = 3_000;

/**
 * Says that Riot is slow, and what happens next. Without JavaScript, only the browser's own loading indicator shows.
 * @param isAsking whether a response from Riot is pending
 */
export function SlowRiot({ isAsking }: { isAsking: boolean }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isAsking) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isAsking]);
  // In the page from the start, because screen readers only announce changes to an existing element.
  return (
    <p role="status" className={isSlow ? "text-meta text-muted" : "sr-only"}>
      {isSlow && "Riot is slow to answer. We'll wait up to 12 seconds. Your entries stay here."}
    </p>
  );
}
