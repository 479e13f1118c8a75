import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { sessions, trustedDevices } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, isSignedIn } from "../support/client";
import { announcements, heading, textOf, texts } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox, type RoomSocket } from "../support/socket";
import { startWatchedDatabase } from "../support/watched-database";
import {
  addConversation,
  addPlayer,
  DAY,
  HOUR,
  newAddress,
  newVisitor,
  openSession,
  type Player,
  unique,
  visitAs,
} from "./players";

const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp(appOptions);
const { auditOf, sessionsOf } = recordsIn(app);

const PAGE = "/dashboard/settings/sessions";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const idOf = (client: Client) => hashToken(client.cookies.get("lineup_session")?.split(".")[1] as string);

/** A player with two other browsers. */
async function newPlayerWithDevices() {
  const { player, client } = await newVisitor(app);
  return { player, client, laptop: await visitAs(app, player), phone: await visitAs(app, player) };
}

/** Makes a browser trusted, so that it isn't asked for the second factor. */
async function trustBrowser(client: Client, player: Player): Promise<void> {
  const token = unique("device-");
  client.cookies.set("lineup_device", token);
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 30 * DAY)];
  await app.db.insert(trustedDevices).values({ id: hashToken(token), userId: player.id, createdAt, expiresAt });
}

/** The code with which a room closes the socket. */
const codeOf = async (socket: RoomSocket) => {
  await socket.ended;
  return socket.end?.code;
};

const trustedOf = async ({ id }: Player) =>
  (await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, id))).map((device) => device.id);

test("Every way to end sessions takes at most two round trips", async () => {
  // Before any test that opens sockets, because rooms write through the same proxy.
  const { client, phone } = await newPlayerWithDevices();
  const ways: [string, Record<string, string>][] = [
    [PAGE, { session: idOf(phone) }],
    ["/auth/sign-out", { scope: "others" }],
    ["/auth/sign-out", { scope: "global" }],
  ];
  for (const [address, fields] of ways) {
    proxy.clear();
    expect((await client.post(address, fields)).status).toBe(303);
    expect(proxy.posts, JSON.stringify(fields)).toBeLessThanOrEqual(2);
  }
});

describe("the list of sessions", () => {
  test("shows device, place, last visit and sign-in of each, the current one first, in one round trip", async () => {
    const { player, client } = await newVisitor(app);
    await openSession(app, player.id, {
      userAgent: CHROME,
      place: "Lyon, FR",
      createdAt: new Date(Date.now() - 3 * DAY),
      lastSeenAt: new Date(Date.now() - 2 * HOUR),
    });
    await openSession(app, player.id, { userAgent: PHONE, createdAt: new Date(Date.now() - 5 * DAY) });
    await openSession(app, player.id, { userAgent: "<b>curl</b>" });
    await openSession(app, player.id, { userAgent: CHROME, expiresAt: new Date(Date.now() - 1) });
    const page = await client.get(PAGE);
    expect(roundTrips(page)).toBe(1);
    const rows = texts(page.text, "li.items-start");
    expect(rows).toEqual([
      expect.stringMatching(/^Unknown device This device In use now Signed in less than a minute ago Sign Out$/),
      expect.stringMatching(/^Unknown device Last seen less than a minute ago/),
      "Chrome on Windows Last seen about 2 hours ago Signed in 3 days ago · Lyon, FR Sign Out",
      "Safari on iOS Last seen 5 days ago Signed in 5 days ago Sign Out",
    ]);
    expect(page.text).not.toContain(client.cookies.get("lineup_session")?.split(".")[1]);
  });

  test("is limited to fifty others, and says that there are more", async () => {
    const { player, client } = await newVisitor(app);
    const rows = Array.from({ length: 60 }, (_, index) => ({
      id: hashToken(unique("many")),
      userId: player.id,
      createdAt: new Date(Date.now() - index * HOUR),
      expiresAt: new Date(Date.now() + DAY),
    }));
    await app.db.insert(sessions).values(rows);
    const page = await client.get(PAGE);
    expect(texts(page.text, "li.items-start")).toHaveLength(51);
    expect(textOf(page.text)).toContain("There are older sessions, too. Sign them all out below.");
    await client.submit(PAGE, "Sign Out Other Devices");
    expect(await sessionsOf(player)).toMatchObject([{ id: idOf(client) }]);
  });

  test("shows a browser's user agent and place from its sign-in", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    await client.post("/auth", { email: player.email, password: PASSWORD }, { ...newAddress(), "User-Agent": CHROME });
    expect(textOf((await client.get(PAGE)).text)).toMatch(/Chrome on Windows This device .*· Berlin, DE/);
  });
});

describe("ending one session", () => {
  test("immediately signs out that browser, with its sockets, and leaves the others", async () => {
    const { player, client, laptop, phone } = await newPlayerWithDevices();
    const other = await addPlayer(app);
    const conversation = await addConversation(app, player, other);
    const [inbox, room] = [await openInbox(laptop), await openConversation(laptop, conversation)];
    const spared = await openInbox(phone);
    const answer = await client.post(PAGE, { session: idOf(laptop) });
    expect(announcements((await client.follow(answer)).text)).toContain("Device signed out");
    expect(await codeOf(inbox)).toBe(4401);
    expect(await codeOf(room)).toBe(4401);
    expect(spared.end).toBeUndefined();
    spared.close();
    expect([await isSignedIn(client), await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([true, false, true]);
    expect(await auditOf(player)).toMatchObject([
      { actor: "player", action: "sessions-ended", details: { scope: "one" } },
    ]);
  });

  test("works from the plain form, once", async () => {
    const { player, client } = await newVisitor(app);
    const { id } = await openSession(app, player.id);
    const answer = await client.post(PAGE, { session: id });
    expect([answer.status, answer.location]).toEqual([303, PAGE]);
    const again = await client.follow(await client.post(PAGE, { session: id }));
    expect(announcements(again.text)).toContain("That session has ended already");
    expect(await auditOf(player)).toHaveLength(1);
  });

  test("is limited to the player's own sessions: another player's can't be ended by its id", async () => {
    const [victim, thief] = [await newVisitor(app), await newVisitor(app)];
    const id = idOf(victim.client);
    const answer = await thief.client.follow(await thief.client.post(PAGE, { session: id }));
    expect(announcements(answer.text)).toContain("That session has ended already");
    expect((await app.client().post(PAGE, { session: id })).location).toMatch(/^\/auth/);
    const forged = app.client();
    forged.cookies.set("lineup_session", `${victim.player.id}.token.signature`);
    expect((await forged.post(PAGE, { session: id })).location).toMatch(/^\/auth/);
    expect(await isSignedIn(victim.client)).toBe(true);
    expect(await auditOf(victim.player)).toEqual([]);
    expect(await auditOf(thief.player)).toEqual([]);
  });

  test.each(["", "x", "' OR 1", "a".repeat(64), "0".repeat(63)])("by a wrong id (%j) ends nothing", async (session) => {
    const { player, client } = await newVisitor(app);
    const answer = await client.post(PAGE, { session });
    expect([303, 400]).toContain(answer.status);
    expect(await sessionsOf(player)).toHaveLength(1);
  });
});

describe("signing out", () => {
  test("on other devices ends all sessions but this one, with their sockets and their trust", async () => {
    const { player, client, laptop, phone } = await newPlayerWithDevices();
    await trustBrowser(client, player);
    await trustBrowser(laptop, player);
    const own = hashToken(client.cookies.get("lineup_device") as string);
    const inbox = await openInbox(laptop);
    const answer = await client.submit(PAGE, "Sign Out Other Devices");
    expect(answer.location).toBe(PAGE);
    expect(announcements((await client.follow(answer)).text)).toContain(
      "Other devices signed out 2 other sessions ended.",
    );
    expect(await codeOf(inbox)).toBe(4401);
    expect([await isSignedIn(client), await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([true, false, false]);
    expect(await trustedOf(player)).toEqual([own]);
    expect(await auditOf(player)).toMatchObject([
      { actor: "player", action: "sessions-ended", details: { scope: "others" } },
    ]);
    expect(textOf((await client.get(PAGE)).text)).not.toContain("Sign Out Other Devices");
  });

  test("everywhere also ends this one, and removes the trust of every device", async () => {
    const { player, client, laptop } = await newPlayerWithDevices();
    await trustBrowser(client, player);
    await trustBrowser(laptop, player);
    const [here, there] = [await openInbox(client), await openInbox(laptop)];
    const answer = await client.submit(PAGE, "Sign Out Everywhere");
    expect(answer.location).toBe("/auth");
    expect(announcements((await client.follow(answer)).text)).toContain("Signed out everywhere");
    expect(await codeOf(here)).toBe(4401);
    expect(await codeOf(there)).toBe(4401);
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(client.cookies.has("lineup_device")).toBe(false);
    expect(await sessionsOf(player)).toEqual([]);
    expect(await trustedOf(player)).toEqual([]);
    expect(await auditOf(player)).toMatchObject([
      { actor: "player", action: "sessions-ended", details: { scope: "global" } },
    ]);
  });

  test("without a scope, or with the scope local, ends only this session", async () => {
    for (const fields of [{}, { scope: "local" }]) {
      const { player, client, laptop, phone } = await newPlayerWithDevices();
      const answer = await client.post("/auth/sign-out", fields);
      expect(answer.location).toBe("/auth");
      expect((await sessionsOf(player)).map(({ id }) => id).sort()).toEqual([idOf(laptop), idOf(phone)].sort());
      expect(await auditOf(player)).toEqual([]);
    }
  });

  test.each(["", "all", "GLOBAL", "others ", "local,global"])(
    "with the scope %j is refused, and says so",
    async (scope) => {
      const { player, client } = await newVisitor(app);
      const answer = await client.post("/auth/sign-out", { scope });
      expect(answer.status).toBe(400);
      expect(heading(answer.text)).toBe("Nobody was signed out");
      expect(textOf(answer.text)).toContain("Sign-out scope must be global, local or others.");
      expect(await sessionsOf(player)).toHaveLength(1);
      expect(await isSignedIn(client)).toBe(true);
    },
  );

  test("with an ended session, as a guest or as another player ends none of a player's sessions", async () => {
    const { player, client, laptop } = await newPlayerWithDevices();
    const stolen = app.client();
    stolen.cookies.set("lineup_session", (await openSession(app, player.id)).cookie);
    await app.db.delete(sessions).where(and(eq(sessions.userId, player.id), eq(sessions.id, idOf(stolen))));
    const stranger = await newVisitor(app);
    for (const scope of ["others", "global"]) {
      for (const visitor of [stolen, app.client(), stranger.client]) await visitor.post("/auth/sign-out", { scope });
    }
    expect([await isSignedIn(client), await isSignedIn(laptop)]).toEqual([true, true]);
    expect(await auditOf(player)).toEqual([]);
  });
});

describe("with a limit of two an hour", () => {
  const strict = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "endSessions=2/3600" } });

  test("sessions can be ended a limited number of times, and the response says when to try again", async () => {
    const { client } = await newVisitor(strict);
    for (const fields of [{ scope: "others" }, { scope: "others" }]) await client.post("/auth/sign-out", fields);
    const refused = await client.post(PAGE, { session: "a".repeat(64) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3_000);
    const others = await client.follow(await client.post("/auth/sign-out", { scope: "others" }));
    expect(announcements(others.text).join()).toContain("That was a lot in a short time.");
  });
});

describe("a session's events", () => {
  const eventOf = (setCookie: string[]) =>
    decodeURIComponent(setCookie.find((cookie) => cookie.startsWith("lineup_event="))?.match(/=([^;]*)/)?.[1] ?? "");

  test("are sent to the next page's script: a sign-in and the sign-out after it together, in order", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    const signedIn = await client.post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect(eventOf(signedIn.setCookie)).toBe("SIGNED_IN");
    expect(eventOf((await client.post("/auth/sign-out")).setCookie)).toBe("SIGNED_IN,SIGNED_OUT");
    client.cookies.delete("lineup_event");
    expect(eventOf((await client.post("/auth/sign-out")).setCookie)).toBe("");
  });
});
