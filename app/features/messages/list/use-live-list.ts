import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { pause, whenOnline, whenVisible } from "~/platform/network";
import type { ConversationPage } from "./list.server";

/**
 * Returns the conversation list as the page loaded it, and reloads it whenever something new arrives. Until that
 * succeeds, the list stays as it was, so that a lost connection doesn't take the page away.
 * @param newsCount changes whenever something new arrives
 */
export function useLiveList(loaded: ConversationPage, newsCount: number): ConversationPage {
  const { search } = useLocation();
  const [live, setLive] = useState<{ over: ConversationPage; page: ConversationPage }>();
  const shown = useRef(newsCount);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (shown.current === newsCount) return;
    const controller = new AbortController();
    fetch(`/conversations${search}`, { signal: controller.signal })
      .then(async (response) => {
        if (response.status !== 401 && !response.ok) throw new Error(`Answered with ${response.status}`);
        const page = response.ok ? ((await response.json()) as ConversationPage) : undefined;
        shown.current = newsCount;
        setTries(0);
        if (page) setLive({ over: loaded, page });
      })
      .catch(async () => {
        // Offline or refused for now, unless a newer update has aborted it.
        if (controller.signal.aborted) return;
        await Promise.all([whenOnline(), pause(tries)]).then(whenVisible);
        if (!controller.signal.aborted) setTries(tries + 1);
      });
    return () => controller.abort();
  }, [newsCount, search, loaded, tries]);
  return live?.over === loaded ? live.page : loaded;
}
