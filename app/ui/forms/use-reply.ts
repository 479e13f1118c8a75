// biome-ignore lint/style/noRestrictedImports: its replacement is built on it
import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";
import { past } from "../toasts/use-toasts";

/**
 * Returns the answer to the form that was last sent from the page, until that form leaves the page, another one is
 * answered, or the player navigates away. The router's own `useActionData` loses the answer whenever the page reloads
 * its data. A form refused because something has changed would lose its answer immediately, because news of the change
 * reloads the page.
 */
export function useReply<Reply>() {
  const answer = useActionData<Reply>();
  const { key } = useLocation();
  const kept = useRef<{ key: string; answer: typeof answer }>();
  // A reload leaves the location's key as it is. A form that succeeds, and every link, gives the page a new one. A form
  // that couldn't be sent has null for an answer.
  if (answer || kept.current?.key !== key) kept.current = { key, answer };
  // If the form has left the page and come back, the page's state is no longer the one that the answer was about.
  const last = kept.current.answer;
  return past.has(last as object) ? undefined : last;
}
