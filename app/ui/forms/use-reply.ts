// biome-ignore lint/style/noRestrictedImports: its replacement is built on it
import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";
import { past } from "../toasts/use-toasts";

/**
 * Returns the answer to the page's last form, until that form leaves the page, another one is answered, or the player
 * goes on. The router's own `useActionData` loses it whenever the page reloads its data. A refusal because of a change
 * would then disappear immediately, because the news of that change reloads the page.
 */
export function useReply<Reply>() {
  const answer = useActionData<Reply>();
  const { key } = useLocation();
  const kept = useRef<{ key: string; answer: typeof answer }>();
  // A reload leaves the location's key as it is. A form that succeeds, and every link, gives the page a new one. A form
  // that couldn't be sent has null for an answer.
  if (answer || kept.current?.key !== key) kept.current = { key, answer };
  // A form that comes back is about another state than the one that was answered.
  const last = kept.current.answer;
  return past.has(last as object) ? undefined : last;
}
