import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sign } from "../../app/platform/crypto/crypto.server";
import {
  auditLog,
  identities,
  outbox,
  pendingSignups,
  rateLimits,
  sessions,
  totpFactors,
  users,
} from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { DISCORD_CLIENT, RIOT_ASSERTION, RIOT_CLIENT } from "../../scripts/local/oauth-stand-in";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { announcements, field, heading, textOf } from "../support/html";
import { completeOAuth, decide, newDiscordUser, newRiotUser, start } from "../support/oauth";
import { recordsIn } from "../support/records";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, MINUTE, newAddress, newVisitor, openSession, PREFETCHES, unique, visitAs } from "./players";

const LINKED = "/dashboard/settings/linked-accounts";
const STEP_2 = "/auth?tab=sign-up&step=2";

const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp({ world: "demo", ...appOptions });
const { linkedOf } = recordsIn(app);

const callbackOf = (site: "discord" | "riot") => `${app.url}/auth/oauth/${site}/callback`;
const identityOf = (subject: string) => app.db.select().from(identities).where(eq(identities.subject, subject)).get();

/** The announcements of the page that a response leads to. */
const announcedBy = async (client: Client, answer: HttpResponse) =>
  announcements((await client.follow(answer)).text).join(" ");

/** A player with a linked Discord account, without going through the link. */
async function newDiscordPlayer() {
  const user = newDiscordUser(app);
  const { player, client } = await newVisitor(app);
  expect((await completeOAuth(client, "discord", user.key, "link")).location).toBe(LINKED);
  return { user, player, client };
}

describe("the way to the provider", () => {
  test("carries a state and a PKCE challenge, whose counterparts a cookie keeps for ten minutes", async () => {
    const answer = await start(app.client(), "discord");
    expect(answer.status).toBe(303);
    const address = new URL(answer.location as string);
    expect(address.origin + address.pathname).toBe(`${app.oauth.url}/discord/oauth2/authorize`);
    const params = Object.fromEntries(address.searchParams);
    expect(params).toMatchObject({
      response_type: "code",
      client_id: DISCORD_CLIENT.id,
      redirect_uri: callbackOf("discord"),
      scope: "identify email",
      code_challenge_method: "S256",
    });
    expect(params.state).toMatch(/^[\w-]{43}$/);
    expect(params.code_challenge).toMatch(/^[\w-]{43}$/);
    const [cookie] = answer.setCookie.filter((one) => one.startsWith("lineup_oauth="));
    expect(cookie).toMatch(/; Max-Age=600;.*; HttpOnly; SameSite=Lax/);
  });

  test("asks Riot only for the identity", async () => {
    const params = new URL((await start(app.client(), "riot")).location as string).searchParams;
    expect(params.get("scope")).toBe("openid");
    expect(params.get("redirect_uri")).toBe(callbackOf("riot"));
  });

  test("begins only with a button: opening its address leads to the sign-in", async () => {
    const answer = await app.client().get("/auth/oauth/discord");
    expect(answer.location).toBe("/auth");
    expect(answer.setCookie).toEqual([]);
  });

  test("can't begin on a page of another site", async () => {
    const answer = await app
      .client()
      .post("/auth/oauth/discord", { intent: "sign-in" }, { Origin: "https://evil.example" });
    expect(answer.status).toBe(403);
  });

  test.each([
    ["a provider that is none of ours", "/auth/oauth/github", { intent: "sign-in" }],
    ["an unknown intent", "/auth/oauth/discord", { intent: "merge" }],
    ["no intent", "/auth/oauth/discord", {}],
  ])("refuses %s", async (_, path, fields) => {
    expect((await app.client().post(path, fields)).status).toBe(404);
  });

  test("to link, asks for a sign-in without a session, and for reauthentication after an old sign-in", async () => {
    expect((await start(app.client(), "discord", "link")).location).toMatch(/^\/auth\?redirectTo=/);
    const player = await addPlayer(app);
    const client = app.client();
    const session = await openSession(app, player.id, { createdAt: new Date(Date.now() - 11 * MINUTE) });
    client.cookies.set("lineup_session", session.cookie);
    const answer = await start(client, "discord", "link");
    expect(answer.location).toBe(`/auth/reauthenticate?${new URLSearchParams({ redirectTo: LINKED })}`);
    expect(client.cookies.has("lineup_oauth")).toBe(false);
  });

  test("is the only target outside the site that the policy allows for forms", async () => {
    const policy = (await app.client().get("/auth")).headers.get("Content-Security-Policy");
    const { origin } = new URL(app.oauth.url);
    expect(policy).toMatch(new RegExp(`form-action 'self' ${origin} ${origin};`));
  });
});

describe("signing in with Discord", () => {
  test("signs in the player with the linked account, and leads where they were going", async () => {
    const { user, player } = await newDiscordPlayer();
    const client = app.client();
    const answer = await completeOAuth(client, "discord", user.key, "sign-in", "/dashboard/profile");
    expect(answer.location).toBe("/dashboard/profile");
    expect(await announcedBy(client, answer)).toContain("Welcome back!");
    const open = await app.db.select().from(sessions).where(eq(sessions.userId, player.id));
    expect(open).toHaveLength(2);
    expect(client.cookies.has("lineup_oauth")).toBe(false);
  });

  test("keeps only the path of a destination that is too long for a cookie", async () => {
    const { user } = await newDiscordPlayer();
    const client = app.client();
    const goal = `/dashboard/lfg/new?text=${encodeURIComponent("я".repeat(600))}`;
    await start(client, "discord", "sign-in", goal);
    expect(client.cookies.get("lineup_oauth")?.length).toBeLessThan(4_000);
    expect((await completeOAuth(client, "discord", user.key, "sign-in", goal)).location).toBe("/dashboard/lfg/new");
  });

  test("leads to no other site afterwards", async () => {
    const { user } = await newDiscordPlayer();
    const answer = await completeOAuth(app.client(), "discord", user.key, "sign-in", "https://evil.example/");
    expect(answer.location).toBe("/dashboard");
  });

  test("asks a player with two-factor for the second factor", async () => {
    const { user, player } = await newDiscordPlayer();
    const now = new Date();
    await app.db
      .insert(totpFactors)
      .values({ userId: player.id, secret: "not read here", createdAt: now, confirmedAt: now });
    const client = app.client();
    const answer = await completeOAuth(client, "discord", user.key, "sign-in", "/dashboard/profile");
    expect(answer.location).toBe("/auth/two-factor?redirectTo=%2Fdashboard%2Fprofile");
    expect((await client.get("/dashboard")).status).toBe(302);
  });

  test("gives suspended players a restricted session", async () => {
    const { user, player } = await newDiscordPlayer();
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id));
    const client = app.client();
    const answer = await completeOAuth(client, "discord", user.key);
    expect(answer.location).toBe("/account/decisions");
    expect((await client.get("/dashboard")).location).toBe("/account/decisions");
  });

  test("updates the name after a change at Discord", async () => {
    const { user, player } = await newDiscordPlayer();
    app.oauth.addDiscordUser({ ...user, username: `${user.username}.new` });
    await completeOAuth(app.client(), "discord", user.key);
    expect((await linkedOf(player))[0]?.name).toBe(`${user.username}.new`);
  });

  test("costs three round trips and one request to each of the provider's endpoints", async () => {
    const { user } = await newDiscordPlayer();
    const client = app.client();
    const callback = await decide(await start(client, "discord"), user.key);
    proxy.clear();
    app.oauth.requests.length = 0;
    expect((await client.get(callback)).location).toBe("/dashboard");
    expect(proxy.posts).toBe(3);
    expect(app.oauth.requests).toEqual(["POST /discord/api/oauth2/token", "GET /discord/api/users/@me"]);
  });
});

describe("signing up with Discord", () => {
  test("takes the confirmed address from Discord, needs no password, and links the account in the end", async () => {
    const user = newDiscordUser(app);
    const client = app.client();
    const answer = await completeOAuth(client, "discord", user.key, "sign-in", "/dashboard/profile");
    expect(answer.location).toBe(`${STEP_2}&redirectTo=%2Fdashboard%2Fprofile`);
    const step = await client.follow(answer);
    expect(heading(step.text)).toBe("Your Riot account");
    expect(announcements(step.text).join()).toContain(`Hello, ${user.username}`);
    const riot = { gameName: unique("Discord "), tagLine: "EUW", region: "europe" };
    const path = answer.location as string;
    await client.post(path, { intent: "verify", ...riot });
    const done = await client.post(path, { intent: "complete", ...riot });
    expect(done.location).toBe("/dashboard/profile");
    expect(await announcedBy(client, done)).toContain("Your email address is already confirmed.");
    const account = await app.db.select().from(users).where(eq(users.email, user.email)).get();
    expect(account).toMatchObject({ passwordHash: "!" });
    expect(account?.emailConfirmedAt).not.toBeNull();
    expect(await linkedOf(account as { id: string })).toMatchObject([{ provider: "discord", subject: user.id }]);
    const profile = await app.db.query.profiles.findFirst({ where: (row) => eq(row.userId, account?.id as string) });
    expect(profile).toMatchObject({ discordTag: user.username, riotGameName: riot.gameName, riotClaimLapsesAt: null });
    expect(profile?.discordVerifiedAt).not.toBeNull();
    expect(profile?.riotVerifiedAt).not.toBeNull();
    expect(profile?.riotProvenAt).toBeNull();
    expect(await app.db.select().from(outbox).where(eq(outbox.recipient, user.email))).toEqual([]);

    const again = await completeOAuth(app.client(), "discord", user.key);
    expect(again.location).toBe("/dashboard");
    // No password opens the account either.
    const guess = await app.client().post("/auth", { email: user.email, password: "!" });
    expect(guess.status).toBe(400);
  });

  test("is refused when Discord has not confirmed the address, and when it knows none", async () => {
    for (const user of [newDiscordUser(app, { verified: false }), newDiscordUser(app, { email: null })]) {
      const client = app.client();
      const answer = await completeOAuth(client, "discord", user.key);
      expect(answer.location).toBe("/auth");
      expect(await announcedBy(client, answer)).toContain("Discord has no confirmed email address for you.");
      expect(client.cookies.has("lineup_signup")).toBe(false);
    }
  });

  test("never links an account that has the address already: its player is sent to sign in first", async () => {
    const player = await addPlayer(app);
    const user = newDiscordUser(app, { email: player.email.toUpperCase() });
    const client = app.client();
    const answer = await completeOAuth(client, "discord", user.key);
    expect(await announcedBy(client, answer)).toContain(
      "Your email address has an account here. Sign in to it, then link",
    );
    expect(await identityOf(user.id)).toBeUndefined();
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(client.cookies.has("lineup_signup")).toBe(false);
  });

  test("drops the Discord account with another address in step 1, which may be somebody else's", async () => {
    const user = newDiscordUser(app);
    const client = app.client();
    await completeOAuth(client, "discord", user.key);
    const riot = { gameName: unique("Other "), tagLine: "EUW", region: "europe" };
    const email = `${unique("another-")}@lineup.test`;
    await client.post(STEP_2, { intent: "back", ...riot });
    const fields = { intent: "next", email, password: "four smokes and a wall" };
    const next = await client.post("/auth?tab=sign-up", fields);
    expect(await announcedBy(client, next)).toContain("Signing up without Discord");
    await client.post(STEP_2, { intent: "verify", ...riot });
    expect((await client.post(STEP_2, { intent: "complete", ...riot })).location).toBe("/dashboard");
    const account = await app.db.select().from(users).where(eq(users.email, email)).get();
    expect(account?.emailConfirmedAt).toBeNull();
    expect(await linkedOf(account as { id: string })).toEqual([]);
    const profile = await app.db.query.profiles.findFirst({ where: (row) => eq(row.userId, account?.id as string) });
    expect(profile).toMatchObject({ discordTag: null, discordVerifiedAt: null });
    // The Discord account opens only a sign-up, and its own address is still free.
    expect((await completeOAuth(app.client(), "discord", user.key)).location).toBe(STEP_2);
  });

  test("keeps the Discord account with Discord's own address in step 1, which stays confirmed", async () => {
    const user = newDiscordUser(app);
    const client = app.client();
    await completeOAuth(client, "discord", user.key);
    const riot = { gameName: unique("Same "), tagLine: "EUW", region: "europe" };
    const password = "four smokes and a wall";
    const fields = { intent: "next", email: user.email?.toUpperCase(), password };
    const next = await client.post("/auth?tab=sign-up", fields);
    expect(await announcedBy(client, next)).not.toContain("Signing up without");
    await client.post(STEP_2, { intent: "verify", ...riot });
    expect((await client.post(STEP_2, { intent: "complete", ...riot })).location).toBe("/dashboard");
    const account = await app.db.select().from(users).where(eq(users.email, user.email)).get();
    expect(account?.emailConfirmedAt).not.toBeNull();
    expect(await linkedOf(account as { id: string })).toMatchObject([{ provider: "discord", subject: user.id }]);
  });

  test("that has no address yet keeps what was typed in step 2 in the form only, and promises no more", async () => {
    const client = app.client();
    await completeOAuth(client, "riot", newRiotUser(app).key);
    const answer = await client.post(STEP_2, { intent: "verify", gameName: "Typed", tagLine: "EUW", region: "europe" });
    expect(answer.status).toBe(410);
    expect(announcements(answer.text).join()).toContain("This sign-up has timed out or is already finished.");
    expect(announcements(answer.text).join()).not.toContain("We've kept your Riot ID");
    expect(field(answer.text, "gameName").value).toBe("Typed");
  });

  test("ends without an account when the Discord account was linked elsewhere in the meantime", async () => {
    const user = newDiscordUser(app);
    const client = app.client();
    await completeOAuth(client, "discord", user.key);
    const riot = { gameName: unique("Late "), tagLine: "EUW", region: "europe" };
    await client.post(STEP_2, { intent: "verify", ...riot });
    const { client: faster } = await newVisitor(app);
    await completeOAuth(faster, "discord", user.key, "link");
    const answer = await client.post(STEP_2, { intent: "complete", ...riot });
    expect(await announcedBy(client, answer)).toContain("The account you started with now belongs to another player.");
    expect(await app.db.select().from(users).where(eq(users.email, user.email))).toEqual([]);
  });

  test("can be tried again after a database error, which doesn't count as an account linked elsewhere", async () => {
    const user = newDiscordUser(app);
    const client = app.client();
    await completeOAuth(client, "discord", user.key);
    const riot = { gameName: unique("Fault "), tagLine: "EUW", region: "europe" };
    await client.post(STEP_2, { intent: "verify", ...riot });
    const complete = () => client.post(STEP_2, { intent: "complete", ...riot });
    await app.db.run(
      sql`CREATE TRIGGER fault BEFORE INSERT ON identities BEGIN SELECT RAISE(ABORT, 'No identities today'); END`,
    );
    const failed = await complete();
    await app.db.run(sql`DROP TRIGGER fault`);
    expect(failed.status).toBe(500);
    expect(app.logs.map(({ message }) => message).join()).toContain("No identities today");
    expect((await complete()).location).toBe("/dashboard");
  });

  test("makes one account when the button is pressed twice", async () => {
    const user = newDiscordUser(app);
    const client = app.client();
    await completeOAuth(client, "discord", user.key);
    const riot = { gameName: unique("Twice "), tagLine: "EUW", region: "europe" };
    await client.post(STEP_2, { intent: "verify", ...riot });
    const complete = () => client.post(STEP_2, { intent: "complete", ...riot });
    const answers = await Promise.all([complete(), complete()]);
    expect(answers.map(({ location }) => location)).toEqual(["/dashboard", "/dashboard"]);
    const [account, ...others] = await app.db.select().from(users).where(eq(users.email, user.email));
    expect(others).toEqual([]);
    expect(await linkedOf(account as { id: string })).toHaveLength(1);
  });
});

describe("a callback outside its own flow", () => {
  /** A flow in progress, and its callback address. */
  async function startFlow(intent: "sign-in" | "link" = "sign-in") {
    const { user, player } = await newDiscordPlayer();
    const client = intent === "link" ? await visitAs(app, player) : app.client();
    return { user, client, callback: await decide(await start(client, "discord", intent), user.key) };
  }

  const FORGED = "doesn't match anything started in this browser. Please start again.";

  /** Expects the callback to sign nobody in, without a request to the provider. */
  async function expectRefused(client: Client, callback: string, sentence: string) {
    app.oauth.requests.length = 0;
    const answer = await client.get(callback);
    expect(await announcedBy(client, answer)).toContain(sentence);
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(app.oauth.requests).toEqual([]);
  }

  test("is refused in a browser without a flow: a stranger's callback signs nobody in (login CSRF)", async () => {
    const { callback } = await startFlow();
    await expectRefused(app.client(), callback, FORGED);
  });

  test("is refused in a browser with another flow", async () => {
    const [one, other] = [await startFlow(), await startFlow()];
    await expectRefused(one.client, other.callback, FORGED);
    // The browser's own flow can still be completed.
    expect((await one.client.get(one.callback)).location).toBe("/dashboard");
  });

  test.each([
    ["no state", (params: URLSearchParams) => params.delete("state")],
    ["an empty state", (params: URLSearchParams) => params.set("state", "")],
    ["another state", (params: URLSearchParams) => params.set("state", "a".repeat(43))],
  ])("is refused with %s", async (_, change) => {
    const { client, callback } = await startFlow();
    const url = new URL(callback, app.url);
    change(url.searchParams);
    await expectRefused(client, url.pathname + url.search, FORGED);
  });

  test("is refused at another provider's address", async () => {
    const { client, callback } = await startFlow();
    await expectRefused(client, callback.replace("/discord/", "/riot/"), FORGED);
  });

  test("is refused when it names another provider as its issuer", async () => {
    const { client, callback } = await startFlow();
    const url = new URL(callback, app.url);
    url.searchParams.set("iss", `${app.oauth.url}/riot`);
    await expectRefused(client, url.pathname + url.search, "This answer didn't come from Discord.");
  });

  /** Takes a browser's flow cookie apart. */
  function readFlow(client: Client) {
    const [value = "", signature = ""] = decodeURIComponent(client.cookies.get("lineup_oauth") as string).split(".");
    const flow = JSON.parse(Buffer.from(value.slice("oauth:".length), "base64url").toString()) as { expiresAt: number };
    return { value, signature, flow };
  }
  const encodeFlow = (flow: object) => `oauth:${Buffer.from(JSON.stringify(flow)).toString("base64url")}`;

  test("is refused ten minutes after the flow began, even if the browser has kept the cookie", async () => {
    const { client, callback } = await startFlow();
    const { flow } = readFlow(client);
    const beginEarlier = (minutes: number) => {
      const expiresAt = flow.expiresAt - minutes * MINUTE;
      const cookie = sign(encodeFlow({ ...flow, expiresAt }), [LOCAL_SECRET]);
      client.cookies.set("lineup_oauth", encodeURIComponent(cookie));
    };
    beginEarlier(10);
    await expectRefused(client, callback, "That took more than ten minutes. Please start again.");
    beginEarlier(9);
    expect((await client.get(callback)).location).toBe("/dashboard");
  });

  test("is refused with a forged cookie, and with one made for another purpose", async () => {
    const { client, callback } = await startFlow();
    const { client: other } = await newVisitor(app);
    const session = other.cookies.get("lineup_session") as string;
    const { value, signature, flow } = readFlow(client);
    const changed = `${encodeFlow({ ...flow, intent: "link" })}.${signature}`;
    for (const forged of [changed, `${value}.`, value, session, "", "x"]) {
      const visitor = app.client();
      visitor.cookies.set("lineup_oauth", encodeURIComponent(forged));
      await expectRefused(visitor, callback, FORGED);
    }
  });

  test("has a cookie that doesn't work as a session", async () => {
    const { client } = await startFlow();
    const visitor = app.client();
    visitor.cookies.set("lineup_session", client.cookies.get("lineup_oauth") as string);
    expect((await visitor.get("/dashboard")).location).toBe("/auth");
  });

  test("is refused a second time: by us without the cookie, by the provider with a kept one", async () => {
    const { client, callback } = await startFlow();
    const kept = client.cookies.get("lineup_oauth") as string;
    expect((await client.get(callback)).location).toBe("/dashboard");
    const visitor = app.client();
    await expectRefused(visitor, callback, FORGED);
    visitor.cookies.set("lineup_oauth", kept);
    const answer = await visitor.get(callback);
    expect(await announcedBy(visitor, answer)).toContain("Discord didn't accept this sign-in. Please start again.");
    expect(visitor.cookies.has("lineup_session")).toBe(false);
  });

  test("does nothing on a prefetch or a HEAD", async () => {
    const { client, callback } = await startFlow();
    for (const headers of PREFETCHES) expect((await client.get(callback, headers)).location).toBe("/auth");
    expect((await client.request(callback, { method: "HEAD" })).location).toBe("/auth");
    expect((await client.get(callback)).location).toBe("/dashboard");
  });

  test("links nothing if another player has signed in by then", async () => {
    const user = newDiscordUser(app);
    const { client } = await newVisitor(app);
    const callback = await decide(await start(client, "discord", "link"), user.key);
    const { player: other } = await newVisitor(app);
    client.cookies.set("lineup_session", (await openSession(app, other.id)).cookie);
    const answer = await client.get(callback);
    expect(await announcedBy(client, answer)).toContain("You've signed out or in again since you started.");
    expect(await identityOf(user.id)).toBeUndefined();
  });

  test("links nothing once the session that began has ended", async () => {
    const user = newDiscordUser(app);
    const { client, player } = await newVisitor(app);
    const callback = await decide(await start(client, "discord", "link"), user.key);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    app.oauth.requests.length = 0;
    await client.get(callback);
    expect(app.oauth.requests).toEqual([]);
    expect(await identityOf(user.id)).toBeUndefined();
  });

  test("is refused with a code made for another client, another address or another account's flow", async () => {
    const { user } = await newDiscordPlayer();
    const foreign = [
      app.oauth.makeCode("discord", user.key, { clientId: "another-client", redirectUri: callbackOf("discord") }),
      app.oauth.makeCode("discord", user.key, { redirectUri: "https://evil.example/callback" }),
      app.oauth.makeCode("riot", "Nova Ping#NOVA", { redirectUri: callbackOf("riot") }),
      // Another visitor's code in this visitor's callback: PKCE detects it.
      new URL(await decide(await start(app.client(), "discord"), user.key), app.url).searchParams.get("code") as string,
    ];
    for (const code of foreign) {
      const { client, callback } = await startFlow();
      const url = new URL(callback, app.url);
      url.searchParams.set("code", code);
      const answer = await client.get(url.pathname + url.search);
      expect(await announcedBy(client, answer)).toContain("Discord didn't accept this sign-in.");
      expect(client.cookies.has("lineup_session")).toBe(false);
    }
  });
});

describe("a provider that refuses or answers badly", () => {
  test("leads back with a message when the player cancels, and nothing changes", async () => {
    const client = app.client();
    const callback = await decide(await start(client, "discord", "sign-in", "/dashboard/profile"), "", "deny");
    const answer = await client.get(callback);
    expect(answer.location).toBe("/auth?redirectTo=%2Fdashboard%2Fprofile");
    expect(await announcedBy(client, answer)).toContain(
      "Error signing in You said no at Discord, so nothing was changed.",
    );

    const { client: player } = await newVisitor(app);
    const link = await player.get(await decide(await start(player, "riot", "link"), "", "deny"));
    expect(link.location).toBe(LINKED);
    expect(await announcedBy(player, link)).toContain("Error linking account You said no at Riot");
  });

  test("has its errors reported politely, without quoting them", async () => {
    const client = app.client();
    const state = new URL((await start(client, "discord")).location as string).searchParams.get("state");
    const error = new URLSearchParams({ state: state as string, error: "server_error", error_description: "<b>Boo" });
    const answer = await client.get(`/auth/oauth/discord/callback?${error}`);
    const page = await client.follow(answer);
    expect(announcements(page.text).join()).toContain("Discord couldn't do that. Please try again in a minute.");
    expect(page.text).not.toContain("Boo");
  });

  const faults = ["broken", "garbled", "endless", "redirect", "empty"] as const;
  test.each(faults.flatMap((fault) => (["token", "account"] as const).map((endpoint) => [fault, endpoint] as const)))(
    "answers %s at the %s endpoint: the page shows an error after one try, and nobody is signed in",
    async (fault, endpoint) => {
      for (const [site, key] of [
        ["discord", (await newDiscordPlayer()).user.key],
        ["riot", newRiotUser(app).key],
      ] as const) {
        const client = app.client();
        const callback = await decide(await start(client, site), key);
        app.oauth.failNext(endpoint, fault);
        app.oauth.requests.length = 0;
        const answer = await client.get(callback);
        expect(answer.location).toBe("/auth");
        expect(await announcedBy(client, answer)).toMatch(/isn't answering right now|didn't tell us who you are/);
        expect(client.cookies.has("lineup_session")).toBe(false);
        expect(client.cookies.has("lineup_signup")).toBe(false);
        expect(app.oauth.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
      }
    },
  );

  test.each(["token", "account"] as const)(
    "is given up after 5 s without an answer at the %s endpoint",
    async (endpoint) => {
      const client = app.client();
      const callback = await decide(await start(client, "riot"), newRiotUser(app).key);
      app.oauth.failNext(endpoint, "slow");
      const started = Date.now();
      const answer = await client.get(callback);
      expect(await announcedBy(client, answer)).toContain("Riot isn't answering right now.");
      expect(Date.now() - started).toBeLessThan(8_000);
    },
  );

  test("is asked no more than the limit allows", async () => {
    const own = newAddress();
    const limited = await startLimited();
    const client = limited.client();
    for (let time = 0; time < 20; time += 1) await client.post("/auth/oauth/discord", { intent: "sign-in" }, own);
    const answer = await client.post("/auth/oauth/discord", { intent: "sign-in" }, own);
    expect(answer.location).toBe("/auth");
    expect(await announcedBy(client, answer)).toContain("That was a lot in a short time.");
  });
});

const limitedApp = useApp({ limitFactor: 1 });
const startLimited = async () => limitedApp;

describe("settings", () => {
  const bare = useApp({
    bindings: { DISCORD_CLIENT_ID: "", RIOT_CLIENT_ID: "" },
  });

  test("without clients add no buttons, no addresses and no other origin to the policy", async () => {
    const { text, headers } = await bare.client().get("/auth");
    expect(text).not.toContain("Continue with");
    expect(headers.get("Content-Security-Policy")).toContain("form-action 'self';");
    expect((await bare.client().post("/auth/oauth/discord", { intent: "sign-in" })).status).toBe(404);
    expect((await bare.client().get("/auth/oauth/discord/callback?code=x&state=y")).status).toBe(404);
    const { client } = await newVisitor(bare);
    expect(textOf((await client.get(LINKED)).text)).toContain("There's nothing to link yet.");
  });

  const asserting = useApp({ bindings: { RIOT_CLIENT_ASSERTION: RIOT_ASSERTION } });

  test("with Riot's signed assertion in place of the secret send only the assertion", async () => {
    const user = newRiotUser(asserting);
    const { client, player } = await newVisitor(asserting);
    expect((await completeOAuth(client, "riot", user.key, "link")).location).toBe(LINKED);
    const [linked] = await asserting.db.select().from(identities).where(eq(identities.userId, player.id));
    expect(linked?.subject).toBe(user.puuid);
  });

  const wrong = useApp({ bindings: { DISCORD_CLIENT_SECRET: "not the secret at all" } });

  test("with a wrong secret are reported in the log, and the player reads that it is not available", async () => {
    const client = wrong.client();
    const answer = await completeOAuth(client, "discord", newDiscordUser(wrong).key);
    expect(await announcedBy(client, answer)).toContain("Discord isn't available here right now.");
    expect(wrong.logs.some(({ message }) => message.includes('"reason":"invalid_client"'))).toBe(true);
    expect(JSON.stringify(wrong.logs)).not.toContain("not the secret at all");
  });
});

describe("where email addresses must be confirmed", () => {
  const strict = useApp({ confirmEmail: true });

  test("Discord's confirmation is enough: the sign-up ends signed in", async () => {
    const user = newDiscordUser(strict);
    const client = strict.client();
    await completeOAuth(client, "discord", user.key);
    const riot = { gameName: unique("Strict "), tagLine: "EUW", region: "europe" };
    await client.post(STEP_2, { intent: "verify", ...riot });
    expect((await client.post(STEP_2, { intent: "complete", ...riot })).location).toBe("/dashboard");
    expect((await client.get("/dashboard")).status).toBe(200);
  });

  test("a sign-up with Riot links nothing until the emailed link is opened, to hide known addresses", async () => {
    const user = newRiotUser(strict);
    const email = `${unique("strict-")}@lineup.test`;
    const client = strict.client();
    await completeOAuth(client, "riot", user.key);
    await client.post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" });
    const riot = { gameName: user.gameName, tagLine: user.tagLine, region: "americas" };
    await client.post(STEP_2, { intent: "complete", ...riot });
    expect(client.cookies.has("lineup_session")).toBe(false);
    expect(await strict.db.select().from(identities)).toHaveLength(1);
    expect((await strict.readEmail(email)).subject).toBe("Confirm your email address for Lineup");
  });

  /** A player with a linked Discord account who signed up while the site didn't require a confirmation. */
  async function newUnconfirmed() {
    const user = newDiscordUser(strict);
    const { player, client } = await newVisitor(strict);
    await completeOAuth(client, "discord", user.key, "link");
    await strict.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, player.id));
    return { user, player };
  }

  test("a sign-in with a linked account sends the code and link again, and leads to the page for the code", async () => {
    const { user, player } = await newUnconfirmed();
    const client = strict.client();
    const refused = await completeOAuth(client, "discord", user.key, "sign-in", "/dashboard/profile");
    const page = "/auth/confirm?redirectTo=%2Fdashboard%2Fprofile";
    expect(refused.location).toBe(page);
    expect(await announcedBy(client, refused)).toContain(
      "Error signing in Please confirm your email address first: open the link we sent you. We've just sent it again.",
    );
    expect(client.cookies.has("lineup_session")).toBe(false);
    const { code } = await strict.readEmail(player.email);
    expect((await client.submit(page, "Confirm", { code: code as string })).location).toBe("/dashboard/profile");
    expect(await recordsIn(strict).linkedOf(player)).toMatchObject([{ subject: user.id }]);
  });

  test("a sign-in with a linked account stays at the sign-in page once the limit of emails is used up", async () => {
    const { user } = await newUnconfirmed();
    const address = newAddress();
    const key = `verificationEmail:${address["CF-Connecting-IP"]}`;
    await strict.db.insert(rateLimits).values({ key, count: 20_000, windowEndsAt: new Date(Date.now() + MINUTE) });
    const client = strict.client();
    const refused = await client.get(await decide(await start(client, "discord"), user.key), address);
    expect(refused.location).toBe("/auth");
    expect(await announcedBy(client, refused)).toMatch(/Please confirm your email address first: .* sent you\.$/);
  });
});

test("No secret, token or code reaches a page or a log line", async () => {
  const { user, client } = await newDiscordPlayer();
  const pages = [await client.get(LINKED), await client.get("/auth"), await app.client().get("/auth")];
  const visitor = app.client();
  const callback = await decide(await start(visitor, "discord"), user.key);
  const { searchParams } = new URL(callback, app.url);
  pages.push(await visitor.get(callback), await visitor.get("/dashboard"));
  const everything = JSON.stringify([pages, app.logs]);
  for (const secret of [
    DISCORD_CLIENT.secret,
    RIOT_CLIENT.secret,
    searchParams.get("code"),
    searchParams.get("state"),
  ]) {
    expect(everything).not.toContain(secret);
  }
  expect(JSON.stringify(app.logs)).not.toContain(user.username);
  const audits = await app.db.select().from(auditLog);
  expect(JSON.stringify(audits)).not.toContain(user.username);
  expect(JSON.stringify(await app.db.select().from(pendingSignups))).not.toContain(DISCORD_CLIENT.secret);
});
