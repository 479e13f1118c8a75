import { AGENTS_BY_ROLE, type Agent } from "~/features/game/agents";
import { queueRange } from "~/features/game/queue";
import { RANKS, type Rank } from "~/features/game/ranks";
import { REGIONS, type Region } from "~/features/game/regions";
import { ROLES, type Role } from "~/features/game/roles";
import { VOICE_COMMS, type VoiceComms } from "~/features/game/voice";
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
  /** A personality tag, lower-cased. */
  playstyle: string | null;
  voice: VoiceComms | null;
  language: Language | null;
  free: FreeTime | null;
  sort: Sort;
}

/** Where a page begins: after this player, in the order of the list; and within a ranked stretch, at which of its pages. */
export interface PlayerCursor {
  /** The value of the list's order: milliseconds since 1970, or the ranking score. */
  key: number;
  userId: string;
}

const AGENTS = Object.values(AGENTS_BY_ROLE).flat() as Agent[];
const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
/** A page of ranked players lies within one stretch, which holds no more than this. */
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

/** What a visit without filters begins with: five taken from the viewer's own profile. */
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
    language: own.languages[0] ?? null,
  };
}

/** Whether an address says anything about filters; one that doesn't gets the defaults. */
export const hasFilters = (params: URLSearchParams): boolean => params.size > 0;

/** The address that shows everyone: `Reset`. */
export const EVERYONE = "?sort=best";

/** Reads filters from an address. Never fails: what it does not understand is "all". */
export function parsePlayerFilters(params: URLSearchParams): PlayerFilters {
  return {
    minRank: oneOf(RANKS, params.get("minRank")),
    maxRank: oneOf(RANKS, params.get("maxRank")),
    canQueue: params.get("canQueue") === "on",
    verified: params.get("verified") === "on",
    role: oneOf(ROLES, params.get("role")),
    agent: oneOf(AGENTS, params.get("agent")),
    region: oneOf(REGIONS, params.get("region")),
    playstyle: (params.get("playstyle") ?? "").normalize().trim().toLowerCase().slice(0, MAX_TAG_LENGTH) || null,
    voice: oneOf(VOICE_COMMS, params.get("voice")),
    language: oneOf(LANGUAGE_CODES, params.get("language")),
    free: oneOf(FREE_TIMES, params.get("free")),
    sort: oneOf(SORTS, params.get("sort")) ?? "best",
  };
}

/** The query string of filters and of a page of them, with `?`. */
export function playerFiltersSearch(filters: PlayerFilters, after?: PlayerCursor | null, page?: number): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value) params.set(name, value === true ? "on" : String(value));
  }
  if (after) params.set("after", `${after.key}_${after.userId}`);
  if (page && page > 1) params.set("page", String(page));
  return `?${params}`;
}

/** Reads `after` from an address; null (the beginning) when it is absent or no cursor of ours. */
export function parsePlayerCursor(params: URLSearchParams): PlayerCursor | null {
  const match = params.get("after")?.match(/^(\d{1,15}(?:\.\d{1,17})?)_([0-9a-f-]{36})$/);
  return match ? { key: Number(match[1]), userId: match[2] as string } : null;
}

/** Reads `page`, from 1. */
export function parsePage(params: URLSearchParams): number {
  const page = Number(params.get("page"));
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1;
}

/** How many filters are set; the order is none. */
export function countPlayerFilters({ sort: _, ...filters }: PlayerFilters): number {
  return Object.values(filters).filter(Boolean).length;
}

function oneOf<T>(values: readonly T[], value: unknown): T | null {
  return values.includes(value as T) ? (value as T) : null;
}
