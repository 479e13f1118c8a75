import { eq, inArray, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { carryOutFollowUp, claimFollowUps } from "../../app/features/follow-ups/shared/queue.server";
import { REMOVED_MESSAGE } from "../../app/features/messages/rules";
import { uuidv7 } from "../../db/ids";
import { followUps, notifications, reportCases, teamDetails } from "../../db/schema";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import { withoutTable } from "../support/broken-table";
import { eventually } from "../support/eventually";
import { startTournament } from "../support/matches";
import { png } from "../support/pictures";
import { recordsIn } from "../support/records";
import { openConversation, openInbox, openRoom, openTournament, type RoomSocket } from "../support/socket";
import { casesIn, OPERATOR } from "./cases";
import { newModerator } from "./moderators";
import { addPost, newPair, newVisitor, type Player, sendTo } from "./players";
import { registrationsIn } from "./registrations";
import type { Visitor } from "./talk";
import { requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { profileOf } = recordsIn(app);
const { newCase, decideCase, decisionsOf, context } = casesIn(app);
const { accept, newPost, newTeam, stateOf } = teamsIn(app);
const { newFullTeam, newTournament, teamsOf, tournamentOf } = registrationsIn(app);

/** Runs a command of `npm run admin` as an operator, and returns its output. */
async function admin(...args: string[]) {
  const { code, out, err } = await runAdmin(app, [...args, "--as", "Lee"]);
  expect([code, err.split("\n").slice(1)], args.join(" ")).toEqual([0, [""]]);
  return out;
}
const HIDE = ["--rule", "sexual", "--reason", "A nude picture"];

/** Adds a player with a picture, and returns it with a function that finds where the picture is. */
async function newPortrayed() {
  const { player, client } = await newVisitor(app);
  const upload = async () => {
    const body = new FormData();
    body.set("picture", new File([new Uint8Array(png(40, 30))], "me.png"));
    expect((await client.request("/dashboard/profile/picture", { method: "POST", body })).status).toBe(303);
    return (await profileOf(player)).avatarId as string;
  };
  const picture = await upload();
  const bucket = await app.miniflare.getR2Bucket("AVATARS");
  /** Whether the picture is public, and whether a hidden copy is kept. */
  const places = async (of = picture) => [
    (await app.client().get(`/avatars/${of}`)).status === 200,
    (await bucket.head(`hidden/${of}`)) !== null,
  ];
  return { player, client, picture, places, upload };
}

const PUBLIC = [true, false];
const HIDDEN = [false, true];
const GONE = [false, false];

/** Appeals the latest decision of a case as its player, and returns the appeal's id. */
async function appeal({ client }: { client: Awaited<ReturnType<typeof newVisitor>>["client"] }, caseId: string) {
  const [decision] = await decisionsOf(caseId);
  await client.post(`/account/decisions/${decision?.id}/appeal`, { words: "That is a statue." });
  const row = await app.db.query.appeals.findFirst({
    where: (one, { eq: is }) => is(one.decisionId, `${decision?.id}`),
  });
  return row?.id as string;
}

/** Opens the list of posts, with a post that its page shows. */
async function openList(client: Visitor["client"], postId: string) {
  const list = await openRoom(client, `/parties/posts?since=${Date.now()}&shown=${postId}`);
  await list.next("list");
  return list;
}
/** Waits until an open list is told that a post is open, or isn't. */
const toldOf = (list: RoomSocket, postId: string, isOpen: boolean) =>
  list.next("post", (post) => post.id === postId && post.isOpen === isOpen);

/** The follow-ups about a player that haven't been carried out yet. */
const leftOf = async ({ id }: Player) =>
  (await app.db.select().from(followUps)).filter(({ subjectId }) => subjectId === id);

/** Makes the next attempt at a thing's follow-ups due; they have failed once. */
const makeDue = (id: string) => app.db.update(followUps).set({ dueAt: new Date() }).where(eq(followUps.subjectId, id));

describe("The command line", () => {
  test("leaves it to the cron to remove a hidden player's picture from the public bucket, and to restore it", async () => {
    const { player, places } = await newPortrayed();
    const { id } = await newCase(player);
    expect(await admin("decide", id, "hide", ...HIDE)).toBe(
      "Decided: Hide. The cron's next run, within five minutes, updates open tabs, and the address of any picture.\n",
    );
    const placesAfter = async (...words: string[]) => {
      if (words.length > 0) await admin(...words);
      await app.runScheduled();
      return places();
    };
    expect(await placesAfter()).toEqual(HIDDEN);
    expect(await placesAfter("decide", id, "restore", "--reason", "It is a statue")).toEqual(PUBLIC);
    // Undoing the restoration hides it again.
    expect(await placesAfter("undo", id, "--reason", "It isn't one")).toEqual(HIDDEN);
    expect(await placesAfter("undo", id, "--reason", "It is one after all")).toEqual(PUBLIC);
    expect(await leftOf(player)).toEqual([]);
  });

  test("makes the cron delete a restored player's old picture, but not the one chosen in the meantime", async () => {
    const { player, places, upload } = await newPortrayed();
    const { id } = await newCase(player);
    await admin("decide", id, "hide", ...HIDE);
    const newer = await upload();
    await admin("decide", id, "restore", "--reason", "It is a statue");
    await app.runScheduled();
    expect([await places(), await places(newer)]).toEqual([GONE, PUBLIC]);
  });

  test("makes the cron remove every picture of a player who is erased before its run", async () => {
    const { player, places } = await newPortrayed();
    const { id } = await newCase(player);
    await admin("decide", id, "hide", ...HIDE);
    await admin("erase", player.email, "--yes");
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    // A case keeps its evidence elsewhere.
    expect(await places()).toEqual(GONE);
  });

  test("makes the cron keep an erased player's reported picture for its case only, out of public reach", async () => {
    const { player, picture, places } = await newPortrayed();
    const [reporter, moderator] = [await newVisitor(app), await newModerator(app)];
    await reporter.client.post(`/players/${player.id}/report`, { id: uuidv7(), reason: "sexual" });
    const [theCase] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, player.id));
    const said = await admin("erase", player.email, "--yes");
    await app.runScheduled();
    expect(await places()).toEqual(GONE);
    expect((await moderator.client.get(`/moderation/cases/${theCase?.id}/picture`)).status).toBe(200);
    const bucket = await app.miniflare.getR2Bucket("AVATARS");
    expect(await bucket.head(`reported/${picture}`)).not.toBeNull();
    expect(await leftOf(player)).toEqual([]);
    expect(said).toBe(
      "The account is erased. The cron's next run, within five minutes, takes its pictures off the site.\n",
    );
  });

  /** Adds a message that an operator has hidden. @returns its id, and the open thread of the player who received it */
  async function newHiddenMessage() {
    const { one, other, conversationId } = await newPair(app);
    const message = uuidv7();
    await sendTo(one.client, conversationId, "Something foul", message);
    const room = await openConversation(other.client, conversationId);
    await room.next("hello");
    const { id } = await newCase(one.player, { kind: "message", subjectId: message });
    await admin("decide", id, "hide", ...HIDE);
    return { message, room };
  }

  test("makes the cron update the open tabs when a message is hidden", async () => {
    const { message, room } = await newHiddenMessage();
    await app.runScheduled();
    const { message: told } = await room.next("message", ({ message: frame }) => frame.id === message);
    expect(told).toMatchObject({ content: REMOVED_MESSAGE, isChanged: true });
    room.close();
  });

  test("makes the cron's next run update the open tabs of a hidden message, if one run fails to", async () => {
    const { message, room } = await newHiddenMessage();
    await withoutTable(app.db, "conversation_members", () => app.runScheduled());
    await makeDue(message);
    await app.runScheduled();
    await room.next("message", ({ message: told }) => told.id === message && told.content === REMOVED_MESSAGE);
    expect(await app.db.select().from(followUps).where(eq(followUps.subjectId, message))).toEqual([]);
    room.close();
  });

  test("makes the cron name a hidden message in the log, as a failure, until a run can update its tabs", async () => {
    const { message, room } = await newHiddenMessage();
    const before = app.logs.length;
    await withoutTable(app.db, "conversation_members", () => app.runScheduled());
    const lines = app.logs.slice(before).map((line) => JSON.parse(line.message));
    const failed = lines.filter((line) => line.message === "Housekeeping failed");
    expect(failed).toMatchObject([{ task: "followUps", kind: "message", subject: message }]);
    expect(lines.at(-1)).toMatchObject({ message: "housekeeping", failures: 1 });
    // Six minutes later, its next try isn't due yet.
    await app.db
      .update(followUps)
      .set({ createdAt: new Date(Date.now() - 6 * 60_000) })
      .where(eq(followUps.subjectId, message));
    await app.runScheduled();
    expect(JSON.parse(app.logs.at(-1)?.message ?? "")).toMatchObject({ message: "housekeeping", failures: 1 });
    await makeDue(message);
    await app.runScheduled();
    expect(JSON.parse(app.logs.at(-1)?.message ?? "")).toMatchObject({ message: "housekeeping", failures: 0 });
    room.close();
  });

  /** Adds follow-ups that were stored long ago, as many as a run carries out, and deletes them after the test. */
  async function addOldFollowUps(row: Pick<typeof followUps.$inferInsert, "kind" | "picture">) {
    const createdAt = new Date(1_000);
    const rows = Array.from({ length: 100 }, () => ({ ...row, subjectId: uuidv7(), createdAt }));
    await app.db.insert(followUps).values(rows);
    onTestFinished(async () => {
      await app.db.delete(followUps).where(eq(followUps.createdAt, createdAt));
    });
  }

  test("makes the cron take a hidden post off the open lists, although a hundred older follow-ups fail in each run", async () => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const postId = await addPost(app, author.player.id);
    const list = await openList(viewer.client, postId);
    await addOldFollowUps({ kind: "message" });
    const { id } = await newCase(author.player, { kind: "post", subjectId: postId });
    await admin("decide", id, "hide", ...HIDE);
    await withoutTable(app.db, "conversation_members", async () => {
      for (let run = 0; run < 2; run += 1) await app.runScheduled();
    });
    await toldOf(list, postId, false);
    list.close();
  });

  test("makes the cron update the open tabs of a hidden message, although a hundred older pictures can't be moved", async () => {
    const { message, room } = await newHiddenMessage();
    await addOldFollowUps({ kind: "player", picture: "lost" });
    await withoutTable(app.db, "hidden_originals", () => app.runScheduled());
    await room.next("message", ({ message: told }) => told.id === message && told.content === REMOVED_MESSAGE);
    room.close();
  });

  test("makes the cron take a hidden post off the open lists, and update its team's open chat", async () => {
    const { author, postId, members, conversationId } = await newTeam(1, 2);
    const [{ client }] = members as [Visitor];
    const list = await openList(client, postId);
    const chat = await openConversation(client, conversationId);
    await chat.next("hello");
    const { id } = await newCase(author.player, { kind: "post", subjectId: postId });
    expect(await admin("decide", id, "hide", ...HIDE)).toContain("The cron's next run, within five minutes,");
    await app.runScheduled();
    await toldOf(list, postId, false);
    await chat.next("team");
    await admin("decide", id, "restore", "--reason", "It is a statue");
    await app.runScheduled();
    await toldOf(list, postId, true);
    expect(await app.db.select().from(followUps).where(eq(followUps.subjectId, postId))).toEqual([]);
    for (const socket of [list, chat]) socket.close();
  });

  test("makes the cron update the open chat of a hidden post's team, even if open lists can't be updated", async () => {
    const { author, postId, members, conversationId } = await newTeam(1, 2);
    const [{ client }] = members as [Visitor];
    const list = await openList(client, postId);
    const chat = await openConversation(client, conversationId);
    await chat.next("hello");
    const { id } = await newCase(author.player, { kind: "post", subjectId: postId });
    await admin("decide", id, "hide", ...HIDE);
    await withoutTable(app.db, "player_names", () => app.runScheduled());
    await chat.next("team");
    await makeDue(postId);
    await app.runScheduled();
    await toldOf(list, postId, false);
    for (const socket of [list, chat]) socket.close();
  });

  test("makes the cron update the open chats of teams that lose a hidden player's party code", async () => {
    const { author, postId, members, conversationId } = await newTeam(1);
    const [{ client }] = members as [Visitor];
    const detail = { postId, setBy: author.player.id, setAt: new Date() };
    await app.db.insert(teamDetails).values({ ...detail, kind: "party-code", value: "AB12CD" });
    const chat = await openConversation(client, conversationId);
    await chat.next("hello");
    const { id } = await newCase(author.player);
    await admin("decide", id, "hide", ...HIDE);
    await app.runScheduled();
    await chat.next("team");
    chat.close();
  });

  test.each([
    ["suspend PLAYER", async ({ email }: Player) => ["suspend", email]],
    ["decide CASE ban", async (player: Player) => ["decide", (await newCase(player)).id, "ban"]],
  ])("makes the cron tell open tabs of what a suspended player leaves and closes, after %s", async (_, words) => {
    const { author, postId, members, conversationId } = await newTeam(1);
    const [{ player }] = members as [Visitor];
    const own = await addPost(app, player.id);
    const { id } = await newTournament({ userId: player.id });
    const lists = [await openList(author.client, own), await openList(author.client, postId)] as const;
    const chat = await openConversation(author.client, conversationId);
    const tournament = await openTournament(app.client(), id);
    await chat.next("hello");
    const inbox = await openInbox(author.client);
    await inbox.next("unread", ({ notifications }) => notifications === 0);
    const asker = await newVisitor(app);
    expect((await requestToJoin(asker.client, own)).status).toBe(303);
    const waiting = await openInbox(asker.client);
    await waiting.next("unread", ({ notifications }) => notifications === 0);
    await admin(...(await words(player)), "--rule", "spam", "--reason", "Ads");
    await app.runScheduled();
    await toldOf(lists[0], own, false);
    await toldOf(lists[1], postId, true);
    await chat.next("changed");
    await tournament.next("changed");
    await inbox.next("unread", ({ notifications }) => notifications === 1);
    await waiting.next("unread", ({ notifications }) => notifications === 1);
    expect(await app.db.$count(followUps, inArray(followUps.subjectId, [player.id, own]))).toBe(0);
    for (const socket of [...lists, chat, tournament, inbox, waiting]) socket.close();
  });

  test("mentions no pictures or tabs where there are none", async () => {
    const { player } = await newVisitor(app);
    const { id } = await newCase(player);
    expect(await admin("decide", id, "warn", ...HIDE)).toBe("Decided: Warn.\n");
  });
});

describe("Granting an appeal against Hide", () => {
  test("restores the picture immediately from the appeal's page", async () => {
    const portrayed = await newPortrayed();
    const { player, places } = portrayed;
    const theCase = await newCase(player);
    const moderator = await newModerator(app);
    await decideCase(theCase, { action: "hide" }, OPERATOR);
    await app.runScheduled();
    expect(await places()).toEqual(HIDDEN);
    const page = `/moderation/appeals/${await appeal(portrayed, theCase.id)}`;
    expect((await moderator.client.submit(page, "Grant", { reason: "It is a statue" })).status).toBe(303);
    await expect.poll(places).toEqual(PUBLIC);
    await expect.poll(() => leftOf(player)).toEqual([]);
  });

  test("immediately shows a post in open lists again", async () => {
    const [author, viewer, moderator] = [await newVisitor(app), await newVisitor(app), await newModerator(app)];
    const postId = await addPost(app, author.player.id);
    const theCase = await newCase(author.player, { kind: "post", subjectId: postId });
    await decideCase(theCase, { action: "hide" }, OPERATOR);
    const list = await openList(viewer.client, postId);
    const page = `/moderation/appeals/${await appeal(author, theCase.id)}`;
    expect((await moderator.client.submit(page, "Grant", { reason: "It is a statue" })).status).toBe(303);
    await toldOf(list, postId, true);
    list.close();
  });

  test("restores the picture with the cron's next run, if it is done at the command line", async () => {
    const portrayed = await newPortrayed();
    const { player, places } = portrayed;
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "hide" }, OPERATOR);
    await app.runScheduled();
    await admin("appeal", await appeal(portrayed, theCase.id), "grant", "--reason", "It is a statue");
    await app.runScheduled();
    expect(await places()).toEqual(PUBLIC);
    expect(await leftOf(player)).toEqual([]);
  });
});

test("Hiding a player on the case's page removes the picture immediately", async () => {
  const { player, places } = await newPortrayed();
  const { id } = await newCase(player);
  const { client } = await newModerator(app);
  const page = `/moderation/cases/${id}/hide`;
  expect((await client.submit(page, "Hide", { rule: "sexual", reason: "A nude picture" })).status).toBe(303);
  await eventually(async () => (String(await places()) === String(HIDDEN) ? true : undefined));
  expect(await leftOf(player)).toEqual([]);
});

test.each([
  ["hidden", "restored", PUBLIC],
  ["restored", "hidden", HIDDEN],
])("A picture that is %s, and %s while still being moved, ends up in the right place", async (first, _, places) => {
  const portrayed = await newPortrayed();
  // The upload's own follow-up is carried out after its response.
  await expect.poll(() => leftOf(portrayed.player), { timeout: 5_000 }).toEqual([]);
  const theCase = await newCase(portrayed.player);
  const hide = () => decideCase(theCase, { action: "hide" });
  const restore = () => decideCase(theCase, { action: "restore", rule: null });
  const bucket = await app.miniflare.getR2Bucket("AVATARS");
  /** Carries out the player's follow-ups, as the Worker does after its response. */
  const follow = async (AVATARS: unknown) => {
    const { db, origin } = context();
    const env = { AVATARS } as Parameters<typeof carryOutFollowUp>[0]["env"];
    const due = await claimFollowUps(db, { kind: "player", id: portrayed.player.id });
    await Promise.all(due.map((one) => carryOutFollowUp({ db, env, origin }, one)));
  };
  let decideAgain: (() => Promise<unknown>) | undefined = first === "hidden" ? restore : hide;
  /** The bucket, except that the second decision is made and carried out just before the first deletion. */
  const interrupted = {
    head: (key: string) => bucket.head(key),
    get: (key: string) => bucket.get(key),
    put: (...args: Parameters<typeof bucket.put>) => bucket.put(...args),
    async delete(keys: string[]) {
      const decide = decideAgain;
      decideAgain = undefined;
      await decide?.();
      if (decide) await follow(bucket);
      await bucket.delete(keys);
    },
  };
  await hide();
  if (first === "restored") {
    await follow(bucket);
    await restore();
  }
  await follow(interrupted);
  expect(await portrayed.places()).toEqual(places);
  expect(await leftOf(portrayed.player)).toEqual([]);
});

describe("A suspension that is stored just before the Worker stops", () => {
  /** Bans a member of a team who hosts a tournament, and does nothing after the decision. */
  async function newBanned() {
    const { postId, members } = await newTeam(1);
    const [{ player }] = members as [Visitor];
    const { id } = await newTournament({ userId: player.id });
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "ban" });
    const places = async () => [await stateOf(postId, player), (await tournamentOf(id)).state];
    expect(await places()).toEqual(["accepted", "open"]);
    return { player, theCase, places, tournamentId: id };
  }

  /** Runs the cron while rows of a table can't be changed. @param condition SQL about such a row as `old` */
  async function runWithout(table: string, condition: string) {
    await app.db.run(
      sql.raw(`CREATE TRIGGER no_change BEFORE UPDATE ON ${table} WHEN ${condition}
        BEGIN SELECT RAISE(ABORT, 'not now'); END`),
    );
    await app.runScheduled();
    await app.db.run(sql`DROP TRIGGER no_change`);
  }

  test("takes the player out of teams and tournaments with the cron's next run", async () => {
    const { player, places } = await newBanned();
    await app.runScheduled();
    expect(await places()).toEqual(["left", "cancelled"]);
    expect(await leftOf(player)).toEqual([]);
  });

  test.each(["played", "hosted"])(
    "updates the open pages of a tournament when the player leaves it, even if a %s one can't be left yet",
    async (which) => {
      const { player, tournamentId: hosted } = await newBanned();
      const { id: played, teams } = await startTournament(app, { teams: 2, captains: [player.id] });
      const [stuck, other] = which === "played" ? [played, hosted] : [hosted, played];
      const page = await openTournament(app.client(), other);
      const hasLeft = async (id: string) => {
        if (id === hosted) return (await tournamentOf(id)).state === "cancelled";
        return (await teamsOf(id)).find((team) => team.id === teams[0]?.id)?.captainId === null;
      };
      await runWithout("tournaments", `old.id = '${stuck}'`);
      await page.next("changed");
      page.close();
      expect([await hasLeft(other), await hasLeft(stuck), (await leftOf(player)).length]).toEqual([true, false, 1]);
      await makeDue(player.id);
      await app.runScheduled();
      expect([await hasLeft(stuck), await leftOf(player)]).toEqual([true, []]);
    },
  );

  test("updates open pages and bells after the player left, if the run that removed the player couldn't", async () => {
    const { id } = await newTournament();
    const { captain, members } = await newFullTeam(id);
    const [heir] = members as [Visitor];
    const [{ author, postId }, { author: asked, postId: askedId }] = [await newPost(1, 0), await newPost(1, 0)];
    for (const one of [postId, askedId]) expect((await requestToJoin(captain.client, one)).status).toBe(303);
    await accept(author, postId, captain);
    await decideCase(await newCase(captain.player), { action: "ban" });
    const list = await openList(author.client, postId);
    await withoutTable(app.db, "player_names", () => app.runScheduled());
    expect([await stateOf(postId, captain.player), await stateOf(askedId, captain.player)]).toEqual([
      "left",
      "withdrawn",
    ]);
    expect(await leftOf(captain.player)).toHaveLength(1);
    // These open afterwards, so they get only the frames of the next run.
    const tournament = await openTournament(app.client(), id);
    const inboxes = await Promise.all([author, asked, heir].map(({ client }) => openInbox(client)));
    const counts = await Promise.all(inboxes.map(async (inbox) => (await inbox.next("unread")).notifications));
    for (const { player } of [author, asked, heir]) {
      const subject = player === heir.player ? `tournament:${id}` : `post:${uuidv7()}`;
      await app.db.insert(notifications).values({
        ...{ id: uuidv7(), userId: player.id, kind: "join-request", subject },
        ...{ data: { title: "Duo", name: "Ann", count: 1 }, createdAt: new Date() },
      } as typeof notifications.$inferInsert);
    }
    const subjects = [captain.player.id, postId, askedId, id];
    for (const one of subjects) await makeDue(one);
    await app.runScheduled();
    await toldOf(list, postId, true);
    await tournament.next("changed");
    for (const [index, inbox] of inboxes.entries()) {
      await inbox.next("unread", (unread) => unread.notifications === (counts[index] as number) + 1);
    }
    expect(await app.db.$count(followUps, inArray(followUps.subjectId, subjects))).toBe(0);
    for (const socket of [list, tournament, ...inboxes]) socket.close();
  });

  test("takes the player out of tournaments even if a team can't be left yet", async () => {
    const { player, places } = await newBanned();
    await runWithout("join_requests", `old.user_id = '${player.id}'`);
    expect(await places()).toEqual(["accepted", "cancelled"]);
    await makeDue(player.id);
    await app.runScheduled();
    expect(await places()).toEqual(["left", "cancelled"]);
    expect(await leftOf(player)).toEqual([]);
  });

  test("leaves the player where they are, if it is undone before the cron's next run", async () => {
    const { player, theCase, places } = await newBanned();
    await decideCase(theCase, { action: "undo", rule: null });
    await app.runScheduled();
    expect(await places()).toEqual(["accepted", "open"]);
    expect(await leftOf(player)).toEqual([]);
  });
});
