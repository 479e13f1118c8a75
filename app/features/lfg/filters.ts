import { RANKS, type Rank } from "~/game/ranks";
import { REGIONS, type Region } from "~/game/regions";
import { ROLES, type Role } from "~/game/roles";
import { VOICE_COMMS, type VoiceComms } from "~/game/voice";
import { type Cursor, cursorParams } from "~/platform/lists/keyset";
import { PLAYERS_NEEDED, type PlayersNeeded } from "./rules";

/** What the list of posts is narrowed to; null means "all". */
export interface PostFilters {
  /** Posts open to this rank: none required, or at most this one. */
  rank: Rank | null;
  /** Posts that want this role, or any. */
  role: Role | null;
  /** Posts for this region, or any. */
  region: Region | null;
  /** The author's preference. */
  voice: VoiceComms | null;
  players: PlayersNeeded | null;
  /** Words that title and message hold. */
  text: string;
}

const MAX_TEXT_LENGTH = 80;
/** As many as there are best matches. */
const MAX_SEEN = 2;

/**
 * Reads filters from an address. Never fails: what it does not understand is the default.
 */
export function parsePostFilters(params: URLSearchParams): PostFilters {
  const players = Number(params.get("players"));
  return {
    rank: oneOf(RANKS, params.get("rank")),
    role: oneOf(ROLES, params.get("role")),
    region: oneOf(REGIONS, params.get("region")),
    voice: oneOf(VOICE_COMMS, params.get("voice")),
    players: oneOf(PLAYERS_NEEDED, players),
    text: beginning(
      (params.get("q") ?? "")
        .normalize()
        .replace(/[\p{Cc}\s]+/gu, " ")
        .trim(),
    ),
  };
}

/** Cuts between characters. Not `platform/forms/text-length.ts`, which the list's page else has no need to load. */
const beginning = (text: string): string => [...text].slice(0, MAX_TEXT_LENGTH).join("").trim();

/**
 * The canonical query string of filters (and of a page of them), with `?`; empty for the defaults.
 * @param seen the best matches that stood above the first page, and so don't come again
 */
export function postFiltersSearch(
  filters: PostFilters,
  cursor: Cursor | null = null,
  seen: readonly string[] = [],
): string {
  const { rank, role, region, voice, players, text } = filters;
  const entries = {
    rank,
    role,
    region,
    voice,
    players: players?.toString(),
    q: text,
    ...cursorParams(cursor),
    seen: seen.join("_"),
  };
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(entries)) if (value) params.set(name, value);
  return params.size > 0 ? `?${params}` : "";
}

/** How many filters are set. */
export function countFilters(filters: PostFilters): number {
  return Object.values(filters).filter((value) => value !== null && value !== "").length;
}

/** Reads `seen` from an address: ids of posts. */
export function parseSeen(params: URLSearchParams): string[] {
  const ids = (params.get("seen") ?? "").split("_", MAX_SEEN);
  return ids.filter((id) => /^[0-9a-f-]{36}$/.test(id));
}

function oneOf<T>(values: readonly T[], value: unknown): T | null {
  return values.includes(value as T) ? (value as T) : null;
}
