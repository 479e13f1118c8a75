import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import {
  appeals,
  caseNotes,
  decisions,
  joinRequests,
  outbox,
  profiles,
  reportCases,
  reports,
  users,
  verifications,
} from "../../db/schema";
import { DECISION_ACTIONS } from "../../db/words/decision-actions";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import { textOf } from "../support/html";
import { startLibsqlProxy } from "../support/libsql-proxy";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, addPost, MINUTE, newVisitor, unique } from "./players";
import { giveFeedback, reviewsIn } from "./reviews";

const app = useApp();
const { accountOf, emailsTo, auditLinesOf } = recordsIn(app);
const { newCase, decideCase, caseOf, decisionsOf, loggedOf, limitsOf } = casesIn(app);
const { feedbackBetween, profileOf, expectRecount } = reviewsIn(app);

const admin = (...args: string[]) => runAdmin(app, args, { LINEUP_OPERATOR: "Kim" });

/** Runs a command, which must succeed, and returns its output. */
async function say(...args: string[]): Promise<string> {
  const { code, out, err } = await admin(...args);
  expect([code, err.split("\n").slice(1).join("")], args.join(" ")).toEqual([0, ""]);
  return out.trim();
}

const LEAVES =
  "The cron's next run, within five minutes, takes the player out of teams and tournaments and tells open tabs.";
const BECAUSE = ["--rule", "respect", "--reason", "Rude words"];

describe("decide", () => {
  test.each([
    ["dismiss", ["--reason", "No rule broken"], "Decided: Dismiss."],
    ["hide", BECAUSE, "Decided: Hide."],
    ["warn", BECAUSE, "Decided: Warn."],
    ["limit", [...BECAUSE, "--until", "7d", "--scopes", "posting,hosting"], "Decided: Limit."],
    ["suspend", [...BECAUSE, "--until", "2099-01-31"], `Decided: Suspend. ${LEAVES}`],
    ["ban", BECAUSE, `Decided: Ban. ${LEAVES}`],
    ["hand-over", ["--reason", "Not sure"], "Decided: Hand to an admin."],
  ])("makes the decision %s, and logs the operator", async (action, options, done) => {
    const player = await addPlayer(app);
    const { id } = await newCase(player);
    expect(await say("decide", id, action, ...options)).toBe(done);
    expect(await decisionsOf(id)).toMatchObject([{ action, decider: "operator Kim", decidedBy: null }]);
    expect(await caseOf(id)).toMatchObject({
      state: action === "hand-over" ? "open" : "closed",
      isForAdmin: action === "hand-over",
    });
    expect(await loggedOf(id)).toEqual([`operator Kim: ${action}`]);
    expect(Object.keys(await limitsOf(player)).sort()).toEqual(action === "limit" ? ["hosting", "posting"] : []);
    const isOut = action === "suspend" || action === "ban";
    expect((await accountOf(player))?.suspendedAt !== null).toBe(isOut);
    expect(await auditLinesOf(player)).toEqual(isOut ? ["operator: suspended"] : []);
  });

  test("restores a hidden thing, even from another case about it", async () => {
    const player = await addPlayer(app);
    const one = await newCase(player);
    await decideCase(one, { action: "hide" });
    const other = await newCase(player);
    expect(await say("decide", other.id, "restore", "--reason", "Fine")).toBe("Decided: Restore.");
    expect((await admin("decide", one.id, "restore", "--reason", "Fine")).err).toContain("It isn't hidden");
  });

  test("hides and restores a review, and recounts the scores each time", async () => {
    const [one, two] = [await newVisitor(app), await newVisitor(app)];
    await addSession(app.db, one.player, [two.player]);
    await giveFeedback(one.client, two.player, { rating: 1, comment: "Rude words" });
    await giveFeedback(two.client, one.player);
    const [review] = await feedbackBetween(one.player, two.player);
    const { id } = await newCase(one.player, { kind: "review", subjectId: `${review?.id}` });
    const isShown = async () => (await app.client().get(`/players/${two.player.id}`)).text.includes("Rude words");
    expect(await isShown()).toBe(true);
    await say("decide", id, "hide", ...BECAUSE);
    expect(await isShown()).toBe(false);
    expect(await profileOf(two.player)).toMatchObject({ feedbackScore: null, totalRatings: 0 });
    await expectRecount(two.player);
    await say("decide", id, "restore", "--reason", "It says how they played");
    expect(await isShown()).toBe(true);
    expect((await profileOf(two.player)).feedbackScore).toBe(1);
    await expectRecount(two.player);
  });

  test("lists every action if given an unknown one, and changes nothing if an option is missing", async () => {
    const { id } = await newCase(await addPlayer(app));
    const { code, err } = await admin("decide", id, "banish", ...BECAUSE);
    expect([code, err.split("\n")[1]]).toEqual([2, `Which decision? It is one of: ${DECISION_ACTIONS.join(", ")}.`]);
    expect(err).toContain("undo");
    for (const [options, said] of [
      [["warn", "--reason", "Rude words"], "warn needs --rule: respect, hate"],
      [["warn", "--rule", "respect"], "warn needs --reason."],
      [["warn", "--rule", "manners", "--reason", "Rude"], "There is no rule manners."],
      [["suspend", ...BECAUSE], "suspend needs --until"],
      [["suspend", ...BECAUSE, "--until", "2020-01-01"], "is not a time in the future"],
      [["limit", ...BECAUSE, "--until", "1d", "--scopes", "talking"], "limit needs --scopes"],
      [["ban", ...BECAUSE, "--until", "7d"], "ban takes no --until. A ban has no end: suspend has one."],
      [["suspend", ...BECAUSE, "--until", "7d", "--scopes", "posting"], "suspend takes no --scopes."],
    ] as const) {
      const wrong = await admin("decide", id, ...options);
      expect([wrong.code, wrong.err], options.join(" ")).toEqual([2, expect.stringContaining(said)]);
    }
    expect((await admin("hide-review", "x", "--rule", "respect")).code).toBe(2);
    expect((await admin("decide", uuidv7(), "warn", ...BECAUSE)).err).toContain("There is no case");
    expect((await admin("decide", id, "restore", "--reason", "Fine")).err).toContain("It isn't hidden");
    expect(await decisionsOf(id)).toEqual([]);
  });
});

describe("undo", () => {
  test.each([
    ["undo", (id: string) => ["undo", id]],
    ["decide … undo", (id: string) => ["decide", id, "undo"]],
  ])("typed as %s undoes the latest decision that stands, and tells the player by email", async (_, words) => {
    const player = await addPlayer(app);
    const { id } = await newCase(player);
    await say("decide", id, "limit", ...BECAUSE, "--until", "7d", "--scopes", "posting");
    await say("decide", id, "ban", ...BECAUSE);
    expect(await say(...words(id), "--reason", "Somebody else had the account")).toBe("Decided: Undo.");
    expect((await accountOf(player))?.suspendedAt).toBeNull();
    expect(Object.keys(await limitsOf(player))).toEqual(["posting"]);
    expect(await auditLinesOf(player)).toEqual(["operator: unsuspended", "operator: suspended"]);
    const [letter] = await emailsTo(player.email);
    expect(letter?.subject).toBe("Your account's suspension was lifted");
    expect(letter?.body).toContain("Our reasons: Somebody else had the account");
    await say(...words(id), "--reason", "A mistake");
    expect(await limitsOf(player)).toEqual({});
    const again = await admin(...words(id), "--reason", "Another mistake");
    expect([again.code, again.err.split("\n")[1]]).toEqual([1, "This case has no decision left to undo."]);
    expect(await loggedOf(id)).toEqual(["limit", "ban", "undo", "undo"].map((action) => `operator Kim: ${action}`));
  });
});

describe("A command that is repeated because the database's response was lost", () => {
  /** Runs a command whose change is made without the database's response arriving, and then runs it again. */
  async function repeat(...args: string[]): Promise<string> {
    const proxy = await startLibsqlProxy(app.libsqlUrl);
    onTestFinished(proxy.stop);
    const run = () => Promise.reject(new Error("The answer is lost."));
    proxy.after = { words: 'INSERT INTO \\"decisions\\"', run };
    const lost = await runAdmin(app, args, { LINEUP_OPERATOR: "Kim", LIBSQL_URL: proxy.url });
    expect([lost.code, lost.err.split("\n")[1]]).toEqual([
      1,
      "The database did not answer. If it made a change all the same, `log` lists it.",
    ]);
    return say(...args);
  }
  const AGAIN =
    "Your previous command decided this already; this one changed nothing. To decide the same again, change the reason.";

  test("undoes one decision", async () => {
    const player = await addPlayer(app);
    const { id } = await newCase(player);
    await say("decide", id, "limit", ...BECAUSE, "--until", "7d", "--scopes", "posting");
    await say("decide", id, "ban", ...BECAUSE);
    expect(await repeat("undo", id, "--reason", "A mistake")).toBe(AGAIN);
    expect((await accountOf(player))?.suspendedAt).toBeNull();
    expect(Object.keys(await limitsOf(player))).toEqual(["posting"]);
    // A colleague has decided the case in between: the second try doesn't undo that.
    const suspended = await runAdmin(app, ["decide", id, "ban", ...BECAUSE], { LINEUP_OPERATOR: "Ann" });
    expect(suspended.code).toBe(0);
    expect(await say("undo", id, "--reason", "A mistake")).toBe(AGAIN);
    expect((await accountOf(player))?.suspendedAt).not.toBeNull();
    expect((await runAdmin(app, ["undo", id, "--reason", "Not needed"], { LINEUP_OPERATOR: "Ann" })).code).toBe(0);
    // Another operator means another decision.
    expect((await runAdmin(app, ["undo", id, "--reason", "A mistake"], { LINEUP_OPERATOR: "Lee" })).code).toBe(0);
    expect(await limitsOf(player)).toEqual({});
  });

  test.each(["7d", "2099-01-31"])("suspends once, until %s", async (until) => {
    const [decided, reported, player] = [await addPlayer(app), await addPlayer(app), await addPlayer(app)];
    const { id } = await newCase(decided);
    await newCase(reported);
    expect(await repeat("decide", id, "suspend", ...BECAUSE, "--until", until)).toBe(AGAIN);
    for (const { email } of [reported, player]) {
      expect(await repeat("suspend", email, ...BECAUSE, "--until", until)).toBe(AGAIN);
    }
    for (const { id: playerId, email } of [decided, reported, player]) {
      const cases = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, playerId));
      expect(cases).toHaveLength(1);
      expect(await decisionsOf(`${cases[0]?.id}`)).toHaveLength(1);
      expect(await emailsTo(email)).toHaveLength(1);
    }
  });

  test("decides again if that decision was undone, or is longer ago than ten minutes", async () => {
    const player = await addPlayer(app);
    await say("suspend", player.email, ...BECAUSE);
    await say("unsuspend", player.email);
    expect(await say("suspend", player.email, ...BECAUSE)).toContain("The account is suspended.");
    const { id } = await newCase(player);
    await say("decide", id, "warn", ...BECAUSE);
    await app.db
      .update(decisions)
      .set({ createdAt: new Date(Date.now() - 11 * MINUTE) })
      .where(eq(decisions.caseId, id));
    expect(await say("decide", id, "warn", ...BECAUSE)).toBe("Decided: Warn.");
    expect(await decisionsOf(id)).toHaveLength(2);
  });
});

describe("assign and note", () => {
  test("assign a case to a moderator or to nobody, and add notes for moderators", async () => {
    const { player: moderator, client } = await newModerator(app);
    const [player, { id }] = [await addPlayer(app), await newCase(await addPlayer(app))];
    expect(await say("assign", id, moderator.id)).toBe("The case is theirs.");
    expect(await caseOf(id)).toMatchObject({ assignedTo: moderator.id });
    for (const [to, code] of [
      [moderator.id, 1],
      [player.id, 1],
      ["", 2],
    ] as const) {
      expect((await admin("assign", id, ...(to ? [to] : []))).code, to).toBe(code);
    }
    expect(await say("assign", id, "none")).toBe("Nobody has the case now.");
    expect(await caseOf(id)).toMatchObject({ assignedTo: null });

    expect(await say("note", id, "Look at the other case first")).toBe("The note is with the case.");
    expect((await admin("note", id)).code).toBe(2);
    expect((await admin("note", uuidv7(), "Lost")).code).toBe(1);
    expect(await app.db.select().from(caseNotes).where(eq(caseNotes.caseId, id))).toMatchObject([
      { author: "operator Kim", authorId: null, words: "Look at the other case first" },
    ]);
    expect(textOf((await client.get(`/moderation/cases/${id}`)).text)).toContain("Look at the other case first");
    expect(await loggedOf(id)).toEqual(
      ["case-assigned", "case-unassigned", "note-added"].map((action) => `operator Kim: ${action}`),
    );
  });
});

describe("case", () => {
  test("prints the same as the case's page: decisions, notes, earlier decisions and the current version of the thing", async () => {
    const name = unique("Reported");
    const player = await addPlayer(app, { riotGameName: name });
    const reporter = await newVisitor(app);
    const before = await newCase(player, { kind: "message", subjectId: uuidv7() });
    await say("decide", before.id, "warn", ...BECAUSE);
    await reporter.client.post(`/players/${player.id}/report`, { id: uuidv7(), reason: "hate" });
    const [{ id } = { id: "" }] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, player.id));
    await app.db.update(profiles).set({ description: "Later words" }).where(eq(profiles.userId, player.id));
    const later = await newVisitor(app);
    await later.client.post(`/players/${player.id}/report`, { id: uuidv7(), reason: "hate" });
    await say("note", id, "A note");
    await say("decide", id, "hand-over", "--reason", "Not sure");
    expect(JSON.parse(await say("case", id))).toMatchObject({
      ...{ id, kind: "player", subjectId: player.id, state: "open", isForAdmin: 1, player: name },
      ...{ snapshot: { author: name }, present: { snapshot: { author: name } } },
      reports: expect.arrayContaining([
        expect.objectContaining({ reason: "hate", reporterId: reporter.player.id, snapshot: null }),
        expect.objectContaining({
          reporterId: later.player.id,
          snapshot: expect.objectContaining({ description: "Later words" }),
        }),
      ]),
      decisions: [{ action: "hand-over", reason: "Not sure", decider: "operator Kim" }],
      earlier: [{ action: "warn", reason: "Rude words" }],
      notes: [{ words: "A note", author: "operator Kim" }],
    });
  });
});

describe("cases", () => {
  test("has the same filters and pages as the queue", async () => {
    await app.db.update(reportCases).set({ state: "closed", closedAt: new Date(), isForAdmin: false });
    const [{ player: moderator }, player] = [await newModerator(app), await addPlayer(app)];
    const open = [];
    for (let number = 0; number < 19; number += 1) open.push(await newCase(player, { subjectId: uuidv7() }));
    const snapshot = { author: "Rude One", comment: "They can't aim" };
    const review = await newCase(player, { kind: "review", subjectId: uuidv7(), reportCount: 40, snapshot });
    const post = await newCase(player, { kind: "post", subjectId: uuidv7(), isFlagged: true });
    // An operator sees cases about everyone.
    const own = await newCase(moderator, { assignedTo: moderator.id });
    const orphan = await newCase({ id: uuidv7(), email: "" }, { playerId: null, isForAdmin: true });
    const listed = async (...options: string[]) => {
      const lines = (await say("cases", ...options)).split("\n");
      return lines.map((line) => line.split("  ")[0]);
    };
    const first = await listed();
    expect(first.slice(0, 20)).toEqual([...open, review].map(({ id }) => id));
    expect(first).toHaveLength(21);
    const [more, ...turn] = first[20]?.split(" ") ?? [];
    expect([more, await listed(...turn)]).toEqual(["More:", [post.id, own.id, orphan.id]]);
    expect(await listed("--kind", "review")).toEqual([review.id]);
    expect(await listed("--flagged")).toEqual([post.id]);
    expect(await listed("--admin")).toEqual([orphan.id]);
    expect(await listed("--assigned", moderator.id)).toEqual([own.id]);
    expect((await listed("--order", "reports"))[0]).toBe(review.id);
    expect(await say("cases", "--kind", "review")).toMatch(/ {2}review {2}40x {2}Rude One {2}They can't aim$/);
    expect(await say("cases", "--flagged")).toContain("  post  1x, flagged  ");
    await say("decide", post.id, "warn", ...BECAUSE);
    expect(await say("cases", "--flagged")).toBe("No cases match these filters.");
    expect(await say("cases", "--state", "closed", "--flagged")).toContain("1x, flagged, warn");
    for (const wrong of [
      ["--kind", "song"],
      ["--state", "lost"],
      ["--order", "size"],
      ["--after", "x"],
    ]) {
      expect((await admin("cases", ...wrong)).code, wrong.join(" ")).toBe(2);
    }
  });
});

describe("suspend", () => {
  test("keeps what the player has written in its case, even of a player who is suspended already", async () => {
    const [player, author] = [await addPlayer(app, { description: "Cheap accounts" }), await addPlayer(app)];
    await app.db.insert(joinRequests).values({
      ...{ id: uuidv7(), postId: await addPost(app, author.id), userId: player.id, note: "Ask me for accounts" },
      createdAt: new Date(),
    });
    await say("suspend", player.email, ...BECAUSE);
    await say("suspend", player.email, "--rule", "respect", "--reason", "Rude words again");
    const cases = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, player.id));
    const written = { description: "Cheap accounts", requests: ["Ask me for accounts"] };
    expect(cases.map(({ snapshot }) => snapshot)).toEqual([
      expect.objectContaining(written),
      expect.objectContaining(written),
    ]);
  });
});

describe("suspend of a reported player", () => {
  test("quotes all that was reported, as a decision of the case does", async () => {
    const quotes = [];
    for (const command of ["suspend", "decide"]) {
      const player = await addPlayer(app);
      const { id } = await newCase(player, {
        snapshot: { author: "Jett", description: "Rude words" },
        picture: uuidv7(),
      });
      await app.db.insert(reports).values({
        ...{ id: uuidv7(), caseId: id, reason: "hate", createdAt: new Date() },
        snapshot: { author: "Jett", description: "Worse words" },
      });
      await say(...(command === "suspend" ? ["suspend", player.email] : ["decide", id, "ban"]), ...BECAUSE);
      const [letter] = await emailsTo(player.email);
      quotes.push(letter?.body?.match(/It's about your profile: .*/)?.[0]);
    }
    expect(quotes[0]).toMatch(/Rude words.*Worse words.*Picture: the one you had then/);
    expect(quotes[0]).toBe(quotes[1]);
  });

  test("encrypts its email if it has the Worker's key", async () => {
    for (const [key, isKnown] of [
      [LOCAL_SECRET, true],
      ["", false],
    ] as const) {
      const player = await addPlayer(app);
      const { code } = await runAdmin(app, ["suspend", player.email, ...BECAUSE], { ENCRYPTION_KEY: key });
      expect(code).toBe(0);
      const row = await app.db.select().from(outbox).where(eq(outbox.recipient, player.email)).get();
      expect(row?.body?.includes("Rude words")).toBe(!isKnown);
      expect((await emailsTo(player.email))[0]?.body).toContain("Rude words");
    }
  });
});

describe("unsuspend", () => {
  test("tells the player, even if the suspension is older than decisions", async () => {
    const player = await addPlayer(app);
    await say("suspend", player.email, "--rule", "cheating", "--reason", "Sold accounts");
    await say("unsuspend", player.email, "--reason", "It wasn't you");
    const subjects = async () => (await emailsTo(player.email)).map(({ subject }) => subject);
    expect((await subjects())[0]).toBe("Your account's suspension was lifted");
    expect(await subjects()).toHaveLength(2);

    const older = await addPlayer(app);
    await app.db
      .update(users)
      .set({ suspendedAt: new Date(0), suspendedReason: "Long ago" })
      .where(eq(users.id, older.id));
    await say("unsuspend", older.email, "--reason", "Long enough");
    expect(await accountOf(older)).toMatchObject({ suspendedAt: null, suspendedUntil: null, suspendedReason: null });
    const [letter] = await emailsTo(older.email);
    expect(letter?.body).toContain("Our reasons: Long enough");
  });

  test("leaves a ban in force that a moderator has just decided", async () => {
    const player = await addPlayer(app);
    await say("suspend", player.email, "--rule", "cheating", "--reason", "Sold accounts");
    const later = await newCase(player);
    const proxy = await startLibsqlProxy(app.libsqlUrl);
    onTestFinished(proxy.stop);
    // The command's last transaction, which lifts suspensions that no decision explains.
    const run = () => decideCase(later, { action: "ban", reason: "Scams" });
    proxy.before = { words: 'update \\"users\\" set \\"suspended_at\\" = ', run };
    const { code, out, err } = await runAdmin(app, ["unsuspend", player.email], { LIBSQL_URL: proxy.url });
    expect([code, out, err.split("\n")[1]]).toEqual([
      ...[1, "", "Someone else has just suspended the player again: that decision stands."],
    ]);
    expect(await accountOf(player)).toMatchObject({ suspendedReason: "Scams", suspendedUntil: null });
    expect(await auditLinesOf(player)).toEqual(["operator: suspended", "operator: unsuspended", "operator: suspended"]);
    const subjects = (await emailsTo(player.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("was lifted"))).toHaveLength(1);
  });
});

describe("Without APP_ORIGIN", () => {
  const withoutOrigin = (...args: string[]) => runAdmin(app, args, { APP_ORIGIN: "", ENCRYPTION_KEY: LOCAL_SECRET });

  test("commands that give a player a link change nothing, because it would lead elsewhere", async () => {
    const { player, client } = await newVisitor(app);
    const earlier = await newCase(player);
    await decideCase(earlier, { action: "warn" });
    const [warning] = await decisionsOf(earlier.id);
    await client.post(`/account/decisions/${warning?.id}/appeal`, { words: "It wasn't me." });
    const [appeal] = await app.db
      .select()
      .from(appeals)
      .where(eq(appeals.decisionId, `${warning?.id}`));
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "ban" });
    const before = [await decisionsOf(earlier.id), await decisionsOf(theCase.id)];
    const emails = await emailsTo(player.email);
    for (const args of [
      ["reset-link", player.id],
      ["suspend", player.id, ...BECAUSE],
      ["unsuspend", player.id],
      ["decide", theCase.id, "warn", ...BECAUSE],
      ["undo", theCase.id, "--reason", "A mistake"],
      ["appeal", `${appeal?.id}`, "grant", "--reason", "It wasn't them"],
      ["lift", player.email, "--reason", "A mistake"],
    ]) {
      const { code, out, err } = await withoutOrigin(...args);
      expect([code, out, err.split("\n")[1]], args.join(" ")).toEqual([
        2,
        "",
        expect.stringContaining("Set APP_ORIGIN"),
      ]);
    }
    expect([await decisionsOf(earlier.id), await decisionsOf(theCase.id)]).toEqual(before);
    expect(await emailsTo(player.email)).toEqual(emails);
    expect(await app.db.select().from(verifications).where(eq(verifications.userId, player.id))).toEqual([]);
  });

  test("commands that give no link work, and so do all with --origin", async () => {
    const player = await addPlayer(app);
    const { id } = await newCase(player);
    for (const args of [
      ["find", player.id],
      ["case", id],
      ["note", id, "A note"],
      ["end-sessions", player.id],
    ]) {
      expect((await withoutOrigin(...args)).code, args.join(" ")).toBe(0);
    }
    const { out } = await withoutOrigin("reset-link", player.id, "--origin", "https://lineup.example");
    expect(out).toMatch(/^https:\/\/lineup\.example\/auth\/reset-password/);
  });

  test.each(["lineup.example", "lineup.example:443", "localhost:8788", "mailto:admin@lineup.example"])(
    "no command accepts %s as the origin, because links need http or https",
    async (origin) => {
      const player = await addPlayer(app);
      for (const { code, out, err } of [
        await admin("reset-link", player.id, "--origin", origin),
        await runAdmin(app, ["reset-link", player.id], { APP_ORIGIN: origin }),
      ]) {
        expect([code, out]).toEqual([2, ""]);
        expect(err).toContain(`${origin} is not an address that begins with https:// or http://.`);
      }
      expect(await app.db.select().from(verifications).where(eq(verifications.userId, player.id))).toEqual([]);
    },
  );
});
