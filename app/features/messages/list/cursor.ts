import type { SearchParams } from "~/platform/search-params/search-params";

/** The search parameters of the conversation list. */
export const CONVERSATION_LIST = {
  /** The part of a name to search for. */
  q: { kind: "text", max: 40 },
  cursor: { kind: "cursor", by: "number" },
} satisfies SearchParams;

/** Parses a message's place in an address (`before`, `after`); null if it is absent or not a valid number. */
export function parseSeq(value: string | null): number | null {
  return value && /^\d{1,12}$/.test(value) ? Number(value) : null;
}
