import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { matchRoutes, resolvePath } from "@remix-run/react";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createManifestResponder, isTooDeep } from "../../app/platform/request/manifest.server";
import { profiles, tournamentTeams } from "../../db/schema";
import { useApp } from "../support/app";
import { Client, clientAt, type HttpResponse } from "../support/client";
import { heading, select, selectEach } from "../support/html";
import { addTournament } from "../support/tournaments";
import { addPost, newVisitor } from "./players";

/*
 * Remix 2 gets no more fixes. Each advisory against it is tested here: first that the framework has the flaw, where
 * this can be shown, then that it doesn't reach us (docs/decisions/0056-staying-on-remix-2.md).
 */

const app = useApp({ world: "demo" });

const BUILD = join(import.meta.dirname, "../../public/build");

type Manifest = Parameters<typeof createManifestResponder>[0];

/** The build's manifest, as browsers load it. */
const readManifest = (): Manifest => {
  const file = readdirSync(BUILD).find((name) => /^manifest-\w+\.js$/.test(name)) as string;
  return JSON.parse(
    readFileSync(join(BUILD, file), "utf8")
      .replace(/^window\.__remixManifest=/, "")
      .replace(/;\s*$/, ""),
  );
};

/** Remix's encoder and decoder of data. The package, `turbo-stream`, isn't a direct dependency of ours. */
interface TurboStream {
  encode(input: unknown): ReadableStream<Uint8Array>;
  decode(
    stream: ReadableStream<Uint8Array>,
    options: { plugins: ((type: string, ...rest: unknown[]) => { value: unknown } | false)[] },
  ): Promise<{ value: unknown; done: Promise<void> }>;
}
const { resolve } = createRequire(import.meta.url);
const { encode, decode } = createRequire(resolve("@remix-run/react"))("turbo-stream") as TurboStream;

/** The longest that a response to a hostile request may take, in milliseconds. Unguarded, it takes seconds. */
const PATIENCE = 2_000;

async function timed(work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const started = performance.now();
  const answer = await work();
  expect(performance.now() - started).toBeLessThan(PATIENCE);
  return answer;
}

/** A number in few characters, so that many paths fit into a URL. */
const short = (value: number) => value.toString(36);

describe("reflected input that is slow to encode (GHSA-rxv8-25v2-qmq8)", () => {
  test("is nested data, on which Remix's encoder fails", async () => {
    let nested: unknown = "end";
    for (let depth = 0; depth < 50_000; depth += 1) nested = { nested };
    await expect(encode(nested).getReader().read()).rejects.toThrow(RangeError);
  });

  test("can't be posted as a form: nested field names and more than 1 000 fields are refused", async () => {
    const nested = [`a${"[a]".repeat(10_000)}`, `a${".a".repeat(20_000)}`, "a[99999999]", "__intent__"];
    for (const path of ["/auth", "/auth.data", "/no/such/page", "/dashboard/profile"]) {
      for (const name of nested) {
        const answer = await timed(() => app.client().post(path, { [name]: "1" }));
        expect([answer.status, answer.text]).toEqual([
          400,
          "This isn't one of Lineup's forms, so nothing was changed.",
        ]);
      }
      const many = Array.from({ length: 15_000 }, (_, index) => short(index));
      const answer = await timed(() => app.client().post(path, { e: many }));
      expect([answer.status, answer.text]).toEqual([400, "This isn't one of Lineup's forms, so nothing was changed."]);
    }
  });

  test("can't be made of long or repeated values: every form or address with them is answered right away", async () => {
    const values = [
      '"'.repeat(30_000),
      "\\".repeat(30_000),
      "\u2028".repeat(10_000),
      "[".repeat(30_000),
      "🎯".repeat(8_000),
    ];
    for (const value of values) {
      const answer = await timed(() => app.client().post("/auth.data", { email: value, password: "x" }));
      expect(answer.status).toBe(400);
      await timed(() => app.client().post("/auth", { email: value, password: "x" }));
    }
    const fields = { email: Array.from({ length: 990 }, (_, index) => short(index)) };
    expect((await timed(() => app.client().post("/auth.data", fields))).status).toBe(400);
    for (const key of ["q", "rank", "after", "page", "redirectTo"]) {
      const query = new URLSearchParams(Array.from({ length: 2_000 }, (_, index) => [key, short(index)]));
      const { client } = await newVisitor(app);
      for (const path of ["/dashboard/players", "/dashboard/tournaments", "/auth"]) {
        expect((await timed(() => client.get(`${path}?${query}`))).status, path).toBeLessThan(500);
      }
    }
  });

  test("can't be posted as JSON", async () => {
    for (const body of ["[".repeat(60_000), `${"[".repeat(60_000)}${"]".repeat(60_000)}`, '{"a":'.repeat(20_000)]) {
      expect((await timed(() => app.client().postJson("/riot-api/verify-account", body))).status).toBe(400);
    }
  });
});

describe("the manifest of routes (GHSA-8x6r-g9mw-2r78, GHSA-chx6-hx7r-mcp5)", () => {
  const ask = (paths: readonly string[], version = readManifest().version) =>
    `/__manifest?${new URLSearchParams([...paths.map((path) => ["p", path]), ["version", version]])}`.replaceAll(
      "%2F",
      "/",
    );

  test.each([
    ["of 8 kB", [`/${"a".repeat(8_192)}`]],
    ["of 1 000 paths", Array.from({ length: 1_000 }, (_, index) => `/${short(index)}`)],
    ["of one path with 3 700 segments", [`/${"a/".repeat(3_700)}`]],
    ["of 7 000 slashes", ["/".repeat(7_000)]],
    [
      "of 40 paths with 70 segments each",
      Array.from({ length: 40 }, (_, index) => `/${short(index)}${"/a".repeat(70)}`),
    ],
    ["without paths", []],
  ])("immediately refuses a request %s", async (_, paths) => {
    expect((await timed(() => app.client().get(ask(paths)))).status).toBe(400);
  });

  test("names at least the routes that Remix names, for each address and its parents", async () => {
    const { routes, version } = readManifest();
    const tree = (parentId?: string): Parameters<typeof matchRoutes>[0] =>
      Object.values(routes)
        .filter((route) => route.parentId === parentId)
        .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: tree(id) }));
    const respond = createManifestResponder({ routes, version } as Manifest);
    const addresses = Object.values(routes).map(({ id }) => {
      const segments: string[] = [];
      for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) segments.unshift(route.path ?? "");
      return `/${segments.filter(Boolean).join("/").replace("*", "no/such/page").replace(/:\w+/g, crypto.randomUUID())}`;
    });
    for (const path of [...new Set(addresses), "/no-such-page", "/Dashboard/Players", "/dashboard/"]) {
      expect(isTooDeep(path), path).toBe(false);
      const answer = respond(new Request(`https://lineup.example${ask([path], version)}`)) as Response;
      const named = (await answer.json()) as Record<string, unknown>;
      const segments = path.split("/").filter(Boolean);
      for (let count = Math.min(1, segments.length); count <= segments.length; count += 1) {
        const parent = `/${segments.slice(0, count).join("/")}`;
        const expected = matchRoutes(tree(), parent)?.map(({ route }) => route.id as string) ?? [];
        for (const id of expected) expect(named[id], `${id} for ${path}`).toEqual(routes[id]);
      }
    }
  });

  test("is answered for all links of a long page, and may be cached forever", async () => {
    const paths = Array.from({ length: 100 }, () => `/players/${crypto.randomUUID()}`);
    const answer = await timed(() => app.client().get(ask(paths)));
    expect(answer.status).toBe(200);
    expect(Object.keys(JSON.parse(answer.text))).toEqual(expect.arrayContaining(["root", "routes/players.$userId"]));
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  });

  test("makes a page of another version load the next page as a new document", async () => {
    const answer = await app.client().get(ask(["/"], "00000000"));
    expect([answer.status, answer.headers.get("X-Remix-Reload-Document")]).toEqual([204, "true"]);
  });
});

describe("an address that is slow to match (GHSA-chx6-hx7r-mcp5)", () => {
  test("of thousands of segments immediately gets the page for unknown addresses, with its script", async () => {
    for (const path of ["/a".repeat(7_000), `/dashboard${"/players".repeat(1_500)}`]) {
      const answer = await timed(() => app.client().get(path));
      expect([answer.status, heading(answer.text)]).toEqual([404, "Oops! Page not found"]);
      expect(answer.text).toMatch(/import "\/build\/manifest-\w+\.js"/);
      expect((await timed(() => app.client().get(`${path}.data`))).status).toBe(404);
    }
  });

  test("of thousands of slashes immediately gets a plain answer", async () => {
    for (const path of [`/a${"/".repeat(14_000)}x`, `/a${"/".repeat(14_000)}x.data`, `/a${"\\".repeat(5_000)}x`]) {
      expect((await timed(() => app.client().get(path))).status).toBe(404);
      expect((await timed(() => app.client().post(path))).status).toBe(404);
    }
  });
});

describe("a backslash in a link (GHSA-wrjc-x8rr-h8h6)", () => {
  const HOSTILE = ["/\\evil.example", "\\\\evil.example", "/.//evil.example", "//evil.example"];

  test("leads to another site, and Remix lets it through", () => {
    const { pathname } = resolvePath("/\\evil.example", "/dashboard");
    expect(new URL(pathname, "https://lineup.example").hostname).toBe("evil.example");
  });

  /** The URLs on a page that lead to another site. */
  const foreign = ({ text }: HttpResponse) =>
    ["href", "action", "formaction"]
      .flatMap((name) =>
        selectEach(text, `a[${name}], form[${name}], button[${name}]`).map((one) => one.attr(name) ?? ""),
      )
      .filter((address) => !/^(mailto:|data:)/.test(address) && new URL(address, app.url).hostname === "evil.example");

  test("is never taken from a query string into a link, a form or a redirect", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, (await newVisitor(app)).player.id);
    const { id: tournament } = await addTournament(app.db, { teams: 2 });
    const paths = [
      "/auth",
      "/auth/code",
      "/auth/forgot-password",
      "/auth/reauthenticate",
      "/auth/two-factor",
      "/auth/confirm",
    ];
    const keys = ["redirectTo", "returnTo", "list", "from", "back", "after", "q", "view", "to"];
    const own = ["/dashboard", "/dashboard/players", "/dashboard/lfg/new", "/dashboard/tournaments", `/lfg/${post}`];
    const more = [`/lfg/${post}/contact`, `/players/${player.id}/block`, `/tournaments/${tournament}`, "/leaving"];
    for (const value of HOSTILE) {
      const query = `?${new URLSearchParams(keys.map((key) => [key, value]))}`;
      for (const path of [...paths, ...own, ...more]) {
        for (const visitor of [app.client(), client]) {
          const answer = await visitor.get(path + query, { Referer: `${app.url}${value}` });
          expect(answer.status, path).toBeLessThan(500);
          expect(new URL(answer.location ?? "/", app.url).hostname, `${path}${query}`).not.toBe("evil.example");
          expect(foreign(answer), `${path}${query}`).toEqual([]);
        }
      }
      for (const path of ["/auth", "/theme", "/auth/sign-out", `/lfg/${post}`]) {
        const fields = {
          redirectTo: value,
          returnTo: value,
          theme: "dark",
          email: player.email,
          password: "password123",
        };
        const answer = await clientAt(app, app.url).post(path + query, fields);
        expect(new URL(answer.location ?? "/", app.url).hostname, `${path} ${value}`).not.toBe("evil.example");
      }
    }
  });

  test("is never taken from a name or a title either", async () => {
    const name = "/\\evil.example";
    const { client, player } = await newVisitor(app, { riotGameName: name, riotId: `${name}#1` });
    const post = await addPost(app, player.id, { title: name, message: `${name} \\\\evil.example` });
    const { id: tournament } = await addTournament(app.db, { teams: 2 });
    await app.db.update(tournamentTeams).set({ name }).where(eq(tournamentTeams.tournamentId, tournament));
    await app.db.update(profiles).set({ discordTag: name }).where(eq(profiles.userId, player.id));
    const paths = ["/dashboard", "/dashboard/profile", "/dashboard/settings", `/lfg/${post}`, `/players/${player.id}`];
    const bracket = [`/tournaments/${tournament}`, `/tournaments/${tournament}/teams`];
    for (const path of [...paths, ...bracket]) {
      const answer = await client.get(path);
      expect(answer.status, path).toBe(200);
      expect(foreign(answer), path).toEqual([]);
      expect(select(answer.text, "meta[http-equiv=refresh]").length).toBe(0);
    }
  });
});

describe("errors that the browser builds (GHSA-337j-9hxr-rhxg, GHSA-49rj-9fvp-4h2h)", () => {
  /** Text that the decoder would turn into an error of the attacker's class if it didn't read the text as a string. */
  const HOSTILE = '["E","message","AttackersChoice"]';
  let built = 0;

  /** Decodes a response as the browser does, and counts the objects of the attacker's class that this builds. */
  async function decodeResponse(text: string) {
    built = 0;
    Object.assign(globalThis, {
      AttackersChoice: class {
        constructor() {
          built += 1;
        }
      },
    });
    const plugin = (type: string, ...rest: unknown[]) =>
      /^(SingleFetch|ErrorResponse|SanitizedError)/.test(type) && { value: { type, rest } };
    const decoded = await decode(new Blob([text]).stream(), { plugins: [plugin] });
    await decoded.done;
    return JSON.stringify(decoded.value);
  }

  test("can be of any class that a response names, with Remix's decoder", async () => {
    await decodeResponse(`[${HOSTILE}]\n`);
    expect(built).toBe(1);
  });

  test("are never created from text that players type", async () => {
    const { client, player } = await newVisitor(app, { riotGameName: HOSTILE, riotId: `${HOSTILE}#1` });
    const post = await addPost(app, player.id, { title: HOSTILE, message: HOSTILE });
    const reflecting = [
      await client.get(`/lfg/${post}.data`),
      await client.get("/dashboard.data"),
      await client.get(`/players/${player.id}.data`),
      await new Client(app.url).post("/auth.data", { email: HOSTILE, password: HOSTILE }),
    ];
    for (const { text } of reflecting) {
      expect(await decodeResponse(text)).toContain(JSON.stringify(HOSTILE).slice(1, -1));
      expect(built).toBe(0);
    }
    const failing = [`/lfg/${HOSTILE}.data`, `/no/${HOSTILE}.data?x=${HOSTILE}`];
    for (const path of failing) {
      const { status, text } = await client.get(encodeURI(path));
      expect(status, path).toBe(404);
      expect(text).not.toContain("AttackersChoice");
      expect(await decodeResponse(text)).toContain("ErrorResponse");
    }
  });
});
