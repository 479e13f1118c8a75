import { type RefObject, useEffect } from "react";

const keyOf = (viewerId: string, conversationId: string) => `lineup:draft:${viewerId}:${conversationId}`;

/** Storage may be full, forbidden, or hold what is not ours: then nothing is kept, and typing goes on. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Keeps what is half typed in this browser, so that a reload finds it again; for its writer alone, should both players
 * use this browser.
 */
export function useDraft(viewerId: string, conversationId: string, field: RefObject<HTMLTextAreaElement>) {
  const key = keyOf(viewerId, conversationId);
  useEffect(() => {
    const draft = attempt(() => localStorage.getItem(key));
    // What the page came with (a refused message) or was typed before script had loaded is newer.
    if (draft && field.current && field.current.value === "") field.current.value = draft;
  }, [key, field]);
  return {
    keep: (text: string) => attempt(() => localStorage.setItem(key, text)),
    drop: () => attempt(() => localStorage.removeItem(key)),
  };
}
