import { AGENTS_BY_ROLE, type Agent } from "~/features/game/agents";
import { queueRange } from "~/features/game/queue";
import { RANKS, type Rank, rankPosition } from "~/features/game/ranks";
import { REGIONS, type Region } from "~/features/game/regions";
import { ROLES, type Role } from "~/features/game/roles";
import { VOICE_COMMS, type VoiceComms } from "~/features/game/voice";
import { firstCharacters } from "~/platform/text-length";
import { foldTag } from "./facets";
import { LANGUAGES, type Language } from "./languages";
import { MAX_TAG_LENGTH } from "./profile-rules";

export const SORTS = ["best", "reputation", "newest"] as const;
export type Sort = (typeof SORTS)[number];

/** When someone should be free: whenever the viewer is, or at times by the viewer's clock. */
export const FREE_TIMES = ["mine", "weekday-evenings", "weekday-daytime", "weekends"] as const;
export type FreeTime = (typeof FREE_TIMES)[number];

/** What the directory is narrowed to; null means "all". */
export interface PlayerFilters {
  minRank: Rank | null;
  maxRank: Rank | null;
  /** Only whom the viewer may queue with in a party of two. */
  canQueue: boolean;
  verified: boolean;
  role: Role | null;
  agent: Agent | null;
  region: Region | null;
  /** A personality tag as facets have it (`foldTag`). */
  playstyle: string | null;
  voice: VoiceComms | null;
  language: Language | null;
  free: FreeTime | null;
  sort: Sort;
}

/** Where a stretch of the list begins: after this player, in its order. */
export interface PlayerCursor {
  /** The value of the list's order: milliseconds since 1970, or the ranking score. */
  key: number;
  userId: string;
}

/** The beginning of a stretch that holds everyone up to a place in the list, and nobody who comes to stand before it. */
export const upTo = (key: number): PlayerCursor => ({ key, userId: "f".repeat(36) });

/** Which page of players an address asks for. */
export interface PlayerPage {
  filters: PlayerFilters;
  after: PlayerCursor | null;
  /** Of the ranked players of one stretch, from 1; always 1 where the list isn't ranked. */
  page: number;
}

const AGENTS = Object.values(AGENTS_BY_ROLE).flat() as Agent[];
const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
/** Further than any stretch has pages. */
const MAX_PAGE = 50;

const NO_FILTERS: PlayerFilters = {
  minRank: null,
  maxRank: null,
  canQueue: false,
  verified: false,
  role: null,
  agent: null,
  region: null,
  playstyle: null,
  voice: null,
  language: null,
  free: null,
  sort: "best",
};

/** What a visit without filters begins with: five, from the viewer's own profile. */
export function defaultFilters(own: {
  rank: Rank | null;
  region: Region | null;
  languages: readonly Language[];
}): PlayerFilters {
  const range = own.rank && queueRange(own.rank);
  return {
    ...NO_FILTERS,
    minRank: range?.from ?? null,
    maxRank: range?.to ?? null,
    canQueue: range !== null,
    region: own.region,
    // English, where it is one of several: it is what most others speak, too.
    language: own.languages.find((language) => language === "en") ?? own.languages[0] ?? null,
  };
}

/** Whether an address says anything that `parsePlayerPage` understands; one that doesn't gets the defaults. */
export const hasPlayerFilters = (params: URLSearchParams): boolean =>
  [...Object.keys(NO_FILTERS), "after", "page"].some((name) => params.has(name));

/** The address of a page of players; that of everyone still says how they are sorted. */
export function playersPath(filters: PlayerFilters, after?: PlayerCursor | null, page = 1): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value) params.set(name, value === true ? "on" : String(value));
  }
  if (after) params.set("after", `${after.key}_${after.userId}`);
  if (page > 1) params.set("page", String(page));
  return `/dashboard/players?${params}`;
}

/** The address that shows everyone: `Reset`. */
export const EVERYONE = playersPath(NO_FILTERS);

/** Reads filters from an address. Never fails: what it does not understand is "all". */
export function parsePlayerFilters(params: URLSearchParams): PlayerFilters {
  const ranks = [oneOf(RANKS, params.get("minRank")), oneOf(RANKS, params.get("maxRank"))] as const;
  const [minRank, maxRank] = ranks[0] && ranks[1] ? inOrder(ranks[0], ranks[1]) : ranks;
  return {
    minRank,
    maxRank,
    canQueue: params.get("canQueue") === "on",
    verified: params.get("verified") === "on",
    role: oneOf(ROLES, params.get("role")),
    agent: oneOf(AGENTS, params.get("agent")),
    region: oneOf(REGIONS, params.get("region")),
    playstyle: parseTag(params.get("playstyle") ?? ""),
    voice: oneOf(VOICE_COMMS, params.get("voice")),
    language: oneOf(LANGUAGE_CODES, params.get("language")),
    free: oneOf(FREE_TIMES, params.get("free")),
    sort: oneOf(SORTS, params.get("sort")) ?? "best",
  };
}

/** Reads an address whole. Never fails: a place in the list that is none of ours is its beginning. */
export function parsePlayerPage(params: URLSearchParams): PlayerPage {
  const filters = parsePlayerFilters(params);
  const place = params.get("after")?.match(/^(\d{1,15}(?:\.\d{1,17})?)_([0-9a-f-]{36})$/);
  const page = Number(params.get("page"));
  return {
    filters,
    after: place ? { key: Number(place[1]), userId: place[2] as string } : null,
    page: filters.sort === "best" && Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}

/** How many filters are set; the order is none. */
export function countPlayerFilters({ sort: _, ...filters }: PlayerFilters): number {
  return Object.values(filters).filter(Boolean).length;
}

/** The lowest rank above the highest is a slip of the hand: the two change places. */
function inOrder(one: Rank, other: Rank): [Rank, Rank] {
  return rankPosition(one) <= rankPosition(other) ? [one, other] : [other, one];
}

/** What can be no tag, because it is longer than any, is cut; the rest is as it was typed on the profile. */
function parseTag(text: string): string | null {
  const tag = foldTag(text.replace(/[\p{Cc}\s]+/gu, " "));
  return firstCharacters(tag, MAX_TAG_LENGTH).trim() || null;
}

function oneOf<T>(values: readonly T[], value: unknown): T | null {
  return values.includes(value as T) ? (value as T) : null;
}
