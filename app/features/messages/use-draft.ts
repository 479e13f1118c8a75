import { type RefObject, useEffect } from "react";
import { attempt } from "./browser-storage";

const keyOf = (conversationId: string) => `lineup:draft:${conversationId}`;

/** Keeps what is half typed in this browser, so that a reload finds it again. */
export function useDraft(conversationId: string, field: RefObject<HTMLTextAreaElement>) {
  useEffect(() => {
    const draft = attempt(() => localStorage.getItem(keyOf(conversationId)));
    // What the page came with (a refused message) or was typed before script had loaded is newer.
    if (draft && field.current && field.current.value === "") field.current.value = draft;
  }, [conversationId, field]);
  return {
    keep: (text: string) => attempt(() => localStorage.setItem(keyOf(conversationId), text)),
    drop: () => attempt(() => localStorage.removeItem(keyOf(conversationId))),
  };
}
