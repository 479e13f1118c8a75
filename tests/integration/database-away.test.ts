import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray, isNull, like } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import {
  appeals,
  followUps,
  lfgPosts,
  messages,
  NO_PASSWORD,
  notifications,
  outbox,
  pendingSignups,
  rateLimits,
  reportCases,
  sessions,
  tournamentEvents,
  tournamentInvitations,
  tournamentMatches,
  tournamentOrganisers,
  tournamentSeekers,
  userFeedback,
  users,
} from "../../db/schema";
import { CLOSE } from "../../party/wire/frames";
import { serveFetch } from "../../scripts/local/http";
import { startSqld } from "../../scripts/local/sqld";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type HttpResponse, signIn } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, findForm, heading, links, textOf } from "../support/html";
import { type LibsqlProxy, startLibsqlProxy } from "../support/libsql-proxy";
import { startTournament } from "../support/matches";
import { completeOAuth, newDiscordUser, newRiotUser } from "../support/oauth";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { openConversation, openInbox, openTournament } from "../support/socket";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addConversation, addPlayer, addPost, HOUR, newEmail, newVisitor, sendTo, unique } from "./players";
import { register, registrationsIn } from "./registrations";
import { giveFeedback, reviewsIn } from "./reviews";
import { contactAuthor, startConversation, type Visitor } from "./talk";
import { pressTeamButton, teamsIn } from "./teams";
import { expectRefused, newPlayerWithTwoFactor, openOldSession, PAGE, REAUTHENTICATE } from "./two-factor";

/**
 * Statements go Worker → wire → proxy → sqld. The proxy simulates outages. The wire records every statement of the
 * Worker, whether it reaches the database or not, and can drop the database's responses to chosen requests.
 */
const dir = mkdtempSync(join(tmpdir(), "lineup-away-"));
const sqld = await startSqld({ dir });
const proxy = await startLibsqlProxy(sqld.url);
const wire = { sent: [] as string[], posts: 0, losesResponseTo: null as RegExp | null };
const wireServer = await serveFetch(async (request) => {
  const body = await request.text();
  wire.posts += 1;
  wire.sent.push(...[...body.matchAll(/"sql":"\s*(\w+ \w+)/g)].map(([, words]) => words as string));
  const answer = await fetch(proxy.url + new URL(request.url).pathname, { method: request.method, body });
  const text = await answer.text();
  return wire.losesResponseTo?.test(body) ? new Response("lost", { status: 502 }) : new Response(text, answer);
});
afterAll(async () => {
  await wireServer.stop();
  await proxy.stop();
  await sqld.stop();
  rmSync(dir, { recursive: true, force: true });
});

const app = useApp({ world: "demo", libsqlUrl: sqld.url, bindings: { LIBSQL_URL: wireServer.url } });
const { accountOf, actionsOf, linkedOf, profileOf } = recordsIn(app);

/**
 * Runs `work` while the database is in trouble.
 * @param trouble the proxy's behaviour for every request, or a pattern: with a pattern, the database carries out all
 *   requests, but its responses to requests with matching statements are lost
 */
async function during<T>(trouble: LibsqlProxy["mode"] | RegExp, work: () => Promise<T>): Promise<T> {
  if (trouble instanceof RegExp) wire.losesResponseTo = trouble;
  else proxy.mode = trouble;
  wire.sent = [];
  wire.posts = 0;
  try {
    return await work();
  } finally {
    back();
  }
}

function back() {
  proxy.mode = "through";
  wire.losesResponseTo = null;
}
afterEach(back);

const writes = () => wire.sent.filter((words) => !/^(select|begin|commit|rollback)/i.test(words));
const KEPT = /^Lineup can't reach its database right now\. Your entries are still here: try again in a moment\.$/;

function expectAwayPage(answer: HttpResponse, name: string) {
  expect(answer.status, name).toBe(503);
  expect(heading(answer.text), name).toBe("Back in a moment");
  expect(answer.headers.get("Retry-After"), name).toMatch(/^\d+$/);
  expect(answer.headers.get("Content-Security-Policy"), name).toContain("default-src 'none'");
  expect(answer.setCookie, name).toEqual([]);
  expect(answer.text, name).not.toMatch(/hrana|sqld|127\.0\.0\.1|DatabaseUnavailable|\bat \w+ \(/);
}

describe.each(["away", "garbled"] as const)("while the database is %s", (trouble) => {
  test("every page that needs it answers 503 with `Retry-After`, and recovers by itself", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    const pages = [
      "/",
      "/dashboard",
      "/dashboard?role=Sentinel",
      "/dashboard/lfg/new",
      "/dashboard/profile",
      "/dashboard/messages",
      `/lfg/${post}`,
      `/lfg/${post}/edit`,
      `/lfg/${post}/delete`,
      "/auth",
    ];
    const answers = await during(trouble, () =>
      Promise.all(pages.map(async (path) => [path, await client.get(path)] as const)),
    );
    for (const [path, answer] of answers) {
      expectAwayPage(answer, path);
      const tryAgain = links(answer.text).find(({ text }) => text === "Try Again");
      expect(new URL(tryAgain?.href as string, app.url + path).href, path).toBe(app.url + path);
    }
    for (const path of pages) expect((await client.get(path)).status, path).toBeLessThan(400);
  });

  test("a data request from an open page also answers 503", async () => {
    const { client } = await newVisitor(app);
    const answer = await during(trouble, () => client.get("/dashboard/profile.data"));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
  });

  test("a signed-out visitor still sees the landing page and the sign-in", async () => {
    const answers = await during(trouble, () =>
      Promise.all(["/", "/auth", "/auth?tab=sign-up", "/no/such/page"].map((path) => app.client().get(path))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(answers.map(({ headers }) => headers.get("Server-Timing")).filter(Boolean)[0]).toContain("0 statements");
  });

  test("crawlers are told where the sitemap is, and when to retry it", async () => {
    const [robots, sitemap] = await during(trouble, () =>
      Promise.all([app.client().get("/robots.txt"), app.client().get("/sitemap.xml")]),
    );
    expect([robots?.status, sitemap?.status]).toEqual([200, 503]);
    expect(sitemap?.headers.get("Retry-After")).toMatch(/^\d+$/);
    // A cached failure would outlive the outage.
    expect(sitemap?.headers.get("Cache-Control")).toBe("private, no-store");
    expect((await app.client().get("/sitemap.xml")).status).toBe(200);
  });

  test("a read is tried three times, a write once", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    await during(trouble, async () => {
      await client.get("/dashboard/profile");
      expect(wire.posts).toBe(3);
    });
    const forms: [path: string, fields: Record<string, string>, writes?: number][] = [
      // A new post counts against two limits, in one transaction.
      ["/dashboard/lfg/new", { id: uuidv7(), title: "Written once", neededPlayers: "1" }, 2],
      [`/lfg/${post}`, { intent: "close" }],
      [`/lfg/${post}`, { intent: "bump" }],
      [`/lfg/${post}/edit`, { title: "Written once", neededPlayers: "1" }],
      [`/lfg/${post}/delete`, {}],
      ["/auth/sign-out", {}],
    ];
    for (const [path, fields, count = 1] of forms) {
      await during(trouble, async () => {
        const answer = await client.post(path, fields);
        expect(answer.status, path).toBe(503);
        expect(writes(), path).toHaveLength(count);
      });
    }
  });

  test("creating a post keeps all the entered fields, saves nothing, and works once the database is back", async () => {
    const { client, player } = await newVisitor(app);
    const title = unique("Kept “<title>” & ");
    const fields = {
      title,
      message: "First line\nsecond <b>line</b>",
      neededPlayers: "3",
      requiredRank: "Gold 2",
      requiredRole: "Sentinel",
      region: "Korea",
    };
    const answer = await during(trouble, () =>
      // The page was opened before the failure.
      client.post("/dashboard/lfg/new", { id: uuidv7(), ...fields }),
    );
    expectAwayPage(answer, "create");
    const form = findForm(answer.text, "Try Again");
    for (const [name, value] of Object.entries(fields)) expect(form.values[name], name).toEqual([value]);
    expect(await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id))).toEqual([]);

    const again = await client.post(form.action ?? "/dashboard/lfg/new", form.values);
    expect(again.location).toBe("/dashboard");
    const saved = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    expect(saved).toHaveLength(1);
    expect(saved[0]).toMatchObject({ title, message: fields.message, neededPlayers: 3, requiredRank: "Gold 2" });
  });

  test("signing in and signing up keep everything entered but passwords, and work once it is back", async () => {
    const email = `${unique("away-")}@lineup.test`;
    const password = "four smokes and a wall";
    const client = app.client();
    const step2 = "/auth?tab=sign-up&step=2";
    const riot = { gameName: unique("Away Name "), tagLine: "EUW", region: "asia" };
    const account = () => app.db.select().from(users).where(eq(users.email, email));

    const first = await during(trouble, () => client.post("/auth?tab=sign-up", { intent: "next", email, password }));
    expect(first.status).toBe(503);
    expect(first.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(announcements(first.text)[0]).toMatch(KEPT);
    expect(announcements(first.text).at(-1)).toMatch(/^Error creating account Lineup can't reach/);
    expect(field(first.text, "email").value).toBe(email);
    expect(field(first.text, "password").value).toBe("");
    expect(first.text).not.toContain(password);
    expect(first.setCookie).toEqual([]);
    expect(await app.db.select().from(pendingSignups).where(eq(pendingSignups.email, email))).toEqual([]);
    expect((await client.post("/auth?tab=sign-up", { intent: "next", email, password })).location).toBe(step2);

    // Step 2 can't be rendered without the database: the away page keeps its fields in the “Try Again” form.
    for (const intent of ["verify", "back"]) {
      const second = await during(trouble, () => client.post(step2, { intent, ...riot }));
      expectAwayPage(second, intent);
      const form = findForm(second.text, "Try Again");
      expect(form.values, intent).toMatchObject({ intent: [intent], gameName: [riot.gameName], region: ["asia"] });
    }
    await client.post(step2, { intent: "verify", ...riot });
    const completed = await during(trouble, () => client.post(step2, { intent: "complete", ...riot }));
    expectAwayPage(completed, "complete");
    expect(await account()).toEqual([]);
    const form = findForm(completed.text, "Try Again");
    expect((await client.post(step2, form.values)).location).toBe("/dashboard");
    expect(await account()).toHaveLength(1);

    const signedOut = app.client();
    const refused = await during(trouble, () => signedOut.post("/auth", { email, password }));
    expect(refused.status).toBe(503);
    expect(announcements(refused.text).at(-1)).toMatch(/^Error signing in Lineup can't reach/);
    expect(field(refused.text, "email").value).toBe(email);
    expect(refused.text).not.toContain(password);
    await signIn(signedOut, email, password);
  });

  test("a confirmation link, a sign-out and the verification API report the failure and change nothing", async () => {
    const { client, player } = await newVisitor(app);
    const link = await during(trouble, () => app.client().get("/auth/confirm?token=whatever"));
    expectAwayPage(link, "link");
    const signOut = await during(trouble, () => client.post("/auth/sign-out"));
    expectAwayPage(signOut, "sign-out");
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toHaveLength(1);
    expect((await client.get("/dashboard")).status).toBe(200);
    const api = await during(trouble, () =>
      client.postJson("/riot-api/verify-account", { gameName: "Somebody", tagLine: "EUW" }),
    );
    expect(api.status).toBe(503);
    expect(api.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(JSON.parse(api.text)).toEqual({
      error: "Verification isn't available right now. Please try again in a moment.",
    });
  });

  test("the Worker is healthy but not ready until the database is back", async () => {
    const [health, ready] = await during(trouble, () =>
      Promise.all([app.client().get("/healthz"), app.client().get("/readyz")]),
    );
    expect([health?.status, ready?.status]).toEqual([200, 503]);
    expect((await app.client().get("/readyz")).status).toBe(200);
  });

  test("the cron logs the failures, doesn't crash, and leaves its heavy tasks for the next run", async () => {
    const before = app.logs.length;
    await during(trouble, () => app.runScheduled());
    const lines = app.logs.slice(before).map(({ message }) => JSON.parse(message));
    const failed = lines.filter(({ message }) => message === "Housekeeping failed").map(({ task }) => task);
    expect(failed).toEqual(expect.arrayContaining(["sessions", "devices", "rateLimits"]));
    for (const task of ["posts", "accounts", "claims"]) expect(failed).not.toContain(task);
    expect(lines.at(-1)).toMatchObject({ message: "housekeeping" });
  });

  test("the cron still writes the emails that are due if the database is back when it records its run", async () => {
    const { author } = await startConversation(app);
    const { id, email } = author.player;
    const due = { emailDueAt: new Date(Date.now() - 1) };
    await app.db.update(notifications).set(due).where(eq(notifications.userId, id));
    const recover = async () => {
      proxy.mode = "through";
    };
    proxy.before = { words: String.raw`insert into \"rate_limits\"`, run: recover };
    await during(trouble, () => app.runScheduled());
    expect(proxy.before).toBeNull();
    expect(await app.db.$count(outbox, eq(outbox.recipient, email))).toBe(1);
  });
});

describe("while another connection holds the database's lock", () => {
  /** Runs `work`, during which the first request that contains `words` finds the database locked. */
  async function whileLocked(words: string, work: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const run = async () => {
      proxy.locked = 1;
    };
    proxy.before = { words, run };
    const answer = await work();
    expect([proxy.before, proxy.locked]).toEqual([null, 0]);
    return answer;
  }

  test.each(["a password", "Discord"])("the last step of a sign-up with %s signs the player in", async (way) => {
    const step2 = "/auth?tab=sign-up&step=2";
    const client = app.client();
    const riot = { gameName: unique("Busy "), tagLine: "EUW", region: "americas" };
    if (way === "Discord") {
      const { key } = newDiscordUser(app);
      await completeOAuth(client, "discord", key);
    } else {
      const email = newEmail();
      await client.post("/auth?tab=sign-up", { intent: "next", email, password: PASSWORD.repeat(2) });
    }
    await client.post(step2, { intent: "verify", ...riot });
    const done = await whileLocked('INSERT INTO \\"users\\"', () => client.submit(step2, "Complete Signup"));
    expect([done.status, done.location]).toEqual([303, "/dashboard"]);
    const dashboard = await client.follow(done);
    expect(announcements(dashboard.text).join()).toContain("Account created successfully!");
    // The Riot account is linked all the same.
    expect(textOf(dashboard.text)).toContain(" Verified Online ");
  });

  test.each([
    ["Grant", "Appeal granted"],
    ["Reject", "Appeal rejected"],
  ])("%s answers an appeal, and says so", async (button, said) => {
    const { newCase, decideCase } = casesIn(app);
    const [player, moderator] = [await newVisitor(app), await newModerator(app)];
    const decided = await decideCase(await newCase(player.player), { action: "warn" });
    if (decided.outcome !== "decided") throw new Error(decided.outcome);
    await player.client.post(`/account/decisions/${decided.id}/appeal`, { words: "That was not me." });
    const appeal = await app.db.select().from(appeals).where(eq(appeals.decisionId, decided.id)).get();
    const answer = await whileLocked('UPDATE \\"appeals\\"', () =>
      moderator.client.submit(`/moderation/appeals/${appeal?.id}`, button, { reason: "It was a joke." }),
    );
    expect([answer.status, answer.location]).toEqual([303, "/moderation/appeals"]);
    expect(announcements((await moderator.client.follow(answer)).text).join()).toContain(said);
  });
});

describe("when only the database's response is lost", () => {
  test("sending the form again doesn't create a second post", async () => {
    const { client, player } = await newVisitor(app);
    const fields = { id: uuidv7(), title: "Saved after all", neededPlayers: "1" };
    const posts = () => app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    const answer = await during(/insert into \\?"lfg_posts/i, () => client.post("/dashboard/lfg/new", fields));
    expect(answer.status).toBe(503);
    expect(await posts()).toHaveLength(1);
    const form = findForm(answer.text, "Create Post");
    expect((await client.post("/dashboard/lfg/new", form.values)).status).toBe(303);
    expect((await client.post("/dashboard/lfg/new", form.values)).status).toBe(303);
    expect(await posts()).toHaveLength(1);
  });

  test("signing up again doesn't create a second account, and the player can sign in", async () => {
    const email = `${unique("lost-")}@lineup.test`;
    const client = app.client();
    const riot = { gameName: unique("Lost Name "), tagLine: "EUW", region: "americas" };
    await client.post("/auth?tab=sign-up", { intent: "next", email, password: PASSWORD.repeat(2) });
    await client.post("/auth?tab=sign-up&step=2", { intent: "verify", ...riot });
    const complete = () => client.post("/auth?tab=sign-up&step=2", { intent: "complete", ...riot });
    const accounts = () => app.db.select().from(users).where(eq(users.email, email));
    const answer = await during(/insert into \\?"users/i, complete);
    expect(answer.status).toBe(503);
    expect(await accounts()).toHaveLength(1);
    const again = await complete();
    expect(again.status).toBe(303);
    expect(await accounts()).toHaveLength(1);
    await signIn(app.client(), email, PASSWORD.repeat(2));
  });

  test("step 1 of a sign-up, sent again, keeps the Riot account that the sign-up began with", async () => {
    const riot = newRiotUser(app);
    const email = `${unique("riot-")}@lineup.test`;
    const client = app.client();
    await completeOAuth(client, "riot", riot.key);
    const next = () => client.post("/auth?tab=sign-up", { intent: "next", email, password: PASSWORD.repeat(2) });
    expect((await during(/insert into \\?"pending_signups/i, next)).status).toBe(503);
    expect((await next()).location).toBe("/auth?tab=sign-up&step=2");
    expect((await client.submit("/auth?tab=sign-up&step=2", "Complete Signup")).location).toBe("/dashboard");
    const player = await app.db.select().from(users).where(eq(users.email, email)).get();
    expect(await linkedOf(player as { id: string })).toMatchObject([{ provider: "riot", subject: riot.puuid }]);
    expect((await profileOf({ email })).riotProvenAt).not.toBeNull();
  });

  test.each(["code", "link"] as const)("a new address, confirmed again by %s, is said to have changed", async (by) => {
    const { player, client } = await newVisitor(app);
    const page = "/dashboard/settings/email";
    const email = `${unique("changed-")}@lineup.test`;
    await client.post(page, { intent: "send", email });
    const { code, link } = await app.readEmail(email);
    const confirm = () => (by === "link" ? client.post(link as string) : client.post(`${page}?step=2`, { code }));
    const lost = await during(/update \\?"users\\?" set \\?"email\\?"/i, confirm);
    expect(lost.status).toBe(503);
    expect((await accountOf(player))?.email).toBe(email);
    // The page that says to try again has the form to do so.
    const form = findForm(lost.text, by === "link" ? "Try Again" : "Change Email");
    const again = await client.post(by === "link" ? (link as string) : `${page}?step=2`, {
      ...form.values,
      ...(by === "code" && { code }),
    });
    expect([again.status, again.location]).toEqual([303, page]);
    const { text } = await client.follow(again);
    expect(announcements(text)).toContain("Email changed You sign in with the new address from now on.");
    expect(await actionsOf(player)).toEqual(["email-changed"]);
    // Once the account has another address, the code or link is refused. So is the link for another player.
    await app.db.update(users).set({ email: player.email }).where(eq(users.id, player.id));
    expect((await confirm()).status).toBe(400);
    const { client: other } = await newVisitor(app);
    expect((await other.post(link as string)).status).toBe(400);
  });

  test.each(["code", "link"] as const)("a new password, set again by %s, leads to the sign-in", async (by) => {
    const player = await addPlayer(app);
    const password = PASSWORD.repeat(2);
    const client = app.client();
    await client.post("/auth/forgot-password?redirectTo=%2Fdashboard%2Fprofile", { email: player.email });
    const { code, link } = await app.readEmail(player.email);
    const page = by === "link" ? (link as string) : "/auth/reset-password";
    const set = (typed = code) => client.post(page, { ...(by === "code" && { code: typed }), password });
    const lost = await during(/update \\?"users\\?" set \\?"password_hash/i, set);
    expect(lost.status).toBe(503);
    const form = findForm(lost.text, "Set New Password");
    const again = await client.post(page, { ...form.values, ...(by === "code" && { code }), password });
    expect([again.status, again.location]).toEqual([303, "/auth?redirectTo=%2Fdashboard%2Fprofile"]);
    expect(announcements((await client.follow(again)).text)).toContain(
      "Password already changed Sign in with the one that you've set.",
    );
    expect(await actionsOf(player)).toEqual(["password-reset"]);
    await signIn(app.client(), player.email, password);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    if (by === "code") expect((await set(wrong)).status).toBe(400);
  });

  describe("confirming one's identity again", () => {
    const LOST_CONFIRMATION = /update \\"sessions\\" set \\"authenticated_at/;

    test("with the same recovery code leads on, and uses up neither another code nor a try", async () => {
      const { player, codes } = await newPlayerWithTwoFactor(app);
      const client = await openOldSession(app, player);
      const confirm = () => client.post(REAUTHENTICATE, { password: PASSWORD, code: codes[0] as string });
      expect((await during(LOST_CONFIRMATION, confirm)).status).toBe(503);
      const again = await confirm();
      expect([again.status, again.location]).toEqual([303, PAGE]);
      expect((await actionsOf(player)).filter((action) => action === "recovery-code-used")).toHaveLength(1);
      expect(await app.db.$count(rateLimits, like(rateLimits.key, `try:%:${player.id}`))).toBe(0);
      // Another session still has to confirm.
      expectRefused(
        await (await openOldSession(app, player)).post(REAUTHENTICATE, {
          password: PASSWORD,
          code: codes[0] as string,
        }),
        /not one of your unused/,
      );
    });

    test("with the same emailed code leads on", async () => {
      const player = await addPlayer(app);
      await app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
      const client = await openOldSession(app, player);
      await client.submit(REAUTHENTICATE, "Send Code");
      const { code: emailCode } = await app.readEmail(player.email);
      const confirm = () => client.post(REAUTHENTICATE, { emailCode });
      expect((await during(LOST_CONFIRMATION, confirm)).status).toBe(503);
      const again = await confirm();
      expect([again.status, again.location]).toEqual([303, PAGE]);
      expect(await app.db.$count(rateLimits, like(rateLimits.key, `try:%:${player.id}`))).toBe(0);
    });
  });

  const { newPost, newTeam, requestOf } = teamsIn(app);
  const { newTournament, newEntrant, newFullTeam, newTeam: newEntry, join, openCheckIn } = registrationsIn(app);

  /** A button, and the players whom it concerns besides the one who presses it. */
  interface Pressed {
    press: () => Promise<HttpResponse>;
    told: Visitor[];
    /** Whether the button removes their news or marks it as read; by default, it brings them news. */
    ends?: boolean;
  }

  /** An author's answer to one of two requests for the last spot. */
  async function answerRequest(intent: "accept" | "decline"): Promise<Pressed> {
    const { author, postId, askers } = await newPost(1, 2);
    const [one, two] = askers as [Visitor, Visitor];
    const request = await requestOf(postId, one.player);
    const press = () => pressTeamButton(author.client, postId, intent, request.id);
    return { press, told: intent === "accept" ? [one, two] : [one] };
  }

  async function leavePost(): Promise<Pressed> {
    const { author, postId, members } = await newTeam(1);
    const [{ client }] = members as [Visitor];
    return { press: () => pressTeamButton(client, postId, "leave"), told: [author] };
  }

  /** An author closes a post that two players have asked to join. */
  async function closePost(): Promise<Pressed> {
    const { author, postId, askers } = await newPost(2, 2);
    return { press: () => author.client.post(`/lfg/${postId}`, { intent: "close" }), told: askers };
  }

  /** An author, in another tab, deletes a post that a player has asked to join. */
  async function deletePost(): Promise<Pressed> {
    const { author, postId } = await newPost(1, 1);
    const press = () => author.client.post(`/lfg/${postId}/delete`, { intent: "delete" });
    return { press, told: [author], ends: true };
  }

  /** A player blocks the author of a post that they have asked to join. */
  async function block(): Promise<Pressed> {
    const { author, askers } = await newPost(1, 1);
    const [asker] = askers as [Visitor];
    const press = () => asker.client.post(`/players/${author.player.id}/block`, { intent: "block" });
    return { press, told: [author], ends: true };
  }

  async function enterTournament(): Promise<Pressed> {
    const [host, { client }] = [await newVisitor(app), await newEntrant()];
    const { id } = await newTournament({ userId: host.player.id });
    const [teamId, name] = [uuidv7(), unique("Team ")];
    return { press: () => register(client, id, name, teamId), told: [host] };
  }

  async function joinTeam(): Promise<Pressed> {
    const { id } = await newTournament();
    const [{ captain, teamId }, mate] = [await newEntry(id), await newEntrant()];
    return { press: () => join(mate, id, teamId), told: [captain] };
  }

  async function changeTeam(intent: "leave" | "remove" | "hand-over"): Promise<Pressed> {
    const { id } = await newTournament();
    const { captain, members, teamId } = await newFullTeam(id);
    const [member] = members as [Visitor];
    const [presser, other] = intent === "leave" ? [member, captain] : [captain, member];
    const button = { intent, ...(intent !== "leave" && { player: member.player.id }) };
    return { press: () => presser.client.post(`/tournaments/${id}/teams/${teamId}`, button), told: [other] };
  }

  async function inviteGuest(): Promise<Pressed> {
    const { id } = await newTournament();
    const [{ captain, teamId }, guest] = [await newEntry(id), await newEntrant()];
    await addConversation(app, captain.player, guest.player);
    const button = { intent: "invite", players: [guest.player.id] };
    return { press: () => captain.client.post(`/tournaments/${id}/teams/${teamId}`, button), told: [guest] };
  }

  /** A call to check in, which a teammate answers. */
  async function checkIn(): Promise<Pressed> {
    const { id } = await newTournament();
    const { captain, members } = await newFullTeam(id);
    await openCheckIn(id);
    await app.runScheduled();
    const press = () => captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    return { press, told: members, ends: true };
  }

  async function uninvite(): Promise<Pressed> {
    const { id } = await newTournament();
    const [{ captain, teamId }, guest] = [await newEntry(id), await newEntrant()];
    await addConversation(app, captain.player, guest.player);
    const press = (button: Record<string, string>) => captain.client.post(`/tournaments/${id}/teams/${teamId}`, button);
    expect((await press({ intent: "invite", players: guest.player.id })).status).toBe(303);
    return { press: () => press({ intent: "take-back", player: guest.player.id }), told: [guest], ends: true };
  }

  /** A tournament of two spots, which are taken, and a team that waits. */
  async function newWaiting() {
    const host = await newVisitor(app);
    // The edit form's times have no seconds.
    const registrationDeadline = new Date(Math.ceil(Date.now() / HOUR) * HOUR);
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 2, registrationDeadline });
    const [entered] = [await newFullTeam(id), await newEntry(id)];
    const { captain: waiter } = await newEntry(id);
    return { id, host, entered, waiter, page: `/tournaments/${id}` };
  }

  async function addSpots(): Promise<Pressed> {
    const { host, waiter, page } = await newWaiting();
    const form = findForm((await host.client.get(`${page}/edit`)).text, "Save Tournament");
    const press = () =>
      host.client.post(`${page}/edit`, { ...form.values, description: "One evening.", maxParticipants: "4" });
    return { press, told: [waiter] };
  }

  async function cancel(): Promise<Pressed> {
    const { host, waiter, page } = await newWaiting();
    return { press: () => host.client.post(`${page}/cancel`, { reason: "Too few teams." }), told: [waiter] };
  }

  async function takeOut(intent: "withdraw" | "remove-team"): Promise<Pressed> {
    const { host, waiter, page, entered } = await newWaiting();
    const press = () =>
      intent === "withdraw"
        ? entered.captain.client.post(`${page}/withdraw`, { team: entered.teamId })
        : host.client.post(`${page}/teams/${entered.teamId}`, { intent });
    return { press, told: [...entered.members, waiter] };
  }

  async function addHelper(): Promise<Pressed> {
    const [host, helper] = [await newVisitor(app), await newVisitor(app)];
    const { id } = await newTournament({ userId: host.player.id });
    await addConversation(app, host.player, helper.player);
    const button = { intent: "add", playerId: helper.player.id };
    return { press: () => host.client.post(`/tournaments/${id}/manage`, button), told: [helper] };
  }

  async function reportUrgently(): Promise<Pressed> {
    const [moderator, reporter, reported] = [await newModerator(app), await newVisitor(app), await addPlayer(app)];
    const fields = { id: uuidv7(), reason: "threats" };
    return { press: () => reporter.client.post(`/players/${reported.id}/report`, fields), told: [moderator] };
  }

  const EDITED = /update \\"tournaments\\" set/;
  const TAKEN_OUT = /DELETE FROM \\"tournament_teams/;
  const REPORTED = /INSERT INTO \\"reports/;
  const LEFT_TEAM = /DELETE FROM \\"tournament_players/;

  test.each<[button: string, lost: RegExp, prepare: () => Promise<Pressed>, status: number]>([
    ["Accept", /UPDATE \\"join_requests\\" SET \\"state\\" = 'accepted'/, () => answerRequest("accept"), 303],
    ["Decline", /UPDATE \\"join_requests\\" SET \\"state\\" = 'declined'/, () => answerRequest("decline"), 303],
    ["Leave Team of a post", /DELETE FROM \\"conversation_members/, leavePost, 303],
    ["Close Post", /UPDATE \\"lfg_posts\\" SET \\"is_active\\" = 0/, closePost, 303],
    ["Delete Post", /DELETE FROM \\"lfg_posts/, deletePost, 303],
    ["Block", /INSERT INTO \\"blocks/, block, 303],
    ["Register", /INSERT INTO \\"tournament_teams/, enterTournament, 303],
    ["Invite", /INSERT INTO \\"tournament_invitations/, inviteGuest, 303],
    ["Join Team", /INSERT INTO \\"tournament_players/, joinTeam, 303],
    ["Leave Team of a tournament", LEFT_TEAM, () => changeTeam("leave"), 409],
    ["Remove", LEFT_TEAM, () => changeTeam("remove"), 409],
    ["Make Captain", /SET \\"captain_id/, () => changeTeam("hand-over"), 303],
    ["Check In", /SET \\"checked_in_at/, checkIn, 303],
    ["Uninvite", /DELETE FROM \\"tournament_invitations/, uninvite, 303],
    ["Withdraw", TAKEN_OUT, () => takeOut("withdraw"), 303],
    ["Remove Team", TAKEN_OUT, () => takeOut("remove-team"), 303],
    ["Save Tournament", EDITED, addSpots, 303],
    ["Cancel Tournament", EDITED, cancel, 303],
    ["Add Organiser", /INSERT INTO \\"tournament_organisers/, addHelper, 303],
    ["Send Report of threats", REPORTED, reportUrgently, 303],
  ])("pressing %s again reaches the other players' open tabs", async (_, lost, prepare, status) => {
    const { press, told, ends = false } = await prepare();
    // Later news of the same team would only change a row that is still unread.
    const ids = told.map(({ player }) => player.id);
    if (!ends) await app.db.delete(notifications).where(inArray(notifications.userId, ids));
    const tabs = await Promise.all(told.map(({ client }) => openInbox(client)));
    for (const tab of tabs) expect(await tab.next("unread")).toMatchObject({ notifications: ends ? 1 : 0 });
    expect((await during(lost, press)).status).toBe(503);
    expect((await press()).status).toBe(status);
    for (const tab of tabs) await tab.next("unread", ({ notifications: unread }) => unread === (ends ? 0 : 1));
    for (const tab of tabs) tab.close();
  });

  test.each([
    ["deleted", (id: string) => app.db.delete(lfgPosts).where(eq(lfgPosts.id, id))],
    ["hidden", (id: string) => app.db.update(lfgPosts).set({ hiddenAt: new Date() }).where(eq(lfgPosts.id, id))],
  ])("contacting a post's author again after the post was %s reports and announces what was sent", async (_, lose) => {
    const [author, reader] = [await newVisitor(app), await newVisitor(app)];
    const postId = await addPost(app, author.player.id);
    const [id, words] = [uuidv7(), "Room for one more?"];
    expect(
      (await during(/INSERT INTO \\"messages/, () => contactAuthor(reader.client, postId, words, id))).status,
    ).toBe(503);
    await lose(postId);
    const tab = await openInbox(author.client);
    await tab.next("unread", ({ messages }) => messages === 1);
    const again = await contactAuthor(reader.client, postId, words, id);
    expect([again.status, again.location]).toEqual([303, "/dashboard"]);
    const { status, text } = await reader.client.follow(again);
    expect([status, announcements(text)]).toEqual([
      200,
      ["Message sent! Check the Messages tab to continue the conversation."],
    ]);
    await tab.next("unread", ({ conversationId }) => conversationId !== undefined);
    tab.close();
    // Another text, or another player's message, wasn't sent.
    const other = await contactAuthor(reader.client, postId, "Other words", id);
    expect([other.status, other.text]).toEqual([409, expect.not.stringContaining("Message sent!")]);
    const { client } = await newVisitor(app);
    expect((await contactAuthor(client, postId, words, id)).status).toBe(409);
  });

  test("sending a report again raises the moderators' number of cases if it opened one", async () => {
    const [{ client }, reporter, reported] = [await newModerator(app), await newVisitor(app), await addPlayer(app)];
    const fields = { id: uuidv7(), reason: "spam" };
    const report = () => reporter.client.post(`/players/${reported.id}/report`, fields);
    const tab = await openInbox(client);
    const { cases = 0 } = await tab.next("unread");
    expect((await during(REPORTED, report)).status).toBe(503);
    expect((await report()).status).toBe(303);
    await tab.next("unread", (unread) => unread.cases === cases + 1);
    tab.close();
  });

  test.each(["player", "visitor"])(
    "sending a report again as a %s, once its post is gone, says that it was sent",
    async (by) => {
      const [author, moderator] = [await newVisitor(app), await newModerator(app)];
      const client = by === "player" ? (await newVisitor(app)).client : app.client();
      const postId = await addPost(app, author.player.id);
      const fields = { id: uuidv7(), reason: "threats", ...(by === "visitor" && { name: "Kim", email: newEmail() }) };
      const report = (more = {}) => client.post(`/lfg/${postId}/report`, { ...fields, ...more });
      const tab = await openInbox(moderator.client);
      expect((await during(REPORTED, report)).status).toBe(503);
      await app.db.delete(lfgPosts).where(eq(lfgPosts.id, postId));
      const again = await report();
      expect(again.status).toBe(303);
      expect(announcements((await client.follow(again)).text).join()).toContain("Report sent");
      await tab.next("unread", ({ notifications: unread }) => unread === 1);
      tab.close();
      // A report with other details, or from another form, wasn't sent.
      for (const more of [{ details: "Other words" }, { id: uuidv7() }]) {
        expect((await report({ ...more })).status).toBe(404);
      }
    },
  );

  test("sending a message's report again, once the message is gone, says that it was sent", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await sendTo(author.client, conversationId, "Rude words");
    const sent = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    const message = sent.find(({ content }) => content === "Rude words")?.id as string;
    const fields = { id: uuidv7(), reason: "harassment", message };
    const report = () => reader.client.post(`/dashboard/messages/${conversationId}/report/${message}`, fields);
    expect((await during(REPORTED, report)).status).toBe(503);
    await app.db.update(messages).set({ hiddenAt: new Date() }).where(eq(messages.id, message));
    const again = await report();
    expect(again.status).toBe(303);
    expect(announcements((await reader.client.follow(again)).text).join()).toContain("Report sent");
  });

  test("sending a message's report again, once the reporter is no longer in the team, says that it was sent", async () => {
    const { author, postId, members, conversationId } = await newTeam(1);
    const { player, client } = members[0] as Visitor;
    await sendTo(author.client, conversationId, "Rude words");
    const sent = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    const message = sent.find(({ content }) => content === "Rude words")?.id as string;
    const fields = { id: uuidv7(), reason: "harassment", message };
    const report = (more = {}) =>
      client.post(`/dashboard/messages/${conversationId}/report/${message}`, { ...fields, ...more });
    expect((await during(REPORTED, report)).status).toBe(503);
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, player)).id);
    const again = await report();
    expect([again.status, again.location]).toEqual([303, "/dashboard/messages"]);
    expect(announcements((await client.follow(again)).text).join()).toContain("Report sent");
    // A report with other details, or from another form, wasn't sent.
    for (const more of [{ details: "Other words" }, { id: uuidv7() }]) expect((await report(more)).status).toBe(404);
  });

  /** A review of a player, who has news of it. */
  async function newReview() {
    const [reviewed, author] = [await newVisitor(app), await newVisitor(app)];
    await addSession(app.db, reviewed.player, [author.player]);
    await giveFeedback(reviewed.client, author.player);
    await giveFeedback(author.client, reviewed.player, { rating: 1, comment: "Rude" });
    const [review] = await reviewsIn(app).feedbackBetween(author.player, reviewed.player);
    return { reviewed, reviewId: review?.id as string };
  }

  test.each(["player", "visitor"])(
    "sending a review's report again as a %s, once the review is hidden, returns to the page below",
    async (by) => {
      const { reviewed, reviewId } = await newReview();
      const client = by === "player" ? (await newVisitor(app)).client : app.client();
      const page = `/players/${reviewed.player.id}`;
      const fields = {
        id: uuidv7(),
        reason: "harassment",
        ...(by === "visitor" && { name: "Kim", email: newEmail() }),
      };
      const report = () => client.post(`${page}/report/${reviewId}`, fields);
      expect((await during(REPORTED, report)).status).toBe(503);
      await app.db.update(userFeedback).set({ hiddenAt: new Date() }).where(eq(userFeedback.id, reviewId));
      const again = await report();
      expect([again.status, again.location]).toEqual([303, page]);
      expect(announcements((await client.follow(again)).text).join()).toContain("Report sent");
    },
  );

  test("sending a report of evidence again, once it is no longer shown, returns to the match", async () => {
    const [author, rival] = [await newVisitor(app), await newVisitor(app)];
    const captains = [author.player.id, rival.player.id];
    const { id, execute } = await startTournament(app, { teams: 2, captains });
    await execute({ type: "dispute", match: 0, evidence: "Rude words" }, author.player.id);
    const page = `/tournaments/${id}/matches/0`;
    const fields = { id: uuidv7(), reason: "hate" };
    const report = () => rival.client.post(`${page}/evidence/${author.player.id}/report`, fields);
    expect((await during(REPORTED, report)).status).toBe(503);
    await app.db.update(tournamentEvents).set({ details: null }).where(eq(tournamentEvents.actorId, author.player.id));
    const again = await report();
    expect([again.status, again.location]).toEqual([303, page]);
    expect(announcements((await rival.client.follow(again)).text).join()).toContain("Report sent");
  });

  /** Reports a thing and decides its case; the response is lost. Returns how to send the decision again. */
  async function decideWithLostResponse(button: "Ban" | "Hide", reporter: Visitor, reportPage: string, id: string) {
    const moderator = await newModerator(app);
    await reporter.client.post(reportPage, { id: uuidv7(), reason: "spam" });
    const theCase = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, id)).get();
    const page = `/moderation/cases/${theCase?.id}/${button.toLowerCase()}`;
    const form = findForm((await moderator.client.get(page)).text, button).values;
    const decide = () => moderator.client.post(page, { ...form, rule: "spam", reason: "A shop" });
    expect((await during(/INSERT INTO \\"decisions/, decide)).status).toBe(503);
    return decide;
  }

  async function banWithLostResponse({ player }: Visitor, reporter: Visitor) {
    const ban = await decideWithLostResponse("Ban", reporter, `/players/${player.id}/report`, player.id);
    expect((await accountOf(player))?.suspendedAt).not.toBeNull();
    return ban;
  }

  test.each(["review", "post", "tournament"])(
    "hiding a %s again updates the tabs of a player who has lost news of it",
    async (kind) => {
      const { reviewed, reviewId } = await newReview();
      const { postId, members } = await newTeam(1);
      const host = await newVisitor(app);
      const { id: cup } = await newTournament({ userId: host.player.id });
      // The host has news of the registration.
      await newEntry(cup);
      const [player, page, id] =
        kind === "review"
          ? [reviewed, `/players/${reviewed.player.id}/report/${reviewId}`, reviewId]
          : kind === "post"
            ? [members[0] as Visitor, `/lfg/${postId}/report`, postId]
            : [host, `/tournaments/${cup}/report`, cup];
      const tab = await openInbox(player.client);
      expect(await tab.next("unread")).toMatchObject({ notifications: 1 });
      const hide = await decideWithLostResponse("Hide", await newVisitor(app), page, id);
      expect((await hide()).status).toBe(303);
      await tab.next("unread", ({ notifications: unread }) => unread === 0);
      tab.close();
    },
  );

  test("sending a decision again signs the banned player out, does the follow-ups, and tells reporters", async () => {
    const [banned, reporter] = [await newVisitor(app), await newVisitor(app)];
    await addPost(app, banned.player.id);
    const [tab, reporterTab] = [await openInbox(banned.client), await openInbox(reporter.client)];
    expect(await reporterTab.next("unread")).toMatchObject({ notifications: 0 });
    const ban = await banWithLostResponse(banned, reporter);
    expect((await ban()).status).toBe(303);
    await reporterTab.next("unread", ({ notifications: unread }) => unread === 1);
    expect((await tab.closed()).code).toBe(CLOSE.sessionEnded);
    await eventually(async () => expect(await app.db.$count(followUps)).toBe(0));
    reporterTab.close();
  });

  test("sending a ban again closes conversations that the banned player has open without an inbox", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await sendTo(author.client, conversationId, "Hi");
    const [open, inbox] = [await openConversation(reader.client, conversationId), await openInbox(author.client)];
    // The room has registered the reader's session with their inbox by then.
    await open.next("presence", ({ state }) => state === "online");
    const ban = await banWithLostResponse(reader, author);
    expect((await ban()).status).toBe(303);
    expect((await open.closed()).code).toBe(CLOSE.sessionEnded);
    inbox.close();
  });

  test("sending a ban again carries out its own follow-ups, and leaves others to the cron job", async () => {
    const banned = await newVisitor(app);
    const postId = await addPost(app, banned.player.id);
    const createdAt = new Date(Date.now() - HOUR);
    const others = Array.from({ length: 101 }, () => ({ kind: "post" as const, subjectId: uuidv7(), createdAt }));
    await app.db.insert(followUps).values(others.map((one) => ({ ...one, picture: "" })));
    const ban = await banWithLostResponse(banned, await newVisitor(app));
    const due = () => app.db.$count(followUps, inArray(followUps.subjectId, [banned.player.id, postId]));
    expect(await due()).toBe(2);
    expect((await ban()).status).toBe(303);
    await eventually(async () => expect(await due()).toBe(0));
    expect(await app.db.$count(followUps, isNull(followUps.dueAt))).toBe(others.length);
    await app.db.delete(followUps);
  });

  test("cancelling again reloads the tournament's open pages, even with another reason", async () => {
    const { id, host, page } = await newWaiting();
    const room = await openTournament(app.client(), id);
    const cancelFor = (reason: string) => host.client.post(`${page}/cancel`, { reason });
    expect((await during(EDITED, () => cancelFor("Too few teams."))).status).toBe(503);
    expect((await cancelFor("Another reason.")).status).toBe(409);
    await room.next("changed");
    room.close();
  });

  test("a player who plays alone and withdraws again reloads the tournament's open pages", async () => {
    const { id, hostId } = await newTournament({ teamSize: 1 });
    const { captain: alone, teamId } = await newEntry(id, null);
    // Nobody has unread news of the tournament.
    await app.db.delete(notifications).where(eq(notifications.userId, hostId));
    const room = await openTournament(app.client(), id);
    const withdraw = () => alone.client.post(`/tournaments/${id}/withdraw`, { team: teamId });
    expect((await during(TAKEN_OUT, withdraw)).status).toBe(503);
    expect((await withdraw()).status).toBe(303);
    await room.next("changed");
    room.close();
  });

  test.each([
    ["declining an invitation", "tournament_invitations"],
    ["leaving the list of players looking for a team", "tournament_seekers"],
  ])("%s reloads the tournament's open pages", async (_, table) => {
    const { player, client } = await newEntrant();
    const { id, teams } = await newTournament({ teams: 1 });
    const [teamId, row] = [teams[0]?.id as string, { userId: player.id, createdAt: new Date() }];
    const isInvited = table === "tournament_invitations";
    if (isInvited) await app.db.insert(tournamentInvitations).values({ ...row, teamId });
    else await app.db.insert(tournamentSeekers).values({ ...row, tournamentId: id });
    const room = await openTournament(app.client(), id);
    const press = () =>
      client.post(`/tournaments/${id}/teams${isInvited ? `/${teamId}` : ""}`, {
        intent: isInvited ? "decline" : "stop-seeking",
      });
    expect((await during(new RegExp(`DELETE FROM \\\\"${table}`), press)).status).toBe(503);
    await room.next("changed");
    expect((await press()).status).toBe(303);
    room.close();
  });

  test("removing an organiser again closes the socket of a match chat that they no longer read", async () => {
    const [host, helper] = [await newVisitor(app), await newVisitor(app)];
    const { id } = await startTournament(app, { teams: 2, userId: host.player.id });
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    const page = `/tournaments/${id}`;
    expect((await helper.client.post(`${page}/matches/0`, { intent: "join-chat" })).status).toBe(303);
    const match = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id)).get();
    const open = await openConversation(helper.client, match?.conversationId as string);
    await open.next("hello");
    const remove = () => host.client.post(`${page}/manage`, { intent: "remove", playerId: helper.player.id });
    expect((await during(/delete from \\"tournament_organisers/i, remove)).status).toBe(503);
    expect((await remove()).status).toBe(303);
    expect((await open.closed()).code).toBe(1012);
  });

  const SCORE = { leftSide: "1", bestOf: "1", left1: "13", right1: "5" };

  /** Starts a match that its first captain can report. */
  async function newMatch() {
    const [one, two] = [await newVisitor(app), await newVisitor(app)];
    const { id } = await startTournament(app, {
      teams: 2,
      captains: [one.player.id, two.player.id],
      tournamentDate: new Date(Date.now() - 60_000),
    });
    const report = () => one.client.post(`/tournaments/${id}/matches/0`, { intent: "report", ...SCORE });
    return { id, two, report };
  }

  /** Deletes players' news. No room learns of this, so only a new count can show it. */
  const deleteNews = (...players: Visitor[]) =>
    app.db.delete(notifications).where(
      inArray(
        notifications.userId,
        players.map(({ player }) => player.id),
      ),
    );

  /** Matches the statement with which a room stores its tournament under the next version, as after a report. */
  const LOST = /version\\" = iif/;

  test("a report to a tournament's room is answered like any other form, and can be sent again", async () => {
    const { report } = await newMatch();
    const answer = await during(LOST, report);
    expect([answer.status, announcements(answer.text).join()]).toEqual([
      503,
      expect.stringContaining("Lineup can't reach its database right now. Your entries are still here"),
    ]);
    expect(field(answer.text, "left1").value).toBe("13");
    expect((await report()).status).toBe(303);
  });

  test("a report reaches the match's open pages and the other captain at once, and again when it's sent again", async () => {
    const { id, two, report } = await newMatch();
    await deleteNews(two);
    const page = await openTournament(app.client(), id);
    const tab = await openInbox(two.client);
    await tab.next("unread", ({ notifications }) => notifications === 0);
    expect((await during(LOST, report)).status).toBe(503);
    await page.next("changed");
    await tab.next("unread", ({ notifications }) => notifications === 1);
    const opened = await openTournament(app.client(), id);
    expect((await report()).status).toBe(303);
    await opened.next("changed");
    for (const socket of [page, tab, opened]) socket.close();
  });

  test("the next command announces all changes whose responses were lost, not only the last one", async () => {
    const captains = await Promise.all([1, 2, 3, 4].map(() => newVisitor(app)));
    const { id } = await startTournament(app, {
      teams: 4,
      captains: captains.map(({ player }) => player.id),
      tournamentDate: new Date(Date.now() - 60_000),
    });
    const report = (seed: number, match: number) =>
      captains[seed - 1]?.client.post(`/tournaments/${id}/matches/${match}`, { intent: "report", ...SCORE });
    await deleteNews(...captains);
    const tabs = await Promise.all(captains.slice(2).map(({ client }) => openInbox(client)));
    const haveUnread = (count: number) =>
      Promise.all(tabs.map((tab) => tab.next("unread", ({ notifications }) => notifications === count)));
    await haveUnread(0);
    for (const [seed, match] of [
      [1, 0],
      [2, 1],
    ] as const)
      await during(LOST, async () => report(seed, match));
    await haveUnread(1);
    await deleteNews(...captains);
    expect((await report(1, 0))?.status).toBe(303);
    await haveUnread(0);
    for (const tab of tabs) tab.close();
  });

  /** Runs the cron while the responses to some statements are lost, and returns the tasks that its log names. */
  async function failedTasks(lost: RegExp): Promise<string[]> {
    const before = app.logs.length;
    await during(lost, () => app.runScheduled());
    const lines = app.logs.slice(before).map(({ message }) => JSON.parse(message));
    const failures = lines.filter(({ message }) => message === "Housekeeping failed");
    const tasks = new Set<string>(failures.map(({ task }) => task));
    expect(lines.at(-1)).toMatchObject({ message: "housekeeping", failures: tasks.size });
    return [...tasks];
  }

  test.each([
    ["posts", /is_active\\" = 0/],
    ["sessionsOver", /RETURNING \\"lfg_posts\\"\.\\"id\\" AS postId/],
    ["checkIn", /check_in_told_at/],
    ["claims", /riot_claim_lapsed_at/],
  ])("the cron's task %s, which may write thousands of rows, fails alone", async (task, itsStatement) => {
    expect(await failedTasks(itsStatement)).toEqual([task]);
  });

  test("a failed call to open tabs counts as a failure of the cron's run", async () => {
    const [author, member] = [await newVisitor(app), await newVisitor(app)];
    const postId = await addSession(app.db, author.player, [member.player]);
    await app.db.update(lfgPosts).set({ sessionEndedAt: null }).where(eq(lfgPosts.id, postId));
    expect(await failedTasks(/conversation_id\\" AS id/)).toEqual(["rooms"]);
  });
});

describe("the database server itself", () => {
  const direct = useApp({ world: "demo" });

  test("may be stopped and started again: pages and forms report the outage, and recover by themselves", async () => {
    const { client } = await newVisitor(direct);
    await direct.sqld?.stop();
    const [page, form] = await Promise.all([
      client.get("/dashboard"),
      client.post("/dashboard/lfg/new", { id: uuidv7(), title: "While it was down", neededPlayers: "1" }),
    ]);
    expectAwayPage(page, "page");
    expectAwayPage(form, "form");
    await direct.sqld?.start();
    expect((await client.get("/dashboard")).status).toBe(200);
    const again = await client.post("/dashboard/lfg/new", findForm(form.text, "Try Again").values);
    expect(again.location).toBe("/dashboard");
  });

  test("may hang: a page and a form wait 5 seconds for it, and no longer", async () => {
    const { client, player } = await newVisitor(direct);
    const fields = { id: uuidv7(), title: "While it hung", neededPlayers: "1" };
    const timed = async (request: Promise<HttpResponse>) => {
      const started = performance.now();
      return { answer: await request, seconds: (performance.now() - started) / 1_000 };
    };
    direct.sqld?.pause();
    try {
      const [page, form] = await Promise.all([
        timed(client.get("/dashboard/profile")),
        timed(client.post("/dashboard/lfg/new", fields)),
      ]);
      expectAwayPage(page.answer, "page");
      expectAwayPage(form.answer, "form");
      expect(form.seconds).toBeLessThan(8);
      expect(page.seconds).toBeLessThan(8);
    } finally {
      direct.sqld?.resume();
    }
    expect((await client.get("/dashboard")).status).toBe(200);
    expect((await client.post("/dashboard/lfg/new", fields)).location).toBe("/dashboard");
    expect(await direct.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id))).toHaveLength(1);
  });
});
