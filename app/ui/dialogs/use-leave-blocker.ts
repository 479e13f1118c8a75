import { type Blocker, type BlockerFunction, useBlocker } from "@remix-run/react";
import { useCallback, useEffect } from "react";
import { pageUnderDialog } from "./dialogs";

const pageOf = (pathname: string) => pageUnderDialog(pathname) ?? pathname;

/**
 * Makes reloads of the page's data wait while a navigation is held back. Whenever a load is complete, the router
 * forgets that navigation, and its question would close by itself.
 * @returns a function that ends this
 */
function holdReloads(): () => void {
  const router = window.__remixRouter;
  const { revalidate } = router;
  const isHolding = () => [...router.state.blockers.values()].some(({ state }) => state !== "unblocked");
  let isWaiting = false;
  router.revalidate = () => {
    isWaiting = isHolding();
    if (!isWaiting) revalidate();
  };
  const stop = router.subscribe(() => {
    if (isWaiting) router.revalidate();
  });
  return () => {
    stop();
    router.revalidate = revalidate;
  };
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
  // `useRevalidator` gets the router's new function in the render that opens the question, if not before.
  useEffect(() => (isUnsaved ? holdReloads() : undefined), [isUnsaved]);
  return useBlocker(leavesUnsaved);
}
