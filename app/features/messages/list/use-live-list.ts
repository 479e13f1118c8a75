import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { ConversationPage } from "./list.server";

/**
 * Returns the conversation list as the page loaded it, and reloads it whenever something new arrives. If reloading
 * fails, the list stays as it was, so that a lost connection doesn't take the page away.
 * @param newsCount changes whenever something new arrives
 */
export function useLiveList(loaded: ConversationPage, newsCount: number): ConversationPage {
  const { search } = useLocation();
  const [live, setLive] = useState<{ over: ConversationPage; page: ConversationPage }>();
  const shown = useRef(newsCount);
  useEffect(() => {
    if (shown.current === newsCount) return;
    shown.current = newsCount;
    const controller = new AbortController();
    fetch(`/conversations${search}`, { signal: controller.signal })
      .then(async (response) => {
        if (response.ok) setLive({ over: loaded, page: (await response.json()) as ConversationPage });
      })
      .catch(() => {
        // Offline, or aborted because of a newer update.
      });
    return () => controller.abort();
  }, [newsCount, search, loaded]);
  return live?.over === loaded ? live.page : loaded;
}
