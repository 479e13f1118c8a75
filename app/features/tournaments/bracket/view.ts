/** How a bracket is shown: as `drawn`, or as a `list`. Unless somebody has chosen, the screen's width decides. */
export const BRACKET_VIEWS = ["drawn", "list"] as const;

export type BracketView = (typeof BRACKET_VIEWS)[number];

/** Reads what an address or a cookie holds; null where that is no view. */
export const parseView = (value: string | null | undefined): BracketView | null =>
  BRACKET_VIEWS.find((view) => view === value) ?? null;
