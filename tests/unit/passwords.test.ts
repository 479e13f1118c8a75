import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, expect, test, vi } from "vitest";
import { hashPassword, verifyPassword } from "../../app/features/auth/passwords/passwords.server";
import { NO_PASSWORD } from "../../db/schema";

const scrypt = vi.spyOn(crypto, "scrypt");
// Let modules that import scrypt by name also see the spy.
syncBuiltinESMExports();

afterAll(() => {
  scrypt.mockRestore();
  syncBuiltinESMExports();
});

/** Returns the cost of each hash since the last call: its length, its options and the length of its salt. */
function takeHashes() {
  const work = scrypt.mock.calls.map(([_password, salt, length, options]) => {
    return { length, options, saltLength: (salt as Uint8Array).length };
  });
  scrypt.mockClear();
  return work;
}

test("Checking takes the same work for a right password, a wrong one, no password and no account", async () => {
  const stored = await hashPassword("four smokes and a wall");
  const tries: [string, string | undefined, boolean][] = [
    ["four smokes and a wall", stored, true],
    ["not the password", stored, false],
    ["not the password", undefined, false],
    [NO_PASSWORD, NO_PASSWORD, false],
  ];
  const [work] = takeHashes();
  expect(work).toBeDefined();
  for (const [password, hash, answer] of tries) {
    expect(await verifyPassword(password, hash)).toBe(answer);
    expect(takeHashes()).toEqual([work]);
  }
});
