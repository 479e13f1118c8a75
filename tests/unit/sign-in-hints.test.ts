import { describe, expect, test } from "vitest";
import { signInHints } from "../../scripts/local/sign-in-hints";

const url = "http://localhost:8787";

describe("a preview says", () => {
  test("which account to sign in with, if it has seeded a world", () => {
    for (const world of ["demo", "busy", "large"] as const) {
      expect(signInHints(world, { seeded: true, url })).toEqual([
        "Sign in as player1@example.com, password password123.",
      ]);
    }
  });

  test("where to sign up in the empty world, which has no accounts", () => {
    const hints = signInHints("empty", { seeded: false, url });
    expect(hints).toEqual([`The world “empty” has no players: sign up at ${url}/auth?tab=sign-up.`]);
  });

  test("both, for a database that already held players", () => {
    expect(signInHints("demo", { seeded: false, url }).join(" ")).toMatch(
      /^The database already holds players.*player1/,
    );
  });
});
