import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { answerAppeal } from "../../app/features/moderation/appeals/answering.server";
import { findAppeal } from "../../app/features/moderation/appeals/queries.server";
import type { ModerationActor } from "../../app/features/moderation/shared/log.server";
import { NOTIFICATION_KINDS } from "../../app/features/notifications/kinds";
import { describeNotification } from "../../app/features/notifications/rules";
import { uuidv7 } from "../../db/ids";
import { appeals, notifications, reportCases, reports, users } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { announcements, buttons, field, findForm, heading, links, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openInbox } from "../support/socket";
import { casesIn, OPERATOR } from "./cases";
import { addSecondFactor, newModerator } from "./moderators";
import { addPlayer, addPost, newEmail, newVisitor, type Player } from "./players";

const QUEUE = "/moderation/appeals";
const REASON = "It was a joke among friends.";

const app = useApp();
const { accountOf, emailsTo } = recordsIn(app);
const { newCase, decideCase, context, decisionsOf, limitsOf } = casesIn(app);

type Action = Parameters<typeof decideCase>[1];

/** Adds a player, decides a case about them (about their post if the action is `hide`), and has them appeal. */
async function newAppeal(
  actor: ModerationActor = OPERATOR,
  decision: Action = { action: "suspend" },
  row: Parameters<typeof newCase>[1] = {},
  reporter?: Player,
) {
  const player = await addPlayer(app);
  const thing = decision.action === "hide" && { kind: "post" as const, subjectId: await addPost(app, player.id) };
  const theCase = await newCase(player, { ...thing, ...row });
  if (reporter) {
    const { id: caseId, createdAt } = theCase;
    await app.db.insert(reports).values({ id: uuidv7(), caseId, reporterId: reporter.id, reason: "spam", createdAt });
  }
  const decided = await decideCase(theCase, decision, actor);
  if (decided.outcome !== "decided") throw new Error(decided.outcome);
  const client = app.client();
  await client.post("/auth", { email: player.email, password: PASSWORD });
  await client.post(`/account/decisions/${decided.id}/appeal`, { words: "That was not me." });
  const appeal = await appealOf(decided.id);
  return { player, client, theCase, decisionId: decided.id, id: appeal?.id as string };
}

const appealOf = (decisionId: string) => app.db.select().from(appeals).where(eq(appeals.decisionId, decisionId)).get();

const pageOf = (id: string) => `${QUEUE}/${id}`;

describe("the queue of appeals", () => {
  test("lists open appeals, oldest first, in one round trip, for moderators only", async () => {
    const { client } = await newModerator(app);
    await newModerator(app);
    const [one, two] = [await newAppeal(), await newAppeal()];
    const page = await client.get(QUEUE);
    expect([page.status, heading(page.text), roundTrips(page)]).toEqual([200, "Appeals", 1]);
    const listed = links(page.text).flatMap(({ href }) => href.match(/appeals\/(.+)$/)?.[1] ?? []);
    expect(listed.slice(-2)).toEqual([one.id, two.id]);
    expect(textOf(page.text)).not.toContain("You're the only moderator");
    expect(links((await client.get("/moderation")).text)).toContainEqual({
      ...{ text: expect.stringMatching(/^Appeals: \d+$/), href: QUEUE },
    });
    const detail = await client.get(pageOf(one.id));
    expect([detail.status, roundTrips(detail)]).toEqual([200, 1]);
    for (const words of ["That was not me.", "Rude words", "Decided by operator Kim", "1. Respect other players"]) {
      expect(textOf(detail.text)).toContain(words);
    }
    const player = await newVisitor(app);
    for (const path of [QUEUE, pageOf(one.id)]) {
      expect((await player.client.get(path)).status).toBe(404);
      expect((await app.client().get(path)).status).toBe(404);
    }
    const answered = await player.client.post(pageOf(one.id), { outcome: "granted", reason: REASON });
    expect(answered.status).toBe(404);
    expect(await appealOf(one.decisionId)).toMatchObject({ outcome: null });
  });
});

describe("answering an appeal", () => {
  test("shows every version of the subject that was reported before the decision", async () => {
    const { client } = await newModerator(app);
    const { theCase, id } = await newAppeal();
    const version = (author: string, createdAt: Date) =>
      app.db.insert(reports).values({
        ...{ id: uuidv7(), caseId: theCase.id, reporterEmail: newEmail(), reporterName: "Robin", reason: "spam" },
        ...{ snapshot: { author }, createdAt },
      });
    await version("Renamed to a slur", new Date(theCase.createdAt.getTime() - 1));
    await version("Written after the decision", new Date(Date.now() + 60_000));
    const page = await client.get(pageOf(id));
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    for (const words of ["As reported", "Renamed to a slur"]) expect(textOf(page.text)).toContain(words);
    expect(textOf(page.text)).not.toContain("Written after the decision");
  });

  test("with Grant undoes the decision, lets the player back in, and tells them why", async () => {
    const { player, client, theCase, id, decisionId } = await newAppeal();
    expect((await client.get("/dashboard")).location).toBe("/account/decisions");
    const moderator = await newModerator(app);
    const bad = await moderator.client.submit(pageOf(id), "Grant", { reason: " " });
    expect(bad.status).toBe(400);
    const answer = await moderator.client.submit(pageOf(id), "Grant", { reason: REASON });
    expect([answer.location, roundTrips(answer)]).toEqual([QUEUE, 2]);
    // A browser that loses the response sends the same form again.
    const again = await moderator.client.post(pageOf(id), { outcome: "granted", reason: REASON });
    expect(again.location).toBe(QUEUE);
    expect(await accountOf(player)).toMatchObject({ suspendedAt: null, suspendedUntil: null });
    expect((await decisionsOf(theCase.id)).map(({ action }) => action)).toEqual(["undo", "suspend"]);
    expect(await appealOf(decisionId)).toMatchObject({
      ...{ outcome: "granted", answer: REASON, answeredBy: moderator.player.id },
      answeredAt: expect.any(Date),
    });
    expect((await client.get("/dashboard")).status).toBe(200);
    const said = textOf((await client.get("/account/decisions")).text);
    expect(said).toContain("Granted: the decision was undone.");
    expect(said).toContain(REASON);
    expect(said).toContain("Undone");
    expect(said).not.toContain("operator Kim");
    const subjects = (await emailsTo(player.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "Your appeal was granted")).toHaveLength(1);
  });

  test("with Grant takes back the news of the decision, in its reporters' open tabs as well", async () => {
    const [reporter, moderator] = [await newVisitor(app), await newModerator(app)];
    const { id } = await newAppeal(OPERATOR, { action: "hide" }, {}, reporter.player);
    const tab = await openInbox(reporter.client);
    expect(await tab.next("unread")).toMatchObject({ notifications: 1 });
    await moderator.client.submit(pageOf(id), "Grant", { reason: REASON });
    await tab.next("unread", (unread) => unread.notifications === 0);
    tab.close();
  });

  test("with Reject upholds the decision and tells the player once", async () => {
    const { player, client, id } = await newAppeal(OPERATOR, { action: "limit" });
    const moderator = await newModerator(app);
    await moderator.client.submit(pageOf(id), "Reject", { reason: REASON });
    expect(Object.keys(await limitsOf(player))).toEqual(["posting"]);
    expect(textOf((await client.get("/account/decisions")).text)).toContain("Rejected: the decision stands.");
    const other = await newModerator(app);
    const late = await other.client.post(pageOf(id), { outcome: "granted", reason: "No." });
    expect(late.status).toBe(409);
    expect(announcements(late.text).join(" ")).toContain("Someone has already answered this appeal.");
    expect(Object.keys(await limitsOf(player))).toEqual(["posting"]);
    expect((await emailsTo(player.email)).filter(({ subject }) => /appeal/.test(subject))).toHaveLength(1);
  });

  test.each([
    ["Grant", "The decision is undone."],
    ["Reject", "The decision stands."],
  ])("with %s, once the player's account is gone, doesn't say that we tell the player", async (button, outcome) => {
    const { player, id } = await newAppeal();
    await app.db.delete(users).where(eq(users.id, player.id));
    const { client } = await newModerator(app);
    const page = await client.get(pageOf(id));
    expect(field(page.text, "reason").description).toBe("The account is gone, so only moderators see it.");
    const answer = await client.submit(pageOf(id), button, { reason: REASON });
    const said = announcements((await client.follow(answer)).text).join();
    expect(said).toContain(outcome);
    expect(said).not.toContain("player");
  });

  test("undoes only the appealed decision, not a later one in the same case", async () => {
    const { player, theCase, id } = await newAppeal(OPERATOR, { action: "limit" });
    await decideCase(theCase, { action: "suspend" });
    const moderator = await newModerator(app);
    await moderator.client.submit(pageOf(id), "Grant", { reason: REASON });
    expect(await limitsOf(player)).toEqual({});
    expect((await accountOf(player))?.suspendedAt).toBeInstanceOf(Date);
  });

  describe("against a post's hiding", () => {
    const isShown = async ({ subjectId }: { subjectId: string }) =>
      (await app.client().get(`/lfg/${subjectId}`)).status === 200;
    const restore = (theCase: Parameters<typeof decideCase>[0]) =>
      decideCase(theCase, { action: "restore", rule: null });
    const undo = (theCase: Parameters<typeof decideCase>[0]) => decideCase(theCase, { action: "undo", rule: null });
    /** Reads an appeal, runs `change`, and then grants the appeal as it was read. */
    const grantAsRead = async (id: string, change: () => Promise<unknown>) => {
      const appeal = await findAppeal(context().db, id);
      if (!appeal) throw new Error("There is no appeal.");
      await change();
      return answerAppeal(context(), { operator: "Lee" }, appeal, { outcome: "granted", reason: REASON });
    };

    test("with Grant lasts, even if a restoration had ended the hiding and is undone later", async () => {
      const { player, client, theCase, id } = await newAppeal(OPERATOR, { action: "hide" });
      await restore(theCase);
      const moderator = await newModerator(app);
      expect(textOf((await moderator.client.get(pageOf(id))).text)).toContain("Already undone.");
      const answer = await moderator.client.submit(pageOf(id), "Grant", { reason: REASON });
      expect([answer.location, roundTrips(answer)]).toEqual([QUEUE, 2]);
      await undo(theCase);
      expect(await isShown(theCase)).toBe(true);
      expect((await decisionsOf(theCase.id)).map(({ action, undoneBy }) => [action, undoneBy !== null])).toEqual([
        ["undo", false],
        ["restore", true],
        ["hide", true],
      ]);
      expect(textOf((await client.get("/account/decisions")).text)).toContain("Granted: the decision was undone.");
      const subjects = (await emailsTo(player.email)).map(({ subject }) => subject);
      expect(subjects).toContain("Your appeal was granted");
      expect(subjects).not.toContain("We've hidden your post again");
    });

    test("with Grant leaves a second hiding, which takes effect again once the restoration is undone", async () => {
      const { theCase, id, decisionId } = await newAppeal(OPERATOR, { action: "hide" });
      await decideCase(theCase, { action: "hide", rule: "hate" });
      await restore(theCase);
      const moderator = await newModerator(app);
      await moderator.client.submit(pageOf(id), "Grant", { reason: REASON });
      await undo(theCase);
      expect(await isShown(theCase)).toBe(false);
      const standing = (await decisionsOf(theCase.id)).filter(({ undoneBy }) => undoneBy === null);
      expect(standing.map(({ action, rule }) => [action, rule])).toEqual([
        ["undo", null],
        ["hide", "hate"],
      ]);
      expect(standing.map((decision) => decision.id)).not.toContain(decisionId);
    });

    test("with Grant sends no email when the restoration is undone while another case hides the post", async () => {
      const { player, theCase, id } = await newAppeal(OPERATOR, { action: "hide" });
      await restore(theCase);
      const moderator = await newModerator(app);
      await moderator.client.submit(pageOf(id), "Grant", { reason: REASON });
      const later = await newCase(player, { kind: "post", subjectId: theCase.subjectId });
      await decideCase(later, { action: "hide", rule: "hate" });
      await undo(theCase);
      expect(await isShown(theCase)).toBe(false);
      const subjects = (await emailsTo(player.email)).map(({ subject }) => subject);
      expect(subjects).not.toContain("We've hidden your post again");
    });

    test("with Grant undoes a hiding that came back after the appeal was opened", async () => {
      const { theCase, id } = await newAppeal(OPERATOR, { action: "hide" });
      await restore(theCase);
      expect(await grantAsRead(id, () => undo(theCase))).toMatchObject({ outcome: "answered" });
      expect(await isShown(theCase)).toBe(true);
    });

    test("with Reject is refused once the hiding is undone, and keeps the reason", async () => {
      const { player, client, theCase, id, decisionId } = await newAppeal(OPERATOR, { action: "hide" });
      const moderator = await newModerator(app);
      const form = findForm((await moderator.client.get(pageOf(id))).text, "Reject").values;
      await undo(theCase);
      const late = await moderator.client.post(pageOf(id), { ...form, outcome: "rejected", reason: REASON });
      expect(late.status).toBe(409);
      expect(announcements(late.text).join(" ")).toContain("This decision no longer stands");
      expect([field(late.text, "reason").value, buttons(late.text)]).toEqual([
        REASON,
        expect.arrayContaining(["Grant"]),
      ]);
      expect(buttons(late.text)).not.toContain("Reject");
      expect(await appealOf(decisionId)).toMatchObject({ outcome: null });
      expect((await moderator.client.submit(pageOf(id), "Grant", { reason: REASON })).status).toBe(303);
      expect(textOf((await client.get("/account/decisions")).text)).not.toContain("Rejected");
      const subjects = (await emailsTo(player.email)).map(({ subject }) => subject);
      expect(subjects.filter((subject) => /appeal/.test(subject))).toEqual(["Your appeal was granted"]);
    });

    test("with Grant counts if the hiding was undone after the appeal was opened", async () => {
      const { theCase, id, decisionId } = await newAppeal(OPERATOR, { action: "hide" });
      expect(await grantAsRead(id, () => undo(theCase))).toMatchObject({ outcome: "answered" });
      expect(await appealOf(decisionId)).toMatchObject({ outcome: "granted", answerer: "operator Lee" });
      expect(await isShown(theCase)).toBe(true);
    });
  });

  test("is refused to the moderator who decided, with the reason, and to the player", async () => {
    const moderator = await newModerator(app);
    const { player, id, decisionId } = await newAppeal({ userId: moderator.player.id });
    const page = await moderator.client.get(pageOf(id));
    expect(textOf(page.text)).toContain("You can't answer an appeal against your own decision.");
    expect(buttons(page.text)).not.toContain("Grant");
    const refused = await moderator.client.post(pageOf(id), { outcome: "rejected", reason: REASON });
    expect(refused.status).toBe(409);
    expect(announcements(refused.text).join(" ")).toContain("You can't answer an appeal against your own decision.");
    const appeal = await findAppeal(context().db, id);
    if (!appeal) throw new Error("There is no appeal.");
    const answer = { outcome: "granted", reason: REASON } as const;
    // The player isn't a moderator. As one, they couldn't answer either, because the decision is about them.
    expect(await answerAppeal(context(), { userId: player.id }, appeal, answer)).toMatchObject({ outcome: "missing" });
    expect(await appealOf(decisionId)).toMatchObject({ outcome: null });
    expect(await answerAppeal(context(), { operator: "Lee" }, appeal, answer)).toMatchObject({ outcome: "answered" });
  });

  test("is left to an operator if the only moderator decided, or to another operator if an operator did", async () => {
    await app.db.update(users).set({ role: null });
    const moderator = await newModerator(app);
    const { id } = await newAppeal({ userId: moderator.player.id });
    for (const path of [QUEUE, pageOf(id)]) {
      const said = textOf((await moderator.client.get(path)).text);
      expect(said).toContain("You're the only moderator");
      expect(said).toContain("npm run admin -- appeals");
    }
    const own = await newAppeal(OPERATOR);
    const appeal = await findAppeal(context().db, own.id);
    if (!appeal) throw new Error("There is no appeal.");
    const answer = { outcome: "rejected", reason: REASON } as const;
    expect(await answerAppeal(context(), OPERATOR, appeal, answer)).toMatchObject({ outcome: "own-decision" });
    expect(await answerAppeal(context(), { operator: "Lee" }, appeal, answer)).toMatchObject({ outcome: "answered" });
  });

  test("shows no form to a moderator who has reported the subject, and says why", async () => {
    const reporter = await newModerator(app);
    const { theCase, id } = await newAppeal();
    await app.db.insert(reports).values({
      ...{ id: uuidv7(), caseId: theCase.id, reporterId: reporter.player.id, reason: "spam", createdAt: new Date() },
    });
    const page = await reporter.client.get(pageOf(id));
    expect(textOf(page.text)).toContain(
      "You can't answer an appeal in your own case, or about something you reported.",
    );
    expect(buttons(page.text)).not.toContain("Grant");
  });

  test("is refused to a moderator whom it is about, to a reporter, and to the player of a reported review", async () => {
    const [reporter, reviewed] = [await newModerator(app), await newModerator(app)];
    const appeal = await newAppeal(
      OPERATOR,
      { action: "warn" },
      {
        ...{ kind: "review", subjectId: uuidv7() },
        snapshot: { author: "As reported", aboutId: reviewed.player.id },
      },
    );
    await app.db.insert(reports).values({
      ...{ id: uuidv7(), caseId: appeal.theCase.id, reporterId: reporter.player.id, reason: "spam" },
      createdAt: new Date(),
    });
    await app.db.update(users).set({ role: "moderator" }).where(eq(users.id, appeal.player.id));
    await addSecondFactor(app, appeal.player);
    for (const client of [appeal.client, reporter.client, reviewed.client]) {
      for (const outcome of ["granted", "rejected"]) {
        const refused = await client.post(pageOf(appeal.id), { outcome, reason: REASON });
        expect(refused.status).toBe(409);
        expect(announcements(refused.text).join(" ")).toContain(
          "You can't answer an appeal in your own case, or about something you reported.",
        );
      }
    }
    expect(await appealOf(appeal.decisionId)).toMatchObject({ outcome: null });
    expect((await decisionsOf(appeal.theCase.id)).map(({ action }) => action)).toEqual(["warn"]);
  });

  test("is left to admins in a case that was handed to them, and to operators if an admin appeals", async () => {
    const [moderator, admin] = [await newModerator(app), await newModerator(app, "admin")];
    const handed = await newAppeal();
    await app.db.update(reportCases).set({ isForAdmin: true }).where(eq(reportCases.id, handed.theCase.id));
    const byAdmin = await newAppeal();
    await app.db.update(users).set({ role: "admin" }).where(eq(users.id, byAdmin.player.id));
    const answer = { outcome: "rejected", reason: REASON };
    for (const [{ client }, { id }] of [
      [moderator, handed],
      [moderator, byAdmin],
      [admin, byAdmin],
    ] as const) {
      const page = await client.get(pageOf(id));
      expect([buttons(page.text).includes("Grant"), roundTrips(page)]).toEqual([false, 1]);
      expect(textOf(page.text)).toContain("This appeal is waiting for an admin, or for an operator");
      const refused = await client.post(pageOf(id), answer);
      expect(refused.status).toBe(409);
      expect(announcements(refused.text).join(" ")).toContain(
        "This appeal is waiting for an admin, or for an operator",
      );
    }
    expect(buttons((await admin.client.get(pageOf(handed.id))).text)).toContain("Grant");
    expect((await admin.client.post(pageOf(handed.id), answer)).status).toBe(303);
    expect(await appealOf(byAdmin.decisionId)).toMatchObject({ outcome: null });
  });

  test("by two moderators at the same time counts once", async () => {
    const [one, two] = [await newModerator(app), await newModerator(app)];
    const { id, theCase, decisionId } = await newAppeal();
    const [first, second] = await Promise.all([
      one.client.post(pageOf(id), { outcome: "granted", reason: "Yes." }),
      two.client.post(pageOf(id), { outcome: "rejected", reason: "No." }),
    ]);
    expect([first.status, second.status].sort()).toEqual([303, 409]);
    const { outcome } = (await appealOf(decisionId)) ?? {};
    expect(outcome).toBe(first.status === 303 ? "granted" : "rejected");
    expect((await decisionsOf(theCase.id)).length).toBe(outcome === "granted" ? 2 : 1);
  });
});

describe("a decision tells", () => {
  const subjectsTo = async ({ email }: { email: string }) => (await emailsTo(email)).map(({ subject }) => subject);

  test("its player, with a statement of reasons by email, unless it is a dismissal", async () => {
    const player = await addPlayer(app);
    await decideCase(await newCase(player), { action: "dismiss", rule: null });
    expect(await subjectsTo(player)).toEqual([]);
    const theCase = await newCase(player, {
      ...{ kind: "post", isFlagged: true, reportCount: 0 },
      snapshot: { author: "Me", title: "Accounts for sale" },
    });
    await decideCase(theCase, { action: "limit", rule: "cheating", reason: "You sell accounts." });
    const [sent] = await emailsTo(player.email);
    for (const words of [
      "It's about your post: “Accounts for sale”",
      "The facts and our reasons: You sell accounts.",
      "6. No cheating and no boosting",
      "/rules#rule-6",
      "It ends on ",
      "An automated check flagged it to our moderators. Nobody had reported it.",
      "choose Appeal",
      "/account/decisions",
    ]) {
      expect(sent?.body).toContain(words);
    }
    expect(sent?.body).not.toContain("Kim");
  });

  test("its reporters whether anything was done, but not what, and gives each answer once", async () => {
    const [reporter, player, visitor] = [await newVisitor(app), await newVisitor(app), newEmail()];
    const page = `/players/${player.player.id}/report`;
    await reporter.client.post(page, { id: uuidv7(), reason: "hate" });
    await app.client().post(page, { id: uuidv7(), reason: "spam", name: "A Visitor", email: visitor });
    const theCase = await app.db.query.reportCases.findFirst({
      where: (row, { eq: is }) => is(row.subjectId, player.player.id),
    });
    if (!theCase) throw new Error("There is no case.");
    const told = () => newsOf(reporter.player);
    await decideCase(theCase, { action: "warn" });
    await decideCase(theCase, { action: "ban" });
    expect(await told()).toEqual(["We've acted on your report of a player"]);
    const answers = (await subjectsTo({ email: visitor })).filter((subject) => subject.startsWith("We've answered"));
    expect(answers).toHaveLength(1);
    const list = textOf((await reporter.client.get("/dashboard/notifications")).text);
    expect(list).toContain("We've acted on your report of a player");
    expect(list).not.toMatch(/ban|warn|suspen/i);
    const own = textOf((await reporter.client.get("/account/decisions")).text);
    expect(own).toContain("Your report of a player: We've acted on it");
  });

  test("its reporters that no rule was broken", async () => {
    const [reporter, player] = [await newVisitor(app), await addPlayer(app)];
    await reporter.client.post(`/players/${player.id}/report`, { id: uuidv7(), reason: "hate" });
    const theCase = await app.db.query.reportCases.findFirst({
      where: (row, { eq: is }) => is(row.subjectId, player.id),
    });
    if (!theCase) throw new Error("There is no case.");
    await decideCase(theCase, { action: "dismiss", rule: null });
    expect(await newsOf(reporter.player)).toEqual([
      "We've reviewed your report of a player: it doesn't break our rules",
    ]);
    const own = textOf((await reporter.client.get("/account/decisions")).text);
    expect(own).toContain("Your report of a player: It doesn't break our rules");
  });

  test("each reporter of a reopened case, whose report then says that we undid our action", async () => {
    const [first, second, player, visitor] = [
      ...[await newVisitor(app), await newVisitor(app), await addPlayer(app)],
      newEmail(),
    ] as const;
    const page = `/players/${player.id}/report`;
    await first.client.post(page, { id: uuidv7(), reason: "hate" });
    const theCase = await app.db.query.reportCases.findFirst({
      where: (row, { eq: is }) => is(row.subjectId, player.id),
    });
    if (!theCase) throw new Error("There is no case.");
    await decideCase(theCase, { action: "dismiss", rule: null });
    await decideCase(theCase, { action: "undo", rule: null });
    await second.client.post(page, { id: uuidv7(), reason: "hate" });
    await app.client().post(page, { id: uuidv7(), reason: "spam", name: "A Visitor", email: visitor });
    await decideCase(theCase, { action: "dismiss", rule: null });
    const told = "We've reviewed your report of a player: it doesn't break our rules";
    for (const { player } of [first, second]) expect(await newsOf(player)).toEqual([told]);
    expect(await subjectsTo({ email: visitor })).toContain("We've answered your report");
    await decideCase(theCase, { action: "warn" });
    for (const { player } of [first, second]) {
      expect(await newsOf(player)).toEqual(["We've acted on your report of a player"]);
    }
    await decideCase(theCase, { action: "undo", rule: null });
    for (const { player } of [first, second]) expect(await newsOf(player)).toEqual([]);
    const own = textOf((await second.client.get("/account/decisions")).text);
    expect(own).toContain("Your report of a player: We acted on it, then undid that");
  });

  test("reporters nothing more once it is undone, and leaves the answers to their other reports", async () => {
    const { client, player: reporter } = await newVisitor(app);
    const [one, two] = [await addPlayer(app), await addPlayer(app)];
    const subjectId = await addPost(app, two.id);
    const cases = [];
    for (const [page, subject] of [
      [`/players/${one.id}`, one.id],
      [`/lfg/${subjectId}`, subjectId],
    ] as const) {
      await client.post(`${page}/report`, { id: uuidv7(), reason: "hate" });
      cases.push(await app.db.select().from(reportCases).where(eq(reportCases.subjectId, subject)).get());
    }
    const [first, second] = cases as [typeof reportCases.$inferSelect, typeof reportCases.$inferSelect];
    await decideCase(first, { action: "dismiss", rule: null });
    const undone = await decideCase(first, { action: "undo", rule: null });
    expect([undone, await newsOf(reporter)]).toEqual([expect.objectContaining({ notified: [reporter.id] }), []]);

    await decideCase(second, { action: "hide" });
    await decideCase(first, { action: "dismiss", rule: null });
    expect(await newsOf(reporter)).toEqual(["Moderators answered 2 of your reports"]);
    await decideCase(first, { action: "undo", rule: null });
    expect(await newsOf(reporter)).toEqual(["We've acted on your report of a post"]);
    // The action against the post still stands.
    await decideCase(second, { action: "warn" });
    await decideCase(second, { action: "undo", rule: null });
    expect(await newsOf(reporter)).toEqual(["We've acted on your report of a post"]);
    await decideCase(second, { action: "restore", rule: null });
    expect(await newsOf(reporter)).toEqual([]);
  });

  const newsOf = async ({ id }: Player) =>
    (await app.db.select().from(notifications).where(eq(notifications.userId, id)))
      .filter(({ kind }) => kind === "report-answered")
      .map((row) => describeNotification(row, NOTIFICATION_KINDS).sentence);
});
