import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { REVIEW_LIST } from "../../app/features/feedback/rules";
import { POST_LIST } from "../../app/features/lfg/filters";
import { CONVERSATION_LIST } from "../../app/features/messages/list/cursor";
import { PLAYER_LIST } from "../../app/features/players/directory/filters";
import { playersPath, readPlayerPage } from "../../app/features/players/directory/filters.server";
import { MATCH_LIST } from "../../app/features/tournaments/bracket/match-list";
import { readTournamentPage, TOURNAMENT_LIST } from "../../app/features/tournaments/list/filters";
import { type Cursor, pageAfter, pageUpTo } from "../../app/platform/lists/keyset";
import {
  countActiveFilters,
  hasAnyParam,
  readSearch,
  type SearchParam,
  type SearchParams,
  writeSearch,
} from "../../app/platform/search-params/search-params";

const ID = "01a1fda3-380b-70c8-ab65-c6442364d633";

const listBy = (by: "number" | "id") => ({ cursor: { kind: "cursor", by } }) as const;
const read = (query: string | Record<string, string>, by: "number" | "id" = "number") =>
  readSearch(listBy(by), new URLSearchParams(query)).cursor;
const write = (cursor: Cursor | null) => writeSearch(listBy("number"), { cursor });

test("A URL carries a cursor in both directions", () => {
  const keys = fc.oneof(
    fc.nat(2 ** 44),
    fc.integer({ min: 0, max: 5_000 }).map((score) => score / 1_000),
  );
  fc.assert(
    fc.property(fc.constantFrom(pageAfter, pageUpTo), keys, (way, key) => {
      const cursor = way({ key, id: ID });
      expect(read(write(cursor))).toEqual(cursor);
    }),
  );
  for (const cursor of [pageAfter({ key: null, id: ID }), pageUpTo({ key: null, id: ID })]) {
    expect(read(write(cursor), "id")).toEqual(cursor);
  }
});

test("A URL without a valid cursor means the first page", () => {
  expect(write(null)).toBe("");
  for (const value of ["", "x", "1", "1_2", `-1_${ID}`, "1_' OR 1=1 --", `1_${ID}'`, "9".repeat(20), ID]) {
    expect(read({ after: value })).toBeNull();
    expect(read({ upto: value })).toBeNull();
  }
  expect(read({ after: `1_${ID}` }, "id")).toBeNull();
  fc.assert(fc.property(fc.string(), (query) => void read(query)));
});

test("A numbered page is a whole number within its bounds, or else the first", () => {
  const page = (query: string) => readSearch(MATCH_LIST, new URLSearchParams(query)).page;
  expect(page("page=2")).toBe(2);
  expect(page("page=1000")).toBe(1_000);
  for (const value of ["", "0", "-1", "1.5", "1001", "NaN", "Infinity", "x", "2x"])
    expect(page(`page=${value}`)).toBe(1);
  expect(writeSearch(MATCH_LIST, { page: 1 })).toBe("");
  expect(writeSearch(MATCH_LIST, { page: 3 })).toBe("?page=3");
});

const LISTS: Record<string, SearchParams> = {
  posts: POST_LIST,
  players: PLAYER_LIST,
  tournaments: TOURNAMENT_LIST,
  conversations: CONVERSATION_LIST,
  reviews: REVIEW_LIST,
  matches: MATCH_LIST,
};

const keys = (by: string) =>
  by === "id" ? fc.constant(null) : by === "number" ? fc.nat(2 ** 44) : fc.option(fc.nat(2 ** 44));

/** Generates a parameter's values in their canonical form. */
function valuesOf(param: SearchParam): fc.Arbitrary<unknown> {
  switch (param.kind) {
    case "choice": {
      const options = Object.entries<string | number | readonly string[]>({ ...param.options }).flatMap(
        ([value, label]) => (Array.isArray(param.options) || typeof label === "object" ? label : value),
      );
      return param.any === undefined ? fc.constantFrom(...options) : fc.option(fc.constantFrom(...options));
    }
    case "flag":
      return fc.boolean();
    case "text":
      return fc.string({ unit: "grapheme", maxLength: 100 }).map((typed) => {
        const one = { one: param };
        return readSearch(one, new URLSearchParams({ one: typed })).one;
      });
    case "day":
      return fc
        .option(fc.integer({ min: 0, max: 25_000 }))
        .map((day) => (day === null ? "" : new Date(day * 86_400_000).toISOString().slice(0, 10)));
    case "number":
      return fc.integer({ min: param.min, max: param.max });
    case "cursor":
      return fc.option(
        fc
          .tuple(fc.constantFrom(pageAfter, pageUpTo), keys(param.by), fc.uuid())
          .map(([way, key, id]) => way({ key, id })),
      );
    case "ids":
      return fc.array(fc.uuid(), { maxLength: param.max });
  }
}

describe.each(Object.entries(LISTS))("The address of the list of %s", (_, params) => {
  const values = fc.record(Object.fromEntries(Object.entries(params).map(([name, param]) => [name, valuesOf(param)])));
  const defaults = readSearch(params, new URLSearchParams());

  it("survives a round trip, and so does the link to the values that were read", () => {
    fc.assert(
      fc.property(values, (wanted) => {
        const link = writeSearch(params, wanted as typeof defaults);
        const found = readSearch(params, new URLSearchParams(link));
        expect(found).toEqual(wanted);
        expect(writeSearch(params, found)).toBe(link);
      }),
    );
  });

  it("leaves out defaults, except for those that every link names", () => {
    const always = Object.entries(params).flatMap(([name, param]) =>
      param.kind === "choice" && param.inEveryLink ? name : [],
    );
    expect([...new URLSearchParams(writeSearch(params, defaults)).keys()]).toEqual(always);
    expect(writeSearch(params, {})).toBe(writeSearch(params, defaults));
    fc.assert(
      fc.property(values, (wanted) => {
        const query = new URLSearchParams(writeSearch(params, wanted as typeof defaults));
        for (const name of Object.keys(defaults).filter((one) => !always.includes(one))) {
          if (wanted[name] === defaults[name]) expect(query.has(name)).toBe(false);
        }
      }),
    );
  });

  it("reads any input as valid values", () => {
    const names = fc.constantFrom(...Object.keys(params), "after", "upto", "__proto__", "constructor");
    const junk = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("on", "1", "%00", "2026-02-31"));
    fc.assert(
      fc.property(fc.array(fc.tuple(names, junk)), fc.string(), (pairs, query) => {
        for (const asked of [new URLSearchParams(pairs), new URLSearchParams(query)]) {
          const found = readSearch(params, asked);
          const again = new URLSearchParams(writeSearch(params, found));
          expect(readSearch(params, again)).toEqual(found);
        }
      }),
    );
  });

  it("counts no filter by default", () => {
    expect(countActiveFilters(params, defaults as never)).toBe(0);
    expect(hasAnyParam(params, new URLSearchParams("utm_source=chat"))).toBe(false);
  });
});

test("The pages of the directory and of tournaments survive a round trip through their own links", () => {
  const query = (params: SearchParams) =>
    fc
      .record(Object.fromEntries(Object.entries(params).map(([name, param]) => [name, valuesOf(param)])))
      .map((values) => new URLSearchParams(writeSearch(params, values as never)));
  fc.assert(
    fc.property(query(PLAYER_LIST), (asked) => {
      const { filters, ...place } = readPlayerPage(asked);
      expect(readPlayerPage(new URL(playersPath(filters, place), "http://here").searchParams)).toEqual({
        filters,
        ...place,
      });
    }),
  );
  fc.assert(
    fc.property(query(TOURNAMENT_LIST), (asked) => {
      const { filters, cursor } = readTournamentPage(asked);
      const link = writeSearch(TOURNAMENT_LIST, { ...filters, cursor });
      expect(readTournamentPage(new URLSearchParams(link))).toEqual({ filters, cursor });
    }),
  );
});
