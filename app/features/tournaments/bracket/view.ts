/** The view of a bracket: `drawn` with lines, or a `list`. Unless the viewer has chosen, the screen's width decides. */
export const BRACKET_VIEWS = ["drawn", "list"] as const;

export type BracketView = (typeof BRACKET_VIEWS)[number];

/** Reads a view from an address or a cookie; null for any other value. */
export const parseView = (value: string | null | undefined): BracketView | null =>
  BRACKET_VIEWS.find((view) => view === value) ?? null;
