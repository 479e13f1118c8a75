import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayName, initial } from "../../app/features/players/rules";
import { createToken, hashToken, sign, unsign } from "../../app/platform/crypto/crypto.server";
import { showMoment, soonTime, timeLeft } from "../../app/platform/dates/time";
import { chooseZone } from "../../app/platform/dates/time-zone";
import { parseEnv } from "../../app/platform/env";
import { configuredLimit } from "../../app/platform/limits/limits.server";
import { tooManyTries } from "../../app/platform/limits/refusal";
import { networkOf, wideNetworkOf } from "../../app/platform/request/ip";
import { isOriginAllowed } from "../../app/platform/request/origin";
import { securityHeaders } from "../../app/platform/request/security-headers";
import { REQUIRED_SETTINGS } from "../support/settings";

const OWN = "https://lineup.example";
const secret = "s".repeat(32);

describe("settings", () => {
  it("have working defaults", () => {
    expect(parseEnv({ ...REQUIRED_SETTINGS })).toMatchObject({
      REQUIRE_CONFIRMED_EMAIL: false,
      LOCAL_TOOLS: false,
      RATE_LIMIT_FACTOR: 1,
    });
  });

  it("that are missing or wrong are named without their values", () => {
    expect(() => parseEnv({ SESSION_SECRET: "too-short-to-be-safe" })).toThrow(/LIBSQL_URL.*SESSION_SECRET/s);
    expect(() => parseEnv({ ...REQUIRED_SETTINGS, SESSION_SECRET: "too-short-to-be-safe" })).not.toThrow(
      /too-short-to-be-safe/,
    );
    expect(() => parseEnv({ ...REQUIRED_SETTINGS, REQUIRE_CONFIRMED_EMAIL: "yes" })).toThrow(/REQUIRE_CONFIRMED_EMAIL/);
    expect(() => parseEnv({ ...REQUIRED_SETTINGS, CONTACT_EMAIL: "at the door" })).toThrow(/CONTACT_EMAIL/);
  });

  it("name the site by an origin, over https unless the machine is a developer's", () => {
    expect(parseEnv({ ...REQUIRED_SETTINGS, APP_ORIGIN: "https://Lineup.example:443/" }).APP_ORIGIN).toBe(OWN);
    for (const APP_ORIGIN of ["lineup.example", `${OWN}/lfg`, `${OWN}/?a=b`, "http://lineup.example", ""]) {
      expect(() => parseEnv({ ...REQUIRED_SETTINGS, APP_ORIGIN }), APP_ORIGIN).toThrow(/APP_ORIGIN/);
    }
    const local = { ...REQUIRED_SETTINGS, APP_ORIGIN: "http://localhost:8788", LOCAL_TOOLS: "true" };
    expect(parseEnv(local).APP_ORIGIN).toBe("http://localhost:8788");
  });

  it("about the operator may be left out or empty", () => {
    expect(parseEnv({ ...REQUIRED_SETTINGS, OPERATOR_NAME: "", CONTACT_EMAIL: " " })).toMatchObject({
      OPERATOR_NAME: undefined,
      CONTACT_EMAIL: undefined,
    });
    expect(
      parseEnv({ ...REQUIRED_SETTINGS, OPERATOR_NAME: " Jo Doe ", CONTACT_EMAIL: " hello@lineup.example" }),
    ).toMatchObject({
      OPERATOR_NAME: "Jo Doe",
      CONTACT_EMAIL: "hello@lineup.example",
    });
  });
});

describe("a signed cookie", () => {
  it("is valid under every secret in use, including old ones", () => {
    const old = "o".repeat(32);
    expect(unsign(sign("value", [old]), [secret, old])).toBe("value");
    expect(unsign(sign("value", [secret, old]), [secret])).toBe("value");
    expect(unsign(sign("value", ["x".repeat(32)]), [secret, old])).toBeNull();
  });

  it("is invalid once a character of it is changed", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (value, at) => {
        const signed = sign(value, [secret]);
        expect(unsign(signed, [secret])).toBe(value);
        const place = at % signed.length;
        const changed = signed.slice(0, place) + (signed[place] === "A" ? "B" : "A") + signed.slice(place + 1);
        expect(unsign(changed, [secret])).not.toBe(value);
      }),
    );
  });

  it("carries a unique token, whose hash the database stores", () => {
    const tokens = new Set(Array.from({ length: 1_000 }, createToken));
    expect(tokens.size).toBe(1_000);
    expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("a request's origin", () => {
  const request = (method: string, headers: Record<string, string> = {}, path = "/auth") =>
    new Request(`https://lineup.example${path}`, { method, headers });

  it("isn't checked when the request changes nothing", () => {
    expect(isOriginAllowed(request("GET", { Origin: "https://evil.example" }), OWN)).toBe(true);
  });

  it.each([
    "https://evil.example",
    "null",
    "http://lineup.example",
    "https://lineup.example.evil.example",
    "https://lineup.example:8443",
  ])("must be ours when the request changes something, not %s", (origin) =>
    expect(isOriginAllowed(request("POST", { Origin: origin }), OWN)).toBe(false),
  );

  it("is accepted if `Origin` is ours or, without one, if `Sec-Fetch-Site` says so, and refused otherwise", () => {
    expect(isOriginAllowed(request("POST", { Origin: "https://lineup.example" }), OWN)).toBe(true);
    expect(isOriginAllowed(request("POST", { "Sec-Fetch-Site": "same-origin" }), OWN)).toBe(true);
    expect(isOriginAllowed(request("POST"), OWN)).toBe(false);
    expect(isOriginAllowed(request("DELETE", { "Sec-Fetch-Site": "cross-site" }), OWN)).toBe(false);
  });

  it("may be missing for the verification API, unless the request carries a session cookie", () => {
    expect(isOriginAllowed(request("POST", {}, "/riot-api/verify-account"), OWN)).toBe(true);
    expect(isOriginAllowed(request("POST", { Cookie: "lineup_session=x" }, "/riot-api/verify-account"), OWN)).toBe(
      false,
    );
    expect(isOriginAllowed(request("POST", { Origin: "https://evil.example" }, "/riot-api/verify-account"), OWN)).toBe(
      false,
    );
  });
});

describe("a rate limit", () => {
  it("comes from the table, times the factor, unless it is overridden", () => {
    const env = { RATE_LIMITS: "", RATE_LIMIT_FACTOR: 1 };
    expect(configuredLimit(env, "signIn")).toEqual({ times: 10, seconds: 60 });
    expect(configuredLimit({ ...env, RATE_LIMIT_FACTOR: 10 }, "riotLookup")).toEqual({ times: 200, seconds: 60 });
    expect(configuredLimit({ ...env, RATE_LIMITS: "post=3/60,signIn=2/5" }, "signIn")).toEqual({
      times: 2,
      seconds: 5,
    });
    const ofPosts = { ...env, RATE_LIMITS: "post=3/60" };
    expect(configuredLimit(ofPosts, "postChange")).toEqual({ times: 60, seconds: 3600 });
    expect(configuredLimit(ofPosts, "postPerAddress")).toEqual({ times: 60, seconds: 3600 });
  });

  it("says how long to wait", () => {
    expect(tooManyTries(5)).toMatchObject({ status: 429, retryAfter: 5, error: expect.stringContaining("5 seconds") });
    expect(tooManyTries(3600).error).toMatch("60 minutes");
  });
});

describe("a response's headers", () => {
  it("let only this response's scripts run, and no other site frame it", () => {
    const headers = securityHeaders({ nonce: "abc", local: false, formTargets: [] });
    expect(headers["Content-Security-Policy"]).toContain("script-src 'self' 'nonce-abc'");
    expect(headers["Content-Security-Policy"]).toContain("frame-ancestors 'none'");
    expect(headers["Content-Security-Policy"]).not.toMatch(/script-src[^;]*unsafe|localhost/);
    expect(headers["Strict-Transport-Security"]).toBeDefined();
  });
});

describe("a name", () => {
  const player = { userId: "0193f2ab-1111-7000-8000-000000000000", riotGameName: null, riotId: null };

  it("is the game name, else the Riot ID, else `Player ` and 8 characters of the id", () => {
    expect(displayName({ ...player, riotGameName: "Sørina", riotId: "Sørina#CALM" })).toBe("Sørina");
    expect(displayName({ ...player, riotId: "Sørina#CALM" })).toBe("Sørina#CALM");
    expect(displayName(player)).toBe("Player 0193f2ab");
  });

  it("has a whole character as its initial, however many code points that takes", () => {
    expect(initial("👩‍👩‍👧x")).toBe("👩‍👩‍👧");
    expect(initial("é".normalize("NFD"))).toBe("é".normalize("NFD"));
    expect(initial("")).toBe("?");
  });
});

describe("a moment", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const zone = chooseZone({ profile: "Europe/Berlin", browser: null, address: null });
  const clock = { now, order: "day-month-year", hour12: false, ...zone } as const;

  it("is shown in relative terms, with the exact date and its zone", () => {
    expect(showMoment(new Date("2026-11-21T10:00:00Z"), clock)).toEqual({
      iso: "2026-11-21T10:00:00.000Z",
      ago: "about 2 hours ago",
      exact: "21 November 2026, 11:00, Europe/Berlin time",
    });
  });

  it("has its remaining time rounded to the nearest unit", () => {
    expect(timeLeft(new Date("2026-11-22T11:59:58Z"), now)).toBe("24 hours");
    expect(timeLeft(new Date("2026-11-22T11:20:00Z"), now)).toBe("23 hours");
    expect(timeLeft(new Date("2026-11-21T12:00:40Z"), now)).toBe("40 seconds");
    expect(timeLeft(new Date("2026-11-20T11:59:00Z"), now)).toBe("0 seconds");
  });

  it("of the next 24 hours names its day, even across a clock change", () => {
    const called = (moment: string, from: string) => soonTime(new Date(moment), { ...clock, now: new Date(from) });
    expect(called("2026-11-21T21:40:00Z", "2026-11-21T12:00:00Z")).toBe("today, 22:40");
    expect(called("2026-11-22T12:00:00Z", "2026-11-21T12:00:00Z")).toBe("tomorrow, 13:00");
    expect(called("2027-01-01T12:00:00Z", "2026-12-31T12:00:00Z")).toBe("tomorrow, 13:00");
    // 24 hours from 23:30 on the evening before a day of 23 hours, and from 00:30 on a day of 25.
    expect(called("2027-03-28T22:30:00Z", "2027-03-27T22:30:00Z")).toBe("Mon, 00:30");
    expect(called("2026-10-25T22:30:00Z", "2026-10-24T22:30:00Z")).toBe("today, 23:30");
  });
});

describe("the network", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:0db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["::1", "0:0:0:0::/64", "0:0:0::/48"],
    ["local", "local", "local"],
  ])("of %s is %s, and the wide one %s", (ip, network, wide) => {
    expect(networkOf(ip)).toBe(network);
    expect(wideNetworkOf(networkOf(ip))).toBe(wide);
  });
});
