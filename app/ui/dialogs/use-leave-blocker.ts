import { type Blocker, type BlockerFunction, useBlocker } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { pageUnderDialog } from "./dialogs";

const pageOf = (pathname: string) => pageUnderDialog(pathname) ?? pathname;

/**
 * Keeps a navigation held back until the player answers the question about it. Otherwise the router would forget that
 * navigation whenever a load of the page's data completes, and the question would close by itself.
 * @returns a function that stops this
 */
function keepHeld(): () => void {
  const router = window.__remixRouter;
  let { blockers, loaderData } = router.state;
  return router.subscribe((state) => {
    // A load brings new data; the player's answer doesn't. React renders this state only after its subscribers were
    // called.
    for (const [key, blocker] of blockers) {
      const isForgotten = blocker.state === "blocked" && state.blockers.get(key)?.state === "unblocked";
      if (isForgotten && state.loaderData !== loaderData) state.blockers.set(key, blocker);
    }
    ({ blockers, loaderData } = state);
  });
}

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
  useEffect(() => (isUnsaved ? keepHeld() : undefined), [isUnsaved]);
  const blocker = useBlocker(leavesUnsaved);
  // The changes were saved while the question was open.
  useEffect(() => {
    if (!isUnsaved && blocker.state === "blocked") blocker.proceed();
  }, [isUnsaved, blocker]);
  return blocker;
}
