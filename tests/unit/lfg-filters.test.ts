import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { POST_LIST, type PostFilters } from "../../app/features/lfg/filters";
import { RANKS } from "../../app/game/ranks";
import { REGIONS } from "../../app/game/regions";
import { ROLES } from "../../app/game/roles";
import { VOICE_COMMS } from "../../app/game/voice";
import { pageAfter, pageUpTo } from "../../app/platform/lists/keyset";
import {
  countActiveFilters,
  readSearch,
  type Values,
  writeSearch,
} from "../../app/platform/search-params/search-params";
import type { PostListVisitor } from "../../party/wire/calls";

const none: PostFilters = { rank: null, role: null, region: null, voice: null, players: null, q: "", online: false };
const read = (query: string | Record<string, string>) => readSearch(POST_LIST, new URLSearchParams(query));
const write = (values: Partial<Values<typeof POST_LIST>>) => writeSearch(POST_LIST, values);
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values));
const filters: fc.Arbitrary<PostFilters> = fc.record({
  rank: maybe(RANKS),
  role: maybe(ROLES),
  region: maybe(REGIONS),
  voice: maybe(VOICE_COMMS),
  players: maybe([1, 2, 3, 4] as const),
  online: fc.boolean(),
  q: fc.string({ unit: "grapheme", maxLength: 20 }).map((text) =>
    text
      .normalize()
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  ),
});

describe("the LFG filters", () => {
  it("survive a round trip through their URL", () => {
    fc.assert(
      fc.property(filters, (wanted) => {
        expect(read(write(wanted))).toEqual({ ...wanted, cursor: null, seen: [] });
      }),
    );
  });

  it("are all known to the room that keeps open lists up to date", () => {
    expectTypeOf<keyof PostListVisitor["filters"]>().toEqualTypeOf<keyof PostFilters>();
  });

  it("have the plain URL when none is set", () => {
    expect(write(none)).toBe("");
    expect(countActiveFilters(POST_LIST, none)).toBe(0);
  });

  it("fall back to the default for unknown values, and never fail", () => {
    expect(read("rank=Wood+1&role=Healer&region=Mars&voice=loud&players=5&q=%00%0a")).toEqual({
      ...none,
      cursor: null,
      seen: [],
    });
    fc.assert(fc.property(fc.string(), (query) => void read(query)));
  });

  it("carry the cursor", () => {
    const cursor = pageUpTo({ key: 1_795_256_205_258, id: "01a1fda3-380b-70c8-ab65-c6442364d633" });
    expect(read(write({ ...none, role: "Duelist", cursor })).cursor).toEqual(cursor);
  });

  it("carry the best matches already shown, and ignore invalid post ids", () => {
    const cursor = pageAfter({ key: 1, id: "01a1fda3-380b-70c8-ab65-c6442364d633" });
    const seen = ["11a1fda3-380b-70c8-ab65-c6442364d633", "21a1fda3-380b-70c8-ab65-c6442364d633"];
    expect(read(write({ ...none, cursor, seen })).seen).toEqual(seen);
    for (const bad of ["", "x", "_", "' OR 1=1 --"]) expect(read({ seen: bad }).seen).toEqual([]);
    const many = [...seen, ...seen].join("_");
    expect(read({ seen: many }).seen).toHaveLength(2);
  });
});
