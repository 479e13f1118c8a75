import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { appeals, caseNotes, decisions, moderationLog, reportCases, reports, sessions, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { announcements, buttons, field, findForm, heading, links, main, textOf } from "../support/html";
import { png } from "../support/pictures";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, addPost, DAY, MINUTE, newEmail, newVisitor, type Player, unique } from "./players";
import { giveFeedback } from "./reviews";
import { startConversation } from "./talk";

const app = useApp();
const { auditLinesOf, emailsTo, profileOf } = recordsIn(app);
const { newCase, decideCase, caseOf, decisionsOf, loggedOf, limitsOf } = casesIn(app);

const QUEUE = "/moderation";
const pageOf = (id: string) => `${QUEUE}/cases/${id}`;
/** The ids of the cases on a page of the queue. */
const listed = async (client: Client, query = "") =>
  links((await client.get(`${QUEUE}${query}`)).text).flatMap(({ href }) => href.match(/cases\/(.+)$/)?.[1] ?? []);
const header = async (client: Client) =>
  links((await client.get("/dashboard")).text).find(({ href }) => href === QUEUE)?.text;

const report = (client: Client, address: string, fields: Record<string, string> = {}) =>
  client.post(`${address}/report`, { id: uuidv7(), reason: "harassment", ...fields });

test("A form of moderation keeps what was typed if the moderator's session has ended", async () => {
  const [{ client, player: me }, player] = [await newModerator(app), await addPlayer(app)];
  const { id } = await newCase(player);
  await app.db.delete(sessions).where(eq(sessions.userId, me.id));
  for (const visitor of [client, app.client()]) {
    for (const [address, fields] of [
      [`${pageOf(id)}/warn`, { rule: "respect", reason: "Rude words, typed at length" }],
      [pageOf(id), { intent: "note", id: uuidv7(), words: "Rude words, typed at length" }],
    ] as const) {
      const answer = await visitor.post(address, fields);
      expect([answer.status, heading(answer.text)], address).toEqual([401, "Sign in again"]);
      expect(answer.text).toContain("Rude words, typed at length");
    }
    // Without a form, the pages still don't exist.
    expect((await visitor.get(pageOf(id))).status).toBe(404);
  }
  expect(await loggedOf(id)).toEqual([]);
});

describe("The queue", () => {
  test("filters by state, kind, flag, assignment and admins, in one round trip", async () => {
    const [{ player: me, client }, player] = [await newModerator(app), await addPlayer(app)];
    const plain = await newCase(player);
    const post = await newCase(player, { kind: "post", subjectId: uuidv7(), isFlagged: true });
    const mine = await newCase(player, { kind: "review", subjectId: uuidv7(), assignedTo: me.id, reportCount: 40 });
    const handed = await newCase(player, { kind: "team", subjectId: uuidv7(), isForAdmin: true });
    const closed = await newCase(player, { kind: "tournament", subjectId: uuidv7() });
    await decideCase(closed, { action: "warn" });
    const all = await listed(client);
    for (const { id } of [plain, post, mine, handed]) expect(all).toContain(id);
    expect(all).not.toContain(closed.id);
    expect(await listed(client, "?state=closed")).toEqual([closed.id]);
    expect(await listed(client, "?kind=review")).toEqual([mine.id]);
    expect(await listed(client, "?flagged=on")).toEqual([post.id]);
    expect(await listed(client, "?mine=on")).toEqual([mine.id]);
    expect(await listed(client, "?admin=on")).toEqual([handed.id]);
    expect(await listed(client, "?flagged=on&kind=player")).toEqual([]);
    expect((await listed(client, "?order=reports"))[0]).toBe(mine.id);
    const page = await client.get(`${QUEUE}?kind=player&order=reports`);
    expect(roundTrips(page)).toBe(1);
  });

  test("hides cases about the moderator, who can't open their pages either", async () => {
    const [{ player, client }, other] = [await newModerator(app), await newModerator(app)];
    const { id } = await newCase(player);
    expect(await listed(client)).not.toContain(id);
    expect(await listed(other.client, "?order=reports")).toContain(id);
    for (const page of ["", "/warn", "/picture"]) expect((await client.get(pageOf(id) + page)).status).toBe(404);
    expect((await client.post(`${pageOf(id)}/dismiss`, { reason: "It's me" })).status).toBe(404);
    expect((await client.post(pageOf(id), { intent: "note", id: uuidv7(), words: "It's me" })).status).toBe(404);
    expect(await loggedOf(id)).toEqual([]);
  });

  test("is counted in moderators' headers only, without the cases for admins", async () => {
    const [moderator, admin, player] = [
      await newModerator(app),
      await newModerator(app, "admin"),
      await newVisitor(app),
    ];
    const counts = async () =>
      [await header(moderator.client), await header(admin.client)].map((text) => Number(text?.split(" ")[1]));
    const before = await counts();
    await newCase(player.player);
    await newCase(player.player, { kind: "post", subjectId: uuidv7(), isForAdmin: true });
    expect(await counts()).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 2]);
    expect(await header(player.client)).toBeUndefined();
    const page = await player.client.get("/dashboard");
    expect([roundTrips(page), page.text.includes("/moderation")]).toEqual([1, false]);
  });
});

describe("A case's page", () => {
  test("shows the reported and the current version, the reports and both records, in one round trip", async () => {
    const { client } = await newModerator(app);
    const author = await newVisitor(app, { riotGameName: unique("Author ") });
    const reporter = await newVisitor(app, { riotGameName: unique("Reporter ") });
    const postId = await addPost(app, author.player.id, { title: "Rude title", message: "Rude words" });
    await report(reporter.client, `/lfg/${postId}`, { details: "Not how we talk." });
    await author.client.post(`/lfg/${postId}/edit`, { title: "Kind title", neededPlayers: "1" });
    const earlier = await newCase(author.player);
    await decideCase(earlier, { action: "warn", reason: "The first time" });
    const [row] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, postId));
    const page = await client.get(pageOf(row?.id ?? ""));
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    const text = main(page.text);
    for (const words of [
      /Post by Author/,
      /As reported.*Rude title.*Rude words.*As it is now.*Kind title/s,
      /Insults or harassment by Reporter .*Not how we talk\./s,
      /Has sent 1 report, none decided yet\. About them: no cases\./,
      /About them: 2 cases, 1 of 1 decided upheld\./,
      /Earlier decisions.*warned the player.*Rule 1, Respect other players.*The first time/s,
    ]) {
      expect(text).toMatch(words);
    }
    expect(links(page.text).map(({ text: name }) => name)).toEqual(
      expect.arrayContaining(["Dismiss", "Warn", "Limit", "Suspend", "Ban", "Hand to an admin"]),
    );
    expect(links(page.text).map(({ text: name }) => name)).not.toContain("Undo");
  });

  test("shows a reported message with the messages before it, and says when it is gone", async () => {
    const { client } = await newModerator(app);
    const { author, reader, conversationId } = await startConversation(app);
    const id = uuidv7();
    await author.client.post(`/dashboard/messages/${conversationId}`, { id, message: "Something rude" });
    await reader.client.post(`/dashboard/messages/${conversationId}/report`, {
      id: uuidv7(),
      message: id,
      reason: "threats",
    });
    const [row] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, id));
    const text = main((await client.get(pageOf(row?.id ?? ""))).text);
    expect(text).toMatch(/Messages before it.*Someone else: Hi there.*Something rude.*As it is now.*Unchanged\./s);
    const gone = await newCase({ id: uuidv7(), email: "" });
    const goneText = main((await client.get(pageOf(gone.id))).text);
    expect(goneText).toMatch(/As it is now.*It's gone\./s);
    expect(goneText).toContain("The account is gone.");
  });

  test("shows the different version that a later reporter saw, even if it was changed back", async () => {
    const moderator = await newModerator(app);
    const author = await newVisitor(app, { riotGameName: unique("Author ") });
    const [early, late] = [await newVisitor(app), await newVisitor(app)];
    const edit = (title: string) => author.client.post(`/lfg/${postId}/edit`, { title, neededPlayers: "1" });
    const postId = await addPost(app, author.player.id, { title: "Kind title", message: null });
    await report(early.client, `/lfg/${postId}`);
    await edit("Rude title");
    await report(late.client, `/lfg/${postId}`);
    await edit("Kind title");
    const [row] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, postId));
    const page = await moderator.client.get(pageOf(row?.id ?? ""));
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    const text = main(page.text);
    expect(text).toMatch(/As reported.*Kind title.*As it is now.*Unchanged\..*As this reporter saw it.*Rude title/s);
    expect(text.match(/As this reporter saw it/g)).toHaveLength(1);

    const form = await moderator.client.get(`${pageOf(row?.id ?? "")}/warn`);
    expect([roundTrips(form), main(form.text)]).toEqual([1, expect.stringMatching(/Kind title.*Rude title/s)]);
    await moderator.client.submit(`${pageOf(row?.id ?? "")}/warn`, "Warn", { rule: "respect", reason: "Rude" });
    const [letter] = await emailsTo(author.player.email);
    expect(letter?.body).toContain("It's about your post: “Kind title · Rude title”");
    // The decision isn't about text that was reported after it.
    await app.db.insert(reports).values({
      ...{ id: uuidv7(), caseId: row?.id ?? "", reason: "hate", createdAt: new Date(Date.now() + MINUTE) },
      snapshot: { author: "Author", title: "Another title" },
    });
    const own = await author.client.get("/account/decisions");
    expect([roundTrips(own), main(own.text)]).toEqual([1, expect.stringMatching(/Kind title.*Rude title/s)]);
    expect(main(own.text)).not.toContain("Another title");
  });

  test("shows the picture that a later reporter saw, to moderators only", async () => {
    const [moderator, author] = [await newModerator(app), await newVisitor(app)];
    const page = `/players/${author.player.id}`;
    const pictures: string[] = [];
    for (const width of [40, 50]) {
      const body = new FormData();
      body.set("picture", new File([new Uint8Array(png(width, 30))], "me.png"));
      expect((await author.client.request("/dashboard/profile/picture", { method: "POST", body })).status).toBe(303);
      pictures.push((await app.client().get(`/avatars/${(await profileOf(author.player)).avatarId}`)).text);
      await report((await newVisitor(app)).client, page);
    }
    const [row] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, author.player.id));
    const shown = await moderator.client.get(pageOf(row?.id ?? ""));
    expect(main(shown.text)).toContain("As this reporter saw it");
    // The rest of the profile is unchanged.
    expect(main(shown.text)).toMatch(/As it is now The picture has changed\./);
    expect(main(shown.text)).not.toContain("Unchanged.");
    const sources = [...shown.text.matchAll(/src="([^"]+\/picture[^"]*)"/g)].map(([, source]) => source ?? "");
    expect(sources).toHaveLength(2);
    for (const [index, source] of sources.entries()) {
      const answer = await moderator.client.get(source);
      expect([answer.status, answer.text === pictures[index]]).toEqual([200, true]);
    }
    for (const source of sources) expect((await author.client.get(source)).status).toBe(404);
    const other = await newCase(await addPlayer(app));
    const elsewhere = (sources[1] ?? "").replace(row?.id ?? "", other.id);
    expect((await moderator.client.get(elsewhere)).status).toBe(404);
  });

  test("shows the urgent and the latest of very many reports, and says that it leaves out others", async () => {
    const { client } = await newModerator(app);
    const [author, reporter] = [await newVisitor(app), await newVisitor(app)];
    const { id } = await newCase(author.player, { reportCount: 122 });
    const add = (age: number, row: Partial<typeof reports.$inferInsert>) => ({
      ...{ id: uuidv7(), caseId: id, reason: "spam" as const, createdAt: new Date(Date.now() - age) },
      ...row,
    });
    const visitors = Array.from({ length: 120 }, (_, number) =>
      add(2 * DAY, { reporterName: "Robin", reporterEmail: newEmail(), details: `Report ${number}.` }),
    );
    await app.db.insert(reports).values(visitors);
    const seen = { snapshot: { author: "Later", description: "I'll find you" } };
    await app.db
      .insert(reports)
      .values([
        add(3 * DAY, { reporterId: reporter.player.id, reason: "threats", details: "They know my street.", ...seen }),
        add(0, { reporterId: (await addPlayer(app)).id, details: "The latest." }),
      ]);
    const page = await client.get(pageOf(id));
    const text = main(page.text);
    const order = /They know my street\..*The latest\..*Report \d+\./s;
    expect([roundTrips(page), text]).toEqual([1, expect.stringMatching(order)]);
    expect(text.match(/Report \d+\./g)).toHaveLength(98);
    expect(text).toContain("100 of 122 reports: first urgent ones, then those of the last day.");
    // The statement of reasons can quote the version that made the case urgent.
    expect(main((await client.get(`${pageOf(id)}/warn`)).text)).toContain("I'll find you");
    const few = await newCase(await addPlayer(app), { reportCount: 0 });
    await report(reporter.client, `/players/${few.subjectId}`);
    expect(main((await client.get(pageOf(few.id))).text)).not.toContain("of the last day");
  });

  test("doesn't tell moderators that they were reported, beside reports of their own", async () => {
    const [me, other] = [await newModerator(app), await newModerator(app)];
    await newCase(me.player);
    const postId = await addPost(app, (await addPlayer(app)).id, {});
    await report(me.client, `/lfg/${postId}`);
    const [row] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, postId));
    const shown = async ({ client }: typeof me) => main((await client.get(pageOf(row?.id ?? ""))).text);
    const record = "Has sent 1 report, none decided yet. About them: 1 case, none decided yet.";
    expect(await shown(other)).toContain(record);
    expect(await shown(me)).not.toContain(record);
  });

  test("shows what our checks found after the case was opened", async () => {
    const moderator = await newModerator(app);
    const [author, reporter] = [await newVisitor(app), await newVisitor(app)];
    const postId = await addPost(app, author.player.id, { title: "Kind title", message: null });
    await report(reporter.client, `/lfg/${postId}`);
    for (const message of ["Fuck", ""])
      await author.client.post(`/lfg/${postId}/edit`, { title: "Kind title", neededPlayers: "1", message });
    const [row] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, postId));
    const text = main((await moderator.client.get(pageOf(row?.id ?? ""))).text);
    expect(text).toMatch(
      /As it is now.*Unchanged\..*As our checks found it later.*Obscene word, Text: Fuck.*Text\s*Fuck/s,
    );
    await decideCase(row as NonNullable<typeof row>, { action: "warn" });
    expect(main((await author.client.get("/account/decisions")).text)).toMatch(/Title: Kind title.*Text: Fuck/s);
  });

  test("takes notes and assignments", async () => {
    const [one, two] = [await newModerator(app), await newModerator(app)];
    const { id } = await newCase(await addPlayer(app));
    const page = pageOf(id);
    const words = "Look at the other case first";
    const noted = await one.client.submit(page, "Add Note", { words });
    expect([noted.status, noted.location, roundTrips(noted)]).toEqual([303, page, 2]);
    expect(main((await two.client.get(page)).text)).toContain(words);
    const empty = await two.client.submit(page, "Add Note", { words: " " });
    expect(empty.status).toBe(400);
    expect(field(empty.text, "words").description).toContain("Write something first.");
    await one.client.submit(page, "Assign to me");
    expect(await caseOf(id)).toMatchObject({ assignedTo: one.player.id });
    expect(main((await two.client.get(page)).text)).toContain("is on it.");
    await two.client.submit(page, "Take over");
    await two.client.submit(page, "Give it back");
    expect(await caseOf(id)).toMatchObject({ assignedTo: null });
    expect((await loggedOf(id)).map((line) => line.split(": ")[1])).toEqual([
      ...["note-added", "case-assigned", "case-assigned", "case-unassigned"],
    ]);
  });

  test("also adds another note from the form after going back, and keeps both", async () => {
    const [one, two] = [await newModerator(app), await newModerator(app)];
    const { id } = await newCase(await addPlayer(app));
    const page = pageOf(id);
    const form = findForm((await one.client.get(page)).text, "Add Note").values;
    const add = (client: Client, words: string, fields = form) => client.post(page, { ...fields, words });
    // A browser that loses the response sends the same form again.
    for (const _ of [1, 2]) expect((await add(one.client, "The first note")).status).toBe(303);
    for (const [client, words] of [
      [one.client, "The second note"],
      [two.client, "The first note"],
    ] as const) {
      const late = await add(client, words);
      expect(late.status).toBe(409);
      expect(announcements(late.text).join(" ")).toContain("This form has already added a note.");
      expect(field(late.text, "words").value).toBe(words);
      expect((await add(client, words, findForm(late.text, "Add Note").values)).status).toBe(303);
    }
    const notes = await app.db.select().from(caseNotes).where(eq(caseNotes.caseId, id)).orderBy(caseNotes.id);
    expect(notes.map(({ authorId, words }) => [authorId, words])).toEqual([
      [one.player.id, "The first note"],
      [one.player.id, "The second note"],
      [two.player.id, "The first note"],
    ]);
    expect(await loggedOf(id)).toHaveLength(3);
  });

  test("lets only the assignee or an admin release the case, but any moderator take it over", async () => {
    const [one, two, admin] = [await newModerator(app), await newModerator(app), await newModerator(app, "admin")];
    const { id } = await newCase(await addPlayer(app));
    const page = pageOf(id);
    await one.client.submit(page, "Assign to me");
    expect(buttons((await two.client.get(page)).text)).not.toContain("Release");
    expect((await two.client.post(page, { intent: "release" })).status).toBe(409);
    expect(await caseOf(id)).toMatchObject({ assignedTo: one.player.id });
    expect((await admin.client.submit(page, "Release")).status).toBe(303);
    expect(await caseOf(id)).toMatchObject({ assignedTo: null });
    await one.client.submit(page, "Assign to me");
    await two.client.submit(page, "Take over");
    expect((await one.client.post(page, { intent: "release" })).status).toBe(409);
    expect(await caseOf(id)).toMatchObject({ assignedTo: two.player.id });
    const entries = await app.db
      .select()
      .from(moderationLog)
      .where(eq(moderationLog.caseId, id))
      .orderBy(moderationLog.id);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ["case-assigned", { from: null }],
      ["case-unassigned", { from: one.player.id }],
      ["case-assigned", { from: null }],
      ["case-assigned", { from: one.player.id }],
    ]);
  });

  test("isn't taken from another moderator by a page that was loaded before they took it", async () => {
    const [one, two, admin] = [await newModerator(app), await newModerator(app), await newModerator(app, "admin")];
    const { id } = await newCase(await addPlayer(app));
    const page = pageOf(id);
    const press = async (client: Client, form: ReturnType<typeof findForm>["values"]) => {
      const answer = await client.post(page, form);
      const [said] = announcements(answer.text).filter((text) => text.includes("Another moderator is on this case."));
      return [answer.status, said && main(answer.text).match(/\S+ \d+ is on it\./)?.[0]];
    };
    const refusal = async ({ player }: typeof one) => [409, `${(await profileOf(player)).riotGameName} is on it.`];
    const take = findForm((await two.client.get(page)).text, "Assign to me").values;
    await one.client.submit(page, "Assign to me");
    expect(await press(two.client, take)).toEqual(await refusal(one));
    expect(await caseOf(id)).toMatchObject({ assignedTo: one.player.id });

    const release = findForm((await admin.client.get(page)).text, "Release").values;
    expect((await two.client.submit(page, "Take over")).status).toBe(303);
    expect(await press(admin.client, release)).toEqual(await refusal(two));
    expect(await caseOf(id)).toMatchObject({ assignedTo: two.player.id });
    // A browser that loses the response sends the same form again.
    const giveBack = findForm((await two.client.get(page)).text, "Give it back").values;
    for (const _ of [1, 2]) expect(await press(two.client, giveBack)).toEqual([303, undefined]);
    for (const _ of [1, 2]) expect(await press(two.client, take)).toEqual([303, undefined]);
    expect((await loggedOf(id)).map((line) => line.split(": ")[1])).toEqual([
      ...["case-assigned", "case-assigned", "case-unassigned", "case-assigned"],
    ]);
  });

  test("takes neither decisions nor `Assign to me` about an admin, or by a moderator on a case for admins", async () => {
    const [moderator, admin] = [await newModerator(app), await newModerator(app, "admin")];
    const aboutAdmin = await newCase(admin.player);
    const handed = await newCase(await addPlayer(app), { isForAdmin: true });
    for (const [{ id }, sentence] of [
      [aboutAdmin, "Only an operator can decide about an admin"],
      [handed, "This case is waiting for an admin."],
    ] as const) {
      const page = await moderator.client.get(pageOf(id));
      expect(main(page.text)).toContain(sentence);
      expect(links(page.text).map(({ text }) => text)).not.toContain("Ban");
      expect(buttons(page.text)).not.toContain("Assign to me");
      const forced = await moderator.client.post(`${pageOf(id)}/ban`, { rule: "respect", reason: "Rude words" });
      expect(forced.status).toBe(409);
      expect(await decisionsOf(id)).toEqual([]);
      await moderator.client.post(pageOf(id), { intent: "take" });
      const [{ assignedTo } = {}] = await app.db.select().from(reportCases).where(eq(reportCases.id, id));
      expect(assignedTo).toBeNull();
    }
    expect(links((await admin.client.get(pageOf(handed.id))).text).map(({ text }) => text)).toContain("Ban");
  });
});

describe("Nobody decides", () => {
  const forced = (client: Client, id: string) =>
    client.post(`${pageOf(id)}/ban`, { rule: "respect", reason: "Rude words" });

  test("a case that they reported: the page says so, and the statement refuses", async () => {
    const [reporter, other] = [await newModerator(app), await newModerator(app)];
    const player = await addPlayer(app);
    await report(reporter.client, `/players/${player.id}`);
    const [{ id } = { id: "" }] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, player.id));
    const page = await reporter.client.get(pageOf(id));
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(main(page.text)).toContain("You reported this yourself, so someone else decides it.");
    const names = links(page.text).map(({ text }) => text);
    for (const name of ["Dismiss", "Warn", "Ban", "Hand to an admin"]) expect(names).not.toContain(name);
    const refused = await forced(reporter.client, id);
    expect(refused.status).toBe(409);
    expect(textOf(refused.text)).toContain("You reported this yourself");
    expect(await decisionsOf(id)).toEqual([]);
    expect((await forced(other.client, id)).status).toBe(303);
    // Nor can they undo someone else's decision about it.
    expect((await reporter.client.post(`${pageOf(id)}/undo`, { reason: "No" })).status).toBe(409);
    expect(await decisionsOf(id)).toHaveLength(1);
  });

  test("a case about a review of themselves, even if the review is gone", async () => {
    const [reviewed, other] = [await newModerator(app), await newModerator(app)];
    const author = await newVisitor(app);
    await addSession(app.db, author.player, [reviewed.player]);
    const review = uuidv7();
    await giveFeedback(author.client, reviewed.player, { id: review, rating: 1 });
    const snapshot = { author: "Author", aboutId: reviewed.player.id, rating: 1 };
    // First a case whose snapshot was emptied after 90 days, then a case whose review is gone.
    for (const row of [
      { subjectId: review, snapshot: {} },
      { subjectId: uuidv7(), snapshot },
    ]) {
      const { id } = await newCase(author.player, { kind: "review", ...row });
      expect(main((await reviewed.client.get(pageOf(id))).text)).toContain("This review is about you");
      expect((await forced(reviewed.client, id)).status).toBe(409);
      expect(await decisionsOf(id)).toEqual([]);
      expect((await forced(other.client, id)).status).toBe(303);
    }
  });
});

describe("Undo", () => {
  const undo = async (client: Client, id: string) =>
    expect((await client.submit(`${pageOf(id)}/undo`, "Undo", { reason: "We were wrong" })).status).toBe(303);
  const lettersTo = async ({ email }: Player) =>
    (await emailsTo(email)).map(({ subject, body }) => ({ subject, body: body ?? "" })).reverse();

  test("tells the player the reason by email, unless they were never told of the decision", async () => {
    const [{ client }, admin] = [await newModerator(app), await newModerator(app, "admin")];
    const player = await addPlayer(app);
    const theCase = await newCase(player, { kind: "post", subjectId: uuidv7() });
    await decideCase(theCase, { action: "hand-over", rule: null });
    await decideCase(theCase, { action: "warn" });
    await undo(admin.client, theCase.id);
    await undo(admin.client, theCase.id);
    const [first, second, ...more] = await lettersTo(player);
    expect(first?.subject).toContain("A warning about your post");
    expect(second).toMatchObject({ subject: "A decision about your post was undone" });
    expect(second?.body).toContain("Our reasons: We were wrong");
    // There may be no other decision about the player.
    expect(second?.body).toContain("If there are other decisions about you, they still stand.");
    expect(second?.body).toContain("/account/decisions");
    expect(more).toEqual([]);
    const dismissed = await newCase(player);
    await decideCase(dismissed, { action: "dismiss", rule: null });
    await undo(client, dismissed.id);
    expect(await lettersTo(player)).toHaveLength(2);
  });

  test("says whether the player will read the reason, which depends on the decision that it undoes", async () => {
    const { client } = await newModerator(app);
    const theCase = await newCase(await addPlayer(app));
    const page = async () => {
      const { text } = await client.get(`${pageOf(theCase.id)}/undo`);
      return [main(text), field(text, "reason").description];
    };
    await decideCase(theCase, { action: "dismiss", rule: null });
    expect(await page()).toEqual([
      expect.stringContaining("Undoes the latest decision. The player wasn't told of it."),
      "Why. Only moderators see it.",
    ]);
    await decideCase(theCase, { action: "warn" });
    expect(await page()).toEqual([
      expect.stringContaining("Undoes the latest decision and tells the player."),
      "The facts, and why. The player will see it.",
    ]);
  });

  test("promises a player nothing whose account is gone, and neither does Hide", async () => {
    const { client } = await newModerator(app);
    const theCase = await newCase({ id: uuidv7(), email: "" });
    const page = async (action: string) => {
      const { text } = await client.get(`${pageOf(theCase.id)}/${action}`);
      return [main(text), field(text, "reason").description];
    };
    const hint = "Why. Only moderators see it.";
    expect(await page("hide")).toEqual([expect.stringMatching(/Takes it off every page\. (?!Only its author)/), hint]);
    await decideCase(theCase, { action: "hide" });
    expect(await page("undo")).toEqual([expect.stringMatching(/Undoes the latest decision\. The latest:/), hint]);
  });

  test("undoes only the decision that its page names", async () => {
    const { client } = await newModerator(app);
    const player = await addPlayer(app);
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "suspend" });
    await decideCase(theCase, { action: "hide" });
    const page = `${pageOf(theCase.id)}/undo`;
    const open = await client.get(page);
    expect([roundTrips(open), main(open.text)]).toEqual([1, expect.stringMatching(/operator Kim hid it/)]);
    const again = await newCase(player);
    await decideCase(again, { action: "hide" });
    await decideCase(again, { action: "restore", rule: null });
    const suspendedAt = async () =>
      (await app.db.select().from(users).where(eq(users.id, player.id)).get())?.suspendedAt;

    const late = await client.post(page, { ...findForm(open.text, "Undo").values, reason: "The profile is fine" });
    expect(late.status).toBe(409);
    expect(announcements(late.text).join(" ")).toContain("That decision no longer stands.");
    expect(field(late.text, "reason").value).toBe("The profile is fine");
    expect(await suspendedAt()).not.toBeNull();
    expect(main(late.text)).toMatch(/operator Kim suspended the player/);
    expect((await client.post(page, findForm(late.text, "Undo").values)).status).toBe(303);
    expect(await suspendedAt()).toBeNull();
    expect(main((await client.get(page)).text)).not.toContain("operator Kim");
    const nothing = await client.submit(page, "Undo", { reason: "Once more" });
    expect(announcements(nothing.text).join(" ")).toContain("This case has no decision left to undo.");
  });

  test("undoes nothing if its page named no decision, even if one has come back since", async () => {
    const { client } = await newModerator(app);
    const player = await addPlayer(app);
    const theCase = await newCase(player);
    await decideCase(theCase, { action: "hide" });
    const again = await newCase(player);
    await decideCase(again, { action: "restore", rule: null });
    const page = `${pageOf(theCase.id)}/undo`;
    const form = findForm((await client.get(page)).text, "Undo").values;
    await decideCase(again, { action: "undo", rule: null });
    const late = await client.post(page, { ...form, reason: "The profile is fine" });
    expect(late.status).toBe(409);
    expect((await decisionsOf(theCase.id)).map(({ action, undoneBy }) => [action, undoneBy])).toEqual([["hide", null]]);
  });

  test("says so if it hides the thing again", async () => {
    const { client } = await newModerator(app);
    const player = await addPlayer(app);
    const theCase = await newCase(player, { kind: "post", subjectId: await addPost(app, player.id) });
    await decideCase(theCase, { action: "hide" });
    await decideCase(theCase, { action: "restore", rule: null });
    await undo(client, theCase.id);
    const subjects = (await lettersTo(player)).map(({ subject }) => subject);
    expect(subjects.slice(2)).toEqual(["We've hidden your post again"]);
  });
});

test("A moderator decides, adds notes, takes cases and answers appeals as soon as their own suspension is over", async () => {
  const { client, player: me } = await newModerator(app);
  await app.db
    .update(users)
    .set({ suspendedAt: new Date(Date.now() - DAY), suspendedUntil: new Date(Date.now() - MINUTE) })
    .where(eq(users.id, me.id));
  const author = await newVisitor(app);
  const theCase = await newCase(author.player);
  const { id } = theCase;
  expect((await client.submit(pageOf(id), "Assign to me")).status).toBe(303);
  expect(await caseOf(id)).toMatchObject({ assignedTo: me.id });
  expect((await client.submit(pageOf(id), "Add Note", { words: "I'm back" })).status).toBe(303);
  const fields = { rule: "respect", reason: "Rude words" };
  expect((await client.submit(`${pageOf(id)}/warn`, "Warn", fields)).status).toBe(303);

  await decideCase(await newCase(author.player, { subjectId: uuidv7(), kind: "message" }), { action: "warn" });
  const decision = await app.db
    .select()
    .from(decisions)
    .where(and(eq(decisions.playerId, author.player.id), isNull(decisions.decidedBy)))
    .get();
  await author.client.post(`/account/decisions/${decision?.id}/appeal`, { words: "It wasn't me." });
  const appeal = await app.db
    .select()
    .from(appeals)
    .where(eq(appeals.decisionId, `${decision?.id}`))
    .get();
  const answer = await client.submit(`/moderation/appeals/${appeal?.id}`, "Grant", { reason: "A mistake" });
  expect(answer.status).toBe(303);
});

test("A player's log says that a moderator suspended them, but not which one", async () => {
  const { client } = await newModerator(app);
  const player = await addPlayer(app);
  const { id } = await newCase(player);
  const fields = { rule: "respect", reason: "Rude words", days: "7" };
  expect((await client.submit(`${pageOf(id)}/suspend`, "Suspend", fields)).status).toBe(303);
  expect((await client.submit(`${pageOf(id)}/undo`, "Undo", { reason: "We were wrong" })).status).toBe(303);
  expect(await auditLinesOf(player)).toEqual(["moderator: unsuspended", "moderator: suspended"]);
});

describe("The form of a decision", () => {
  test("asks for a rule and a reason at their fields, keeps the entered values, then decides in two round trips", async () => {
    const { client } = await newModerator(app);
    const player = await addPlayer(app);
    const { id } = await newCase(player);
    const page = `${pageOf(id)}/limit`;
    expect(roundTrips(await client.get(page))).toBe(1);
    const refused = await client.submit(page, "Limit", { reason: "Insults in three chats", rule: "", days: "" });
    expect(refused.status).toBe(400);
    expect(field(refused.text, "rule")).toMatchObject({
      invalid: true,
      description: "Choose the rule that was broken.",
    });
    expect(field(refused.text, "days").invalid).toBe(true);
    expect(textOf(refused.text)).toContain("Choose what to limit.");
    expect(field(refused.text, "reason").value).toBe("Insults in three chats");
    const fields = { rule: "respect", reason: "Insults in three chats", days: "7", scopes: ["posting", "messaging"] };
    const decided = await client.submit(page, "Limit", fields);
    expect([decided.status, decided.location, roundTrips(decided)]).toEqual([303, pageOf(id), 2]);
    expect(announcements((await client.follow(decided)).text)).toContain("Decided: Limit");
    expect(Object.keys(await limitsOf(player)).sort()).toEqual(["messaging", "posting"]);
    expect(main((await client.get(pageOf(id))).text)).toMatch(/limited the player \(posting, messages\) until/);
  });

  test("is filled by a template, which names its rule", async () => {
    const { client } = await newModerator(app);
    const { id } = await newCase(await addPlayer(app));
    const page = await client.get(`${pageOf(id)}/warn?template=insults`);
    expect(field(page.text, "rule").value).toBe("respect");
    expect(field(page.text, "reason").value).toMatch(/^You insulted another player\./);
    const dismissal = await client.submit(`${pageOf(id)}/dismiss?template=fine`, "Dismiss");
    expect(dismissal.status).toBe(303);
    expect(await decisionsOf(id)).toMatchObject([
      { action: "dismiss", rule: null, reason: expect.stringMatching(/^We've/) },
    ]);
  });

  test("shows another moderator's faster decision, and decides if it is sent again", async () => {
    const [one, two] = [await newModerator(app), await newModerator(app)];
    const player = await addPlayer(app);
    const { id } = await newCase(player);
    const open = await two.client.get(`${pageOf(id)}/ban`);
    const { value: seen } = field(open.text, "seen");
    await one.client.submit(`${pageOf(id)}/warn`, "Warn", { rule: "respect", reason: "The first time" });
    const late = await two.client.post(`${pageOf(id)}/ban`, { seen, rule: "hate", reason: "Again and again" });
    expect(late.status).toBe(409);
    expect(textOf(late.text)).toMatch(/Moderator \d+ got there first and warned the player: “The first time”/);
    expect(field(late.text, "reason").value).toBe("Again and again");
    expect(await decisionsOf(id)).toHaveLength(1);
    const [first] = await decisionsOf(id);
    expect(field(late.text, "seen").value).toBe(first?.id);
    const again = { seen: first?.id ?? "", rule: "hate", reason: "Again and again" };
    expect((await two.client.post(`${pageOf(id)}/ban`, again)).status).toBe(303);
    expect((await app.db.select().from(users).where(eq(users.id, player.id)).get())?.suspendedAt).not.toBeNull();
    expect(links((await two.client.get(pageOf(id))).text).map(({ text }) => text)).toContain("Undo");
    await two.client.submit(`${pageOf(id)}/undo`, "Undo", { reason: "Too much" });
    expect((await app.db.select().from(users).where(eq(users.id, player.id)).get())?.suspendedAt).toBeNull();
  });

  test.each([
    ["another report", "Another title"],
    ["another report by its reporter", "Another title"],
    ["other words in its report", "Kind title"],
    ["a finding of our checks", "Fuck"],
  ])("isn't accepted if its case has news, until it is sent again: %s", async (news, shown) => {
    const { client } = await newModerator(app);
    const [author, reporter, other] = [await newVisitor(app), await newVisitor(app), await newVisitor(app)];
    const postId = await addPost(app, author.player.id, { title: "Kind title", message: null });
    const reportId = uuidv7();
    await report(reporter.client, `/lfg/${postId}`, { id: reportId });
    const [{ id } = { id: "" }] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, postId));
    const page = `${pageOf(id)}/dismiss`;
    const form = findForm((await client.get(page)).text, "Dismiss").values;
    const isFound = news === "a finding of our checks";
    const edited = { title: "Another title", neededPlayers: "1", message: isFound ? "Fuck" : "" };
    await author.client.post(`/lfg/${postId}/edit`, edited);
    if (!isFound) {
      const sender = news === "another report" ? other : reporter;
      const isSame = news === "other words in its report";
      const words = { reason: "threats", details: "A threat", ...(isSame && { id: reportId }) };
      await report(sender.client, `/lfg/${postId}`, words);
    }
    const late = await client.post(page, { ...form, reason: "It's a kind title" });
    expect(late.status).toBe(409);
    expect(announcements(late.text).join(" ")).toContain("The case has new or changed reports, or new findings.");
    expect(field(late.text, "reason").value).toBe("It's a kind title");
    expect(main(late.text)).toContain(shown);
    expect([await decisionsOf(id), (await caseOf(id)).state]).toEqual([[], "open"]);
    expect((await client.post(page, findForm(late.text, "Dismiss").values)).status).toBe(303);
    expect([await decisionsOf(id), (await caseOf(id)).state]).toEqual([[expect.anything()], "closed"]);
  });

  test("shows moderators their own decision if the form they went back to has another end, scope or rule", async () => {
    const { client } = await newModerator(app);
    const limit = { rule: "respect", reason: "Rude words", days: "3", scopes: ["posting"] };
    for (const changed of [{ days: "30" }, { scopes: ["messaging"] }, { rule: "hate" }]) {
      const { id } = await newCase(await addPlayer(app));
      const page = `${pageOf(id)}/limit`;
      const { value: seen } = field((await client.get(page)).text, "seen");
      const first = { seen, ...limit };
      // A browser that loses the response sends the same form again.
      for (const _ of [1, 2]) expect((await client.post(page, first)).status).toBe(303);
      const late = await client.post(page, { ...first, ...changed });
      expect(late.status, JSON.stringify(changed)).toBe(409);
      expect(textOf(late.text)).toContain("You already limited the player: “Rude words”");
      expect(await decisionsOf(id)).toHaveLength(1);
      const again = { ...first, ...changed, seen: field(late.text, "seen").value };
      expect((await client.post(page, again)).status).toBe(303);
      expect(await decisionsOf(id)).toHaveLength(2);
    }
  });

  test("isn't accepted once the moderator's role is revoked", async () => {
    const { player: me, client } = await newModerator(app);
    const { id } = await newCase(await addPlayer(app));
    await app.db.update(users).set({ role: null }).where(eq(users.id, me.id));
    expect((await client.post(`${pageOf(id)}/warn`, { rule: "respect", reason: "Rude words" })).status).toBe(404);
    expect((await client.get(`${pageOf(id)}/whatever`)).status).toBe(404);
    expect(await decisionsOf(id)).toEqual([]);
  });
});
