import { useQuietReload } from "~/ui/hooks/use-quiet-reload";
import { useUnread } from "./shared/unread-context";

/** Reloads the page's data when the inbox reports news, as soon as `useQuietReload` allows it. */
export function useNewsOnPage(): void {
  useQuietReload(useUnread().newsCount);
}
