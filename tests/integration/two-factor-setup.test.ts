import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { decrypt, encrypt } from "../../app/platform/crypto/encryption.server";
import {
  NO_PASSWORD,
  pendingSignIns,
  recoveryCodes,
  sessions,
  totpFactors,
  trustedDevices,
  users,
} from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type HttpResponse, isSignedIn } from "../support/client";
import { announcements, field, select, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { authenticatorCode, SHOWN_RECOVERY_CODE } from "../support/totp";
import { startWatchedDatabase } from "../support/watched-database";
import { MINUTE, newAddress, newVisitor, visitAs } from "./players";
import {
  CHALLENGE,
  expectRefused,
  factorOf,
  forgetUsedCodes,
  newPlayerWithTwoFactor,
  nextCode,
  openOldSession,
  PAGE,
  REAUTHENTICATE,
  recoveryCodesOn,
  secretOn,
  submitCode,
  submitPassword,
} from "./two-factor";

// A proxy between the Worker and the database that counts the requests.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp(appOptions);
const { actionsOf, sessionsOf } = recordsIn(app);

describe("turning two-factor on", () => {
  test("shows a QR code and the key, keeps the key encrypted, and shows the recovery codes once", async () => {
    const { player, client } = await newVisitor(app);
    const started = await client.submit(PAGE, "Set Up Two-Factor");
    expect(started.location).toBe(PAGE);
    const page = await client.get(PAGE);
    expect(select(page.text, 'svg[role=img][aria-label^="QR code"]')).toHaveLength(1);
    const secret = secretOn(page.text);
    expect(page.headers.get("Cache-Control")).toBe("private, no-store");
    const stored = await factorOf(app, player);
    expect(stored?.confirmedAt).toBeNull();
    expect(stored?.secret).not.toContain(secret.replaceAll(" ", ""));
    const { plaintext } = decrypt([LOCAL_SECRET], stored?.secret as string, `two-factor:${player.id}`);
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

    // The page is loaded again, and the form is sent again.
    const again = await client.get(PAGE);
    expect(recoveryCodesOn(again.text)).toEqual([]);
    expect(textOf(again.text)).toContain("You have 10 left.");
    const resent = await client.post(PAGE, { intent: "confirm", code: authenticatorCode(secret, 1) });
    expect(resent.location).toBe(PAGE);
    expect(await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id))).toEqual(rows);

    expect(await actionsOf(player)).toEqual(["two-factor-enabled"]);
    expect((await app.readEmail(player.email)).subject).toBe("Two-factor is on for your Lineup account");
  });

  test("and off again promises nothing about a password, which not every player has", async () => {
    const { client } = await newVisitor(app);
    expect(textOf((await client.get(PAGE)).text)).toContain("you also need a code from an authenticator app");
    const { client: protectedClient } = await newPlayerWithTwoFactor(app);
    const pages = [await client.get(PAGE), await protectedClient.get(PAGE)];
    for (const { text } of pages) expect(textOf(text)).not.toMatch(/(only need|with|on top of) your password/i);
  });

  test("accepts only the right code, and changes nothing until then", async () => {
    const { player, client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await client.get(PAGE)).text);
    const wrong = await client.submit(PAGE, "Turn On", { code: authenticatorCode(secret, 5) });
    expectRefused(wrong, /That's not the code your app shows now/);
    expect(field(wrong.text, "code").value).toBe("");
    // The key stays the one that was scanned.
    expect(secretOn(wrong.text)).toBe(secret);
    expectRefused(await client.submit(PAGE, "Turn On", { code: "12 34" }), /six digits/);
    const answer = await app.client().post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect(answer.location).toBe("/dashboard");
  });

  test("twice at the same time gives one set of codes", async () => {
    const { player, client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const code = authenticatorCode(secretOn((await client.get(PAGE)).text));
    const answers = await Promise.all([1, 2, 3].map(() => client.post(PAGE, { intent: "confirm", code })));
    expect(answers.filter(({ text }) => recoveryCodesOn(text).length === 10)).toHaveLength(1);
    expect(await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id))).toHaveLength(10);
    expect(await actionsOf(player)).toEqual(["two-factor-enabled"]);
  });

  test("again, or while another click turns it on, says what to do if the response with codes was lost", async () => {
    const { client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const code = authenticatorCode(secretOn((await client.get(PAGE)).text));
    const confirm = () => client.post(PAGE, { intent: "confirm", code });
    proxy.before = { words: '"two-factor-enabled"', run: confirm };
    for (let press = 0; press < 2; press += 1) {
      const page = await client.follow(await confirm());
      expect(announcements(page.text)).toContain(
        "Two-factor is already on Haven't seen your recovery codes? Make new ones below.",
      );
      expect(textOf(page.text)).toContain("Lost your codes, or never saw them? New ones replace them.");
    }
  });

  test("starts over after a quarter of an hour, or after giving up", async () => {
    const { player, client } = await newVisitor(app);
    await client.submit(PAGE, "Set Up Two-Factor");
    const secret = secretOn((await client.get(PAGE)).text);
    const beginEarlier = (minutes: number) =>
      app.db
        .update(totpFactors)
        .set({ createdAt: new Date(Date.now() - minutes * MINUTE) })
        .where(eq(totpFactors.userId, player.id));
    await beginEarlier(14);
    expect(secretOn((await client.get(PAGE)).text)).toBe(secret);
    await beginEarlier(16);
    const late = await client.post(PAGE, { intent: "confirm", code: authenticatorCode(secret) });
    expect(announcements((await client.follow(late)).text).join()).toMatch(/That took too long/);
    await client.submit(PAGE, "Set Up Two-Factor");
    expect(secretOn((await client.get(PAGE)).text)).not.toBe(secret);
    await client.submit(PAGE, "Cancel");
    expect(await factorOf(app, player)).toBeUndefined();
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

  test("or changing it later needs a recent sign-in", async () => {
    const { player, codes } = await newPlayerWithTwoFactor(app);
    const client = await openOldSession(app, player);
    for (const intent of ["set-up", "confirm", "cancel", "renew", "turn-off", "forget"]) {
      const answer = await client.post(PAGE, { intent, code: "123456" });
      expect(answer.location, intent).toBe(REAUTHENTICATE);
    }
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await factorOf(app, player))?.confirmedAt).not.toBeNull();
    expect(codes).toHaveLength(10);
  });

  test("offers the recovery codes as a file, to signed-in players only", async () => {
    const { client, codes } = await newPlayerWithTwoFactor(app);
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

describe("new recovery codes", () => {
  test("replace the old ones, once per request", async () => {
    const { player, client, codes } = await newPlayerWithTwoFactor(app);
    const { text } = await client.get(PAGE);
    const form = { intent: "renew", codeSet: text.match(/name="codeSet" value="([^"]+)"/)?.[1] };
    const answers = await Promise.all([client.post(PAGE, form), client.post(PAGE, form), client.post(PAGE, form)]);
    const shown = answers.map(({ text: page }) => recoveryCodesOn(page)).filter(({ length }) => length > 0);
    expect(shown).toHaveLength(1);
    const renewed = shown[0] as string[];
    expect(renewed).toHaveLength(10);
    // Reloading the response sends the same form again, as does a retry after the response was lost.
    const again = await client.follow(await client.post(PAGE, form));
    expect(announcements(again.text)).toContain(
      "You already have new recovery codes Haven't seen them? Make new ones below.",
    );
    expect(await app.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, player.id))).toHaveLength(10);
    expect(await actionsOf(player)).toEqual(["two-factor-enabled", "recovery-codes-renewed"]);
    const email = await app.readEmail(player.email);
    expect(email.subject).toBe("New recovery codes for your Lineup account");
    expect(email.text).not.toMatch(SHOWN_RECOVERY_CODE);
    const browser = await submitPassword(app.client(), player);
    expectRefused(await submitCode(browser, codes[0] as string), /not one of your unused/);
    expect((await submitCode(browser, renewed[9] as string)).status).toBe(303);
  });
});

describe("turning two-factor off", () => {
  test("deletes codes and devices, is logged and announced, and leaves the sessions open", async () => {
    const { player, client } = await newPlayerWithTwoFactor(app);
    const other = await visitAs(app, player);
    const half = await submitPassword(app.client(), player);
    // The page doesn't say “without a code”, because a sign-in by email takes one, too.
    expect(textOf((await client.get(PAGE)).text)).toContain("From then on you sign in without your authenticator app.");
    const answer = await client.submit(PAGE, "Turn Off");
    expect(announcements((await client.follow(answer)).text)).toContain("Two-factor is off");
    expect(await factorOf(app, player)).toBeUndefined();
    for (const table of [recoveryCodes, trustedDevices, pendingSignIns]) {
      expect(await app.db.select().from(table).where(eq(table.userId, player.id))).toEqual([]);
    }
    expect(await isSignedIn(other)).toBe(true);
    expect((await half.get(CHALLENGE)).location).toBe("/auth");
    // A second time is no error, and not announced again.
    expect((await client.post(PAGE, { intent: "turn-off" })).location).toBe(PAGE);
    expect(await actionsOf(player)).toEqual(["two-factor-enabled", "two-factor-disabled"]);
    expect((await app.readEmail(player.email)).subject).toBe("Two-factor is off for your Lineup account");
    const signedIn = await app.client().post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect(signedIn.location).toBe("/dashboard");
  });
});

describe("the secret in the database", () => {
  const NEW_KEY = "another-key-that-replaces-the-one-before-it";
  const rotating = useApp({
    ...appOptions,
    bindings: { ...appOptions.bindings, ENCRYPTION_KEY: `${NEW_KEY},${LOCAL_SECRET}` },
  });
  const rotated = useApp({ ...appOptions, bindings: { ...appOptions.bindings, ENCRYPTION_KEY: NEW_KEY } });

  test("is encrypted anew with a new key when it is used, and recovery codes stay", async () => {
    const { player, secret, codes } = await newPlayerWithTwoFactor(app);
    const before = await factorOf(app, player);
    // With the old key removed too early, no code works, and the page says that it can't check them.
    const early = await submitPassword(rotated.client(), player);
    const answer = await submitCode(early, nextCode(secret));
    expect(answer.status).toBe(500);
    expect(announcements(answer.text).join()).toMatch(/We can't check your code right now/);
    expect(await sessionsOf(player)).toHaveLength(1);

    expect((await submitCode(await submitPassword(rotating.client(), player), nextCode(secret))).status).toBe(303);
    const after = await factorOf(app, player);
    expect(after?.secret).not.toBe(before?.secret);
    const { plaintext, outdated } = decrypt([NEW_KEY], after?.secret as string, `two-factor:${player.id}`);
    expect(plaintext).toBe(secret.replaceAll(" ", ""));
    expect(outdated).toBe(false);

    await forgetUsedCodes(app, player);
    expect((await submitCode(await submitPassword(rotated.client(), player), nextCode(secret))).status).toBe(303);
    expect((await submitCode(await submitPassword(rotated.client(), player), codes[0] as string)).status).toBe(303);
  });

  test("can't be swapped between players, invented, or changed", async () => {
    const [one, other] = [await newPlayerWithTwoFactor(app), await newPlayerWithTwoFactor(app)];
    const [own, theirs] = [
      (await factorOf(app, one.player))?.secret ?? "",
      (await factorOf(app, other.player))?.secret ?? "",
    ];
    const put = (secret: string) =>
      app.db.update(totpFactors).set({ secret }).where(eq(totpFactors.userId, one.player.id));
    const flipped = own.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const forged = encrypt(["a key that the attacker has thought up"], "A".repeat(32), `two-factor:${one.player.id}`);
    // An empty secret with only the first four bytes of its tag.
    const shortTag = encrypt([LOCAL_SECRET], "", `two-factor:${one.player.id}`).replace(/[^.]+$/, (tag) =>
      Buffer.from(tag, "base64url").subarray(0, 4).toString("base64url"),
    );
    for (const secret of [theirs, flipped, forged, shortTag, "", "a.b.c", "A".repeat(32)]) {
      await put(secret);
      const client = await submitPassword(app.client(), one.player);
      for (const code of [nextCode(other.secret), nextCode(one.secret), one.codes[0] as string]) {
        const answer = await submitCode(client, code);
        expect(answer.status).toBe(500);
        expect(textOf(answer.text)).toContain("We can't check your code right now");
      }
      expect(await isSignedIn(client)).toBe(false);
    }
    await put(own);
    expect((await submitCode(await submitPassword(app.client(), one.player), nextCode(one.secret))).status).toBe(303);
    const logged = JSON.stringify(app.logs);
    for (const word of [one.secret.replaceAll(" ", ""), one.codes[0] as string, one.player.email]) {
      expect(logged).not.toContain(word);
    }
  });

  test("Recovery codes moved to another player open nothing", async () => {
    const [one, other] = [await newPlayerWithTwoFactor(app), await newPlayerWithTwoFactor(app)];
    await app.db
      .update(recoveryCodes)
      .set({ userId: other.player.id })
      .where(and(eq(recoveryCodes.userId, one.player.id), isNull(recoveryCodes.usedAt)));
    const client = await submitPassword(app.client(), other.player);
    expectRefused(await submitCode(client, one.codes[0] as string), /not one of your unused/);
  });
});

test("A page queries the database once, and a change at most twice", async () => {
  const { player, client } = await newVisitor(app);
  const trips: Record<string, number> = {};
  const count = async (name: string, work: () => Promise<HttpResponse>) => {
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
  await count("change, challenge", () => submitCode(browser, nextCode(secret), { remember: "on" }));
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
  await count("change, emailed code", () => client.post(REAUTHENTICATE, { emailCode, code: other }));
  await count("change, turn off", () => client.post(PAGE, { intent: "turn-off" }));
  // A response with recovery codes includes the page around them.
  const showsPage = ["change, turn on", "change, renew"];
  for (const [name, posts] of Object.entries(trips)) {
    const most = name.startsWith("page") ? 1 : 2;
    expect(posts, name).toBeLessThanOrEqual(showsPage.includes(name) ? most + 1 : most);
  }
});
