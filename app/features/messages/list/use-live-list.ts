import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { ConversationPage } from "./list.server";

/** About how long the list waits before it tries again to reload, in milliseconds. */
const RETRY = 4_000;

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try runs the effect again
  useEffect(() => {
    if (shown.current === newsCount) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    fetch(`/conversations${search}`, { signal: controller.signal })
      .then(async (response) => {
        if (response.status !== 401 && !response.ok) throw new Error(`Answered with ${response.status}`);
        shown.current = newsCount;
        if (response.ok) setLive({ over: loaded, page: (await response.json()) as ConversationPage });
      })
      .catch(() => {
        // Offline or refused for now, unless a newer update has aborted it. Tabs that failed together wait differently.
        if (controller.signal.aborted) return;
        timer = setTimeout(() => setTries((before) => before + 1), RETRY * (0.75 + Math.random() / 2));
      });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [newsCount, search, loaded, tries]);
  return live?.over === loaded ? live.page : loaded;
}
