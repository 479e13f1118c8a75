import { expect, test } from "vitest";
import { attack } from "../../scripts/attacks/attack";
import { PASSWORD } from "../../scripts/worlds";
import { quickHash } from "../support/passwords";

test("Forged and mutated requests get no server error, no hang, and break no constraint", async () => {
  const { requests, errors, hangs, broken, forms } = await attack({
    ...{ seed: 20_261_123, requests: 300, passwordHash: quickHash(PASSWORD) },
    // CI machines are slow.
    timeout: 30_000,
  });
  expect({ requests, errors, hangs, broken }).toEqual({ requests: 300, errors: [], hangs: [], broken: [] });
  // The pages of a visitor and five players offer hundreds.
  expect(forms).toBeGreaterThan(500);
}, 180_000);
