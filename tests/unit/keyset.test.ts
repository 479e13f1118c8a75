import { expect, test } from "vitest";
import { linksOf, pageAfter, pageOf, pageUpTo } from "../../app/platform/lists/keyset";

const ID = "01a1fda3-380b-70c8-ab65-c6442364d633";

test("A page holds the cursors of its neighbouring pages, and says if a search was cut short", () => {
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
