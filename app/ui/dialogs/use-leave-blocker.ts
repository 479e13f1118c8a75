import { type Blocker, type BlockerFunction, useBlocker } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { pageUnderDialog } from "./dialogs";

const pageOf = (pathname: string) => pageUnderDialog(pathname) ?? pathname;

/**
 * Holds back navigation that would lose unsaved changes: in the app, a navigation waits in the returned blocker for an
 * answer (`LeaveQuestion`); when the document is unloaded, the browser asks.
 */
export function useLeaveBlocker(isUnsaved: boolean): Blocker {
  // The page's dialogs open over the form, and submitting the form returns to the same page: neither loses changes.
  const leavesUnsaved = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && pageOf(currentLocation.pathname) !== pageOf(nextLocation.pathname),
    [isUnsaved],
  );
  // Registered only while there are changes, because a `beforeunload` listener can keep the page out of the
  // back/forward cache.
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return useBlocker(leavesUnsaved);
}
