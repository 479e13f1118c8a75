import type { SearchParams } from "~/platform/search-params/search-params";

/** The address of the search page. */
export const SEARCH_PAGE = "/dashboard/search";
/** The address that serves the results as JSON. */
export const SEARCH_RESULTS = "/dashboard/search/results";

/** The search page's parameters. */
export const SEARCH = {
  /** The words to find. Each list uses only as many of their characters as its own search allows. */
  q: { kind: "text", max: 80 },
} satisfies SearchParams;
