import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { deleteOldCases } from "../../app/features/moderation/old-cases.server";
import { deleteOldOriginals } from "../../app/features/moderation/old-originals.server";
import { uuidv7 } from "../../db/ids";
import {
  appeals,
  caseFindings,
  caseNotes,
  decisions,
  hiddenOriginals,
  lfgPosts,
  reportCases,
  reports,
} from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import { links, main } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, addPost, DAY, newVisitor, type Player } from "./players";

const YEAR = 365 * DAY;

const app = useApp();
const { accountOf, makeDeletionDue } = recordsIn(app);
const { newCase, decideCase, caseOf, decisionsOf, limitsOf } = casesIn(app);

type Case = Awaited<ReturnType<typeof newCase>>;

/** Moves a case, its decisions and appeals into the past. @param by in milliseconds */
async function age({ id }: Case, by: number) {
  const ofCase = sql`(SELECT id FROM decisions WHERE case_id = ${id})`;
  await app.db.run(sql`UPDATE appeals SET created_at = created_at - ${by}, answered_at = answered_at - ${by}
    WHERE decision_id IN ${ofCase}`);
  await app.db.run(sql`UPDATE decisions SET created_at = created_at - ${by} WHERE case_id = ${id}`);
  await app.db.run(
    sql`UPDATE report_cases SET closed_at = closed_at - ${by}, due_at = due_at - ${by} WHERE id = ${id}`,
  );
}

/** Lets time pass for a case, then runs the cron. @param by in milliseconds */
async function wait(theCase: Case, by: number) {
  await age(theCase, by);
  await app.runScheduled();
}

/** Adds a player and a report about them, whose case also has a finding and a note. */
async function newReported() {
  const [{ player }, reporter] = [await newVisitor(app), await newVisitor(app)];
  await reporter.client.post(`/players/${player.id}/report`, { id: uuidv7(), reason: "hate", details: "In my words" });
  const [theCase] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, player.id));
  if (!theCase) throw new Error("There is no case.");
  const now = new Date();
  await app.db.insert(caseFindings).values({
    ...{ caseId: theCase.id, field: "description", finding: "profanity", matches: ["rude"], foundAt: now },
  });
  await app.db.insert(caseNotes).values({
    ...{ id: uuidv7(), caseId: theCase.id, author: "A moderator", words: "Look at it", createdAt: now },
  });
  return { player, theCase };
}

/** Reads the data about the reporters and the reported player that a case still has. */
async function dataOf({ id }: Case) {
  const counted = [reports, caseFindings, caseNotes].map((table) => app.db.$count(table, eq(table.caseId, id)));
  const row = (await app.db.select().from(reportCases).where(eq(reportCases.id, id)).get()) ?? null;
  return { snapshot: row?.snapshot, picture: row?.picture, counts: await Promise.all(counted) };
}
const EMPTY = { snapshot: {}, picture: null, counts: [0, 0, 0] };
const NOTHING = { snapshot: undefined, picture: undefined, counts: [0, 0, 0] };

/** Appeals a case's latest decision, as its player. */
async function appeal(player: Player, { id }: Case) {
  const [decision] = await decisionsOf(id);
  const client = app.client();
  await client.post("/auth", { email: player.email, password: PASSWORD });
  await client.post(`/account/decisions/${decision?.id}/appeal`, { words: "That was not me." });
  return app.db
    .select()
    .from(appeals)
    .where(eq(appeals.decisionId, `${decision?.id}`))
    .get();
}

/** Rejects an appeal. */
const reject = (sent: Awaited<ReturnType<typeof appeal>>) =>
  app.db
    .update(appeals)
    .set({ outcome: "rejected", answer: "No.", answerer: "operator Lee", answeredAt: new Date() })
    .where(eq(appeals.id, `${sent?.id}`));

const FULL = { snapshot: { author: expect.any(String) }, counts: [1, 1, 1] };

describe("90 days after a case was closed, the cron", () => {
  test("empties it if its appeal is answered", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await reject(await appeal(player, theCase));
    await wait(theCase, 89 * DAY);
    expect(await dataOf(theCase)).toMatchObject(FULL);
    await wait(theCase, 2 * DAY);
    expect(await dataOf(theCase)).toEqual(EMPTY);
    expect((await accountOf(player))?.suspendedAt).toBeInstanceOf(Date);
  });

  test("empties it if its player's account is gone, since nobody can appeal", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await makeDeletionDue(player);
    await wait(theCase, DAY);
    expect(await accountOf(player)).toBeUndefined();
    expect(await dataOf(theCase)).toMatchObject(FULL);
    await wait(theCase, 90 * DAY);
    expect(await dataOf(theCase)).toEqual(EMPTY);
  });
});

test("The cron's next run deletes the pictures of deleted cases and originals from the bucket", async () => {
  const player = await addPlayer(app);
  const [reported, hidden] = [uuidv7(), uuidv7()];
  await newCase(player, { state: "closed", closedAt: new Date(Date.now() - 91 * DAY), picture: reported });
  const original = { kind: "player", subjectId: player.id, original: { avatarId: hidden } } as const;
  await app.db.insert(hiddenOriginals).values({ ...original, createdAt: new Date(Date.now() - YEAR) });
  const bucket = await app.miniflare.getR2Bucket("AVATARS");
  const keys = [`reported/${reported}`, `hidden/${hidden}`];
  for (const key of keys) await bucket.put(key, "picture");
  await deleteOldCases(app.db, new Date(), 10);
  await deleteOldOriginals(app.db, new Date(), 10);
  expect(await app.db.$count(reportCases, eq(reportCases.playerId, player.id))).toBe(0);
  expect(await app.db.$count(hiddenOriginals, eq(hiddenOriginals.subjectId, player.id))).toBe(0);
  await app.runScheduled();
  expect(await Promise.all(keys.map((key) => bucket.head(key)))).toEqual([null, null]);
});

describe("Once a case's decision can't be appealed any more, the cron", () => {
  test("empties the case, says so on its page, and keeps its ban in force until Undo", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await wait(theCase, 91 * DAY);
    expect(await dataOf(theCase)).toMatchObject(FULL);
    await wait(theCase, 92 * DAY);
    expect(await dataOf(theCase)).toMatchObject(FULL);
    await wait(theCase, 8 * DAY);
    expect(await dataOf(theCase)).toEqual(EMPTY);
    expect((await accountOf(player))?.suspendedAt).toBeInstanceOf(Date);

    const { client } = await newModerator(app);
    const page = `/moderation/cases/${theCase.id}`;
    const shown = await client.get(page);
    expect([shown.status, roundTrips(shown)]).toEqual([200, 1]);
    expect(main(shown.text)).toContain("Deleted, because the case is old and no appeal needs it.");
    expect(links(shown.text).map(({ text }) => text)).toContain("Undo");
    expect((await client.submit(`${page}/undo`, "Undo", { reason: "Long enough" })).status).toBe(303);
    expect(await accountOf(player)).toMatchObject({ suspendedAt: null, suspendedUntil: null });
  });

  test("keeps the case while an appeal waits, even past six months, and the appeal can be granted", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await wait(theCase, 183 * DAY);
    const sent = await appeal(player, theCase);
    await wait(theCase, 20 * DAY);
    expect(await dataOf(theCase)).toMatchObject(FULL);
    const { client } = await newModerator(app);
    const page = `/moderation/appeals/${sent?.id}`;
    expect((await client.submit(page, "Grant", { reason: "It was a joke." })).status).toBe(303);
    expect((await accountOf(player))?.suspendedAt).toBeNull();
    await wait(theCase, 8 * DAY);
    expect(await dataOf(theCase)).toEqual(EMPTY);
  });
});

describe("90 days after a case was closed without a decision that stands, the cron", () => {
  test("deletes it with its decisions if no rule was broken, or the decision was undone", async () => {
    for (const undone of [false, true]) {
      const { theCase } = await newReported();
      await decideCase(theCase, { action: undone ? "warn" : "dismiss", rule: null });
      if (undone) await decideCase(theCase, { action: "undo", rule: null });
      await wait(theCase, 91 * DAY);
      expect(await dataOf(theCase)).toEqual(NOTHING);
      expect(await decisionsOf(theCase.id)).toEqual([]);
    }
  });
});

describe("A decision that finds a broken rule", () => {
  test("is kept for three years with its case and appeal, then deleted with both", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "warn" });
    const sent = await appeal(player, theCase);
    await reject(sent);
    await wait(theCase, 3 * YEAR - DAY);
    expect(await decisionsOf(theCase.id)).toHaveLength(1);
    await wait(theCase, 8 * DAY);
    expect(await dataOf(theCase)).toEqual(NOTHING);
    expect(await decisionsOf(theCase.id)).toEqual([]);
    expect(await app.db.$count(appeals, eq(appeals.id, `${sent?.id}`))).toBe(0);
  });

  test("is kept longer while an appeal waits", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "warn" });
    const sent = await appeal(player, theCase);
    await wait(theCase, 4 * YEAR);
    expect(await decisionsOf(theCase.id)).toHaveLength(1);
    await reject(sent);
    await wait(theCase, 8 * DAY);
    expect(await decisionsOf(theCase.id)).toEqual([]);
  });

  test("is kept as long as it bans, limits or hides, so that hidden content can be shown again", async () => {
    const player = await addPlayer(app);
    const post = await addPost(app, player.id);
    const [hiding, banning, limiting] = [
      await newCase(player, { kind: "post", subjectId: post }),
      await newCase(player),
      await newCase(player, { kind: "message", subjectId: uuidv7() }),
    ];
    await decideCase(hiding, { action: "hide" });
    await decideCase(banning, { action: "ban" });
    await decideCase(limiting, { action: "limit", until: new Date(Date.now() + 9 * DAY) });
    for (const one of [hiding, banning, limiting]) await age(one, 5 * YEAR);
    await app.runScheduled();
    for (const one of [hiding, banning, limiting]) expect(await dataOf(one)).toEqual(EMPTY);
    expect(await limitsOf(player)).not.toEqual({});
    await decideCase(hiding, { action: "undo", rule: null });
    expect((await app.db.select().from(lfgPosts).where(eq(lfgPosts.id, post)).get())?.hiddenAt).toBeNull();
    await app.db
      .update(decisions)
      .set({ until: new Date(Date.now() - 1) })
      .where(eq(decisions.caseId, limiting.id));
    for (const one of [hiding, banning, limiting]) await age(one, 91 * DAY);
    await app.runScheduled();
    expect((await Promise.all([hiding, banning, limiting].map(({ id }) => caseOf(id)))).map(Boolean)).toEqual([
      ...[false, true, false],
    ]);
  });

  test("is deleted after three years if the hidden thing is gone, or the banned account left no trace", async () => {
    const [writer, hidden, banned, unknown] = [
      await addPlayer(app),
      await addPlayer(app),
      await addPlayer(app),
      await addPlayer(app, { emailConfirmedAt: null }),
    ];
    const [kept, deleted] = [await addPost(app, writer.id), await addPost(app, writer.id)];
    const post = (subjectId: string) => newCase(writer, { kind: "post", subjectId });
    const hides = [await post(kept), await post(deleted), await newCase(writer), await newCase(hidden)];
    const bans = [await newCase(banned), await newCase(unknown)];
    for (const one of hides) await decideCase(one, { action: "hide" });
    for (const one of bans) await decideCase(one, { action: "ban" });
    await app.db.delete(lfgPosts).where(eq(lfgPosts.id, deleted));
    for (const player of [hidden, banned, unknown]) await makeDeletionDue(player);
    await app.runScheduled();
    for (const player of [hidden, banned, unknown]) expect(await accountOf(player)).toBeUndefined();
    const areKept = () => Promise.all([...hides, ...bans].map(async ({ id }) => (await decisionsOf(id)).length === 1));
    for (const one of [...hides, ...bans]) await age(one, 3 * YEAR - DAY);
    await app.runScheduled();
    expect(await areKept()).toEqual([true, true, true, true, true, true]);
    for (const one of [...hides, ...bans]) await age(one, 8 * DAY);
    await app.runScheduled();
    // The ban of a confirmed address still keeps it out, and can be lifted.
    expect(await areKept()).toEqual([true, false, true, false, true, false]);
  });

  test("is kept while it keeps out an erased account, even if a later suspension is over and deleted", async () => {
    const { player, theCase } = await newReported();
    const later = await newCase(player, { kind: "message", subjectId: uuidv7() });
    await decideCase(theCase, { action: "ban" });
    await decideCase(later, { action: "suspend" });
    await makeDeletionDue(player);
    await app.runScheduled();
    expect(await accountOf(player)).toBeUndefined();
    await app.db
      .update(decisions)
      .set({ until: new Date(Date.now() - 1) })
      .where(eq(decisions.caseId, later.id));
    for (const one of [theCase, later]) await age(one, 3 * YEAR + DAY);
    await app.runScheduled();
    expect(await decisionsOf(later.id)).toEqual([]);
    await wait(theCase, 8 * DAY);
    expect([await dataOf(theCase), (await decisionsOf(theCase.id)).length]).toEqual([EMPTY, 1]);
  });

  test("is checked again once a week, not on every run", async () => {
    const { theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await wait(theCase, 91 * DAY);
    const { dueAt } = await caseOf(theCase.id);
    expect((dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(6 * DAY);
    await app.runScheduled();
    expect((await caseOf(theCase.id)).dueAt).toEqual(dueAt);
    await wait(theCase, 8 * DAY);
    expect((await caseOf(theCase.id)).dueAt?.getTime()).toBeGreaterThan(Date.now());
  });
});

describe("unsuspend", () => {
  test("lifts a ban of any age for good", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await wait(theCase, 4 * YEAR);
    const { code, out } = await runAdmin(app, ["unsuspend", player.email, "--reason", "Long enough"]);
    expect([code, out]).toEqual([0, "The account is no longer suspended.\n"]);
    // Undoing a later suspension recomputes which suspensions still apply.
    const later = await newCase(player, { kind: "message", subjectId: uuidv7() });
    await decideCase(later, { action: "suspend" });
    await decideCase(later, { action: "undo", rule: null });
    expect(await accountOf(player)).toMatchObject({ suspendedAt: null, suspendedUntil: null });
  });

  test("fails, and changes nothing, if a decision can't be undone", async () => {
    const { player, theCase } = await newReported();
    await decideCase(theCase, { action: "ban" });
    await app.db.delete(reportCases).where(eq(reportCases.id, theCase.id));
    const { code, err } = await runAdmin(app, ["unsuspend", player.email, "--reason", "Long enough"]);
    expect([code, err]).toEqual([1, expect.stringContaining("can't be undone: missing.")]);
    expect((await accountOf(player))?.suspendedAt).toBeInstanceOf(Date);
  });
});

test("The words of an erased player's appeal are removed once it is answered", async () => {
  const [waiting, answered] = [await newReported(), await newReported()];
  const sent: Awaited<ReturnType<typeof appeal>>[] = [];
  for (const { player, theCase } of [waiting, answered]) {
    await decideCase(theCase, { action: "ban" });
    sent.push(await appeal(player, theCase));
  }
  const { client } = await newModerator(app);
  const answer = async (index: number) => {
    const page = `/moderation/appeals/${sent[index]?.id}`;
    expect((await client.submit(page, "Reject", { reason: "It was you." })).status).toBe(303);
  };
  const wordsOf = async (index: number) =>
    (
      await app.db
        .select()
        .from(appeals)
        .where(eq(appeals.id, `${sent[index]?.id}`))
        .get()
    )?.words;
  await answer(1);
  for (const { player } of [waiting, answered]) await makeDeletionDue(player);
  await app.runScheduled();
  expect(await accountOf(waiting.player)).toBeUndefined();
  expect([await wordsOf(0), await wordsOf(1)]).toEqual(["That was not me.", "Removed with the account."]);
  await answer(0);
  expect(await wordsOf(0)).toBe("Removed with the account.");
});
