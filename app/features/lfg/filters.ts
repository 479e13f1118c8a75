import { RANKS } from "~/game/ranks";
import type { SearchParams, Values } from "~/platform/search-params/search-params";
import { REGION_FILTER, ROLE_FILTER, VOICE_FILTER } from "~/ui/game/game-filters";
import { PLAYERS_NEEDED } from "./rules";

/**
 * The address of the list of posts, and its form. A filter has a line here, and its condition twice: in `planFilters`
 * (`post-list.server.ts`) for the page, and in `fitsFilters` (`fits.ts`) for the live list. CONTRIBUTING.md lists all
 * steps.
 */
export const POST_LIST = {
  /** Posts that a player of this rank may join: they require no rank, or at most this one. */
  rank: { kind: "choice", options: RANKS, label: "Rank", any: "All ranks" },
  /** Posts that want this role, or any. */
  role: ROLE_FILTER,
  /** Posts for this region, or any. */
  region: REGION_FILTER,
  /** The author's preference. */
  voice: VOICE_FILTER,
  players: { kind: "choice", options: PLAYERS_NEEDED, label: "Players Needed", any: "1 to 4" },
  /** Words to find in the title, in the message or in the author's name. */
  q: { kind: "text", max: 80, label: "Search", input: { type: "search" } },
  /** Posts whose author is online now, and shows it to everyone. */
  online: { kind: "flag", label: "Online now" },
  cursor: { kind: "cursor", by: "number" },
  /** The best matches that were shown above the first page. Later pages leave them out. */
  seen: { kind: "ids", max: 2 },
} satisfies SearchParams;

/** The filters of the list of posts. */
export type PostFilters = Omit<Values<typeof POST_LIST>, "cursor" | "seen">;
