import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { unsuspendAccount } from "../../app/features/moderation/decisions/suspension.server";
import { uuidv7 } from "../../db/ids";
import { lfgPosts, restrictions, totpFactors, users } from "../../db/schema";
import { useApp } from "../support/app";
import { main } from "../support/html";
import { recordsIn } from "../support/records";
import { casesIn, OPERATOR } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, addPost, DAY, MINUTE, newVisitor, unique } from "./players";

const app = useApp();
const { accountOf, actionsOf, profileOf, sessionsOf } = recordsIn(app);
const { newCase, decideCase, context, caseOf, decisionsOf, loggedOf, limitsOf } = casesIn(app);

const suspensionOf = async (player: { id: string }) => {
  const account = await accountOf(player);
  return { at: account?.suspendedAt ?? null, until: account?.suspendedUntil ?? null };
};

describe("A decision", () => {
  test("closes the case, names the moderator and the rule, and is logged", async () => {
    const [player, moderator] = [await addPlayer(app), await newModerator(app)];
    const theCase = await newCase(player, { isFlagged: true, assignedTo: moderator.player.id });
    const actor = { userId: moderator.player.id };
    expect(await decideCase(theCase, { action: "warn" }, actor)).toMatchObject({ outcome: "decided" });
    expect(await caseOf(theCase.id)).toMatchObject({ state: "closed", closedAt: expect.any(Date), assignedTo: null });
    expect(await decisionsOf(theCase.id)).toMatchObject([
      {
        ...{ follows: "", kind: "player", subjectId: player.id, playerId: player.id, action: "warn", rule: "respect" },
        ...{ reason: "Rude words", isFlagged: true, decidedBy: moderator.player.id, undoneBy: null },
        decider: expect.stringMatching(/^Moderator /),
      },
    ]);
    expect(await loggedOf(theCase.id)).toEqual([expect.stringMatching(/^Moderator \d+: warn$/)]);
    expect(await suspensionOf(player)).toEqual({ at: null, until: null });
  });

  test("to suspend signs the player out, closes their posts, and ends on time, unless it is a ban", async () => {
    const { player, client } = await newVisitor(app);
    await addPost(app, player.id);
    const theCase = await newCase(player);
    const until = new Date(Date.now() + 3 * DAY);
    const outcome = await decideCase(theCase, { action: "suspend", until });
    expect(outcome).toMatchObject({ outcome: "decided", isSuspended: true, endedSessions: [expect.any(String)] });
    expect(await suspensionOf(player)).toEqual({ at: expect.any(Date), until });
    expect(await accountOf(player)).toMatchObject({ suspendedReason: "Rude words" });
    expect(await sessionsOf(player)).toEqual([]);
    expect((await client.get("/dashboard")).status).not.toBe(200);
    expect(await actionsOf(player)).toEqual(["suspended"]);

    await decideCase(await newCase(player), { action: "ban" });
    expect(await suspensionOf(player)).toEqual({ at: expect.any(Date), until: null });
  });

  test("to limit sets an end for each scope, of which the latest counts", async () => {
    const player = await addPlayer(app);
    const [soon, later] = [new Date(Date.now() + DAY), new Date(Date.now() + 2 * DAY)];
    await decideCase(await newCase(player), { action: "limit", scopes: ["posting", "messaging"], until: later });
    await decideCase(await newCase(player), { action: "limit", scopes: ["posting", "hosting"], until: soon });
    expect(await limitsOf(player)).toEqual({ posting: later, messaging: later, hosting: soon });
  });

  test("to hand over leaves the case open, for admins only", async () => {
    const [player, moderator, admin] = [
      await addPlayer(app),
      await newModerator(app),
      await newModerator(app, "admin"),
    ];
    const theCase = await newCase(player, { assignedTo: moderator.player.id });
    const actor = { userId: moderator.player.id };
    await decideCase(theCase, { action: "hand-over", rule: null }, actor);
    expect(await caseOf(theCase.id)).toMatchObject({ state: "open", isForAdmin: true, assignedTo: null });
    expect(await decideCase(theCase, { action: "dismiss", rule: null }, actor)).toEqual({ outcome: "for-admin" });
    const decided = await decideCase(theCase, { action: "dismiss", rule: null }, { userId: admin.player.id });
    expect(decided).toMatchObject({ outcome: "decided" });
  });

  test("by two moderators at the same time is made by one and shown to the other", async () => {
    const [one, two] = [await newModerator(app), await newModerator(app)];
    for (let round = 0; round < 20; round += 1) {
      const player = await addPlayer(app);
      const theCase = await newCase(player);
      const outcomes = await Promise.all([
        decideCase(theCase, { action: "ban", reason: "One", seen: "" }, { userId: one.player.id }),
        decideCase(theCase, { action: "limit", reason: "Two", seen: "" }, { userId: two.player.id }),
      ]);
      const stored = await decisionsOf(theCase.id);
      expect(stored).toHaveLength(1);
      const [winner, loser] = outcomes[0].outcome === "decided" ? outcomes : outcomes.toReversed();
      expect(winner).toMatchObject({ outcome: "decided", id: stored[0]?.id });
      expect(loser).toMatchObject({
        outcome: "overtaken",
        other: { id: stored[0]?.id, action: stored[0]?.action, reason: stored[0]?.reason },
      });
      const isBanned = stored[0]?.action === "ban";
      expect((await suspensionOf(player)).at !== null).toBe(isBanned);
      expect(Object.keys(await limitsOf(player))).toEqual(isBanned ? [] : ["posting"]);
      expect(await loggedOf(theCase.id)).toHaveLength(1);
    }
  });

  test("is made once if its form is sent twice", async () => {
    const [player, moderator] = [await addPlayer(app), await newModerator(app)];
    const theCase = await newCase(player);
    const send = () => decideCase(theCase, { action: "warn", seen: "" }, { userId: moderator.player.id });
    const [first, second] = [await send(), await send()];
    expect(second).toEqual({ outcome: "repeated", id: (first as { id: string }).id });
    expect(await loggedOf(theCase.id)).toHaveLength(1);
  });

  test("can follow one that a faster clock made, and is the one that Undo takes back", async () => {
    const [player, moderator] = [await addPlayer(app), await newModerator(app)];
    const theCase = await newCase(player);
    const ahead = new Date(Date.now() + MINUTE);
    await decideCase(theCase, { action: "suspend" }, OPERATOR, ahead);
    const page = `/moderation/cases/${theCase.id}/warn`;
    const fields = { rule: "respect", reason: "Rude words" };
    expect((await moderator.client.submit(page, "Warn", fields)).status).toBe(303);
    expect((await moderator.client.submit(page.replace("warn", "undo"), "Undo", fields)).status).toBe(303);
    expect(await decideCase(theCase, { action: "limit" })).toMatchObject({ outcome: "decided" });
    const chain = new Map((await decisionsOf(theCase.id)).map((decision) => [decision.follows, decision]));
    const made = [];
    for (let next = chain.get(""); next; next = chain.get(next.id)) made.push(next);
    expect(made.map(({ action, undoneBy }) => [action, undoneBy !== null])).toEqual([
      ["suspend", false],
      ["warn", true],
      ["undo", false],
      ["limit", false],
    ]);
    expect(main((await moderator.client.get("/moderation?state=closed")).text)).toContain("Latest: Limit");
  });

  test("is refused to players, to suspended moderators or those without two-factor, and about oneself or an admin", async () => {
    const [player, admin] = [await addPlayer(app), await newModerator(app, "admin")];
    const [moderator, unsecured, suspended] = [
      await newModerator(app),
      await newModerator(app),
      await newModerator(app),
    ];
    await app.db.delete(totpFactors).where(eq(totpFactors.userId, unsecured.player.id));
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.player.id));
    const theCase = await newCase(player);
    for (const { id } of [player, unsecured.player, suspended.player, await addPlayer(app)]) {
      expect(await decideCase(theCase, { action: "ban" }, { userId: id })).toEqual({ outcome: "missing" });
    }
    const actor = { userId: moderator.player.id };
    expect(await decideCase(await newCase(moderator.player), { action: "dismiss" }, actor)).toEqual({ outcome: "own" });
    const aboutAdmin = await newCase(admin.player);
    expect(await decideCase(aboutAdmin, { action: "ban" }, actor)).toEqual({ outcome: "admin" });
    expect(await decideCase({ ...theCase, id: uuidv7() }, { action: "ban" }, actor)).toEqual({ outcome: "missing" });
    for (const one of [player, admin.player]) expect(await suspensionOf(one)).toEqual({ at: null, until: null });
    expect([await loggedOf(theCase.id), await loggedOf(aboutAdmin.id)]).toEqual([[], []]);
    expect(await decideCase(aboutAdmin, { action: "ban" })).toMatchObject({ outcome: "decided" });
  });

  test("can only be about the thing if the player's account is gone", async () => {
    const theCase = await newCase({ id: uuidv7(), email: "" });
    expect(await decideCase(theCase, { action: "ban" })).toEqual({ outcome: "gone" });
    expect(await decideCase(theCase, { action: "dismiss", rule: null })).toMatchObject({ outcome: "decided" });
  });
});

describe("Undoing", () => {
  const undo = (theCase: Awaited<ReturnType<typeof newCase>>, undoes?: string) =>
    decideCase(theCase, { action: "undo", rule: null, reason: "A mistake", ...(undoes && { undoes }) });

  test("a ban lets the player back in, unless another decision still suspends them", async () => {
    const player = await addPlayer(app);
    const [first, second] = [await newCase(player), await newCase(player, { subjectId: uuidv7(), kind: "message" })];
    const until = new Date(Date.now() + DAY);
    await decideCase(first, { action: "suspend", until });
    await decideCase(second, { action: "ban" });
    expect(await suspensionOf(player)).toMatchObject({ until: null });
    await undo(second);
    expect(await suspensionOf(player)).toEqual({ at: expect.any(Date), until });
    await undo(first);
    expect(await suspensionOf(player)).toEqual({ at: null, until: null });
    expect(await actionsOf(player)).toEqual(["suspended", "suspended", "unsuspended"]);
    expect(await caseOf(first.id)).toMatchObject({ state: "closed" });
    const [taken, made] = await decisionsOf(first.id);
    expect([taken?.action, made?.action, made?.undoneBy]).toEqual(["undo", "suspend", taken?.id]);
    expect(await undo(first)).toEqual({ outcome: "nothing-to-undo" });
  });

  test("all suspensions of a case at once leaves it open to further decisions", async () => {
    for (let round = 0; round < 10; round += 1) {
      const player = await addPlayer(app);
      const theCase = await newCase(player);
      await decideCase(theCase, { action: "suspend" });
      await decideCase(theCase, { action: "ban" });
      expect(await unsuspendAccount(context(), player.id, "It wasn't them", OPERATOR)).toBe(true);
      expect(await suspensionOf(player)).toEqual({ at: null, until: null });
      expect(await decideCase(theCase, { action: "warn" })).toMatchObject({ outcome: "decided" });
    }
  });

  test("a limit ends it, but not the limits of other decisions", async () => {
    const player = await addPlayer(app);
    const [first, second] = [await newCase(player), await newCase(player, { subjectId: uuidv7(), kind: "message" })];
    const until = new Date(Date.now() + DAY);
    await decideCase(first, { action: "limit", scopes: ["posting"], until });
    await decideCase(second, {
      action: "limit",
      scopes: ["posting", "joining"],
      until: new Date(Date.now() + 9 * DAY),
    });
    await undo(second);
    expect(await limitsOf(player)).toEqual({ posting: until });
    await undo(first);
    expect(await limitsOf(player)).toEqual({});
  });

  test("reverses the latest standing decision, then the one before", async () => {
    const player = await addPlayer(app);
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "limit" });
    await decideCase(theCase, { action: "ban" });
    await undo(theCase);
    expect([(await suspensionOf(player)).at, Object.keys(await limitsOf(player))]).toEqual([null, ["posting"]]);
    await undo(theCase);
    expect(await limitsOf(player)).toEqual({});
  });

  test("a dismissal reopens the case, unless the thing has been reported again", async () => {
    const player = await addPlayer(app);
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "dismiss", rule: null });
    await undo(theCase);
    expect(await caseOf(theCase.id)).toMatchObject({ state: "open", closedAt: null });
    await decideCase(theCase, { action: "dismiss", rule: null });
    await newCase(player);
    await undo(theCase);
    expect(await caseOf(theCase.id)).toMatchObject({ state: "closed" });
  });

  test("a dismissal reopens a case that was handed to the admins, for admins only", async () => {
    const theCase = await newCase(await addPlayer(app));
    await decideCase(theCase, { action: "hand-over", rule: null });
    await decideCase(theCase, { action: "dismiss", rule: null });
    expect(await caseOf(theCase.id)).toMatchObject({ state: "closed" });
    await undo(theCase);
    expect(await caseOf(theCase.id)).toMatchObject({ state: "open", closedAt: null, isForAdmin: true });
    expect(await undo(theCase)).toMatchObject({ outcome: "decided" });
    expect(await caseOf(theCase.id)).toMatchObject({ state: "open", isForAdmin: false });
  });

  test("a dismissal leaves the case closed if another decision has settled it since", async () => {
    const theCase = await newCase(await addPlayer(app));
    await decideCase(theCase, { action: "dismiss", rule: null });
    const [dismissal] = await decisionsOf(theCase.id);
    await decideCase(theCase, { action: "warn" });
    await undo(theCase, dismissal?.id);
    expect(await caseOf(theCase.id)).toMatchObject({ state: "closed" });
  });

  test("a hand-over returns the case to the moderators", async () => {
    const theCase = await newCase(await addPlayer(app));
    await decideCase(theCase, { action: "hand-over", rule: null });
    await undo(theCase);
    expect(await caseOf(theCase.id)).toMatchObject({ state: "open", isForAdmin: false });
  });
});

describe("Hiding a thing", () => {
  const isHidden = async (id: string) =>
    (await app.db.select().from(lfgPosts).where(eq(lfgPosts.id, id)).get())?.hiddenAt !== null;
  const newPostCase = async () => {
    const player = await addPlayer(app);
    const postId = await addPost(app, player.id);
    return { postId, theCase: await newCase(player, { kind: "post", subjectId: postId }), player };
  };
  const undo = { action: "undo", rule: null, reason: "A mistake" } as const;

  test("ends with Undo, unless another decision still hides it", async () => {
    const { postId, theCase, player } = await newPostCase();
    await decideCase(theCase, { action: "hide" });
    expect(await isHidden(postId)).toBe(true);
    const again = await newCase(player, { kind: "post", subjectId: postId });
    await decideCase(again, { action: "hide" });
    await decideCase(again, undo);
    expect(await isHidden(postId)).toBe(true);
    await decideCase(theCase, undo);
    expect(await isHidden(postId)).toBe(false);
  });

  test("takes each decision into account that hides it, whoever wrote it when its case was opened", async () => {
    const { postId, theCase } = await newPostCase();
    await decideCase(theCase, { action: "hide" });
    // A thing's writer changes when a captain hands over the team, or when the account is erased.
    const later = await newCase(await addPlayer(app), { kind: "post", subjectId: postId, playerId: null });
    await decideCase(later, { action: "hide" });
    await decideCase(later, undo);
    expect(await isHidden(postId)).toBe(true);
    await decideCase(later, { action: "hide" });
    await decideCase(later, { action: "restore", rule: null });
    expect(await isHidden(postId)).toBe(false);
    expect(await decideCase(theCase, { action: "restore", rule: null })).toEqual({ outcome: "not-hidden" });
    await decideCase(later, undo);
    expect(await isHidden(postId)).toBe(true);
    await decideCase(later, undo);
    expect(await isHidden(postId)).toBe(true);
    await decideCase(theCase, undo);
    expect(await isHidden(postId)).toBe(false);
  });

  test("ends with Restore, and undoing that hides it again", async () => {
    const { postId, theCase } = await newPostCase();
    await decideCase(theCase, { action: "hide" });
    await decideCase(theCase, { action: "restore", rule: null });
    expect(await isHidden(postId)).toBe(false);
    const [restored, hidden] = await decisionsOf(theCase.id);
    expect(hidden?.undoneBy).toBe(restored?.id);
    await decideCase(theCase, undo);
    expect(await isHidden(postId)).toBe(true);
    expect((await decisionsOf(theCase.id)).map(({ action, undoneBy }) => [action, undoneBy !== null])).toEqual([
      ["undo", false],
      ["restore", true],
      ["hide", false],
    ]);
  });
});

describe("Hiding a player's words", () => {
  /** Has a player save words in their profile, and returns which of these it then has. */
  async function newWriter() {
    const { player, client } = await newVisitor(app);
    const save = async (words: Words) => {
      expect((await client.post("/dashboard/profile", { isListed: "on", ...words })).status).toBe(303);
      const { riotId, discordTag, description, playTimes, personalityTags } = await profileOf(player);
      return { riotId, discordTag, description, playTimes, personalityTags: personalityTags?.join(", ") };
    };
    return { player, save, theCase: await newCase(player) };
  }
  const newWords = () => {
    const [name, text] = [unique("Foul"), unique("Foul words ")];
    const tags = { discordTag: `${name.toLowerCase()}.chat`, personalityTags: name };
    return { riotId: `${name}#EUW`, description: text, playTimes: text, ...tags };
  };
  type Words = ReturnType<typeof newWords>;
  const NONE = { riotId: null, discordTag: null, description: null, playTimes: null, personalityTags: "" };

  test("lets nobody type any of them again once their restoration is undone", async () => {
    const { player, save, theCase } = await newWriter();
    const [first, second, third] = [newWords(), newWords(), newWords()];
    for (const words of [first, second]) {
      expect(await save(words)).toEqual(words);
      await decideCase(theCase, { action: "hide" });
    }
    // A restoration leaves words that the player has written since then.
    await save(third);
    await decideCase(theCase, { action: "restore", rule: null });
    await decideCase(theCase, { action: "undo", rule: null });
    expect(await profileOf(player)).toMatchObject({ description: null, discordTag: null });
    for (const words of [first, second, third]) expect(await save(words)).toEqual(NONE);
  });

  test("lets their author type them again once they are restored, even after other words are hidden", async () => {
    const { save, theCase } = await newWriter();
    const [first, second, third] = [newWords(), newWords(), newWords()];
    for (const words of [first, second]) {
      await save(words);
      await decideCase(theCase, { action: "hide" });
    }
    await decideCase(theCase, { action: "restore", rule: null });
    for (const words of [first, second]) expect(await save(words)).toEqual(words);
    await save(third);
    await decideCase(theCase, { action: "hide" });
    for (const words of [first, second]) expect(await save(words)).toEqual(words);
    expect(await save(third)).toEqual(NONE);
  });
});

describe("The cron", () => {
  test("lifts expired suspensions and deletes expired limits, and leaves the rest", async () => {
    const [over, running, both] = [await addPlayer(app), await addPlayer(app), await addPlayer(app)];
    const past = new Date(Date.now() - DAY);
    for (const player of [over, both]) {
      await decideCase(
        await newCase(player),
        { action: "suspend", until: new Date(Date.now() - MINUTE) },
        undefined,
        past,
      );
    }
    await decideCase(await newCase(running), { action: "suspend" });
    await app.db
      .update(users)
      .set({ suspendedUntil: new Date(Date.now() - MINUTE) })
      .where(eq(users.id, over.id));
    await decideCase(await newCase(both), { action: "ban" });
    await decideCase(await newCase(over), { action: "limit", scopes: ["posting", "joining"] });
    await app.db.update(restrictions).set({ until: past }).where(eq(restrictions.scope, "posting"));
    await app.runScheduled();
    expect(await suspensionOf(over)).toEqual({ at: null, until: null });
    expect(await actionsOf(over)).toEqual(["suspended", "unsuspended"]);
    expect(await suspensionOf(running)).toEqual({ at: expect.any(Date), until: expect.any(Date) });
    expect(await suspensionOf(both)).toEqual({ at: expect.any(Date), until: null });
    expect(Object.keys(await limitsOf(over))).toEqual(["joining"]);
  });
});
