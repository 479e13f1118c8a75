import { useCallback, useState } from "react";
import { forgetPrefetched } from "~/platform/prefetched";
import { useQuietReload } from "./use-quiet-reload";

/** Returns a function that reloads the page's data, as soon as `useQuietReload` allows it. */
export function useReload(): () => void {
  /** The number of requested reloads. */
  const [asked, setAsked] = useState(0);
  useQuietReload(asked);
  return useCallback(() => {
    setAsked((count) => count + 1);
    // Pages prefetched before the change don't have it.
    forgetPrefetched();
  }, []);
}
