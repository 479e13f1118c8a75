import { expect, test } from "vitest";
import { attack } from "../../scripts/attacks/attack";
import { PASSWORD } from "../../scripts/worlds";
import { quickHash } from "../support/passwords";

test("Forged and mutated requests cause no server error and no hang, and break no constraint", async () => {
  const { requests, errors, hangs, broken, forms } = await attack({
    ...{ seed: 20_261_123, requests: 300, passwordHash: quickHash(PASSWORD) },
    // CI machines are slow.
    timeout: 30_000,
  });
  expect({ requests, errors, hangs, broken }).toEqual({ requests: 300, errors: [], hangs: [], broken: [] });
  // Hundreds come from the pages that a visitor and five players can open, and one from each action.
  expect(forms).toBeGreaterThan(500);
}, 180_000);
