import { useCallback, useEffect, useState } from "react";
import { useLeaveBlocker } from "~/ui/dialogs/use-leave-blocker";
import { differsFromSaved } from "./unsaved";

type Values = Readonly<Record<string, string | readonly string[]>>;

/**
 * Watches a form for unsaved changes, and holds back navigation that would lose them (`useLeaveBlocker`). A form with
 * unsaved changes keeps the saved values that it was opened with, even if the page loads newer ones. It also keeps
 * their version, so that saving is refused and doesn't overwrite the newer values unseen.
 * @param loaded the saved values, by field, and their version; `values` must be the same object until they are loaded
 *   again
 * @param isSaved whether the form has just been saved, and the loaded values therefore include its changes
 * @returns `opened`: the values and version for the form, which is mounted again with each new `round`; `compare`
 *   repeats the comparison, and must be called on each `input` event of the form; `discard` drops the changes
 */
export function useUnsavedChanges<Saved extends Values>(
  formId: string,
  loaded: { values: Saved; version: string },
  isSaved: boolean,
) {
  const [opened, setOpened] = useState({ ...loaded, round: 0 });
  const [isUnsaved, setUnsaved] = useState(false);
  const discard = () => setOpened({ ...loaded, round: opened.round + 1 });
  if (loaded.values !== opened.values) {
    const isSame = JSON.stringify({ ...opened.values, ...loaded.values }) === JSON.stringify(opened.values);
    if (isSame) setOpened({ ...loaded, round: opened.round });
    else if (isSaved || !isUnsaved) discard();
  }
  const { values, round } = opened;
  const compare = useCallback(() => {
    const form = document.getElementById(formId);
    setUnsaved(form instanceof HTMLFormElement && differsFromSaved(values, new FormData(form)));
  }, [formId, values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in each round the form holds other values
  useEffect(compare, [compare, round]);
  return { opened, isUnsaved, compare, discard, blocker: useLeaveBlocker(isUnsaved) };
}
