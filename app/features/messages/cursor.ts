import { cleanLine, firstCharacters } from "~/platform/text-length";
import type { ConversationCursor } from "./queries.server";

const MAX_SEARCH_LENGTH = 40;

/** Where a page of the conversation list begins, read from an address; null (the first page) when it says nothing we know. */
export function parseConversationCursor(params: URLSearchParams): ConversationCursor | null {
  const match = params.get("after")?.match(/^(\d{1,15})_([0-9a-f-]{36})$/);
  return match ? { listedAt: Number(match[1]), id: match[2] as string } : null;
}

/** Part of a name that the list is searched for; empty when it isn't. */
export function parseConversationSearch(params: URLSearchParams): string {
  return firstCharacters(cleanLine(params.get("q") ?? ""), MAX_SEARCH_LENGTH);
}

/** The canonical query string of a page of the list, with `?`; empty for the first page of all. */
export function conversationSearch(search: string, cursor: ConversationCursor | null): string {
  const params = new URLSearchParams({
    ...(search && { q: search }),
    ...(cursor && { after: `${cursor.listedAt}_${cursor.id}` }),
  });
  return params.size > 0 ? `?${params}` : "";
}

/** A message's place in an address (`before`, `after`); null when it is absent or no number of ours. */
export function parseSeq(value: string | null): number | null {
  return value && /^\d{1,12}$/.test(value) ? Number(value) : null;
}
