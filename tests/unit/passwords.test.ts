import { beforeEach, expect, test, vi } from "vitest";
import { hashPassword, verifyPassword } from "../../app/features/auth/passwords/passwords.server";
import { NO_PASSWORD } from "../../db/schema";

const derived = vi.hoisted(() => [] as { length: number; options: object }[]);

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const scrypt = (...[password, salt, length, options, done]: Parameters<typeof crypto.scrypt>) => {
    derived.push({ length, options: { ...(options as object), saltLength: (salt as Uint8Array).length } });
    return crypto.scrypt(password, salt, length, options as object, done as never);
  };
  return { ...crypto, default: { ...crypto, scrypt }, scrypt };
});

beforeEach(() => {
  derived.length = 0;
});

test("A password is checked with the same work whether it is right, wrong, or there is none or no account", async () => {
  const stored = await hashPassword("four smokes and a wall");
  const tries: [string, string | undefined, boolean][] = [
    ["four smokes and a wall", stored, true],
    ["not the password", stored, false],
    ["not the password", undefined, false],
    [NO_PASSWORD, NO_PASSWORD, false],
  ];
  const [work] = derived;
  for (const [password, hash, answer] of tries) {
    derived.length = 0;
    expect(await verifyPassword(password, hash)).toBe(answer);
    expect(derived).toEqual([work]);
  }
});
