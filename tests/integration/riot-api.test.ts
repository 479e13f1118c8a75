import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { notifications, profiles, rateLimits, users } from "../../db/schema";
import { standInPuuid } from "../../scripts/local/stand-in-puuid";
import { useApp } from "../support/app";
import { type HttpResponse, signIn } from "../support/client";
import { links, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { addPlayer, DAY, HOUR, newAddress, newVisitor, openSession, unique, visitAs } from "./players";

const app = useApp();
const { profileOf } = recordsIn(app);
const API = "/riot-api/verify-account";

/** Sends a request as a program does: no cookies, no origin. */
const ask = (body: unknown, headers: Record<string, string> = {}) =>
  app.client().postJson(API, body, { Origin: "", ...headers });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Expects an error to contain a readable sentence, and no internals of Riot's or ours. */
function expectError(answer: HttpResponse, status: number, sentence: RegExp | string, name = "") {
  expect(answer.status, name).toBe(status);
  expect(answer.headers.get("Content-Type"), name).toMatch(/^application\/json/);
  const body = JSON.parse(answer.text);
  expect(Object.keys(body), name).toEqual(["error"]);
  expect(body.error, name).toMatch(sentence);
  expect(answer.text, name).not.toMatch(/local-riot-key|upstream|status_code|127\.0\.0\.1|localhost|\bat \w+ \(/);
}

describe("the verification API", () => {
  test("returns the account as Riot knows it, but tells a stranger no PUUID", async () => {
    const answer = await ask({ gameName: "Somebody Else", tagLine: "EUW", region: "europe" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text)).toEqual({
      gameName: "Somebody Else",
      tagLine: "EUW",
      region: "europe",
      linked: false,
    });
    expect(answer.text).not.toContain(standInPuuid("Somebody Else", "EUW"));
    expect(answer.text).not.toContain("local-riot-key");
    expect(answer.setCookie).toEqual([]);
  });

  test("uses the region in the request, and americas by default", async () => {
    app.riot.requests.length = 0;
    for (const region of ["americas", "europe", "asia", undefined])
      await ask({ gameName: "Somebody", tagLine: "EUW", region });
    expect(app.riot.requests.map((path) => path.split("/")[1])).toEqual(["americas", "europe", "asia", "americas"]);
  });

  test("encodes names of any script and with spaces for Riot", async () => {
    const names: [string, string][] = [
      ["Дмитрий Ковалёв", "ENTRY"],
      ["별하늘", "1004"],
      ["Ngọc Huyền", "2611"],
      ["  trimmed name ", "#EUW"],
      ["ren.aska_-x", "KR1"],
    ];
    for (const [gameName, tagLine] of names) {
      app.riot.requests.length = 0;
      const answer = await ask({ gameName, tagLine });
      const [name, tag] = [gameName.trim(), tagLine.replace("#", "")];
      expect(answer.status, gameName).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject({ gameName: name, tagLine: tag });
      expect(app.riot.requests.map(decodeURI)).toEqual([
        `/americas/riot/account/v1/accounts/by-riot-id/${name}/${tag}`,
      ]);
    }
    const combining = await ask({ gameName: "Ngọc Huyền".normalize("NFD"), tagLine: "2611" });
    expect(JSON.parse(combining.text).gameName).toBe("Ngọc Huyền");
  });

  const SHAPE = "Send JSON: gameName, tagLine and region.";
  test.each([
    ["text that isn't JSON", "gameName=x", SHAPE],
    ["half an object", '{"gameName":"Somebody"', SHAPE],
    ["an empty body", "", SHAPE],
    ["null", null, SHAPE],
    ["a list", [{ gameName: "Somebody", tagLine: "EUW" }], SHAPE],
    ["a number", 42, SHAPE],
    ["an empty object", {}, "Enter your game name."],
    ["a number as name", { gameName: 12345, tagLine: "EUW" }, "Enter your game name."],
    ["a list as name", { gameName: ["Somebody"], tagLine: "EUW" }, "Enter your game name."],
    ["an object as tag", { gameName: "Somebody", tagLine: { length: 3 } }, "Enter the tag, the part after the #."],
    ["null as tag", { gameName: "Somebody", tagLine: null }, "Enter the tag, the part after the #."],
    ["an empty name", { gameName: "   ", tagLine: "EUW" }, "A game name has 3 to 16 characters."],
    [
      "a name too long",
      { gameName: "x".repeat(17), tagLine: "EUW" },
      "This game name is 1 character too long. The limit is 16.",
    ],
    [
      "a name of 100 kB",
      { gameName: "x".repeat(100_000), tagLine: "EUW" },
      "This game name is 99,984 characters too long. The limit is 16.",
    ],
    [
      "a tag too long",
      { gameName: "Somebody", tagLine: "EUWEST" },
      "This tag is 1 character too long. The limit is 5.",
    ],
    ["control characters", { gameName: "Some\u0000body", tagLine: "EUW" }, /^Use only letters, digits, spaces/],
    ["line breaks", { gameName: "Some\r\nX-Evil: 1", tagLine: "EUW" }, /^Use only letters, digits, spaces/],
    ["a right-to-left override", { gameName: "Some\u202ebody", tagLine: "EUW" }, /^Use only letters, digits, spaces/],
    ["emoji", { gameName: "Some 🐈 body", tagLine: "EUW" }, /^Use only letters, digits, spaces/],
    ["markup", { gameName: "<b>body</b>", tagLine: "EUW" }, /^Use only letters, digits, spaces/],
    ["a path in the name", { gameName: "../../x", tagLine: "EUW" }, /^Use only letters, digits, spaces/],
    ["a path in the tag", { gameName: "Somebody", tagLine: "%2F.." }, "A tag has 3 to 5 letters or digits."],
    ["an unknown region", { gameName: "Somebody", tagLine: "EUW", region: "mars" }, "Choose Americas, Europe or Asia."],
    ["another host as region", { gameName: "Somebody", tagLine: "EUW", region: "x@evil.example/" }, /^Choose Americas/],
  ])("answers 400 to %s, and does not ask Riot", async (name, body, sentence) => {
    app.riot.requests.length = 0;
    expectError(await ask(body), 400, sentence, name);
    expect(app.riot.requests).toEqual([]);
  });

  test("accepts JSON only", async () => {
    const body = JSON.stringify({ gameName: "Somebody", tagLine: "EUW" });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "image/png",
    ]) {
      const answer = await ask(body, { "Content-Type": type });
      expect([400, 415], type).toContain(answer.status);
      expectError(answer, answer.status, SHAPE, type);
    }
    expect((await ask(body, { "Content-Type": "Application/JSON; charset=utf-8" })).status).toBe(200);
  });

  test("accepts POST only, and says so in JSON", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await app.client().request(API, { method });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("Allow"), method).toContain("POST");
      expect(JSON.parse(answer.text), method).toEqual({ error: expect.any(String) });
    }
  });

  test("answers 413 in JSON to a body that is too large", async () => {
    expectError(await ask({ gameName: "x".repeat(200_000), tagLine: "EUW" }), 413, /./);
  });

  test.each([
    ["an unknown account", "Missing Person", 404, /^Riot has no account with this game name and tag/, null, 1],
    ["a rate limit at Riot", "Limited Edition", 429, /^Riot is busy/, "2", 1],
    ["an outage at Riot", "Broken Arrow", 503, /^Riot isn't answering right now/, "30", 3],
    ["a garbled answer", "Garbled Words", 503, /^Riot isn't answering right now/, "30", 1],
  ])("explains %s, and retries only if a retry may help", async (...row) => {
    const [, gameName, status, sentence, retryAfter, tries] = row;
    app.riot.requests.length = 0;
    const answer = await ask({ gameName, tagLine: "EUW" });
    expectError(answer, status, sentence, gameName);
    expect(answer.headers.get("Retry-After")).toBe(retryAfter);
    expect(app.riot.requests).toHaveLength(tries);
  });

  test("waits at most 12 seconds for Riot", async () => {
    app.riot.requests.length = 0;
    const started = performance.now();
    const answer = await ask({ gameName: "Slow Answer", tagLine: "EUW" });
    expect(performance.now() - started).toBeLessThan(13_500);
    expectError(answer, 503, /^Riot isn't answering right now/);
    expect(answer.headers.get("Retry-After")).toBe("30");
    expect(app.riot.requests.length).toBeGreaterThan(1);
    expect(app.riot.requests.length).toBeLessThanOrEqual(3);
  });

  test("logs how Riot failed, but neither the key nor the name", async () => {
    await ask({ gameName: "Broken Heart", tagLine: "EUW" });
    const lines = app.logs.map(({ message }) => message).filter((line) => line.includes("Riot lookup failed"));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: "warn", riotStatus: 503, attempts: 3 }),
    );
    for (const { message } of app.logs) expect(message).not.toMatch(/local-riot-key|Broken Heart/);
  });
});

describe("the verification API with a bearer token", () => {
  test("links the account to the player of the session", async () => {
    const player = await addPlayer(app);
    const { cookie } = await openSession(app, player.id);
    const gameName = unique("Linked Name ");
    const answer = await ask({ gameName, tagLine: "EUW", region: "asia" }, bearer(cookie));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ gameName, linked: true });
    expect(await profileOf(player)).toMatchObject({
      riotId: `${gameName}#EUW`,
      riotRegion: "asia",
      riotPuuid: standInPuuid(gameName, "EUW"),
      riotVerifiedAt: expect.any(Date),
      lastRankSync: expect.any(Date),
      riotClaimLapsesAt: null,
    });
    const again = await ask({ gameName: gameName.toUpperCase(), tagLine: "euw" }, bearer(cookie));
    expect(JSON.parse(again.text)).toMatchObject({ linked: true });
  });

  test("accepts the session cookie's value as stored in the browser", async () => {
    const player = await addPlayer(app);
    const client = await signIn(app.client(), player.email);
    const token = client.cookies.get("lineup_session") as string;
    const answer = await ask({ gameName: "As It Stands", tagLine: "EUW" }, bearer(token));
    expect(JSON.parse(answer.text)).toMatchObject({ linked: true });
  });

  test("makes a claim of 7 days for a player with an unconfirmed email address", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null });
    const { cookie } = await openSession(app, player.id);
    await ask({ gameName: unique("Provisional "), tagLine: "EUW" }, bearer(cookie));
    const profile = await profileOf(player);
    expect(profile?.riotVerifiedAt).toBeInstanceOf(Date);
    expect(profile?.riotClaimLapsesAt?.getTime()).toBeGreaterThan(Date.now());
  });

  test("also makes a claim of 7 days for an old account, and the player is told when it lapses", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null });
    await app.db
      .update(users)
      .set({ createdAt: new Date(Date.now() - 8 * DAY) })
      .where(eq(users.id, player.id));
    const { cookie } = await openSession(app, player.id);
    const account = { gameName: unique("Late Claim "), tagLine: "EUW" };
    expect((await ask(account, bearer(cookie))).status).toBe(200);
    const lapsesAt = (await profileOf(player)).riotClaimLapsesAt?.getTime() ?? 0;
    expect(Math.abs(lapsesAt - Date.now() - 7 * DAY)).toBeLessThan(HOUR);
    // Verifying the same account again doesn't prolong the claim.
    await ask(account, bearer(cookie));
    expect((await profileOf(player)).riotClaimLapsesAt?.getTime()).toBe(lapsesAt);
    await app.runScheduled();
    expect((await profileOf(player)).riotVerifiedAt).toBeInstanceOf(Date);

    const lapsed = { riotClaimLapsesAt: new Date(Date.now() - 1) };
    await app.db.update(profiles).set(lapsed).where(eq(profiles.userId, player.id));
    await app.runScheduled();
    await app.runScheduled();
    expect(await profileOf(player)).toMatchObject({ riotPuuid: null, riotVerifiedAt: null });
    const news = await app.db.select().from(notifications).where(eq(notifications.userId, player.id));
    const riotId = `${account.gameName}#${account.tagLine}`;
    expect(news).toMatchObject([{ kind: "riot-claim", data: { riotId, hasLapsed: true, count: 1 } }]);
    const bell = await (await visitAs(app, player)).get("/dashboard/notifications");
    expect(textOf(bell.text)).toContain("You didn't confirm your email within 7 days.");
  });

  test("lets a player whose claim has lapsed verify again only once their email address is confirmed", async () => {
    const account = { gameName: unique("Kept Away "), tagLine: "EUW", region: "americas" };
    const { player, client } = await newVisitor(app, { emailConfirmedAt: null });
    const { cookie } = await openSession(app, player.id);
    expect((await ask(account, bearer(cookie))).status).toBe(200);
    const lapsed = { riotClaimLapsesAt: new Date(Date.now() - 1) };
    await app.db.update(profiles).set(lapsed).where(eq(profiles.userId, player.id));
    const refusal = "You didn't confirm your email within 7 days. Confirm it, then verify again.";
    // Before the cron ends the claim, the player can't prolong it either.
    expectError(await ask(account, bearer(cookie)), 409, refusal);
    expect(await profileOf(player)).toMatchObject(lapsed);
    await app.runScheduled();
    expectError(await ask(account, bearer(cookie)), 409, refusal);
    const form = await client.post("/dashboard/profile", { intent: "verify", ...account });
    expect(form.status).toBe(409);
    expect(textOf(form.text)).toContain(refusal);
    const confirm = "/auth/confirm?redirectTo=%2Fdashboard%2Fprofile";
    expect(links(form.text)).toContainEqual({ text: "Confirm your email", href: confirm });
    expect((await profileOf(player)).riotPuuid).toBeNull();

    await client.post("/auth/confirm", { intent: "again" });
    await client.get((await app.readEmail(player.email)).link as string);
    expect((await ask(account, bearer(cookie))).status).toBe(200);
    expect(await profileOf(player)).toMatchObject({
      riotPuuid: standInPuuid(account.gameName, "EUW"),
      riotClaimLapsesAt: null,
    });
  });

  test("answers 409 when another player has the account, and changes nothing", async () => {
    const gameName = unique("Taken Name ");
    const holder = await addPlayer(app);
    const other = await addPlayer(app);
    await ask({ gameName, tagLine: "EUW" }, bearer((await openSession(app, holder.id)).cookie));
    const before = await Promise.all([profileOf(holder), profileOf(other)]);
    const answer = await ask({ gameName, tagLine: "EUW" }, bearer((await openSession(app, other.id)).cookie));
    expectError(answer, 409, /^Another player here has this Riot account, so you can't verify it\./);
    expect(await Promise.all([profileOf(holder), profileOf(other)])).toEqual(before);
  });

  test("links one account to exactly one of three players who ask at the same time", async () => {
    const gameName = unique("Contested ");
    const players = await Promise.all([addPlayer(app), addPlayer(app), addPlayer(app)]);
    const sessions = await Promise.all(players.map(({ id }) => openSession(app, id)));
    const answers = await Promise.all(sessions.map(({ cookie }) => ask({ gameName, tagLine: "EUW" }, bearer(cookie))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const holders = await app.db
      .select()
      .from(profiles)
      .where(eq(profiles.riotPuuid, standInPuuid(gameName, "EUW")));
    expect(holders).toHaveLength(1);
  });

  test("leaves a verified Riot ID as it is", async () => {
    const player = await addPlayer(app);
    const { cookie } = await openSession(app, player.id);
    const gameName = unique("First Choice ");
    await ask({ gameName, tagLine: "EUW" }, bearer(cookie));
    const answer = await ask({ gameName: unique("Second Choice"), tagLine: "EUW" }, bearer(cookie));
    expectError(answer, 409, "Your profile is already linked to another Riot account.");
    expect((await profileOf(player)).riotGameName).toBe(gameName);
  });

  test("answers 401 to an invalid token, without asking Riot or linking anything", async () => {
    const player = await addPlayer(app);
    const good = await openSession(app, player.id);
    const expired = await openSession(app, player.id, { expiresAt: new Date(Date.now() - 1) });
    app.riot.requests.length = 0;
    const bad = {
      forged: "Bearer let-me-in",
      changed: `Bearer ${good.cookie.slice(0, -1)}`,
      expired: `Bearer ${expired.cookie}`,
      empty: "Bearer ",
      "of another kind": `Basic ${good.cookie}`,
      bare: good.cookie,
      double: `Bearer ${good.cookie} ${good.cookie}`,
    };
    for (const [name, Authorization] of Object.entries(bad)) {
      const answer = await ask({ gameName: "Somebody", tagLine: "EUW" }, { Authorization });
      expectError(answer, 401, "This session has ended. Sign in again.", name);
      expect(answer.headers.get("WWW-Authenticate"), name).toMatch(/^Bearer/);
    }
    expect(app.riot.requests).toEqual([]);
    expect((await profileOf(player)).riotPuuid).toBeNull();
  });

  test("ignores the browser's cookie", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    client.cookies.set("lineup_session", (await openSession(app, player.id)).cookie);
    const answer = await client.postJson(API, { gameName: unique("By Cookie "), tagLine: "EUW" });
    expect(JSON.parse(answer.text)).toMatchObject({ linked: false });
    expect((await profileOf(player)).riotPuuid).toBeNull();
  });
});

describe("the limit of the verification API", () => {
  const over = (key: string) =>
    app.db
      .insert(rateLimits)
      .values({ key, count: 1_000_000, windowEndsAt: new Date(Date.now() + 40_000) })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: { count: 1_000_000, windowEndsAt: new Date(Date.now() + 40_000) },
      });

  test("counts per address and per account, and answers with `Retry-After`", async () => {
    const address = newAddress();
    await over(`riotLookup:${address["CF-Connecting-IP"]}`);
    app.riot.requests.length = 0;
    const byAddress = await ask({ gameName: "Somebody", tagLine: "EUW" }, address);
    expectError(byAddress, 429, /^That was a lot in a short time\. Try again in \d+ seconds?\.$/);
    expect(Number(byAddress.headers.get("Retry-After"))).toBeGreaterThan(30);
    expect((await ask({ gameName: "Somebody", tagLine: "EUW" }, newAddress())).status).toBe(200);

    const player = await addPlayer(app);
    const { cookie } = await openSession(app, player.id);
    await over(`riotLookupPerAccount:${player.id}`);
    app.riot.requests.length = 0;
    const byAccount = await ask({ gameName: "Somebody", tagLine: "EUW" }, { ...newAddress(), ...bearer(cookie) });
    expectError(byAccount, 429, /^That was a lot/);
    expect(app.riot.requests).toEqual([]);
  });
});

describe("the budget of strangers at Riot", () => {
  const tight = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "riotLookup=4/60,riotLookupByStrangers=6/60" } });
  const body = { gameName: "Somebody", tagLine: "EUW" };
  const from = (address: Record<string, string>) => tight.client().postJson(API, body, { Origin: "", ...address });

  test("applies to all addresses together, even at the same moment, and one address can't use it up", async () => {
    const greedy = newAddress();
    const first = await Promise.all(Array.from({ length: 12 }, () => from(greedy)));
    expect(first.filter(({ status }) => status === 200)).toHaveLength(4);
    const rest = await Promise.all(Array.from({ length: 12 }, () => from(newAddress())));
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const answer of rest.filter(({ status }) => status !== 200))
      expectError(answer, 429, /^Too many players are verifying right now\. Try again in \d+ seconds?\.$/);
    expect(tight.riot.requests).toHaveLength(6);
    // Players with a session have limits of their own.
    const player = await addPlayer(tight);
    const { cookie } = await openSession(tight, player.id);
    expect((await from({ ...newAddress(), ...bearer(cookie) })).status).toBe(200);
  });
});

describe("when Riot is unavailable", () => {
  const gone = useApp({ bindings: { RIOT_API_BASE_URL: "http://127.0.0.1:9/{cluster}" } });
  const keyless = useApp({ bindings: { RIOT_API_KEY: "expired" } });

  test("answers 503 if Riot refuses connections", async () => {
    const answer = await gone.client().postJson(API, { gameName: "Somebody", tagLine: "EUW" });
    expectError(answer, 503, /^Riot isn't answering right now/);
    expect(answer.headers.get("Retry-After")).toBe("30");
  });

  test("a key that Riot no longer accepts leads to a 503, and the log says so", async () => {
    const answer = await keyless.client().postJson(API, { gameName: "Somebody", tagLine: "EUW" });
    expectError(answer, 503, "Verification isn't available right now. Please try again later.");
    expect(keyless.riot.requests).toHaveLength(1);
    expect(keyless.logs.map(({ message }) => message).join("\n")).toContain('"riotStatus":403');
  });
});
