import { useCallback, useEffect, useState } from "react";
import { useLeaveBlocker } from "~/ui/dialogs/use-leave-blocker";
import { differsFromSaved } from "./unsaved";

/**
 * Watches a form for unsaved changes, and holds back navigation that would lose them (`useLeaveBlocker`).
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
  return { isUnsaved, compare, blocker: useLeaveBlocker(isUnsaved) };
}
