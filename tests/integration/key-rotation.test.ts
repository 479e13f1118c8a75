import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { RENEWAL_PRECISION, SESSION_LIFETIME } from "../../app/platform/session/lifetime";
import { outbox, sessions } from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { type TestApp, useApp } from "../support/app";
import { type Client, isSignedIn, signIn } from "../support/client";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, newVisitor } from "./players";

const NEW_SECRET = "another-secret-that-replaces-the-one-before-it";

const { appOptions } = await startWatchedDatabase();
const withSecret = (secret: string) =>
  useApp({ ...appOptions, bindings: { ...appOptions.bindings, SESSION_SECRET: secret } });

const before = useApp(appOptions);
const during = withSecret(`${NEW_SECRET},${LOCAL_SECRET}`);
const after = withSecret(NEW_SECRET);

/** The same browser, but using a Worker with other settings. */
function at(app: TestApp, { cookies }: Client): Client {
  const client = app.client();
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return client;
}

describe("Replacing SESSION_SECRET", () => {
  test("keeps players who visit while both secrets are set signed in, and signs out the others", async () => {
    const { player, client } = await newVisitor(before);
    const { client: away } = await newVisitor(before);
    const visitor = at(during, client);
    expect(await isSignedIn(visitor)).toBe(true);
    // A visit renews a session that was last renewed a day ago.
    const expiresAt = new Date(Date.now() + SESSION_LIFETIME - RENEWAL_PRECISION);
    await before.db.update(sessions).set({ expiresAt }).where(eq(sessions.userId, player.id));
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await isSignedIn(at(after, visitor))).toBe(true);
    expect(await isSignedIn(at(after, client))).toBe(false);
    expect(await isSignedIn(at(after, away))).toBe(false);
  });

  test("signs new sessions with the new secret immediately", async () => {
    const player = await addPlayer(before);
    const client = await signIn(during.client(), player.email);
    expect(await isSignedIn(at(after, client))).toBe(true);
    expect(await isSignedIn(at(before, client))).toBe(false);
  });

  test("keeps earlier emailed codes working while the old secret is set, and not afterwards", async () => {
    const { email } = await addPlayer(before);
    const client = before.client();
    await client.post("/auth/code", { intent: "send", email });
    const { code } = await before.readEmail(email);
    const enter = (app: TestApp) => at(app, client).post("/auth/code?step=2", { intent: "enter", code });
    expect((await enter(after)).status).toBe(400);
    expect((await enter(during)).location).toBe("/dashboard");
  });
});

describe("Replacing ENCRYPTION_KEY", () => {
  const withKey = (key: string) =>
    useApp({ ...appOptions, emailProvider: true, bindings: { ...appOptions.bindings, ENCRYPTION_KEY: key } });
  const replacing = withKey(`${NEW_SECRET},${LOCAL_SECRET}`);
  const replaced = withKey(NEW_SECRET);

  test("still sends the emails that the old key has encrypted, or keeps them until that key is set again", async () => {
    const { email } = await addPlayer(before);
    await before.client().post("/auth/code", { intent: "send", email });
    const { text } = await before.readEmail(email);
    const isItsRow = eq(outbox.recipient, email);
    const makeDue = () =>
      before.db
        .update(outbox)
        .set({ dueAt: new Date(0) })
        .where(isItsRow);
    await makeDue();
    const { email: other } = await addPlayer(before);
    await replaced.client().post("/auth/code", { intent: "send", email: other });
    await replaced.runScheduled();
    // An email that can't be decrypted doesn't keep others from being sent.
    expect((await replaced.readEmail(other)).text).toContain("Your code");
    expect(await before.db.select().from(outbox).where(isItsRow).get()).toMatchObject({
      attempts: 1,
      body: expect.any(String),
      sentAt: null,
      lastError: "No ENCRYPTION_KEY fits what is stored.",
    });
    await makeDue();
    await replacing.runScheduled();
    expect((await replacing.readEmail(email)).text).toBe(text);
  });
});
