import { describe, expect, it } from "vitest";
import { listWithPendingChange, withPendingChange } from "../../app/features/lfg/pending-change";

const now = Date.parse("2026-11-21T12:00:00Z");
const post = (id: string, minutesAgo: number) => {
  const iso = new Date(now - minutesAgo * 60_000).toISOString();
  return { id, isOpen: true, listed: { iso, ago: `${minutesAgo} minutes ago`, exact: iso } };
};
const posts = [post("a", 5), post("b", 40), post("c", 90)];
const ids = (list: { id: string }[]) => list.map(({ id }) => id).join("");

describe("what the author has just asked for", () => {
  it("shows a closed post as closed, and takes it off the list", () => {
    const change = { postId: "b", intent: "close" } as const;
    expect(withPendingChange(posts, change, now).map(({ isOpen }) => isOpen)).toEqual([true, false, true]);
    expect(ids(listWithPendingChange(posts, change, { isFirstPage: true, now }))).toBe("ac");
  });

  it("puts a bumped post on top of the first page, listed this moment", () => {
    const list = listWithPendingChange(posts, { postId: "c", intent: "bump" }, { isFirstPage: true, now });
    expect(ids(list)).toBe("cab");
    expect(list[0]?.listed).toMatchObject({ iso: "2026-11-21T12:00:00.000Z", ago: "less than a minute ago" });
  });

  it("leaves a bumped post where it is on a later page", () => {
    expect(ids(listWithPendingChange(posts, { postId: "c", intent: "bump" }, { isFirstPage: false, now }))).toBe("abc");
  });

  it("promises no bump that comes within 30 minutes, since the server refuses it", () => {
    expect(withPendingChange(posts, { postId: "a", intent: "bump" }, now)).toEqual(posts);
  });

  it("changes nothing while nothing is under way", () => {
    expect(listWithPendingChange(posts, null, { isFirstPage: true, now })).toEqual(posts);
  });
});
