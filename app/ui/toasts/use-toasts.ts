import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { SUBMISSION_FAILED } from "~/platform/network";
import type { Toast } from "~/platform/pages/toast";

/** Adds a toast to the page, or withdraws it. Undefined until the page is mounted. */
let change: ((toast: Toast, isWithdrawn?: boolean) => void) | undefined;

/** Shows a toast from anywhere in the page, each id only once. Browser only. */
export const showToast = (toast: Toast): void => change?.(toast);

const UNREACHABLE = "Lineup can't be reached from here. Try again in a moment.";

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
  const [toasts, setToasts] = useState<(readonly [Toast, page: string])[]>([]);
  const add = useCallback((toast: Toast) => {
    setToasts((before) => (before.some(([{ id }]) => id === toast.id) ? before : [...before, [toast, page.current]]));
  }, []);
  if (fromServer && !toasts.some(([{ id }]) => id === fromServer.id)) add(fromServer);
  useEffect(() => {
    change = (toast, isWithdrawn) =>
      isWithdrawn ? setToasts((before) => before.filter(([{ id }]) => id !== toast.id)) : add(toast);
    const addUnanswered = () =>
      add({ id: crypto.randomUUID(), kind: "error", title: "Error", description: UNREACHABLE });
    window.addEventListener(SUBMISSION_FAILED, addUnanswered);
    return () => window.removeEventListener(SUBMISSION_FAILED, addUnanswered);
  }, [add]);
  return useMemo(
    () =>
      toasts.flatMap(([toast, shownOn], at) =>
        toast.kind === "success" || (at === toasts.length - 1 && shownOn === here) ? toast : [],
      ),
    [toasts, here],
  );
}

/** The replies whose form has since left the page. */
export const departedReplies = new WeakSet<object>();

/**
 * Shows the toast of an action's reply, unless it came with the document and is already shown. An error disappears when
 * the form gets another reply or leaves the page, unless it left because of the change that the reply reports.
 */
export function useReplyToast(reply: { toast: Toast } | undefined): void {
  useEffect(() => {
    if (!reply) return;
    const { toast } = reply;
    // A form that is immediately mounted again has not left.
    departedReplies.delete(reply);
    showToast(toast);
    return () => {
      departedReplies.add(reply);
      // After a change, the page may have reloaded without the form. The router keeps the reply until the next load.
      const isNews = Object.values(window.__remixRouter.state.actionData ?? {}).includes(reply);
      if (toast.kind === "error" && !isNews) change?.(toast, true);
    };
  }, [reply]);
}
