import { useEffect, useMemo, useState } from "react";
import { UNANSWERED } from "~/platform/network";
import type { Toast } from "~/platform/toast";
import "./shell";

const EVENT = "lineup:toast";

/** Shows a toast from anywhere in the page; one whose id was shown before is not shown again. Browser only. */
export function showToast(toast: Toast): void {
  window.dispatchEvent(new CustomEvent<Toast>(EVENT, { detail: toast }));
}

const unanswered = (): Toast => ({
  id: crypto.randomUUID(),
  kind: "error",
  title: "Error",
  description: "Lineup can't be reached from here. Try again in a moment.",
});

/** The toasts of the page: the one that came with it, and those that `showToast` has added since. */
export function useToasts(fromServer: Toast | null): Toast[] {
  const [added, setAdded] = useState<Toast[]>([]);
  useEffect(() => {
    const add = (event: Event) => setAdded((before) => [...before, (event as CustomEvent<Toast>).detail]);
    const addUnanswered = () => setAdded((before) => [...before, unanswered()]);
    window.addEventListener(EVENT, add);
    window.addEventListener(UNANSWERED, addUnanswered);
    return () => {
      window.removeEventListener(EVENT, add);
      window.removeEventListener(UNANSWERED, addUnanswered);
    };
  }, []);
  return useMemo(() => {
    const all = fromServer ? [fromServer, ...added] : added;
    return [...new Map(all.map((toast) => [toast.id, toast])).values()];
  }, [fromServer, added]);
}

/** Shows the toast of an action's answer. One that came with the document is in it already, and no id shows twice. */
export function useReplyToast(reply: { toast: Toast } | undefined): void {
  useEffect(() => {
    if (reply) showToast(reply.toast);
  }, [reply]);
}
