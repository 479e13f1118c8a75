import { cleanLine, firstCharacters } from "~/platform/forms/text-length";
import { type Cursor, cursorParams } from "~/platform/lists/keyset";

const MAX_SEARCH_LENGTH = 40;

/** Part of a name that the list is searched for; empty when it isn't. */
export function parseConversationSearch(params: URLSearchParams): string {
  return firstCharacters(cleanLine(params.get("q") ?? ""), MAX_SEARCH_LENGTH);
}

/** The canonical query string of a page of the list, with `?`; empty for the first page of all. */
export function conversationSearch(search: string, cursor: Cursor | null): string {
  const params = new URLSearchParams({ ...(search && { q: search }), ...cursorParams(cursor) });
  return params.size > 0 ? `?${params}` : "";
}

/** A message's place in an address (`before`, `after`); null when it is absent or no number of ours. */
export function parseSeq(value: string | null): number | null {
  return value && /^\d{1,12}$/.test(value) ? Number(value) : null;
}
