import { LANGUAGES } from "#db/words/languages";
import { sayRankRange } from "~/game/rank-range";
import { describeVoice } from "~/game/voice";
import { countActiveFilters } from "~/platform/search-params/search-params";
import { FREE_TIME_LABELS, PLAYER_LIST, type PlayerFilters } from "./filters";
import { playersPath } from "./filters.server";

/** Describes the active filters in words: "Gold 1 to Diamond 2, can queue with you, Europe, English". */
export function sayFilters(filters: PlayerFilters): string {
  const { name, minRank, maxRank, canQueue, verified, role, agent, region, playstyle, voice, language, free } = filters;
  return [
    name && `named “${name}”`,
    sayRankRange(minRank, maxRank),
    canQueue && "can queue with you",
    verified && "verified",
    role,
    agent,
    region,
    playstyle,
    voice && describeVoice(voice),
    language && LANGUAGES[language],
    free && FREE_TIME_LABELS[free],
  ]
    .filter(Boolean)
    .join(", ");
}

/** Links from an empty list, each to the same list with one filter fewer. */
export function waysOut(filters: PlayerFilters): { to: string; label: string }[] {
  const ways: [label: string, without: Partial<PlayerFilters>][] = [
    ["Any name", { name: "" }],
    ["Any rank", { minRank: null, maxRank: null, canQueue: false }],
    ["Any role", { role: null }],
    ["Any agent", { agent: null }],
    ["Any region", { region: null }],
    ["Any playstyle", { playstyle: "" }],
    ["With or without voice", { voice: null }],
    ["Any language", { language: null }],
    ["Any time", { free: null }],
    ["Verified or not", { verified: false }],
  ];
  const filterCount = countActiveFilters(PLAYER_LIST, filters);
  return ways.flatMap(([label, without]) => {
    const wider = { ...filters, ...without };
    const left = countActiveFilters(PLAYER_LIST, wider);
    // Dropping the last filter leads to the full list, which has a link of its own.
    return left > 0 && left < filterCount ? [{ to: playersPath(wider), label }] : [];
  });
}
