import type { SearchParams } from "~/platform/search-params/search-params";

/** The search parameters of the conversation list. */
export const CONVERSATION_LIST = {
  /** The part of a name to search for. */
  q: { kind: "text", max: 40 },
  cursor: { kind: "cursor", by: "number" },
} satisfies SearchParams;

/** Parses the part of a thread that an address asks for: `before` and `show`. An invalid `before` counts as absent. */
export function parseThreadPlace(address: string): { before: number | null; shown: string | null } {
  const { searchParams } = new URL(address);
  return { before: parseSeq(searchParams.get("before")), shown: searchParams.get("show") };
}

/** Parses a message's place in an address (`before`, `after`); null if it is absent or not a valid number. */
export function parseSeq(value: string | null): number | null {
  return value && /^\d{1,12}$/.test(value) ? Number(value) : null;
}
