import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { UNANSWERED } from "~/platform/network";
import type { Toast } from "~/platform/pages/toast";

const EVENT = "lineup:toast";
const WITHDRAWN = "lineup:toast-withdrawn";

/** Shows a toast from anywhere in the page, each id only once. Browser only. */
export function showToast(toast: Toast): void {
  window.dispatchEvent(new CustomEvent<Toast>(EVENT, { detail: toast }));
}

/** Removes a toast from the page. Browser only. */
function withdrawToast(id: string): void {
  window.dispatchEvent(new CustomEvent<string>(WITHDRAWN, { detail: id }));
}

const unanswered = (): Toast => ({
  id: crypto.randomUUID(),
  kind: "error",
  title: "Error",
  description: "Lineup can't be reached from here. Try again in a moment.",
});

/**
 * Collects the page's toasts, each once: those from the root loader, those from `showToast`, and one for each button
 * whose request couldn't reach the server. The server sends a toast only once, so the page keeps it in case another
 * load replaces the data before the toast is shown.
 * @returns all successes, and the latest toast if it is an error. An error disappears with its page, or when a newer
 *   toast replaces it
 */
export function useToasts(fromServer: Toast | null): Toast[] {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  // An action's toast is added in an effect, after the render that shows its page.
  const page = useRef(here);
  page.current = here;
  const [toasts, setToasts] = useState<(readonly [Toast, page: string])[]>(fromServer ? [[fromServer, here]] : []);
  const add = useCallback((toast: Toast) => {
    setToasts((before) => (before.some(([{ id }]) => id === toast.id) ? before : [...before, [toast, page.current]]));
  }, []);
  if (fromServer && !toasts.some(([{ id }]) => id === fromServer.id)) add(fromServer);
  useEffect(() => {
    const addShown = (event: Event) => add((event as CustomEvent<Toast>).detail);
    const addUnanswered = () => add(unanswered());
    const withdraw = ({ detail }: Event & { detail?: string }) =>
      setToasts((before) => before.filter(([{ id }]) => id !== detail));
    window.addEventListener(EVENT, addShown);
    window.addEventListener(UNANSWERED, addUnanswered);
    window.addEventListener(WITHDRAWN, withdraw);
    return () => {
      window.removeEventListener(EVENT, addShown);
      window.removeEventListener(UNANSWERED, addUnanswered);
      window.removeEventListener(WITHDRAWN, withdraw);
    };
  }, [add]);
  return useMemo(
    () =>
      toasts.flatMap(([toast, shownOn], at) =>
        toast.kind === "success" || (at === toasts.length - 1 && shownOn === here) ? toast : [],
      ),
    [toasts, here],
  );
}

/**
 * Shows the toast of an action's reply, unless it came with the document and is already shown. An error disappears when
 * the form gets another reply, or with its page.
 */
export function useReplyToast(reply: { toast: Toast } | undefined): void {
  useEffect(() => {
    if (!reply) return;
    const { toast } = reply;
    showToast(toast);
    if (toast.kind === "error") return () => withdrawToast(toast.id);
  }, [reply]);
}
