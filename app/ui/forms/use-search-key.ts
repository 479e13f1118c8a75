import { useLocation, useNavigationType } from "@remix-run/react";
import { useRef } from "react";

/**
 * Returns the key of a search form whose navigations have a `state`. It changes if the page comes to search for other
 * words, which remounts the form, so that its field shows them. The form's own search leaves the key as it is, because
 * the player may have typed on since.
 * @param words the words that the page searches for
 */
export function useSearchKey(words: string): number {
  const { state } = useLocation();
  const isOwn = useNavigationType() !== "POP" && state;
  const shown = useRef({ words, key: 0 });
  if (shown.current.words !== words) shown.current = { words, key: shown.current.key + (isOwn ? 0 : 1) };
  return shown.current.key;
}
