import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BEST, bestMatches, PAGE_SIZE, postPage } from "../../app/features/lfg/best-matches";
import type { Match, MatchProfile } from "../../app/features/players/shared/match";
import { type Cursor, pageUpTo } from "../../app/platform/lists/keyset";

const viewer: MatchProfile = {
  rank: "Gold 1",
  role: null,
  agents: [],
  region: null,
  voice: null,
  languages: [],
  tags: [],
  hours: null,
};
const scored = (score: number): Match => ({ score, reasons: [], against: [], ruledOut: false });

describe("the best matches", () => {
  const scores = [61, 90, 12, 90, 59];
  const best = (of = viewer) =>
    bestMatches([...scores.keys()], of, (at) => scored(scores[at] as number)).map(({ post }) => post);

  it("are two at most, the best first, and the newer first among equals", () => {
    expect(best()).toEqual([1, 3]);
  });

  it("include no weak match and no post of the viewer's own", () => {
    expect(bestMatches([59, 60, 61], viewer, (score) => (score === 61 ? null : scored(score)))).toEqual([
      { post: 60, match: scored(60) },
    ]);
  });

  it("are empty for a viewer who has given neither rank nor role", () => {
    expect(best({ ...viewer, rank: null })).toEqual([]);
    expect(best({ ...viewer, rank: null, role: "Duelist" })).toHaveLength(2);
  });
});

describe("the pages of the list", () => {
  const posts = Array.from({ length: 260 }, (_, at) => ({ id: `post ${at}`, listedAt: new Date(1_000_000 - at) }));
  /** Stands in for the database: finds the posts after a cursor. With `stretch`, it scans at most that many posts. */
  const find = (length: number, cursor: Cursor | null, stretch: number | null) => {
    const isBackwards = cursor?.way === "upTo";
    const place = posts.findIndex(({ id }) => id === cursor?.id);
    const walk = isBackwards ? posts.slice(0, place + 1).reverse() : posts.slice(place + 1, length);
    const end = stretch ? walk[isBackwards ? stretch : stretch - 1] : undefined;
    return {
      found: walk.slice(0, Math.min(stretch ?? length, cursor ? PAGE_SIZE + 1 + BEST : 200)),
      end: end && (isBackwards || walk.length > (stretch ?? 0)) ? { id: end.id, key: end.listedAt.getTime() } : null,
    };
  };

  it("hold every post once, forwards and backwards, with the best matches among the first page's 20 posts", () => {
    const cases = fc.record({
      length: fc.integer({ min: 0, max: 260 }),
      stretch: fc.option(fc.integer({ min: 1, max: 60 })),
      best: fc.uniqueArray(fc.nat(199), { maxLength: BEST }),
    });
    fc.assert(
      fc.property(cases, ({ length, stretch, best: chosen }) => {
        const first = find(length, null, stretch);
        const best = chosen.flatMap((at) => first.found[at]?.id ?? []);
        let cursor: Cursor | null = null;
        let page = postPage(first, null, { best });
        const seen = [...best, ...page.items.map(({ id }) => id)];
        expect(seen.length).toBeLessThanOrEqual(PAGE_SIZE);
        while (page.next) {
          cursor = page.next;
          page = postPage(find(length, cursor, stretch), cursor, { seen: best });
          expect(page.items.length).toBeLessThanOrEqual(PAGE_SIZE);
          seen.push(...page.items.map(({ id }) => id));
        }
        const all = posts
          .slice(0, length)
          .map(({ id }) => id)
          .toSorted();
        expect(seen.toSorted()).toEqual(all);
        // Page back from there, up to the page that replaces the first one.
        const back = [...(cursor ? page.items.map(({ id }) => id) : seen.slice(best.length)), ...best];
        for (let previous: Cursor | null = cursor && pageUpTo(cursor); previous; previous = page.previous) {
          page = postPage(find(length, previous, stretch), previous, { seen: best });
          expect(page.items.length).toBeLessThanOrEqual(PAGE_SIZE);
          back.push(...page.items.map(({ id }) => id));
        }
        expect(back.toSorted()).toEqual(all);
      }),
    );
  });
});
