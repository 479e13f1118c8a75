import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sessions } from "../../db/schema";
import { useApp } from "../support/app";
import { clientAt, isSignedIn } from "../support/client";
import { eventually } from "../support/eventually";
import { addPlayer, newVisitor } from "./players";

const SITE = "https://lineup.example";
const SESSION = "__Host-lineup_session";

/** The Worker with the settings of a public site. */
const app = useApp({
  world: "demo",
  bindings: { APP_ORIGIN: SITE, LOCAL_TOOLS: "false", DISCORD_CLIENT_ID: "", RIOT_CLIENT_ID: "" },
});

const ELSEWHERE = [
  "http://lineup.example",
  "https://www.lineup.example",
  "https://lineup.example:8443",
  "https://lineup.someone.workers.dev",
  "https://lineup.example.evil.example",
  "https://lineup.example.",
  "http://127.0.0.1",
];

const lastLine = (path: string) =>
  eventually(() => {
    const lines = app.logs.map(({ message }) => JSON.parse(message) as Record<string, unknown>);
    return lines.findLast((line) => line.message === "request" && line.path === path);
  });

describe("a request to another host, or over http", () => {
  test.each(ELSEWHERE)("is redirected with its path and query, without the database: %s", async (origin) => {
    const { client } = await newVisitor(app);
    const cookies = { Cookie: `${SESSION}=${client.cookies.get("lineup_session")}` };
    for (const path of [
      "/",
      "/dashboard?rank=gold&x=%2F%22",
      "/lfg/x.data",
      "/__manifest?p=/",
      "//evil.example/",
      "/healthz",
    ]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await clientAt(app, origin).request(path === "//evil.example/" ? `${origin}${path}` : path, {
          method,
          headers: cookies,
        });
        expect([answer.status, answer.location], `${method} ${path}`).toEqual([308, SITE + path]);
        expect(answer.setCookie).toEqual([]);
        expect(answer.headers.has("Server-Timing")).toBe(false);
        expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
      }
    }
    const line = await lastLine("/healthz");
    expect(line).toMatchObject({ status: 308, host: new URL(origin).host });
    expect(line).not.toHaveProperty("dbRoundTrips");
  });

  test("is refused with 421 if it isn't for a page, and changes nothing", async () => {
    const player = await addPlayer(app);
    for (const origin of ELSEWHERE) {
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const answer = await clientAt(app, origin).request("/auth", {
          method,
          ...(method === "POST" && { body: new URLSearchParams({ email: player.email, password: "password123" }) }),
        });
        expect(answer.status, `${method} ${origin}`).toBe(421);
        expect(answer.text).toBe("Lineup is at https://lineup.example, so nothing was changed here.");
        expect(answer.setCookie).toEqual([]);
      }
      const api = await clientAt(app, origin).postJson("/riot-api/verify-account", { gameName: "A", tagLine: "B" });
      expect([api.status, JSON.parse(api.text)]).toEqual([421, { error: expect.stringContaining(SITE) }]);
    }
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toEqual([]);
  });

  test("opens no socket, whatever origin it claims", async () => {
    const { client } = await newVisitor(app);
    const Cookie = `${SESSION}=${client.cookies.get("lineup_session")}`;
    const open = (at: string, Origin: string) =>
      app.miniflare.dispatchFetch(`${at}/parties/inbox`, {
        headers: { Upgrade: "websocket", Origin, Cookie },
        redirect: "manual",
      });
    for (const origin of ELSEWHERE) {
      expect((await open(origin, origin)).status, origin).toBe(308);
      expect((await open(origin, SITE)).status, origin).toBe(308);
      expect((await open(SITE, origin)).status, origin).toBe(403);
    }
    const own = await open(SITE, SITE);
    expect(own.status).toBe(101);
    own.webSocket?.accept();
    own.webSocket?.close();
  });
});

describe("the site itself", () => {
  test("binds browsers to https, and its cookies to https and this host", async () => {
    const player = await addPlayer(app);
    const client = clientAt(app, SITE);
    const answer = await client.post("/auth", { email: player.email, password: "password123" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Strict-Transport-Security")).toMatch(/max-age=\d{8}/);
    expect(answer.headers.get("Content-Security-Policy")).toContain("upgrade-insecure-requests");
    expect(answer.setCookie.length).toBeGreaterThan(1);
    for (const cookie of answer.setCookie) {
      // The page's script reads only the cookie with names of events: docs/decisions/0002-sessions.md.
      const isForScripts = /^lineup_event=[A-Z_]+;/.test(cookie);
      expect(cookie).toMatch(isForScripts ? /; Path=\/; Secure; SameSite=Lax$/ : /^__Host-lineup_/);
      if (!isForScripts) expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toMatch(/; Domain=/i);
    }
    expect(await isSignedIn(client)).toBe(true);
    expect((await client.get("/")).headers.get("Strict-Transport-Security")).toMatch(/max-age=\d{8}/);
  });

  test("accepts forms from its own pages only", async () => {
    for (const Origin of ["http://lineup.example", "https://www.lineup.example", "null"]) {
      expect((await clientAt(app, SITE).post("/auth", { email: "x" }, { Origin })).status, Origin).toBe(403);
    }
  });
});
