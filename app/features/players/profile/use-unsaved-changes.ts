import { type BlockerFunction, useBlocker } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { pageUnderDialog } from "~/ui/dialogs/dialogs";
import { differsFromSaved } from "./unsaved";

const pageOf = (pathname: string) => pageUnderDialog(pathname) ?? pathname;

/**
 * Watches a form for unsaved changes, and holds back navigation that would lose them: in the app, a navigation waits in
 * `blocker` for an answer; when the document is unloaded, the browser asks.
 * @param saved the saved values, by field; must be the same object until they are loaded again
 * @param round a number that changes whenever the form is mounted again with other values
 * @returns `compare` repeats the comparison; call it on each `input` event of the form
 */
export function useUnsavedChanges(
  formId: string,
  saved: Readonly<Record<string, string | readonly string[]>>,
  round: number,
) {
  const [isUnsaved, setUnsaved] = useState(false);
  const compare = useCallback(() => {
    const form = document.getElementById(formId);
    setUnsaved(form instanceof HTMLFormElement && differsFromSaved(saved, new FormData(form)));
  }, [formId, saved]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in each round the form holds other values
  useEffect(compare, [compare, round]);

  // The page's dialogs open over the form, and submitting the form returns to the same page: neither loses changes.
  const leavesUnsaved = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && pageOf(currentLocation.pathname) !== pageOf(nextLocation.pathname),
    [isUnsaved],
  );
  const blocker = useBlocker(leavesUnsaved);
  // Registered only while there are changes, because a `beforeunload` listener can keep the page out of the
  // back/forward cache.
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return { isUnsaved, compare, blocker };
}
