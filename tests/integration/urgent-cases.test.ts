import { and, eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { mutedNotifications, notificationSwitches, notifications, reportCases } from "../../db/schema";
import { URGENT_REASONS } from "../../db/words/report-reasons";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { links, selectEach, textOf, texts } from "../support/html";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openInbox } from "../support/socket";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, addPost, DAY, HOUR, MINUTE, newVisitor, type Player } from "./players";
import { pushesIn } from "./pushes";
import { reportsIn } from "./reports";
import { giveFeedback } from "./reviews";

/* Cases with a grave reason, and the moderators who hear of them. */

const app = useApp({ emailProvider: true });
const { notificationsOf } = recordsIn(app);
const { newCase, decideCase, caseOf } = casesIn(app);
const { casesOf } = reportsIn(app);
const { addDevice, arrivals } = pushesIn(app);

const QUEUE = "/moderation";
const BELL = "/dashboard/notifications";

// Each test has its own queue.
beforeEach(async () => {
  await app.db.delete(reportCases);
  await app.db.delete(notifications);
});

const report = (client: Client, address: string, reason: string, more: Record<string, string> = {}) =>
  client.post(`${address}/report`, { id: uuidv7(), reason, ...more });

/** The ids of the cases on a page of the queue. */
const listed = async (client: Client, query = "") =>
  links((await client.get(`${QUEUE}${query}`)).text).flatMap(({ href }) => href.match(/cases\/(.+)$/)?.[1] ?? []);

/** The kinds of a player's unread news. */
const unread = async (player: Player) =>
  (await notificationsOf(player)).flatMap(({ kind, readAt }) => (readAt === null ? [kind] : []));

/** A post that someone has reported for a grave reason, and its case. */
async function newUrgentCase(reason = "threats") {
  const [author, reporter] = [await addPlayer(app), await newVisitor(app)];
  const postId = await addPost(app, author.id, { title: "Secret title", message: "Secret words" });
  expect((await report(reporter.client, `/lfg/${postId}`, reason)).status).toBe(303);
  const [{ id } = { id: "" }] = await casesOf("post", postId);
  return { id, postId, author, reporter };
}

describe("A case", () => {
  test("is urgent if it is reported as a threat, as child abuse or as an intimate picture, and for no other reason", async () => {
    const { client } = await newModerator(app);
    for (const reason of URGENT_REASONS) {
      const { id } = await newUrgentCase(reason);
      const page = await client.get(`${QUEUE}/cases/${id}`);
      expect([texts(page.text, "main .badge"), roundTrips(page)], reason).toEqual([["Open", "Urgent"], 1]);
    }
    for (const reason of ["sexual", "hate", "other"]) {
      const { id } = await newUrgentCase(reason);
      const page = await client.get(`${QUEUE}/cases/${id}`);
      expect(texts(page.text, "main .badge"), reason).toEqual(["Open"]);
    }
    expect(await listed(client, "?urgent=on")).toHaveLength(3);
  });

  test("becomes urgent with a later report, or with another reason in an earlier one, and stays so", async () => {
    const [reported, one, two] = [await addPlayer(app), await newVisitor(app), await newVisitor(app)];
    const page = `/players/${reported.id}`;
    const isUrgent = async () => (await casesOf("player", reported.id))[0]?.isUrgent;
    await report(one.client, page, "spam");
    expect(await isUrgent()).toBe(false);
    const answer = await report(two.client, page, "threats");
    expect([answer.status, roundTrips(answer), await isUrgent()]).toEqual([303, 2, true]);

    await decideCase((await casesOf("player", reported.id))[0] as typeof reportCases.$inferSelect, {
      action: "dismiss",
    });
    await report(one.client, page, "spam");
    const again = async () => (await casesOf("player", reported.id)).find(({ state }) => state === "open")?.isUrgent;
    expect(await again()).toBe(false);
    await report(one.client, page, "child-abuse");
    expect(await again()).toBe(true);
    await report(one.client, page, "spam");
    expect(await again()).toBe(true);
  });

  test("can be reported as an intimate picture by a visitor, on every form", async () => {
    const postId = await addPost(app, (await addPlayer(app)).id);
    const guest = app.client();
    expect((await guest.get(`/lfg/${postId}/report`)).text).toContain("Intimate pictures without consent");
    const fields = { name: "A Visitor", email: "visitor@lineup.test" };
    expect((await report(guest, `/lfg/${postId}`, "intimate", fields)).status).toBe(303);
    expect(await casesOf("post", postId)).toMatchObject([{ isUrgent: true, reportCount: 1 }]);
  });
});

describe("The queue", () => {
  test("by age has urgent cases first, whatever else it filters by, and marks them", async () => {
    const [{ player: me, client }, player] = [await newModerator(app), await addPlayer(app)];
    const all = { kind: "post", isFlagged: true, isForAdmin: true, assignedTo: me.id } as const;
    const add = async (row: Partial<typeof reportCases.$inferInsert>) =>
      (await newCase(player, { ...all, subjectId: uuidv7(), ...row })).id;
    const [old, urgent, young, later] = [
      await add({ reportCount: 3 }),
      await add({ isUrgent: true, reportCount: 2 }),
      await add({ reportCount: 5 }),
      await add({ isUrgent: true, reportCount: 1 }),
    ];
    for (const query of ["", "?kind=post", "?flagged=on", "?admin=on", "?mine=on", "?mine=on&kind=post&flagged=on"]) {
      expect(await listed(client, query), query).toEqual([urgent, later, old, young]);
    }
    for (const query of [
      "?urgent=on",
      "?urgent=on&kind=post",
      "?urgent=on&mine=on&admin=on",
      "?urgent=on&order=reports",
    ]) {
      expect(await listed(client, query), query).toEqual([urgent, later]);
    }
    expect(await listed(client, "?order=reports")).toEqual([young, old, urgent, later]);
    const page = await client.get(QUEUE);
    const badges = selectEach(page.text, "main li").map((row) => textOf(row).includes("Urgent"));
    expect([badges, roundTrips(page)]).toEqual([[true, true, false, false], 1]);
    expect(await runAdmin(app, ["cases", "--urgent"])).toMatchObject({
      out: expect.stringMatching(new RegExp(`^${urgent} .* 2x, urgent.*\n${later} .* 1x, urgent.*\n$`)),
    });
  });

  test("is paged from the urgent cases to the others and back, and shows each once", async () => {
    const [{ client }, player] = [await newModerator(app), await addPlayer(app)];
    const ids: Record<"urgent" | "others", string[]> = { urgent: [], others: [] };
    for (let number = 0; number < 50; number += 1) {
      const isUrgent = number % 2 === 0;
      const { id } = await newCase(player, { kind: "post", subjectId: uuidv7(), isUrgent });
      ids[isUrgent ? "urgent" : "others"].push(id);
    }
    const seen: string[][] = [];
    let query = "";
    for (let turn = 0; turn < 3; turn += 1) {
      seen.push(await listed(client, query));
      const next = links((await client.get(QUEUE + query)).text).find(({ href }) => href.includes("after="));
      query = next?.href.slice(next.href.indexOf("?")) ?? "";
    }
    expect(seen.flat()).toEqual([...ids.urgent, ...ids.others]);
    expect(await listed(client, `?upto=0_${seen[1]?.at(-1)}`)).toEqual(seen[1]);
    expect((await client.get(`${QUEUE}?upto=1_${seen[0]?.at(-1)}`)).location).toBe(QUEUE);
    // A URL from the time when cases were ordered by age alone.
    expect(await listed(client, `?after=${ids.others[9]}`)).toEqual(ids.others.slice(10));
  });
});

describe("News of an urgent case", () => {
  test("reaches everyone who may decide it, by bell, push and email, once, and names nobody", async () => {
    const [moderator, admin] = [await newModerator(app), await newModerator(app, "admin")];
    const device = await addDevice(moderator.client);
    const { id, postId } = await newUrgentCase();
    const [push] = await arrivals(device);
    const sentence = "An urgent report of a post is waiting: threats";
    expect(push?.payload).toMatchObject({ title: sentence, url: `${QUEUE}/cases/${id}` });
    await report((await newVisitor(app)).client, `/lfg/${postId}`, "child-abuse");
    for (const { player, client } of [moderator, admin]) {
      expect(await notificationsOf(player)).toMatchObject([
        { kind: "case-urgent", data: { kind: "post", reason: "threats", count: 1 }, readAt: null },
      ]);
      const bell = (await client.get(BELL)).text;
      expect(links(bell)).toContainEqual({ text: sentence, href: `${QUEUE}/cases/${id}` });
      expect(bell).not.toContain("Secret");
    }
    await app.db
      .update(notifications)
      .set({ emailDueAt: new Date(Date.now() - MINUTE) })
      .where(isNotNull(notifications.emailDueAt));
    await app.runScheduled();
    const [email] = app.emailProvider?.delivered.filter(({ to }) => to === admin.player.email) ?? [];
    expect(email).toMatchObject({ subject: sentence });
    expect(email?.headers["List-Unsubscribe"]).toBeUndefined();
    expect(email?.text).toContain("You get this because you're a moderator.");
    expect(email?.text).not.toContain("Secret");
  });

  test("doesn't reach the reported player, the reporter, the reviewed player, or a moderator who can't decide", async () => {
    const [reported, reporter, other] = [await newModerator(app), await newModerator(app), await newModerator(app)];
    await report(reporter.client, `/players/${reported.player.id}`, "threats");
    expect(await Promise.all([reported, reporter, other].map(({ player }) => unread(player)))).toEqual([
      [],
      [],
      ["case-urgent"],
    ]);

    const suspended = await newModerator(app);
    await decideCase(await newCase(suspended.player), { action: "ban" });
    const withoutFactor = await newVisitor(app);
    await runAdmin(app, ["grant", "moderator", withoutFactor.player.id]);
    const boss = await newModerator(app, "admin");
    const [{ id } = { id: "" }] = await casesOf("player", reported.player.id);
    await app.db.delete(notifications);
    await app.db.update(reportCases).set({ isUrgent: false, isForAdmin: true }).where(eq(reportCases.id, id));
    await report((await newVisitor(app)).client, `/players/${reported.player.id}`, "intimate");
    const all = [reported, reporter, other, suspended, withoutFactor, boss];
    expect(await Promise.all(all.map(({ player }) => unread(player)))).toEqual([[], [], [], [], [], ["case-urgent"]]);

    // Only operators decide about admins.
    await report((await newVisitor(app)).client, `/players/${boss.player.id}`, "threats");
    expect(await unread(other.player)).toEqual([]);
  });

  test("doesn't reach the moderator whom the reported review is about", async () => {
    const [reviewed, reviewer, other] = [await newModerator(app), await newVisitor(app), await newModerator(app)];
    const review = uuidv7();
    await addSession(app.db, reviewer.player, [reviewed.player]);
    await giveFeedback(reviewer.client, reviewed.player, { id: review, rating: 1 });
    await giveFeedback(reviewed.client, reviewer.player);
    await app.db.delete(notifications);
    const page = `/players/${reviewed.player.id}/report/${review}`;
    expect((await (await newVisitor(app)).client.post(page, { id: uuidv7(), reason: "threats" })).status).toBe(303);
    expect([await unread(reviewed.player), await unread(other.player)]).toEqual([[], ["case-urgent"]]);
  });

  test("is read once its moderator opens the case, and for everyone once it is decided", async () => {
    const [one, two, three] = [await newModerator(app), await newModerator(app), await newModerator(app)];
    const { id } = await newUrgentCase();
    const page = await one.client.get(`${QUEUE}/cases/${id}`);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(page.text).not.toContain("1 unread");
    await eventually(async () => expect(await unread(one.player)).toEqual([]));
    expect(await unread(two.player)).toEqual(["case-urgent"]);
    const warn = { rule: "threats", reason: "You threatened another player." };
    const decided = await two.client.submit(`${QUEUE}/cases/${id}/warn`, "Warn", warn);
    expect([decided.status, roundTrips(decided), (await caseOf(id)).state]).toEqual([303, 2, "closed"]);
    for (const { player } of [two, three]) expect(await unread(player)).toEqual([]);
  });

  test("is over for everyone who may no longer decide the case, because it was handed to the admins", async () => {
    const [one, two, boss] = [await newModerator(app), await newModerator(app), await newModerator(app, "admin")];
    const { id } = await newUrgentCase();
    const other = await newUrgentCase();
    await one.client.submit(`${QUEUE}/cases/${id}/hand-over`, "Hand to an admin", { reason: "I am not sure." });
    const subjects = async ({ player }: typeof one) =>
      (await notificationsOf(player)).flatMap(({ subject, readAt }) => (readAt === null ? [subject] : [])).sort();
    expect(await subjects(two)).toEqual([`case:${other.id}`]);
    expect(await subjects(boss)).toEqual([`case:${id}`, `case:${other.id}`]);

    // A former admin who stays a moderator.
    await runAdmin(app, ["grant", "moderator", boss.player.id]);
    expect(await subjects(boss)).toEqual([`case:${other.id}`]);
  });

  test("is over for a moderator who reports the same thing, in their open tabs as well", async () => {
    const [one, two] = [await newModerator(app), await newModerator(app)];
    const { postId } = await newUrgentCase();
    const other = await newUrgentCase();
    const tab = await openInbox(one.client);
    await tab.next("unread", (counts) => counts.notifications === 2);
    const answer = await report(one.client, `/lfg/${postId}`, "spam");
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    await tab.next("unread", (counts) => counts.notifications === 1);
    tab.close();
    expect((await notificationsOf(one.player)).filter(({ readAt }) => readAt === null)).toMatchObject([
      { subject: `case:${other.id}` },
    ]);
    expect(await unread(two.player)).toEqual(["case-urgent", "case-urgent"]);
  });

  test("comes even if a moderator has turned everything off, and players' settings don't list it", async () => {
    const { player, client } = await newModerator(app);
    const settings = "/dashboard/settings/notifications";
    expect((await client.get(settings)).text).not.toContain("case-urgent");
    // As a page from an older release sends it, and with the kinds that no page lists.
    for (const fields of [{}, { listed: ["case-urgent", "case-waiting"], channels: ["bell", "push", "email"] }]) {
      expect((await client.post(settings, fields)).status).toBe(303);
    }
    const muted = await app.db.select().from(mutedNotifications).where(eq(mutedNotifications.userId, player.id));
    expect(muted.map(({ kind }) => kind)).not.toContain("case-urgent");
    expect(
      await app.db
        .select()
        .from(notificationSwitches)
        .where(and(eq(notificationSwitches.userId, player.id), eq(notificationSwitches.isOn, true))),
    ).toEqual([]);
    await newUrgentCase();
    expect(await unread(player)).toEqual(["case-urgent"]);
  });

  test("is deleted with the role of its moderator", async () => {
    const { player, client } = await newModerator(app);
    await newUrgentCase();
    await runAdmin(app, ["revoke", "moderator", player.id]);
    expect(await notificationsOf(player)).toEqual([]);
    expect((await client.get(BELL)).text).not.toContain("urgent");
    await newUrgentCase();
    expect(await notificationsOf(player)).toEqual([]);
  });
});

describe("News that cases wait", () => {
  test("comes once a day while a case that the moderator may decide has waited for 24 hours", async () => {
    const [own, other] = [await newModerator(app), await newModerator(app)];
    const old = await newCase(own.player, { createdAt: new Date(Date.now() - DAY - MINUTE) });
    await newCase(await addPlayer(app), { createdAt: new Date(Date.now() - 23 * HOUR) });
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    expect([await unread(own.player), await unread(other.player)]).toEqual([[], ["case-waiting"]]);
    const bell = (await other.client.get(BELL)).text;
    expect(links(bell)).toContainEqual({ text: "A report has been waiting for more than a day", href: QUEUE });

    // The visit to the queue resolves it, and the next run doesn't repeat it before the next day.
    expect((await other.client.get(QUEUE)).text).not.toContain("1 unread");
    await eventually(async () => expect(await unread(other.player)).toEqual([]));
    await app.runScheduled();
    expect(await unread(other.player)).toEqual([]);
    await app.db.update(notifications).set({ createdAt: new Date(Date.now() - DAY - MINUTE) });
    await app.runScheduled();
    expect(await unread(other.player)).toEqual(["case-waiting"]);

    // A younger case doesn't keep it unread.
    await decideCase(old, { action: "dismiss" });
    expect(await unread(other.player)).toEqual([]);
  });

  test("doesn't come while no case has waited that long", async () => {
    const { player } = await newModerator(app);
    await newCase(await addPlayer(app), { isUrgent: true, createdAt: new Date(Date.now() - 23 * HOUR) });
    await app.runScheduled();
    expect(await unread(player)).toEqual([]);
  });
});
