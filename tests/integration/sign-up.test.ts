import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../app/platform/crypto/crypto.server";
import { randomId } from "../../db/ids";
import { pendingSignups, profiles, rateLimits, sessions, users, verifications } from "../../db/schema";
import { standInPuuid } from "../../scripts/local/stand-in-puuid";
import { PASSWORD } from "../../scripts/worlds";
import { type TestApp, useApp } from "../support/app";
import { type Client, type Fields, type HttpResponse, isSignedIn, signIn } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, buttons, field, heading, links, select, textOf, texts } from "../support/html";
import { completeOAuth, newRiotUser } from "../support/oauth";
import { quickHash } from "../support/passwords";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import {
  addPlayer,
  DAY,
  HOUR,
  MINUTE,
  newAddress,
  newEmail,
  newVisitor,
  openSession,
  PREFETCHES,
  unique,
} from "./players";

const GOOD_PASSWORD = "four smokes and a wall";
const STEP_1 = "/auth?tab=sign-up";
const STEP_2 = "/auth?tab=sign-up&step=2";

const newName = () => unique("Riot Name ");

/** Completes step 1. */
async function completeStep1(app: TestApp, email: string, password: string): Promise<Client> {
  const client = app.client();
  const answer = await client.post(STEP_1, { intent: "next", email, password });
  expect(answer.location).toBe(STEP_2);
  return client;
}

const passwordHash = quickHash(GOOD_PASSWORD);

/** A browser that has completed step 1, without the cost of hashing the password. */
async function newClientAtStep2(app: TestApp, email = newEmail()): Promise<Client> {
  const client = app.client();
  const token = createToken();
  await app.db.insert(pendingSignups).values({
    id: hashToken(token),
    userId: randomId(),
    email,
    passwordHash,
    expiresAt: new Date(Date.now() + HOUR),
  });
  client.cookies.set("lineup_signup", token);
  return client;
}

const verify = (client: Client, fields: Fields) =>
  client.post(STEP_2, { intent: "verify", region: "americas", ...fields });

/** Completes both steps except for the last click, on `Complete Signup`. */
async function verifyAccount(app: TestApp, email: string, gameName = newName(), tagLine = "EUW"): Promise<Client> {
  const client = await newClientAtStep2(app, email);
  expect((await verify(client, { gameName, tagLine })).location).toBe(STEP_2);
  return client;
}

const complete = (client: Client) => client.submit(STEP_2, "Complete Signup");

const pendingOf = (app: TestApp, email: string) =>
  app.db.select().from(pendingSignups).where(eq(pendingSignups.email, email));

const hasButton = (page: HttpResponse, name: string) => buttons(page.text).includes(name);

const logged = (app: TestApp, message: string) =>
  app.logs.flatMap((line) => {
    const parsed = line.message.startsWith("{") ? JSON.parse(line.message) : {};
    return parsed.message === message ? [parsed] : [];
  });

describe("signing up", () => {
  const app = useApp({ world: "demo" });

  test("takes two steps, works without JavaScript, and creates an account, a profile and a session", async () => {
    const email = newEmail();
    const gameName = newName();
    const client = app.client();

    const first = await client.get(STEP_1);
    expect(texts(first.text, "a[aria-current=page]")).toEqual(["Sign Up"]);
    expect(links(first.text)).toContainEqual({ text: "Sign In", href: "/auth" });

    const next = await client.submit(STEP_1, "Next: Verify Riot Account", {
      email: ` ${email.toUpperCase()} `,
      password: GOOD_PASSWORD,
    });
    expect([next.status, next.location]).toEqual([303, STEP_2]);
    const signupCookie = client.cookies.get("lineup_signup") as string;
    expect(next.setCookie[0]).toMatch(/HttpOnly; SameSite=Lax/);
    const [pending] = await pendingOf(app, email);
    expect(pending?.id).toBe(hashToken(signupCookie));
    expect(JSON.stringify(pending)).not.toContain(GOOD_PASSWORD);

    const second = await client.get(STEP_2);
    expect(field(second.text, "region").value).toBe("americas");
    expect(hasButton(second, "Complete Signup")).toBe(false);
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();

    const found = await client.submit(STEP_2, "Verify", { gameName, tagLine: "EUW", region: "europe" });
    expect([found.status, found.location]).toEqual([303, STEP_2]);
    const verified = await client.get(STEP_2);
    expect(announcements(verified.text)).toContain("Riot account verified! Account found and verified successfully.");
    expect(textOf(verified.text)).toContain(`Account Verified! We found ${gameName}#EUW at Riot (Europe).`);
    expect(hasButton(verified, "Verify")).toBe(false);

    const done = await complete(client);
    expect([done.status, done.location]).toEqual([303, "/dashboard"]);
    const dashboard = await client.follow(done);
    expect(heading(dashboard.text)).toBe(`Welcome back, ${email.split("@")[0]}`);
    expect(announcements(dashboard.text)).toContain(
      "Account created successfully! Please check your email to verify your account.",
    );
    expect(textOf(dashboard.text)).toMatch(/ Verified Online /);

    const account = await recordsIn(app).accountOf({ email });
    expect(account).toMatchObject({
      email,
      emailConfirmedAt: null,
      passwordHash: expect.stringMatching(/^scrypt\$16384\$8\$5\$/),
      riotGameName: gameName,
      riotTagLine: "EUW",
      riotRegion: "europe",
    });
    const puuid = standInPuuid(gameName, "EUW");
    expect(JSON.parse(account?.riotAccountData as string)).toEqual({
      puuid,
      gameName,
      tagLine: "EUW",
      region: "europe",
    });
    expect(await recordsIn(app).profileOf({ email })).toMatchObject({
      riotId: `${gameName}#EUW`,
      riotGameName: gameName,
      riotTagLine: "EUW",
      riotRegion: "europe",
      riotPuuid: puuid,
      riotVerifiedAt: expect.any(Date),
      lastRankSync: expect.any(Date),
    });
    // The data kept between the steps lasts at most another minute, for a second press of the button.
    for (const { expiresAt } of await pendingOf(app, email)) {
      expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    }
    expect(client.cookies.has("lineup_signup")).toBe(false);
    await signIn(app.client(), email, GOOD_PASSWORD);
  });

  test("starts over once it is done: the wizard is at step 1 and empty", async () => {
    const client = await verifyAccount(app, newEmail());
    await complete(client);
    await client.post("/auth/sign-out");
    expect(field((await client.get(STEP_1)).text, "email").value).toBe("");
    expect((await client.get(STEP_2)).location).toBe(STEP_1);
  });

  test("puts a confirmation email into the outbox, and its link confirms the address", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await complete(client);
    const mail = await app.readEmail(email);
    expect(mail.subject).toBe("Confirm your email address for Lineup");
    expect(mail.text).toContain(`${app.url}/auth/confirm?token=`);
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
    const mailbox = await client.get("/dev/mailbox");
    expect(links(mailbox.text).map(({ href }) => href)).toContain(`${app.url}${mail.link}`);

    const answer = await client.get(mail.link as string);
    expect(answer.location).toBe("/dashboard");
    expect(announcements((await client.follow(answer)).text)).toContain(
      "Email confirmed Thank you. Your address is confirmed.",
    );
    expect((await recordsIn(app).accountOf({ email }))?.emailConfirmedAt).toBeInstanceOf(Date);
    expect((await recordsIn(app).profileOf({ email })).riotClaimLapsesAt).toBeNull();
  });

  test("lets a player continue who enters the code after the address was confirmed elsewhere", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await complete(client);
    const { link, code } = await app.readEmail(email);
    await app.client().get(link as string);
    const entered = await client.post("/auth/confirm", { code });
    expect([entered.status, entered.location]).toEqual([303, "/dashboard"]);
    expect(announcements((await client.follow(entered)).text)).toContain(
      "Email already confirmed Thank you. Your address is confirmed.",
    );
    expect((await client.get("/auth/confirm")).location).toBe("/dashboard");
  });

  test("refuses a wrong code for another account than the one that is signed in, whose address is confirmed", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await complete(client);
    const { code } = await app.readEmail(email);
    const player = await addPlayer(app);
    await signIn(client, player.email, PASSWORD);
    const wrong = code === "000000" ? "000001" : "000000";
    const entered = await client.post("/auth/confirm", { code: wrong });
    expect([entered.status, textOf(entered.text)]).toEqual([400, expect.stringContaining("That code is wrong")]);
  });

  test("sends another code to another account than the one that is signed in, whose address is confirmed", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await complete(client);
    const { code } = await app.readEmail(email);
    await signIn(client, (await addPlayer(app)).email, PASSWORD);
    const sent = await client.follow(await client.post("/auth/confirm", { intent: "again" }));
    expect(announcements(sent.text)).toContain("Email sent Enter the code from our latest email.");
    expect((await app.readEmail(email)).code).not.toBe(code);
  });

  test.each([{ intent: "again" }, { code: "000000" }])(
    "says to a player with a confirmed address that another account's code no longer works when they post %j",
    async (fields) => {
      const client = await verifyAccount(app, newEmail());
      await complete(client);
      const player = await addPlayer(app);
      await signIn(client, player.email, PASSWORD);
      // The cookie expires with the code.
      expect(client.cookies.delete("lineup_code_confirm_email")).toBe(true);
      const answer = await client.follow(await client.post("/auth/confirm", fields));
      expect(announcements(answer.text)).toContain(
        `Email already confirmed Your address ${player.email} is confirmed. Sign in to another account to confirm its address.`,
      );
    },
  );

  test("says that another account's address has been confirmed elsewhere", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await complete(client);
    const { link } = await app.readEmail(email);
    await signIn(client, (await addPlayer(app)).email, PASSWORD);
    await app.client().get(link as string);
    const answer = await client.follow(await client.post("/auth/confirm", { intent: "again" }));
    expect(announcements(answer.text)).toContain(`Email already confirmed Thank you. ${email} is confirmed.`);
  });

  test("names the confirmed address where another player is signed in", async () => {
    const email = newEmail();
    await complete(await verifyAccount(app, email));
    const { link } = await app.readEmail(email);
    const { client } = await newVisitor(app, { emailConfirmedAt: null });
    for (const title of ["Email confirmed", "Email already confirmed"]) {
      const answer = await client.get(link as string);
      expect(announcements((await client.follow(answer)).text)).toContain(`${title} Thank you. ${email} is confirmed.`);
    }
  });

  test("keeps email and Riot ID when the player goes back, and redirectTo throughout", async () => {
    const email = newEmail();
    const gameName = newName();
    const client = app.client();
    const carried = "&redirectTo=%2Fdashboard%2Fprofile";
    const next = await client.submit(`${STEP_1}${carried}`, "Next: Verify Riot Account", {
      email,
      password: GOOD_PASSWORD,
    });
    expect(next.location).toBe(`${STEP_2}${carried}`);
    await client.submit(`${STEP_2}${carried}`, "Verify", { gameName, tagLine: "EUW", region: "asia" });
    const back = await client.submit(`${STEP_2}${carried}`, "Back");
    expect([back.status, back.location]).toEqual([303, `${STEP_1}${carried}`]);
    const first = await client.get(back.location as string);
    expect(field(first.text, "email").value).toBe(email);
    expect(field(first.text, "password").value).toBe("");

    const other = newEmail();
    await client.submit(`${STEP_1}${carried}`, "Next: Verify Riot Account", { email: other, password: GOOD_PASSWORD });
    const second = await client.get(`${STEP_2}${carried}`);
    expect(field(second.text, "gameName").value).toBe(gameName);
    expect(field(second.text, "region").value).toBe("asia");
    const done = await client.submit(`${STEP_2}${carried}`, "Complete Signup");
    expect(done.location).toBe("/dashboard/profile");
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
    expect(await recordsIn(app).accountOf({ email: other })).toBeDefined();
  });

  test("keeps the text typed into step 2 when the player goes back before verifying", async () => {
    const client = await newClientAtStep2(app);
    await client.submit(STEP_2, "Back", { gameName: "Half a na", tagLine: "E" });
    const second = await client.get(STEP_2);
    expect(field(second.text, "gameName").value).toBe("Half a na");
    expect(field(second.text, "tagLine").value).toBe("E");
  });

  test.each([
    ["too short", "12345", "Use at least 6 characters."],
    ["too common", "password123", /Too common and easy to guess/],
    ["too common in capitals", "PASSWORD1", /Too common and easy to guess/],
    ["one character over and over", "zzzzzzzzzz", "Don't just repeat one character. Pick another."],
    ["the address itself", "weak-player@lineup.test", "Don't use your email address. Pick another."],
    ["the name in the address", "weak-player", "Don't use your email address. Pick another."],
    ["too long", "x1".repeat(101), "This password is 2 characters too long. The limit is 200."],
    ["missing", "", "Enter a password."],
  ])("refuses a password that is %s, with the reason, and keeps the address", async (_, password, reason) => {
    const answer = await app.client().submit(STEP_1, "Next: Verify Riot Account", {
      email: "weak-player@lineup.test",
      password,
    });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "password").invalid).toBe(true);
    expect(field(answer.text, "password").description).toMatch(reason);
    expect(field(answer.text, "password").value).toBe("");
    expect(field(answer.text, "email")).toMatchObject({ value: "weak-player@lineup.test", invalid: false });
    if (password.length > 11) expect(textOf(answer.text)).not.toContain(password);
    expect(announcements(answer.text).at(-1)).toMatch(/^Error creating account /);
    expect(await pendingOf(app, "weak-player@lineup.test")).toEqual([]);
  });

  test("accepts six uncommon characters, emoji and any script as a password", async () => {
    for (const password of ["k7#q2v", "🐈‍⬛🌙🎮", "длинный пароль"]) await completeStep1(app, newEmail(), password);
  });

  test.each([
    ["", "Enter your email address."],
    ["   ", /./],
    ["nobody", /^Enter a full email address/],
    ["two@@lineup.test", /^Enter a full email address/],
    [`${"a".repeat(250)}@lineup.test`, "This email address is 8 characters too long. The limit is 254."],
    ["<img src=x>@lineup.test", /^Enter a full email address/],
    ["a\u0000b@lineup.test", /^Enter a full email address/],
    ["a\nb@lineup.test", /^Enter a full email address/],
    ["🐈@lineup.test", /^Enter a full email address/],
  ])("refuses the address %j at the field and keeps it", async (email, reason) => {
    const answer = await app.client().post(STEP_1, { intent: "next", email, password: GOOD_PASSWORD });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "email").invalid).toBe(true);
    expect(field(answer.text, "email").description).toMatch(reason);
    expect(answer.text).not.toContain("<img src=x>");
    expect(answer.text).not.toContain(GOOD_PASSWORD);
  });

  test("refuses fields that are sent twice, as files, or not at all", async () => {
    const twice = await app.client().post(STEP_1, {
      intent: "next",
      email: ["a@lineup.test", "b@lineup.test"],
      password: [GOOD_PASSWORD, GOOD_PASSWORD],
    });
    expect(twice.status).toBe(400);
    const files = new FormData();
    files.set("intent", "next");
    files.set("email", new Blob(["a@lineup.test"]), "email.txt");
    files.set("password", new Blob([GOOD_PASSWORD]), "password.txt");
    const file = await app.client().request(STEP_1, { method: "POST", body: files });
    expect(file.status).toBe(400);
    expect(field(file.text, "email").invalid).toBe(true);
    expect((await app.client().post(STEP_1, { intent: "next" })).status).toBe(400);
  });

  test("says that an address has an account, in any letter case", async () => {
    const answer = await app.client().post(STEP_1, {
      intent: "next",
      email: "PLAYER1@Example.com",
      password: GOOD_PASSWORD,
    });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "email")).toMatchObject({
      invalid: true,
      description: "This email address already has an account. Sign in instead.",
    });
    expect(await recordsIn(app).emailsTo("player1@example.com")).toEqual([]);
  });

  test("can't take an address that was taken between the steps, and its owner gets an email", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    const owner = await addPlayer(app, { email });
    const answer = await complete(client);
    expect([answer.status, answer.location]).toEqual([303, STEP_1]);
    expect(announcements((await client.follow(answer)).text)).toContain(
      "Error creating account This email address already has an account. Sign in instead.",
    );
    expect((await recordsIn(app).accountOf({ email }))?.id).toBe(owner.id);
    expect(await isSignedIn(client)).toBe(false);
    expect((await app.readEmail(email)).subject).toBe("You already have a Lineup account");
    await signIn(app.client(), email);
  });

  test("ends another session in that browser only if it succeeds", async () => {
    for (const isTaken of [true, false]) {
      const email = newEmail();
      const gameName = newName();
      const client = await verifyAccount(app, email, gameName);
      const { id } = await addPlayer(app, isTaken ? { email } : {});
      client.cookies.set("lineup_session", (await openSession(app, id)).cookie);
      const fields = { intent: "complete", gameName, tagLine: "EUW", region: "americas" };
      expect((await client.post(STEP_2, fields)).location).toBe(isTaken ? STEP_1 : "/dashboard");
      expect(await isSignedIn(client)).toBe(true);
      expect(await app.db.$count(sessions, eq(sessions.userId, id))).toBe(isTaken ? 1 : 0);
    }
  });

  test.each([
    ["Missing", "Missing Person", 404, "gameName", /^Riot has no account with this game name and tag/],
    ["Limited", "Limited Edition", 429, null, /^Riot is busy/],
    ["Broken", "Broken Arrow", 503, null, /^Riot isn't answering right now/],
    ["Garbled", "Garbled Words", 503, null, /^Riot isn't answering right now/],
  ])("reports the stand-in's failure “%s” and keeps the entered values", async (_, gameName, status, at, sentence) => {
    const client = await newClientAtStep2(app);
    const answer = await client.submit(STEP_2, "Verify", { gameName, tagLine: "K1ND", region: "asia" });
    expect(answer.status).toBe(status);
    expect(field(answer.text, "gameName").value).toBe(gameName);
    expect(field(answer.text, "tagLine").value).toBe("K1ND");
    expect(field(answer.text, "region").value).toBe("asia");
    if (at) {
      expect(field(answer.text, at).invalid).toBe(true);
      expect(field(answer.text, at).description).toMatch(sentence);
    } else {
      expect(announcements(answer.text)[0]).toMatch(sentence);
      expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect(
      announcements(answer.text)
        .at(-1)
        ?.replace(/^Verification failed /, ""),
    ).toMatch(sentence);
    expect(hasButton(answer, "Complete Signup")).toBe(false);
    expect(hasButton(await client.get(STEP_2), "Complete Signup")).toBe(false);
    const again = await client.submit(STEP_2, "Verify", { gameName: newName(), tagLine: "K1ND" });
    expect(again.status).toBe(303);
  });

  test.each([
    ["a missing name", { gameName: "", tagLine: "" }, "gameName", "Enter your game name."],
    ["a missing tag", { gameName: "Somebody", tagLine: "" }, "tagLine", "Enter the tag, the part after the #."],
    ["a short name", { gameName: "ab", tagLine: "EUW" }, "gameName", "A game name has 3 to 16 characters."],
    [
      "a long name",
      { gameName: "x".repeat(17), tagLine: "EUW" },
      "gameName",
      "This game name is 1 character too long. The limit is 16.",
    ],
    ["a name in markup", { gameName: "<b>hi</b>", tagLine: "EUW" }, "gameName", /^Use only letters, digits, spaces/],
    [
      "a control character",
      { gameName: "Some\u0007body", tagLine: "EUW" },
      "gameName",
      /^Use only letters, digits, spaces/,
    ],
    ["an emoji", { gameName: "Cat 🐈 Cat", tagLine: "EUW" }, "gameName", /^Use only letters, digits, spaces/],
    [
      "a long tag",
      { gameName: "Somebody", tagLine: "EUWEST" },
      "tagLine",
      "This tag is 1 character too long. The limit is 5.",
    ],
    ["a path as tag", { gameName: "Somebody", tagLine: "../.." }, "tagLine", "A tag has 3 to 5 letters or digits."],
    [
      "an unknown region",
      { gameName: "Somebody", tagLine: "EUW", region: "mars" },
      "region",
      "Choose Americas, Europe or Asia.",
    ],
  ])("refuses %s at its field without asking Riot", async (_, fields, at, sentence) => {
    const client = await newClientAtStep2(app);
    app.riot.requests.length = 0;
    const answer = await client.post(STEP_2, { intent: "verify", region: "americas", ...fields });
    expect(answer.status).toBe(400);
    expect(field(answer.text, at).invalid).toBe(true);
    expect(field(answer.text, at).description).toMatch(sentence);
    expect(field(answer.text, "gameName").value).toBe(fields.gameName);
    expect(app.riot.requests).toEqual([]);
  });

  test("verifies again if the name is changed after a successful verification", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    const other = newName();
    const changed = { intent: "complete", gameName: other, tagLine: "EUW", region: "americas" };
    const answer = await client.post(STEP_2, changed);
    expect(answer.location).toBe(STEP_2);
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
    expect(textOf((await client.get(STEP_2)).text)).toContain(`We found ${other}#EUW`);

    const missing = await client.post(STEP_2, { ...changed, gameName: "Missing Person" });
    expect(missing.status).toBe(404);
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
    expect(hasButton(missing, "Complete Signup")).toBe(false);

    await client.post(STEP_2, changed);
    const elsewhere = await client.post(STEP_2, { ...changed, region: "asia" });
    expect(elsewhere.location).toBe(STEP_2);
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
    expect((await client.post(STEP_2, { ...changed, region: "asia" })).location).toBe("/dashboard");
    expect((await recordsIn(app).profileOf({ email })).riotGameName).toBe(other);
  });

  test("can't be completed without a verified Riot account, whatever the input", async () => {
    const email = newEmail();
    const client = await newClientAtStep2(app, email);
    const forged = {
      intent: "complete",
      gameName: "Missing Person",
      tagLine: "EUW",
      region: "europe",
      accountData: JSON.stringify({ puuid: "x", gameName: "Missing Person", tagLine: "EUW", region: "europe" }),
    };
    expect((await client.post(STEP_2, forged)).status).toBe(404);
    expect((await client.post(STEP_2, { intent: "complete" })).status).toBe(400);
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
  });

  test("creates one account when `Complete Signup` is pressed three times at once", async () => {
    const email = newEmail();
    const gameName = newName();
    const client = await verifyAccount(app, email, gameName);
    const fields = { intent: "complete", gameName, tagLine: "EUW", region: "americas" };
    const answers = await Promise.all([1, 2, 3].map(() => client.post(STEP_2, fields)));
    for (const { status } of answers) expect(status).toBe(303);
    expect(await app.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
    expect((await recordsIn(app).profileOf({ email })).riotPuuid).toBe(standInPuuid(gameName, "EUW"));
    expect(await isSignedIn(client)).toBe(true);
  });

  test("succeeds when `Complete Signup` is pressed again before the first response has arrived", async () => {
    const email = newEmail();
    const gameName = newName();
    const client = await verifyAccount(app, email, gameName);
    const impatient = app.client();
    impatient.cookies.set("lineup_signup", client.cookies.get("lineup_signup") as string);
    const fields = { intent: "complete", gameName, tagLine: "EUW", region: "americas" };
    expect((await client.post(STEP_2, fields)).location).toBe("/dashboard");
    const second = await impatient.post(STEP_2, fields);
    expect([second.status, second.location]).toEqual([303, "/dashboard"]);
    expect(await isSignedIn(impatient)).toBe(true);
    expect(await app.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
    // A completed sign-up can't be changed any more.
    expect((await impatient.post(STEP_2, { ...fields, intent: "verify", gameName: newName() })).status).toBeLessThan(
      500,
    );
    expect((await recordsIn(app).profileOf({ email })).riotGameName).toBe(gameName);
  });

  test("keeps the form after timing out, and starts again at step 1 with the Riot ID kept for step 2", async () => {
    const email = newEmail();
    const gameName = newName();
    const client = await verifyAccount(app, email, gameName);
    await app.db
      .update(pendingSignups)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(pendingSignups.email, email));
    expect((await client.get(STEP_2)).location).toBe(STEP_1);
    for (const intent of ["verify", "complete"]) {
      const answer = await client.post(STEP_2, { intent, gameName, tagLine: "EUW", region: "americas" });
      expect(answer.status).toBe(410);
      expect(announcements(answer.text)).toContain(
        "Error creating account This sign-up has timed out or is already finished. We've kept your Riot ID for step two.",
      );
      expect(field(answer.text, "gameName").value).toBe(gameName);
      expect(links(answer.text)).toContainEqual({ text: "Start Again", href: STEP_1 });
    }
    const typed = { gameName: `${gameName}!`, tagLine: "KEPT", region: "asia" };
    for (const intent of ["verify", "back"]) {
      const late = app.client();
      const refused = await late.post(STEP_2, { intent, ...typed });
      if (intent === "back") expect(refused.location).toBe(STEP_1);
      else for (const [name, value] of Object.entries(typed)) expect(field(refused.text, name).value).toBe(value);
      expect((await late.get(STEP_2)).location).toBe(STEP_1);
      await late.submit(STEP_1, "Next: Verify Riot Account", { email: newEmail(), password: GOOD_PASSWORD });
      const second = await late.get(STEP_2);
      for (const [name, value] of Object.entries(typed)) expect(field(second.text, name).value, intent).toBe(value);
      expect(hasButton(second, "Complete Signup")).toBe(false);
    }
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
  });

  test("can't be continued by another browser", async () => {
    const email = newEmail();
    const gameName = newName();
    await verifyAccount(app, email, gameName);
    const [pending] = await pendingOf(app, email);
    for (const cookie of ["made-up", pending?.id as string, "", "'; DROP TABLE users; --"]) {
      const stranger = app.client();
      stranger.cookies.set("lineup_signup", encodeURIComponent(cookie));
      expect((await stranger.get(STEP_2)).location).toBe(STEP_1);
      const fields = { intent: "complete", gameName, tagLine: "EUW", region: "americas" };
      expect((await stranger.post(STEP_2, fields)).status).toBe(410);
    }
    expect(await recordsIn(app).accountOf({ email })).toBeUndefined();
  });

  test("with a Riot ID that another player has says so, succeeds unverified, and the log says why", async () => {
    const gameName = newName();
    const [first, second] = [newEmail(), newEmail()];
    await complete(await verifyAccount(app, first, gameName));
    const before = logged(app, "Failed to link Riot account after signup").length;
    // The same account, written differently and looked up in another region.
    const client = await newClientAtStep2(app, second);
    const asked = { gameName: gameName.toUpperCase(), tagLine: "euw", region: "asia" };
    const found = await verify(client, asked);
    const step2 = await client.follow(found);
    expect(announcements(step2.text).filter((said) => said.startsWith("Riot account verified!"))).toEqual([]);
    expect(textOf(step2.text)).toContain(
      `Account Verified! We found ${asked.gameName}#euw at Riot (Asia), but another player here holds this Riot account. You can still sign up, without the Verified mark. If the account is yours, sign up and then link it with Riot Sign-On under Settings, Linked Accounts. Otherwise enter another Riot account.`,
    );
    expect(hasButton(step2, "Complete Signup")).toBe(true);
    const done = await complete(client);
    expect(done.location).toBe("/dashboard");
    const dashboard = await client.follow(done);
    expect(textOf(select(dashboard.text, "header"))).not.toContain("Verified");
    expect(textOf(dashboard.text)).toContain(
      `Another player holds ${asked.gameName}#euw , so you don't have the Verified mark. Verify your account`,
    );
    expect(links(dashboard.text)).toContainEqual({
      text: "Verify your account",
      href: "/dashboard/profile#account-verification",
    });
    expect(await recordsIn(app).profileOf({ email: second })).toMatchObject({ riotPuuid: null, riotVerifiedAt: null });
    expect((await recordsIn(app).profileOf({ email: first })).riotPuuid).toBe(standInPuuid(gameName, "EUW"));
    const lines = await eventually(() => {
      const found = logged(app, "Failed to link Riot account after signup").slice(before);
      return found.length > 0 ? found : undefined;
    });
    expect(lines).toHaveLength(1);
    const profile = await client.get("/dashboard/profile");
    expect(textOf(profile.text)).toContain(
      `Another player has ${asked.gameName}#euw So you can't verify this Riot account. If it's yours, link it with Riot Sign-On . Otherwise verify another Riot account.`,
    );
    expect(links(profile.text)).toContainEqual({
      text: "link it with Riot Sign-On",
      href: "/dashboard/settings/linked-accounts",
    });
    expect(roundTrips(profile)).toBe(1);
    // The holder's profile shows no such notice.
    const holder = await signIn(app.client(), first, GOOD_PASSWORD);
    expect((await holder.get("/dashboard/profile")).text).not.toContain("Another player has");
  });

  test("with a Riot account proven by Riot Sign-On shows nothing about an earlier claimant", async () => {
    const user = newRiotUser(app);
    const { client: claimant } = await newVisitor(app);
    await claimant.submit("/dashboard/profile", "Verify", { ...user, region: "europe" });
    const client = app.client();
    await completeOAuth(client, "riot", user.key);
    await client.post(STEP_1, { intent: "next", email: newEmail(), password: GOOD_PASSWORD });
    const step2 = await client.get(STEP_2);
    expect(textOf(step2.text)).toContain(`We found ${user.riotId} at Riot (Americas). That shows the account exists.`);
    await complete(client);
    expect((await client.get("/dashboard/profile")).text).not.toContain("Another player has");
  });

  test("with one Riot ID from two browsers at the same time verifies exactly one of them", async () => {
    const gameName = newName();
    const emails = [newEmail(), newEmail()];
    const clients = await Promise.all(emails.map((email) => verifyAccount(app, email, gameName)));
    const answers = await Promise.all(clients.map(complete));
    for (const { location } of answers) expect(location).toBe("/dashboard");
    const claims = await Promise.all(
      emails.map(async (email) => (await recordsIn(app).profileOf({ email })).riotPuuid ?? null),
    );
    expect(claims.filter(Boolean)).toEqual([standInPuuid(gameName, "EUW")]);
  });

  test("is not offered to signed-in players", async () => {
    const { client } = await newVisitor(app);
    expect((await client.get(STEP_1)).location).toBe("/");
  });

  test("claims a Riot account for 7 days, and for good if the email is confirmed by then", async () => {
    const gameName = newName();
    const [early, confirmed, late] = [newEmail(), newEmail(), newEmail()];
    await complete(await verifyAccount(app, early, gameName));
    await complete(await verifyAccount(app, confirmed));
    await app.client().get((await app.readEmail(confirmed)).link as string);
    const lapsing = await recordsIn(app).profileOf({ email: early });
    const lapsesAt = lapsing?.riotClaimLapsesAt?.getTime() ?? 0;
    expect(Math.abs(lapsesAt - Date.now() - 7 * DAY)).toBeLessThan(60_000);

    const setLapse = (at: Date) =>
      app.db
        .update(profiles)
        .set({ riotClaimLapsesAt: at })
        .where(eq(profiles.userId, lapsing?.userId ?? ""));
    await setLapse(new Date(Date.now() + 60_000));
    await app.runScheduled();
    expect((await recordsIn(app).profileOf({ email: early })).riotPuuid).toBe(standInPuuid(gameName, "EUW"));
    await setLapse(new Date(Date.now() - 1));
    await app.runScheduled();
    expect(await recordsIn(app).profileOf({ email: early })).toMatchObject({
      riotPuuid: null,
      riotVerifiedAt: null,
      lastRankSync: null,
    });
    expect((await recordsIn(app).profileOf({ email: confirmed })).riotPuuid).not.toBeNull();

    await complete(await verifyAccount(app, late, gameName));
    expect((await recordsIn(app).profileOf({ email: late })).riotPuuid).toBe(standInPuuid(gameName, "EUW"));
  });
});

describe("signing up where the address must be confirmed", async () => {
  // A proxy between the Worker and the database that counts the requests.
  const { proxy, appOptions } = await startWatchedDatabase();
  const app = useApp({ world: "demo", confirmEmail: true, emailProvider: true, ...appOptions });

  test("sends the email for a click that arrives as the sign-up's hour ends", async () => {
    const email = newEmail();
    const client = await completeStep1(app, email, GOOD_PASSWORD);
    await verify(client, { gameName: newName(), tagLine: "EUW" });
    // The browser counts the hour from the response to step 1, so a click can arrive shortly after the server's hour.
    await app.db
      .update(pendingSignups)
      .set({ expiresAt: sql`${pendingSignups.expiresAt} - ${HOUR + 5_000}` })
      .where(eq(pendingSignups.email, email));
    expect((await complete(client)).location).toBe(STEP_1);
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
  });

  test("opens no session, starts the wizard over, and lets the player sign in after opening the link", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    const done = await complete(client);
    expect([done.status, done.location]).toEqual([303, STEP_1]);
    const page = await client.follow(done);
    expect(announcements(page.text)).toContain(
      "Account created successfully! Please check your email to verify your account.",
    );
    expect(field(page.text, "email").value).toBe("");
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(client.cookies.has("lineup_signup")).toBe(false);
    const account = await recordsIn(app).accountOf({ email });
    expect(
      await app.db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, account?.id ?? "")),
    ).toEqual([]);

    const mail = await app.readEmail(email);
    const sent = app.emailProvider?.delivered.find(({ to }) => to === email);
    expect(sent).toMatchObject({ from: "Lineup <no-reply@lineup.example>", idempotencyKey: expect.any(String) });
    const refused = await client.post("/auth", { email, password: GOOD_PASSWORD });
    expect(refused.status).toBe(400);

    const confirmed = await client.get(mail.link as string);
    expect(confirmed.location).toBe("/auth");
    expect(announcements((await client.follow(confirmed)).text)).toContain(
      "Email confirmed Thank you. You can sign in now.",
    );
    expect(client.cookies.has("lineup_session")).toBe(false);
    await signIn(client, email, GOOD_PASSWORD);
  });

  test("leads from the page for the code to the sign-in once the code has run out, and says why", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await complete(client);
    const { code } = await app.readEmail(email);
    await app.db
      .update(verifications)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(verifications.email, email));
    const page = "/auth/confirm?redirectTo=%2Fdashboard%2Fprofile";
    for (const fields of [null, { intent: "again" }, { intent: "enter", code }]) {
      const answer = await (fields ? client.post(page, fields) : client.get(page));
      expect(answer.location).toBe("/auth?redirectTo=%2Fdashboard%2Fprofile");
      expect(announcements((await client.follow(answer)).text)).toContain(
        "Error confirming your email This browser has no code that still works. Sign in to get a new one.",
      );
    }
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
  });

  test("keeps redirectTo through the email, if it is a path of the site", async () => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await client.submit(`${STEP_2}&redirectTo=%2Fdashboard%2Fprofile`, "Complete Signup");
    const { link } = await app.readEmail(email);
    const confirmed = await client.get(link as string);
    expect(confirmed.location).toBe("/auth?redirectTo=%2Fdashboard%2Fprofile");
    const forged = new URL(link as string, app.url);
    forged.searchParams.set("redirectTo", "//evil.example");
    // A mail scanner may open the link first, so it leads there each time.
    expect((await client.get(forged.pathname + forged.search)).location).toBe(confirmed.location);
  });

  test("doesn't reveal that an address has an account, but emails its owner, who keeps their password", async () => {
    const owner = await addPlayer(app);
    const walk = async (email: string) => {
      const client = app.client();
      const gameName = newName();
      const answers = [
        await client.post(STEP_1, { intent: "next", email, password: GOOD_PASSWORD }),
        await client.get(STEP_2),
        await verify(client, { gameName, tagLine: "EUW" }),
        await client.get(STEP_2),
        await complete(client),
      ];
      answers.push(await client.follow(answers.at(-1) as HttpResponse));
      return answers.map(({ status, location, text, headers }) => ({
        status,
        location,
        headers: [...headers.keys()].sort(),
        text: text
          .replaceAll(email, "E-MAIL")
          .replaceAll(gameName, "NAME")
          .replace(/[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "RANDOM"),
      }));
    };
    const known = await walk(owner.email);
    const unknown = await walk(newEmail());
    expect(known).toEqual(unknown);
    const mail = await app.readEmail(owner.email);
    expect(mail.subject).toBe("You already have a Lineup account");
    expect(mail.link).toBe("/auth");
    await signIn(app.client(), owner.email, PASSWORD);
    expect((await recordsIn(app).profileOf({ email: owner.email })).riotPuuid).toBeNull();
  });

  test("claims the Riot account when the link is opened, for the first player who opens theirs", async () => {
    const gameName = newName();
    const [first, second] = [newEmail(), newEmail()];
    for (const email of [first, second]) await complete(await verifyAccount(app, email, gameName));
    for (const email of [first, second]) expect((await recordsIn(app).profileOf({ email })).riotPuuid).toBeNull();
    await app.client().get((await app.readEmail(second)).link as string);
    await app.client().get((await app.readEmail(first)).link as string);
    expect((await recordsIn(app).profileOf({ email: second })).riotPuuid).toBe(standInPuuid(gameName, "EUW"));
    expect(await recordsIn(app).profileOf({ email: second })).toMatchObject({
      riotVerifiedAt: expect.any(Date),
      riotClaimLapsesAt: null,
    });
    expect((await recordsIn(app).profileOf({ email: first })).riotPuuid).toBeNull();
    await eventually(() => logged(app, "Failed to link Riot account after signup")[0]);
    // The player who opened theirs second can still sign in.
    await signIn(app.client(), first, GOOD_PASSWORD);
  });

  test.each(["link", "code"] as const)(
    "confirms and claims in one transaction and two round trips, so a %s works again if the database fails",
    async (way) => {
      const [email, gameName] = [newEmail(), newName()];
      const client = await verifyAccount(app, email, gameName);
      await complete(client);
      const { link, code } = await app.readEmail(email);
      const confirm = () =>
        way === "link" ? client.get(link as string) : client.post("/auth/confirm", { code: code as string });
      const { userId } = await recordsIn(app).profileOf({ email });
      await app.db.run(
        sql.raw(`CREATE TRIGGER no_claim BEFORE UPDATE OF riot_puuid ON profiles WHEN NEW.user_id = '${userId}'
          BEGIN SELECT RAISE(ABORT, 'broken'); END`),
      );
      await confirm();
      await app.db.run(sql`DROP TRIGGER no_claim`);
      expect(await recordsIn(app).accountOf({ email })).toMatchObject({ emailConfirmedAt: null });
      proxy.clear();
      const confirmed = await confirm();
      expect(proxy.posts).toBe(2);
      expect(announcements((await client.follow(confirmed)).text).join()).toContain("Email confirmed");
      expect((await recordsIn(app).profileOf({ email })).riotPuuid).toBe(standInPuuid(gameName, "EUW"));
    },
  );

  for (const [way, page, fields] of [
    ["a sign-in by emailed code", "/auth/code", { intent: "enter" }],
    ["a password reset", "/auth/forgot-password", { password: "another password of mine" }],
  ] as const) {
    test(`claims no Riot account by ${way}, because a stranger may have signed up with the address`, async () => {
      const email = newEmail();
      await complete(await verifyAccount(app, email));
      await app.readEmail(email);
      const owner = app.client();
      await owner.post(page, { intent: "send", email });
      const { code } = await eventually(async () => {
        const mail = await app.readEmail(email);
        return /confirm/i.test(mail.subject) ? undefined : mail;
      });
      const goal = page === "/auth/code" ? `${page}?step=2` : "/auth/reset-password";
      expect((await owner.post(goal, { ...fields, code })).location).toBe("/dashboard");
      expect((await recordsIn(app).accountOf({ email }))?.emailConfirmedAt).not.toBeNull();
      expect(await recordsIn(app).profileOf({ email })).toMatchObject({ riotPuuid: null, riotVerifiedAt: null });
    });
  }
});

describe("a confirmation email", () => {
  const app = useApp({
    confirmEmail: true,
    emailProvider: true,
    limitFactor: 1,
    bindings: { RATE_LIMITS: "signIn=1000/60,riotLookup=1000/60,verificationEmail=1000/3600" },
  });

  test("is sent again to a player who knows the password, five times an hour in all", async () => {
    const email = newEmail();
    await complete(await verifyAccount(app, email));
    const first = await app.readEmail(email);
    const attempt = (password: string) => app.client().post("/auth", { email, password });
    expect((await attempt("not the password")).status).toBe(400);
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
    for (let sent = 2; sent <= 5; sent += 1) {
      const answer = await attempt(GOOD_PASSWORD);
      expect(answer.status).toBe(400);
      expect(announcements(answer.text).at(-1)).toMatch(/We've just sent it again\.$/);
      expect(await recordsIn(app).emailsTo(email)).toHaveLength(sent);
    }
    expect(announcements((await attempt(GOOD_PASSWORD)).text).at(-1)).toMatch(/open the link we sent you\.$/);
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(5);
    const texts = await eventually(() => {
      const sent = app.emailProvider?.delivered.filter(({ to }) => to === email) ?? [];
      return sent.length === 5 ? new Set(sent.map(({ text }) => text)) : undefined;
    });
    expect(texts.size).toBe(5);
    // The first link is still valid.
    expect((await app.client().get(first.link as string)).location).toBe("/auth");
    await signIn(app.client(), email, GOOD_PASSWORD);
  });
});

describe.each([
  [
    "where the address must be confirmed",
    true,
    "In 12 minutes, sign in and we'll send you the link that confirms your address.",
  ],
  ["where it needn't be", false, "In 12 minutes you can ask for the link that confirms your address in your settings."],
])("signing up after too many emails, %s", (_, confirmEmail, advice) => {
  const app = useApp({ confirmEmail, emailProvider: true });

  /**
   * A network that has asked for this many emails in the last hour. The limit of an IP address is 20 000 here, a
   * thousand times the product's, and shared by everyone on that network.
   */
  async function newNetwork(count: number) {
    const address = newAddress();
    const key = `verificationEmail:${address["CF-Connecting-IP"]}`;
    await app.db.insert(rateLimits).values({ key, count, windowEndsAt: new Date(Date.now() + 12 * MINUTE) });
    return { address, key };
  }

  /** A new address and, where the response could reveal that an address has an account, one that has one. */
  const newEmails = async () => [newEmail(), ...(confirmEmail ? [(await addPlayer(app)).email] : [])];

  /** Presses `Complete Signup` twice, the second time before the first response has arrived. Returns both toasts. */
  async function completeTwice(email: string, address: Record<string, string>, between = async () => {}) {
    const gameName = newName();
    const client = await verifyAccount(app, email, gameName);
    const impatient = app.client();
    impatient.cookies.set("lineup_signup", client.cookies.get("lineup_signup") as string);
    const fields = { intent: "complete", gameName, tagLine: "EUW", region: "americas" };
    const toastOf = async (one: Client) => {
      const { text } = await one.follow(await one.post(STEP_2, fields, address));
      return announcements(text).find((toast) => toast.startsWith("Account created"));
    };
    const first = await toastOf(client);
    await between();
    return [first, await toastOf(impatient)];
  }

  test("says at both clicks that an email was sent, although only the first was within the limit", async () => {
    for (const email of await newEmails()) {
      const { address } = await newNetwork(19_999);
      const sent = "Account created successfully! Please check your email to verify your account.";
      expect(await completeTwice(email, address)).toEqual([sent, sent]);
      expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
    }
  });

  test("says at both clicks that no email was sent, although the limit had ended before the second", async () => {
    for (const email of await newEmails()) {
      const { address, key } = await newNetwork(20_000);
      const endLimit = async () => void (await app.db.delete(rateLimits).where(eq(rateLimits.key, key)));
      const withheld = `Account created successfully! We can't email you at the moment. ${advice}`;
      expect(await completeTwice(email, address, endLimit)).toEqual([withheld, withheld]);
      expect(await recordsIn(app).emailsTo(email)).toEqual([]);
    }
  });

  test("says when to get the confirmation email, instead of telling the player to look for it", async () => {
    const { address } = await newNetwork(20_000);
    // A known address gets the same response.
    for (const email of await newEmails()) {
      const gameName = newName();
      const client = await verifyAccount(app, email, gameName);
      const fields = { intent: "complete", gameName, tagLine: "EUW", region: "americas" };
      const done = await client.post(STEP_2, fields, address);
      expect(client.cookies.has("lineup_code_confirm_email")).toBe(false);
      expect(announcements((await client.follow(done)).text)).toContain(
        `Account created successfully! We can't email you at the moment. ${advice}`,
      );
      expect(await recordsIn(app).emailsTo(email)).toEqual([]);
    }
  });
});

describe("the link of a confirmation email", () => {
  const app = useApp({ confirmEmail: true });

  async function unconfirmed(): Promise<{ email: string; link: string; token: string }> {
    const email = newEmail();
    await complete(await verifyAccount(app, email));
    const link = (await app.readEmail(email)).link as string;
    return { email, link, token: new URL(link, app.url).searchParams.get("token") as string };
  }
  const isConfirmed = async (email: string) => (await recordsIn(app).accountOf({ email }))?.emailConfirmedAt != null;
  const NO_GOOD = "This link doesn't work any more It's too old, or wasn't copied in full. Open our latest email.";

  test("does nothing on a prefetch or a HEAD, confirms when opened, and says so again when opened again", async () => {
    const { email, link } = await unconfirmed();
    for (const headers of PREFETCHES) {
      expect((await app.client().get(link, headers)).status).toBe(302);
    }
    await app.client().request(link, { method: "HEAD" });
    expect(await isConfirmed(email)).toBe(false);
    const client = app.client();
    const opened = await client.get(link);
    expect(await isConfirmed(email)).toBe(true);
    const at = (await recordsIn(app).accountOf({ email }))?.emailConfirmedAt;
    expect(announcements((await client.follow(opened)).text)).toContain(
      "Email confirmed Thank you. You can sign in now.",
    );
    // If a mail program has opened the link already, the player is still told that the address is confirmed.
    const again = await app.client().get(link);
    expect(again.location).toBe(opened.location);
    const later = app.client();
    expect(announcements((await later.follow(await later.get(link))).text)).toContain(
      "Email already confirmed Thank you. You can sign in now.",
    );
    expect((await recordsIn(app).accountOf({ email }))?.emailConfirmedAt).toEqual(at);
    expect(await app.db.select().from(sessions)).toEqual([]);
  });

  test.each<[string, (client: Client, email: { link: string; code: string }) => Promise<HttpResponse>]>([
    ["opens the code's page", (client) => client.get("/auth/confirm")],
    ["asks for another email", (client) => client.post("/auth/confirm", { intent: "again" })],
    ["enters the code", (client, { code }) => client.post("/auth/confirm", { code })],
    ["opens the link, too", (client, { link }) => client.get(link)],
  ])("leads a player who has opened it elsewhere to the sign-in when the sign-up's browser %s", async (_, goOn) => {
    const email = newEmail();
    const client = await verifyAccount(app, email);
    await client.submit(`${STEP_2}&redirectTo=%2Fdashboard%2Fprofile`, "Complete Signup");
    const { link = "", code = "" } = await app.readEmail(email);
    await app.client().get(link);

    let answer = await goOn(client, { link, code });
    if (answer.location === "/auth/confirm") answer = await client.get(answer.location);
    expect([answer.status, answer.location]).toEqual([303, "/auth?redirectTo=%2Fdashboard%2Fprofile"]);
    const { text } = await client.follow(answer);
    expect(announcements(text)).toContain("Email already confirmed Thank you. You can sign in now.");
    expect(textOf(text)).not.toContain("You have an email from us.");
    expect(await recordsIn(app).emailsTo(email)).toHaveLength(1);
  });

  test("is worthless when it is forged, cut or empty", async () => {
    const { email, token } = await unconfirmed();
    const client = app.client();
    for (const forged of [
      "",
      "x",
      token.slice(0, -1),
      `${token}A`,
      hashToken(token),
      "%",
      "' OR 1=1 --",
      "a".repeat(5_000),
    ]) {
      const answer = await client.get(`/auth/confirm?${new URLSearchParams({ token: forged })}`);
      expect(answer.location, forged).toBe("/auth");
      expect(announcements((await client.follow(answer)).text), forged).toContain(NO_GOOD);
    }
    expect((await client.get("/auth/confirm")).location).toBe("/auth");
    expect(await isConfirmed(email)).toBe(false);
  });

  test("is worthless after 10 minutes, and once the account has another address", async () => {
    const [old, moved] = [await unconfirmed(), await unconfirmed()];
    const row = await app.db
      .select()
      .from(verifications)
      .where(eq(verifications.linkHash, hashToken(old.token)))
      .get();
    expect(Math.abs((row?.expiresAt.getTime() ?? 0) - Date.now() - 10 * MINUTE)).toBeLessThan(MINUTE);
    await app.db
      .update(verifications)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(verifications.linkHash, hashToken(old.token)));
    const client = app.client();
    const answer = await client.get(old.link);
    expect(announcements((await client.follow(answer)).text)).toContain(NO_GOOD);
    expect(await isConfirmed(old.email)).toBe(false);

    const other = newEmail();
    await app.db.update(users).set({ email: other }).where(eq(users.email, moved.email));
    await app.client().get(moved.link);
    expect(await isConfirmed(other)).toBe(false);
  });

  test("confirms only its own account's address", async () => {
    const [one, two] = [await unconfirmed(), await unconfirmed()];
    await app.client().get(one.link);
    expect([await isConfirmed(one.email), await isConfirmed(two.email)]).toEqual([true, false]);
  });
});
