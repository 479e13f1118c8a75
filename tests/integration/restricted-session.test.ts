import { readdirSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { appeals, decisions, messages, reportCases, sessions, users } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, type HttpResponse, signIn } from "../support/client";
import { announcements, buttons, field, findForm, heading, links, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox } from "../support/socket";
import { addTournament } from "../support/tournaments";
import {
  addPlayer,
  addPost,
  DAY,
  HOUR,
  MINUTE,
  newAddress,
  newPair,
  newVisitor,
  openSession,
  type Player,
  sendTo,
  visitAs,
} from "./players";

const HOME = "/account/decisions";

const app = useApp();
const { accountOf, auditLinesOf } = recordsIn(app);

/** Suspends an account: until a time, or, with null, for good. */
const suspend = ({ id }: Player, suspendedUntil: Date | null = new Date(Date.now() + DAY)) =>
  app.db
    .update(users)
    .set({ suspendedAt: new Date(Date.now() - MINUTE), suspendedUntil, suspendedReason: "Sold accounts" })
    .where(eq(users.id, id));

/** A suspended player who has signed in with the password. */
async function newSuspended(until?: Date | null): Promise<{ player: Player; client: Client }> {
  const player = await addPlayer(app);
  await suspend(player, until);
  return { player, client: await signIn(app.client(), player.email) };
}

describe("a suspended player who signs in", () => {
  test.each([
    ["suspended", undefined],
    ["banned", null],
  ])("is led to the decisions when %s, and told for how long", async (_, until) => {
    const player = await addPlayer(app);
    await suspend(player, until);
    const client = app.client();
    const answer = await client.post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect([answer.status, answer.location]).toEqual([303, HOME]);
    const page = await client.get(HOME);
    expect([page.status, heading(page.text)]).toEqual([200, "Decisions"]);
    const said = textOf(page.text);
    expect(said).toContain(until === null ? "Your account is banned" : "Your account is suspended");
    expect(said).toContain(until === null ? "It lasts until it's lifted." : "It ends on ");
    expect(said).toContain("Reason: Sold accounts");
    expect(links(page.text)).toEqual(
      expect.arrayContaining([
        { text: "Export", href: "/account/export" },
        { text: "Delete Account", href: "/account/delete-account" },
      ]),
    );
    expect(roundTrips(page)).toBe(1);
  });

  test("is taken to the page they wanted only if it opens for them", async () => {
    const player = await addPlayer(app);
    await suspend(player);
    for (const [to, reached] of [
      ["/account/delete-account", "/account/delete-account"],
      ["/dashboard/profile", HOME],
      ["/", HOME],
    ]) {
      const answer = await app.client().post(`/auth?${new URLSearchParams({ redirectTo: to as string })}`, {
        email: player.email,
        password: PASSWORD,
      });
      expect(answer.location, to).toBe(reached);
    }
  });

  test("is back as soon as the suspension has ended, without waiting for the cron", async () => {
    const { player, client } = await newSuspended();
    await suspend(player, new Date(Date.now() - 1));
    expect((await client.get("/dashboard")).status).toBe(200);
    const anew = app.client();
    expect((await anew.post("/auth", { email: player.email, password: PASSWORD })).location).toBe("/dashboard");
    (await openInbox(client)).close();
  });
});

/** The paths of all routes, with ids in place of their parameters. */
function addresses(ids: Record<string, string>): string[] {
  const names = readdirSync("app/routes", { withFileTypes: true });
  const paths = names.map(({ name }) => {
    const segments = name
      .replace(/\.tsx?$/, "")
      .replaceAll("[.]", "\0")
      .split(".");
    const shown = segments.flatMap((segment) => {
      const word = segment.replace(/_$/, "").replaceAll("\0", ".");
      if (word.startsWith("_") || word === "route") return [];
      return word.startsWith("$") ? (ids[word.slice(1)] ?? "nothing-here") : word;
    });
    return `/${shown.join("/")}`;
  });
  return [...new Set(paths)];
}

/** The pages that open for suspended players, and the requests that sign in and out. */
const OPEN = /^\/account(\/|$)|^\/auth(\/|$)|^\/dev\//;

/** The number of requests that are under way at the same time. */
const AT_ONCE = 8;

/** Does something with each item, a few at a time. */
async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += AT_ONCE) {
    await Promise.all(items.slice(first, first + AT_ONCE).map(work));
  }
}

/** A suspended player with a conversation, and every path that must not open for them. */
async function newSuspendedWithPaths() {
  const { one, other, conversationId } = await newPair(app);
  const { id: tournamentId } = await addTournament(app.db, { teams: 2, userId: other.player.id });
  const postId = await addPost(app, other.player.id);
  await suspend(one.player);
  const ids = { userId: other.player.id, conversationId, postId, tournamentId, word: "email" };
  // A suspended player's page is gone for everyone, including the player.
  const all = [...addresses(ids), ...addresses({ ...ids, userId: one.player.id })];
  const paths = [...new Set(all)].filter((path) => !OPEN.test(path));
  expect(paths.length).toBeGreaterThan(60);
  expect(paths).toEqual(expect.arrayContaining(["/dashboard", `/lfg/${postId}/join`, "/riot-api/verify-account"]));
  return { ...one, name: one.player.email.split("@")[0] as string, paths };
}

describe("a restricted session", () => {
  test("opens no other page than a visitor without an account sees", async () => {
    const { client, name, paths } = await newSuspendedWithPaths();
    await forEachOf(paths, async (path) => {
      const [own, visitors] = await Promise.all([client.get(path), app.client().get(path)]);
      const isLedHome = own.location === HOME;
      expect(isLedHome || [own.status, own.location], path).toEqual(isLedHome || [visitors.status, visitors.location]);
      expect(own.text, path).not.toContain(name);
    });
  });

  test("carries out nothing that a visitor without an account couldn't", async () => {
    const { player, client, name, paths } = await newSuspendedWithPaths();
    const before = await accountOf(player);
    const fields = () => ({ id: uuidv7(), message: "Hello" });
    await forEachOf(paths, async (path) => {
      const [own, visitors] = await Promise.all([client.post(path, fields()), app.client().post(path, fields())]);
      const isRefused = own.location === HOME || [401, 403].includes(own.status);
      expect(isRefused || own.status, path).toEqual(isRefused || visitors.status);
      expect(own.text, path).not.toContain(name);
    });
    expect(await accountOf(player)).toEqual(before);
  });

  test("opens no socket, sends nothing, and reads nothing through the APIs", async () => {
    const { one, conversationId } = await newPair(app);
    await suspend(one.player);
    await expect(openInbox(one.client)).rejects.toThrow();
    await expect(openConversation(one.client, conversationId)).rejects.toThrow();
    for (const words of ["Still here", ""]) {
      const sent = await sendTo(one.client, conversationId, words);
      expect([sent.status, roundTrips(sent)]).toEqual([403, 1]);
      expect(JSON.parse(sent.text).error).toBe("Your account is suspended, so this wasn't sent.");
    }
    expect(await app.db.select().from(messages).where(eq(messages.conversationId, conversationId))).toEqual([]);
    expect((await one.client.get("/conversations")).status).toBe(401);
    expect((await one.client.get(`/conversations/${conversationId}/messages`)).status).toBe(401);
    const token = one.client.cookies.get("lineup_session");
    const query = { gameName: "Somebody", tagLine: "EUW", region: "europe" };
    const asked = await one.client.postJson("/riot-api/verify-account", query, { Authorization: `Bearer ${token}` });
    expect(asked.status).toBe(401);
  });

  test("refuses a form with a sentence that leads to the decisions", async () => {
    const { client } = await newSuspended();
    const { id } = await addPlayer(app);
    const answer = await client.post(`/players/${id}/report`, { id: uuidv7(), reason: "spam" });
    expect(answer.status).toBe(403);
    expect(announcements(answer.text).join(" ")).toContain("Your account is suspended, so this wasn't sent.");
  });

  test("changes neither address nor password, and links nothing, however recent the sign-in", async () => {
    const { player, client } = await newSuspended();
    const before = await accountOf(player);
    const settings = "/dashboard/settings";
    for (const [path, fields] of [
      [`${settings}/email`, { intent: "send", email: "other@lineup.test" }],
      [`${settings}/password`, { password: "four smokes and a wall" }],
      [`${settings}/two-factor`, { intent: "begin" }],
      ["/auth/oauth/discord", { intent: "link" }],
    ] as const) {
      const answer = await client.post(path, fields);
      expect(answer.location === HOME || [401, 403].includes(answer.status), `${path}: ${answer.status}`).toBe(true);
    }
    expect(await accountOf(player)).toEqual(before);
  });

  test("doesn't show the player as online to others", async () => {
    const { player, client } = await newSuspended();
    await client.get(HOME);
    const [seen] = await app.db.all<{ times: number }>(
      sql`SELECT count(*) AS times FROM presence WHERE user_id = ${player.id}`,
    );
    expect(seen?.times).toBe(0);
  });

  test("can be ended", async () => {
    const { player, client } = await newSuspended();
    expect(buttons((await client.get(HOME)).text)).toContain("Sign Out");
    expect((await client.submit(HOME, "Sign Out")).location).toBe("/auth");
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toEqual([]);
    expect((await client.get(HOME)).location).toBe(`/auth?redirectTo=${encodeURIComponent(HOME)}`);
  });
});

describe("the export and the deletion", () => {
  test("are open to suspended players, and the file has the decisions' reasons", async () => {
    const { player, client } = await newSuspended();
    await addDecision(player, { action: "suspend" });
    const page = await client.get("/account/export");
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    const file = await client.submit("/account/export", "Download My Data");
    expect(file.status).toBe(200);
    expect(JSON.parse(file.text)).toMatchObject({
      account: { id: player.id, email: player.email, suspendedReason: "Sold accounts" },
      decisions: [{ action: "suspend", reason: "You offer accounts for money.", rule: "cheating" }],
    });
    expect((await client.get("/account/export/download")).location).toBe("/account/export");
    expect(await auditLinesOf(player)).toEqual(["player: data-exported"]);
  });

  test("need a recent sign-in, which suspended players give with their password", async () => {
    const { player } = await newSuspended();
    const client = app.client();
    const old = await openSession(app, player.id, { createdAt: new Date(Date.now() - HOUR) });
    client.cookies.set("lineup_session", old.cookie);
    const asks = `/auth/reauthenticate?${new URLSearchParams({ redirectTo: "/account/export" })}`;
    expect(links((await client.get("/account/export")).text)).toContainEqual({ text: "Continue", href: asks });
    expect((await client.post("/account/export/download")).location).toBe(asks);
    const again = await client.submit(asks, "Confirm", { password: PASSWORD });
    expect(again.location).toBe("/account/export");
    expect((await client.submit("/account/export", "Download My Data")).status).toBe(200);
  });

  test("let a suspended player schedule a deletion and cancel it, without ending the suspension", async () => {
    const { player, client } = await newSuspended();
    const page = "/account/delete-account";
    const wrong = await client.submit(page, "Delete Account", { email: "not@mine.test" });
    expect(wrong.status).toBe(400);
    const gone = await client.submit(page, "Delete Account", { email: player.email });
    expect(gone.location).toBe("/auth");
    expect((await accountOf(player))?.deletionDueAt).toBeInstanceOf(Date);
    const { link } = await app.readEmail(player.email);
    expect(link).toBe(`/auth?${new URLSearchParams({ redirectTo: page })}`);
    const back = app.client();
    const returned = await back.post(link as string, { email: player.email, password: PASSWORD });
    expect(returned.location).toBe(page);
    expect((await back.submit(page, "Keep My Account")).location).toBe(HOME);
    expect((await accountOf(player))?.deletionDueAt).toBeNull();
    expect((await back.get("/dashboard")).location).toBe(HOME);
  });

  test("lead everyone without a session to the sign-in", async () => {
    for (const path of [HOME, "/account/export", "/account/delete-account"]) {
      const answer: HttpResponse = await app.client().get(path);
      expect(answer.location, path).toBe(`/auth?${new URLSearchParams({ redirectTo: path })}`);
    }
  });
});

/** Adds a moderator's decision about a player's post. */
async function addDecision(
  player: Player,
  decision: Partial<typeof decisions.$inferInsert> = {},
  { reportCount = 1 }: { reportCount?: number } = {},
) {
  const [caseId, id, subjectId] = [uuidv7(), uuidv7(), uuidv7()];
  const createdAt = new Date();
  await app.db.insert(reportCases).values({
    id: caseId,
    kind: "post",
    subjectId,
    playerId: player.id,
    state: "closed",
    reportCount,
    snapshot: { author: "Seller", title: "Accounts for sale", message: "Cheap <b>smurfs</b>" },
    createdAt,
    updatedAt: createdAt,
    closedAt: createdAt,
  });
  await app.db.insert(decisions).values({
    id,
    caseId,
    kind: "post",
    subjectId,
    playerId: player.id,
    action: "hide",
    rule: "cheating",
    reason: "You offer accounts for money.",
    isFlagged: false,
    decidedBy: uuidv7(),
    decider: "Moderator Mo",
    createdAt,
    ...decision,
  });
  return { id, caseId };
}

const appealOf = (decisionId: string) => `${HOME}/${decisionId}/appeal`;

describe("/account/decisions", () => {
  test("states the decision, its end, facts and rule and how we learned of the case, but no moderator", async () => {
    const { player, client } = await newVisitor(app);
    const until = new Date("2030-03-01T12:00:00Z");
    await addDecision(player);
    const flagged = { isFlagged: true, scopes: ["posting" as const, "messaging" as const] };
    await addDecision(player, { action: "limit", until, ...flagged }, { reportCount: 0 });
    await addDecision(player, { action: "dismiss", rule: null, reason: "Nothing wrong." });
    await addDecision(await addPlayer(app), { reason: "About somebody else." });
    const page = await client.get(HOME);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    const said = textOf(page.text);
    for (const words of [
      "We've hidden your post",
      "Accounts for sale",
      "Cheap <b>smurfs</b>",
      "You offer accounts for money.",
      "6. No cheating and no boosting",
      "Someone reported it to us. A person made this decision, without automated help.",
      "You can't write or change posts or send messages for a while",
      "It ends on 1 March 2030",
      "An automated check flagged it to our moderators. Nobody had reported it. A person made this decision.",
    ]) {
      expect(said).toContain(words);
    }
    expect(said).not.toMatch(/Moderator Mo|Nothing wrong|About somebody else/);
    expect(links(page.text)).toContainEqual({ text: "6. No cheating and no boosting", href: "/rules#rule-6" });
  });

  test.each([
    [1, false, "Someone reported it to us. A person made this decision, without automated help."],
    [2, true, "Someone reported it to us, and an automated check found it, too. A person made this decision."],
    [0, true, "An automated check flagged it to our moderators. Nobody had reported it. A person made this decision."],
    [0, false, "We found it ourselves. Nobody had reported it. A person made this decision, without automated help."],
  ])("states how we learned of a case with %i reports, flagged %s", async (reportCount, isFlagged, words) => {
    const { player, client } = await newVisitor(app);
    await addDecision(player, { isFlagged }, { reportCount });
    expect(textOf((await client.get(HOME)).text)).toContain(words);
  });

  test.each([
    [true, "An automated check found it. A person made this decision."],
    [
      false,
      "Someone reported it to us, or we found it ourselves. A person made this decision, without automated help.",
    ],
  ])("claims no more than it knows once the case is deleted, flagged %s", async (isFlagged, words) => {
    const { player, client } = await newVisitor(app);
    const { caseId } = await addDecision(player, { isFlagged });
    await app.db.delete(reportCases).where(eq(reportCases.id, caseId));
    expect(textOf((await client.get(HOME)).text)).toContain(words);
  });

  test("says what the player can't do until a limit ends", async () => {
    const { player, client } = await newVisitor(app);
    const limit = (scope: string, until: number) =>
      app.db.run(sql`INSERT INTO restrictions (user_id, scope, until, decision_id)
        VALUES (${player.id}, ${scope}, ${until}, ${uuidv7()})`);
    await limit("hosting", Date.parse("2030-03-01T12:00:00Z"));
    await limit("joining", Date.now() - 1);
    const said = textOf((await client.get(HOME)).text);
    expect(said).toContain("You can't host tournaments or edit their texts until 1 March 2030");
    expect(said).not.toContain("join tournaments");
  });

  test("shows pages of twenty", async () => {
    const { player, client } = await newVisitor(app);
    for (let number = 1; number <= 23; number += 1) await addDecision(player, { reason: `Reason number ${number}.` });
    const first = await client.get(HOME);
    expect(textOf(first.text)).toContain("Reason number 23.");
    expect(textOf(first.text)).not.toContain("Reason number 3.");
    const next = links(first.text).find(({ text }) => text === "Older")?.href as string;
    const second = await client.get(next);
    expect(textOf(second.text)).toContain("Reason number 3.");
    const newer = links(second.text).find(({ text }) => text === "Newer")?.href as string;
    expect((await client.get(newer)).location ?? newer).toMatch(/^\/account\/decisions/);
  });

  test("is reached from the settings", async () => {
    const { client } = await newVisitor(app);
    expect(links((await client.get("/dashboard/settings")).text)).toContainEqual({ text: "Decisions", href: HOME });
  });
});

describe("an appeal", () => {
  test("is sent once by a suspended player, and waits", async () => {
    const { player, client } = await newSuspended();
    const { id } = await addDecision(player, { action: "suspend" });
    expect(links((await client.get(HOME)).text)).toContainEqual({ text: "Appeal", href: appealOf(id) });
    const page = await client.get(appealOf(id));
    expect([page.status, roundTrips(page), heading(page.text)]).toEqual([200, 1, "Appeal"]);
    const words = "I only sold a\nmouse.";
    const empty = await client.submit(appealOf(id), "Send Appeal", { words: " " });
    expect(empty.status).toBe(400);
    const sent = await client.submit(appealOf(id), "Send Appeal", { words });
    expect([sent.status, sent.location, roundTrips(sent)]).toEqual([303, HOME, 2]);
    // The same form once more, as when the browser resends it because the response was lost.
    expect((await client.post(appealOf(id), { words })).location).toBe(HOME);
    expect((await client.post(appealOf(id), { words: "And another thing." })).status).toBe(409);
    // Without JavaScript, Back opens the form once more.
    expect((await client.get(appealOf(id))).location).toBe(HOME);
    const said = textOf((await client.get(HOME)).text);
    expect(said).toContain("I only sold a mouse.");
    expect(said).toContain("Your appeal is waiting for an answer.");
    expect(links((await client.get(HOME)).text).map(({ text }) => text)).not.toContain("Appeal");
  });

  test("can't be sent against a decision about another player, or one in the player's favour", async () => {
    const { player, client } = await newVisitor(app);
    const made = [
      await addDecision(await addPlayer(app)),
      await addDecision(player, { action: "restore" }),
      await addDecision(player, { action: "dismiss" }),
    ];
    for (const { id } of made) {
      expect((await client.get(appealOf(id))).status).toBe(404);
      expect((await client.post(appealOf(id), { words: "No." })).status).toBe(404);
    }
    expect((await client.get(appealOf(uuidv7()))).status).toBe(404);
    const stranger = await visitAs(app, await addPlayer(app));
    const { id } = await addDecision(player);
    expect((await stranger.post(appealOf(id), { words: "No." })).status).toBe(404);
    expect((await app.client().post(appealOf(id), { words: "No." })).status).toBe(401);
  });

  test.each([
    ["has been undone", { undoneBy: uuidv7() }, "This decision has been undone, so there's nothing left to appeal."],
    [
      "has become too old",
      { createdAt: new Date(Date.now() - 185 * DAY) },
      "This decision is more than six months old, so it can't be appealed any more.",
    ],
  ])(
    "against a decision that %s since the form was opened is refused, and keeps its text",
    async (_, since, reason) => {
      const { player, client } = await newVisitor(app);
      const { id } = await addDecision(player);
      const { values } = findForm((await client.get(appealOf(id))).text, "Send Appeal");
      await app.db.update(decisions).set(since).where(eq(decisions.id, id));
      const answer = await client.post(appealOf(id), { ...values, words: "Typed at length" });
      expect([answer.status, heading(answer.text)]).toEqual([409, "Appeal"]);
      expect(announcements(answer.text).join()).toContain(reason);
      expect(field(answer.text, "words").value).toBe("Typed at length");
      expect(await app.db.$count(appeals, eq(appeals.decisionId, id))).toBe(0);
      expect((await client.get(appealOf(id))).status).toBe(404);
    },
  );
});
