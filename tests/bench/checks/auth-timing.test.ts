import { cpus } from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { addPlayer, newAddress, useRealHash } from "../../integration/players";
import { useApp } from "../../support/app";
import type { HttpResponse } from "../../support/client";

/*
 * Measures how long responses to known and unknown email addresses take. The times are reported and not asserted:
 * tests/integration/known-and-unknown.test.ts and tests/unit/passwords.test.ts assert that both take the same steps.
 */

const TRIES = 200;
const WARM_UP = 10;

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;
const distribution = (values: readonly number[]) =>
  [0.1, 0.5, 0.9, 0.99].map((share) => `p${share * 100} ${at(values, share).toFixed(1)}`).join("  ");

beforeAll(() => {
  console.log(`${cpus().length} cores (${cpus()[0]?.model}); workerd, sqld and this test share them. Times in ms:`);
});

describe("the response time for known and unknown addresses", () => {
  const app = useApp({ confirmEmail: true });
  const password = "four smokes and a wall";

  const FLOWS: Record<string, (email: string) => Promise<HttpResponse>> = {
    "sign-in, wrong password": (email) => app.client().post("/auth", { email, password }, newAddress()),
    "sign-up, step 1": (email) =>
      app.client().post("/auth?tab=sign-up", { intent: "next", email, password }, newAddress()),
    "forgotten password": (email) =>
      app.client().post("/auth/forgot-password", { intent: "send", email }, newAddress()),
  };

  test.each(Object.entries(FLOWS))("%s", async (name, answer) => {
    const player = await addPlayer(app);
    await useRealHash(app, player);
    const known = player.email;
    const times = { known: [] as number[], unknown: [] as number[] };
    // Alternate, so that other load on the machine affects both.
    for (let round = 0; round < WARM_UP + TRIES; round += 1) {
      for (const who of ["known", "unknown"] as const) {
        const email = who === "known" ? known : "nobody-at-all@lineup.test";
        const started = performance.now();
        const { status } = await answer(email);
        if (round >= WARM_UP) times[who].push(performance.now() - started);
        expect([303, 400]).toContain(status);
      }
    }
    for (const [who, values] of Object.entries(times)) console.log(`${name}, ${who}: ${distribution(values)}`);
  });
});
