import type { Location } from "@remix-run/react";

/** Matches the fragment of a URL that leads back to an entry of a list. */
const ENTRY = /^#post-/;

/** The key of the last visit to each page, by the page's path and query. */
const keys = new Map<string, string>();

/**
 * Returns the key under which the router stores a page's scroll position. A URL that leads back to an entry of a list
 * shares the key of the last visit to the list, so that its position is restored. Every other visit has its own key.
 */
export function scrollKey({ pathname, search, hash, key }: Location): string {
  // The server stores no positions, and this module is shared by all its requests.
  if (typeof document === "undefined") return key;
  const page = pathname + search;
  if (ENTRY.test(hash)) return keys.get(page) ?? key;
  keys.set(page, key);
  return key;
}
