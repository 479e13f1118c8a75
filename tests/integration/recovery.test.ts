import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { uuidv7 } from "../../db/ids";
import {
  calendarFeeds,
  identities,
  NO_PASSWORD,
  pendingSignIns,
  playerFacets,
  profiles,
  sessions,
  totpFactors,
  trustedDevices,
  users,
  verifications,
} from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, type HttpResponse, isSignedIn, signIn } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, heading, links, main, textOf } from "../support/html";
import { quickHash } from "../support/passwords";
import { recordsIn } from "../support/records";
import { openInbox } from "../support/socket";
import { startWatchedDatabase } from "../support/watched-database";
import {
  addPlayer,
  HOUR,
  newAddress,
  newEmail,
  newVisitor,
  openSession,
  type Player,
  unique,
  visitAs,
} from "./players";

// A proxy between the Worker and the database that counts the requests.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp(appOptions);
const { accountOf, actionsOf, emailsTo } = recordsIn(app);

const NEW_PASSWORD = "four smokes and a wall";
const FORGOT = "/auth/forgot-password";
const RESET = "/auth/reset-password";
const CODE = "/auth/code";
const EMAIL = "/dashboard/settings/email";
const PASSWORD_PAGE = "/dashboard/settings/password";

/** The last of the events for the next page's script. */
const eventOf = (client: Client) =>
  decodeURIComponent(client.cookies.get("lineup_event") ?? "")
    .split(",")
    .at(-1);

/** Asks for a new password with the forms, as a browser without JavaScript does. */
async function requestReset(email: string, client = app.client()) {
  const asked = await client.submit(FORGOT, "Send Code", { email });
  expect([asked.status, asked.location]).toEqual([303, RESET]);
  return { client, ...(await app.readEmail(email)) };
}

async function addFactor({ id }: Player): Promise<void> {
  await app.db.insert(totpFactors).values({ userId: id, secret: "x", createdAt: new Date(), confirmedAt: new Date() });
}

const removeFactor = ({ id }: Player) => app.db.delete(totpFactors).where(eq(totpFactors.userId, id));

/**
 * Signs in with the password, and changes the account once the password has been checked: just before the Worker writes
 * to the table. Expects the sign-in to be refused.
 * @returns the browser that tried to sign in
 */
async function signInDuring(
  change: () => Promise<unknown>,
  { email }: Player,
  table: "sessions" | "pending_sign_ins",
): Promise<Client> {
  const client = app.client();
  proxy.before = { words: `INSERT INTO \\"${table}\\"`, run: change };
  const refused = await client.post("/auth", { email, password: PASSWORD }, newAddress());
  expect([proxy.before, refused.status]).toEqual([null, 403]);
  expect(announcements(refused.text).join()).toContain("Your account was just changed. Please sign in again.");
  return client;
}

describe("a player who forgot the password", () => {
  test("gets a code by email, chooses a new password, and is signed in", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    expect(links((await client.get("/auth")).text)).toContainEqual({ text: "Forgot password?", href: FORGOT });
    const { subject, code } = await requestReset(player.email, client);
    expect(subject).toBe("Choose a new password for Lineup");
    const page = await client.get(RESET);
    expect(announcements(page.text)).toContain(
      "Check your email If this address has an account, a code is on its way.",
    );
    const done = await client.submit(RESET, "Set New Password", { code: code as string, password: NEW_PASSWORD });
    expect([done.status, done.location]).toEqual([303, "/dashboard"]);
    expect(eventOf(client)).toBe("PASSWORD_RECOVERY");
    const dashboard = await client.follow(done);
    expect(announcements(dashboard.text)).toContain(
      "Password changed You're signed in here and signed out everywhere else.",
    );
    await expect(signIn(app.client(), player.email, PASSWORD)).rejects.toThrow();
    await signIn(app.client(), player.email, NEW_PASSWORD);
    expect(await actionsOf(player)).toEqual(["password-reset"]);
    const told = (await emailsTo(player.email)).find((email) => email.subject === "Your Lineup password was changed");
    expect(told?.body).not.toContain(NEW_PASSWORD);
  });

  test("may open the link in another browser instead, and is asked only for the password", async () => {
    const player = await addPlayer(app);
    const { link } = await requestReset(player.email);
    const phone = app.client();
    const page = await phone.get(link as string);
    expect(page.text).not.toContain('name="code"');
    expect(textOf(page.text)).toContain(`For the account of ${player.email} .`);
    const done = await phone.submit(link as string, "Set New Password", { password: NEW_PASSWORD });
    expect(done.location).toBe("/dashboard");
    expect(await isSignedIn(phone)).toBe(true);
  });

  test("ends all access: sessions, sockets, trusted browsers, pending sign-ins, other codes", async () => {
    const { player, client: old } = await newVisitor(app);
    const other = await addPlayer(app);
    const bystander = await visitAs(app, other);
    const inbox = await openInbox(old);
    const expiresAt = new Date(Date.now() + HOUR);
    await app.db
      .insert(trustedDevices)
      .values({ id: unique("d"), userId: player.id, createdAt: new Date(), expiresAt });
    await app.db.insert(pendingSignIns).values({ id: unique("p"), userId: player.id, expiresAt });
    const signInCode = app.client();
    await signInCode.submit(CODE, "Send Code", { email: player.email });
    const { code: oldCode } = await app.readEmail(player.email);
    const { client, code } = await requestReset(player.email);
    await client.post(RESET, { code, password: NEW_PASSWORD });

    expect((await inbox.closed()).code).toBe(4401);
    expect(await isSignedIn(old)).toBe(false);
    expect(await isSignedIn(client)).toBe(true);
    expect(await isSignedIn(bystander)).toBe(true);
    for (const table of [trustedDevices, pendingSignIns]) {
      expect(await app.db.select().from(table).where(eq(table.userId, player.id))).toEqual([]);
    }
    const codes = await app.db.select().from(verifications).where(eq(verifications.userId, player.id));
    expect(codes.filter(({ usedAt }) => usedAt === null)).toEqual([]);
    expect((await signInCode.post(`${CODE}?step=2`, { intent: "enter", code: oldCode })).status).toBe(400);
  });

  test.each([
    ["on", false, addFactor],
    ["off", true, removeFactor],
  ])(
    "signs in again if two-factor is turned %s at that moment: the reset counts all the same",
    async (_, had, change) => {
      const { player, client: old } = await newVisitor(app);
      if (had) await addFactor(player);
      const inbox = await openInbox(old);
      const { client, code } = await requestReset(player.email);
      const table = had ? "pending_sign_ins" : "sessions";
      proxy.before = { words: `INSERT INTO \\"${table}\\"`, run: () => change(player) };
      const done = await client.post(RESET, { code, password: NEW_PASSWORD });
      expect([proxy.before, done.location]).toEqual([null, "/auth"]);
      expect(eventOf(client)).toBe("PASSWORD_RECOVERY");
      expect(announcements((await client.follow(done)).text)).toContain("Password changed Sign in with your new one.");
      expect((await inbox.closed()).code).toBe(4401);
      const again = await client.post("/auth", { email: player.email, password: NEW_PASSWORD }, newAddress());
      expect(again.location).toBe(had ? "/dashboard" : "/auth/two-factor");
    },
  );

  test("has proven the mailbox: the address counts as confirmed and reachable", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null, riotClaimLapsesAt: new Date(Date.now() + HOUR) });
    await app.db.update(users).set({ emailFailedAt: new Date() }).where(eq(users.id, player.id));
    const { client, code } = await requestReset(player.email);
    await client.post(RESET, { code, password: NEW_PASSWORD });
    expect(await accountOf(player)).toMatchObject({ emailConfirmedAt: expect.any(Date), emailFailedAt: null });
    expect((await actionsOf(player)).sort()).toEqual(["email-confirmed", "password-reset"]);
  });

  test("is still asked for the second factor, and isn't signed in until then", async () => {
    const { player, client: old } = await newVisitor(app);
    await addFactor(player);
    const { client, code } = await requestReset(player.email);
    const done = await client.post(RESET, { code, password: NEW_PASSWORD });
    expect([done.status, done.location]).toEqual([303, "/auth/two-factor"]);
    expect(await isSignedIn(client)).toBe(false);
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toEqual([]);
    expect(await app.db.select().from(pendingSignIns).where(eq(pendingSignIns.userId, player.id))).toHaveLength(1);
    expect(await isSignedIn(old)).toBe(false);
  });

  test("removes everything that was set up before the address was proven", async () => {
    const addStrangersAccount = async () => {
      const { player, client } = await newVisitor(app);
      await app.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, player.id));
      await addFactor(player);
      const row = { id: uuidv7(), userId: player.id, provider: "discord" as const, createdAt: new Date() };
      await app.db.insert(identities).values({ ...row, subject: row.id, name: "stranger" });
      const [at, puuid] = [new Date(), unique("puuid-")];
      await app.db
        .update(profiles)
        .set({ riotPuuid: puuid, riotVerifiedAt: at, riotProvenAt: at, discordTag: "stranger", discordVerifiedAt: at })
        .where(eq(profiles.userId, player.id));
      await app.db.insert(playerFacets).values({ facet: "verified", userId: player.id, joinedAt: at, rankingScore: 0 });
      await app.db.insert(calendarFeeds).values({ userId: player.id, token: unique("feed-"), createdAt: at });
      return { player, stranger: client };
    };
    const nothingIsLeft = async ({ id }: Player) => {
      const [profile] = await app.db.select().from(profiles).where(eq(profiles.userId, id));
      expect(profile).toMatchObject({ riotPuuid: null, riotVerifiedAt: null, riotProvenAt: null });
      expect(profile?.discordVerifiedAt).toBeNull();
      const facets = await app.db.select().from(playerFacets).where(eq(playerFacets.userId, id));
      expect(facets.map(({ facet }) => facet)).not.toContain("verified");
      expect(await app.db.select().from(calendarFeeds).where(eq(calendarFeeds.userId, id))).toEqual([]);
      expect(await app.db.select().from(identities).where(eq(identities.userId, id))).toEqual([]);
      expect(await app.db.select().from(totpFactors).where(eq(totpFactors.userId, id))).toEqual([]);
      await expect(signIn(app.client(), (await accountOf({ id } as Player))?.email ?? "", PASSWORD)).rejects.toThrow();
    };
    const byReset = await addStrangersAccount();
    const reset = await requestReset(byReset.player.email);
    const done = await reset.client.post(RESET, { code: reset.code, password: NEW_PASSWORD });
    expect([done.status, done.location]).toEqual([303, "/dashboard"]);
    expect(await isSignedIn(byReset.stranger)).toBe(false);
    await nothingIsLeft(byReset.player);
    const removed = "two-factor, linked and verified accounts, and the calendar address";
    expect((await app.readEmail(byReset.player.email)).text).toContain(removed);

    const byCode = await addStrangersAccount();
    const client = app.client();
    await client.post(CODE, { intent: "send", email: byCode.player.email });
    const { code } = await app.readEmail(byCode.player.email);
    expect((await client.post(`${CODE}?step=2`, { intent: "enter", code })).location).toBe("/dashboard");
    expect(await isSignedIn(client)).toBe(true);
    expect(await isSignedIn(byCode.stranger)).toBe(false);
    await nothingIsLeft(byCode.player);
    const told = await emailsTo(byCode.player.email);
    expect(told.map(({ subject }) => subject)).toContain("Choose a new password for your Lineup account");
    expect((await app.readEmail(byCode.player.email)).text).toContain(removed);
  });

  test.each([
    ["a new password", [] as string[], "password-reset"],
    ["an emailed code", ["password-removed"], undefined],
  ])("finds in the account's log what the first proof of the address, by %s, has removed", async (way, also, reset) => {
    const player = await addPlayer(app, { emailConfirmedAt: null });
    await addFactor(player);
    for (const provider of ["discord", "riot"] as const) {
      const row = { id: uuidv7(), userId: player.id, provider, createdAt: new Date() };
      await app.db.insert(identities).values({ ...row, subject: row.id, name: "stranger" });
    }
    const client = app.client();
    if (reset) {
      const { code } = await requestReset(player.email, client);
      await client.post(RESET, { code, password: NEW_PASSWORD });
    } else {
      await client.post(CODE, { intent: "send", email: player.email });
      const { code } = await app.readEmail(player.email);
      await client.post(`${CODE}?step=2`, { intent: "enter", code });
    }
    expect((await actionsOf(player)).sort(), way).toEqual(
      ["email-confirmed", "identity-unlinked", "identity-unlinked", "two-factor-disabled", ...also, reset]
        .filter((action) => action !== undefined)
        .sort(),
    );
    const changes = textOf((await client.get("/dashboard/settings")).text);
    for (const change of ["Two-factor turned off", "Discord unlinked", "Riot unlinked"]) {
      expect(changes).toContain(change);
    }
    if (!reset) expect(changes).toContain("Password removed");
  });

  test("stops a sign-in in progress with the old password", async () => {
    const player = await addPlayer(app);
    const { client, code } = await requestReset(player.email);
    const reset = () => client.post(RESET, { code, password: NEW_PASSWORD });
    const late = await signInDuring(reset, player, "sessions");
    expect(await isSignedIn(late)).toBe(false);
    expect(await isSignedIn(client)).toBe(true);
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toHaveLength(1);
  });

  test("can set a first password if there was none", async () => {
    const player = await addPlayer(app);
    await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
    expect((await app.client().post("/auth", { email: player.email, password: NO_PASSWORD })).status).toBe(400);
    const { client, code } = await requestReset(player.email);
    await client.post(RESET, { code, password: NEW_PASSWORD });
    await signIn(app.client(), player.email, NEW_PASSWORD);
  });

  test("gets a restricted session when suspended, with a code sent before or after", async () => {
    const player = await addPlayer(app);
    const { client, code } = await requestReset(player.email);
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id));
    const answer = await client.post(RESET, { code, password: NEW_PASSWORD });
    expect(answer.location).toBe("/account/decisions");
    expect((await client.get("/dashboard")).location).toBe("/account/decisions");
    const later = app.client();
    await later.submit(CODE, "Send Code", { email: player.email });
    const sent = await app.readEmail(player.email);
    expect((await later.post(`${CODE}?step=2`, { intent: "enter", code: sent.code })).location).toBe(
      "/account/decisions",
    );
    expect((await later.get("/dashboard")).location).toBe("/account/decisions");
  });

  test("continues to the page that they were going to", async () => {
    const player = await addPlayer(app);
    const carried = "?redirectTo=%2Fdashboard%2Fprofile";
    const client = app.client();
    expect(links((await client.get(`/auth${carried}`)).text).map(({ href }) => href)).toContain(`${FORGOT}${carried}`);
    await client.submit(`${FORGOT}${carried}`, "Send Code", { email: player.email });
    const { link } = await app.readEmail(player.email);
    const done = await app.client().submit(link as string, "Set New Password", { password: NEW_PASSWORD });
    expect(done.location).toBe("/dashboard/profile");
  });

  test("is told what's wrong with a new password; the page repeats no secrets, and the code still works", async () => {
    const player = await addPlayer(app);
    const { client, code } = await requestReset(player.email);
    for (const [password, reason] of [
      ["12345", "Use at least 6 characters."],
      ["password123", /Too common and easy to guess/],
      [player.email, "Don't use your email address. Pick another."],
      ["", "Enter a password."],
    ] as const) {
      const answer = await client.submit(RESET, "Set New Password", { code: code as string, password });
      expect(answer.status).toBe(400);
      expect(field(answer.text, "password").description).toMatch(reason);
      expect([field(answer.text, "password").value, field(answer.text, "code").value]).toEqual(["", ""]);
    }
    const done = await client.submit(RESET, "Set New Password", { code: code as string, password: NEW_PASSWORD });
    expect(done.status).toBe(303);
  });

  test("learns on the page that there is no code to enter, and where to request one", async () => {
    for (const page of [RESET, `${CODE}?step=2`]) {
      const { status, text } = await app.client().get(page);
      expect(status).toBe(200);
      expect(textOf(text)).toContain("You need a new code");
      expect(links(text)).toContainEqual({
        text: "Ask for a New Code",
        href: page === RESET ? FORGOT : CODE,
      });
    }
  });

  test("no longer has to wait because of earlier wrong passwords", async () => {
    const player = await addPlayer(app);
    const { client, code } = await requestReset(player.email);
    const key = `try:signIn:${hashToken(player.email)}`;
    await app.client().post("/auth", { email: player.email, password: "not the password" }, newAddress());
    proxy.clear();
    await client.post(RESET, { code, password: NEW_PASSWORD });
    expect(proxy.statements.some(({ sql, args }) => /delete from "rate_limits"/.test(sql) && args.includes(key))).toBe(
      true,
    );
    expect(proxy.posts).toBeLessThanOrEqual(2);
  });
});

describe("a sign-in in progress", () => {
  const changePassword = ({ id }: Player) =>
    app.db
      .update(users)
      .set({ passwordHash: quickHash(NEW_PASSWORD) })
      .where(eq(users.id, id));

  test.each([
    ["the password is changed", false, changePassword],
    ["two-factor is turned on", false, addFactor],
    ["the password is changed before the second factor is given", true, changePassword],
    ["two-factor is turned off before the second factor is given", true, removeFactor],
  ])("opens nothing if %s", async (_, hasTwoFactor, change) => {
    const player = await addPlayer(app);
    if (hasTwoFactor) await addFactor(player);
    const table = hasTwoFactor ? "pending_sign_ins" : "sessions";
    const { cookies } = await signInDuring(() => change(player), player, table);
    expect([cookies.has("lineup_session"), cookies.has("lineup_sign_in")]).toEqual([false, false]);
    for (const opened of [sessions, pendingSignIns]) {
      expect(await app.db.select().from(opened).where(eq(opened.userId, player.id))).toEqual([]);
    }
  });
});

describe("a player without the password at hand", () => {
  test("signs in with a code from the email", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null });
    const client = app.client();
    expect(links((await client.get("/auth")).text)).toContainEqual({ text: "Email me a code", href: CODE });
    const asked = await client.submit(CODE, "Send Code", { email: player.email });
    expect(asked.location).toBe(`${CODE}?step=2`);
    const { code } = await app.readEmail(player.email);
    proxy.clear();
    const done = await client.post(`${CODE}?step=2`, { intent: "enter", code });
    expect(proxy.posts).toBeLessThanOrEqual(2);
    expect(done.location).toBe("/dashboard");
    expect(eventOf(client)).toBe("SIGNED_IN");
    expect(announcements((await client.follow(done)).text)).toContain(
      "Welcome back! You've been signed in successfully.",
    );
    expect((await accountOf(player))?.emailConfirmedAt).toBeInstanceOf(Date);
    expect((await actionsOf(player)).sort()).toEqual(["email-confirmed", "password-removed"]);
  });

  test("signs in with the link only by pressing the button, which names the account", async () => {
    const player = await addPlayer(app);
    await app.client().submit(`${CODE}?redirectTo=%2Fdashboard%2Fprofile`, "Send Code", { email: player.email });
    const { link } = await app.readEmail(player.email);
    const client = app.client();
    const page = await client.get(link as string);
    expect(textOf(page.text)).toContain(`This signs you in as ${player.email} .`);
    expect(page.setCookie.some((cookie) => cookie.startsWith("lineup_session"))).toBe(false);
    // Another site can't press the button.
    const forged = await client.post(link as string, {}, { Origin: "https://evil.example" });
    expect(forged.status).toBe(403);
    const done = await client.submit(link as string, "Sign In");
    expect(done.location).toBe("/dashboard/profile");
    expect(await isSignedIn(client)).toBe(true);
  });

  test("replaces the player who was signed in before in that browser", async () => {
    const { player: before, client } = await newVisitor(app);
    const player = await addPlayer(app);
    await app.client().submit(CODE, "Send Code", { email: player.email });
    const { link } = await app.readEmail(player.email);
    await client.submit(link as string, "Sign In");
    expect(heading((await client.get("/dashboard")).text)).toBe(`Welcome back, ${player.email.split("@")[0]}`);
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, before.id))).toEqual([]);
  });

  test("is asked for the second factor all the same", async () => {
    const player = await addPlayer(app);
    await addFactor(player);
    const client = app.client();
    await client.submit(CODE, "Send Code", { email: player.email });
    const { code } = await app.readEmail(player.email);
    const done = await client.post(`${CODE}?step=2`, { intent: "enter", code });
    expect(done.location).toBe("/auth/two-factor");
    expect(client.cookies.has("lineup_session")).toBe(false);
    // The pending sign-in and the code each have a cookie of their own.
    expect(client.cookies.has("lineup_sign_in")).toBe(true);
    expect(client.cookies.has("lineup_code_sign_in")).toBe(false);
  });
});

describe("a signed-in player", () => {
  const signedInLongAgo = async () => {
    const player = await addPlayer(app);
    const client = app.client();
    const { id, cookie } = await openSession(app, player.id, { createdAt: new Date(Date.now() - HOUR) });
    client.cookies.set("lineup_session", cookie);
    return { player, client, sessionId: id };
  };

  test("changes the address with a code sent there, and tells the old address without naming the new one", async () => {
    const { player, client } = await newVisitor(app);
    const email = newEmail();
    const asked = await client.submit(EMAIL, "Change Email", { email });
    expect([asked.status, asked.location]).toEqual([303, `${EMAIL}?step=2`]);
    expect((await accountOf(player))?.email).toBe(player.email);
    expect(await emailsTo(player.email)).toEqual([]);
    const { subject, code } = await app.readEmail(email);
    expect(subject).toBe("Confirm your new email address for Lineup");
    const done = await client.submit(`${EMAIL}?step=2`, "Change Email", { code: code as string });
    expect([done.status, done.location]).toEqual([303, EMAIL]);
    expect(eventOf(client)).toBe("USER_UPDATED");
    const page = await client.follow(done);
    expect(announcements(page.text)).toContain("Email changed You sign in with the new address from now on.");
    expect(textOf(page.text)).toContain(`You sign in with ${email}`);
    expect(await accountOf(player)).toMatchObject({ email, emailConfirmedAt: expect.any(Date), emailFailedAt: null });
    const [told] = await emailsTo(player.email);
    expect(told?.subject).toBe("The email address of your Lineup account has changed");
    expect(told?.body).not.toContain(email);
    expect(told?.body).toContain(`Write to us right away at ${app.url}/contact`);
    expect(await actionsOf(player)).toEqual(["email-changed"]);
    await signIn(app.client(), email);
    await expect(signIn(app.client(), player.email)).rejects.toThrow();
  });

  const NOTES_PRESENCE = /^\s*(select "presence_policy"|INSERT INTO "presence"|UPDATE "lfg_posts" SET "author_state")/;

  test("doesn't learn that an address is taken, while its owner gets an email", async () => {
    const other = await addPlayer(app);
    const walk = async (email: string) => {
      const { client } = await newVisitor(app, { email: `${unique("walker-")}@lineup.test` });
      proxy.clear();
      const answers = [await client.post(EMAIL, { intent: "send", email })];
      // The player's presence is noted after the response, so at any time.
      const statements = proxy.statements.map(({ sql }) => sql).filter((sql) => !NOTES_PRESENCE.test(sql));
      answers.push(await client.get(`${EMAIL}?step=2`));
      for (let tries = 0; tries < 6; tries += 1) {
        answers.push(await client.post(`${EMAIL}?step=2`, { intent: "enter", code: "000000" }));
      }
      answers.push(await client.get(`${EMAIL}?step=2`));
      return {
        statements,
        answers: answers.map(({ status, location, text }) => ({
          status,
          location,
          main: main(text)
            .replaceAll(email, "E-MAIL")
            .replace(/walker-\d+/g, "ME"),
        })),
      };
    };
    const [taken, free] = [await walk(other.email), await walk(newEmail())];
    expect(taken).toEqual(free);
    const [told, ...others] = await emailsTo(other.email);
    expect([told?.subject, others.length]).toEqual(["You already have a Lineup account", 0]);
    expect(told?.body).not.toMatch(/\d{6}|token=/);
  });

  test("can't take an address that another account has taken in the meantime", async () => {
    const { player, client } = await newVisitor(app);
    const email = newEmail();
    await client.post(EMAIL, { intent: "send", email });
    const { code } = await app.readEmail(email);
    await addPlayer(app, { email });
    const answer = await client.post(`${EMAIL}?step=2`, { intent: "enter", code });
    expect(answer.status).toBe(400);
    expect(announcements(answer.text).at(-1)).toMatch(/Someone has signed up with this address since/);
    expect((await accountOf(player))?.email).toBe(player.email);
  });

  test("changes the address with the link in their own session, but no other player can", async () => {
    const { player, client } = await newVisitor(app);
    const email = newEmail();
    await client.post(EMAIL, { intent: "send", email });
    const { link } = await app.readEmail(email);
    const { client: stranger, player: other } = await newVisitor(app);
    expect((await stranger.get(link as string)).text).not.toContain(email);
    expect((await stranger.post(link as string)).status).toBe(400);
    expect((await accountOf(other))?.email).toBe(other.email);
    // Signed out, the link leads through the sign-in and back.
    const back = (await app.client().get(link as string)).location as string;
    expect(new URL(back, app.url).searchParams.get("redirectTo")).toBe(link);
    expect((await client.submit(link as string, "Change Email")).location).toBe(EMAIL);
    expect((await accountOf(player))?.email).toBe(email);
  });

  test("can request a new confirmation email in the settings, which say if emails to the address fail", async () => {
    const { player, client } = await newVisitor(app, { emailConfirmedAt: null });
    expect(textOf((await client.get(EMAIL)).text)).not.toContain("Our emails don't arrive there");
    await app.db.update(users).set({ emailFailedAt: new Date() }).where(eq(users.id, player.id));
    const page = await client.get(EMAIL);
    expect(textOf(page.text)).toContain("Our emails don't arrive there");
    const sent = await client.submit(EMAIL, "Send Again");
    expect(sent.location).toBe("/auth/confirm?redirectTo=%2Fdashboard%2Fsettings%2Femail");
    const { code } = await app.readEmail(player.email);
    const done = await client.submit(sent.location as string, "Confirm", { code: code as string });
    expect(done.location).toBe(EMAIL);
    expect(textOf((await client.get(EMAIL)).text)).toContain("Confirmed");
    expect((await client.get("/auth/confirm")).location).toBe("/dashboard");
  });

  test("gets no new confirmation email from an older page if the address has been confirmed elsewhere", async () => {
    const { player, client } = await newVisitor(app, { emailConfirmedAt: null });
    await client.post(EMAIL, { intent: "again" });
    const { link } = await app.readEmail(player.email);
    await app.client().get(link as string);
    const again = await client.post(EMAIL, { intent: "again" });
    expect([again.status, again.location]).toEqual([303, EMAIL]);
    expect(announcements((await client.follow(again)).text)).toContain("Email already confirmed");
    expect(await emailsTo(player.email)).toHaveLength(1);
  });

  test("changes the password, which signs out all devices but this one", async () => {
    const { player, client } = await newVisitor(app);
    const phone = await visitAs(app, player);
    const inbox = await openInbox(phone);
    client.cookies.set("lineup_device", "this-browser");
    const trusted = (id: string) => ({
      id,
      userId: player.id,
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + HOUR),
    });
    await app.db.insert(trustedDevices).values([trusted(hashToken("this-browser")), trusted(unique("device"))]);
    const done = await client.submit(PASSWORD_PAGE, "Change Password", { password: NEW_PASSWORD });
    expect([done.status, done.location]).toEqual([303, PASSWORD_PAGE]);
    expect(eventOf(client)).toBe("USER_UPDATED");
    expect(announcements((await client.follow(done)).text)).toContain(
      "Password changed Your other devices have been signed out.",
    );
    expect((await inbox.closed()).code).toBe(4401);
    expect([await isSignedIn(client), await isSignedIn(phone)]).toEqual([true, false]);
    const devices = await app.db.select().from(trustedDevices).where(eq(trustedDevices.userId, player.id));
    expect(devices.map(({ id }) => id)).toEqual([hashToken("this-browser")]);
    expect((await emailsTo(player.email))[0]?.subject).toBe("Your Lineup password was changed");
    expect(await actionsOf(player)).toEqual(["password-changed"]);
    await signIn(app.client(), player.email, NEW_PASSWORD);
  });

  test("sets a first password if there is none, and is told that it signs out all other devices", async () => {
    const { player, client } = await newVisitor(app);
    const phone = await visitAs(app, player);
    await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
    expect(textOf((await client.get(PASSWORD_PAGE)).text)).toContain("It signs out all your other devices.");
    await client.submit(PASSWORD_PAGE, "Set Password", { password: NEW_PASSWORD });
    expect([await isSignedIn(client), await isSignedIn(phone)]).toEqual([true, false]);
    await signIn(app.client(), player.email, NEW_PASSWORD);
  });

  test("must reauthenticate after an old sign-in, to open a form and to send it", async () => {
    const { player, client, sessionId } = await signedInLongAgo();
    for (const page of [EMAIL, PASSWORD_PAGE]) {
      const away = await client.get(page);
      expect(away.location).toBe(`/auth/reauthenticate?${new URLSearchParams({ redirectTo: page })}`);
    }
    const refused = await client.post(EMAIL, { intent: "send", email: "kept@lineup.test" });
    expect(refused.status).toBe(401);
    expect(field(refused.text, "email").value).toBe("kept@lineup.test");
    expect(links(refused.text).map(({ href }) => href)).toContain(
      `/auth/reauthenticate?${new URLSearchParams({ redirectTo: EMAIL })}`,
    );
    expect(await emailsTo("kept@lineup.test")).toEqual([]);
    expect((await client.post(PASSWORD_PAGE, { password: NEW_PASSWORD })).status).toBe(401);

    // A code requested in time is not used up when reauthentication is needed.
    await app.db.update(sessions).set({ authenticatedAt: new Date() }).where(eq(sessions.id, sessionId));
    const email = newEmail();
    await client.post(EMAIL, { intent: "send", email });
    const { code } = await app.readEmail(email);
    await app.db.update(sessions).set({ authenticatedAt: null }).where(eq(sessions.id, sessionId));
    expect((await client.post(`${EMAIL}?step=2`, { intent: "enter", code })).status).toBe(401);
    expect((await accountOf(player))?.email).toBe(player.email);
    await app.db.update(sessions).set({ authenticatedAt: new Date() }).where(eq(sessions.id, sessionId));
    expect((await client.post(`${EMAIL}?step=2`, { intent: "enter", code })).status).toBe(303);
  });

  test("keeps the old password if another device ends the session before the new one is stored", async () => {
    const { player, client } = await newVisitor(app);
    const owner = await visitAs(app, player);
    proxy.before = {
      words: 'update \\"users\\" set \\"password_hash\\"',
      run: () => owner.post("/auth/sign-out", { scope: "others" }),
    };
    const late = await client.post(PASSWORD_PAGE, { password: NEW_PASSWORD });
    expect([proxy.before, late.status]).toEqual([null, 401]);
    await signIn(app.client(), player.email, PASSWORD);
    expect([await isSignedIn(client), await isSignedIn(owner)]).toEqual([false, true]);
    expect(await actionsOf(player)).not.toContain("password-changed");
    expect(await emailsTo(player.email)).toEqual([]);
  });

  test("changes nothing once the session has ended", async () => {
    const { player, client } = await newVisitor(app);
    const email = newEmail();
    await client.post(EMAIL, { intent: "send", email });
    const { code } = await app.readEmail(email);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    for (const fields of [
      { intent: "send", email },
      { intent: "enter", code },
    ]) {
      expect((await client.post(EMAIL, fields)).status).toBe(401);
    }
    expect((await client.post(PASSWORD_PAGE, { password: NEW_PASSWORD })).status).toBe(401);
    expect((await accountOf(player))?.email).toBe(player.email);
    expect(await actionsOf(player)).toEqual([]);
  });
});

describe("the database", () => {
  test("is queried once for each page of the account flows, and at most twice for each step", async () => {
    const { player, client } = await newVisitor(app, { emailConfirmedAt: null });
    const visitor = app.client();
    const email = newEmail();
    const codeTo = async (recipient: string) => (await app.readEmail(recipient)).code;
    const steps: [string, number, () => Promise<HttpResponse>][] = [
      ["forgot-password", 1, () => visitor.post(FORGOT, { intent: "send", email: player.email })],
      ["its page", 1, () => visitor.get(RESET)],
      ["wrong code", 2, () => visitor.post(RESET, { code: "000000", password: NEW_PASSWORD })],
      ["code", 1, () => visitor.post(CODE, { intent: "send", email: player.email })],
      ["its page", 1, () => visitor.get(`${CODE}?step=2`)],
      ["send again", 2, () => client.post("/auth/confirm", { intent: "again" })],
      ["its page", 1, () => client.get("/auth/confirm")],
      ["confirm", 2, async () => client.post("/auth/confirm", { code: await codeTo(player.email) })],
      ["email", 1, () => client.get(EMAIL)],
      ["new email", 2, () => client.post(EMAIL, { intent: "send", email })],
      ["its page", 1, () => client.get(`${EMAIL}?step=2`)],
      ["change", 2, async () => client.post(EMAIL, { code: await codeTo(email) })],
      ["password", 1, () => client.get(PASSWORD_PAGE)],
      ["new password", 2, () => client.post(PASSWORD_PAGE, { password: NEW_PASSWORD })],
    ];
    for (const [name, most, step] of steps) {
      const { headers } = await step();
      // Pages under /auth have no Server-Timing header, so the log has to give the number of round trips. It
      // doesn't count queries of rooms that go idle in the meantime.
      const line = await eventually(() =>
        app.logs
          .map(({ message }) => (message.startsWith("{") ? JSON.parse(message) : {}))
          .find(({ message, requestId }) => message === "request" && requestId === headers.get("X-Request-Id")),
      );
      expect(line.dbRoundTrips, name).toBeLessThanOrEqual(most);
    }
  });
});
