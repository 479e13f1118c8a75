import { describe, expect, test } from "vitest";
import { isOpen } from "../../app/features/lfg/rules";
import { mayAsk } from "../../app/features/teams/rules";
import { joinSchema, teamButtonSchema } from "../../app/features/teams/schema";
import { uuidv7 } from "../../db/ids";
import { makePlayers } from "../../db/seed/players";
import { busyPosts, demoPosts } from "../../db/seed/posts";

test.each([
  [null, true],
  ["withdrawn", true],
  ["left", true],
  ["lapsed", true],
  ["pending", false],
  ["accepted", false],
  ["declined", false],
  ["removed", false],
] as const)("A player whose last request is %s may ask: %s", (state, may) => {
  expect(mayAsk(state)).toBe(may);
});

describe("The form of a request", () => {
  const read = (fields: Record<string, unknown>) => joinSchema.safeParse({ id: uuidv7(), ...fields });

  test("takes a note of 200 characters, in one line, and none", () => {
    expect(read({ note: " I hold B.\n\nAlone. " }).data).toMatchObject({ note: "I hold B. Alone.", role: null });
    expect(read({ note: "щ".repeat(200) }).data?.note).toHaveLength(200);
    expect(read({}).data).toMatchObject({ note: null, role: null });
    for (const note of ["x".repeat(201), "a\u0000b"]) expect(read({ note }).success).toBe(false);
    expect(read({ role: "Healer" }).success).toBe(false);
  });
});

test("A button that decides on a player names the request; one's own needs none", () => {
  for (const intent of ["accept", "decline", "remove"]) {
    expect(teamButtonSchema.safeParse({ intent, request: uuidv7() }).success).toBe(true);
    for (const request of [undefined, "", "1", "' OR 1"]) {
      expect(teamButtonSchema.safeParse({ intent, request }).success).toBe(false);
    }
  }
  for (const intent of ["leave", "withdraw"]) expect(teamButtonSchema.safeParse({ intent }).success).toBe(true);
  for (const intent of [undefined, "", "acceptt"]) expect(teamButtonSchema.safeParse({ intent }).success).toBe(false);
});

test("In the demo and busy worlds nobody has two open posts", () => {
  const now = new Date();
  const worlds = [demoPosts(makePlayers(12, now, "!"), now), busyPosts(makePlayers(200, now, "!"), now, 60)];
  for (const posts of worlds) {
    const authors = posts
      .filter(({ isActive = true, expiresAt }) => isOpen({ isActive, expiresAt }, now))
      .map(({ userId }) => userId);
    expect(new Set(authors).size).toBe(authors.length);
  }
});
