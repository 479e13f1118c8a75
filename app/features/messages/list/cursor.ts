import type { SearchParams } from "~/platform/search-params/search-params";

/** The address of the list of conversations. */
export const CONVERSATION_LIST = {
  /** Part of a name that the list is searched for. */
  q: { kind: "text", max: 40 },
  cursor: { kind: "cursor", by: "number" },
} satisfies SearchParams;

/** A message's place in an address (`before`, `after`); null when it is absent or no number of ours. */
export function parseSeq(value: string | null): number | null {
  return value && /^\d{1,12}$/.test(value) ? Number(value) : null;
}
