import type { SearchParams } from "~/platform/search-params/search-params";
import { isPlayed, type ListedMatch } from "./listed-match";

/** The search parameters of the list of matches, whose pages are numbered. */
export const MATCH_LIST = { page: { kind: "number", min: 1, max: 1_000 } } satisfies SearchParams;

/** Number of matches on a page of the list. */
export const PAGE_SIZE = 60;

/** A heading of the list, with the ids of the matches below it. */
export interface MatchSection {
  title: string;
  matches: number[];
}

/** A page of a tournament's matches. */
export interface MatchList {
  sections: MatchSection[];
  /** Number of matches waiting for a team, not counting the reader's own. */
  waiting: number;
  /** The numbers of the neighbouring pages; null where there is none. */
  previous: number | null;
  next: number | null;
}

/** Matches under way come first, then those that can be played, then those that are over. */
const TITLES = ["Playing now", "To play", "Finished"] as const;

const ORDER: Partial<Record<ListedMatch["state"], number>> = {
  disputed: 0,
  reported: 0,
  playing: 0,
  ready: 1,
  finished: 2,
};

/**
 * Sorts a tournament's matches by interest to the reader: their own, those being played, those that can be played, and
 * finished ones, latest first. Each is listed once.
 * @param own the number of the reader's team
 * @param finishedAt when a match finished, in milliseconds; 0 if it hasn't
 * @param page from 1
 */
export function listPage(
  matches: readonly ListedMatch[],
  own: number | null,
  finishedAt: (id: number) => number,
  page: number,
): MatchList {
  const isOwn = ({ teams }: ListedMatch) => own !== null && teams.includes(own);
  const played = matches.filter(isPlayed);
  const order = (match: ListedMatch) => ORDER[match.state] ?? 1.5;
  const sorted = [...played].sort(
    (a, b) =>
      order(a) - order(b) || finishedAt(b.id) - finishedAt(a.id) || (order(a) === 2 ? b.id - a.id : a.id - b.id),
  );
  const listed = sorted.filter((match) => !isOwn(match) && match.state !== "waiting");
  const shown = listed.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const sections = [
    { title: "Your matches", matches: page === 1 ? sorted.filter(isOwn).map(({ id }) => id) : [] },
    ...TITLES.map((title, index) => ({
      title,
      matches: shown.filter((match) => ORDER[match.state] === index).map(({ id }) => id),
    })),
  ];
  return {
    sections: sections.filter(({ matches: ids }) => ids.length > 0),
    waiting: played.filter((match) => match.state === "waiting" && !isOwn(match)).length,
    previous: page > 1 ? page - 1 : null,
    next: listed.length > page * PAGE_SIZE ? page + 1 : null,
  };
}
