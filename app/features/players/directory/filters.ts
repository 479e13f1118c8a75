import { LANGUAGES } from "#db/words/languages";
import { AGENTS_BY_ROLE } from "~/game/agents";
import { RANKS } from "~/game/ranks";
import type { SearchParams, Values } from "~/platform/search-params/search-params";
import { REGION_FILTER, ROLE_FILTER, VOICE_FILTER } from "~/ui/game/game-filters";
import { MAX_TAG_LENGTH } from "../profile/profile-rules";
import { foldTag } from "./facets";

/** When someone should be free: whenever the viewer is, or at times by the viewer's clock. */
export const FREE_TIME_LABELS = {
  mine: "When I am free",
  "weekday-evenings": "Weekday evenings",
  "weekday-daytime": "Weekdays by day",
  weekends: "Weekends",
};
export type FreeTime = keyof typeof FREE_TIME_LABELS;

/** The page of a stretch on which one arrives from the next one. */
export const LAST = "last";
/** Further than any stretch has pages. */
const MAX_PAGE = 50;
/** Of the ranked players of one stretch. */
const PAGES = [...Array.from({ length: MAX_PAGE }, (_, index) => index + 1), LAST] as const;

/** The address of the directory, and its form. */
export const PLAYER_LIST = {
  /** The beginning of a word of the name, or of several. Longer than any name. */
  name: { kind: "text", max: 40, label: "Name", input: { autoComplete: "off" } },
  minRank: { kind: "choice", options: RANKS, label: "Minimum Rank", any: "Any" },
  maxRank: { kind: "choice", options: RANKS, label: "Maximum Rank", any: "Any" },
  /** Only whom the viewer may queue with in a party of two. */
  canQueue: { kind: "flag", label: "Can queue with me" },
  verified: { kind: "flag", label: "Verified only" },
  role: ROLE_FILTER,
  agent: { kind: "choice", options: AGENTS_BY_ROLE, label: "Agent", any: "All agents" },
  region: REGION_FILTER,
  /** A personality tag as facets have it. */
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
    // The bare address begins with the viewer's own profile; that of everyone still says how they are sorted.
    inEveryLink: true,
  },
  cursor: { kind: "cursor", by: "number" },
  page: { kind: "choice", options: PAGES },
} satisfies SearchParams;

/** Where a page of the directory stands. */
export type PlayerPlace = Pick<Values<typeof PLAYER_LIST>, "cursor" | "page">;

/** What the directory is narrowed to. */
export type PlayerFilters = Omit<Values<typeof PLAYER_LIST>, keyof PlayerPlace>;

/** Which page of players an address asks for. */
export interface PlayerPage extends PlayerPlace {
  filters: PlayerFilters;
}

/** The players of a stretch are sorted in the Worker, and shown in pages of that stretch. */
export const isRanked = ({ sort, name }: PlayerFilters): boolean => sort === "best" || name !== "";
