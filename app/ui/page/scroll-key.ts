import type { Location } from "@remix-run/react";

/** Ends an address that leads back to an entry of a list. */
const ENTRY = /^#post-/;

/** By path and query of each list: the key under which its place was kept last. */
const keys = new Map<string, string>();

/**
 * Names the place to which the router keeps how far a page was scrolled. An address that leads back to an entry of a list
 * gets the place of the list as it was left, so that one finds it again; every other visit has a place of its own.
 */
export function scrollKey({ pathname, search, hash, key }: Location): string {
  // The server has no place to keep, and serves everyone.
  if (typeof document === "undefined") return key;
  const page = pathname + search;
  if (ENTRY.test(hash)) return keys.get(page) ?? key;
  keys.set(page, key);
  return key;
}
