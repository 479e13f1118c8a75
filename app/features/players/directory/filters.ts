import { LANGUAGES, type Language } from "#db/words/languages";
import { AGENTS_BY_ROLE, type Agent } from "~/game/agents";
import { queueRange } from "~/game/queue";
import { RANKS, type Rank, rankPosition } from "~/game/ranks";
import { REGIONS, type Region } from "~/game/regions";
import { ROLES, type Role } from "~/game/roles";
import { VOICE_COMMS, type VoiceComms } from "~/game/voice";
import { cleanLine, firstCharacters } from "~/platform/forms/text-length";
import { type Cursor, cursorParams, pageAfter, parseCursor } from "~/platform/lists/keyset";
import { MAX_TAG_LENGTH } from "../profile/profile-rules";
import { foldTag } from "./facets";

export const SORTS = ["best", "reputation", "newest"] as const;
export type Sort = (typeof SORTS)[number];

/** When someone should be free: whenever the viewer is, or at times by the viewer's clock. */
export const FREE_TIMES = ["mine", "weekday-evenings", "weekday-daytime", "weekends"] as const;
export type FreeTime = (typeof FREE_TIMES)[number];

/** What the directory is narrowed to; null means "all". */
export interface PlayerFilters {
  /** The beginning of a word of the name, or of several. */
  name: string | null;
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

/** No player's id, and after all of them. */
const BEYOND_IDS = "f".repeat(36);

/**
 * The first stretch of the list as it was at a moment: nobody who comes to stand before it pushes anyone to its next page.
 * @param key of the player who stands first
 */
export const firstStretch = (key: number): Cursor => pageAfter({ key, id: BEYOND_IDS });

export const isFirstStretch = (cursor: Cursor | null): boolean => cursor === null || cursor.id === BEYOND_IDS;

/** Which page of players an address asks for. */
export interface PlayerPage {
  filters: PlayerFilters;
  /** Where the stretch stands; null at the beginning of the list. */
  cursor: Cursor | null;
  /** Of the ranked players of one stretch, from 1; always 1 where the list isn't ranked. */
  page: number | typeof LAST;
}

const AGENTS = Object.values(AGENTS_BY_ROLE).flat() as Agent[];
const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
/** Further than any stretch has pages. */
const MAX_PAGE = 50;
/** The page of a stretch on which one arrives from the next one. */
export const LAST = "last";
/** Longer than any name. */
const MAX_NAME_LENGTH = 40;

const NO_FILTERS: PlayerFilters = {
  name: null,
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

/**
 * The same, wider and wider, for whom nobody fits: without the language, then in any region, then of any rank. How well players
 * match still says who stands first.
 */
export function looserFilters(filters: PlayerFilters): PlayerFilters[] {
  const looser: PlayerFilters[] = [];
  for (const without of GIVING_WAY) {
    const last = looser.at(-1) ?? filters;
    const next = { ...last, ...without };
    if (countPlayerFilters(next) < countPlayerFilters(last)) looser.push(next);
  }
  return looser;
}

/** Of some filters those that others have given up. */
export function leftOut(filters: PlayerFilters, looser: PlayerFilters): PlayerFilters {
  const gone = Object.entries(filters).filter(([name, value]) => value !== looser[name as keyof PlayerFilters]);
  return { ...NO_FILTERS, ...Object.fromEntries(gone) };
}

/** What gives way first, where nobody fits all that a profile says. */
const GIVING_WAY: readonly Partial<PlayerFilters>[] = [
  { language: null },
  { region: null },
  { minRank: null, maxRank: null, canQueue: false },
];

/** Whether an address says anything that `parsePlayerPage` understands; one that doesn't gets the defaults. */
export const hasPlayerFilters = (params: URLSearchParams): boolean =>
  [...Object.keys(NO_FILTERS), "after", "upto", "page"].some((name) => params.has(name));

/** The address of a page of players; that of everyone still says how they are sorted. */
export function playersPath(
  filters: PlayerFilters,
  cursor: Cursor | null = null,
  page: PlayerPage["page"] = 1,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value) params.set(name, value === true ? "on" : String(value));
  }
  for (const [name, value] of Object.entries(cursorParams(cursor))) params.set(name, value);
  if (page !== 1) params.set("page", String(page));
  return `/dashboard/players?${params}`;
}

/** The address that shows all whom a name finds. */
export const namePath = (name: string | null) => playersPath({ ...NO_FILTERS, name });

/** The address that shows everyone: `Reset`. */
export const EVERYONE = playersPath(NO_FILTERS);

/** Reads filters from an address. Never fails: what it does not understand is "all". */
export function parsePlayerFilters(params: URLSearchParams): PlayerFilters {
  const ranks = [oneOf(RANKS, params.get("minRank")), oneOf(RANKS, params.get("maxRank"))] as const;
  const [minRank, maxRank] = ranks[0] && ranks[1] ? inOrder(ranks[0], ranks[1]) : ranks;
  return {
    name: firstCharacters(cleanLine(params.get("name") ?? ""), MAX_NAME_LENGTH) || null,
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
  const page = params.get("page");
  const number = Number(page);
  return {
    filters,
    // All whom a name finds are one stretch.
    cursor: filters.name === null ? parseCursor(params) : null,
    page: isRanked(filters)
      ? page === LAST
        ? LAST
        : Number.isInteger(number) && number >= 1 && number <= MAX_PAGE
          ? number
          : 1
      : 1,
  };
}

/** The players of a stretch are sorted in the Worker, and shown in pages of that stretch. */
export const isRanked = ({ sort, name }: PlayerFilters): boolean => sort === "best" || name !== null;

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
