import { type RefObject, useEffect, useRef, useState } from "react";

const keyOf = (viewerId: string | undefined, conversationId: string) => `lineup:draft:${viewerId}:${conversationId}`;

/**
 * Calls `work`; returns undefined if it throws. Storage may be full or forbidden, or hold invalid data. None of this
 * may stop the player from typing.
 */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Keeps a half-typed message in this browser, so that a reload restores it. The key includes the player, in case
 * several use this browser.
 */
export function useDraft(viewerId: string, conversationId: string, field: RefObject<HTMLTextAreaElement>) {
  const key = keyOf(viewerId, conversationId);
  useEffect(() => {
    const draft = attempt(() => localStorage.getItem(key));
    // Text from the page (a refused message), or typed before hydration, is newer than the draft.
    if (draft && field.current && field.current.value === "") field.current.value = draft;
  }, [key, field]);
  return {
    keep: (text: string) => attempt(() => localStorage.setItem(key, text)),
    drop: () => attempt(() => localStorage.removeItem(key)),
  };
}

/**
 * Returns the half-typed message of a conversation that may have closed while the player was typing. The browser
 * forgets it when the player leaves the closed conversation.
 */
export function useClosedDraft(
  viewerId: string | undefined,
  conversationId: string,
  isClosed: boolean,
): string | null | undefined {
  const key = keyOf(viewerId, conversationId);
  const [draft, setDraft] = useState<{ key: string; text: string | null | undefined }>();
  const latest = useRef(isClosed);
  latest.current = isClosed;
  useEffect(() => {
    const kept = isClosed ? attempt(() => localStorage.getItem(key)) : null;
    if (kept || !isClosed) setDraft({ key, text: kept });
  }, [key, isClosed]);
  useEffect(
    () => () => {
      if (latest.current) attempt(() => localStorage.removeItem(key));
    },
    [key],
  );
  return draft?.key === key ? draft.text : undefined;
}
