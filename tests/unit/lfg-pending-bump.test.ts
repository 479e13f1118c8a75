import { describe, expect, it } from "vitest";
import { listWithBump, withBump } from "../../app/features/lfg/pending-bump";

const now = Date.parse("2026-11-21T12:00:00Z");
const post = (id: string, minutesAgo: number) => {
  const iso = new Date(now - minutesAgo * 60_000).toISOString();
  return { id, listed: { iso, ago: `${minutesAgo} minutes ago`, exact: iso } };
};
const posts = [post("a", 5), post("b", 40), post("c", 90)];
const ids = (list: { id: string }[]) => list.map(({ id }) => id).join("");

describe("a pending bump", () => {
  it("puts the post on top of the first page, as listed now", () => {
    const list = listWithBump(posts, "c", { isFirstPage: true, now });
    expect(ids(list)).toBe("cab");
    expect(list[0]?.listed).toMatchObject({ iso: "2026-11-21T12:00:00.000Z", ago: "less than a minute ago" });
  });

  it("leaves the post in its place on a later page", () => {
    expect(ids(listWithBump(posts, "c", { isFirstPage: false, now }))).toBe("abc");
  });

  it("shows on a device whose clock is slow, too", () => {
    const slow = now - 80 * 60_000;
    expect(ids(listWithBump(posts, "c", { isFirstPage: true, now: slow }))).toBe("cab");
    expect(withBump(posts, "c", slow)[2]?.listed.ago).toBe("less than a minute ago");
  });

  it("leaves the list unchanged when there is none", () => {
    expect(listWithBump(posts, null, { isFirstPage: true, now })).toEqual(posts);
  });
});
