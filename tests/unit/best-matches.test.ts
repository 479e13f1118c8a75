import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BEST, bestMatches, PAGE_SIZE, pageOf } from "../../app/features/lfg/best-matches";
import type { PostCursor } from "../../app/features/lfg/filters";
import type { Match, MatchProfile } from "../../app/features/players/match";

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

  it("are two at most, the best first, of equals the newer", () => {
    expect(best()).toEqual([1, 3]);
  });

  it("are none that hardly match, and none of one's own", () => {
    expect(bestMatches([59, 60, 61], viewer, (score) => (score === 61 ? null : scored(score)))).toEqual([
      { post: 60, match: scored(60) },
    ]);
  });

  it("are none for who has said neither rank nor role", () => {
    expect(best({ ...viewer, rank: null })).toEqual([]);
    expect(best({ ...viewer, rank: null, role: "Duelist" })).toHaveLength(2);
  });
});

describe("the pages of the list", () => {
  const posts = Array.from({ length: 260 }, (_, at) => ({ id: `post ${at}`, listedAt: new Date(1_000_000 - at) }));
  /** What the database finds from a place on: with `stretch`, so many posts are looked at a time. */
  const find = (length: number, after: PostCursor | null, stretch: number | null) => {
    const from = after ? posts.findIndex(({ id }) => id === after.id) + 1 : 0;
    const most = after ? PAGE_SIZE + 1 + BEST : 200;
    const to = Math.min(length, from + (stretch ?? length));
    const last = posts[to - 1];
    return {
      posts: posts.slice(from, Math.min(to, from + most)),
      end: stretch && last && to < length ? { id: last.id, listedAt: last.listedAt.getTime() } : null,
    };
  };

  it("have every post once, with the best above the first, of 20 posts at most", () => {
    const cases = fc.record({
      length: fc.integer({ min: 0, max: 260 }),
      stretch: fc.option(fc.integer({ min: 1, max: 60 })),
      best: fc.uniqueArray(fc.nat(199), { maxLength: BEST }),
    });
    fc.assert(
      fc.property(cases, ({ length, stretch, best: chosen }) => {
        const first = find(length, null, stretch);
        const best = chosen.flatMap((at) => first.posts[at]?.id ?? []);
        let page = pageOf(first, { best });
        const seen = [...best, ...page.posts.map(({ id }) => id)];
        expect(seen.length).toBeLessThanOrEqual(PAGE_SIZE);
        while (page.next) {
          page = pageOf(find(length, page.next, stretch), { seen: best });
          expect(page.posts.length).toBeLessThanOrEqual(PAGE_SIZE);
          seen.push(...page.posts.map(({ id }) => id));
        }
        expect(seen.toSorted()).toEqual(
          posts
            .slice(0, length)
            .map(({ id }) => id)
            .toSorted(),
        );
      }),
    );
  });
});
