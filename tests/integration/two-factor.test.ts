import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto.server";
import { decrypt, encrypt } from "../../app/platform/encryption.server";
import {
  auditLog,
  NO_PASSWORD,
  outbox,
  pendingSignIns,
  rateLimits,
  recoveryCodes,
  sessions,
  totpFactors,
  trustedDevices,
  users,
} from "../../db/schema";
import { PASSWORD } from "../../db/seed";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { type TestApp, useApp } from "../support/app";
import { type Answer, type Client, textOf } from "../support/client";
import { openTestDatabase } from "../support/database";
import { authenticatorCode, SHOWN_RECOVERY_CODE, SHOWN_SECRET } from "../support/totp";
import { startWatchedDatabase } from "../support/watched-database";
import { announcements, field, heading } from "./html";
import { addPlayer, MINUTE, newAddress, newVisitor, openSession, type Player, visitAs } from "./players";

// A hop between Worker and database that counts what passes.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp(appOptions);

const PAGE = "/dashboard/settings/two-factor";
const CHALLENGE = "/auth/two-factor";
const REAUTHENTICATE = "/auth/reauthenticate?redirectTo=%2Fdashboard%2Fsettings%2Ftwo-factor";

interface Enrolled {
  player: Player;
  /** A browser in which they are signed in, second factor included. */
  client: Client;
  /** As the page shows it. */
  secret: string;
  /** The code that switched two-factor on. */
  used: string;
  codes: string[];
}

const secretOn = (page: string) => textOf(page).match(SHOWN_SECRET)?.[0] as string;
const recoveryCodesOn = (page: string) => [...new Set(textOf(page).match(SHOWN_RECOVERY_CODE) ?? [])];

/** Switches two-factor on, as a player does. */
async function enrol(where: TestApp = app, profile: Parameters<typeof addPlayer>[1] = {}): Promise<Enrolled> {
  const { player, client } = await newVisitor(where, profile);
  await client.submit(PAGE, "Set Up Two-Factor");
  const secret = secretOn((await client.get(PAGE)).text);
  const used = authenticatorCode(secret);
  const answer = await client.submit(PAGE, "Turn On", { code: used });
  const codes = recoveryCodesOn(answer.text);
  expect(codes).toHaveLength(10);
  return { player, client, secret, used, codes };
}

/** Gives the right password in a new browser. */
async function givePassword(player: Player, client = app.client(), query = ""): Promise<Client> {
  const answer = await client.post(`/auth${query}`, { email: player.email, password: PASSWORD }, newAddress());
  expect(answer.location).toBe(CHALLENGE + query);
  return client;
}

const give = (client: Client, code: string, fields: Record<string, string> = {}) =>
  client.post(CHALLENGE, { code, ...fields }, newAddress());

const isSignedIn = async (client: Client) => (await client.get("/dashboard")).status === 200;
const sessionsOf = (player: Player) => app.db.select().from(sessions).where(eq(sessions.userId, player.id));
const factorOf = (player: Player) => app.db.select().from(totpFactors).where(eq(totpFactors.userId, player.id)).get();
const auditOf = async (player: Player) =>
  (await app.db.select().from(auditLog).where(eq(auditLog.userId, player.id)).orderBy(auditLog.id)).map(
    ({ action }) => action,
  );

/** The code after the one that switched two-factor on, which is used up. */
const nextCode = (secret: string) => authenticatorCode(secret, 1);

/** Forgets which codes were used: as if time had passed. */
const letTimePass = (player: Player) =>
  app.db.update(totpFactors).set({ lastStep: 0 }).where(eq(totpFactors.userId, player.id));

function expectRefused(answer: Answer, sentence: RegExp, name = "code"): void {
  expect(answer.status).toBe(400);
  expect(field(answer.text, name).description).toMatch(sentence);
}

/** Sees that a sign-in has to begin anew. */
async function expectOver(client: Client, answer: Answer, sentence: RegExp): Promise<void> {
  expect(answer.status).toBe(303);
  expect(answer.location).toBe("/auth");
  expect(announcements((await client.follow(answer)).text).join()).toMatch(sentence);
  expect(await isSignedIn(client)).toBe(false);
}

describe("switching two-factor on", () => {
  test("shows a QR code and the key, keeps the key encrypted, and shows the recovery codes once", async () => {
    const { player, client } = await newVisitor(app);
    const started = await client.submit(PAGE, "Set Up Two-Factor");
    expect(started.location).toBe(PAGE);
    const page = await client.get(PAGE);
    expect(page.text).toMatch(/<svg[^>]*role="img"[^>]*aria-label="QR code/);
    const secret = secretOn(page.text);
    expect(page.headers.get("Cache-Control")).toBe("private, no-store");
    const stored = await factorOf(player);
    expect(stored?.confirmedAt).toBeNull();
    expect(stored?.secret).not.toContain(secret.replaceAll(" ", ""));
    const { plaintext } = await decrypt([LOCAL_SECRET], stored?.secret as string, `two-factor:${player.id}`);
    expect(plaintext).toBe(secret.replaceAll(" ", ""));

    const answer = await client.submit(PAGE, "Turn On", { code: authenticatorCode(secret) });
    expect(answer.status).toBe(200);
    expect(announcements(answer.text)).toContain("Two-factor is on");
    const codes = recoveryCodesOn(answer.text);
    expect(codes).toHaveLength(10);
    expect(answer.text).not.toContain(secret.replaceAll(" ", ""));
    const rows = await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id));
    expect(rows).toHaveLength(10);
    for (const code of codes) expect(JSON.stringify(rows)).not.toMatch(new RegExp(code.replace("-", "-?"), "i"));

    // The page loaded again, and the form sent again.
    const again = await client.get(PAGE);
    expect(recoveryCodesOn(again.text)).toEqual([]);
    expect(textOf(again.text)).toContain("10 are left.");
    const resent = await client.post(PAGE, { intent: "confirm", code: authenticatorCode(secret, 1) });
    expect(resent.location).toBe(PAGE);
    expect(await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id))).toEqual(rows);

    expect(await auditOf(player)).toEqual(["two-factor-enabled"]);
    expect((await app.readEmail(player.email)).subject).toBe("Two-factor is on for your Lineup account");
  });

  test("takes the right code only, and until then nothing has changed", async () => {
    const { player, client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await client.get(PAGE)).text);
    const wrong = await client.submit(PAGE, "Turn On", { code: authenticatorCode(secret, 5) });
    expectRefused(wrong, /This is not the code the app shows now/);
    expect(field(wrong.text, "code").value).toBe("");
    // The key stays the one that was scanned.
    expect(secretOn(wrong.text)).toBe(secret);
    expectRefused(await client.submit(PAGE, "Turn On", { code: "12 34" }), /six digits/);
    const answer = await app.client().post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect(answer.location).toBe("/dashboard");
  });

  test("twice at once gives one set of codes", async () => {
    const { player, client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const code = authenticatorCode(secretOn((await client.get(PAGE)).text));
    const answers = await Promise.all([1, 2, 3].map(() => client.post(PAGE, { intent: "confirm", code })));
    expect(answers.filter(({ text }) => recoveryCodesOn(text).length === 10)).toHaveLength(1);
    expect(await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id))).toHaveLength(10);
    expect(await auditOf(player)).toEqual(["two-factor-enabled"]);
  });

  test("begins anew after a quarter of an hour, or when it was given up", async () => {
    const { player, client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await client.get(PAGE)).text);
    const createdAt = new Date(Date.now() - 16 * MINUTE);
    await app.db.update(totpFactors).set({ createdAt }).where(eq(totpFactors.userId, player.id));
    const late = await client.post(PAGE, { intent: "confirm", code: authenticatorCode(secret) });
    expect(announcements((await client.follow(late)).text).join()).toMatch(/That took too long/);
    await client.submit(PAGE, "Set Up Two-Factor");
    expect(secretOn((await client.get(PAGE)).text)).not.toBe(secret);
    await client.submit(PAGE, "Cancel");
    expect(await factorOf(player)).toBeUndefined();
  });

  test("leaves the other sessions open, none of which counts as recent any more", async () => {
    const { player, client } = await newVisitor(app);
    const other = await visitAs(app, player);
    await client.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await client.get(PAGE)).text);
    await client.submit(PAGE, "Turn On", { code: authenticatorCode(secret) });
    expect(await isSignedIn(other)).toBe(true);
    expect((await other.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await client.get(PAGE)).status).toBe(200);
  });

  test("and every change after it needs a recent sign-in", async () => {
    const { player, codes } = await enrol();
    const client = app.client();
    const hourAgo = new Date(Date.now() - 60 * MINUTE);
    client.cookies.set("lineup_session", (await openSession(app, player.id, { createdAt: hourAgo })).cookie);
    for (const intent of ["set-up", "confirm", "cancel", "renew", "turn-off", "forget"]) {
      const answer = await client.post(PAGE, { intent, code: "123456" });
      expect(answer.location, intent).toBe(REAUTHENTICATE);
    }
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await factorOf(player))?.confirmedAt).not.toBeNull();
    expect(codes).toHaveLength(10);
  });

  test("gives the recovery codes as a file, and nothing else, to nobody who is not signed in", async () => {
    const { client, codes } = await enrol();
    const file = await client.post(`${PAGE}/recovery-codes.txt`, { codes: codes.join(" ") });
    expect(file.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="lineup-recovery-codes.txt"');
    expect(file.headers.get("Cache-Control")).toBe("private, no-store");
    expect(file.text.split("\r\n")).toEqual(expect.arrayContaining(codes));
    const other = await client.post(`${PAGE}/recovery-codes.txt`, { codes: "<script>alert(1)</script>" });
    expect(other.status).toBe(400);
    expect(other.text).not.toContain("script");
    expect((await client.get(`${PAGE}/recovery-codes.txt`)).location).toBe(PAGE);
    const visitor = await app.client().post(`${PAGE}/recovery-codes.txt`, { codes: codes.join(" ") });
    expect(visitor.location).toMatch(/^\/auth\?/);
  });
});

describe("the second step of the sign-in", () => {
  test("stands before every page: the password alone opens none", async () => {
    const { player } = await enrol();
    const client = await givePassword(player);
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(await sessionsOf(player)).toHaveLength(1);
    const pages = ["", "/profile", "/messages", "/notifications", "/settings", "/settings/two-factor", "/lfg/new"];
    for (const page of pages) {
      expect((await client.get(`/dashboard${page}`)).location, page).toMatch(/^\/auth(\?|$)/);
      expect((await client.get(`/dashboard${page}.data`)).text, page).not.toContain(player.email.split("@")[0]);
    }
    expect((await client.get(REAUTHENTICATE)).location).toMatch(/^\/auth\?/);
    expect((await client.postJson("/riot-api/verify-account", {})).status).not.toBe(200);
    // The cookie of the half sign-in is no session.
    client.cookies.set("lineup_session", client.cookies.get("lineup_sign_in") as string);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("takes the authenticator's code and leads on to where the player was going", async () => {
    const { player, secret } = await enrol();
    const query = "?redirectTo=%2Fdashboard%2Fprofile";
    const client = await givePassword(player, app.client(), query);
    const page = await client.get(CHALLENGE + query);
    expect(heading(page.text)).toBe("One more step");
    const answer = await client.submit(CHALLENGE + query, "Verify", { code: nextCode(secret) });
    expect(answer.location).toBe("/dashboard/profile");
    expect(answer.setCookie.find((cookie) => cookie.startsWith("lineup_event="))).toMatch(
      /SIGNED_IN%2CMFA_CHALLENGE_VERIFIED/,
    );
    expect(client.cookies.has("lineup_sign_in")).toBe(false);
    expect(await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id))).toEqual([]);
    expect(announcements((await client.follow(answer)).text)).toContain(
      "Welcome back! You've been signed in successfully.",
    );
    // The second factor was part of it: nothing more is asked.
    expect((await client.get(PAGE)).status).toBe(200);
  });

  test("takes a code with spaces, and from a clock that is 30 seconds off, not from one that is more", async () => {
    const { player, secret } = await enrol();
    for (const [steps, isTaken] of [
      [-3, false],
      [3, false],
      [0, true],
      [1, true],
    ] as const) {
      await letTimePass(player);
      const client = await givePassword(player);
      const answer = await give(client, authenticatorCode(secret, steps).replace(/^.../, "$& "));
      expect(answer.status, `${steps} steps`).toBe(isTaken ? 303 : 400);
    }
  });

  test("takes no code twice: neither the one that switched it on nor one that opened a session", async () => {
    const { player, secret, used } = await enrol();
    const [one, other] = [await givePassword(player), await givePassword(player)];
    const code = nextCode(secret);
    expect((await give(one, code)).location).toBe("/dashboard");
    expectRefused(await give(other, code), /not right, or has been used/);
    expectRefused(await give(other, used), /not right, or has been used/);
    expect(await isSignedIn(other)).toBe(false);
  });

  test("takes a code once, however many browsers send it at once", async () => {
    const { player, secret } = await enrol();
    const clients: Client[] = [];
    while (clients.length < 4) clients.push(await givePassword(player));
    const code = nextCode(secret);
    const answers = await Promise.all(clients.map((client) => give(client, code, { remember: "on" })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const signedIn = await Promise.all(clients.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
    // The losers have gained nothing: no remembered device either.
    expect(await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, player.id))).toHaveLength(1);
    expect(clients.filter(({ cookies }) => cookies.has("lineup_device"))).toHaveLength(1);
  });

  test("takes nothing of another player", async () => {
    const [one, other] = [await enrol(), await enrol()];
    const client = await givePassword(one.player);
    expectRefused(await give(client, nextCode(other.secret)), /not right/);
    expectRefused(await give(client, other.codes[0] as string), /none of your unused recovery codes/);
    expect(await isSignedIn(client)).toBe(false);
    // And theirs still work for them.
    expect((await give(await givePassword(other.player), other.codes[0] as string)).status).toBe(303);
  });

  test("takes a recovery code once, in any writing, and tells the player", async () => {
    const { player, codes } = await enrol();
    const client = await givePassword(player);
    const typed = (codes[3] as string).toLowerCase().replace("-", " ").replaceAll("0", "o");
    expect((await client.submit(`${CHALLENGE}?with=recovery-code`, "Verify", { code: typed })).location).toBe(
      "/dashboard",
    );
    const email = await app.readEmail(player.email);
    expect(email.subject).toBe("A recovery code was used for your Lineup account");
    expect(email.text).toContain("9 recovery codes are left.");
    expect(email.text).not.toMatch(SHOWN_RECOVERY_CODE);
    expect(await auditOf(player)).toEqual(["two-factor-enabled", "recovery-code-used"]);
    expect(textOf((await client.get(PAGE)).text)).toContain("9 are left.");
    const again = await givePassword(player);
    expectRefused(await give(again, codes[3] as string), /none of your unused recovery codes/);
    expect(await auditOf(player)).toHaveLength(2);
  });

  test("takes a recovery code once, however many browsers send it at once", async () => {
    const { player, codes } = await enrol();
    const clients: Client[] = [];
    while (clients.length < 3) clients.push(await givePassword(player));
    const answers = await Promise.all(clients.map((client) => give(client, codes[0] as string)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await Promise.all(clients.map(isSignedIn))).filter(Boolean)).toHaveLength(1);
    const used = await app.db.select().from(outbox).where(eq(outbox.recipient, player.email));
    expect(used.filter(({ subject }) => subject.startsWith("A recovery code"))).toHaveLength(1);
  });

  test("belongs to the browser that gave the password", async () => {
    const { player, secret } = await enrol();
    await givePassword(player);
    for (const cookie of [undefined, "", "made-up", hashToken("made-up")]) {
      const other = app.client();
      if (cookie !== undefined) other.cookies.set("lineup_sign_in", cookie);
      await expectOver(other, await give(other, nextCode(secret)), /run out of time/);
      expect((await other.get(CHALLENGE)).location).toBe("/auth");
    }
    // The row's key, which a stolen table holds, is no token.
    const [row] = await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id));
    const thief = app.client();
    thief.cookies.set("lineup_sign_in", row?.id as string);
    await expectOver(thief, await give(thief, nextCode(secret)), /run out of time/);
  });

  test("runs out of time after ten minutes", async () => {
    const { player, secret } = await enrol();
    const client = await givePassword(player, app.client(), "?redirectTo=%2Fdashboard%2Fprofile");
    const rows = await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id));
    expect((rows[0]?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(10 * MINUTE);
    const expiresAt = new Date(Date.now() - 1);
    await app.db.update(pendingSignIns).set({ expiresAt }).where(eq(pendingSignIns.userId, player.id));
    const query = "?redirectTo=%2Fdashboard%2Fprofile";
    expect((await client.get(CHALLENGE + query)).location).toBe(`/auth${query}`);
    await expectOver(client, await give(client, nextCode(secret)), /This sign-in has run out of time/);
    await app.runScheduled();
    expect(await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id))).toEqual([]);
  });

  test("ends with the fifth wrong code, after which the right one is worth nothing, and the player is told", async () => {
    const { player, secret } = await enrol();
    const client = await givePassword(player);
    for (let wrong = 1; wrong < 5; wrong += 1) {
      expectRefused(await give(client, authenticatorCode(secret, 10 + wrong)), /not right/);
    }
    const cookie = client.cookies.get("lineup_sign_in") as string;
    await expectOver(client, await give(client, authenticatorCode(secret, 20)), /too many wrong codes/);
    client.cookies.set("lineup_sign_in", cookie);
    await expectOver(client, await give(client, nextCode(secret)), /run out of time/);
    expect((await app.readEmail(player.email)).subject).toBe("Wrong codes for your Lineup account");
    // A new sign-in is a new chance.
    expect((await give(await givePassword(player), nextCode(secret))).status).toBe(303);
  });

  test("takes five tries at most, however many come at once", async () => {
    const { player, secret } = await enrol();
    const client = await givePassword(player);
    const wrong = Array.from({ length: 12 }, (_, index) => authenticatorCode(secret, 10 + index));
    await Promise.all(wrong.map((code) => give(client, code)));
    const told = await app.db.select().from(outbox).where(eq(outbox.recipient, player.email));
    expect(told.filter(({ subject }) => subject.startsWith("Wrong codes"))).toHaveLength(1);
    await expectOver(client, await give(client, nextCode(secret)), /run out of time/);
  });

  test("opens nothing for who is suspended meanwhile", async () => {
    const { player, secret } = await enrol();
    const client = await givePassword(player);
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id));
    await expectOver(client, await give(client, nextCode(secret)), /run out of time/);
    expect(await sessionsOf(player)).toHaveLength(1);
  });

  test("never puts a code back into the page", async () => {
    const { player } = await enrol();
    const client = await givePassword(player);
    for (const code of ["987651", "ZZZZZ-ZZZZ9", "not a code 77"]) {
      const answer = await give(client, code, { remember: "on" });
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain(code);
      expect(answer.text).toMatch(/id="remember"[^>]*checked|checked[^>]*id="remember"/);
    }
  });
});

describe("a remembered device", () => {
  /** Signs in with everything, and has this browser remembered. */
  async function remember(enrolled: Enrolled): Promise<Client> {
    const client = await givePassword(enrolled.player);
    await letTimePass(enrolled.player);
    const answer = await give(client, nextCode(enrolled.secret), { remember: "on" });
    expect(answer.setCookie.find((one) => one.startsWith("lineup_device="))).toMatch(
      /Max-Age=2592000; .*HttpOnly; SameSite=Lax/,
    );
    await client.post("/auth/sign-out");
    return client;
  }

  const signInOn = (client: Client, { email }: Player) =>
    client.post("/auth", { email, password: PASSWORD }, newAddress());

  test("is not asked for the second factor, but for the password", async () => {
    const enrolled = await enrol();
    const client = await remember(enrolled);
    const wrong = await client.post("/auth", { email: enrolled.player.email, password: "not it" }, newAddress());
    expect(wrong.status).toBe(400);
    expect((await signInOn(client, enrolled.player)).location).toBe("/dashboard");
    expect(await isSignedIn(client)).toBe(true);
    // Another browser is asked.
    await givePassword(enrolled.player);
  });

  test("of one player is nothing for another, and the row's key is no token", async () => {
    const [one, other] = [await enrol(), await enrol()];
    const device = (await remember(one)).cookies.get("lineup_device") as string;
    for (const value of [device, hashToken(device), "", "made-up"]) {
      const client = app.client();
      client.cookies.set("lineup_device", value);
      await givePassword(other.player, client);
      if (value === device) continue;
      await givePassword(one.player, client);
    }
  });

  test("is asked again after 30 days", async () => {
    const enrolled = await enrol();
    const client = await remember(enrolled);
    const expiresAt = new Date(Date.now() - 1);
    await app.db.update(trustedDevices).set({ expiresAt }).where(eq(trustedDevices.userId, enrolled.player.id));
    await givePassword(enrolled.player, client);
    await app.runScheduled();
    const left = await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, enrolled.player.id));
    expect(left).toEqual([]);
  });

  test("can be forgotten by its player, and by nobody else", async () => {
    const [one, other] = [await enrol(), await enrol()];
    const client = await remember(one);
    const [row] = await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, one.player.id));
    await other.client.post(PAGE, { intent: "forget", device: row?.id as string });
    expect((await signInOn(client, one.player)).location).toBe("/dashboard");
    expect(textOf((await one.client.get(PAGE)).text)).toContain("Remembered less than a minute ago");
    const answer = await one.client.submit(PAGE, "Forget");
    expect(announcements((await one.client.follow(answer)).text)).toContain("Device forgotten");
    await client.post("/auth/sign-out");
    await givePassword(one.player, client);
  });

  test("does not spare the second factor where it is decided who gets in", async () => {
    const enrolled = await enrol();
    const client = await remember(enrolled);
    await signInOn(client, enrolled.player);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await client.post(PAGE, { intent: "turn-off" })).location).toBe(REAUTHENTICATE);
    const alone = await client.submit(REAUTHENTICATE, "Confirm", { password: PASSWORD, code: "" });
    expectRefused(alone, /Enter the code of your authenticator app/);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    await letTimePass(enrolled.player);
    const both = await client.submit(REAUTHENTICATE, "Confirm", {
      password: PASSWORD,
      code: nextCode(enrolled.secret),
    });
    expect(both.location).toBe(PAGE);
    expect((await client.get(PAGE)).status).toBe(200);
  });

  test("is one no more once the password was reset, which asks for the second factor itself", async () => {
    const enrolled = await enrol();
    const { player, secret } = enrolled;
    const device = await remember(enrolled);
    const half = await givePassword(player);
    await app.client().post("/auth/forgot-password", { email: player.email }, newAddress());
    const link = (await app.readEmail(player.email)).link as string;
    const browser = app.client();
    const password = "four smokes and a wall";
    const reset = await browser.post(link, { password }, newAddress());
    expect(reset.location).toBe(CHALLENGE);
    expect(await sessionsOf(player)).toEqual([]);
    // With the mailbox alone nobody is in; with the authenticator the player is.
    expect(await isSignedIn(browser)).toBe(false);
    await expectOver(half, await give(half, nextCode(secret)), /run out of time/);
    const again = await device.post("/auth", { email: player.email, password }, newAddress());
    expect(again.location).toBe(CHALLENGE);
    await letTimePass(player);
    expect((await give(browser, nextCode(secret))).location).toBe("/dashboard");
  });

  test("is one no more once two-factor was switched off and on again", async () => {
    const enrolled = await enrol();
    const client = await remember(enrolled);
    const { client: home, player } = enrolled;
    await home.submit(PAGE, "Turn Off");
    await home.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await home.get(PAGE)).text);
    await home.submit(PAGE, "Turn On", { code: authenticatorCode(secret) });
    await givePassword(player, client);
    // The codes of the enrolment before are worth nothing.
    expectRefused(await give(client, nextCode(enrolled.secret)), /not right/);
    expectRefused(await give(client, enrolled.codes[0] as string), /none of your unused/);
  });
});

describe("new recovery codes", () => {
  test("replace the old ones, once for each time they are asked for", async () => {
    const { player, client, codes } = await enrol();
    const { text } = await client.get(PAGE);
    const form = { intent: "renew", codeSet: text.match(/name="codeSet" value="([^"]+)"/)?.[1] };
    const answers = await Promise.all([client.post(PAGE, form), client.post(PAGE, form), client.post(PAGE, form)]);
    const shown = answers.map(({ text: page }) => recoveryCodesOn(page)).filter(({ length }) => length > 0);
    expect(shown).toHaveLength(1);
    const renewed = shown[0] as string[];
    expect(renewed).toHaveLength(10);
    // Loading the answer again sends the same form.
    expect((await client.post(PAGE, form)).location).toBe(PAGE);
    expect(await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id))).toHaveLength(10);
    expect(await auditOf(player)).toEqual(["two-factor-enabled", "recovery-codes-renewed"]);
    const email = await app.readEmail(player.email);
    expect(email.subject).toBe("New recovery codes for your Lineup account");
    expect(email.text).not.toMatch(SHOWN_RECOVERY_CODE);
    const browser = await givePassword(player);
    expectRefused(await give(browser, codes[0] as string), /none of your unused/);
    expect((await give(browser, renewed[9] as string)).status).toBe(303);
  });
});

describe("switching two-factor off", () => {
  test("takes codes and devices along, is written down and told, and leaves the sessions open", async () => {
    const { player, client } = await enrol();
    const other = await visitAs(app, player);
    const half = await givePassword(player);
    const answer = await client.submit(PAGE, "Turn Off");
    expect(announcements((await client.follow(answer)).text)).toContain("Two-factor is off");
    expect(await factorOf(player)).toBeUndefined();
    for (const table of [recoveryCodes, trustedDevices, pendingSignIns]) {
      expect(await app.db.select().from(table).where(eq(table.userId, player.id))).toEqual([]);
    }
    expect(await isSignedIn(other)).toBe(true);
    expect((await half.get(CHALLENGE)).location).toBe("/auth");
    // Twice is no error, and told once.
    expect((await client.post(PAGE, { intent: "turn-off" })).location).toBe(PAGE);
    expect(await auditOf(player)).toEqual(["two-factor-enabled", "two-factor-disabled"]);
    expect((await app.readEmail(player.email)).subject).toBe("Two-factor is off for your Lineup account");
    const signedIn = await app.client().post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect(signedIn.location).toBe("/dashboard");
  });
});

describe("showing that it is you", () => {
  /** A session whose player signed in an hour ago. */
  async function oldSession(player: Player): Promise<Client> {
    const client = app.client();
    const createdAt = new Date(Date.now() - 60 * MINUTE);
    client.cookies.set("lineup_session", (await openSession(app, player.id, { createdAt })).cookie);
    return client;
  }

  test("takes the password and leads back, and for ten minutes nothing more is asked", async () => {
    const player = await addPlayer(app);
    const client = await oldSession(player);
    const asked = await client.get(PAGE);
    expect(asked.location).toBe(REAUTHENTICATE);
    const page = await client.get(REAUTHENTICATE);
    expect(heading(page.text)).toBe("Confirm it's you");
    expect(() => field(page.text, "code")).toThrow();
    const wrong = await client.submit(REAUTHENTICATE, "Confirm", { password: "not the password" });
    expectRefused(wrong, /This is not your password/, "password");
    expect(wrong.text).not.toContain("not the password");
    expect((await client.submit(REAUTHENTICATE, "Confirm", { password: PASSWORD })).location).toBe(PAGE);
    expect((await client.get(PAGE)).status).toBe(200);
    // Of this session only.
    expect((await (await oldSession(player)).get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await client.get(REAUTHENTICATE)).location).toBe(PAGE);
  });

  test("leads to no other site, and is for who is signed in", async () => {
    const player = await addPlayer(app);
    const away = "/auth/reauthenticate?redirectTo=https%3A%2F%2Fevil.example";
    const client = await oldSession(player);
    expect((await client.submit(away, "Confirm", { password: PASSWORD })).location).toBe("/dashboard/settings");
    const visitor = app.client();
    expect((await visitor.get(REAUTHENTICATE)).location).toMatch(/^\/auth\?/);
    expect((await visitor.post(REAUTHENTICATE, { password: PASSWORD })).location).toMatch(/^\/auth\?/);
    const ended = await oldSession(player);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    expect((await ended.post(REAUTHENTICATE, { password: PASSWORD })).location).toMatch(/^\/auth\?/);
  });

  test("takes the second factor with the password: neither alone, none twice, a recovery code as well", async () => {
    const { player, secret, used, codes } = await enrol();
    const client = await oldSession(player);
    const confirm = (fields: Record<string, string>) => client.post(REAUTHENTICATE, fields);
    expectRefused(await confirm({ password: PASSWORD }), /Enter the code/);
    expectRefused(await confirm({ code: nextCode(secret) }), /Enter your password/, "password");
    expectRefused(await confirm({ password: "wrong", code: nextCode(secret) }), /not your password/, "password");
    expectRefused(await confirm({ password: PASSWORD, code: used }), /has been used/);
    expectRefused(await confirm({ password: PASSWORD, code: "ZZZZZ-ZZZZZ" }), /none of your unused/);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    const answer = await confirm({ password: PASSWORD, code: codes[1] as string });
    expect(answer.location).toBe(PAGE);
    expect(await auditOf(player)).toContain("recovery-code-used");
    const other = await oldSession(player);
    expectRefused(await other.post(REAUTHENTICATE, { password: PASSWORD, code: codes[1] as string }), /none of your/);
    expect((await other.post(REAUTHENTICATE, { password: PASSWORD, code: nextCode(secret) })).location).toBe(PAGE);
  });

  describe("without a password", () => {
    async function withoutPassword(): Promise<{ player: Player; client: Client }> {
      const player = await addPlayer(app);
      await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
      return { player, client: await oldSession(player) };
    }
    const codeIn = (text: string) => text.match(/\b\d{6}\b/)?.[0] as string;

    test("takes a code by e-mail, once, in the browser that asked, of the player who asked", async () => {
      const { player, client } = await withoutPassword();
      const sent = await client.submit(REAUTHENTICATE, "Send Code");
      expect(sent.location).toBe(REAUTHENTICATE);
      const emailCode = codeIn((await app.readEmail(player.email)).text);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode: "000000" }), /wrong, used or too old/, "emailCode");
      // Another browser of the same player; another player, with the cookie of this one.
      const elsewhere = await oldSession(player);
      const unasked = await elsewhere.post(REAUTHENTICATE, { emailCode });
      expect(unasked.status).toBe(400);
      expect(announcements(unasked.text).join()).toMatch(/wrong, used or too old/);
      const other = await withoutPassword();
      for (const [name, value] of client.cookies) {
        if (name !== "lineup_session") other.client.cookies.set(name, value);
      }
      expectRefused(await other.client.post(REAUTHENTICATE, { emailCode }), /wrong, used/, "emailCode");
      expect((await other.client.get(PAGE)).location).toBe(REAUTHENTICATE);
      const cookies = new Map(client.cookies);
      expect((await client.submit(REAUTHENTICATE, "Confirm", { emailCode })).location).toBe(PAGE);
      expect((await client.get(PAGE)).status).toBe(200);
      // Again, with the cookie that the browser has thrown away.
      await app.db
        .update(sessions)
        .set({ authenticatedAt: new Date(0) })
        .where(eq(sessions.userId, player.id));
      for (const [name, value] of cookies) client.cookies.set(name, value);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode }), /wrong, used/, "emailCode");
      expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    });

    test("no password is taken: not the mark that stands for none, and not nothing", async () => {
      const { client } = await withoutPassword();
      for (const password of [NO_PASSWORD, "", PASSWORD]) {
        const answer = await client.post(REAUTHENTICATE, { password });
        expect(answer.status).toBe(400);
        expect(announcements(answer.text).join()).toContain("Enter the code from the e-mail.");
      }
    });

    test("asks for the second factor all the same", async () => {
      const { player, secret } = await enrol();
      await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
      const client = await oldSession(player);
      await client.submit(REAUTHENTICATE, "Send Code");
      const emailCode = codeIn((await app.readEmail(player.email)).text);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode }), /Enter the code of your authenticator app/);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode, code: authenticatorCode(secret, 9) }), /not right/);
      const answer = await client.submit(REAUTHENTICATE, "Confirm", { emailCode, code: nextCode(secret) });
      expect(answer.location).toBe(PAGE);
      expect((await client.get(PAGE)).status).toBe(200);
    });
  });
});

describe("the secret in the database", () => {
  const NEW_KEY = "another-key-that-replaces-the-one-before-it";
  const rotating = useApp({
    ...appOptions,
    bindings: { ...appOptions.bindings, ENCRYPTION_KEY: `${NEW_KEY},${LOCAL_SECRET}` },
  });
  const rotated = useApp({ ...appOptions, bindings: { ...appOptions.bindings, ENCRYPTION_KEY: NEW_KEY } });

  test("moves to a new key as it is used; recovery codes stay what they are", async () => {
    const { player, secret, codes } = await enrol();
    const before = await factorOf(player);
    // With the old key gone too early, nobody gets in, and nobody is told a lie.
    const early = await givePassword(player, rotated.client());
    const answer = await give(early, nextCode(secret));
    expect(answer.status).toBe(500);
    expect(announcements(answer.text).join()).toMatch(/We can't check your code right now/);
    expect(await sessionsOf(player)).toHaveLength(1);

    expect((await give(await givePassword(player, rotating.client()), nextCode(secret))).status).toBe(303);
    const after = await factorOf(player);
    expect(after?.secret).not.toBe(before?.secret);
    const { plaintext, outdated } = await decrypt([NEW_KEY], after?.secret as string, `two-factor:${player.id}`);
    expect(plaintext).toBe(secret.replaceAll(" ", ""));
    expect(outdated).toBe(false);

    await letTimePass(player);
    expect((await give(await givePassword(player, rotated.client()), nextCode(secret))).status).toBe(303);
    expect((await give(await givePassword(player, rotated.client()), codes[0] as string)).status).toBe(303);
  });

  test("can't be exchanged between players, made up, or changed", async () => {
    const [one, other] = [await enrol(), await enrol()];
    const [own, theirs] = [(await factorOf(one.player))?.secret ?? "", (await factorOf(other.player))?.secret ?? ""];
    const put = (secret: string) =>
      app.db.update(totpFactors).set({ secret }).where(eq(totpFactors.userId, one.player.id));
    const flipped = own.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const forged = await encrypt(
      ["a key that the attacker has thought up"],
      "A".repeat(32),
      `two-factor:${one.player.id}`,
    );
    for (const secret of [theirs, flipped, forged, "", "a.b.c", "A".repeat(32)]) {
      await put(secret);
      const client = await givePassword(one.player);
      for (const code of [nextCode(other.secret), nextCode(one.secret), one.codes[0] as string]) {
        const answer = await give(client, code);
        expect(answer.status).toBe(500);
        expect(textOf(answer.text)).toContain("We can't check your code right now");
      }
      expect(await isSignedIn(client)).toBe(false);
    }
    await put(own);
    expect((await give(await givePassword(one.player), nextCode(one.secret))).status).toBe(303);
    const logged = JSON.stringify(app.logs);
    for (const word of [one.secret.replaceAll(" ", ""), one.codes[0] as string, one.player.email]) {
      expect(logged).not.toContain(word);
    }
  });

  test("recovery codes moved to another player open nothing", async () => {
    const [one, other] = [await enrol(), await enrol()];
    await app.db
      .update(recoveryCodes)
      .set({ userId: other.player.id })
      .where(and(eq(recoveryCodes.userId, one.player.id), isNull(recoveryCodes.usedAt)));
    const client = await givePassword(other.player);
    expectRefused(await give(client, one.codes[0] as string), /none of your unused/);
  });
});

describe("guessing", () => {
  const strict = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "signIn=1000/60" } });

  test("is slowed down for the account, over several sign-ins, and a right code ends that", async () => {
    const { player, secret } = await enrol(strict);
    const db = openTestDatabase(strict);
    const client = await givePassword(player, strict.client());
    for (let wrong = 0; wrong < 5; wrong += 1) await give(client, authenticatorCode(secret, 10 + wrong));
    const again = await givePassword(player, strict.client());
    const series = eq(rateLimits.key, `try:twoFactor:${player.id}`);
    const row = await db.select().from(rateLimits).where(series).get();
    expect(row?.count).toBe(5);
    // How long the wait is, however slow this machine: a series is kept for 15 minutes after it.
    const wait = (seconds: number) => new Date(Date.now() + 15 * MINUTE + seconds * 1_000);
    await db
      .update(rateLimits)
      .set({ windowEndsAt: wait(60) })
      .where(series);
    for (const code of [authenticatorCode(secret, 30), nextCode(secret)]) {
      const waits = await give(again, code);
      expect(waits.status).toBe(429);
      expect(Number(waits.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(field(waits.text, "code").description).toMatch(/Try again in \d+ seconds/);
    }
    await db
      .update(rateLimits)
      .set({ windowEndsAt: wait(-1) })
      .where(series);
    expect((await give(again, nextCode(secret))).status).toBe(303);
    expect(await db.select().from(rateLimits).where(series)).toEqual([]);
  });

  test("at the page that asks who is there is slowed down as well", async () => {
    const player = await addPlayer(strict);
    const client = strict.client();
    const createdAt = new Date(Date.now() - 60 * MINUTE);
    client.cookies.set("lineup_session", (await openSession(strict, player.id, { createdAt })).cookie);
    const statuses: number[] = [];
    for (let wrong = 0; wrong < 7; wrong += 1) {
      statuses.push((await client.post(REAUTHENTICATE, { password: `guess ${wrong}` })).status);
    }
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400]);
    expect(statuses).toContain(429);
  });
});

test("A page asks the database once, and what changes something at most twice", async () => {
  const { player, client } = await newVisitor(app);
  const trips: Record<string, number> = {};
  const count = async (name: string, work: () => Promise<Answer>) => {
    proxy.clear();
    const answer = await work();
    expect(answer.status, name).toBeLessThan(400);
    trips[name] = proxy.posts;
    return answer;
  };
  await count("page, off", () => client.get(PAGE));
  await count("change, set up", () => client.post(PAGE, { intent: "set-up" }));
  const { text } = await count("page, enrolling", () => client.get(PAGE));
  const secret = secretOn(text);
  await count("change, turn on", () => client.post(PAGE, { intent: "confirm", code: authenticatorCode(secret) }));
  const on = await count("page, on", () => client.get(PAGE));
  const codeSet = on.text.match(/name="codeSet" value="([^"]+)"/)?.[1];
  const renewed = await count("change, renew", () => client.post(PAGE, { intent: "renew", codeSet }));
  await count("change, forget", () => client.post(PAGE, { intent: "forget", device: "x" }));
  const browser = app.client();
  await count("change, password", () => browser.post("/auth", { email: player.email, password: PASSWORD }));
  await count("page, challenge", () => browser.get(CHALLENGE));
  await count("change, challenge", () => give(browser, nextCode(secret), { remember: "on" }));
  await app.db
    .update(sessions)
    .set({ authenticatedAt: new Date(0) })
    .where(eq(sessions.userId, player.id));
  await count("page, reauthenticate", () => client.get(REAUTHENTICATE));
  const code = recoveryCodesOn(renewed.text)[0] as string;
  await count("change, reauthenticate", () => client.post(REAUTHENTICATE, { password: PASSWORD, code }));
  await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
  await app.db
    .update(sessions)
    .set({ authenticatedAt: new Date(0) })
    .where(eq(sessions.userId, player.id));
  await count("change, send code", () => client.post(REAUTHENTICATE, { intent: "send" }));
  const emailCode = (await app.readEmail(player.email)).text.match(/\b\d{6}\b/)?.[0] as string;
  const other = recoveryCodesOn(renewed.text)[1] as string;
  await count("change, e-mailed code", () => client.post(REAUTHENTICATE, { emailCode, code: other }));
  await count("change, turn off", () => client.post(PAGE, { intent: "turn-off" }));
  // Where the answer shows recovery codes, the page that it is comes with it.
  const showsPage = ["change, turn on", "change, renew"];
  for (const [name, posts] of Object.entries(trips)) {
    const most = name.startsWith("page") ? 1 : 2;
    expect(posts, name).toBeLessThanOrEqual(showsPage.includes(name) ? most + 1 : most);
  }
});
