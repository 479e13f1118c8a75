import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldTag } from "../../app/features/players/directory/facets";
import { FREE_TIME_LABELS, LAST, PLAYER_LIST, type PlayerFilters } from "../../app/features/players/directory/filters";
import {
  defaultFilters,
  EVERYONE,
  leftOut,
  looserFilters,
  playersPath,
  readPlayerPage,
} from "../../app/features/players/directory/filters.server";
import { sayFilters, waysOut } from "../../app/features/players/directory/say-filters";
import { MAX_TAG_LENGTH } from "../../app/features/players/profile/profile-rules";
import { AGENTS_BY_ROLE, type Agent } from "../../app/game/agents";
import { RANKS, rankPosition } from "../../app/game/ranks";
import { REGIONS } from "../../app/game/regions";
import { ROLES } from "../../app/game/roles";
import { VOICE_COMMS } from "../../app/game/voice";
import { pageUpTo } from "../../app/platform/lists/keyset";
import { countActiveFilters, hasAnyParam } from "../../app/platform/search-params/search-params";
import { LANGUAGES, type Language } from "../../db/words/languages";

const readFilters = (query: URLSearchParams) => readPlayerPage(query).filters;
const countPlayers = (filters: PlayerFilters) => countActiveFilters(PLAYER_LIST, filters);
const queryOf = (path: string) => new URL(path, "http://here").searchParams;
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values));
const everyone = readFilters(queryOf(EVERYONE));

/** Filters as a form can send them: with ranks in any order and tags as typed. */
const typed = fc.record({
  name: fc.constantFrom("", "Miravel", "кот", "Śliwka #9", "愛"),
  minRank: maybe(RANKS),
  maxRank: maybe(RANKS),
  canQueue: fc.boolean(),
  verified: fc.boolean(),
  role: maybe(ROLES),
  agent: maybe(Object.values(AGENTS_BY_ROLE).flat() as Agent[]),
  region: maybe(REGIONS),
  playstyle: fc.string({ unit: "grapheme", maxLength: 40 }),
  voice: maybe(VOICE_COMMS),
  language: maybe(Object.keys(LANGUAGES) as Language[]),
  free: maybe(Object.keys(FREE_TIME_LABELS) as (keyof typeof FREE_TIME_LABELS)[]),
  sort: fc.constantFrom("best", "reputation", "newest"),
});

describe("the filters of the directory", () => {
  it("survive a round trip through their URL", () => {
    fc.assert(
      fc.property(typed, (form) => {
        const filters = readFilters(queryOf(playersPath(form)));
        expect(readFilters(queryOf(playersPath(filters)))).toEqual(filters);
        const { minRank, maxRank, playstyle, ...kept } = form;
        expect(filters).toMatchObject(kept);
        expect([filters.minRank, filters.maxRank].sort()).toEqual([minRank, maxRank].sort());
      }),
    );
  });

  it("put the lower of two ranks first, whichever field it was typed in", () => {
    fc.assert(
      fc.property(fc.constantFrom(...RANKS), fc.constantFrom(...RANKS), (one, other) => {
        const { minRank, maxRank } = readFilters(queryOf(playersPath({ ...everyone, minRank: one, maxRank: other })));
        expect(rankPosition(minRank as typeof one)).toBeLessThanOrEqual(rankPosition(maxRank as typeof one));
      }),
    );
  });

  it("normalise a tag as profiles do, whatever its letter case", () => {
    for (const tag of ["Early  Caller", " no tilt ", "СПОКОЙНО", "J̌en"]) {
      const { playstyle } = readFilters(new URLSearchParams({ playstyle: tag }));
      expect(playstyle).toBe(foldTag(tag.replace(/\s+/g, " ").trim()));
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 10_000 }), (playstyle) => {
        const tag = readFilters(new URLSearchParams({ playstyle })).playstyle;
        expect([...tag].length).toBeLessThanOrEqual(MAX_TAG_LENGTH);
      }),
    );
  });

  it("show all players when no value is valid, and never fail", () => {
    const junk =
      "minRank=Wood+1&maxRank=%00&canQueue=yes&verified=1&role=Healer&agent=Neo&region=Mars&playstyle=%20%0a&voice=loud&language=xx&free=never&sort=worst";
    expect(readFilters(new URLSearchParams(junk))).toEqual(everyone);
    const names = fc.constantFrom(...Object.keys(everyone), "after", "page", "__proto__", "constructor");
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.string())), fc.string(), (pairs, query) => {
        expect(readPlayerPage(new URLSearchParams(pairs)).page).toBeGreaterThanOrEqual(1);
        readPlayerPage(new URLSearchParams(query));
      }),
    );
  });

  it("come from the profile only when the URL names none of them", () => {
    for (const query of ["", "utm_source=chat", "x=1"]) {
      expect(hasAnyParam(PLAYER_LIST, new URLSearchParams(query)), query).toBe(false);
    }
    for (const path of [EVERYONE, "/dashboard/players?role=", "/dashboard/players?page=2"]) {
      expect(hasAnyParam(PLAYER_LIST, queryOf(path)), path).toBe(true);
    }
  });
});

describe("the position in the directory", () => {
  const cursor = pageUpTo({ key: 4.166666666666667, id: "01a1fda3-380b-70c8-ab65-c6442364d633" });

  it("survives a round trip through its URL", () => {
    const path = playersPath({ ...everyone, sort: "reputation" }, { cursor });
    expect(readPlayerPage(queryOf(path))).toMatchObject({ cursor, page: 1 });
    for (const page of [3, LAST] as const) {
      expect(readPlayerPage(queryOf(playersPath(everyone, { cursor, page })))).toMatchObject({ cursor, page });
    }
  });

  it("is the beginning when the cursor is invalid", () => {
    for (const bad of ["", "x", `-1_${cursor.id}`, `NaN_${cursor.id}`]) {
      expect(readPlayerPage(new URLSearchParams({ after: bad })).cursor, bad).toBeNull();
    }
    // A search by name ignores the cursor.
    expect(readPlayerPage(new URLSearchParams({ name: "mira", after: `1_${cursor.id}` })).cursor).toBeNull();
    for (const page of ["0", "-1", "1.5", "x", "51", "1e9"]) {
      expect(readPlayerPage(new URLSearchParams({ page })).page, page).toBe(1);
    }
  });

  it("has page numbers only for the best matches and a search by name", () => {
    expect(readPlayerPage(new URLSearchParams("sort=newest&page=3")).page).toBe(1);
  });
});

describe("the directory's default", () => {
  it("is five filters from the player's own profile", () => {
    const filters = defaultFilters({ rank: "Platinum 2", region: "Europe", languages: ["en", "pl"] });
    expect(countPlayers(filters)).toBe(5);
    expect(sayFilters(filters)).toBe("Gold 1 to Diamond 2, can queue with you, Europe, English");
  });

  it("uses English if it is one of several languages, else the first", () => {
    const languageOf = (...languages: Language[]) => defaultFilters({ rank: null, region: null, languages }).language;
    expect(languageOf("ru", "en")).toBe("en");
    expect(languageOf("ko", "ja")).toBe("ko");
    expect(languageOf()).toBeNull();
  });

  it("loosens when nobody fits: first the language, then the region, then the ranks", () => {
    const defaults = defaultFilters({ rank: "Platinum 2", region: "Europe", languages: ["pl"] });
    const looser = looserFilters(defaults);
    expect(looser.map(sayFilters)).toEqual([
      "Gold 1 to Diamond 2, can queue with you, Europe",
      "Gold 1 to Diamond 2, can queue with you",
      "",
    ]);
    expect(looser.map((filters) => sayFilters(leftOut(defaults, filters)))).toEqual([
      "Polish",
      "Europe, Polish",
      "Gold 1 to Diamond 2, can queue with you, Europe, Polish",
    ]);
    expect(looserFilters(defaultFilters({ rank: null, region: "Korea", languages: [] }))).toEqual([everyone]);
    expect(looserFilters(everyone)).toEqual([]);
  });

  it("is everyone for a player with an empty profile", () => {
    expect(defaultFilters({ rank: null, region: null, languages: [] })).toEqual(everyone);
  });
});

describe("the ways out of an empty list", () => {
  it("each drop one filter", () => {
    const filters = { ...everyone, minRank: "Radiant", canQueue: true, region: "Brazil", language: "fi" } as const;
    expect(waysOut(filters).map(({ label }) => label)).toEqual(["Any rank", "Any region", "Any language"]);
    for (const { to } of waysOut(filters)) {
      expect(countPlayers(readFilters(queryOf(to)))).toBeLessThan(countPlayers(filters));
    }
  });

  it("don't exist for a single filter, which `Show all players` removes", () => {
    expect(waysOut({ ...everyone, verified: true })).toEqual([]);
    fc.assert(
      fc.property(typed, (form) => {
        const filters = readFilters(queryOf(playersPath(form)));
        for (const { to } of waysOut(filters)) expect(to).not.toBe(EVERYONE);
      }),
    );
  });

  it("come with a description of all filters", () => {
    const all: PlayerFilters = {
      name: "Mira",
      minRank: "Gold 1",
      maxRank: null,
      canQueue: true,
      verified: true,
      role: "Duelist",
      agent: "Jett",
      region: "Europe",
      playstyle: "calm",
      voice: "none",
      language: "pl",
      free: "weekends",
      sort: "best",
    };
    expect(sayFilters(all)).toBe(
      "named “Mira”, Gold 1 and up, can queue with you, verified, Duelist, Jett, Europe, calm, No voice, Polish, Weekends",
    );
    expect(sayFilters({ ...everyone, maxRank: "Gold 1" })).toBe("Gold 1 and below");
  });
});
