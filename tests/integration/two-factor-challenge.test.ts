import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { outbox, pendingSignIns, rateLimits, trustedDevices, users } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, isSignedIn } from "../support/client";
import { openTestDatabase } from "../support/database";
import { announcements, field, heading, select, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { authenticatorCode, SHOWN_RECOVERY_CODE } from "../support/totp";
import { MINUTE, newAddress, type Player } from "./players";
import {
  CHALLENGE,
  expectRefused,
  expectSignInRestarted,
  forgetUsedCodes,
  newPlayerWithTwoFactor,
  nextCode,
  PAGE,
  type PlayerWithTwoFactor,
  REAUTHENTICATE,
  secretOn,
  submitCode,
  submitPassword,
} from "./two-factor";

const app = useApp();
const { actionsOf, emailsTo, sessionsOf } = recordsIn(app);

/** The number of emails that have warned a player of wrong codes. */
const warningsOf = async ({ email }: Player) =>
  (await emailsTo(email)).filter(({ subject }) => subject.startsWith("Wrong codes")).length;

describe("the second step of the sign-in", () => {
  test("guards every page: the password alone opens none", async () => {
    const { player } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(await sessionsOf(player)).toHaveLength(1);
    const pages = ["", "/profile", "/messages", "/notifications", "/settings", "/settings/two-factor", "/lfg/new"];
    for (const page of pages) {
      expect((await client.get(`/dashboard${page}`)).location, page).toMatch(/^\/auth(\?|$)/);
      expect((await client.get(`/dashboard${page}.data`)).text, page).not.toContain(player.email.split("@")[0]);
    }
    expect((await client.get(REAUTHENTICATE)).location).toMatch(/^\/auth\?/);
    expect((await client.postJson("/riot-api/verify-account", {})).status).not.toBe(200);
    // The cookie of the pending sign-in is no session.
    client.cookies.set("lineup_session", client.cookies.get("lineup_sign_in") as string);
    expect(await isSignedIn(client)).toBe(false);
  });

  test("accepts the authenticator's code and leads where the player was going", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const query = "?redirectTo=%2Fdashboard%2Fprofile";
    const client = await submitPassword(app.client(), player, query);
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
    // The sign-in included the second factor, so the page needs no reauthentication.
    expect((await client.get(PAGE)).status).toBe(200);
  });

  test("accepts a code with spaces, and from a clock that is 30 seconds off, but not more", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    for (const [steps, isTaken] of [
      [-2, false],
      // Not 2, because the next step may begin before the code arrives.
      [3, false],
      [0, true],
      [1, true],
    ] as const) {
      await forgetUsedCodes(app, player);
      const client = await submitPassword(app.client(), player);
      const answer = await submitCode(client, authenticatorCode(secret, steps).replace(/^.../, "$& "));
      expect(answer.status, `${steps} steps`).toBe(isTaken ? 303 : 400);
    }
  });

  test("accepts no code twice: neither the one that turned two-factor on nor one that opened a session", async () => {
    const { player, secret, used } = await newPlayerWithTwoFactor(app);
    const [one, other] = [await submitPassword(app.client(), player), await submitPassword(app.client(), player)];
    const code = nextCode(secret);
    expect((await submitCode(one, code)).location).toBe("/dashboard");
    expectRefused(await submitCode(other, code), /wrong or has been used/);
    expectRefused(await submitCode(other, used), /wrong or has been used/);
    expect(await isSignedIn(other)).toBe(false);
  });

  test("accepts a code once, however many browsers send it at the same time", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const clients: Client[] = [];
    while (clients.length < 4) clients.push(await submitPassword(app.client(), player));
    const code = nextCode(secret);
    const answers = await Promise.all(clients.map((client) => submitCode(client, code, { remember: "on" })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const signedIn = await Promise.all(clients.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
    // The losers have gained nothing, not even a remembered device.
    expect(await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, player.id))).toHaveLength(1);
    expect(clients.filter(({ cookies }) => cookies.has("lineup_device"))).toHaveLength(1);
  });

  test("accepts no code of another player", async () => {
    const [one, other] = [await newPlayerWithTwoFactor(app), await newPlayerWithTwoFactor(app)];
    const client = await submitPassword(app.client(), one.player);
    expectRefused(await submitCode(client, nextCode(other.secret)), /code is wrong/);
    expectRefused(await submitCode(client, other.codes[0] as string), /not one of your unused recovery codes/);
    expect(await isSignedIn(client)).toBe(false);
    // The other player can still use that code.
    expect((await submitCode(await submitPassword(app.client(), other.player), other.codes[0] as string)).status).toBe(
      303,
    );
  });

  test("accepts a recovery code once, in any notation, and tells the player", async () => {
    const { player, codes } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    const typed = (codes[3] as string).toLowerCase().replace("-", " ").replaceAll("0", "o");
    expect((await client.submit(`${CHALLENGE}?with=recovery-code`, "Verify", { code: typed })).location).toBe(
      "/dashboard",
    );
    const email = await app.readEmail(player.email);
    expect(email.subject).toBe("A recovery code for your Lineup account was used");
    expect(email.text).toContain("You have 9 recovery codes left.");
    expect(email.text).not.toMatch(SHOWN_RECOVERY_CODE);
    expect(await actionsOf(player)).toEqual(["two-factor-enabled", "recovery-code-used"]);
    expect(textOf((await client.get(PAGE)).text)).toContain("You have 9 left.");
    const again = await submitPassword(app.client(), player);
    expectRefused(await submitCode(again, codes[3] as string), /not one of your unused recovery codes/);
    expect(await actionsOf(player)).toHaveLength(2);
  });

  test("accepts a recovery code once, however many browsers send it at the same time", async () => {
    const { player, codes } = await newPlayerWithTwoFactor(app);
    const clients: Client[] = [];
    while (clients.length < 3) clients.push(await submitPassword(app.client(), player));
    const answers = await Promise.all(clients.map((client) => submitCode(client, codes[0] as string)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await Promise.all(clients.map(isSignedIn))).filter(Boolean)).toHaveLength(1);
    const used = await app.db.select().from(outbox).where(eq(outbox.recipient, player.email));
    expect(used.filter(({ subject }) => subject.startsWith("A recovery code"))).toHaveLength(1);
  });

  test("belongs to the browser that gave the password", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    await submitPassword(app.client(), player);
    for (const cookie of [undefined, "", "made-up", hashToken("made-up")]) {
      const other = app.client();
      if (cookie !== undefined) other.cookies.set("lineup_sign_in", cookie);
      await expectSignInRestarted(other, await submitCode(other, nextCode(secret)), /timed out/);
      expect((await other.get(CHALLENGE)).location).toBe("/auth");
    }
    // The row's key, which a stolen table contains, is no token.
    const [row] = await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id));
    const thief = app.client();
    thief.cookies.set("lineup_sign_in", row?.id as string);
    await expectSignInRestarted(thief, await submitCode(thief, nextCode(secret)), /timed out/);
  });

  test("expires after ten minutes", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const before = Date.now();
    const client = await submitPassword(app.client(), player, "?redirectTo=%2Fdashboard%2Fprofile");
    const [row] = await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id));
    const expiry = row?.expiresAt.getTime();
    expect(expiry).toBeGreaterThanOrEqual(before + 10 * MINUTE);
    expect(expiry).toBeLessThanOrEqual(Date.now() + 10 * MINUTE);
    const expiresAt = new Date(Date.now() - 1);
    await app.db.update(pendingSignIns).set({ expiresAt }).where(eq(pendingSignIns.userId, player.id));
    const query = "?redirectTo=%2Fdashboard%2Fprofile";
    expect((await client.get(CHALLENGE + query)).location).toBe(`/auth${query}`);
    await expectSignInRestarted(
      client,
      await submitCode(client, nextCode(secret)),
      /This sign-in has timed out\. Sign in again\.$/,
    );
    await app.runScheduled();
    expect(await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id))).toEqual([]);
  });

  test("ends with the fifth wrong code, after which the right one is worthless, and the player is told", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    for (let wrong = 1; wrong < 5; wrong += 1) {
      expectRefused(await submitCode(client, authenticatorCode(secret, 10 + wrong)), /code is wrong/);
    }
    const cookie = client.cookies.get("lineup_sign_in") as string;
    await expectSignInRestarted(
      client,
      await submitCode(client, authenticatorCode(secret, 20)),
      /You entered too many wrong codes\. Sign in again\.$/,
    );
    client.cookies.set("lineup_sign_in", cookie);
    await expectSignInRestarted(client, await submitCode(client, nextCode(secret)), /timed out/);
    expect((await app.readEmail(player.email)).subject).toBe("Wrong codes for your Lineup account");
    // A new sign-in gets new tries.
    expect((await submitCode(await submitPassword(app.client(), player), nextCode(secret))).status).toBe(303);
  });

  test("allows five tries at most, however many come at the same time", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    const wrong = Array.from({ length: 12 }, (_, index) => authenticatorCode(secret, 10 + index));
    await Promise.all(wrong.map((code) => submitCode(client, code)));
    const told = await app.db.select().from(outbox).where(eq(outbox.recipient, player.email));
    expect(told.filter(({ subject }) => subject.startsWith("Wrong codes"))).toHaveLength(1);
    await expectSignInRestarted(client, await submitCode(client, nextCode(secret)), /timed out/);
    // A code that arrives just before the ended sign-in is deleted still finds it stored, and is refused.
    const late = await submitPassword(app.client(), player);
    await app.db.update(pendingSignIns).set({ tries: 5 }).where(eq(pendingSignIns.userId, player.id));
    await expectSignInRestarted(late, await submitCode(late, nextCode(secret)), /too many wrong codes/);
  });

  test.each([
    ["an authenticator code", (secret: string) => authenticatorCode(secret, 20)],
    ["a recovery code", () => "ZZZZZ-ZZZZ9"],
  ])("tells the player of every fifth wrong code, here %s, over any number of sign-ins", async (_, fifth) => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    for (const warnings of [1, 2]) {
      const client = await submitPassword(app.client(), player);
      for (let wrong = 1; wrong < 5; wrong += 1) await submitCode(client, authenticatorCode(secret, 10 + wrong));
      expect(await warningsOf(player)).toBe(warnings - 1);
      await submitCode(await submitPassword(app.client(), player), fifth(secret));
      expect(await warningsOf(player)).toBe(warnings);
    }
    expect((await app.readEmail(player.email)).text).toContain("five wrong codes");
  });

  test("begins to count wrong codes anew after a right one, and tells nobody of fewer than five", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    for (let wrong = 1; wrong < 5; wrong += 1) await submitCode(client, authenticatorCode(secret, 10 + wrong));
    expect((await submitCode(client, nextCode(secret))).status).toBe(303);
    const again = await submitPassword(app.client(), player);
    for (let wrong = 1; wrong < 5; wrong += 1) await submitCode(again, authenticatorCode(secret, 10 + wrong));
    expect(await warningsOf(player)).toBe(0);
  });

  test("opens a restricted session for a player suspended in the meantime, and none without the code", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id));
    expect((await client.get("/account/decisions")).location).toMatch(/^\/auth\?/);
    expect((await submitCode(client, nextCode(secret))).location).toBe("/account/decisions");
    expect(await sessionsOf(player)).toHaveLength(2);
    expect((await client.get("/dashboard")).location).toBe("/account/decisions");
  });

  test("never puts a code back into the page", async () => {
    const { player } = await newPlayerWithTwoFactor(app);
    const client = await submitPassword(app.client(), player);
    for (const code of ["987651", "ZZZZZ-ZZZZ9", "not a code 77"]) {
      const answer = await submitCode(client, code, { remember: "on" });
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain(code);
      expect(select(answer.text, "#remember").is("[checked]")).toBe(true);
    }
  });
});

describe("a remembered device", () => {
  /** Signs in with both factors, and has this browser remembered. */
  async function remember(enrolled: PlayerWithTwoFactor): Promise<Client> {
    const client = await submitPassword(app.client(), enrolled.player);
    await forgetUsedCodes(app, enrolled.player);
    const answer = await submitCode(client, nextCode(enrolled.secret), { remember: "on" });
    expect(answer.setCookie.find((one) => one.startsWith("lineup_device="))).toMatch(
      /Max-Age=2592000; .*HttpOnly; SameSite=Lax/,
    );
    await client.post("/auth/sign-out");
    return client;
  }

  const signInOn = (client: Client, { email }: Player) =>
    client.post("/auth", { email, password: PASSWORD }, newAddress());

  test("skips the second factor, but not the password", async () => {
    const enrolled = await newPlayerWithTwoFactor(app);
    const client = await remember(enrolled);
    const wrong = await client.post("/auth", { email: enrolled.player.email, password: "not it" }, newAddress());
    expect(wrong.status).toBe(400);
    expect((await signInOn(client, enrolled.player)).location).toBe("/dashboard");
    expect(await isSignedIn(client)).toBe(true);
    // Another browser is still asked.
    await submitPassword(app.client(), enrolled.player);
  });

  test("of one player is worthless for another, and the row's key is no token", async () => {
    const [one, other] = [await newPlayerWithTwoFactor(app), await newPlayerWithTwoFactor(app)];
    const device = (await remember(one)).cookies.get("lineup_device") as string;
    for (const value of [device, hashToken(device), "", "made-up"]) {
      const client = app.client();
      client.cookies.set("lineup_device", value);
      await submitPassword(client, other.player);
      if (value === device) continue;
      await submitPassword(client, one.player);
    }
  });

  test("is asked again after 30 days", async () => {
    const enrolled = await newPlayerWithTwoFactor(app);
    const client = await remember(enrolled);
    const expiresAt = new Date(Date.now() - 1);
    await app.db.update(trustedDevices).set({ expiresAt }).where(eq(trustedDevices.userId, enrolled.player.id));
    await submitPassword(client, enrolled.player);
    await app.runScheduled();
    const left = await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, enrolled.player.id));
    expect(left).toEqual([]);
  });

  test("can be forgotten by its player only", async () => {
    const [one, other] = [await newPlayerWithTwoFactor(app), await newPlayerWithTwoFactor(app)];
    const client = await remember(one);
    const [row] = await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, one.player.id));
    await other.client.post(PAGE, { intent: "forget", device: row?.id as string });
    expect((await signInOn(client, one.player)).location).toBe("/dashboard");
    expect(textOf((await one.client.get(PAGE)).text)).toContain("Remembered less than a minute ago");
    const answer = await one.client.submit(PAGE, "Forget");
    expect(announcements((await one.client.follow(answer)).text)).toContain("Device forgotten");
    await client.post("/auth/sign-out");
    await submitPassword(client, one.player);
  });

  test("doesn't skip the second factor before changes to two-factor itself", async () => {
    const enrolled = await newPlayerWithTwoFactor(app);
    const client = await remember(enrolled);
    await signInOn(client, enrolled.player);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await client.post(PAGE, { intent: "turn-off" })).location).toBe(REAUTHENTICATE);
    const alone = await client.submit(REAUTHENTICATE, "Confirm", { password: PASSWORD, code: "" });
    expectRefused(alone, /Enter the code from your authenticator app/);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    await forgetUsedCodes(app, enrolled.player);
    const both = await client.submit(REAUTHENTICATE, "Confirm", {
      password: PASSWORD,
      code: nextCode(enrolled.secret),
    });
    expect(both.location).toBe(PAGE);
    expect((await client.get(PAGE)).status).toBe(200);
  });

  test("is forgotten after a password reset, which asks for the second factor itself", async () => {
    const enrolled = await newPlayerWithTwoFactor(app);
    const { player, secret } = enrolled;
    const device = await remember(enrolled);
    const half = await submitPassword(app.client(), player);
    await app.client().post("/auth/forgot-password", { email: player.email }, newAddress());
    const link = (await app.readEmail(player.email)).link as string;
    const browser = app.client();
    const password = "four smokes and a wall";
    const reset = await browser.post(link, { password }, newAddress());
    expect(reset.location).toBe(CHALLENGE);
    expect(await sessionsOf(player)).toEqual([]);
    // The mailbox alone doesn't let anyone in; with the authenticator the player is signed in.
    expect(await isSignedIn(browser)).toBe(false);
    await expectSignInRestarted(half, await submitCode(half, nextCode(secret)), /timed out/);
    const again = await device.post("/auth", { email: player.email, password }, newAddress());
    expect(again.location).toBe(CHALLENGE);
    await forgetUsedCodes(app, player);
    expect((await submitCode(browser, nextCode(secret))).location).toBe("/dashboard");
  });

  test("is forgotten once two-factor has been turned off and on again", async () => {
    const enrolled = await newPlayerWithTwoFactor(app);
    const client = await remember(enrolled);
    const { client: home, player } = enrolled;
    await home.submit(PAGE, "Turn Off");
    await home.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await home.get(PAGE)).text);
    await home.submit(PAGE, "Turn On", { code: authenticatorCode(secret) });
    await submitPassword(client, player);
    // The codes of the earlier enrolment are worthless.
    expectRefused(await submitCode(client, nextCode(enrolled.secret)), /code is wrong/);
    expectRefused(await submitCode(client, enrolled.codes[0] as string), /not one of your unused/);
  });
});

describe("guessing", () => {
  const strict = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "signIn=1000/60" } });

  test("is slowed down for the account, over several sign-ins, and a right code ends that", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(strict);
    const db = openTestDatabase(strict);
    const client = await submitPassword(strict.client(), player);
    for (let wrong = 0; wrong < 5; wrong += 1) await submitCode(client, authenticatorCode(secret, 10 + wrong));
    const again = await submitPassword(strict.client(), player);
    const series = eq(rateLimits.key, `try:twoFactor:${player.id}`);
    const row = await db.select().from(rateLimits).where(series).get();
    expect(row?.count).toBe(5);
    // Set the wait directly, because the machine may be slow. A series of tries is kept for 15 minutes after its wait.
    const wait = (seconds: number) => new Date(Date.now() + 15 * MINUTE + seconds * 1_000);
    await db
      .update(rateLimits)
      .set({ windowEndsAt: wait(60) })
      .where(series);
    // These codes aren't checked, so they don't use up the five tries of the sign-in either.
    for (const code of [...Array<string>(5).fill(authenticatorCode(secret, 30)), nextCode(secret)]) {
      const refused = await submitCode(again, code);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(field(refused.text, "code").description).toMatch(/Try again in \d+ seconds/);
    }
    await db
      .update(rateLimits)
      .set({ windowEndsAt: wait(-1) })
      .where(series);
    expect((await submitCode(again, nextCode(secret))).status).toBe(303);
    expect(await db.select().from(rateLimits).where(series)).toEqual([]);
  });

  test("is reported to the player three times a day at most", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(strict);
    const db = openTestDatabase(strict);
    for (const [before, warnings] of [
      [14, 1],
      [19, 1],
    ] as const) {
      const client = await submitPassword(strict.client(), player);
      const counter = { key: `wrongSecondFactor:${player.id}`, windowEndsAt: new Date(Date.now() + MINUTE) };
      await db
        .insert(rateLimits)
        .values({ ...counter, count: before })
        .onConflictDoUpdate({ target: rateLimits.key, set: { count: before } });
      await submitCode(client, authenticatorCode(secret, 20));
      const told = await db.select().from(outbox).where(eq(outbox.recipient, player.email));
      expect(told.filter(({ subject }) => subject.startsWith("Wrong codes"))).toHaveLength(warnings);
    }
  });
});
