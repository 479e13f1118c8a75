import { useLocation, useNavigationType } from "@remix-run/react";
import { useRef } from "react";

/**
 * Returns the key of a search form that has the attribute `state`, which tells its own navigations from others. When
 * another navigation changes the words that the page searches for, the key changes and remounts the form, so that its
 * field shows them. The form's own search keeps the key, because the player may have gone on typing.
 * @param words the words that the page searches for
 */
export function useSearchKey(words: string): number {
  const { state } = useLocation();
  // A redirect has a state of its own.
  const isOwn = useNavigationType() !== "POP" && state === true;
  const shown = useRef({ words, key: 0 });
  if (shown.current.words !== words) shown.current = { words, key: shown.current.key + (isOwn ? 0 : 1) };
  return shown.current.key;
}
