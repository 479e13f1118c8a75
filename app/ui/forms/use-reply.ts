// biome-ignore lint/style/noRestrictedImports: its replacement is built on it
import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";

/**
 * Returns the answer to the page's last form, until another form is answered or the player goes on. The router's own
 * `useActionData` loses it whenever the page reloads its data. A refusal because of a change would then disappear at
 * once, because the news of that change reloads the page.
 */
export function useReply<Reply>() {
  const answer = useActionData<Reply>();
  const { key } = useLocation();
  const kept = useRef<{ key: string; answer: typeof answer }>();
  // A reload leaves the location's key as it is. A form that succeeds, and every link, gives the page a new one. A form
  // that couldn't be sent has null for an answer.
  if (answer || kept.current?.key !== key) kept.current = { key, answer };
  return kept.current.answer;
}
