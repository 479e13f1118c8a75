import { describe, expect, test } from "vitest";
import { isOpen, MAX_OPEN_POSTS } from "../../app/features/lfg/rules";
import { type AskedPost, mayAsk, sayMisfit, whereToTeamUp } from "../../app/features/teams/rules";
import { joinSchema, teamButtonSchema } from "../../app/features/teams/schema";
import { uuidv7 } from "../../db/ids";
import { makePlayers } from "../../scripts/worlds/players";
import { busyPosts, demoPosts } from "../../scripts/worlds/posts";

test.each([
  [null, true],
  ["withdrawn", true],
  ["left", true],
  ["lapsed", true],
  ["pending", false],
  ["accepted", false],
  ["declined", false],
  ["removed", false],
] as const)("A player whose last request is %s may ask again: %s", (state, may) => {
  expect(mayAsk(state)).toBe(may);
});

describe("The form of a request", () => {
  const read = (fields: Record<string, unknown>) => joinSchema.safeParse({ id: uuidv7(), ...fields });

  test("accepts a one-line note of up to 200 characters, or none", () => {
    expect(read({ note: " I hold B.\n\nAlone. " }).data).toMatchObject({ note: "I hold B. Alone.", role: null });
    expect(read({ note: "щ".repeat(200) }).data?.note).toHaveLength(200);
    expect(read({}).data).toMatchObject({ note: null, role: null });
    for (const note of ["x".repeat(201), "a\u0000b"]) expect(read({ note }).success).toBe(false);
    expect(read({ role: "Healer" }).success).toBe(false);
  });
});

test("A button that decides about a player names the request; a player's own button doesn't have to", () => {
  for (const intent of ["accept", "decline", "remove"]) {
    expect(teamButtonSchema.safeParse({ intent, request: uuidv7() }).success).toBe(true);
    for (const request of [undefined, "", "1", "' OR 1"]) {
      expect(teamButtonSchema.safeParse({ intent, request }).success).toBe(false);
    }
  }
  for (const intent of ["leave", "withdraw"]) expect(teamButtonSchema.safeParse({ intent }).success).toBe(true);
  for (const intent of [undefined, "", "acceptt"]) expect(teamButtonSchema.safeParse({ intent }).success).toBe(false);
});

describe("Two players team up", () => {
  const post = (id: string, asked: AskedPost["asked"] = null): AskedPost => ({ id, asked });
  const where = (theirs: AskedPost[], own: AskedPost[] = []) => whereToTeamUp("them", { theirs, own });

  test("on the other player's post, by a request if one is possible", () => {
    expect(where([post("a")], [post("b")])).toBe("/lfg/a/join");
    expect(where([post("a", "left")])).toBe("/lfg/a/join");
    for (const asked of ["pending", "accepted", "declined"] as const) expect(where([post("a", asked)])).toBe("/lfg/a");
  });

  test("on the post with a pending request between them", () => {
    expect(where([post("a"), post("b", "pending")], [post("c", "pending")])).toBe("/lfg/b");
    expect(where([post("a")], [post("c"), post("d", "pending")])).toBe("/lfg/d");
  });

  test("on the other's posts to choose from, else on the viewer's own newest, else nowhere", () => {
    expect(where([post("a"), post("b")], [post("c")])).toBe("/players/them#open-posts");
    expect(where([], [post("c"), post("d")])).toBe("/lfg/c");
    expect(where([])).toBeNull();
  });
});

test("In the demo and busy worlds nobody has more than three open posts", () => {
  const now = new Date();
  const worlds = [demoPosts(makePlayers(12, now, "!"), now), busyPosts(makePlayers(200, now, "!"), now, 60)];
  for (const posts of worlds) {
    const authors = posts
      .filter(({ isActive = true, expiresAt }) => isOpen({ isActive, expiresAt }, now))
      .map(({ userId }) => userId);
    for (const author of new Set(authors)) {
      expect(authors.filter((one) => one === author).length).toBeLessThanOrEqual(MAX_OPEN_POSTS);
    }
  }
});

describe("a request to join", () => {
  const asker = { rank: "Gold 2", role: "Initiator" } as const;

  test("says which of the post's requirements the player doesn't meet", () => {
    expect(sayMisfit(asker, { requiredRank: "Platinum 1", requiredRole: "Controller" })).toBe(
      "Below Platinum 1. Would play Initiator, not Controller.",
    );
    expect(sayMisfit(asker, { requiredRank: "Gold 2", requiredRole: "Controller" })).toBe(
      "Would play Initiator, not Controller.",
    );
    expect(sayMisfit(asker, { requiredRank: "Gold 3" })).toBe("Below Gold 3.");
  });

  test("says nothing about requirements that are met, open or unknown", () => {
    expect(sayMisfit(asker, { requiredRank: "Gold 2", requiredRole: "Initiator" })).toBe("");
    expect(sayMisfit(asker, { requiredRank: null, requiredRole: null })).toBe("");
    expect(sayMisfit({ rank: null, role: null }, { requiredRank: "Radiant", requiredRole: "Duelist" })).toBe("");
  });
});
