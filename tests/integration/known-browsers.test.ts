import { eq, like } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createToken, hashToken, keyedHash } from "../../app/platform/crypto/crypto.server";
import { outbox, rateLimits, sessions, users } from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, isSignedIn } from "../support/client";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, DAY, MINUTE, newAddress, newEmail, type Player, unique } from "./players";

const { proxy, appOptions } = await startWatchedDatabase();

// The limits as players meet them.
const app = useApp({ limitFactor: 1, ...appOptions });

const WRONG = "not the password";
const COOKIE = "lineup_known";
const NEW_PASSWORD = "four smokes and a wall";

/** Signs a player in, in a new browser, and leaves the session open. */
async function newSignedIn() {
  const player = await addPlayer(app);
  return { player, client: await signInTo(player) };
}

/** Signs a player in, in another new browser. */
async function signInTo({ email }: Player): Promise<Client> {
  const client = app.client();
  expect((await attempt(client, email, PASSWORD)).status).toBe(303);
  return client;
}

/** A browser in which a player has signed in and out again. */
async function newKnownBrowser() {
  const { player, client } = await newSignedIn();
  await client.post("/auth/sign-out");
  return { player, client };
}

const attempt = (client: Client, email: string, password = WRONG, address = newAddress()) =>
  client.post("/auth", { email, password }, address);

/** The status of an attempt by a browser in which the session has ended. The browser's cookies stay as they are. */
async function statusOf(client: Client, email: string, password = WRONG, address = newAddress()): Promise<number> {
  const copy = app.client();
  for (const [name, value] of client.cookies) if (name !== "lineup_session") copy.cookies.set(name, value);
  return (await attempt(copy, email, password, address)).status;
}

/** As though strangers had given so many wrong passwords that the next attempt has to wait for minutes. */
const lockOut = ({ email }: Player) =>
  app.db.insert(rateLimits).values({
    key: `try:signIn:${hashToken(email)}`,
    count: 14,
    windowEndsAt: new Date(Date.now() + 30 * MINUTE),
  });

describe("a browser in which the player has signed in", () => {
  test("signs in right away while strangers guess until they have to wait", async () => {
    const { player, client } = await newKnownBrowser();
    const guesses = await Promise.all(Array.from({ length: 12 }, () => attempt(app.client(), player.email)));
    expect(guesses.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(5);
    // They go on until the wait is the longest.
    const strangers = eq(rateLimits.key, `try:signIn:${hashToken(player.email)}`);
    const windowEndsAt = new Date(Date.now() + 30 * MINUTE);
    const { rowsAffected } = await app.db.update(rateLimits).set({ windowEndsAt }).where(strangers);
    expect(rowsAffected).toBe(1);
    // Even the right password has to wait in an unknown browser.
    expect((await attempt(app.client(), player.email, PASSWORD)).status).toBe(429);
    expect((await attempt(client, player.email, PASSWORD)).status).toBe(303);
    expect(await isSignedIn(client)).toBe(true);
    // The strangers' wait is not over.
    expect((await attempt(app.client(), player.email)).status).toBe(429);
  });

  test("signs in right away behind an IP address whose sign-ins a stranger has used up", async () => {
    const { player, client } = await newKnownBrowser();
    const address = newAddress();
    const windowEndsAt = new Date(Date.now() + MINUTE);
    await app.db.insert(rateLimits).values({ key: `signIn:${address["CF-Connecting-IP"]}`, count: 10, windowEndsAt });
    expect((await attempt(app.client(), player.email, PASSWORD, address)).status).toBe(429);
    expect((await attempt(client, player.email, PASSWORD, address)).status).toBe(303);
  });

  test("waits after its own wrong passwords, which delay nobody else", async () => {
    const { player, client } = await newKnownBrowser();
    const other = await signInTo(player);
    const statuses: number[] = [];
    for (let number = 0; number < 9; number += 1) statuses.push((await attempt(client, player.email)).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(400));
    expect(statuses).toContain(429);
    expect((await attempt(app.client(), player.email)).status).toBe(400);
    expect(await statusOf(other, player.email)).toBe(400);
  });

  test("gets at most ten passwords a minute hashed for an account and IP address", async () => {
    const { player, client } = await newKnownBrowser();
    const address = newAddress();
    const statuses: number[] = [];
    for (let number = 0; number < 11; number += 1) {
      statuses.push(await statusOf(client, player.email, PASSWORD, address));
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429]);
  });

  test("causes the same statements and headers as a stranger, for addresses with and without an account", async () => {
    const { player, client } = await newKnownBrowser();
    const statementsOf = async (browser: Client, email: string) => {
      proxy.clear();
      const { status, headers } = await attempt(browser, email);
      return [status, [...headers.keys()].sort(), proxy.posts, proxy.statements.map(({ sql }) => sql)];
    };
    const known = await statementsOf(client, player.email);
    expect(known).toEqual(await statementsOf(app.client(), player.email));
    // A cookie doesn't tell its holder who else has an account.
    expect(known).toEqual(await statementsOf(client, (await addPlayer(app)).email));
    expect(known).toEqual(await statementsOf(client, newEmail()));
  });

  test("is known to five accounts, and forgets the one with the oldest sign-in first", async () => {
    const client = app.client();
    const players = [];
    for (let number = 0; number < 6; number += 1) players.push(await addPlayer(app));
    const [first, second] = players as [Player, Player];
    // The first signs in again after the second, so the second is the oldest.
    for (const { email } of [...players.slice(0, 2), first, ...players.slice(2)]) {
      expect((await attempt(client, email, PASSWORD)).status).toBe(303);
    }
    await client.post("/auth/sign-out");
    for (const player of players) await lockOut(player);
    const statuses = await Promise.all(players.map(({ email }) => statusOf(client, email)));
    expect(statuses).toEqual(players.map((player) => (player === second ? 429 : 400)));
    expect((client.cookies.get(COOKIE) as string).length).toBeLessThan(450);
  });
});

describe("the cookie of a known browser", () => {
  test("is for the server only, lasts a year, and names no account", async () => {
    const player = await addPlayer(app);
    const { setCookie } = await attempt(app.client(), player.email, PASSWORD);
    const cookie = setCookie.find((one) => one.startsWith(COOKIE)) as string;
    expect(cookie).toMatch(
      /^lineup_known=[\w-]{27}\.[0-9a-z]+\.[0-9a-f]{64}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toContain(player.id);
    // Wrong passwords and codes that were only requested set none.
    for (const answer of [
      await attempt(app.client(), player.email),
      await app.client().post("/auth/code", { intent: "send", email: player.email }, newAddress()),
    ]) {
      expect(answer.setCookie.join()).not.toContain(COOKIE);
    }
  });

  test("opens nothing by itself", async () => {
    const { player, client } = await newKnownBrowser();
    expect(await isSignedIn(client)).toBe(false);
    expect((await attempt(client, player.email)).status).toBe(400);
    client.cookies.set("lineup_session", client.cookies.get(COOKIE) as string);
    client.cookies.set("lineup_device", client.cookies.get(COOKIE) as string);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("doesn't count for another account, or after it was changed or forged", async () => {
    const { player, client } = await newKnownBrowser();
    const other = await addPlayer(app);
    await lockOut(player);
    await lockOut(other);
    expect(await statusOf(client, other.email)).toBe(429);
    const cookie = client.cookies.get(COOKIE) as string;
    const [id, time, signature] = cookie.split(".") as [string, string, string];
    const later = (Number.parseInt(time, 36) + DAY).toString(36);
    const forge = (secret: string, purpose: string) => keyedHash(secret, purpose, `${id} ${time} ${player.email}`);
    expect(forge(LOCAL_SECRET, "known browsers")).toBe(signature);
    const forged = [
      "",
      "x",
      player.id,
      cookie.slice(0, -1),
      `${createToken()}.${time}.${signature}`,
      `${id}.${later}.${signature}`,
      `${id}.${time}.${forge("x".repeat(32), "known browsers")}`,
      `${id}.${time}.${forge(LOCAL_SECRET, "another purpose")}`,
      `${id}${`.${time}.${"a".repeat(64)}`.repeat(5)}.${time}.${signature}`,
      "%E0%A4%A",
    ];
    for (const value of forged) {
      client.cookies.set(COOKIE, value);
      expect(await statusOf(client, player.email), value).toBe(429);
    }
    client.cookies.set(COOKIE, cookie);
    expect(await statusOf(client, player.email)).toBe(400);
  });
});

describe("a known browser becomes a stranger", () => {
  /** Runs `revoke` in one browser, and expects that another one of the same account isn't known any more. */
  async function expectRevoked(
    revoke: (owner: { player: Player; client: Client }) => Promise<unknown>,
    { ownerStays }: { ownerStays: boolean },
  ) {
    const { player, client: owner } = await newSignedIn();
    const other = await signInTo(player);
    await lockOut(player);
    expect(await statusOf(other, player.email)).toBe(400);
    await revoke({ player, client: owner });
    // A new password ends the strangers' wait, so start it anew, whatever `revoke` does.
    await app.db.delete(rateLimits).where(like(rateLimits.key, `try:signIn:${hashToken(player.email)}%`));
    await lockOut(player);
    expect(await statusOf(other, player.email)).toBe(429);
    expect(await statusOf(owner, player.email)).toBe(ownerStays ? 400 : 429);
  }

  test("when the player changes the password, except for the browser where that was done", () =>
    expectRevoked(
      async ({ client }) => {
        const answer = await client.post("/dashboard/settings/password", { password: NEW_PASSWORD });
        expect(answer.status).toBe(303);
      },
      { ownerStays: true },
    ));

  test("when the player resets the password, except for the browser where that was done", () =>
    expectRevoked(
      async ({ player, client }) => {
        await client.post("/auth/sign-out");
        await client.post("/auth/forgot-password", { intent: "send", email: player.email });
        const { code } = await app.readEmail(player.email);
        const answer = await client.post("/auth/reset-password", { code, password: NEW_PASSWORD });
        expect(answer.location).toBe("/dashboard");
      },
      { ownerStays: true },
    ));

  test("when the player signs out everywhere, this browser included", () =>
    expectRevoked(({ client }) => client.post("/auth/sign-out", { scope: "global" }), { ownerStays: false }));

  test("when the player signs out everywhere, even if that renews the session first", () =>
    expectRevoked(
      async ({ player, client }) => {
        const expiresAt = new Date(Date.now() + DAY);
        await app.db.update(sessions).set({ expiresAt }).where(eq(sessions.userId, player.id));
        await client.post("/auth/sign-out", { scope: "global" });
      },
      { ownerStays: false },
    ));

  test("when the player signs out all other devices", () =>
    expectRevoked(({ client }) => client.post("/auth/sign-out", { scope: "others" }), { ownerStays: true }));

  test("once the address belongs to another account", async () => {
    // The other account is older than the browser's sign-in, so age alone doesn't make the browser a stranger.
    const heir = await newSignedIn();
    const { player, client } = await newKnownBrowser();
    // The owner gives up the address, and the other player takes it.
    await app.db.update(users).set({ email: newEmail() }).where(eq(users.id, player.id));
    await heir.client.post("/dashboard/settings/email", { intent: "send", email: player.email });
    const { code } = await app.readEmail(player.email);
    const answer = await heir.client.post("/dashboard/settings/email", { intent: "enter", code });
    expect(answer.status).toBe(303);
    const { email } = (await app.db.select().from(users).where(eq(users.id, heir.player.id)).get()) as Player;
    expect(email).toBe(player.email);
    await lockOut(player);
    expect(await statusOf(client, email)).toBe(429);
    expect(await statusOf(heir.client, email)).toBe(400);
  });

  test("after a year without signing in", async () => {
    const { player, client } = await newKnownBrowser();
    await lockOut(player);
    await app.db
      .update(users)
      .set({ createdAt: new Date(Date.now() - 800 * DAY) })
      .where(eq(users.id, player.id));
    const [id] = (client.cookies.get(COOKIE) as string).split(".") as [string];
    const signedInAgo = (days: number) => {
      const time = (Date.now() - days * DAY).toString(36);
      const signature = keyedHash(LOCAL_SECRET, "known browsers", `${id} ${time} ${player.email}`);
      client.cookies.set(COOKIE, `${id}.${time}.${signature}`);
    };
    signedInAgo(364);
    expect(await statusOf(client, player.email)).toBe(400);
    signedInAgo(366);
    expect(await statusOf(client, player.email)).toBe(429);
  });
});

describe("emails with codes", () => {
  const PAGES = ["/auth/forgot-password", "/auth/code"] as const;
  const send = (client: Client, page: string, email: string, address = newAddress()) =>
    client.post(page, { intent: "send", email }, address);
  const sentTo = (email: string) => app.db.$count(outbox, eq(outbox.recipient, email));
  let lastNetwork = 0;
  /** Addresses of a network that no other test uses. */
  const newNetwork = () => {
    lastNetwork += 1;
    const network = lastNetwork;
    return (host: number) => ({ "CF-Connecting-IP": `10.77.${network}.${host}` });
  };
  const refusedOf = (answers: { status: number }[]) => answers.filter(({ status }) => status === 429).length;
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));

  test("go out five times an hour for a network and purpose, and refusals don't use up the limit of other networks", async () => {
    const { email } = await addPlayer(app);
    const network = newNetwork();
    for (const page of PAGES) {
      // The refusals alone outnumber the emails that all networks together may get.
      const answers = await Promise.all(times(30, (host) => send(app.client(), page, email, network(host + 1))));
      expect(refusedOf(answers), page).toBe(25);
      for (const elsewhere of times(3, newNetwork)) {
        const others = await Promise.all(times(6, (host) => send(app.client(), page, email, elsewhere(host + 1))));
        expect(refusedOf(others), page).toBe(1);
      }
      expect((await send(app.client(), page, email, newNetwork()(1))).status, page).toBe(429);
    }
    expect(await sentTo(email)).toBe(40);
  });

  test("go out to strangers twenty times an hour in all, while browsers that know the account still get theirs", async () => {
    const { player, client } = await newKnownBrowser();
    const second = await signInTo(player);
    for (const page of PAGES) {
      const answers = await Promise.all(times(30, () => send(app.client(), page, player.email, newNetwork()(1))));
      expect(refusedOf(answers), page).toBe(10);
      // Six at the same time, from six networks: the browser counts, not its network.
      const own = await Promise.all(times(6, () => send(client, page, player.email, newNetwork()(1))));
      expect(refusedOf(own), page).toBe(1);
      expect((await send(second, page, player.email)).status, page).toBe(303);
    }
    expect(await sentTo(player.email)).toBe(2 * (20 + 5 + 1));
  });

  test("go out twenty times an hour to all known browsers together", async () => {
    const player = await addPlayer(app);
    const browsers = await Promise.all(times(5, () => signInTo(player)));
    const answers = await Promise.all(
      browsers.flatMap((client) => times(5, () => send(client, PAGES[0], player.email))),
    );
    expect(refusedOf(answers)).toBe(5);
    // Emails that strangers request are counted separately.
    expect((await send(app.client(), PAGES[0], player.email)).status).toBe(303);
    expect(await sentTo(player.email)).toBe(21);
  });

  test("go out to a known browser behind an IP address that has used up its limit", async () => {
    const { player, client } = await newKnownBrowser();
    const address = newAddress();
    const windowEndsAt = new Date(Date.now() + MINUTE);
    const key = `verificationEmail:${address["CF-Connecting-IP"]}`;
    await app.db.insert(rateLimits).values({ key, count: 20, windowEndsAt });
    expect((await send(app.client(), PAGES[0], player.email, address)).status).toBe(429);
    expect((await send(client, PAGES[0], player.email, address)).status).toBe(303);
  });

  test("are limited by network: IPv6 addresses with the same first 48 bits count as one", async () => {
    const { email } = await addPlayer(app);
    const ask = (address: string) => send(app.client(), PAGES[0], email, { "CF-Connecting-IP": address });
    for (const host of ["1::1", "1::2", "2::1", "ffff::1", "abcd::1"]) {
      expect((await ask(`2001:db8:77:${host}`)).status, host).toBe(303);
    }
    expect((await ask("2001:db8:77:beef::1")).status).toBe(429);
    expect((await ask("2001:db8:78:1::1")).status).toBe(303);
  });

  test("count all spellings that reach one mailbox as one recipient, and only for the limit", async () => {
    const name = unique("victim-");
    const spellings = [`${name}@gmail.com`, `${name}+1@gmail.com`, `${name}+2@googlemail.com`];
    const dotted = `v.${name.slice(1)}+3@gmail.com`;
    const players = await Promise.all([...spellings, dotted].map((email) => addPlayer(app, { email })));
    const network = newNetwork();
    for (const [index, { email }] of [...players, ...players].entries()) {
      const { status } = await send(app.client(), PAGES[0], email, network(index + 1));
      expect(status, email).toBe(index < 5 ? 303 : 429);
    }
    // Elsewhere a dot is part of the name. Each email still goes to the spelling that was typed.
    const [plain, withDot] = [unique("dots-"), "d.ots-"];
    for (const host of times(5, (index) => index)) {
      expect((await send(app.client(), PAGES[0], `${plain}+${host}@example.com`, network(host + 20))).status).toBe(303);
    }
    expect((await send(app.client(), PAGES[0], `${plain}@example.com`, network(30))).status).toBe(429);
    const other = `${withDot}${plain.slice(5)}@example.com`;
    expect((await send(app.client(), PAGES[0], other, network(31))).status).toBe(303);
    expect(await sentTo(spellings[0] as string)).toBe(2);
    expect(await sentTo(dotted)).toBe(1);
  });

  test("to a known browser aren't limited by those to another account with the same mailbox", async () => {
    const name = unique("spelled-");
    const own = await addPlayer(app, { email: `${name}@gmail.com` });
    const other = await addPlayer(app, { email: `${name}+2@gmail.com` });
    const [client, stranger] = [await signInTo(own), await signInTo(other)];
    for (const host of times(6, (index) => index)) {
      const { status } = await send(stranger, PAGES[0], other.email, newNetwork()(host + 1));
      expect(status).toBe(host < 5 ? 303 : 429);
    }
    for (const _ of times(5, (index) => index)) {
      expect((await send(client, PAGES[0], own.email)).status).toBe(303);
    }
  });

  test("are limited in the same way for an address without an account", async () => {
    const { email } = await addPlayer(app);
    const nobody = newEmail();
    const walk = async (to: string) => {
      const seen: number[] = [];
      for (const network of times(5, newNetwork)) {
        for (let host = 1; host <= 6; host += 1) {
          seen.push((await send(app.client(), PAGES[0], to, network(host))).status);
        }
      }
      return seen;
    };
    const seen = await walk(email);
    expect(seen.filter((status) => status === 303)).toHaveLength(20);
    expect(seen).toEqual(await walk(nobody));
    expect(await sentTo(nobody)).toBe(0);
  });
});
