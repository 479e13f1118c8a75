import fc from "fast-check";
import { expect, test } from "vitest";
import { cursorParams, linksOf, pageAfter, pageOf, pageUpTo, parseCursor } from "../../app/platform/lists/keyset";

const ID = "01a1fda3-380b-70c8-ab65-c6442364d633";

test("An address carries a place in a list, in both directions", () => {
  const keys = fc.oneof(
    fc.nat(2 ** 44),
    fc.integer({ min: 0, max: 5_000 }).map((score) => score / 1_000),
  );
  fc.assert(
    fc.property(fc.constantFrom(pageAfter, pageUpTo), keys, (way, key) => {
      const cursor = way({ key, id: ID });
      expect(parseCursor(new URLSearchParams(cursorParams(cursor)))).toEqual(cursor);
    }),
  );
  for (const cursor of [pageAfter({ key: null, id: ID }), pageUpTo({ key: null, id: ID })]) {
    expect(parseCursor(new URLSearchParams(cursorParams(cursor)), { isKeyed: false })).toEqual(cursor);
  }
});

test("An address that says nothing we know means the first page", () => {
  expect(cursorParams(null)).toEqual({});
  for (const value of ["", "x", "1", "1_2", `-1_${ID}`, "1_' OR 1=1 --", `1_${ID}'`, "9".repeat(20), ID]) {
    expect(parseCursor(new URLSearchParams({ after: value }))).toBeNull();
    expect(parseCursor(new URLSearchParams({ upto: value }))).toBeNull();
  }
  expect(parseCursor(new URLSearchParams({ after: `1_${ID}` }), { isKeyed: false })).toBeNull();
  fc.assert(fc.property(fc.string(), (query) => void parseCursor(new URLSearchParams(query))));
});

test("A page says where its neighbours stand, and where a search goes on", () => {
  const place = (key: number) => ({ key, id: ID });
  const read = (found: number[], end: number | null, cursor: ReturnType<typeof pageAfter> | null) =>
    pageOf({ found, end: end === null ? null : place(end) }, 2, cursor, place);

  expect(read([9, 8, 7], null, null)).toEqual({
    items: [9, 8],
    previous: null,
    next: pageAfter(place(8)),
    isFirst: true,
    cutShort: null,
  });
  expect(read([7], 5, pageAfter(place(8)))).toEqual({
    items: [7],
    previous: pageUpTo(place(8)),
    next: pageAfter(place(5)),
    isFirst: false,
    cutShort: "next",
  });
  expect(read([5, 6, 7], null, pageUpTo(place(5)))).toEqual({
    items: [6, 5],
    previous: pageUpTo(place(7)),
    next: pageAfter(place(5)),
    isFirst: false,
    cutShort: null,
  });
  expect(read([5, 6], null, pageUpTo(place(5)))).toMatchObject({ items: [6, 5], previous: null, isFirst: true });
  expect(read([], 8, pageUpTo(place(5)))).toMatchObject({
    items: [],
    previous: pageUpTo(place(8)),
    cutShort: "previous",
  });
  expect(linksOf(read([7], 5, pageAfter(place(8))), ({ way, key }) => `/${way}/${key}`)).toEqual({
    previous: "/upTo/8",
    next: "/after/5",
    cutShort: "next",
  });
});
