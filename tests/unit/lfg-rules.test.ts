import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOpen, reopenableUntil } from "../../app/features/lfg/rules";
import { newPostSchema, postSchema } from "../../app/features/lfg/schema";
import { foldForSearch } from "../../app/platform/lists/search-text";

const now = new Date("2026-11-21T12:00:00Z");
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

/** Reads a form as the actions do. */
function read(fields: Record<string, string>) {
  const submission = parseWithZod(new URLSearchParams(fields), { schema: postSchema });
  return submission.status === "success" ? { value: submission.value } : { errors: submission.error ?? {} };
}

describe("a post", () => {
  it("is open as long as it is active and its 24 hours are not over", () => {
    expect(isOpen({ isActive: true, expiresAt: minutes(1) }, now)).toBe(true);
    expect(isOpen({ isActive: true, expiresAt: now }, now)).toBe(false);
    expect(isOpen({ isActive: false, expiresAt: minutes(1) }, now)).toBe(false);
  });

  it("can be reopened until its 24 hours or, if it has a team, the team's session ends, whichever is earlier", () => {
    const post = { takenSpots: 1, filledAt: null, closedAt: minutes(-30), expiresAt: minutes(600) };
    expect(reopenableUntil(post, now)).toEqual(minutes(90));
    expect(reopenableUntil({ ...post, filledAt: minutes(-90) }, now)).toEqual(minutes(30));
    expect(reopenableUntil({ ...post, expiresAt: minutes(60) }, now)).toEqual(minutes(60));
    expect(reopenableUntil({ ...post, takenSpots: 0 }, now)).toEqual(minutes(600));
    // The session of an open post counts from now: the dialog shows its author the time before they close it.
    expect(reopenableUntil({ ...post, closedAt: null }, now)).toEqual(minutes(120));
  });

  it("keeps empty optional fields as null", () => {
    expect(
      read({ title: " Trio  for\tranked ", message: "  ", neededPlayers: "2", requiredRank: "", region: "" }),
    ).toEqual({
      value: {
        title: "Trio for ranked",
        message: null,
        neededPlayers: 2,
        requiredRank: null,
        requiredRole: null,
        region: null,
      },
    });
  });

  it("stores a message of invisible characters as null", () => {
    expect(read({ title: "x", message: "\u200B \u3164", neededPlayers: "2" }).value?.message).toBeNull();
  });

  it("reports each mistake at its field", () => {
    expect(read({ title: "   ", neededPlayers: "2" }).errors).toEqual({ title: ["Give your post a title."] });
    expect(read({ neededPlayers: "2" }).errors).toEqual({ title: ["Give your post a title."] });
    // Invisible fillers and joiners don't count as a title.
    for (const title of ["\u200B", "\u2060\u00AD", "\u3164", " \u2800 "]) {
      expect(read({ title, neededPlayers: "2" }).errors, JSON.stringify(title)).toEqual({
        title: ["Give your post a title."],
      });
    }
    expect(read({ title: "x".repeat(101), neededPlayers: "2" }).errors).toEqual({
      title: ["This title is 1 character too long. The limit is 100."],
    });
    expect(read({ title: "x", message: "y".repeat(1001), neededPlayers: "2" }).errors).toEqual({
      message: ["This message is 1 character too long. The limit is 1,000."],
    });
    expect(read({ title: "a\u0000b", neededPlayers: "2" }).errors?.title?.[0]).toMatch("can't be shown");
    expect(read({ title: "a\u202Eb", neededPlayers: "2" }).errors?.title?.[0]).toMatch("can't be shown");
    for (const neededPlayers of ["", "0", "5", "1.5", "two", "1e9", "-1"]) {
      expect(read({ title: "x", neededPlayers }).errors, neededPlayers).toEqual({
        neededPlayers: ["Choose how many players you need, 1 to 4."],
      });
    }
    expect(
      read({ title: "x", neededPlayers: "1", requiredRank: "Wood 1", requiredRole: "Healer", region: "Mars" }).errors,
    ).toEqual({
      requiredRank: ["Choose a rank from the list."],
      requiredRole: ["Choose a role from the list."],
      region: ["Choose a region from the list."],
    });
  });

  it("keeps markup and emoji as plain text", () => {
    const title = "<script>alert(1)</script> 👩‍👩‍👧 & co";
    expect(read({ title, neededPlayers: "1" }).value?.title).toBe(title);
  });

  it("keeps the message's line breaks, but no long runs of them", () => {
    expect(read({ title: "x", message: "one\r\ntwo\r\n\r\n\r\n\r\nthree", neededPlayers: "1" }).value?.message).toBe(
      "one\ntwo\n\nthree",
    );
  });

  it("never crashes, whatever the form holds", () => {
    const field = fc.oneof(fc.string({ unit: "binary" }), fc.string({ maxLength: 2_000 }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("id", "title", "message", "neededPlayers", "requiredRank", "region"), field),
        (form) => {
          const submission = parseWithZod(new URLSearchParams(form), { schema: newPostSchema });
          if (submission.status === "success") expect(submission.value.title.length).toBeGreaterThan(0);
          else expect(Object.keys(submission.error ?? {}).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("the search", () => {
  it("ignores letter case and accents in every script", () => {
    expect(foldForSearch("КОВАЛЕВ")).toBe(foldForSearch("Ковалёв"));
    expect(foldForSearch("SØRINA  Wójcik")).toBe("sorina wojcik");
    expect(foldForSearch("Łukasz")).toBe("lukasz");
    expect(foldForSearch("Ngọc Huyền")).toBe("ngoc huyen");
  });

  it("leaves folded text unchanged when it is folded again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
      }),
    );
  });
});
