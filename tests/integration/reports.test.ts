import { eq, like } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { uuidv7 } from "../../db/ids";
import {
  conversationMembers,
  lfgPosts,
  messages,
  outbox,
  profiles,
  rateLimits,
  reportCases,
  reports,
  type Snapshot,
  tournamentMatches,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
  userFeedback,
  users,
} from "../../db/schema";
import { REPORT_KINDS, type ReportKind } from "../../db/words/report-kinds";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, findForm, links, main, select, selectEach, textOf, texts } from "../support/html";
import { reopening, startTournament, undoFinal } from "../support/matches";
import { png } from "../support/pictures";
import { roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { newModerator } from "./moderators";
import { addPost, DAY, newAddress, newEmail, newVisitor, sendTo, unique, visitAs } from "./players";
import { reportsIn } from "./reports";
import { giveFeedback, reviewsIn } from "./reviews";
import { startConversation, type Visitor, write } from "./talk";
import { pressTeamButton, teamsIn } from "./teams";

const app = useApp();
const { reportsBy, reportsOf, casesOf } = reportsIn(app);
const { newMates, feedbackBetween } = reviewsIn(app);
const { newTeam } = teamsIn(app);

/** A subject that can be reported, with its author and a player who may report it. */
interface Thing {
  kind: ReportKind;
  id: string;
  address: string;
  /** The page with the link to the report. */
  page: string;
  author: Visitor;
  reporter: Visitor;
  /** The subject's text, which the case must keep. */
  words: string;
  isPublic: boolean;
  change: () => Promise<unknown>;
  remove: () => Promise<unknown>;
}

const newcomer = (profile: Parameters<typeof newVisitor>[1] = {}) =>
  newVisitor(app, { riotGameName: unique("Player "), ...profile });

const lastMessage = async (conversationId: string) =>
  (await app.db.select().from(messages).where(eq(messages.conversationId, conversationId)).orderBy(messages.seq)).at(
    -1,
  ) as typeof messages.$inferSelect;

/** Makes the author send a message to a conversation, and returns it as a subject. */
async function saidIn(conversationId: string, here: string, author: Visitor, reporter: Visitor): Promise<Thing> {
  const words = unique("Rude words ");
  expect((await sendTo(author.client, conversationId, words)).status).toBe(200);
  const { id } = await lastMessage(conversationId);
  return {
    ...{ kind: "message", id, address: `${here}/report/${id}`, page: here, author, reporter, words, isPublic: false },
    change: () => app.db.update(messages).set({ content: "Changed" }).where(eq(messages.id, id)),
    remove: () => app.db.delete(messages).where(eq(messages.id, id)),
  };
}

const chatAt = (conversationId: string) => `/dashboard/messages/${conversationId}`;

const THINGS = {
  async post() {
    const [author, reporter] = [await newcomer(), await newcomer()];
    const words = unique("Rude post ");
    const id = await addPost(app, author.player.id, { title: words, message: "And more of it" });
    const address = `/lfg/${id}/report`;
    return {
      ...{ kind: "post", id, address, page: `/lfg/${id}`, author, reporter, words, isPublic: true },
      change: () => app.db.update(lfgPosts).set({ title: "Changed", message: null }).where(eq(lfgPosts.id, id)),
      remove: () => app.db.delete(lfgPosts).where(eq(lfgPosts.id, id)),
    };
  },
  async player() {
    const words = unique("Rude description ");
    const [author, reporter] = [await newcomer({ description: words }), await newcomer()];
    const { id } = author.player;
    return {
      ...{ kind: "player", id, address: `/players/${id}/report`, page: `/players/${id}`, author, reporter, words },
      isPublic: true,
      change: () => app.db.update(profiles).set({ description: null }).where(eq(profiles.userId, id)),
      remove: () => app.db.delete(users).where(eq(users.id, id)),
    };
  },
  async "message of a pair"() {
    const { author, reader, conversationId } = await startConversation(app);
    return saidIn(conversationId, chatAt(conversationId), author, reader);
  },
  async "message of a team"() {
    const { author, members, conversationId } = await newTeam(2);
    return saidIn(conversationId, chatAt(conversationId), author, members[0] as Visitor);
  },
  async "message of a match"() {
    const [one, two] = [await newcomer(), await newcomer()];
    const captains = [one.player.id, two.player.id];
    const { id } = await startTournament(app, { teams: 2, captains });
    const match = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id)).get();
    return saidIn(match?.conversationId as string, `/tournaments/${id}/matches/0`, one, two);
  },
  async review() {
    const [author, reporter] = await newMates();
    const words = unique("Rude review ");
    await giveFeedback(author.client, reporter.player, { rating: 1, comment: words });
    await giveFeedback(reporter.client, author.player);
    const [{ id } = { id: "" }] = await feedbackBetween(author.player, reporter.player);
    const page = `/players/${reporter.player.id}`;
    return {
      ...{ kind: "review", id, address: `${page}/report/${id}`, page, author, reporter, words, isPublic: true },
      change: () => app.db.update(userFeedback).set({ comment: null }).where(eq(userFeedback.id, id)),
      remove: () => app.db.delete(userFeedback).where(eq(userFeedback.id, id)),
    };
  },
  async team() {
    const [author, reporter] = [await newcomer(), await newcomer()];
    const { id: tournamentId, teams } = await addTournament(app.db, { teams: 1, captains: [author.player.id] });
    const id = teams[0]?.id as string;
    const words = unique("Rude team ");
    await app.db.update(tournamentTeams).set({ name: words }).where(eq(tournamentTeams.id, id));
    const page = `/tournaments/${tournamentId}/teams/${id}`;
    return {
      ...{ kind: "team", id, address: `${page}/report`, page, author, reporter, words, isPublic: true },
      change: () => app.db.update(tournamentTeams).set({ name: "Changed" }).where(eq(tournamentTeams.id, id)),
      remove: () => app.db.delete(tournamentTeams).where(eq(tournamentTeams.id, id)),
    };
  },
  async tournament() {
    const [author, reporter] = [await newcomer(), await newcomer()];
    const words = unique("Rude Cup ");
    const { id } = await addTournament(app.db, { teams: 0, userId: author.player.id, title: words });
    const page = `/tournaments/${id}`;
    return {
      ...{ kind: "tournament", id, address: `${page}/report`, page, author, reporter, words, isPublic: true },
      change: () => app.db.update(tournaments).set({ title: "Changed" }).where(eq(tournaments.id, id)),
      remove: () => app.db.delete(tournaments).where(eq(tournaments.id, id)),
    };
  },
} satisfies Record<string, () => Promise<Thing>>;

const make = (name: string): Promise<Thing> => THINGS[name as keyof typeof THINGS]() as Promise<Thing>;
const NAMES = Object.keys(THINGS);
const PUBLIC_NAMES = NAMES.filter((name) => !name.startsWith("message"));

/** The fields of a report, as the form submits them. A message's form includes the message's id. */
const fieldsFor = (thing: Pick<Thing, "kind" | "id">, fields: Record<string, string> = {}) => ({
  id: uuidv7(),
  reason: "harassment",
  ...(thing.kind === "message" && { message: thing.id }),
  ...fields,
});
const report = (client: Client, thing: Thing, fields: Record<string, string> = {}) =>
  client.post(thing.address, fieldsFor(thing, fields));
const close = ({ id }: Thing) =>
  app.db.update(reportCases).set({ state: "closed", closedAt: new Date() }).where(eq(reportCases.subjectId, id));
const GUEST = { name: "A Visitor" };
const shownIn = (snapshot: unknown) => JSON.stringify(snapshot);
const emailsTo = (recipient: string) => app.db.select().from(outbox).where(eq(outbox.recipient, recipient));

test("These tests cover every kind of subject", async () => {
  const kinds = await Promise.all(NAMES.map(async (name) => (await make(name)).kind));
  expect(new Set(kinds)).toEqual(new Set(REPORT_KINDS));
});

describe("A report", () => {
  test.each(NAMES)("of a %s is offered, sent from the dialog, kept as a case and confirmed", async (name) => {
    const thing = await make(name);
    const { reporter, author, address, page } = thing;
    expect(links((await reporter.client.get(page)).text)).toContainEqual({ text: "Report", href: address });
    expect(links((await author.client.get(page)).text)).not.toContainEqual({ text: "Report", href: address });
    const dialog = await reporter.client.get(address);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    expect(textOf(select(dialog.text, "dialog h2"))).toMatch(/^Report/);
    expect(selectEach(dialog.text, "dialog input[type=radio][name=reason]").length).toBeGreaterThan(5);
    if (name !== "player") expect(textOf(select(dialog.text, "dialog"))).toContain(thing.words);
    const fields = { reason: "hate", details: "In my words." };
    const answer = await reporter.client.submit(address, "Send Report", fields);
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    expect(announcements((await reporter.client.follow(answer)).text).join(" ")).toContain("Report sent");
    const [kept, ...others] = await reportsOf(thing.kind, thing.id);
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ ...fields, reporterId: reporter.player.id, reporterEmail: null, reportCount: 1 });
    expect(kept).toMatchObject({ playerId: author.player.id, state: "open", ownSnapshot: null });
    expect(shownIn(kept?.snapshot)).toContain(thing.words);
    for (const { email } of [author.player, reporter.player]) expect(shownIn(kept)).not.toContain(email);
    const { subject, text } = await app.readEmail(reporter.player.email);
    expect(subject).toBe("We have your report");
    expect(text).not.toContain("In my words.");
  });

  test.each(NAMES)(
    "of a %s stays unchanged when the original is changed or deleted, or its author's account erased",
    async (name) => {
      const thing = await make(name);
      await report(thing.reporter.client, thing);
      const [before] = await casesOf(thing.kind, thing.id);
      expect(shownIn(before?.snapshot)).toContain(thing.words);
      await thing.change();
      expect(await casesOf(thing.kind, thing.id)).toEqual([before]);
      await thing.remove();
      await app.db
        .update(users)
        .set({ deletionDueAt: new Date(Date.now() - 1) })
        .where(eq(users.id, thing.author.player.id));
      await app.runScheduled();
      expect(await app.db.$count(users, eq(users.id, thing.author.player.id))).toBe(0);
      expect(await casesOf(thing.kind, thing.id)).toEqual([before]);
    },
  );

  test.each(NAMES)("of a %s by two players at once, each twice, makes one case with two reports", async (name) => {
    const thing = await make(name);
    const second = await newcomer();
    if (!thing.isPublic) {
      const { conversationId } = (await app.db.select().from(messages).where(eq(messages.id, thing.id)).get()) ?? {};
      await app.db.insert(conversationMembers).values({
        conversationId: conversationId as string,
        userId: second.player.id,
        listedAt: new Date(),
        joinedAt: new Date(),
      });
    }
    const submissions = [thing.reporter, second].flatMap(({ client }) => {
      const fields = fieldsFor(thing);
      return [1, 2].map(() => client.post(thing.address, fields));
    });
    expect((await Promise.all(submissions)).map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    // A new form from the same player only replaces the reason and the details of their report.
    expect((await report(second.client, thing, { reason: "threats", details: "More" })).status).toBe(303);
    expect(await casesOf(thing.kind, thing.id)).toMatchObject([{ reportCount: 2 }]);
    const kept = await reportsOf(thing.kind, thing.id);
    expect(kept).toHaveLength(2);
    expect(await reportsBy(second.player.id)).toMatchObject([{ reason: "threats", details: "More" }]);
    expect(await emailsTo(second.player.email)).toHaveLength(1);
  });

  test.each(PUBLIC_NAMES)("of a %s that is sent again from the same form keeps the latest text", async (name) => {
    const thing = await make(name);
    const email = newEmail();
    for (const [client, sender] of [
      [thing.reporter.client, {}],
      [app.client(), { ...GUEST, email }],
    ] as const) {
      const sent = fieldsFor(thing, { ...sender, reason: "spam", details: "In my words" });
      expect((await client.post(thing.address, sent)).status).toBe(303);
      for (const changed of [
        { reason: "hate", details: "In my words, and more" },
        { reason: "threats", details: "" },
      ]) {
        expect((await client.post(thing.address, { ...sent, ...changed })).status).toBe(303);
      }
      const kept = (await reportsOf(thing.kind, thing.id)).find(({ id }) => id === sent.id);
      expect(kept).toMatchObject({ reason: "threats", details: "In my words, and more" });
    }
    expect(await casesOf(thing.kind, thing.id)).toMatchObject([{ reportCount: 2 }]);
    for (const recipient of [thing.reporter.player.email, email]) expect(await emailsTo(recipient)).toHaveLength(1);
  });

  test("that is sent again from the same form keeps the version of the subject from when it was first sent", async () => {
    const thing = await make("player");
    await report((await newcomer()).client, thing);
    const describeAs = (description: string) =>
      app.db.update(profiles).set({ description }).where(eq(profiles.userId, thing.id));
    const sent = fieldsFor(thing);
    await describeAs("Worse");
    expect((await thing.reporter.client.post(thing.address, sent)).status).toBe(303);
    await describeAs("Harmless");
    expect((await thing.reporter.client.post(thing.address, { ...sent, details: "More" })).status).toBe(303);
    expect(await reportsBy(thing.reporter.player.id)).toMatchObject([
      { details: "More", ownSnapshot: { description: "Worse" } },
    ]);
  });

  test("with new text, from a form whose case is closed, is refused once, and opens a new case when sent again", async () => {
    const thing = await make("post");
    const { client, player } = thing.reporter;
    const sent = fieldsFor(thing, { details: "In my words" });
    await client.post(thing.address, sent);
    await close(thing);
    expect((await client.post(thing.address, sent)).status).toBe(303);
    const refused = await client.post(thing.address, { ...sent, details: "In other words" });
    expect([refused.status, announcements(refused.text).join()]).toEqual([
      409,
      expect.stringContaining("This form has already sent a report. Send again to send this one, too."),
    ]);
    expect(await reportsBy(player.id)).toMatchObject([{ state: "closed", details: "In my words" }]);
    const again = findForm(refused.text, "Send Report").values;
    expect((await client.post(thing.address, again)).status).toBe(303);
    expect(await reportsBy(player.id)).toMatchObject([
      { state: "closed", details: "In my words" },
      { state: "open", details: "In other words" },
    ]);
  });

  test("that reuses the form id of another reporter's report doesn't change that report", async () => {
    const thing = await make("post");
    const sent = fieldsFor(thing, { details: "In my words" });
    await thing.reporter.client.post(thing.address, sent);
    const forged = { ...sent, reason: "spam", details: "Sorry" };
    for (const [client, sender] of [
      [(await newcomer()).client, {}],
      [app.client(), { ...GUEST, email: newEmail() }],
    ] as const) {
      expect((await client.post(thing.address, { ...forged, ...sender })).status).toBe(409);
    }
    expect(await reportsOf("post", thing.id)).toMatchObject([{ reason: "harassment", details: "In my words" }]);
  });

  test("opens a new case after the first was closed, with the current version of the subject", async () => {
    const thing = await make("post");
    await report(thing.reporter.client, thing);
    await close(thing);
    await thing.change();
    await report(thing.reporter.client, thing);
    const cases = await casesOf("post", thing.id);
    expect(cases.map(({ state, snapshot }) => [state, snapshot.title])).toEqual([
      ["closed", thing.words],
      ["open", "Changed"],
    ]);
  });

  test("of a subject that has changed since the first report keeps both versions", async () => {
    const thing = await make("player");
    const second = await newcomer();
    await report(thing.reporter.client, thing);
    await app.db.update(profiles).set({ description: "Worse" }).where(eq(profiles.userId, thing.id));
    await report(second.client, thing);
    const [first, later] = await reportsOf("player", thing.id);
    expect(first).toMatchObject({ snapshot: { description: thing.words }, ownSnapshot: null });
    expect(later).toMatchObject({ snapshot: { description: thing.words }, ownSnapshot: { description: "Worse" } });
  });

  test.each(NAMES)("of a %s is refused to its author as if the subject didn't exist", async (name) => {
    const thing = await make(name);
    const unknown = { ...thing, id: uuidv7(), address: thing.address.replaceAll(thing.id, uuidv7()) };
    if (thing.kind !== "message") expect((await thing.author.client.get(unknown.address)).status).toBe(404);
    for (const [client, one] of [
      [thing.author.client, thing],
      [thing.reporter.client, unknown],
    ] as const) {
      expect((await client.get(one.address)).status, one.address).toBe(404);
      expect((await report(client, one)).status, one.address).toBe(404);
    }
    expect(await casesOf(thing.kind, thing.id)).toEqual([]);
  });

  test.each(NAMES)("of a %s removed in the meantime is refused with the reason, and keeps its text", async (name) => {
    const thing = await make(name);
    await thing.remove();
    const sent = fieldsFor(thing, { details: "Typed at length" });
    const senders = thing.isPublic ? [thing.reporter.client, app.client()] : [thing.reporter.client];
    for (const client of senders) {
      // When JavaScript sends the form, the dialog stays open with its text.
      const answer = await client.post(`${thing.address}.data`, { ...sent, ...GUEST, email: newEmail() }, newAddress());
      expect(answer.status).toBe(404);
      expect(answer.text).toContain("has since been removed");
      expect(answer.text).toContain("Typed at length");
    }
    // Without JavaScript, the response keeps the text if the page below the dialog still exists: here, the profile.
    if (name === "review") {
      const answer = await report(thing.reporter.client, thing, { details: "Typed at length" });
      expect([answer.status, field(answer.text, "details").value]).toEqual([404, "Typed at length"]);
      expect(texts(answer.text, "dialog h1, dialog h2")).toEqual(["Report a review"]);
      expect(texts(answer.text, "dialog blockquote")).toEqual([]);
    }
    expect(await casesOf(thing.kind, thing.id)).toEqual([]);
  });

  test.each(NAMES.filter((one) => one.startsWith("message")))(
    "of a %s removed in the meantime can be sent with the same text about another message",
    async (name) => {
      const thing = await make(name);
      const { reporter } = thing;
      const [{ conversationId } = { conversationId: "" }] = await app.db
        .select()
        .from(messages)
        .where(eq(messages.id, thing.id));
      await sendTo(thing.author.client, conversationId, "More rude words");
      const other = await lastMessage(conversationId);
      const sent = fieldsFor(thing, { details: "Typed at length" });
      await thing.remove();
      const answer = await reporter.client.post(thing.address, sent);
      expect(answer.status).toBe(404);
      expect(field(answer.text, "message").description).toContain("has since been removed");
      expect(field(answer.text, "details").value).toBe("Typed at length");
      const again = { ...findForm(answer.text, "Send Report").values, message: other.id };
      expect((await reporter.client.post(thing.address, again)).status).toBe(303);
      expect(await reportsOf("message", other.id)).toMatchObject([{ details: "Typed at length" }]);
    },
  );

  test("of a tournament keeps all reasons for disqualifying teams, and cuts them if they are many and long", async () => {
    const thing = await make("tournament");
    const reasonOf = (number: number) => `Reason ${number}:${"\n".repeat(480)}`;
    await app.db.update(tournaments).set({ description: "\n".repeat(2_000), rules: "\n".repeat(10_000) });
    const now = new Date();
    await app.db.insert(tournamentTeams).values(
      Array.from({ length: 256 }, (_, number) => ({
        ...{
          id: uuidv7(),
          tournamentId: thing.id,
          name: `Team ${number}`,
          nameKey: `${number}`,
          inviteToken: uuidv7(),
        },
        ...{ state: "entered" as const, listedAt: now, createdAt: now },
        disqualification: { at: number, left: 1, reason: reasonOf(number) },
      })),
    );
    expect((await report(thing.reporter.client, thing)).status).toBe(303);
    const [{ snapshot } = { snapshot: {} as Snapshot }] = await casesOf("tournament", thing.id);
    const kept = snapshot.disqualifications as string[];
    expect(kept).toHaveLength(256);
    expect(kept).toContain(reasonOf(255));
    expect(kept).toContain(reasonOf(0).slice(0, 58));
  });

  test("of a message is for members only, no matter which conversation the URL names", async () => {
    for (const name of NAMES.filter((one) => one.startsWith("message"))) {
      const thing = await make(name);
      const stranger = await newcomer();
      const elsewhere = await startConversation(app, { reader: stranger });
      const own = `${chatAt(elsewhere.conversationId)}/report/${thing.id}`;
      for (const address of [thing.address, own]) {
        expect((await stranger.client.get(address)).status, address).toBe(404);
        expect((await report(stranger.client, { ...thing, address })).status, address).toBe(404);
      }
      // Dashboard pages redirect visitors to the sign-in page, whether or not the message exists.
      const guest = await app.client().get(thing.address);
      expect(guest.status).toBe(name === "message of a match" ? 404 : 302);
      expect((await app.client().post(thing.address, fieldsFor(thing, GUEST))).status).toBe(401);
      expect(await casesOf("message", thing.id)).toEqual([]);
    }
  });

  test("of a message keeps the five before it, with the ids of their authors instead of names", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    for (let number = 1; number <= 7; number += 1) await write(reader.client, conversationId, `Before ${number}`);
    const thing = await saidIn(conversationId, chatAt(conversationId), author, reader);
    await report(reader.client, thing);
    const [kept] = await casesOf("message", thing.id);
    const before = kept?.snapshot.before as { by: string; content: string }[];
    expect(before.map(({ content }) => content)).toEqual([3, 4, 5, 6, 7].map((number) => `Before ${number}`));
    expect(new Set(before.map(({ by }) => by))).toEqual(new Set([reader.player.id]));
    expect(kept?.snapshot).toMatchObject({ conversation: { id: conversationId, kind: "pair" } });
    expect(shownIn(kept?.snapshot)).not.toContain("Reader");
  });

  test("of a message in the chat of an undone match still names it as a match's chat", async () => {
    const [one, two] = [await newcomer(), await newcomer()];
    const { chat } = await undoFinal(app, { captains: [one.player.id, two.player.id] });
    const thing = await saidIn(chat, chatAt(chat), one, two);
    expect((await report(two.client, thing)).status).toBe(303);
    const [kept] = await casesOf("message", thing.id);
    expect(kept?.snapshot).toMatchObject({ conversation: { id: chat, kind: "match" } });
  });

  test("is possible for a message whose author's account is gone", async () => {
    const thing = await make("message of a pair");
    await app.db.delete(users).where(eq(users.id, thing.author.player.id));
    expect(links((await thing.reporter.client.get(thing.page)).text)).toContainEqual({
      text: "Report",
      href: thing.address,
    });
    const answer = await thing.reporter.client.submit(thing.address, "Send Report", { reason: "threats" });
    expect(answer.status).toBe(303);
    expect(await casesOf("message", thing.id)).toMatchObject([{ playerId: null, snapshot: { content: thing.words } }]);
    const [{ conversationId } = { conversationId: "" }] = await app.db
      .select()
      .from(messages)
      .where(eq(messages.id, thing.id));
    const general = await thing.reporter.client.get(`${chatAt(conversationId)}/report`);
    expect(general.status).toBe(200);
    expect(textOf(select(general.text, "dialog"))).not.toContain("as a player");
  });

  test("of a team's chat names each message's author", async () => {
    const thing = await make("message of a team");
    const { text } = await thing.reporter.client.get(thing.address);
    expect(field(text, "message").value).toBe(thing.id);
    expect(selectEach(text, "option").map(textOf)[0]).toMatch(new RegExp(`^Author \\d+: “${thing.words}” · `));
    const unchosen = await thing.reporter.client.post(thing.address, { id: uuidv7(), reason: "spam" });
    expect(unchosen.status).toBe(400);
    expect(field(unchosen.text, "message")).toMatchObject({ invalid: true, description: "Choose a message." });
  });

  test("of a player shows nothing that they hide, and is refused for a suspended player", async () => {
    const [author, reporter] = [
      await newcomer({ description: "Hidden words", discordTag: "hidden.tag", shares: [] }),
      await newcomer(),
    ];
    const address = `/players/${author.player.id}/report`;
    expect((await reporter.client.post(address, { id: uuidv7(), reason: "other" })).status).toBe(303);
    const [kept] = await casesOf("player", author.player.id);
    expect(shownIn(kept?.snapshot)).not.toMatch(/Hidden words|hidden\.tag/);
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, author.player.id));
    for (const client of [reporter.client, app.client()]) {
      expect((await client.get(address)).status).toBe(404);
      const fields = { id: uuidv7(), reason: "other", ...GUEST, email: newEmail() };
      expect((await client.post(address, fields)).status).toBe(404);
    }
  });

  test("of a player keeps a Discord tag that only their teammates see if the reporter is one", async () => {
    const { author, postId, members } = await newTeam(3);
    const [first, second, former] = members as [Visitor, Visitor, Visitor];
    const [stranger, blocked, mate] = [await newcomer(), await newcomer(), await newcomer()];
    const discordTag = unique("rude.tag.");
    const hideTag = ({ player }: Visitor) =>
      app.db.update(profiles).set({ discordTag, shares: [] }).where(eq(profiles.userId, player.id));
    for (const visitor of [author, first]) await hideTag(visitor);
    await pressTeamButton(former.client, postId, "leave");
    const captains = [author.player.id];
    const { id: tournamentId, teams } = await addTournament(app.db, { teams: 1, teamSize: 3, captains });
    await app.db.insert(tournamentPlayers).values(
      [mate, blocked].map(({ player }) => ({
        ...{ tournamentId, teamId: teams[0]?.id as string, userId: player.id, joinedAt: new Date() },
      })),
    );
    await author.client.post(`/players/${blocked.player.id}/block`, { intent: "block" });
    const tagIn = async (by: Visitor, { player }: Visitor) => {
      expect((await by.client.post(`/players/${player.id}/report`, { id: uuidv7(), reason: "hate" })).status).toBe(303);
      const kept = (await reportsBy(by.player.id)).find(({ subjectId }) => subjectId === player.id);
      return (kept?.ownSnapshot ?? kept?.snapshot)?.discordTag;
    };
    for (const reporter of [stranger, former, blocked]) expect(await tagIn(reporter, author)).toBeNull();
    for (const reporter of [first, second, mate]) expect(await tagIn(reporter, author)).toBe(discordTag);
    for (const reporter of [author, second]) expect(await tagIn(reporter, first)).toBe(discordTag);
    const moderator = await newModerator(app);
    const [theCase] = await casesOf("player", author.player.id);
    const page = main((await moderator.client.get(`/moderation/cases/${theCase?.id}`)).text);
    expect(page).toMatch(new RegExp(`As it is now.*Discord tag\\s*${discordTag}`, "s"));
  });

  test("of a dispute's evidence is for its readers alone, and works while its author is suspended", async () => {
    const [author, rival, host] = [await newcomer(), await newcomer(), await newcomer()];
    const captains = [author.player.id, rival.player.id];
    const { id, execute } = await startTournament(app, { teams: 2, captains, userId: host.player.id });
    const words = unique("Rude evidence ");
    await execute({ type: "dispute", match: 0, evidence: words }, author.player.id);
    const page = `/tournaments/${id}/matches/0`;
    const address = `${page}/evidence/${author.player.id}/report`;
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, author.player.id));
    for (const { client, player } of [rival, host]) {
      expect(links((await client.get(page)).text)).toContainEqual({ text: "Report", href: address });
      const dialog = await client.get(address);
      expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
      expect(texts(dialog.text, "dialog blockquote")).toEqual([words]);
      const answer = await client.submit(address, "Send Report", { reason: "hate" });
      expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, page, 2]);
      const kept = (await reportsOf("player", author.player.id)).find(({ reporterId }) => reporterId === player.id);
      expect(kept?.snapshot.disputes).toEqual([words]);
    }
    const stranger = await newcomer();
    const elsewhere = `/tournaments/${id}/matches/1/evidence/${author.player.id}/report`;
    const about = (player: Visitor["player"]) => `${page}/evidence/${player.id}/report`;
    for (const [{ client }, refused] of [
      [stranger, address],
      [rival, elsewhere],
      [rival, about(host.player)],
    ] as const) {
      expect((await client.get(refused)).status).toBe(404);
      expect((await client.post(refused, { id: uuidv7(), reason: "hate" })).status).toBe(404);
    }
    expect((await app.client().get(address)).location).toContain("/auth?");
    const guest = { id: uuidv7(), reason: "hate", ...GUEST, email: newEmail() };
    expect((await app.client().post(address, guest)).status).toBe(401);
  });

  test("of a dispute's evidence keeps its text while the reporter signs in again", async () => {
    const [author, rival] = [await newcomer(), await newcomer()];
    const captains = [author.player.id, rival.player.id];
    const { id, execute } = await startTournament(app, { teams: 2, captains });
    await execute({ type: "dispute", match: 0, evidence: "They left." }, author.player.id);
    const address = `/tournaments/${id}/matches/0/evidence/${author.player.id}/report`;
    // The first client has signed out in another tab; the second was signed out elsewhere.
    const ended = await visitAs(app, rival.player);
    await app.db.run(`DELETE FROM sessions WHERE user_id = '${rival.player.id}'`);
    for (const client of [app.client(), ended]) {
      for (const reason of ["hate", "child-abuse"]) {
        const answer = await client.post(address, { id: uuidv7(), reason, details: "Kept words" });
        expect([answer.status, textOf(answer.text)]).toEqual([401, expect.stringContaining("Sign in in another tab")]);
        expect(findForm(answer.text, "Send Again").values).toMatchObject({ details: ["Kept words"] });
      }
    }
    expect(await reportsOf("player", author.player.id)).toEqual([]);
  });

  test("of a dispute's evidence keeps it, however many matches its author has disputed since", async () => {
    const [author, rival] = [await newcomer(), await newcomer()];
    const captains = [author.player.id, rival.player.id];
    const given: { page: string; words: string }[] = [];
    for (let cup = 0; cup < 7; cup += 1) {
      const { id, execute } = await startTournament(app, { teams: 2, captains });
      const words = unique("Rude evidence ");
      await execute({ type: "dispute", match: 0, evidence: words }, author.player.id);
      given.unshift({ page: `/tournaments/${id}/matches/0`, words });
    }
    const [latest, oldest] = [given.slice(0, 5), given.at(-1)] as [typeof given, (typeof given)[0]];
    const address = `${oldest.page}/evidence/${author.player.id}/report`;
    expect(texts((await rival.client.get(address)).text, "dialog blockquote")).toEqual([oldest.words]);
    expect((await rival.client.submit(address, "Send Report", { reason: "hate" })).status).toBe(303);
    const [kept] = await reportsOf("player", author.player.id);
    expect(kept?.snapshot.disputes).toEqual([oldest, ...latest].map(({ words }) => words));
  });

  test("of a dispute's evidence quotes all that its author has given in the match, the latest first", async () => {
    const [author, host] = [await newcomer(), await newcomer()];
    const { player } = author;
    const { id, execute } = await startTournament(app, { teams: 4, captains: [player.id], userId: host.player.id });
    const [first, second] = [unique("Rude evidence "), unique("Ruder evidence ")];
    await execute({ type: "dispute", match: 0, evidence: first }, player.id);
    await execute({ type: "rule", match: 0, forfeits: 2 }, host.player.id);
    await execute(await reopening(app.db, id, 0), host.player.id);
    await execute({ type: "dispute", match: 0, evidence: second }, player.id);
    const elsewhere = await startTournament(app, { teams: 2, captains: [player.id], userId: host.player.id });
    await elsewhere.execute({ type: "dispute", match: 0, evidence: unique("Other evidence ") }, player.id);
    const dialog = await host.client.get(`/tournaments/${id}/matches/0/evidence/${player.id}/report`);
    expect([texts(dialog.text, "blockquote p"), roundTrips(dialog)]).toEqual([[second, first], 1]);
  });

  test("of a review names the reviewed player only on the case's page, and only while they have an account", async () => {
    const [thing, second, moderator] = [await make("review"), await newcomer(), await newModerator(app)];
    const reviewed = thing.reporter.player;
    const profile = await app.db.select().from(profiles).where(eq(profiles.userId, reviewed.id)).get();
    const name = profile?.riotGameName as string;
    await report(second.client, thing);
    await app.db.update(userFeedback).set({ comment: "Changed" }).where(eq(userFeedback.id, thing.id));
    await report((await newcomer()).client, thing);
    const [theCase] = await casesOf("review", thing.id);
    const page = async () => main((await moderator.client.get(`/moderation/cases/${theCase?.id}`)).text);
    expect(await page()).toContain(`About ${name}`);
    expect(shownIn(await reportsOf("review", thing.id))).not.toContain(name);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.id, reviewed.id));
    await app.runScheduled();
    expect(await app.db.$count(users, eq(users.id, reviewed.id))).toBe(0);
    // As a Worker from before migration 0033 would have stored it.
    await app.db
      .update(reportCases)
      .set({ snapshot: { ...theCase?.snapshot, about: name } })
      .where(eq(reportCases.id, theCase?.id as string));
    expect(await page()).toContain(thing.words);
    expect(await page()).not.toContain(name);
  });

  test("of a review that the reviewed player hides is for them alone, and only while they're signed in", async () => {
    const thing = await make("review");
    const { player } = thing.reporter;
    await app.db.update(profiles).set({ shares: [] }).where(eq(profiles.userId, player.id));
    expect((await app.client().get(thing.address)).status).toBe(404);
    expect((await thing.reporter.client.get(thing.address)).status).toBe(200);
    const ended = await visitAs(app, player);
    await app.db.run(`DELETE FROM sessions WHERE user_id = '${player.id}'`);
    expect((await ended.get(thing.address)).status).toBe(404);
  });
});

describe("A visitor without an account", () => {
  test.each(PUBLIC_NAMES)(
    "reports a %s with a name and an address, and gets one confirmation at that address",
    async (name) => {
      const thing = await make(name);
      const client = app.client();
      expect(links((await client.get(thing.page)).text)).toContainEqual({ text: "Report", href: thing.address });
      const dialog = await client.get(thing.address);
      expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
      expect(select(dialog.text, "dialog input[name=homepage]")).toHaveLength(1);
      const email = newEmail();
      const fields = { ...GUEST, email: ` ${email.toUpperCase()} `, reason: "spam", details: "https://spam.example" };
      const answer = await client.submit(thing.address, "Send Report", fields);
      expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, thing.page, 2]);
      expect(announcements((await client.follow(answer)).text).join(" ")).toContain("Report sent");
      expect((await report(client, thing, { ...GUEST, email })).status).toBe(303);
      expect(await reportsOf(thing.kind, thing.id)).toMatchObject([
        { reporterId: null, reporterName: "A Visitor", reporterEmail: email, reason: "harassment", reportCount: 1 },
      ]);
      const { text } = await app.readEmail(email);
      // Strangers can't make us send their text.
      expect(text).not.toMatch(/spam\.example|A Visitor/);
      expect(text).toContain("someone else typed in your address");
      expect(await emailsTo(email)).toHaveLength(1);
    },
  );

  test("is asked for a name and an address, except about child abuse, and doesn't have to retype the text", async () => {
    const thing = await make("post");
    const client = app.client();
    const refused = await report(client, thing, { details: "In my words.", email: "nobody" });
    expect(refused.status).toBe(400);
    expect(field(refused.text, "details").value).toBe("In my words.");
    expect(field(refused.text, "email")).toMatchObject({ value: "nobody", invalid: true });
    const unnamed = await report(client, thing);
    expect(field(unnamed.text, "name")).toMatchObject({ invalid: true });
    expect(field(unnamed.text, "name").description).toContain("Enter your name.");
    expect(field(unnamed.text, "email").description).toContain("Enter your email address.");
    expect(await casesOf("post", thing.id)).toEqual([]);
    const fields = fieldsFor(thing, { reason: "child-abuse", name: "", email: "" });
    for (let time = 0; time < 2; time += 1) expect((await client.post(thing.address, fields)).status).toBe(303);
    expect((await report(app.client(), thing, { reason: "child-abuse" })).status).toBe(303);
    const kept = await reportsOf("post", thing.id);
    expect(kept.map(({ reporterName, reporterEmail }) => [reporterName, reporterEmail])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(kept[0]?.reportCount).toBe(2);
  });

  test.each(PUBLIC_NAMES)("is told that there is no such %s, rather than of mistakes in the form", async (name) => {
    const thing = await make(name);
    const unknown = thing.address.replaceAll(thing.id, uuidv7());
    const answer = await app.client().post(`${unknown}.data`, { id: uuidv7(), details: "Without a reason" });
    expect([answer.status, roundTrips(answer)]).toEqual([404, 1]);
    expect(answer.text).toContain("Without a reason");
    expect((await app.client().post(unknown, { id: uuidv7() })).status).toBe(404);
  });

  test("is shown the form for visitors once a session has ended, and can send it", async () => {
    const thing = await make("post");
    const { player } = thing.reporter;
    const client = await visitAs(app, player);
    await app.db.run(`DELETE FROM sessions WHERE user_id = '${player.id}'`);
    const email = newEmail();
    const answer = await client.submit(thing.address, "Send Report", { ...GUEST, email, reason: "hate" });
    expect(answer.status).toBe(303);
    expect(await reportsOf("post", thing.id)).toMatchObject([{ reporterId: null, reporterEmail: email }]);
    const signedOut = await report(client, thing, { details: "Kept words" });
    expect(signedOut.status).toBe(401);
    expect(field(signedOut.text, "details").value).toBe("Kept words");
  });

  test("is refused if the honeypot is filled in", async () => {
    const thing = await make("post");
    const fields = { ...GUEST, email: newEmail(), homepage: "https://spam.example" };
    expect((await report(app.client(), thing, fields)).status).toBe(400);
    expect(await casesOf("post", thing.id)).toEqual([]);
  });
});

describe("A reported picture", () => {
  const pictureOf = async (id: string) =>
    (await app.db.select().from(profiles).where(eq(profiles.userId, id)).get())?.avatarId as string;
  async function upload(client: Client, width: number) {
    const body = new FormData();
    body.set("picture", new File([new Uint8Array(png(width, 30))], "me.png"));
    expect((await client.request("/dashboard/profile/picture", { method: "POST", body })).status).toBe(303);
  }
  const bucket = () => app.miniflare.getR2Bucket("AVATARS");

  test("is kept as long as its case when its player replaces it or leaves, but no page serves it", async () => {
    const thing = await make("player");
    await upload(thing.author.client, 40);
    const first = await pictureOf(thing.id);
    await report(thing.reporter.client, thing);
    expect(await casesOf("player", thing.id)).toMatchObject([{ picture: first }]);
    await upload(thing.author.client, 50);
    const second = await pictureOf(thing.id);
    const kept = await eventually(async () => (await (await bucket()).head(`reported/${first}`)) ?? undefined);
    expect(kept.httpMetadata?.contentType).toBe("image/png");
    await eventually(async () => ((await (await bucket()).head(first)) === null ? true : undefined));
    for (const key of [first, `reported/${first}`, encodeURIComponent(`reported/${first}`)]) {
      expect((await app.client().get(`/avatars/${key}`)).status, key).toBe(404);
    }
    // Another player reports the second picture: the case keeps both.
    const other = await newcomer();
    await report(other.client, thing);
    expect(await reportsBy(other.player.id)).toMatchObject([{ picture: first, ownPicture: second }]);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.id, thing.id));
    await app.runScheduled();
    const keys = async () => (await (await bucket()).list({ prefix: "reported/" })).objects.map(({ key }) => key);
    expect(await (await bucket()).head(second)).toBeNull();
    expect(await keys()).toEqual(expect.arrayContaining([`reported/${first}`, `reported/${second}`]));

    const closedAgo = (days: number) =>
      app.db
        .update(reportCases)
        .set({ state: "closed", closedAt: new Date(Date.now() - days * DAY) })
        .where(eq(reportCases.subjectId, thing.id));
    await closedAgo(89);
    await app.runScheduled();
    expect(await casesOf("player", thing.id)).toHaveLength(1);
    await closedAgo(91);
    await app.runScheduled();
    expect(await casesOf("player", thing.id)).toEqual([]);
    expect(await reportsBy(other.player.id)).toEqual([]);
    const left = await keys();
    for (const key of [first, second]) expect(left).not.toContain(`reported/${key}`);
  });
});

describe("Reporters' data", () => {
  test("is in their export, and is erased with their account, while the report stays", async () => {
    const thing = await make("message of a pair");
    const { player, client } = thing.reporter;
    await report(client, thing, { details: "In my words." });
    const other = await make("post");
    await report(app.client(), other, { ...GUEST, email: player.email });
    const data = JSON.parse((await client.post("/dashboard/settings/export/download")).text);
    expect(data.reports).toMatchObject([
      { kind: "message", reason: "harassment", details: "In my words.", asReported: { content: thing.words } },
    ]);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.id, player.id));
    await app.runScheduled();
    expect(await reportsOf("message", thing.id)).toMatchObject([{ reporterId: null, details: "In my words." }]);
    expect(await reportsOf("post", other.id)).toMatchObject([{ reporterName: null, reporterEmail: null }]);
    expect(shownIn(await casesOf("message", thing.id))).not.toContain("Reader");
  });
});

describe("At a limit", () => {
  const hurried = useApp({ limitFactor: 1 });

  test("visitors can send 10 reports an hour from one IP address, and each recipient gets 5 confirmations", async () => {
    const author = await newVisitor(hurried);
    const email = newEmail();
    const send = async (fields: Record<string, string> = {}) => {
      const id = await addPost(hurried, author.player.id);
      const given = { id: uuidv7(), reason: "spam", ...GUEST, email, ...fields };
      return hurried.client().post(`/lfg/${id}/report`, given);
    };
    for (let time = 0; time < 10; time += 1) expect((await send()).status).toBe(303);
    const refused = await send({ details: "In my words." });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(field(refused.text, "details").value).toBe("In my words.");
    expect(await hurried.db.$count(reports, eq(reports.reporterEmail, email))).toBe(10);
    expect(await hurried.db.$count(outbox, eq(outbox.recipient, email))).toBe(5);
    // Sign-in codes for that address are counted separately.
    const counted = await hurried.db
      .select()
      .from(rateLimits)
      .where(like(rateLimits.key, `verificationEmail%${hashToken(email)}%`));
    expect(counted).toEqual([]);
  });
});
