import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { NO_PASSWORD, rateLimits, sessions, users, verifications } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { type TestApp, useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, heading, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { authenticatorCode } from "../support/totp";
import { addPlayer, MINUTE, type Player, useRealHash } from "./players";
import { expectRefused, newPlayerWithTwoFactor, nextCode, openOldSession, PAGE, REAUTHENTICATE } from "./two-factor";

const app = useApp();
const { actionsOf } = recordsIn(app);

describe("confirming one's identity", () => {
  test("takes the password, leads back, and isn't asked for again within ten minutes", async () => {
    const player = await addPlayer(app);
    const client = await openOldSession(app, player);
    const asked = await client.get(PAGE);
    expect(asked.location).toBe(REAUTHENTICATE);
    const page = await client.get(REAUTHENTICATE);
    expect(heading(page.text)).toBe("Confirm it's you");
    expect(() => field(page.text, "code")).toThrow();
    const wrong = await client.submit(REAUTHENTICATE, "Confirm", { password: "not the password" });
    expectRefused(wrong, /That's not your password/, "password");
    expect(wrong.text).not.toContain("not the password");
    expect((await client.submit(REAUTHENTICATE, "Confirm", { password: PASSWORD })).location).toBe(PAGE);
    expect((await client.get(PAGE)).status).toBe(200);
    // The player's other sessions still have to confirm.
    expect((await (await openOldSession(app, player)).get(PAGE)).location).toBe(REAUTHENTICATE);
    expect((await client.get(REAUTHENTICATE)).location).toBe(PAGE);
  });

  test("leads to no other site, and is for signed-in players only", async () => {
    const player = await addPlayer(app);
    const away = "/auth/reauthenticate?redirectTo=https%3A%2F%2Fevil.example";
    const client = await openOldSession(app, player);
    expect((await client.submit(away, "Confirm", { password: PASSWORD })).location).toBe("/dashboard/settings");
    const visitor = app.client();
    expect((await visitor.get(REAUTHENTICATE)).location).toMatch(/^\/auth\?/);
    expect((await visitor.post(REAUTHENTICATE, { password: PASSWORD })).location).toMatch(/^\/auth\?/);
    const ended = await openOldSession(app, player);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    expect((await ended.post(REAUTHENTICATE, { password: PASSWORD })).location).toMatch(/^\/auth\?/);
  });

  test("takes the password together with the second factor or a recovery code, each of which works once", async () => {
    const { player, secret, used, codes } = await newPlayerWithTwoFactor(app);
    const client = await openOldSession(app, player);
    const confirm = (fields: Record<string, string>) => client.post(REAUTHENTICATE, fields);
    expectRefused(await confirm({ password: PASSWORD }), /Enter the code/);
    expectRefused(await confirm({ code: nextCode(secret) }), /Enter your password/, "password");
    expectRefused(await confirm({ password: "wrong", code: nextCode(secret) }), /not your password/, "password");
    expectRefused(await confirm({ password: PASSWORD, code: used }), /has been used/);
    expectRefused(await confirm({ password: PASSWORD, code: "ZZZZZ-ZZZZZ" }), /not one of your unused/);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    const answer = await confirm({ password: PASSWORD, code: codes[1] as string });
    expect(answer.location).toBe(PAGE);
    expect(await actionsOf(player)).toContain("recovery-code-used");
    const settings = textOf((await client.get("/dashboard/settings")).text);
    expect(settings).toContain("Recovery code used");
    expect(settings).not.toContain("Signed in with a recovery code");
    const other = await openOldSession(app, player);
    expectRefused(
      await other.post(REAUTHENTICATE, { password: PASSWORD, code: codes[1] as string }),
      /not one of your/,
    );
    expect((await other.post(REAUTHENTICATE, { password: PASSWORD, code: nextCode(secret) })).location).toBe(PAGE);
  });

  describe("without a password", () => {
    async function withoutPassword(): Promise<{ player: Player; client: Client }> {
      const player = await addPlayer(app);
      await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
      return { player, client: await openOldSession(app, player) };
    }
    const codeIn = (text: string) => text.match(/\b\d{6}\b/)?.[0] as string;

    test("takes a code by email, once, in the browser that requested it, for the player who did", async () => {
      const { player, client } = await withoutPassword();
      const sent = await client.submit(REAUTHENTICATE, "Send Code");
      expect(sent.location).toBe(REAUTHENTICATE);
      const emailCode = codeIn((await app.readEmail(player.email)).text);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode: "000000" }), /wrong, used or too old/, "emailCode");
      // Another browser of the same player; another player, with the first browser's cookie.
      const elsewhere = await openOldSession(app, player);
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
      // Again, with the cookie that the browser has already deleted.
      await app.db
        .update(sessions)
        .set({ authenticatedAt: new Date(0) })
        .where(eq(sessions.userId, player.id));
      for (const [name, value] of cookies) client.cookies.set(name, value);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode }), /wrong, used/, "emailCode");
      expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    });

    test("accepts neither an empty password nor the placeholder that is stored for a missing one", async () => {
      const { client } = await withoutPassword();
      for (const password of [NO_PASSWORD, "", PASSWORD]) {
        const answer = await client.post(REAUTHENTICATE, { password });
        expect(answer.status).toBe(400);
        expect(announcements(answer.text).join()).toContain("Enter the code from the email.");
      }
    });

    test("keeps the emailed code after a wrong second factor", async () => {
      const { player, codes } = await newPlayerWithTwoFactor(app);
      await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
      const client = await openOldSession(app, player);
      await client.submit(REAUTHENTICATE, "Send Code");
      const emailCode = codeIn((await app.readEmail(player.email)).text);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode, code: "ZZZZZ-ZZZZZ" }), /not one of your unused/);
      const again = await client.submit(REAUTHENTICATE, "Confirm", { emailCode, code: codes[0] as string });
      expect(again.location).toBe(PAGE);
      expect((await client.get(PAGE)).status).toBe(200);
    });

    test("asks for the second factor all the same", async () => {
      const { player, secret } = await newPlayerWithTwoFactor(app);
      await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
      const client = await openOldSession(app, player);
      await client.submit(REAUTHENTICATE, "Send Code");
      const emailCode = codeIn((await app.readEmail(player.email)).text);
      expectRefused(await client.post(REAUTHENTICATE, { emailCode }), /Enter the code from your authenticator app/);
      expectRefused(
        await client.post(REAUTHENTICATE, { emailCode, code: authenticatorCode(secret, 9) }),
        /code is wrong/,
      );
      const answer = await client.submit(REAUTHENTICATE, "Confirm", { emailCode, code: nextCode(secret) });
      expect(answer.location).toBe(PAGE);
      expect((await client.get(PAGE)).status).toBe(200);
    });
  });
});

/** The attempts at a player's password or second factor that have been counted. */
const attemptsAt = async ({ db }: TestApp, what: "reauthenticate" | "twoFactor", player: Player) =>
  (
    await db
      .select()
      .from(rateLimits)
      .where(eq(rateLimits.key, `try:${what}:${player.id}`))
      .get()
  )?.count ?? 0;

test("A password that couldn't be checked because too many were waiting doesn't count as an attempt", async () => {
  const player = await addPlayer(app);
  await useRealHash(app, player);
  const client = await openOldSession(app, player);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => client.post(REAUTHENTICATE, { password: "not the password" })),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect(count(400) + count(503)).toBe(30);
  expect(count(503)).toBeGreaterThan(0);
  await eventually(async () => (await attemptsAt(app, "reauthenticate", player)) === count(400) || undefined);
});

describe("guessing at the identity check", () => {
  const strict = useApp({ limitFactor: 1 });

  test("is slowed down", async () => {
    const player = await addPlayer(strict);
    const client = await openOldSession(strict, player);
    const statuses: number[] = [];
    for (let wrong = 0; wrong < 7; wrong += 1) {
      statuses.push((await client.post(REAUTHENTICATE, { password: `guess ${wrong}` })).status);
    }
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400]);
    expect(statuses).toContain(429);
  });

  test("with a wrong password or emailed code doesn't delay the second factor", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(strict);
    const client = await openOldSession(strict, player);
    const code = authenticatorCode(secret, 9);
    for (let wrong = 0; wrong < 2; wrong += 1) {
      expectRefused(await client.post(REAUTHENTICATE, { password: "wrong", code }), /not your password/, "password");
    }
    await strict.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
    await client.submit(REAUTHENTICATE, "Send Code");
    for (let wrong = 0; wrong < 2; wrong += 1) {
      expectRefused(await client.post(REAUTHENTICATE, { emailCode: "000000", code }), /wrong, used/, "emailCode");
    }
    expect(await attemptsAt(strict, "reauthenticate", player)).toBe(4);
    expect(await attemptsAt(strict, "twoFactor", player)).toBe(0);
  });

  test("uses up neither answer if a wait for the second factor begins in the meantime", async () => {
    const { player, codes } = await newPlayerWithTwoFactor(strict);
    await strict.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
    const client = await openOldSession(strict, player);
    await client.submit(REAUTHENTICATE, "Send Code");
    const emailCode = (await strict.readEmail(player.email)).text.match(/\b\d{6}\b/)?.[0] as string;
    const answers = { emailCode, code: codes[0] as string };
    // The wait begins once the emailed code has been checked, after the lookup that found no wait.
    const key = `try:twoFactor:${player.id}`;
    await strict.db.run(
      sql.raw(`CREATE TRIGGER begin_wait AFTER UPDATE OF tries ON verifications WHEN NEW.user_id = '${player.id}' BEGIN
        INSERT INTO rate_limits (key, count, window_ends_at) VALUES ('${key}', 11, ${Date.now() + 16 * MINUTE}); END`),
    );
    const refused = await client.post(REAUTHENTICATE, answers);
    await strict.db.run(sql`DROP TRIGGER begin_wait`);
    expect(refused.status).toBe(429);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect(await recordsIn(strict).actionsOf(player)).not.toContain("recovery-code-used");
    await strict.db.delete(rateLimits).where(eq(rateLimits.key, key));
    expect((await client.post(REAUTHENTICATE, answers)).location).toBe(PAGE);
    expect(await recordsIn(strict).actionsOf(player)).toContain("recovery-code-used");
  });

  test("counts a try at an emailed code only if the code was checked", async () => {
    const { player } = await newPlayerWithTwoFactor(strict);
    await strict.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
    const client = await openOldSession(strict, player);
    await client.submit(REAUTHENTICATE, "Send Code");
    const wrong = (fields: Record<string, string> = {}) =>
      client.post(REAUTHENTICATE, { emailCode: "000000", ...fields });
    expectRefused(await wrong(), /Enter the code from your authenticator app/);
    for (const what of ["twoFactor", "reauthenticate"]) {
      const wait = { count: 11, windowEndsAt: new Date(Date.now() + 16 * MINUTE) };
      await strict.db
        .insert(rateLimits)
        .values({ key: `try:${what}:${player.id}`, ...wait })
        .onConflictDoUpdate({ target: rateLimits.key, set: wait });
      expect((await wrong({ code: "ZZZZZ-ZZZZZ" })).status).toBe(429);
    }
    const [row] = await strict.db.select().from(verifications).where(eq(verifications.userId, player.id));
    expect(row?.tries).toBe(0);
  });

  test("with the right password delays the second factor, whose wait also applies here", async () => {
    const { player, secret } = await newPlayerWithTwoFactor(strict);
    const client = await openOldSession(strict, player);
    const confirm = (code: string) => client.post(REAUTHENTICATE, { password: PASSWORD, code });
    for (let wrong = 0; wrong < 2; wrong += 1) expectRefused(await confirm(authenticatorCode(secret, 9)), /is wrong/);
    expect(await attemptsAt(strict, "twoFactor", player)).toBe(2);
    const series = eq(rateLimits.key, `try:twoFactor:${player.id}`);
    // A wait of a minute, and then its end; the series is kept for a quarter of an hour after that.
    const setWait = (milliseconds: number) =>
      strict.db
        .update(rateLimits)
        .set({ count: 11, windowEndsAt: new Date(Date.now() + milliseconds + 15 * MINUTE) })
        .where(series);
    await setWait(MINUTE);
    expect((await confirm(nextCode(secret))).status).toBe(429);
    expect((await client.get(PAGE)).location).toBe(REAUTHENTICATE);
    expect(await attemptsAt(strict, "twoFactor", player)).toBe(11);
    await setWait(-1);
    expect((await confirm(nextCode(secret))).location).toBe(PAGE);
    expect((await client.get(PAGE)).status).toBe(200);
    expect(await attemptsAt(strict, "twoFactor", player)).toBe(0);
  });
});
