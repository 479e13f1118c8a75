import { describe, expect, it } from "vitest";
import { Cookies, OLD_NAMES_END } from "../../app/platform/request/cookies.server";

const DAY = 24 * 60 * 60 * 1000;
const NEW = "__Host-lineup_session";
const OLD = "lineup_session";

/** The cookies of a request to the public site, before or after the old names end. */
const received = (Cookie: string, now = new Date(OLD_NAMES_END - 1), isSecure = true) =>
  new Cookies(new Request("https://lineup.example/", { headers: { Cookie } }), { isSecure, now });

const answered = (cookies: Cookies) => {
  const headers = new Headers();
  cookies.apply(headers);
  return headers.getSetCookie();
};

describe("a cookie", () => {
  it("is for this host, https and the server only", () => {
    const cookies = received("");
    cookies.set(OLD, "abc", { maxAge: 60 });
    expect(answered(cookies)).toEqual([`${NEW}=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`]);
  });

  it("keeps its name if scripts use it, for https only", () => {
    for (const name of ["lineup_zone", "lineup_event"]) {
      const cookies = received(`${name}=before`, new Date(OLD_NAMES_END));
      expect(cookies.get(name)).toBe("before");
      cookies.set(name, "x", { maxAge: 60 });
      expect(answered(cookies)).toEqual([`${name}=x; Max-Age=60; Path=/; Secure; SameSite=Lax`]);
    }
  });

  it("has no prefix on a developer's machine, which browsers would refuse over http", () => {
    const cookies = received(`${OLD}=abc`, new Date(OLD_NAMES_END), false);
    expect(cookies.get(OLD)).toBe("abc");
    cookies.set(OLD, "next", { maxAge: 60 });
    expect(answered(cookies)).toEqual([`${OLD}=next; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`]);
  });
});

describe("a cookie's old name", () => {
  it("is read until its date, unless the new one is there", () => {
    expect(received(`${OLD}=old`).get(OLD)).toBe("old");
    expect(received(`${OLD}=old; ${NEW}=new`).get(OLD)).toBe("new");
    expect(received(`${OLD}=old`, new Date(OLD_NAMES_END)).get(OLD)).toBeUndefined();
    expect(received(`${NEW}=new`, new Date(OLD_NAMES_END)).get(OLD)).toBe("new");
  });

  it("is read for 30 days after the release of 23 November 2026, as long as a session lasts without a visit", () => {
    expect(OLD_NAMES_END - Date.UTC(2026, 10, 24)).toBe(30 * DAY);
  });

  it("is deleted together with the first new value, and when the cookie is deleted", () => {
    for (const value of ["next", ""]) {
      const cookies = received(`${OLD}=old`);
      if (value) cookies.set(OLD, value, { maxAge: 60 });
      else cookies.delete(OLD);
      const [own, old] = answered(cookies);
      expect(own).toMatch(new RegExp(`^${NEW}=${value}; Max-Age=${value ? 60 : 0};`));
      expect(old).toMatch(new RegExp(`^${OLD}=; Max-Age=0; Path=/;`));
    }
  });

  it("is replaced by the new one without a new value, for cookies that are kept for longer", () => {
    const cookies = received("lineup_theme=light");
    cookies.rename("lineup_theme", { maxAge: 90 });
    expect(answered(cookies)).toEqual([
      expect.stringMatching(/^__Host-lineup_theme=light; Max-Age=90;/),
      expect.stringMatching(/^lineup_theme=; Max-Age=0;/),
    ]);
    for (const Cookie of ["", "__Host-lineup_theme=light"]) {
      const others = received(Cookie);
      others.rename("lineup_theme", { maxAge: 90 });
      expect(answered(others)).toEqual([]);
    }
  });
});
