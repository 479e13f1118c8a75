import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { sessions, users } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, type HttpResponse, isSignedIn, signIn } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, heading, links, textOf } from "../support/html";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, addPost, DAY, newAddress, newVisitor, PREFETCHES, unique, useRealHash, visitAs } from "./players";

// A proxy between the Worker and the database that counts the requests.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp({ world: "demo", ...appOptions });

const sessionOf = (id: string) => app.db.select().from(sessions).where(eq(sessions.id, id)).get();
const tokenOf = (client: Client) => client.cookies.get("lineup_session")?.split(".")[1] as string;

describe("signing in", () => {
  test("opens a session: the browser holds the token, the database only its hash", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    const answer = await client.submit("/auth", "Sign In", { email: player.email, password: PASSWORD });
    expect(answer.status).toBe(303);
    expect(answer.location).toBe("/dashboard");
    const cookie = answer.setCookie.find((one) => one.startsWith("lineup_session=")) as string;
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/);
    expect(cookie).toMatch(/; Max-Age=2592000(;|$)/);
    expect(cookie).not.toMatch(/Domain=/);

    const [row, ...others] = await app.db.select().from(sessions).where(eq(sessions.userId, player.id));
    expect(others).toEqual([]);
    expect(row?.id).toBe(hashToken(tokenOf(client)));
    expect(JSON.stringify(row)).not.toContain(tokenOf(client));
    expect(row?.userAgent).toBe("node");
    expect((row?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(29.9 * DAY);

    const page = await client.follow(answer);
    expect(heading(page.text)).toBe(`Welcome back, ${player.email.split("@")[0]}`);
    expect(announcements(page.text)).toContain("Welcome back! You've been signed in successfully.");
    expect(announcements((await client.get("/dashboard")).text)).toEqual([]);
  });

  test("accepts the address in any case and with spaces around it", async () => {
    const player = await addPlayer(app);
    const answer = await app.client().post("/auth", { email: `  ${player.email.toUpperCase()} `, password: PASSWORD });
    expect(answer.status).toBe(303);
  });

  test("gives the same response, at the same cost, for an unknown address and for a wrong password", async () => {
    const player = await addPlayer(app);
    const attempt = async (email: string) => {
      proxy.clear();
      const answer = await app.client().post("/auth", { email, password: "not the password" }, newAddress());
      return {
        status: answer.status,
        text: answer.text
          .replaceAll(email, "E-MAIL")
          .replace(/[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "RANDOM"),
        headers: [...answer.headers.keys()].sort(),
        setCookie: answer.setCookie,
        posts: proxy.posts,
        statements: proxy.statements.map(({ sql }) => sql),
      };
    };
    const wrong = await attempt(player.email);
    const unknown = await attempt("nobody-at-all@lineup.test");
    expect(wrong.status).toBe(400);
    expect(announcements(wrong.text)).toContain("Error signing in Wrong email or password.");
    expect(unknown).toEqual(wrong);
    expect(wrong.posts).toBe(1);
    expect(wrong.statements).toHaveLength(3);
  });

  test("takes as long for an unknown address as for a wrong password", async () => {
    const player = await addPlayer(app);
    await useRealHash(app, player);
    const fastest = async (email: string) => {
      const times: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const started = performance.now();
        await app.client().post("/auth", { email, password: "not the password" }, newAddress());
        times.push(performance.now() - started);
      }
      return Math.min(...times);
    };
    // Both requests hash the password; a response without hashing would take only a few milliseconds.
    const [wrong, unknown] = [await fastest(player.email), await fastest("nobody-at-all@lineup.test")];
    expect(unknown).toBeGreaterThan(wrong / 8);
    expect(wrong).toBeGreaterThan(unknown / 8);
  });

  test("keeps the address but never the password when it is refused", async () => {
    const answer = await app.client().post("/auth", { email: "nobody@lineup.test", password: "my secret password" });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "email").value).toBe("nobody@lineup.test");
    expect(field(answer.text, "password").value).toBe("");
    expect(answer.text).not.toContain("my secret password");
  });

  test.each([
    ["an empty form", {}, { email: "Enter your email address.", password: "Enter your password." }],
    ["a missing password", { email: "a@lineup.test" }, { password: "Enter your password." }],
    ["a malformed email address", { email: "player1", password: "x" }, { email: /^Enter a full email address/ }],
    ["an endless address", { email: `${"a".repeat(300)}@lineup.test`, password: "x" }, { email: /too long/ }],
    ["an endless password", { email: "a@lineup.test", password: "x".repeat(50_000) }, { password: /./ }],
    ["two addresses", { email: ["a@lineup.test", "b@lineup.test"], password: "x" }, { email: /./ }],
    ["markup", { email: "<b>a@lineup.test</b>", password: "x" }, { email: /./ }],
    ["control characters", { email: "a\u0000\u202e@lineup.test", password: "x" }, { email: /./ }],
  ])("refuses %s at the field, without asking the database", async (_, fields, problems) => {
    proxy.clear();
    const answer = await app.client().post("/auth", fields as Record<string, string | string[]>);
    expect(answer.status).toBe(400);
    for (const [name, sentence] of Object.entries(problems)) {
      expect(field(answer.text, name).invalid, name).toBe(true);
      expect(field(answer.text, name).description, name).toMatch(sentence);
    }
    expect(proxy.posts).toBe(0);
  });

  test("leads where the visitor was going, if that is a page of the site", async () => {
    const player = await addPlayer(app);
    const own = ["/dashboard/profile", "/dashboard?role=Duelist&q=two%20words", "/lfg/x?y=z"];
    const others = [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "\\\\evil.example",
      "/\t/evil.example",
      "javascript:alert(1)",
      "dashboard",
      "/auth",
      "/auth/sign-out",
      "/.//evil.example",
      "/dashboard/..//evil.example",
      "/%2e/%2e//evil.example",
      "",
    ];
    // Each sign-in would hash a password. With a session, /auth treats `redirectTo` as it does after a sign-in.
    const client = await visitAs(app, player);
    for (const to of own) {
      const answer = await client.get(`/auth?${new URLSearchParams({ redirectTo: to })}`);
      expect(answer.location, to).toBe(to);
    }
    for (const to of others) {
      const answer = await client.get(`/auth?${new URLSearchParams({ redirectTo: to })}`);
      const landing = new URL(answer.location as string, app.url);
      expect(landing.origin, to).toBe(app.url);
      expect(answer.location, to).not.toMatch(/^\/[/\\]/);
    }
    const fields = { email: player.email, password: PASSWORD };
    const home = await app.client().submit("/auth?redirectTo=%2Fdashboard%2Fprofile%3Fx%3D1", "Sign In", fields);
    expect(home.location).toBe("/dashboard/profile?x=1");
    const away = await app.client().submit("/auth?redirectTo=https%3A%2F%2Fevil.example", "Sign In", fields);
    expect(away.location).toBe("/dashboard");
  });

  test("is where a visitor without a session is sent, and returns to the page", async () => {
    const visitor = app.client();
    const page = await visitor.get("/dashboard/lfg/new?from=link");
    expect(page.status).toBe(302);
    expect(page.location).toBe("/auth?redirectTo=%2Fdashboard%2Flfg%2Fnew%3Ffrom%3Dlink");
    const player = await addPlayer(app);
    const answer = await visitor.submit(page.location as string, "Sign In", {
      email: player.email,
      password: PASSWORD,
    });
    expect(answer.location).toBe("/dashboard/lfg/new?from=link");
    expect((await visitor.get("/dashboard")).location).toBeNull();
  });

  test("is skipped for signed-in players: /auth leads to / and on to the dashboard", async () => {
    const { client } = await newVisitor(app);
    const answer = await client.get("/auth");
    expect(answer.location).toBe("/");
    expect((await client.get("/")).location).toBe("/dashboard");
    expect((await client.get("/auth?tab=sign-up")).location).toBe("/");
  });
});

describe("signing out", () => {
  test("ends the session in the database, so the old cookie is worthless, and confirms it", async () => {
    const { client } = await newVisitor(app);
    const cookie = client.cookies.get("lineup_session") as string;
    const id = hashToken(tokenOf(client));
    const answer = await client.submit("/dashboard", "Sign Out");
    expect(answer.status).toBe(303);
    expect(client.cookies.has("lineup_session")).toBe(false);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toContain("Signed out");
    expect(await sessionOf(id)).toBeUndefined();
    client.cookies.set("lineup_session", cookie);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("twice, or without a session, is no error", async () => {
    const { client } = await newVisitor(app);
    const cookie = client.cookies.get("lineup_session") as string;
    expect((await client.post("/auth/sign-out")).status).toBe(303);
    client.cookies.set("lineup_session", cookie);
    expect((await client.post("/auth/sign-out")).status).toBe(303);
    expect((await app.client().post("/auth/sign-out")).status).toBe(303);
  });

  test("does not happen on GET", async () => {
    const { client } = await newVisitor(app);
    for (const headers of [{}, ...PREFETCHES]) {
      expect((await client.get("/auth/sign-out", headers)).location).toBe("/");
    }
    await client.request("/auth/sign-out", { method: "HEAD" });
    expect(await isSignedIn(client)).toBe(true);
  });

  test("in one browser leaves the other browsers of the same player alone", async () => {
    const player = await addPlayer(app);
    const [home, phone] = [await signIn(app.client(), player.email), await signIn(app.client(), player.email)];
    expect(tokenOf(home)).not.toBe(tokenOf(phone));
    await home.post("/auth/sign-out");
    expect(await isSignedIn(home)).toBe(false);
    expect(await isSignedIn(phone)).toBe(true);
  });
});

describe("a session", () => {
  test("that has expired opens nothing", async () => {
    const { client } = await newVisitor(app);
    await app.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(sessions.id, hashToken(tokenOf(client))));
    const answer = await client.get("/dashboard");
    expect(answer.location).toBe("/auth");
    expect(answer.setCookie).toEqual([]);
    expect((await client.get("/")).status).toBe(200);
  });

  test("is renewed by a visit a day after its last renewal, and the cookie with it", async () => {
    const { client } = await newVisitor(app);
    const token = tokenOf(client);
    const id = hashToken(tokenOf(client));
    await app.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() + 29 * DAY) })
      .where(eq(sessions.id, id));
    const answer = await client.get("/dashboard/profile");
    expect(answer.setCookie).toEqual([
      expect.stringMatching(/^lineup_session=.+; Max-Age=2592000; .*HttpOnly/),
      expect.stringMatching(/^lineup_known=.+; Max-Age=31536000; .*HttpOnly/),
      expect.stringMatching(/^lineup_event=TOKEN_REFRESHED; Max-Age=60; Path=\/; SameSite=Lax$/),
    ]);
    expect(tokenOf(client)).toBe(token);
    await eventually(async () => {
      const left = ((await sessionOf(id))?.expiresAt.getTime() ?? 0) - Date.now();
      return left > 29.9 * DAY || undefined;
    });
    expect((await client.get("/dashboard/profile")).setCookie).toEqual([]);
  });

  test("stays unchanged on its first day, and on a prefetch", async () => {
    const { client } = await newVisitor(app);
    const id = hashToken(tokenOf(client));
    const fresh = (await sessionOf(id))?.expiresAt;
    expect((await client.get("/dashboard")).setCookie).toEqual([]);
    const ageing = new Date(Date.now() + 14 * DAY);
    await app.db.update(sessions).set({ expiresAt: ageing }).where(eq(sessions.id, id));
    for (const prefetch of PREFETCHES) {
      const answer = await client.get("/dashboard/profile.data", prefetch);
      expect(answer.status).toBe(200);
      expect(answer.setCookie).toEqual([]);
    }
    expect((await sessionOf(id))?.expiresAt).toEqual(ageing);
    expect(fresh).not.toEqual(ageing);
  });

  test("of a player whose account is gone opens nothing", async () => {
    const { client, player } = await newVisitor(app);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    await app.db.delete(users).where(eq(users.id, player.id));
    expect((await client.get("/dashboard")).location).toBe("/auth");
  });

  test("shows its own player in each of two browsers", async () => {
    const [one, two] = [await newVisitor(app), await newVisitor(app)];
    const pages = await Promise.all(
      [one, two, one, two].map(async ({ client, player }) => [player, (await client.get("/dashboard")).text] as const),
    );
    for (const [player, page] of pages) expect(heading(page)).toBe(`Welcome back, ${player.email.split("@")[0]}`);
    expect(textOf(pages[0]?.[1] ?? "")).not.toContain(two.player.email.split("@")[0]);
  });

  test("keeps a toast for the next page, and doesn't spend it on a prefetch", async () => {
    const { client } = await newVisitor(app);
    client.cookies.set("lineup_toast", encodeURIComponent(JSON.stringify({ kind: "success", title: "Kept for you" })));
    const ahead = await client.get("/dashboard.data", { "Sec-Purpose": "prefetch" });
    expect(ahead.text).not.toContain("Kept for you");
    expect(announcements((await client.get("/dashboard")).text)).toContain("Kept for you");
    expect(announcements((await client.get("/dashboard")).text)).toEqual([]);
    for (const forged of ["%7B", "null", "%22x%22", encodeURIComponent('{"kind":"x","title":{}}'), "%E0%A4%A"]) {
      client.cookies.set("lineup_toast", forged);
      expect((await client.get("/dashboard")).status, forged).toBe(200);
    }
  });

  test("says why a page turns its player away when it is opened, but not when it is only prefetched", async () => {
    const { client } = await newVisitor(app);
    const { player } = await newVisitor(app, { contactPolicy: "nobody" });
    for (const page of [`/players/${player.id}/message`, `/lfg/${await addPost(app, player.id)}/contact`]) {
      for (const prefetch of PREFETCHES) {
        const ahead = await client.get(`${page}.data`, prefetch);
        expect([ahead.status, ahead.setCookie]).toEqual([202, []]);
      }
      expect(announcements((await client.get("/dashboard")).text)).toEqual([]);
      const opened = await client.follow(await client.get(page));
      expect(announcements(opened.text).join()).toContain("This player doesn't take messages");
    }
  });
});

describe("the database", () => {
  test("is queried at most twice for each step of signing up, in and out", async () => {
    const client = app.client();
    const email = `${unique("counted-")}@lineup.test`;
    const password = "four smokes and a wall";
    const step2 = "/auth?tab=sign-up&step=2";
    const riot = { gameName: unique("Counted "), tagLine: "EUW", region: "europe" };
    const steps: [string, () => Promise<HttpResponse>][] = [
      ["next", () => client.post("/auth?tab=sign-up", { intent: "next", email, password })],
      ["step 2", () => client.get(step2)],
      ["verify", () => client.post(step2, { intent: "verify", ...riot })],
      ["back", () => client.post(step2, { intent: "back", ...riot })],
      ["complete", () => client.post(step2, { intent: "complete", ...riot })],
      ["confirm", async () => client.get((await app.readEmail(email)).link as string)],
      ["sign out", () => client.post("/auth/sign-out")],
      ["sign in", () => client.post("/auth", { email, password })],
    ];
    for (const [name, step] of steps) {
      proxy.clear();
      const answer = await step();
      expect(answer.status, name).toBeLessThan(400);
      expect(proxy.posts, name).toBeGreaterThan(0);
      expect(proxy.posts, name).toBeLessThanOrEqual(name === "step 2" ? 1 : 2);
    }
  });
});

describe("where the email address must be confirmed first", () => {
  const strict = useApp({ confirmEmail: true });

  test("a sign-in is refused until then, and only the right password reveals why", async () => {
    const player = await addPlayer(strict, { emailConfirmedAt: null });
    const right = await strict.client().post("/auth", { email: player.email, password: PASSWORD });
    expect(right.status).toBe(400);
    expect(announcements(right.text).at(-1)).toMatch(
      /^Error signing in Please confirm your email address first: open the link we sent you\./,
    );
    // The browser gets the code's cookie, and no session.
    expect(right.setCookie.map((cookie) => cookie.split("=")[0])).toEqual(["lineup_code_confirm_email"]);
    expect(links(right.text)).toContainEqual({ text: "Enter the code", href: "/auth/confirm" });
    expect(await strict.db.select().from(sessions).where(eq(sessions.userId, player.id))).toEqual([]);
    const wrong = await strict.client().post("/auth", { email: player.email, password: "not the password" });
    expect(announcements(wrong.text)).toContain("Error signing in Wrong email or password.");
    expect(wrong.setCookie).toEqual([]);
    await strict.db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, player.id));
    await signIn(strict.client(), player.email);
  });
});
