import { describe, expect, test } from "vitest";
import { signInHints } from "../../scripts/local/sign-in-hints";

const url = "http://localhost:8787";

describe("a preview says", () => {
  test("whom to sign in as, where it has filled in a world", () => {
    for (const world of ["demo", "busy", "large"] as const) {
      expect(signInHints(world, { seeded: true, url })).toEqual([
        "Sign in as player1@example.com, password password123.",
      ]);
    }
  });

  test("where to sign up in the empty world, and no account that isn't there", () => {
    const hints = signInHints("empty", { seeded: false, url });
    expect(hints).toEqual([`The world “empty” has no players: sign up at ${url}/auth?tab=sign-up.`]);
  });

  test("both for a database that held players before", () => {
    expect(signInHints("demo", { seeded: false, url }).join(" ")).toMatch(
      /^The database already holds players.*player1/,
    );
  });
});
