import { describe, expect, it } from "vitest";
import { Cookies } from "../../app/platform/request/cookies.server";

const BARE = "lineup_session";
const PREFIXED = "__Host-lineup_session";

/** The cookies of a request to the public site. */
const received = (Cookie: string, isSecure = true) =>
  new Cookies(new Request("https://lineup.example/", { headers: { Cookie } }), { isSecure });

const answered = (cookies: Cookies) => {
  const headers = new Headers();
  cookies.apply(headers);
  return headers.getSetCookie();
};

describe("a cookie", () => {
  it("is for this host, https and the server only", () => {
    const cookies = received(`${PREFIXED}=abc`);
    expect(cookies.get(BARE)).toBe("abc");
    cookies.set(BARE, "next", { maxAge: 60 });
    expect(answered(cookies)).toEqual([`${PREFIXED}=next; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`]);
  });

  it("isn't read without its prefix, because another site on the domain may have planted it", () => {
    expect(received(`${BARE}=planted`).get(BARE)).toBeUndefined();
    expect(received(`${BARE}=planted; ${PREFIXED}=abc`).get(BARE)).toBe("abc");
  });

  it("has no prefix if scripts use it, but is still for https only", () => {
    for (const name of ["lineup_zone", "lineup_event"]) {
      const cookies = received(`${name}=before`);
      expect(cookies.get(name)).toBe("before");
      cookies.set(name, "x", { maxAge: 60 });
      expect(answered(cookies)).toEqual([`${name}=x; Max-Age=60; Path=/; Secure; SameSite=Lax`]);
    }
  });

  it("has no prefix on a developer's machine, because browsers would refuse one over http", () => {
    const cookies = received(`${BARE}=abc`, false);
    expect(cookies.get(BARE)).toBe("abc");
    cookies.set(BARE, "next", { maxAge: 60 });
    expect(answered(cookies)).toEqual([`${BARE}=next; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`]);
  });
});
