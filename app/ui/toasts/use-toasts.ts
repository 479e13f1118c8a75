import { useEffect, useState } from "react";
import { UNANSWERED } from "~/platform/network";
import type { Toast } from "~/platform/pages/toast";

const EVENT = "lineup:toast";

/** Shows a toast from anywhere in the page, each id only once. Browser only. */
export function showToast(toast: Toast): void {
  window.dispatchEvent(new CustomEvent<Toast>(EVENT, { detail: toast }));
}

const unanswered = (): Toast => ({
  id: crypto.randomUUID(),
  kind: "error",
  title: "Error",
  description: "Lineup can't be reached from here. Try again in a moment.",
});

/**
 * Collects the page's toasts, each once: from the root loader and from `showToast`. Adds one for each button that could
 * not reach the server. The server sends a toast only once, so the page keeps it in case another load replaces the data
 * before the toast is shown.
 */
export function useToasts(fromServer: Toast | null): Toast[] {
  const [toasts, setToasts] = useState<Toast[]>(fromServer ? [fromServer] : []);
  if (fromServer && !toasts.some(({ id }) => id === fromServer.id)) setToasts([...toasts, fromServer]);
  useEffect(() => {
    const add = (toast: Toast) =>
      setToasts((before) => (before.some(({ id }) => id === toast.id) ? before : [...before, toast]));
    const addShown = (event: Event) => add((event as CustomEvent<Toast>).detail);
    const addUnanswered = () => add(unanswered());
    window.addEventListener(EVENT, addShown);
    window.addEventListener(UNANSWERED, addUnanswered);
    return () => {
      window.removeEventListener(EVENT, addShown);
      window.removeEventListener(UNANSWERED, addUnanswered);
    };
  }, []);
  return toasts;
}

/**
 * Shows the toast of an action's answer. A toast that came with the document is already shown, and no id is shown
 * twice.
 */
export function useReplyToast(reply: { toast: Toast } | undefined): void {
  useEffect(() => {
    if (reply) showToast(reply.toast);
  }, [reply]);
}
