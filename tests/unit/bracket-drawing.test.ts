import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Format } from "#db/words/tournament-formats";
import { drawBracket } from "~/features/tournaments/bracket/draw";
import { type Drawing, drawBrackets, type Place } from "~/features/tournaments/bracket/drawing";
import {
  isPlayed,
  type ListedMatch,
  type Matches,
  openSide,
  packMatch,
  type Source,
  unpackMatch,
} from "~/features/tournaments/bracket/listed-match";
import { listPage, PAGE_SIZE } from "~/features/tournaments/bracket/match-list";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import type { MatchLengths } from "~/features/tournaments/format/stages";
import { rowsOf } from "~/features/tournaments/play/rows";
import { matchName } from "~/features/tournaments/shared/match-names";
import { playMatches } from "../support/brackets";

const LENGTHS: MatchLengths = {
  bestOf: 3,
  quarterBestOf: null,
  semiBestOf: null,
  lowerFinalBestOf: null,
  finalBestOf: 5,
  grandFinal: "reset",
};

/** The matches as pages list them. They refer to a team by its index in the page's list: its seed minus one. */
function listed(snapshot: Snapshot): Matches {
  const number = (team: string | null) => (team === null ? null : Number(team));
  return new Map(
    rowsOf(snapshot, LENGTHS).map((row): [number, ListedMatch] => [
      row.id,
      {
        ...row,
        sources: [row.source1 as Source | null, row.source2 as Source | null],
        teams: [number(row.team1), number(row.team2)],
        scores: [row.score1, row.score2],
        checkInBy: null,
      },
    ]),
  );
}

async function matchesOf(format: Format, count: number, played = 0): Promise<Matches> {
  const teams = Array.from({ length: count }, (_, index) => String(index));
  return listed(await playMatches(await drawBracket({ format, teams, groupSize: 4 }), played));
}

const placesOf = (drawings: readonly Drawing[]) =>
  drawings.flatMap(({ columns }) => columns.flatMap(({ places }) => places));

const named = (matches: Matches, name: string) =>
  [...matches.values()].find((match) => matchName(match) === name) as ListedMatch;

const placed = (matches: Matches, name: string) =>
  placesOf(drawBrackets(matches)).find(({ match }) => matchName(match) === name) as Place;

const elimination = fc.constantFrom<Format>("single_elimination", "double_elimination");

describe("A drawing", () => {
  test("puts each match between the two that lead to it", async () => {
    const [drawing] = drawBrackets(await matchesOf("single_elimination", 8)) as [Drawing];
    expect(drawing.rows).toBe(4);
    expect(drawing.columns.map(({ title, places }) => [title, places.map(({ row }) => row)])).toEqual([
      ["Quarter-finals", [0, 1, 2, 3]],
      ["Semi-finals", [0.5, 2.5]],
      ["Final", [1.5]],
    ]);
    expect(drawing.columns[0]?.places.map(({ next }) => next?.down)).toEqual([0.5, -0.5, 0.5, -0.5]);
  });

  test("links the losers' final to the grand final in the other drawing", async () => {
    const matches = await matchesOf("double_elimination", 8);
    expect(placed(matches, "Losers' final")).toMatchObject({ next: null, onward: named(matches, "Grand final").id });
    expect(placesOf(drawBrackets(matches)).filter(({ onward }) => onward !== undefined)).toHaveLength(1);
  });

  test("shows the third-place match below the final", async () => {
    const teams = Array.from({ length: 8 }, (_, index) => String(index));
    const matches = listed(
      await playMatches(await drawBracket({ format: "single_elimination", teams, groupSize: 4, thirdPlace: true }), 0),
    );
    const [drawing] = drawBrackets(matches) as [Drawing];
    expect(drawing.columns.at(-1)?.title).toBe("Finals");
    expect(drawing.columns.at(-1)?.places.map(({ match, row }) => [matchName(match), row])).toEqual([
      ["Final", 1.5],
      ["Third-place match", 3],
    ]);
    expect(drawing.rows).toBe(4);
    expect(openSide(named(matches, "Third-place match"), 0, matches)).toBe("Loser of semi-final 1");
  });

  test("omits byes, and leaves no gaps for them", async () => {
    const matches = await matchesOf("single_elimination", 5);
    const [drawing] = drawBrackets(matches) as [Drawing];
    expect(drawing.columns.map(({ title, places }) => [title, places.map(({ row }) => row)])).toEqual([
      ["Quarter-finals", [0]],
      ["Semi-finals", [0, 1]],
      ["Final", [0.5]],
    ]);
  });

  test("puts the grand final after the winners' final, and a second one only while it may be needed", async () => {
    const titles = async (played: number) =>
      drawBrackets(await matchesOf("double_elimination", 4, played)).map(({ title, columns }) => [
        title,
        ...columns.map((column) => column.title),
      ]);
    const losers = ["Losers' bracket", "Losers' round 1", "Losers' final"];
    const winners = ["Winners' bracket", "Winners' round 1", "Winners' final", "Grand final"];
    expect(await titles(0)).toEqual([[...winners, "Second grand final, if needed"], losers]);
    expect(await titles(99)).toEqual([winners, losers]);
  });

  test("marks only the lines of teams that have arrived", async () => {
    const matches = await matchesOf("single_elimination", 6, 4);
    // Seed 1 had a bye and so no line before the semi-final; seed 4 came through a quarter-final.
    expect(placed(matches, "Semi-final 1").arrived).toEqual([3]);
    expect(placed(matches, "Final").arrived).toEqual([0, 1]);
    expect(placed(matches, "Quarter-final 2").arrived).toBeNull();
    const doubleElimination = await matchesOf("double_elimination", 4, 3);
    expect(placed(doubleElimination, "Losers' final").arrived).toEqual([]);
  });

  test("of any elimination shows each match once, without overlaps, with lines to the next column only", async () => {
    await fc.assert(
      fc.asyncProperty(elimination, fc.integer({ min: 2, max: 256 }), fc.nat(8), async (format, count, played) => {
        const matches = await matchesOf(format, count, played);
        const drawings = drawBrackets(matches);
        const ids = placesOf(drawings).map(({ match }) => match.id);
        expect(ids.toSorted((a, b) => a - b)).toEqual([...matches.values()].filter(isPlayed).map(({ id }) => id));
        for (const { columns, rows } of drawings) {
          for (const [index, { places }] of columns.entries()) {
            for (const [number, { row, next }] of places.entries()) {
              expect(row).toBeLessThanOrEqual(rows - 1);
              const before = places[number - 1];
              if (before) expect(row - before.row).toBeGreaterThanOrEqual(1);
              if (!next) continue;
              const target = columns[index + 1]?.places.find(({ match }) => match.id === next.id);
              expect(target?.row).toBe(row + next.down);
            }
          }
          // Only the last match has no line onward.
          const ends = columns.flatMap(({ places }) => places).filter(({ next }) => next === null);
          expect(ends).toHaveLength(1);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("An open side", () => {
  test("names the match that its team comes from, looking past byes", async () => {
    const matches = await matchesOf("double_elimination", 3);
    const final = named(matches, "Losers' final");
    expect([openSide(final, 0, matches), openSide(final, 1, matches)]).toEqual([
      "Loser of winners' final",
      "Loser of winners' round 1, match 1",
    ]);
  });

  test("of any elimination names the winner or the loser of a match", async () => {
    await fc.assert(
      fc.asyncProperty(elimination, fc.integer({ min: 2, max: 80 }), async (format, count) => {
        const matches = await matchesOf(format, count);
        for (const match of matches.values()) {
          if (!isPlayed(match)) continue;
          for (const side of [0, 1] as const) {
            if (match.teams[side] === null) expect(openSide(match, side, matches)).toMatch(/^(Winner|Loser) of /);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

test("A match is unchanged after it was packed for the browser and unpacked there", async () => {
  for (const match of (await matchesOf("double_elimination", 6, 4)).values()) {
    expect(match).toMatchObject(unpackMatch(packMatch(match)));
  }
});

describe("The list of matches", () => {
  const list = (matches: Matches, own: number | null, page = 1) =>
    listPage([...matches.values()], own, (id) => (matches.get(id)?.state === "finished" ? 1_000 + id : 0), page);

  test("begins with the reader's own, then lists matches to play, then finished ones, latest first", async () => {
    const matches = await matchesOf("single_elimination", 8, 5);
    const names = list(matches, 3).sections.map(({ title, matches: ids }) => [
      title,
      ...ids.map((id) => matchName(matches.get(id) as ListedMatch)),
    ]);
    expect(names).toEqual([
      ["Your matches", "Semi-final 1", "Quarter-final 2"],
      ["To play", "Semi-final 2"],
      ["Finished", "Quarter-final 4", "Quarter-final 3", "Quarter-final 1"],
    ]);
    expect(list(matches, 3).waiting).toBe(1);
  });

  test("puts matches under way first", async () => {
    const matches = await matchesOf("single_elimination", 8);
    const third = [...matches.keys()][2] as number;
    const live = new Map(matches).set(third, { ...(matches.get(third) as ListedMatch), state: "disputed" });
    expect(list(live, null).sections[0]).toEqual({ title: "Playing now", matches: [third] });
  });

  test("shows each match once across its pages, however many there are", async () => {
    const matches = await matchesOf("single_elimination", 256, 180);
    const shown: number[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const { sections, next }: ReturnType<typeof listPage> = list(matches, 5, page);
      const ids = sections.flatMap((section) => section.matches);
      expect(ids.length).toBeLessThanOrEqual(PAGE_SIZE + 10);
      shown.push(...ids);
      page = next;
    }
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.length + list(matches, 5).waiting).toBe(255);
  });
});
