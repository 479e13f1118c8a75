import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { ConversationPage } from "./list.server";

/**
 * The conversation list as the page was loaded with it, then as it is whenever there is news. What can't be
 * loaded stays as it was: a lost connection must not take the page away.
 * @param newsCount changes when there is something new
 */
export function useLiveList(loaded: ConversationPage, newsCount: number): ConversationPage {
  const { search } = useLocation();
  const [live, setLive] = useState<{ over: ConversationPage; page: ConversationPage }>();
  const shown = useRef(newsCount);
  useEffect(() => {
    if (shown.current === newsCount) return;
    shown.current = newsCount;
    const leave = new AbortController();
    fetch(`/conversations${search}`, { signal: leave.signal })
      .then(async (response) => {
        if (response.ok) setLive({ over: loaded, page: (await response.json()) as ConversationPage });
      })
      .catch(() => {
        // Offline, or overtaken by newer news.
      });
    return () => leave.abort();
  }, [newsCount, search, loaded]);
  return live?.over === loaded ? live.page : loaded;
}
