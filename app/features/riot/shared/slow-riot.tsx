import { useEffect, useState } from "react";

/** After how long a wait for Riot is worth a word, in milliseconds. */
const SLOW_AFTER = 3_000;

/**
 * Says that Riot takes its time, and what happens next. Without script the browser's own sign of loading is all.
 * @param isAsking whether an answer of Riot's is awaited
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
  // It is in the page from the start: only then do screen readers hear what is put into it.
  return (
    <p role="status" className={isSlow ? "text-meta text-muted" : "sr-only"}>
      {isSlow && "Riot is slow to answer. We wait up to 12 seconds in all, and what you entered stays here."}
    </p>
  );
}
