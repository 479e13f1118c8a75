import { describe, expect, it } from "vitest";
import { listWithBump, withBump } from "../../app/features/lfg/pending-bump";

const now = Date.parse("2026-11-21T12:00:00Z");
const post = (id: string, minutesAgo: number) => {
  const iso = new Date(now - minutesAgo * 60_000).toISOString();
  return { id, listed: { iso, ago: `${minutesAgo} minutes ago`, exact: iso } };
};
const posts = [post("a", 5), post("b", 40), post("c", 90)];
const ids = (list: { id: string }[]) => list.map(({ id }) => id).join("");

describe("a bump under way", () => {
  it("puts the post on top of the first page, listed this moment", () => {
    const list = listWithBump(posts, "c", { isFirstPage: true, now });
    expect(ids(list)).toBe("cab");
    expect(list[0]?.listed).toMatchObject({ iso: "2026-11-21T12:00:00.000Z", ago: "less than a minute ago" });
  });

  it("leaves the post where it is on a later page", () => {
    expect(ids(listWithBump(posts, "c", { isFirstPage: false, now }))).toBe("abc");
  });

  it("promises nothing that comes within 30 minutes, since the server refuses it", () => {
    expect(withBump(posts, "a", now)).toEqual(posts);
  });

  it("changes nothing while there is none", () => {
    expect(listWithBump(posts, null, { isFirstPage: true, now })).toEqual(posts);
  });
});
