import { connect } from "node:net";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createToken, sign } from "../../app/platform/crypto/crypto.server";
import { uuidv7 } from "../../db/ids";
import {
  lfgPosts,
  outbox,
  pendingSignups,
  profiles,
  rateLimits,
  sessions,
  users,
  verifications,
} from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { type TestApp, useApp } from "../support/app";
import { clientAt, type HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { findForm, heading, links, postTitles, selectEach, textOf } from "../support/html";
import { databaseTiming, roundTrips } from "../support/server-timing";
import { addPlayer, addPost, newVisitor, openSession, unique } from "./players";

const app = useApp({ world: "busy" });

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const nonceOf = ({ headers }: HttpResponse) =>
  headers.get("Content-Security-Policy")?.match(/script-src 'self' 'nonce-(\w{32})'(?:;|$)/)?.[1];

/** Reads all rows of the tables that the requests below could change, to check that they are unchanged. */
async function readAllRows({ db }: TestApp) {
  const tables = [users, profiles, sessions, pendingSignups, verifications, outbox, rateLimits, lfgPosts] as const;
  return Promise.all(tables.map((table) => db.select().from(table)));
}

describe("every response", () => {
  test("has the security headers and a nonce of its own", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    const visitor = app.client();
    const answers: Record<string, HttpResponse> = {
      landing: await visitor.get("/"),
      "sign-in": await visitor.get("/auth"),
      "signed-in page": await client.get("/dashboard"),
      dialog: await client.get("/dashboard/lfg/new"),
      "shared post": await visitor.get(`/lfg/${post}`),
      redirect: await visitor.get("/dashboard"),
      "data of a page": await client.get("/dashboard.data"),
      "page not found": await visitor.get("/no/such/page"),
      "refused form": await visitor.post("/auth", { email: "x" }),
      "redirect after a form": await client.post(`/lfg/${post}`, { intent: "close" }),
      "foreign origin": await visitor.post("/auth", {}, { Origin: "https://evil.example" }),
      "no form": await visitor.postJson("/auth", {}),
      "no such method": await visitor.request("/auth", { method: "PUT" }),
      "no such action": await visitor.post("/dashboard/profile"),
      "too large": await visitor.post("/auth", { email: "x".repeat(200_000) }),
      "API success": await visitor.postJson("/riot-api/verify-account", { gameName: "Anyone", tagLine: "EUW" }),
      "API error": await visitor.postJson("/riot-api/verify-account", "{"),
      health: await visitor.get("/healthz"),
      readiness: await visitor.get("/readyz"),
      "no body": await visitor.request("/", { method: "HEAD" }),
    };
    const nonces = new Set<string | undefined>();
    for (const [name, answer] of Object.entries(answers)) {
      expect(Object.fromEntries(answer.headers), name).toMatchObject(HEADERS);
      const policy = answer.headers.get("Content-Security-Policy");
      for (const part of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
        expect(policy, name).toContain(part);
      }
      expect(policy, name).not.toMatch(/script-src[^;]*unsafe/);
      expect(nonceOf(answer), name).toBeDefined();
      nonces.add(nonceOf(answer));
      expect(answer.headers.get("Cache-Control"), name).toMatch(/no-store|no-cache/);
      expect(answer.headers.has("X-Powered-By"), name).toBe(false);
      expect(answer.text, name).not.toMatch(/^\s+at \S+ \(/m);
    }
    expect(nonces.size).toBe(Object.keys(answers).length);
  });

  test("allows its own inline scripts by its nonce, and no other way to run code", async () => {
    const { client } = await newVisitor(app);
    for (const path of ["/", "/auth?tab=sign-up", "/dashboard", "/dashboard/lfg/new", "/no/such/page"]) {
      const answer = await client.get(path);
      const page = answer.location === null ? answer : await app.client().get(path);
      const nonce = nonceOf(page);
      const scripts = selectEach(page.text, "script");
      // The landing page has no scripts.
      if (path === "/") expect(scripts).toEqual([]);
      else expect(scripts.length, path).toBeGreaterThan(0);
      for (const script of scripts) {
        if (script.attr("src")) expect(script.attr("src"), path).toMatch(/^\/build\//);
        else expect(script.attr("nonce"), path).toBe(nonce);
      }
      const attributes = selectEach(page.text, "*").flatMap((element) => Object.keys(element.attr() ?? {}));
      expect(
        attributes.filter((name) => /^on/i.test(name)),
        path,
      ).toEqual([]);
      expect(page.text, path).not.toMatch(/javascript:/i);
    }
  });

  test("binds neither browsers nor cookies to https on a developer's machine, even over https", async () => {
    const player = await addPlayer(app);
    const fields = { email: player.email, password: "password123" };
    const answer = await clientAt(app, "https://lineup.example").post("/auth", fields);
    expect(answer.status).toBe(303);
    expect(answer.headers.has("Strict-Transport-Security")).toBe(false);
    expect(answer.setCookie.length).toBeGreaterThan(0);
    for (const cookie of answer.setCookie) expect(cookie).toMatch(/^lineup_(?!.*; Secure)/);
    const local = await app.client().get("/");
    expect(local.headers.has("Strict-Transport-Security")).toBe(false);
    expect(local.headers.get("Content-Security-Policy")).not.toContain("upgrade-insecure-requests");
  });

  test("has the request's id, as the log does", async () => {
    const client = app.client();
    const [first, second] = [await client.get("/no-such-page-to-log"), await client.get("/healthz")];
    const id = first.headers.get("X-Request-Id");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers.get("X-Request-Id")).not.toBe(id);
    const lines = await eventually(() => {
      const found = app.logs.map(({ message }) => parse(message)).filter((line) => line?.requestId === id);
      return found.length === 2 ? found : undefined;
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: "Page not found", path: "/no-such-page-to-log" }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "info", message: "request", method: "GET", status: 404 }),
    );
    const atTheEdge = await client.get("/healthz", { "CF-Ray": "8f2b1c0d9e7a6543-FRA" });
    expect(atTheEdge.headers.get("X-Request-Id")).toBe("8f2b1c0d9e7a6543-FRA");
  });
});

describe("a request from elsewhere", () => {
  test("is refused with 403 by forms of /auth and of LFG, the API and unknown pages, changing nothing", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    const signup = await beginSignup();
    const origins = {
      "a foreign": "https://evil.example",
      "a null": "null",
      "a missing": "",
      "an invalid": "not an origin",
      "another port's": "http://localhost:1",
      "another scheme's": app.url.replace("http:", "https:"),
      "a lookalike's": `${app.url}.evil.example`,
    };
    const riot = { gameName: "Somebody", tagLine: "EUW", region: "europe" };
    const requests: [string, Record<string, string>][] = [
      ["/auth", { intent: "sign-in", email: player.email, password: "password123" }],
      ["/auth?tab=sign-up", { intent: "next", email: "new@lineup.test", password: "four smokes and a wall" }],
      ["/auth?tab=sign-up&step=2", { intent: "verify", ...riot }],
      ["/auth?tab=sign-up&step=2", { intent: "complete", ...riot }],
      ["/auth?tab=sign-up&step=2", { intent: "back", ...riot }],
      ["/auth/sign-out", {}],
      ["/dashboard/lfg/new", { id: uuidv7(), title: "From elsewhere", neededPlayers: "1" }],
      ["/dashboard/lfg/new.data", { id: uuidv7(), title: "From elsewhere", neededPlayers: "1" }],
      [`/lfg/${post}`, { intent: "close" }],
      [`/lfg/${post}`, { intent: "bump" }],
      [`/lfg/${post}/edit`, { title: "From elsewhere", neededPlayers: "1" }],
      [`/lfg/${post}/delete`, {}],
      [`/lfg/${post}/delete.data`, {}],
      ["/riot-api/verify-account", riot],
      ["/no/such/page", {}],
    ];
    const before = await readAllRows(app);
    for (const [path, fields] of requests) {
      const sender = path.includes("step=2") ? signup : client;
      for (const [name, origin] of Object.entries(origins)) {
        const answer = path.startsWith("/riot-api/")
          ? await sender.postJson(path, fields, { Origin: origin })
          : await sender.post(path, fields, { Origin: origin });
        expect(answer.status, `${path} from ${name} origin`).toBe(403);
        expect(answer.setCookie, `${path} from ${name} origin`).toEqual([]);
        expect(answer.text).toContain("This request didn't come from a page on Lineup, so nothing was changed.");
      }
    }
    const anonymous = await app
      .client()
      .post("/auth", { email: player.email, password: "password123" }, { Origin: "" });
    expect(anonymous.status).toBe(403);
    expect(await readAllRows(app)).toEqual(before);
  });

  test("may use the verification API without an origin, as programs do, if it sends no cookie", async () => {
    const riot = { gameName: "Somebody", tagLine: "EUW" };
    const answer = await app.client().postJson("/riot-api/verify-account", riot, { Origin: "" });
    expect(answer.status).toBe(200);
  });

  test("is recognised by the request's own address, whatever a proxy's headers say", async () => {
    const proxied = { "X-Forwarded-Host": "proxy.example", Forwarded: "host=proxy.example" };
    const mine = await app.client().post("/auth", { email: "x" }, proxied);
    expect(mine.status).toBe(400);
    const foreign = { ...proxied, Origin: "http://proxy.example" };
    expect((await app.client().post("/auth", { email: "x" }, foreign)).status).toBe(403);
  });

  test("leaves the connection usable for the next one after a refusal", async () => {
    const client = app.client();
    for (let round = 0; round < 40; round += 1) {
      const answers = [
        await client.post("/auth", { email: "x" }, { Origin: "https://evil.example" }),
        await client.postJson("/auth", { email: "x" }),
        await client.request("/auth", { method: "PUT", body: "a=b" }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 415, 405]);
    }
  });

  async function beginSignup() {
    const client = app.client();
    const fields = { intent: "next", email: `${unique("elsewhere")}@lineup.test`, password: "four smokes and a wall" };
    expect((await client.post("/auth?tab=sign-up", fields)).status).toBe(303);
    return client;
  }
});

describe("a session cookie", () => {
  test("without our signature opens nothing and costs no database query", async () => {
    const player = await addPlayer(app);
    const other = await addPlayer(app);
    const { cookie } = await openSession(app, player.id);
    const [, token = "", signature = ""] = cookie.split(".");
    const value = `${player.id}.${token}`;
    const forged = {
      "made up": "let-me-in",
      empty: "",
      "no signature": value,
      "an empty signature": `${value}.`,
      "another signature": `${value}.${"A".repeat(signature.length)}`,
      "a shortened signature": cookie.slice(0, -1),
      "a changed token": `${value.slice(0, -1)}${value.endsWith("A") ? "B" : "A"}.${signature}`,
      "another player's name on it": `${other.id}.${token}.${signature}`,
      "another secret": sign(value, ["another-secret-another-secret-another"]),
      "no token in it": sign(`${player.id}.`, ["another-secret-another-secret-another"]),
      "very long": "A".repeat(7_000),
      "broken escapes": "%E0%A4%A.%",
    };
    for (const [name, session] of Object.entries(forged)) {
      const answer = await app.client().get("/dashboard", { Cookie: `lineup_session=${session}` });
      expect(answer.status, name).toBe(302);
      expect(answer.location, name).toBe("/auth");
      expect(databaseTiming(answer)?.statements, name).toBe(0);
    }
  });

  test("with our signature opens nothing once its session is over or unknown, or for another player", async () => {
    const player = await addPlayer(app);
    const other = await addPlayer(app);
    const expired = await openSession(app, player.id, { expiresAt: new Date(Date.now() - 1) });
    const foreign = await openSession(app, other.id);
    const [, token] = foreign.cookie.split(".");
    const signed = {
      expired: expired.cookie,
      unknown: sign(`${player.id}.AAAAAAAAAAAAAAAAAAAAAAAAAAA`, [LOCAL_SECRET]),
      "without a token": sign(`${player.id}.`, [LOCAL_SECRET]),
      "without a player": sign(`.${token}`, [LOCAL_SECRET]),
      "another player's": sign(`${player.id}.${token}`, [LOCAL_SECRET]),
      "for a player who doesn't exist": sign(`${uuidv7()}.${token}`, [LOCAL_SECRET]),
    };
    for (const [name, session] of Object.entries(signed)) {
      const cookie = { Cookie: `lineup_session=${session}` };
      const page = await app.client().get("/dashboard/profile", cookie);
      expect(page.status, name).toBe(302);
      expect(page.location, name).toBe("/auth?redirectTo=%2Fdashboard%2Fprofile");
      const fields = { id: uuidv7(), title: "From the past", neededPlayers: "1" };
      expect((await app.client().post("/dashboard/lfg/new", fields, cookie)).status, name).toBe(401);
    }
    const mine = await app.client().get("/dashboard", { Cookie: `lineup_session=${foreign.cookie}` });
    expect(mine.status).toBe(200);
  });
});

describe("the database", () => {
  test("is queried once for a page, even for the list with 20 posts", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    const dashboard = await client.get("/dashboard");
    expect(postTitles(dashboard.text)).toHaveLength(20);
    const pages = {
      "/dashboard": dashboard,
      "/": await client.get("/"),
      ...Object.fromEntries(
        await Promise.all(
          [
            "/dashboard?rank=Gold+1&role=Sentinel&region=Europe&voice=required&players=1&q=a",
            "/dashboard?role=Sentinel",
            "/dashboard/lfg/new",
            "/dashboard/profile",
            "/dashboard/tournaments",
            "/dashboard/messages",
            "/dashboard/notifications",
            "/dashboard/settings",
            "/dashboard/settings/appearance",
            "/dashboard/settings/notifications",
            "/dashboard/settings/blocked",
            "/dashboard/settings/sessions",
            "/dashboard/settings/export",
            "/dashboard/settings/delete-account",
            `/lfg/${post}`,
            `/lfg/${post}/edit`,
            `/lfg/${post}/delete`,
            "/dashboard.data",
            "/no/such/page",
          ].map(async (path) => [path, await client.get(path)] as const),
        ),
      ),
    };
    for (const [path, answer] of Object.entries(pages)) expect(roundTrips(answer), path).toBe(1);
    expect(roundTrips(await app.client().get(`/lfg/${post}`)), "signed out").toBe(1);
    expect(roundTrips(await app.client().get("/")), "signed out").toBe(0);
  });

  test("is queried at most twice for each action on a post, and for the verification API", async () => {
    const { client, player } = await newVisitor(app);
    const { cookie } = await openSession(app, player.id);
    const id = uuidv7();
    const post = { title: "Counted", neededPlayers: "2" };
    const steps: [string, () => Promise<HttpResponse>][] = [
      ["create", () => client.post("/dashboard/lfg/new", { id, ...post })],
      ["create again", () => client.post("/dashboard/lfg/new", { id, ...post })],
      ["refused", () => client.post("/dashboard/lfg/new", { id: uuidv7(), title: "" })],
      ["edit", () => client.post(`/lfg/${id}/edit`, { ...post, title: "Counted again" })],
      [
        "bump",
        async () => {
          await app.db
            .update(lfgPosts)
            .set({ listedAt: new Date(0) })
            .where(eq(lfgPosts.id, id));
          return client.post(`/lfg/${id}`, { intent: "bump" });
        },
      ],
      ["close", () => client.post(`/lfg/${id}`, { intent: "close" })],
      ["delete", () => client.post(`/lfg/${id}/delete`)],
      [
        "verify by the API",
        () =>
          client.postJson(
            "/riot-api/verify-account",
            { gameName: "Counted", tagLine: "EUW" },
            { Authorization: `Bearer ${cookie}` },
          ),
      ],
    ];
    for (const [name, step] of steps) {
      const answer = await step();
      expect(answer.status, name).toBe({ refused: 400, "verify by the API": 200 }[name] ?? 303);
      expect(roundTrips(answer), name).toBeLessThanOrEqual(2);
    }
  });

  test("reports no figures on any spelling of /auth, where they would reveal accounts", async () => {
    const known = await app.client().post("/auth", { email: "player1@example.com", password: "not the password" });
    expect(databaseTiming(known)).toBeNull();
    const fields = { email: "no address" };
    for (const path of ["/auth", "/auth/", "/AUTH", "/%61uth", "/auth?index", "/auth.data", "/Auth.data"]) {
      expect(databaseTiming(await app.client().get(path)), `GET ${path}`).toBeNull();
      expect(databaseTiming(await app.client().post(path, fields)), `POST ${path}`).toBeNull();
    }
    for (const path of ["/auth/confirm?token=x", "/auth/sign-out"]) {
      expect(databaseTiming(await app.client().get(path)), path).toBeNull();
    }
  });
});

describe("a body that is too large", () => {
  test("is refused with 413, with or without a declared length, and changes nothing", async () => {
    const { client } = await newVisitor(app);
    const large = new URLSearchParams({ id: uuidv7(), neededPlayers: "1", title: "x".repeat(200_000) }).toString();
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const chunked = () =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < large.length; at += 10_000) {
            controller.enqueue(new TextEncoder().encode(large.slice(at, at + 10_000)));
          }
          controller.close();
        },
      });
    const before = await readAllRows(app);
    const answers = {
      announced: await client.request("/dashboard/lfg/new", { method: "POST", body: large, headers: form }),
      chunked: await client.request("/dashboard/lfg/new", {
        method: "POST",
        body: chunked(),
        headers: form,
        duplex: "half",
      } as RequestInit & { headers: Record<string, string> }),
      API: await client.postJson("/riot-api/verify-account", { gameName: "x".repeat(200_000), tagLine: "EUW" }),
    };
    for (const [name, { status }] of Object.entries(answers)) expect(status, name).toBe(413);
    expect(await readAllRows(app)).toEqual(before);
    const fits = await client.post("/dashboard/lfg/new", { title: "x".repeat(100_000) });
    expect(fits.status).toBe(400);
  });

  test("leaves the connection usable for the next request", async () => {
    const client = app.client();
    const large = "x".repeat(200_000);
    for (let round = 0; round < 25; round += 1) {
      const answers = [
        await client.post("/auth", { email: large }),
        await client.postJson("/riot-api/verify-account", { gameName: large }),
        await client.post("/auth", { email: "x" }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([413, 413, 400]);
    }
  });
});

describe("a chunked body that breaks off", () => {
  /** Sends the beginning of a chunked form, then `rest`, which breaks the format; if it is empty, hangs up. */
  const send = (rest: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port, host } = new URL(app.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      let answer = "";
      socket.on("data", (data) => {
        answer += data;
        if (answer.includes("\r\n\r\n")) socket.destroy();
      });
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
      const headers = [
        `Host: ${host}`,
        `Origin: ${app.url}`,
        "Content-Type: application/x-www-form-urlencoded",
        "Transfer-Encoding: chunked",
      ];
      socket.write(`POST /auth HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n5\r\nemail\r\n${rest}`);
      if (!rest) socket.end();
    });

  test.each([
    ["at the end of the connection", ""],
    ["in a malformed chunk", "zz\r\n"],
  ])("%s gets 400, and isn't logged as our failure", async (_, rest) => {
    app.logs.length = 0;
    expect(await send(rest)).toMatch(/^HTTP\/1\.1 400 /);
    const said = app.logs.map(({ message }) => message).join("\n");
    expect(said).toContain("A request body is incomplete");
    expect(said).not.toContain("The request failed outside of Remix");
  });
});

describe("the health checks", () => {
  test("report that the Worker runs, and that it reaches a migrated database", async () => {
    const [health, ready] = [await app.client().get("/healthz"), await app.client().get("/readyz")];
    expect([health.status, health.text]).toEqual([200, "ok\n"]);
    expect([ready.status, ready.text]).toEqual([200, "ready\n"]);
    expect(databaseTiming(health)?.statements).toBe(0);
  });
});

describe("an unknown URL", () => {
  const ADDRESSES = [
    "/no/such/page",
    "/dashboard/no-such-tab",
    "/lfg",
    "/lfg/not-an-id",
    `/lfg/${uuidv7()}`,
    "/auth/no-such-step",
    "/%00",
    "/%E0%A4%A",
    "/lfg/%E0%A4%A",
    "/..%2f..%2fetc%2fpasswd",
    "/<script>alert(1)</script>",
    "/wp-login.php",
    "/_headers",
    "/build/no-such-file.js",
    "/%F0%9F%98%80",
    `/${"long/".repeat(1_000)}`,
  ];

  test("answers 404 with our own error page and a link home, and its path is logged", async () => {
    for (const address of ADDRESSES) {
      const answer = await app.client().get(`${address}?secret=query`);
      expect(answer.status, address).toBe(404);
      expect(heading(answer.text), address).toBe("Oops! Page not found");
      expect(links(answer.text), address).toContainEqual({ text: "Return to Home", href: "/" });
      expect(answer.text, address).not.toContain("<script>alert");
      const path = new URL(address, app.url).pathname;
      await eventually(
        () => app.logs.some(({ message }) => isLine(message, { message: "Page not found", path })) || undefined,
      );
    }
  });

  test("keeps the header of a signed-in player", async () => {
    const { client, player } = await newVisitor(app);
    for (const address of ["/no/such/page", "/dashboard/no-such-tab", `/lfg/${uuidv7()}`]) {
      const answer = await client.get(address);
      expect(answer.status, address).toBe(404);
      expect(heading(answer.text), address).toBe("Oops! Page not found");
      expect(textOf(answer.text), address).toContain(player.email.split("@")[0]);
      expect(() => findForm(answer.text, "Sign Out"), address).not.toThrow();
      expect(answer.text, address).not.toContain("Beta Launch");
    }
    expect((await app.client().get("/no/such/page")).text).toContain("Beta Launch");
  });

  test("also answers 404 to a form", async () => {
    for (const address of ADDRESSES) {
      const answer = await app.client().post(address, { anything: "at all" });
      expect(answer.status, address).toBe(404);
      expect(heading(answer.text), address).toBe("Oops! Page not found");
    }
    await eventually(
      () =>
        app.logs.some(({ message }) => isLine(message, { message: "request", method: "POST", status: 404 })) ||
        undefined,
    );
  });

  test("that begins with two slashes causes no error, and no redirect to another site", async () => {
    for (const path of ["//", "//evil.example", "//evil.example/%2e%2e", "/\\evil.example"]) {
      const answer = await app.miniflare.dispatchFetch(`${app.url}${path}`, { redirect: "manual" });
      await answer.body?.cancel();
      expect(answer.status, path).toBeLessThan(500);
      expect(answer.headers.get("Location") ?? "/", path).not.toMatch(/evil/);
    }
  });

  test("isn't confused with a known page without forms, which allows only GET and HEAD", async () => {
    const { client } = await newVisitor(app);
    for (const path of ["/", "/dashboard", "/dashboard/tournaments", "/healthz", "/readyz", "/dev/mailbox"]) {
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"]) {
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        const answer = await client.request(path, { method, headers, body: "a=b" });
        expect(answer.status, `${method} ${path}`).toBe(405);
      }
    }
  });
});

describe("static files", () => {
  test("of the build are cached for good, the icon for a day, and browsers don't guess their types", async () => {
    const page = await app.client().get("/auth");
    const files = [...new Set(page.text.match(/\/build\/[\w./-]+\.(?:js|css|woff2)/g))];
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const answer = await app.client().get(file);
      expect(answer.status, file).toBe(200);
      expect(answer.headers.get("Cache-Control"), file).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("X-Content-Type-Options"), file).toBe("nosniff");
    }
    const icon = await app.client().get("/favicon.svg");
    expect(icon.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(icon.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(icon.headers.get("Cache-Control")).toBe("public, max-age=86400");
    const missing = await app.client().get("/build/no-such-file.js");
    expect(missing.headers.get("Cache-Control")).not.toContain("immutable");
  });
});

describe("the log", () => {
  test("has one line of JSON per request, without secrets or personal data", async () => {
    const before = app.logs.length;
    const word = unique("journey").padEnd(12, "z");
    const email = `${word}.mail@lineup.test`;
    const password = `${word} password`;
    const gameName = `Gn${word}`.slice(0, 16);
    const [client, visitor] = [app.client(), app.client()];
    const answers: HttpResponse[] = [];
    const step = async (answer: Promise<HttpResponse>) => {
      answers.push(await answer);
      return answers.at(-1) as HttpResponse;
    };
    const riot = { gameName, tagLine: "LOG1", region: "europe" };
    await step(client.post("/auth?tab=sign-up", { intent: "next", email, password: "123456" }));
    await step(client.post("/auth?tab=sign-up", { intent: "next", email, password }));
    const signupCookie = client.cookies.get("lineup_signup") as string;
    await step(client.post("/auth?tab=sign-up&step=2", { intent: "verify", ...riot, gameName: "Broken Journey" }));
    await step(client.post("/auth?tab=sign-up&step=2", { intent: "verify", ...riot }));
    await step(client.post("/auth?tab=sign-up&step=2", { intent: "complete", ...riot }));
    const session = client.cookies.get("lineup_session") as string;
    const mail = await app.readEmail(email);
    await step(client.get(mail.link as string));
    await step(visitor.post("/auth", { email, password: `${password}!` }));
    await step(visitor.post("/auth", { email, password }));
    await step(visitor.get("/auth?redirectTo=%2Fdashboard%3Fq%3Dsecretquery"));
    const id = uuidv7();
    await step(
      client.post("/dashboard/lfg/new", { id, title: `${word} title`, message: `${word} message`, neededPlayers: 1 }),
    );
    await step(visitor.get("/dashboard?q=secretquery"));
    await step(client.get(`/lfg/${id}`));
    const bearer = { Authorization: `Bearer ${session}` };
    await step(client.postJson("/riot-api/verify-account", riot, bearer));
    await step(client.postJson("/riot-api/verify-account", `{"gameName":"${word}`, bearer));
    await step(client.post("/auth/sign-out"));
    await step(client.get("/no/such/page?token=secretquery", { Referer: `${app.url}/auth/confirm?token=secretquery` }));
    await app.runScheduled();

    const ids = answers.map(({ headers }) => headers.get("X-Request-Id"));
    const lines = await eventually(() => {
      const since = app.logs.slice(before).map(({ message }) => message);
      const complete = ids.every((one) => since.some((line) => isLine(line, { message: "request", requestId: one })));
      return complete && since.some((line) => isLine(line, { message: "housekeeping" })) ? since : undefined;
    });
    for (const one of ids) {
      expect(lines.filter((line) => isLine(line, { message: "request", requestId: one }))).toHaveLength(1);
    }
    const token = new URL(mail.link as string, app.url).searchParams.get("token") as string;
    const secrets = [
      word,
      "lineup.test",
      "secretquery",
      signupCookie,
      session,
      session.split(".")[1] as string,
      token,
      "local-riot-key",
    ];
    for (const line of lines) {
      expect(parse(line), line).toMatchObject({ level: expect.any(String), message: expect.any(String) });
      for (const secret of secrets) expect(line.toLowerCase()).not.toContain(secret?.toLowerCase());
    }
    expect(lines.some((line) => line.includes("Riot lookup failed"))).toBe(true);
  });

  test("contains no token of a path, even when the request fails", async () => {
    const client = app.client();
    const token = createToken();
    const id = uuidv7();
    const lineOf = (answer: { headers: Headers }) =>
      eventually(() =>
        app.logs
          .map(({ message }) => parse(message))
          .find((one) => one?.message === "request" && one.requestId === answer.headers.get("X-Request-Id")),
      );
    for (const [path, logged] of [
      [`/calendar/${token}.ics`, "/calendar/***.ics"],
      [`/tournaments/${id}/join/${token}`, `/tournaments/${id}/join/***`],
      [`/tournaments/${id}/join/%61${token.slice(1)}/`, `/tournaments/${id}/join/***/`],
      [`/tournaments/${id}/join/${token}.data`, `/tournaments/${id}/join/***.data`],
      ["/dashboard/settings/linked-accounts", "/dashboard/settings/linked-accounts"],
    ] as const) {
      expect(await lineOf(await client.get(path))).toMatchObject({ path: logged });
      expect(await lineOf(await client.post(path, { anything: "at all" }))).toMatchObject({ path: logged });
      const foreign = await client.post(path, {}, { Origin: "https://evil.example" });
      expect(await lineOf(foreign)).toMatchObject({ path: logged, status: 403 });
    }
    for (const { message } of app.logs) expect(message).not.toContain(token.slice(1));
  });

  test("shows the player that the cookie claims, the request, its outcome and its cost", async () => {
    const { client, player } = await newVisitor(app);
    const answer = await client.get("/dashboard?q=anything");
    const line = await eventually(() =>
      app.logs
        .map(({ message }) => parse(message))
        .find((one) => one?.message === "request" && one.requestId === answer.headers.get("X-Request-Id")),
    );
    expect(line).toMatchObject({
      method: "GET",
      path: "/dashboard",
      status: 200,
      duration: expect.any(Number),
      dbDuration: expect.any(Number),
      dbRoundTrips: 1,
      claimedUser: player.id,
    });
  });
});

describe("with LOCAL_TOOLS off", () => {
  const real = useApp({
    bindings: {
      ...{ LOCAL_TOOLS: "false", DISCORD_CLIENT_ID: "", RIOT_CLIENT_ID: "" },
      ...{ VAPID_PUBLIC_KEY: "", VAPID_PRIVATE_KEY: "" },
    },
  });

  test("there is no mailbox", async () => {
    const { client } = await newVisitor(real);
    client.cookies.set("__Host-lineup_session", client.cookies.get("lineup_session") as string);
    for (const path of ["/dev/mailbox", "/dev/mailbox/", "/DEV/mailbox", "/dev/mailbox.data", "/dev/components"]) {
      const answer = await client.get(path);
      expect(answer.status, path).toBe(404);
    }
    expect(heading((await client.get("/dev/mailbox")).text)).toBe("Oops! Page not found");
    expect((await client.get("/")).headers.get("Content-Security-Policy")).not.toContain("localhost");
  });
});

test("with LOCAL_TOOLS on, the mailbox opens", async () => {
  const answer = await app.client().get("/dev/mailbox");
  expect(answer.status).toBe(200);
  expect(heading(answer.text)).toBe("Mailbox");
});

describe("with wrong settings", () => {
  const broken = useApp({ bindings: { SESSION_SECRET: "far-too-short", LIBSQL_URL: "" } });

  test("every address answers a clean 500, and the log names the settings without their values", async () => {
    for (const path of ["/", "/dashboard", "/healthz", "/readyz", "/riot-api/verify-account"]) {
      const answer = await broken.client().get(path);
      expect(answer.status, path).toBe(500);
      expect(answer.text, path).toContain("Something went wrong on our side. Please try again.");
      expect(Object.fromEntries(answer.headers), path).toMatchObject(HEADERS);
    }
    const line = await eventually(() => broken.logs.find(({ message }) => message.includes("SESSION_SECRET")));
    expect(line.message).toContain("LIBSQL_URL");
    for (const { message } of broken.logs) expect(message).not.toContain("far-too-short");
  });
});

describe("with a database address that nothing listens on", () => {
  const lost = useApp({ bindings: { LIBSQL_URL: "http://127.0.0.1:9" } });

  test("the Worker is healthy but not ready", async () => {
    expect((await lost.client().get("/healthz")).status).toBe(200);
    const ready = await lost.client().get("/readyz");
    expect(ready.status).toBe(503);
    expect(ready.text).toBe("the database is away\n");
    expect(ready.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(textOf(ready.text)).not.toContain("127.0.0.1");
  });
});

type Line = Record<string, unknown>;

function parse(message: string): Line | null {
  try {
    return JSON.parse(message) as Line;
  } catch {
    return null;
  }
}

function isLine(message: string, wanted: Line): boolean {
  const line = parse(message);
  return line !== null && Object.entries(wanted).every(([name, value]) => line[name] === value);
}
