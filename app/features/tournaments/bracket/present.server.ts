import { DEFAULT_TIE_BREAKS, type TieBreaks } from "#db/words/tie-breaks";
import { mapScore } from "~/game/scores";
import { type Clock, dateWords, type ShownTime } from "~/platform/dates/dates";
import type { Step } from "../format/tie-breaks";
import { sayPlace } from "../shared/places";
import { type ListedMatch, type ListedState, packMatch, type Source } from "./listed-match";
import { listPage } from "./match-list";
import type { BracketMatch } from "./matches";
import type { MatchRow, TeamRow } from "./queries.server";
import { disqualifiedInGroups, disqualifiedLast, tablesOf } from "./standings";

/** The reader's clock and team. */
interface Reader {
  clock: Clock;
  ownTeamId: string | undefined;
}

/** A line of a group's table. `team` is the team's index in the page's list of teams. */
export interface TableLine {
  team: number;
  played: number;
  won: number;
  lost: number;
  mapDifference: number;
  roundDifference: number;
  mapsWon: number;
  roundsWon: number;
  /**
   * The tie-break step that ranks the team below the one above it, if both have the same number of wins; null if wins
   * or a disqualification decide.
   */
  separatedBy: Step | null;
}

/**
 * Presents a tournament's bracket. Each team is sent once, in the order of the seeding, and matches refer to it by its
 * index in that list: a double elimination of 256 teams has 511 matches.
 */
export function presentBracket(
  rows: readonly MatchRow[],
  entered: readonly TeamRow[],
  tieBreaks: TieBreaks | undefined,
  reader: Reader,
) {
  const teams = sortBySeed(entered);
  const matches = listMatchesOf(rows, teams, reader.clock);
  return {
    teams: teams.map(packTeam),
    own: indexOf(teams, reader.ownTeamId),
    /** The index of the team in first place, once the tournament is finished. */
    winner: indexOf(teams, teams.find(({ place }) => place === 1)?.id),
    matches: matches.map(packMatch),
    tables: presentTables(rows, teams, tieBreaks ?? DEFAULT_TIE_BREAKS),
    /** The teams with their ids, best first, once the tournament is finished. */
    places: teams
      .filter(({ place }) => place !== null)
      .sort((a, b) => (a.place as number) - (b.place as number))
      .map(({ id, name, place, lastPlace, isDisqualified }) => ({
        isDisqualified,
        id,
        name,
        place: place as number,
        words: sayPlace(place as number, lastPlace),
      })),
  };
}

/** Packs a team into an array without field names, as `packMatch` does with a match. */
const packTeam = ({ name, seed, isDisqualified }: TeamRow) => [name, seed, isDisqualified] as const;

/** Sorts teams by seed, those without one last. */
const sortBySeed = (teams: readonly TeamRow[]) =>
  [...teams].sort((a, b) => (a.seed ?? teams.length + 1) - (b.seed ?? teams.length + 1));

/** Presents matches for lists. @param teams in the page's order */
function listMatchesOf(rows: readonly MatchRow[], teams: readonly TeamRow[], clock: Clock): ListedMatch[] {
  const numbers = new Map(teams.map(({ id }, number) => [id, number]));
  const indexOfTeam = (team: string | null) => (team === null ? null : (numbers.get(team) ?? null));
  const checkInBy = createDeadlineWords(clock);
  return rows.map((row) => ({
    id: row.id,
    part: row.part,
    group: row.group,
    round: row.round,
    rounds: row.rounds,
    number: row.number,
    bestOf: row.bestOf,
    advantage: row.advantage,
    sources: [row.source1 as Source | null, row.source2 as Source | null],
    teams: [indexOfTeam(row.team1), indexOfTeam(row.team2)],
    scores: row.report && !row.isCancelled ? mapScore(row.report, row) : [row.score1, row.score2],
    winner: row.winner,
    forfeit: row.forfeit,
    state: stateOf(row),
    checkInBy: stateOf(row) === "ready" && row.deadlineAt ? checkInBy(row.deadlineAt) : null,
  }));
}

/**
 * Returns a match's state for the list. In a cancelled tournament an open match counts as waiting: nobody is asked to
 * play it.
 */
function stateOf({ state, isCheckedIn, isCancelled }: MatchRow): ListedState {
  if (isCancelled && (state === "ready" || state === "reported" || state === "disputed")) return "waiting";
  return state === "ready" && isCheckedIn ? "playing" : state;
}

/**
 * Creates a function that returns a check-in deadline's text, such as "Check in by 18:30". It returns the same object
 * for the same moment, so that the page's data contains it only once.
 */
function createDeadlineWords(clock: Clock) {
  const show = dateWords(clock);
  const cache = new Map<number, ShownTime>();
  return (moment: Date) => {
    const time = moment.getTime();
    const { iso, text, exact } = cache.get(time) ?? show(moment);
    const words = cache.get(time) ?? { iso, text: `Check in by ${text}`, exact };
    cache.set(time, words);
    return words;
  };
}

const indexOf = (teams: readonly TeamRow[], id: string | undefined): number | null => {
  const number = teams.findIndex((team) => team.id === id);
  return number < 0 ? null : number;
};

function presentTables(rows: readonly MatchRow[], teams: readonly TeamRow[], tieBreaks: TieBreaks): TableLine[][] {
  const seeds = new Map(teams.map(({ id, seed }, number) => [id, seed ?? number + 1]));
  const numbers = new Map(teams.map(({ id }, number) => [id, number]));
  const matches = rows
    .filter(({ part }) => part === "group" || part === "tie-break")
    .map((row) => ({ part: row.part, group: row.group, status: statusOf(row), slots: slotsOf(row) }));
  const disqualified = teams.flatMap(({ id, isDisqualified }) => (isDisqualified ? [id] : []));
  const outTeams = disqualifiedInGroups(
    disqualified,
    rows.map((row) => ({ part: row.part, slots: slotsOf(row) })),
  );
  return tablesOf(matches, seeds, tieBreaks).map((table) =>
    disqualifiedLast(table, ({ team }) => outTeams.has(team)).map(
      ({ team, seed: _, place: __, forfeits: ___, separatedAt: ____, ...line }) => ({
        ...line,
        team: numbers.get(team) as number,
      }),
    ),
  );
}

const statusOf = ({ state }: MatchRow): BracketMatch["status"] =>
  state === "reported" || state === "disputed" ? "ready" : state;

const slotsOf = (row: MatchRow) =>
  ([1, 2] as const).map((side) => ({
    team: row[`team${side}`],
    isBye: false,
    from: null,
    score: row[`score${side}`],
    rounds: row[`rounds${side}`],
    won: row.winner === side,
    forfeited: row.forfeit === side,
  })) as BracketMatch["slots"];

/** Presents a page of the list of all matches. @param page from 1 */
export function presentMatchList(rows: readonly MatchRow[], entered: readonly TeamRow[], reader: Reader, page: number) {
  const teams = sortBySeed(entered);
  const matches = listMatchesOf(rows, teams, reader.clock);
  const own = indexOf(teams, reader.ownTeamId);
  const finishedAt = new Map(rows.map((row) => [row.id, row.finishedAt?.getTime() ?? 0]));
  const list = listPage(matches, own, (id) => finishedAt.get(id) ?? 0, page);
  const shown = new Set(list.sections.flatMap((section) => section.matches));
  const byId = new Map(matches.map((match) => [match.id, match]));
  // A waiting side is described by the match it waits for, so the page needs that match too. The loop also visits the
  // ids that it adds to the set.
  for (const id of shown) {
    const match = byId.get(id);
    if (match?.state !== "waiting" && match?.state !== "bye") continue;
    for (const source of match.sources) if (source) shown.add(Number(source.slice(1)));
  }
  return {
    ...list,
    waiting: rows[0]?.isCancelled ? 0 : list.waiting,
    total: rows.length,
    teams: teams.map(packTeam),
    own,
    matches: matches.filter(({ id }) => shown.has(id)).map(packMatch),
  };
}
