// biome-ignore lint/style/noRestrictedImports: its replacement is built on it
import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";
import { departedReplies } from "../toasts/use-toasts";

/**
 * Returns the reply to the form that was last sent from the page, until that form leaves the page, another one gets a
 * reply, or the player navigates away. The router's own `useActionData` loses the reply whenever the page reloads its
 * data. A form refused because something has changed would lose its reply immediately, because news of the change
 * reloads the page.
 */
export function useReply<Reply>() {
  const reply = useActionData<Reply>();
  const { key } = useLocation();
  const kept = useRef<{ key: string; reply: typeof reply }>();
  // A reload leaves the location's key as it is. A form that succeeds, and every link, gives the page a new one. The
  // reply to a form that couldn't be sent is null.
  if (reply || kept.current?.key !== key) kept.current = { key, reply };
  // If the form has left the page and come back, the page's state is no longer the one that the reply was about.
  const last = kept.current.reply;
  return departedReplies.has(last as object) ? undefined : last;
}
