import { LANGUAGES } from "#db/words/languages";
import { AGENTS_BY_ROLE } from "~/game/agents";
import { RANKS } from "~/game/ranks";
import type { SearchParams, Values } from "~/platform/search-params/search-params";
import { REGION_FILTER, ROLE_FILTER, VOICE_FILTER } from "~/ui/game/game-filters";
import { MAX_TAG_LENGTH } from "../profile/profile-rules";
import { foldTag } from "./facets";

/**
 * The options of the availability filter, with their labels: `mine` for the viewer's own hours, the others for fixed
 * times by the viewer's clock.
 */
export const FREE_TIME_LABELS = {
  mine: "When I am free",
  "weekday-evenings": "Weekday evenings",
  "weekday-daytime": "Weekday daytime",
  weekends: "Weekends",
};
export type FreeTime = keyof typeof FREE_TIME_LABELS;

/** The value of `page` for the last page of a stretch (see `listPlayers`). The next stretch links back to it. */
export const LAST = "last";
/** More pages than any stretch has. */
const MAX_PAGE = 50;
/** The values of `page` within a stretch of ranked players. */
const PAGES = [...Array.from({ length: MAX_PAGE }, (_, index) => index + 1), LAST] as const;

/** The directory's search parameters, which also define its form. */
export const PLAYER_LIST = {
  /** The beginning of one or more words of a name. The limit is longer than any name. */
  name: { kind: "text", max: 40, label: "Name", input: { autoComplete: "off" } },
  minRank: { kind: "choice", options: RANKS, label: "Minimum Rank", any: "Any" },
  maxRank: { kind: "choice", options: RANKS, label: "Maximum Rank", any: "Any" },
  /** Only players with whom the viewer may queue as a party of two. */
  canQueue: { kind: "flag", label: "Can queue with me" },
  verified: { kind: "flag", label: "Verified only" },
  role: ROLE_FILTER,
  agent: { kind: "choice", options: AGENTS_BY_ROLE, label: "Agent", any: "All agents" },
  region: REGION_FILTER,
  /** A personality tag, folded as in the facets. */
  playstyle: {
    kind: "text",
    max: MAX_TAG_LENGTH,
    clean: foldTag,
    label: "Playstyle",
    input: { placeholder: "Any", autoComplete: "off", list: "playstyles" },
  },
  voice: VOICE_FILTER,
  language: { kind: "choice", options: LANGUAGES, label: "Language", any: "Any" },
  free: { kind: "choice", options: FREE_TIME_LABELS, label: "Availability", any: "Any time" },
  sort: {
    kind: "choice",
    options: { best: "Best match", reputation: "Reputation", newest: "Newest" },
    label: "Sort by",
    // An address without parameters gets filters from the viewer's profile. The address that shows everyone therefore
    // needs a parameter, and states the order.
    inEveryLink: true,
  },
  cursor: { kind: "cursor", by: "number" },
  page: { kind: "choice", options: PAGES },
} satisfies SearchParams;

/** The place of a page in the directory. */
export type PlayerPlace = Pick<Values<typeof PLAYER_LIST>, "cursor" | "page">;

/** The directory's filters, with the order. */
export type PlayerFilters = Omit<Values<typeof PLAYER_LIST>, keyof PlayerPlace>;

/** The page of players that an address asks for. */
export interface PlayerPage extends PlayerPlace {
  filters: PlayerFilters;
}

/** Whether players are sorted in the Worker, a stretch at a time, and shown in pages of that stretch. */
export const isRanked = ({ sort, name }: PlayerFilters): boolean => sort === "best" || name !== "";
