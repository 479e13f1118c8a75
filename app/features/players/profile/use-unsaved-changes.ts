import { type BlockerFunction, useBlocker } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { pageUnderDialog } from "~/ui/dialogs/dialogs";
import { differsFromSaved } from "./unsaved";

const pageOf = (pathname: string) => pageUnderDialog(pathname) ?? pathname;

/**
 * Watches a form for changes that are not saved, and holds back whatever would leave the page with them: a navigation
 * waits in `blocker` for an answer, and for a new document or a closed tab the browser asks.
 * @param saved what is saved, by field: the same object until it is loaded again
 * @param round changes whenever the form begins anew
 * @returns `look` compares once more; call it on each `input` event of the form
 */
export function useUnsavedChanges(
  formId: string,
  saved: Readonly<Record<string, string | readonly string[]>>,
  round: number,
) {
  const [isUnsaved, setUnsaved] = useState(false);
  const look = useCallback(() => {
    const form = document.getElementById(formId);
    setUnsaved(form instanceof HTMLFormElement && differsFromSaved(saved, new FormData(form)));
  }, [formId, saved]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in each round the form holds other values
  useEffect(look, [look, round]);

  // Dialogs of the page open over the form, and a form of the page comes back to it.
  const leavesUnsaved = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) =>
      isUnsaved && pageOf(currentLocation.pathname) !== pageOf(nextLocation.pathname),
    [isUnsaved],
  );
  const blocker = useBlocker(leavesUnsaved);
  // Only while there is something to lose: a page that listens is not kept for the way back.
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return { isUnsaved, look, blocker };
}
