import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passwordWeakness } from "../../app/features/auth/passwords/password-strength.server";
import { hashPassword, verifyPassword } from "../../app/features/auth/passwords/passwords.server";
import { readRedirectTo, safeRedirect } from "../../app/features/auth/rules";

describe("a password", () => {
  it("needs at least 6 characters", () => {
    expect(passwordWeakness("ab1!x")).toMatch("at least 6");
    expect(passwordWeakness("ab1!xy")).toBeNull();
  });

  it.each(["123456", "password", "QWERTY", "password123", "iloveyou", "dragon"])(
    "is refused when it is as common as %s",
    (common) => {
      expect(passwordWeakness(common)).toMatch("Too common");
    },
  );

  it("is refused when it repeats one character or the email address", () => {
    expect(passwordWeakness("zzzzzzzzz")).toMatch("repeat one character");
    expect(passwordWeakness("Mira.Vel@example.com", "mira.vel@example.com")).toMatch("email address");
    expect(passwordWeakness("mira.vel", "mira.vel@example.com")).toMatch("email address");
  });

  it("matches only its own hash, whatever Unicode form it is typed in", async () => {
    const hash = await hashPassword("Sørína 7 Łukasz");
    expect(hash).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword("Sørína 7 Łukasz".normalize("NFD"), hash)).toBe(true);
    expect(await verifyPassword("Sørína 7 Łukas", hash)).toBe(false);
    expect(await verifyPassword("anything", undefined)).toBe(false);
  });
});

describe("the way back after signing in", () => {
  it.each(["/dashboard", "/lfg/0193f2ab?x=1", "/dashboard?rank=Gold+1"])("may be our own path %s", (path) => {
    expect(safeRedirect(path)).toBe(path);
  });

  it.each([
    null,
    "",
    "dashboard",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/%0d%0aSet-Cookie:x\r\n",
    "/a\\b",
    "/\t/evil.example",
    "/auth",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%2e//evil.example",
    "/auth?tab=sign-up",
    "/auth/confirm",
  ])("is dropped when it is %j", (path) => {
    expect(safeRedirect(path)).toBeNull();
  });

  it("is read from the request's URL", () => {
    const asked = (query: string) => readRedirectTo(new Request(`https://lineup.example/auth${query}`));
    expect(asked("?tab=sign-up&redirectTo=%2Fdashboard%3Frank%3DGold%2B1")).toBe("/dashboard?rank=Gold+1");
    expect(asked("?redirectTo=https%3A%2F%2Fevil.example")).toBeNull();
    expect(asked("")).toBeNull();
  });

  it("never leaves this site, whatever target is requested", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((tail) => `/${tail}`),
          fc
            .array(fc.constantFrom("/", ".", "..", "%2e", "a", "evil.example", "?", "#"))
            .map((parts) => `/${parts.join("")}`),
        ),
        (to) => {
          const path = safeRedirect(to);
          if (path !== null) expect(new URL(path, "https://lineup.example").origin).toBe("https://lineup.example");
        },
      ),
    );
  });
});
