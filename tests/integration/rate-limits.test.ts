import { eq, like } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import type { Env } from "../../app/platform/env";
import { prepareAttempt } from "../../app/platform/limits/attempts.server";
import type { RateLimitRule } from "../../app/platform/limits/limits.server";
import { uuidv7 } from "../../db/ids";
import { lfgPosts, messages, outbox, rateLimits, sessions, users, verifications } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field } from "../support/html";
import { startTournament } from "../support/matches";
import {
  addPlayer,
  addPost,
  newAddress,
  newTeammates,
  newVisitor,
  openSession,
  type Player,
  sendTo,
  unique,
  visitAs,
} from "./players";
import type { Visitor } from "./talk";

// This app has the product's own limits.
const app = useApp({ limitFactor: 1 });

const SENTENCE = /^That was a lot in a short time\. Try again in \d+ (seconds?|minutes)\.$/;

/** Ends the windows of all limits whose key contains this text. */
const endWindows = (words: string) =>
  app.db
    .update(rateLimits)
    .set({ windowEndsAt: new Date(Date.now() - 1) })
    .where(like(rateLimits.key, `%${words}%`));

function expectTooMany(answer: HttpResponse, toastTitle: string) {
  expect(answer.status).toBe(429);
  expect(announcements(answer.text)[0]).toMatch(SENTENCE);
  const toast = announcements(answer.text).at(-1) as string;
  expect(toast.startsWith(toastTitle), toast).toBe(true);
  expect(toast.slice(toastTitle.length + 1)).toMatch(SENTENCE);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
}

describe("signing in", () => {
  test("is possible 10 times a minute from one address, for any account", async () => {
    const address = newAddress();
    const client = app.client();
    const attempt = (email: string, from = address) =>
      client.post("/auth", { email, password: "not the password" }, from);
    const timed = async (email: string) => {
      const started = performance.now();
      const { status } = await attempt(email);
      return { status, time: performance.now() - started };
    };
    const hashed: number[] = [];
    for (let number = 0; number < 10; number += 1) {
      const { status, time } = await timed(`somebody-${number}@lineup.test`);
      expect(status).toBe(400);
      hashed.push(time);
    }
    const refusals: number[] = [];
    for (let round = 0; round < 5; round += 1) refusals.push((await timed("somebody-else@lineup.test")).time);
    // These tries are refused before the password is hashed, which is most of a try's cost.
    expect(Math.min(...refusals)).toBeLessThan(Math.min(...hashed) / 2);
    const refused = await attempt("somebody-else@lineup.test");
    expectTooMany(refused, "Error signing in");
    expect(field(refused.text, "email").value).toBe("somebody-else@lineup.test");
    expect(refused.text).not.toContain("not the password");

    const player = await addPlayer(app);
    const credentials = { email: player.email, password: PASSWORD };
    expectTooMany(await app.client().post("/auth", credentials, address), "Error signing in");
    expect((await app.client().post("/auth", credentials, newAddress())).status).toBe(303);
    await endWindows(address["CF-Connecting-IP"] as string);
    expect((await app.client().post("/auth", credentials, address)).status).toBe(303);
  });

  test("leaves no counter for an account when the limit of the IP address refuses it", async () => {
    const address = newAddress();
    const counter = {
      key: `signIn:${address["CF-Connecting-IP"]}`,
      count: 10,
      windowEndsAt: new Date(Date.now() + 120_000),
    };
    await app.db.insert(rateLimits).values(counter);
    const { email } = await addPlayer(app);
    for (const tried of [email, `${unique("nobody-")}@lineup.test`]) {
      const refused = await app.client().post("/auth", { email: tried, password: "not the password" }, address);
      expectTooMany(refused, "Error signing in");
      const series = eq(rateLimits.key, `try:signIn:${hashToken(tried)}`);
      expect(await app.db.select().from(rateLimits).where(series)).toEqual([]);
    }
  });

  test("needs ever longer waits at an account whose password is guessed from many addresses", async () => {
    const player = await addPlayer(app);
    const stranger = await addPlayer(app);
    const guess = (password = "not the password") =>
      app.client().post("/auth", { email: player.email, password }, newAddress());
    /** The waits in seconds, each from the try that caused it. */
    const waits: number[] = [];
    let lastTry = Date.now();
    for (let tries = 0; tries < 40 && waits.length < 3; tries += 1) {
      const started = Date.now();
      const answer = await guess();
      if (answer.status !== 429) {
        lastTry = started;
        continue;
      }
      expectTooMany(answer, "Error signing in");
      waits.push(Number(answer.headers.get("Retry-After")) + (Date.now() - lastTry) / 1_000);
      // Time passes: the wait is over, but the tries still count.
      const series = eq(rateLimits.key, `try:signIn:${hashToken(player.email)}`);
      const row = await app.db.select().from(rateLimits).where(series).get();
      await app.db
        .update(rateLimits)
        .set({ windowEndsAt: new Date((row?.windowEndsAt.getTime() ?? 0) - Math.ceil(waits.at(-1) as number) * 1_000) })
        .where(series);
    }
    expect(waits).toHaveLength(3);
    for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(2 ** index);
    // Other players don't have to wait.
    const other = await app.client().post("/auth", { email: stranger.email, password: PASSWORD }, newAddress());
    expect(other.status).toBe(303);
    // The right password ends the series.
    expect((await guess(PASSWORD)).status).toBe(303);
    expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(400);
  });

  test("lets only one through of several tries that arrive in the same millisecond", async () => {
    const series = unique("guessed");
    const now = Date.now();
    const guess = async (at: number) => {
      const context = { db: app.db, env: { RATE_LIMIT_FACTOR: 1 } as Env, now: new Date(at) };
      const { count, judge } = prepareAttempt(context, "signIn", series);
      return judge(await count);
    };
    for (let tries = 0; tries < 4; tries += 1) expect(await guess(now)).toMatchObject({ allowed: true });
    const simultaneous = await Promise.all([guess(now), guess(now), guess(now)]);
    expect(simultaneous.filter(({ allowed }) => allowed)).toHaveLength(1);
    expect(await guess(now + 1)).toMatchObject({ allowed: false, number: 5 });
    expect(await guess(now + 1_100)).toMatchObject({ allowed: true, number: 6 });
  });

  test("counts the addresses of one IPv6 customer as one", async () => {
    const network = `2001:db8:0:${unique("")}`;
    const attempt = (host: string) =>
      app
        .client()
        .post("/auth", { email: "a@lineup.test", password: "x" }, { "CF-Connecting-IP": `${network}${host}` });
    expect((await attempt("::1")).status).toBe(400);
    await app.db
      .update(rateLimits)
      .set({ count: 10 })
      .where(like(rateLimits.key, `signIn:${network}%`));
    expect((await attempt(":a:b:c:d")).status).toBe(429);
  });
});

describe("signing up", () => {
  test("is possible 10 times an hour from one address", async () => {
    const address = newAddress();
    const { email } = await addPlayer(app);
    const attempt = (from = address, to = email) =>
      app.client().post("/auth?tab=sign-up", { intent: "next", email: to, password: "four smokes and a wall" }, from);
    for (let times = 0; times < 10; times += 1) expect((await attempt()).status).toBe(400);
    const fresh = `${unique("eleventh-")}@lineup.test`;
    const refused = await attempt(address, fresh);
    expectTooMany(refused, "Error creating account");
    expect(field(refused.text, "email").value).toBe(fresh);
    expect(refused.text).not.toContain("four smokes and a wall");
    expect(refused.setCookie).toEqual([]);
    expect((await attempt(newAddress(), fresh)).status).toBe(303);
    await endWindows(`signUp:${address["CF-Connecting-IP"]}`);
    expect((await attempt(address, `${unique("later-")}@lineup.test`)).status).toBe(303);
  });

  test("asks Riot at most 20 times a minute from one address, and keeps the entered values", async () => {
    const address = newAddress();
    const client = app.client();
    const step2 = "/auth?tab=sign-up&step=2";
    const email = `${unique("verifying-")}@lineup.test`;
    await client.post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" }, newAddress());
    const fields = { intent: "verify", gameName: "Missing Person", tagLine: "K1ND", region: "asia" };
    const ask = () => client.post(step2, fields, address);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(404));
    app.riot.requests.length = 0;
    const refused = await ask();
    expectTooMany(refused, "Verification failed");
    expect(field(refused.text, "gameName").value).toBe("Missing Person");
    expect(field(refused.text, "tagLine").value).toBe("K1ND");
    expect(field(refused.text, "region").value).toBe("asia");
    expect(app.riot.requests).toEqual([]);
    // The API shares the counter.
    const api = await app
      .client()
      .postJson("/riot-api/verify-account", { gameName: "Somebody", tagLine: "EUW" }, address);
    expect(api.status).toBe(429);
    await endWindows(`riotLookup:${address["CF-Connecting-IP"]}`);
    expect((await ask()).status).toBe(404);
  });
});

test("A player asks Riot for the account's new name at most 20 times a minute, from any address", async () => {
  const { client } = await newVisitor(app, { riotPuuid: unique("puuid-"), riotVerifiedAt: new Date() });
  const ask = () => client.post("/dashboard/profile", { intent: "update-riot-id" }, newAddress());
  // Riot can't read this PUUID.
  for (let times = 0; times < 20; times += 1) expect((await ask()).status).toBe(400);
  app.riot.requests.length = 0;
  expectTooMany(await ask(), "Verification failed");
  expect(app.riot.requests).toEqual([]);
});

describe("posting", () => {
  test("is possible 10 times an hour per player, and keeps the entered values", async () => {
    const { client, player } = await newVisitor(app);
    const post = (title: string, id = uuidv7()) =>
      client.post("/dashboard/lfg/new", { id, title, message: "All of it", neededPlayers: "3", region: "Korea" });
    // An invalid form is not counted.
    for (let times = 0; times < 3; times += 1) expect((await post("")).status).toBe(400);
    for (let times = 0; times < 10; times += 1) {
      expect((await post(`Post ${times}`)).status).toBe(303);
      await app.db.update(lfgPosts).set({ isActive: false }).where(eq(lfgPosts.userId, player.id));
    }
    const refused = await post("One too many");
    expectTooMany(refused, "Error creating post");
    expect(field(refused.text, "title").value).toBe("One too many");
    expect(field(refused.text, "message").value).toBe("All of it");
    expect(field(refused.text, "neededPlayers").value).toBe("3");
    expect(field(refused.text, "region").value).toBe("Korea");
    expect(await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id))).toHaveLength(10);

    const other = await newVisitor(app);
    const fields = { id: uuidv7(), title: "Somebody else's", neededPlayers: "1" };
    expect((await other.client.post("/dashboard/lfg/new", fields)).status).toBe(303);
    await endWindows(`post:${player.id}`);
    expect((await post("An hour later")).status).toBe(303);
  });

  test("is limited to 60 changes an hour of any kind", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id, { title: "As it was" });
    await app.db
      .insert(rateLimits)
      .values({ key: `postChange:${player.id}`, count: 60, windowEndsAt: new Date(Date.now() + 120_000) });
    for (const [path, fields] of [
      [`/lfg/${post}`, { intent: "close" }],
      [`/lfg/${post}`, { intent: "bump" }],
      [`/lfg/${post}/delete`, {}],
    ] as [string, Record<string, string>][]) {
      const answer = await client.post(path, fields);
      expect(answer.status, path).toBe(429);
      expect(Number(answer.headers.get("Retry-After")), path).toBeGreaterThan(0);
      expect(
        announcements(answer.text)
          .at(-1)
          ?.replace(/^Error /, ""),
        path,
      ).toMatch(SENTENCE);
    }
    const edit = await client.post(`/lfg/${post}/edit`, { title: "Changed", neededPlayers: "2" });
    expectTooMany(edit, "Error saving post");
    expect(field(edit.text, "title").value).toBe("Changed");
    const row = await app.db.select().from(lfgPosts).where(eq(lfgPosts.id, post)).get();
    expect(row).toMatchObject({ title: "As it was", isActive: true });
  });
});

describe("teaming up", () => {
  test("is limited to 20 requests an hour, and keeps the entered values", async () => {
    const { client, player } = await newVisitor(app);
    const author = await addPlayer(app);
    const post = await addPost(app, author.id);
    const ask = () => client.post(`/lfg/${post}/join`, { id: uuidv7(), note: "Mic on" });
    for (let times = 0; times < 20; times += 1) {
      expect((await ask()).status).toBe(303);
      await client.post(`/lfg/${post}`, { intent: "withdraw" });
    }
    const refused = await ask();
    expectTooMany(refused, "Error sending request");
    expect(field(refused.text, "note").value).toBe("Mic on");
    await endWindows(`join:${player.id}`);
    expect((await ask()).status).toBe(303);
  });

  test("is limited to 60 answers, departures and withdrawals an hour", async () => {
    const { client } = await newVisitor(app);
    const author = await addPlayer(app);
    const post = await addPost(app, author.id);
    for (const intent of ["accept", "decline", "remove", "leave", "withdraw"]) {
      for (let times = 0; times < 12; times += 1) {
        expect((await client.post(`/lfg/${post}`, { intent, request: uuidv7() })).status).toBe(404);
      }
    }
    const refused = await client.post(`/lfg/${post}`, { intent: "leave" });
    expect(refused.status).toBe(429);
    expect(announcements(refused.text)[0]).toContain("That was a lot in a short time.");
  });
});

describe("one address", () => {
  const limits = "postPerAddress=3/3600,contactPerAddress=3/3600,messagePerAddress=5/60,post=2/3600,message=4/60";
  const shared = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: limits } });
  const post = (client: Client, title: string, from: Record<string, string>) =>
    client.post("/dashboard/lfg/new", { id: uuidv7(), title, neededPlayers: "1" }, from);
  const visitors = (count: number) => Promise.all(Array.from({ length: count }, () => newVisitor(shared)));

  test("creates as many posts an hour as its limit allows, whoever writes them, and keeps the entered values", async () => {
    const address = newAddress();
    for (const { client } of await visitors(3)) expect((await post(client, "Duo", address)).status).toBe(303);
    const { client } = await newVisitor(shared);
    const refused = await post(client, "One too many", address);
    expectTooMany(refused, "Error creating post");
    expect(field(refused.text, "title").value).toBe("One too many");
    expect((await post(client, "From elsewhere", newAddress())).status).toBe(303);
  });

  test("begins as many conversations an hour as its limit allows, with players and about posts", async () => {
    const address = newAddress();
    const [author, ...others] = (await visitors(4)) as [Visitor, ...Visitor[]];
    const postId = await addPost(shared, author.player.id);
    const ways = [`/lfg/${postId}/contact`, `/players/${author.player.id}/message`];
    const contact = (client: Client, way: string, from: Record<string, string>) =>
      client.post(way, { id: uuidv7(), message: "Hi there" }, from);
    for (const [index, { client }] of others.entries())
      expect((await contact(client, ways[index % 2] as string, address)).status).toBe(303);
    const { client } = await newVisitor(shared);
    for (const way of ways) {
      const refused = await contact(client, way, address);
      expectTooMany(refused, "Error sending message");
      expect(field(refused.text, "message").value).toBe("Hi there");
    }
    expect((await contact(client, ways[0] as string, newAddress())).status).toBe(303);
  });

  test("sends as many messages a minute as its limit allows, with and without script", async () => {
    const address = newAddress();
    const { one, other, conversationId } = await newTeammates(shared);
    const json = `/conversations/${conversationId}/messages`;
    const page = `/dashboard/messages/${conversationId}`;
    const send = ({ client }: Visitor, path: string, message: string, from = address) =>
      client.post(path, { id: uuidv7(), message }, from);
    for (const [visitor, path, status] of [
      [one, json, 200],
      [other, page, 303],
      [one, page, 303],
      [other, json, 200],
      [one, json, 200],
    ] as const)
      expect((await send(visitor, path, "Hi")).status).toBe(status);
    const refused = await send(other, page, "One too many");
    expect(refused.status).toBe(429);
    expect(announcements(refused.text).at(-1)).toMatch(/^Error sending message That was a lot in a short time\./);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(field(refused.text, "message").value).toBe("One too many");
    const answer = await send(other, json, "One too many");
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([429, expect.stringMatching(SENTENCE)]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await shared.db.$count(messages, eq(messages.conversationId, conversationId))).toBe(5);
    expect((await send(one, json, "From elsewhere", newAddress())).status).toBe(200);
  });

  test("isn't used up by a player who is over their own limit, or by the cookie of an ended session", async () => {
    const address = newAddress();
    const [hasty, next] = (await visitors(2)) as [Visitor, Visitor];
    const { one, other, conversationId } = await newTeammates(shared);
    const send = ({ client }: Visitor) =>
      client.post(`/conversations/${conversationId}/messages`, { id: uuidv7(), message: "Hi" }, address);
    for (let times = 0; times < 6; times += 1) {
      await post(hasty.client, `Post ${times}`, address);
      await shared.db.update(lfgPosts).set({ isActive: false }).where(eq(lfgPosts.userId, hasty.player.id));
      await send(one);
    }
    const late = await newVisitor(shared);
    await shared.db.delete(sessions).where(eq(sessions.userId, late.player.id));
    expect((await post(late.client, "Too late", address)).status).toBe(401);
    expect((await send(late)).status).toBe(401);
    expect((await post(next.client, "Room for one more", address)).status).toBe(303);
    expect((await send(other)).status).toBe(200);
  });
});

describe("a limit", () => {
  const tight = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "signUp=2/3600,post=1/60" } });

  test("can be set by configuration", async () => {
    const { client } = await newVisitor(tight);
    const post = () => client.post("/dashboard/lfg/new", { id: uuidv7(), title: "Only one", neededPlayers: "1" });
    expect([(await post()).status, (await post()).status]).toEqual([303, 429]);
    const { email } = await addPlayer(tight);
    const signUp = () =>
      tight.client().post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" });
    expect([(await signUp()).status, (await signUp()).status, (await signUp()).status]).toEqual([400, 400, 429]);
    expect(await tight.db.select().from(users)).toHaveLength(2);
  });

  describe("whose name is misspelt in the configuration", () => {
    const misspelt = useApp({ bindings: { RATE_LIMITS: "riotLookupByStranger=20/60,riotLookup=4/60,signUp=2/60" } });

    test("is named in the log, once, and requests are answered", async () => {
      for (let visit = 0; visit < 3; visit += 1) expect((await misspelt.client().get("/")).status).toBe(200);
      const lines = await eventually(() => {
        const all = misspelt.logs.map(({ message }) => JSON.parse(message) as Record<string, unknown>);
        expect(all.filter(({ message }) => message === "request")).toHaveLength(3);
        return all.filter(({ level }) => level !== "info");
      });
      expect(lines).toEqual([
        expect.objectContaining({
          ...{ level: "warn", message: "RATE_LIMITS names limits that don't exist", names: "riotLookupByStranger" },
        }),
      ]);
    });
  });
});

test("Organisers' decisions don't count as actions in a match, so that every match can be decided", async () => {
  const host = await newVisitor(app);
  const { id } = await startTournament(app, { teams: 2, userId: host.player.id });
  await app.db
    .insert(rateLimits)
    .values({ key: `match:${host.player.id}`, count: 120, windowEndsAt: new Date(Date.now() + 60_000) });
  const decision = { decision: "forfeit-2", leftSide: "1", bestOf: "1" };
  expect((await host.client.post(`/tournaments/${id}/matches/0/decide`, decision)).status).toBe(303);
  const { count } = (await app.db
    .select()
    .from(rateLimits)
    .where(eq(rateLimits.key, `ruling:${host.player.id}`))
    .get()) as typeof rateLimits.$inferSelect;
  expect(count).toBe(1);
});

describe("codes by email", () => {
  test("reach an address 5 times an hour per network and purpose, 20 per purpose, account or no account", async () => {
    const player = await addPlayer(app);
    for (const email of [player.email, `${unique("nobody-")}@lineup.test`]) {
      for (const [page, title] of [
        ["/auth/forgot-password", "Error sending the code"],
        ["/auth/code", "Error signing in"],
      ] as const) {
        const ask = (network: number, host: number) =>
          app.client().post(page, { intent: "send", email }, { "CF-Connecting-IP": `10.78.${network}.${host}` });
        const expectRefused = (refused: HttpResponse) => {
          expectTooMany(refused, title);
          expect(field(refused.text, "email").value).toBe(email);
          expect(refused.setCookie).toEqual([]);
        };
        for (let network = 1; network <= 4; network += 1) {
          for (let sent = 1; sent <= 5; sent += 1) expect((await ask(network, sent)).status, `${sent}`).toBe(303);
          expectRefused(await ask(network, 6));
        }
        expectRefused(await ask(5, 1));
      }
    }
    expect(await app.db.select().from(outbox).where(eq(outbox.recipient, player.email))).toHaveLength(40);
    expect(await app.db.select().from(verifications).where(eq(verifications.userId, player.id))).toHaveLength(40);
  });

  test("can be requested 20 times an hour from one address", async () => {
    const address = newAddress();
    const ask = () =>
      app
        .client()
        .post("/auth/forgot-password", { intent: "send", email: `${unique("nobody-")}@lineup.test` }, address);
    for (let sent = 1; sent <= 20; sent += 1) expect((await ask()).status).toBe(303);
    expectTooMany(await ask(), "Error sending the code");
  });
});

describe("changing the password", () => {
  test("is possible 10 times an hour, and refused before the hash", async () => {
    const { player, client } = await newVisitor(app);
    await app.db
      .insert(rateLimits)
      .values({ key: `passwordChange:${player.id}`, count: 10, windowEndsAt: new Date(Date.now() + 60_000) });
    const refused = await client.post("/dashboard/settings/password", { password: "four smokes and a wall" });
    expectTooMany(refused, "Error changing the password");
  });
});

describe("the cookie of an ended session", () => {
  /** Signs a player in and out again. @returns a browser that still has the cookie */
  async function visitTooLate({ id }: Player): Promise<Client> {
    const client = app.client();
    const session = await openSession(app, id);
    client.cookies.set("lineup_session", session.cookie);
    await app.db.delete(sessions).where(eq(sessions.id, session.id));
    return client;
  }

  const BAD_RIOT_ID = { gameName: "Missing Person", tagLine: "K1ND", region: "asia" };
  const bearer = (client: Client) => ({ Authorization: `Bearer ${client.cookies.get("lineup_session")}` });

  test.each<[rule: RateLimitRule, ask: (client: Client, player: Player) => Promise<HttpResponse>]>([
    ["message", (client) => sendTo(client, uuidv7(), "Hi")],
    ["post", (client) => client.post("/dashboard/lfg/new", { id: uuidv7(), title: "Duo", neededPlayers: "1" })],
    ["passwordChange", (client) => client.post("/dashboard/settings/password", { password: "" })],
    ["twoFactorChange", (client) => client.post("/dashboard/settings/two-factor", { intent: "" })],
    ["deletion", (client) => client.post("/dashboard/settings/delete-account", { email: "" })],
    ["export", (client) => client.post("/dashboard/settings/export/download")],
    ["appeal", (client) => client.post(`/account/decisions/${uuidv7()}/appeal`, { words: "It wasn't me." })],
    ["push", (client) => client.post("/push")],
    ["endSessions", (client) => client.post("/auth/sign-out", { scope: "others" })],
    ["playerCards", (client, { id }) => client.get(`/players/${id}/card`)],
    ["directoryPages", (client) => client.get(`/dashboard/players?sort=newest&after=1_${uuidv7()}`)],
    ["riotLookupPerAccount", (client) => client.postJson("/riot-api/verify-account", BAD_RIOT_ID, bearer(client))],
  ])("doesn't count against its player's limit %s, unlike the cookie of an open session", async (rule, ask) => {
    const player = await addPlayer(app);
    const counted = () => app.db.$count(rateLimits, eq(rateLimits.key, `${rule}:${player.id}`));
    await ask(await visitTooLate(player), player);
    expect(await counted()).toBe(0);
    await ask(await visitAs(app, player), player);
    expect(await counted()).toBe(1);
  });

  test("can't keep its player from writing", async () => {
    const { one, conversationId } = await newTeammates(app);
    const late = await visitTooLate(one.player);
    for (let times = 0; times < 30; times += 1) {
      expect((await sendTo(late, conversationId, `Too late ${times}`)).status).toBe(401);
    }
    expect((await sendTo(one.client, conversationId, "On time")).status).toBe(200);
  });

  test("can't keep its player from changing the password", async () => {
    const { player, client } = await newVisitor(app);
    const late = await visitTooLate(player);
    for (let times = 0; times < 10; times += 1) {
      expect((await late.post("/dashboard/settings/password", { password: "" })).status).toBe(401);
    }
    const changed = await client.post("/dashboard/settings/password", { password: "four smokes and a wall" });
    expect(changed.status).toBe(303);
  });
});

describe("simultaneous requests that exceed a limit", () => {
  const tally = (answers: HttpResponse[]) => {
    const tallied: Record<number, number> = {};
    for (const { status } of answers) tallied[status] = (tallied[status] ?? 0) + 1;
    return tallied;
  };

  test("send exactly as many codes by email as it allows", async () => {
    for (let round = 0; round < 3; round += 1) {
      const player = await addPlayer(app);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, host) =>
          app
            .client()
            .post("/auth/code", { intent: "send", email: player.email }, { "CF-Connecting-IP": `10.79.1.${host}` }),
        ),
      );
      expect(tally(answers)).toEqual({ 303: 5, 429: 15 });
      expect(await app.db.$count(outbox, eq(outbox.recipient, player.email))).toBe(5);
    }
  });

  test("send exactly as many messages as it allows", async () => {
    // Between players who have met, no other limit counts.
    const { one, conversationId } = await newTeammates(app);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => sendTo(one.client, conversationId, `${n}`)));
    expect(tally(answers)).toEqual({ 200: 30, 429: 20 });
    expect(await app.db.$count(messages, eq(messages.conversationId, conversationId))).toBe(30);
  });

  test("send exactly as many confirmations of reports as it allows", async () => {
    const email = `${unique("reporter-")}@lineup.test`;
    const posts: string[] = [];
    for (let number = 0; number < 20; number += 1) posts.push(await addPost(app, (await addPlayer(app)).id));
    const report = (post: string) =>
      app.client().post(`/lfg/${post}/report`, { id: uuidv7(), reason: "spam", name: "A guest", email }, newAddress());
    expect(tally(await Promise.all(posts.map(report)))).toEqual({ 303: 20 });
    expect(await app.db.$count(outbox, eq(outbox.recipient, email))).toBe(5);
  });
});
