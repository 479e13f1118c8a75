import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { caseFindings, lfgPosts, messages, reportCases, tournamentMatches, tournaments, users } from "../../db/schema";
import type { ReportKind } from "../../db/words/report-kinds";
import { useApp } from "../support/app";
import { type Client, clientAt, type HttpResponse } from "../support/client";
import { links } from "../support/html";
import { startTournament } from "../support/matches";
import { completeOAuth, newDiscordUser } from "../support/oauth";
import { databaseTiming, roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { addPost, DAY, newVisitor, sendTo, unique } from "./players";
import { register, registrationsIn } from "./registrations";
import { reportsIn } from "./reports";
import { giveFeedback, reviewsIn } from "./reviews";
import { startConversation, type Visitor, write } from "./talk";
import { requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { casesOf, reportsOf } = reportsIn(app);
const { newMates, feedbackBetween } = reviewsIn(app);
const { newTeam } = teamsIn(app);
const { newEntrant, newTournament } = registrationsIn(app);

/** A way to store text: `send` writes it, and sends the same form again when called again. */
interface Surface {
  kind: ReportKind;
  /** The part of the snapshot that holds the text. */
  field: string;
  author: Visitor;
  send: (words: string) => Promise<HttpResponse>;
  id: () => Promise<string>;
  /** Where someone else reports the text. */
  report: () => Promise<{ client: Client; address: string }>;
}

/** A player whose account is older than a day. */
async function veteran(profile: Parameters<typeof newVisitor>[1] = {}): Promise<Visitor> {
  const visitor = await newVisitor(app, { riotGameName: unique("Player "), ...profile });
  await makeOld(visitor);
  return visitor;
}

const makeOld = ({ player }: Visitor, age = 2 * DAY) =>
  app.db
    .update(users)
    .set({ createdAt: new Date(Date.now() - age) })
    .where(eq(users.id, player.id));

const findingsOf = async (kind: ReportKind, id: string) => {
  const cases = await casesOf(kind, id);
  const rows = await Promise.all(
    cases.map((one) => app.db.select().from(caseFindings).where(eq(caseFindings.caseId, one.id))),
  );
  return rows.flat().map(({ field, finding, matches }) => ({ field, finding, matches }));
};

function messageIn(conversationId: string, here: string, author: Visitor, reader: Visitor): Surface {
  const id = uuidv7();
  return {
    ...{ kind: "message", field: "content", author },
    send: (words) => sendTo(author.client, conversationId, words, id),
    id: async () => id,
    report: async () => ({ client: reader.client, address: `${here}/report/${id}` }),
  };
}

const chatAt = (conversationId: string) => `/dashboard/messages/${conversationId}`;

const DONE = { outcome: "done" };

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);

const hosting = () => ({
  title: unique("Night Cup "),
  description: "One evening.",
  entryFee: "0",
  prizePool: "0",
  maxParticipants: "8",
  tournamentDate: inDays(10),
  registrationDeadline: inDays(9),
  timeZone: "UTC",
});

const SURFACES: Record<string, () => Promise<Surface>> = {
  async "a post's title"() {
    const author = await veteran();
    const id = uuidv7();
    return {
      ...{ kind: "post", field: "title", author },
      send: (title) => author.client.post("/dashboard/lfg/new", { id, title, neededPlayers: "1" }),
      id: async () => id,
      report: async () => ({ client: (await veteran()).client, address: `/lfg/${id}/report` }),
    };
  },
  async "a post's edit"() {
    const author = await veteran();
    const id = await addPost(app, author.player.id);
    return {
      ...{ kind: "post", field: "message", author },
      send: (message) => author.client.post(`/lfg/${id}/edit`, { title: "Two", message, neededPlayers: "1" }),
      id: async () => id,
      report: async () => ({ client: (await veteran()).client, address: `/lfg/${id}/report` }),
    };
  },
  async "a player's description"() {
    const author = await veteran();
    const { id } = author.player;
    return {
      ...{ kind: "player", field: "description", author },
      send: (description) => author.client.post("/dashboard/profile", { description, shares: "description" }),
      id: async () => id,
      report: async () => ({ client: (await veteran()).client, address: `/players/${id}/report` }),
    };
  },
  async "a Discord tag that only teammates see"() {
    const { author, members } = await newTeam(1);
    await makeOld(author);
    const { id } = author.player;
    return {
      ...{ kind: "player", field: "discordTag", author },
      send: (discordTag) => author.client.post("/dashboard/profile", { discordTag, shares: "description" }),
      id: async () => id,
      report: async () => ({ client: (members[0] as Visitor).client, address: `/players/${id}/report` }),
    };
  },
  async "a message to a post's author"() {
    const [author, reader] = [await veteran(), await veteran()];
    const postId = await addPost(app, reader.player.id);
    const id = uuidv7();
    const conversation = async () =>
      (await app.db.select().from(messages).where(eq(messages.id, id)).get())?.conversationId as string;
    return {
      ...{ kind: "message", field: "content", author },
      send: (message) => author.client.post(`/lfg/${postId}/contact`, { id, message }),
      id: async () => id,
      report: async () => ({ client: reader.client, address: `${chatAt(await conversation())}/report/${id}` }),
    };
  },
  async "a message to a player"() {
    const [author, reader] = [await veteran(), await veteran()];
    const id = uuidv7();
    const conversation = async () =>
      (await app.db.select().from(messages).where(eq(messages.id, id)).get())?.conversationId as string;
    return {
      ...{ kind: "message", field: "content", author },
      send: (message) => author.client.post(`/players/${reader.player.id}/message`, { id, message }),
      id: async () => id,
      report: async () => ({ client: reader.client, address: `${chatAt(await conversation())}/report/${id}` }),
    };
  },
  async "a message of a pair"() {
    const [author, reader] = [await veteran(), await veteran()];
    const { conversationId } = await startConversation(app, { author, reader });
    return messageIn(conversationId, chatAt(conversationId), author, reader);
  },
  async "a message of a pair, without JavaScript"() {
    const [author, reader] = [await veteran(), await veteran()];
    const { conversationId } = await startConversation(app, { author, reader });
    const surface = messageIn(conversationId, chatAt(conversationId), author, reader);
    const id = await surface.id();
    return { ...surface, send: (words) => write(author.client, conversationId, words, id) };
  },
  async "a message of a team"() {
    const { author, members, conversationId } = await newTeam(2);
    await makeOld(author);
    return messageIn(conversationId, chatAt(conversationId), author, members[0] as Visitor);
  },
  async "a message of a match"() {
    const [one, two] = [await veteran(), await veteran()];
    const { id } = await startTournament(app, { teams: 2, captains: [one.player.id, two.player.id] });
    const match = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id)).get();
    return messageIn(match?.conversationId as string, `/tournaments/${id}/matches/0`, one, two);
  },
  async "a review"() {
    const [author, other] = await newMates();
    await makeOld(author);
    const id = uuidv7();
    return {
      ...{ kind: "review", field: "comment", author },
      send: (comment) => giveFeedback(author.client, other.player, { id, comment }),
      id: async () => id,
      async report() {
        await giveFeedback(other.client, author.player);
        expect(await feedbackBetween(author.player, other.player)).toHaveLength(1);
        return { client: other.client, address: `/players/${other.player.id}/report/${id}` };
      },
    };
  },
  async "a team's name"() {
    const author = await newEntrant();
    await makeOld(author);
    const { id: tournamentId } = await newTournament();
    const id = uuidv7();
    return {
      ...{ kind: "team", field: "name", author },
      send: (name) => register(author.client, tournamentId, name, id),
      id: async () => id,
      report: async () => ({
        client: (await veteran()).client,
        address: `/tournaments/${tournamentId}/teams/${id}/report`,
      }),
    };
  },
  async "a new tournament"() {
    const author = await veteran();
    const fields = { ...hosting(), id: uuidv7() };
    return {
      ...{ kind: "tournament", field: "description", author },
      send: (description) => author.client.post("/dashboard/tournaments/new", { ...fields, description }),
      id: async () => fields.id,
      report: async () => ({ client: (await veteran()).client, address: `/tournaments/${fields.id}/report` }),
    };
  },
  async "a tournament's edit"() {
    const author = await veteran();
    const { id } = await addTournament(app.db, { teams: 0, state: "open", userId: author.player.id });
    const fields = hosting();
    return {
      ...{ kind: "tournament", field: "rules", author },
      send: (rules) => author.client.post(`/tournaments/${id}/edit`, { ...fields, rules }),
      id: async () => id,
      report: async () => ({ client: (await veteran()).client, address: `/tournaments/${id}/report` }),
    };
  },
  async "a note with a request to join"() {
    const [author, reader] = [await veteran(), await veteran()];
    const postId = await addPost(app, reader.player.id);
    const id = uuidv7();
    return {
      ...{ kind: "player", field: "requests", author },
      send: (note) => requestToJoin(author.client, postId, { id, note }),
      id: async () => author.player.id,
      async report() {
        const href = `/players/${author.player.id}/report`;
        expect(links((await reader.client.get(`/lfg/${postId}`)).text)).toContainEqual({ text: "Report", href });
        return { client: reader.client, address: href };
      },
    };
  },
  async "a note of a player who is looking for a team"() {
    const author = await newEntrant();
    await makeOld(author);
    const { id } = await newTournament();
    return {
      ...{ kind: "player", field: "searches", author },
      send: (note) => author.client.post(`/tournaments/${id}/seek`, { role: "", note }),
      id: async () => author.player.id,
      async report() {
        const { client } = await veteran();
        const href = `/players/${author.player.id}/report`;
        expect(links((await client.get(`/tournaments/${id}/teams`)).text)).toContainEqual({ text: "Report", href });
        return { client, address: href };
      },
    };
  },
  async "the evidence of a dispute"() {
    const [author, rival] = [await veteran(), await veteran()];
    const { id } = await startTournament(app, { teams: 2, captains: [author.player.id, rival.player.id] });
    const page = `/tournaments/${id}/matches/0`;
    return {
      ...{ kind: "player", field: "disputes", author },
      send: (evidence) => author.client.post(`${page}/dispute`, { evidence }),
      id: async () => author.player.id,
      async report() {
        const href = `${page}/evidence/${author.player.id}/report`;
        expect(links((await rival.client.get(page)).text)).toContainEqual({ text: "Report", href });
        expect(links((await author.client.get(page)).text)).not.toContainEqual({ text: "Report", href });
        return { client: rival.client, address: href };
      },
    };
  },
  async "a reason for cancelling a tournament"() {
    const author = await veteran();
    const { id } = await addTournament(app.db, { teams: 0, state: "open", userId: author.player.id });
    return {
      ...{ kind: "tournament", field: "cancelReason", author },
      send: (reason) => author.client.post(`/tournaments/${id}/cancel`, { reason }),
      id: async () => id,
      report: async () => ({ client: (await veteran()).client, address: `/tournaments/${id}/report` }),
    };
  },
  async "a reason for disqualifying a team"() {
    const author = await veteran();
    const { id, teams } = await startTournament(app, { teams: 4, teamSize: 2, userId: author.player.id });
    const page = `/tournaments/${id}/teams/${teams[0]?.id}/disqualify`;
    return {
      ...{ kind: "tournament", field: "disqualifications", author },
      send: (reason) => author.client.post(page, { intent: "disqualify", reason }),
      id: async () => id,
      report: async () => ({ client: (await veteran()).client, address: `/tournaments/${id}/report` }),
    };
  },
};

const NAMES = Object.keys(SURFACES);
const make = (name: string) => (SURFACES[name] as () => Promise<Surface>)();
const isStored = ({ status }: HttpResponse) => status === 200 || status === 303;
const sendReport = async ({ report }: Surface, id: string) => {
  const { client, address } = await report();
  const fields = { id: uuidv7(), reason: "spam", ...(address.match(/messages|matches/) && { message: id }) };
  expect((await client.post(address, fields)).status).toBe(303);
};

describe.each(NAMES)("In %s", (name) => {
  test("obscene words and suspicious links open one flagged case, and nothing is blocked", async () => {
    const surface = await make(name);
    const { kind, field, author } = surface;
    const words = unique("Fuck bit.ly/x ");
    const answer = await surface.send(words);
    expect(isStored(answer), answer.text.slice(0, 300)).toBe(true);
    expect(roundTrips(answer)).toBeLessThanOrEqual(2);
    const id = await surface.id();
    const [flagged, ...others] = await casesOf(kind, id);
    expect(others).toEqual([]);
    expect(flagged).toMatchObject({ isFlagged: true, reportCount: 0, state: "open", playerId: author.player.id });
    // Fields that collect several notes or reasons hold a list.
    expect([flagged?.snapshot[field]].flat()).toEqual([words]);
    expect(JSON.stringify(flagged)).not.toContain(author.player.email);
    const found = [
      { field, finding: "profanity", matches: ["Fuck"] },
      { field, finding: "shortener", matches: ["bit.ly/x"] },
    ];
    expect(await findingsOf(kind, id)).toEqual(found);
    // The same form again, for instance because the response was lost.
    await surface.send(words);
    expect(await casesOf(kind, id)).toEqual([flagged]);
    expect(await findingsOf(kind, id)).toEqual(found);
  });

  test("a report of something flagged joins the case of the flag", async () => {
    const surface = await make(name);
    const { kind } = surface;
    await surface.send(unique("Shit "));
    const id = await surface.id();
    await sendReport(surface, id);
    expect(await casesOf(kind, id)).toMatchObject([{ isFlagged: true, reportCount: 1 }]);
    expect(await reportsOf(kind, id)).toMatchObject([{ reason: "spam" }]);
  });

  test("ordinary words and links of a settled account are not flagged", async () => {
    const surface = await make(name);
    const answer = await surface.send(unique("Rush https://vlr.gg "));
    expect(isStored(answer)).toBe(true);
    expect(await casesOf(surface.kind, await surface.id())).toEqual([]);
  });

  test("any link of an account younger than a day is flagged", async () => {
    const surface = await make(name);
    const { kind, field, author } = surface;
    await makeOld(author, DAY - 60_000);
    await surface.send(unique("https://vlr.gg "));
    expect(await findingsOf(kind, await surface.id())).toEqual([
      { field, finding: "new-account-link", matches: ["https://vlr.gg"] },
    ]);
  });
});

describe("A new account's link to Lineup itself", () => {
  const SITE = "https://lineup.example";
  const site = useApp({ bindings: { APP_ORIGIN: SITE } });
  const words = `See ${SITE}/ground-rules`;

  async function newcomer() {
    const { player, client } = await newVisitor(site);
    const visitor = clientAt(site, SITE);
    visitor.cookies.set("lineup_session", client.cookies.get("lineup_session") as string);
    return { player, client: visitor };
  }

  test("isn't flagged in the evidence of a dispute", async () => {
    const [author, rival] = [await newcomer(), await newcomer()];
    const { id } = await startTournament(site, { teams: 2, captains: [author.player.id, rival.player.id] });
    const answer = await author.client.post(`/tournaments/${id}/matches/0/dispute`, { evidence: words });
    expect(isStored(answer)).toBe(true);
    expect(await reportsIn(site).casesOf("player", author.player.id)).toEqual([]);
  });

  test("isn't flagged in a reason for disqualifying a team", async () => {
    const host = await newcomer();
    const { id, teams } = await startTournament(site, { teams: 4, teamSize: 2, userId: host.player.id });
    const form = { intent: "disqualify", reason: words };
    const answer = await host.client.post(`/tournaments/${id}/teams/${teams[0]?.id}/disqualify`, form);
    expect(isStored(answer)).toBe(true);
    expect(await reportsIn(site).casesOf("tournament", id)).toEqual([]);
  });
});

describe("A report of a player", () => {
  test("keeps the notes that they wrote to the reporter, and no notes to others", async () => {
    const [writer, reader, other] = [await veteran(), await veteran(), await veteran()];
    for (const [author, note] of [
      [reader, "To the reader"],
      [other, "To the other"],
    ] as const) {
      await requestToJoin(writer.client, await addPost(app, author.player.id), { note });
    }
    const address = `/players/${writer.player.id}/report`;
    for (const { client } of [reader, await veteran()]) {
      expect((await client.post(address, { id: uuidv7(), reason: "spam" })).status).toBe(303);
    }
    const [first, second] = await reportsOf("player", writer.player.id);
    expect(first?.snapshot.requests).toEqual(["To the reader"]);
    expect(second?.ownSnapshot).toMatchObject({ requests: [] });
  });
});

test("A report of a player keeps the evidence of disputes only if the reporter could read it", async () => {
  const [author, rival, host] = [await veteran(), await veteran(), await veteran()];
  const { id, execute } = await startTournament(app, {
    teams: 2,
    userId: host.player.id,
    captains: [author.player.id, rival.player.id],
  });
  expect(await execute({ type: "dispute", match: 0, evidence: "They left." }, author.player.id)).toMatchObject(DONE);
  const reported = async ({ client, player }: Visitor) => {
    const answer = await client.post(`/players/${author.player.id}/report`, { id: uuidv7(), reason: "spam" });
    expect(answer.status).toBe(303);
    const found = (await reportsOf("player", author.player.id)).find(({ reporterId }) => reporterId === player.id);
    return (found?.ownSnapshot ?? found?.snapshot)?.disputes;
  };
  expect(await reported(await veteran())).toEqual([]);
  expect(await reported(rival)).toEqual(["They left."]);
  expect(await reported(host)).toEqual(["They left."]);
  await app.db.update(tournaments).set({ hiddenAt: new Date() }).where(eq(tournaments.id, id));
  await app.db.delete(reportCases).where(eq(reportCases.subjectId, author.player.id));
  expect(await reported(rival)).toEqual([]);
});

describe("A flag", () => {
  test("raised after a report joins the report's case, and keeps the words it was raised for", async () => {
    const surface = await make("a post's edit");
    const id = await surface.id();
    await sendReport(surface, id);
    await surface.send("Fuck");
    const [one, ...others] = await casesOf("post", id);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ isFlagged: true, reportCount: 1, snapshot: { title: "Two for Haven", message: null } });
    const found = await app.db
      .select()
      .from(caseFindings)
      .where(eq(caseFindings.caseId, one?.id as string));
    expect(found).toMatchObject([{ field: "message", finding: "profanity", snapshot: { message: "Fuck" } }]);
  });

  test("is not raised for words that were refused, or whose id another form had already used", async () => {
    const author = await veteran();
    const id = uuidv7();
    const post = (title: string, as = author, postId = id) =>
      as.client.post("/dashboard/lfg/new", { id: postId, title, neededPlayers: "1" });
    await post("First words");
    await post("Fuck");
    const stranger = await veteran();
    expect((await post("Fuck", stranger)).status).toBe(409);
    expect(await casesOf("post", id)).toEqual([]);
    for (const title of ["Second", "Third"]) await post(title, author, uuidv7());
    const refused = uuidv7();
    expect((await post("Fuck", author, refused)).status).toBe(409);
    expect(await casesOf("post", refused)).toEqual([]);
    const [one, two] = [await veteran(), await veteran()];
    const { conversationId } = await startConversation(app, { author: one, reader: two });
    const outside = uuidv7();
    expect((await sendTo(stranger.client, conversationId, "Fuck", outside)).status).toBe(404);
    expect(await casesOf("message", outside)).toEqual([]);
  });

  test("that moderators have closed isn't raised again for the same words, but is for others", async () => {
    const surface = await make("a player's description");
    const id = await surface.id();
    await surface.send("Fuck this");
    await app.db
      .update(reportCases)
      .set({ state: "closed", closedAt: new Date() })
      .where(eq(reportCases.subjectId, id));
    await surface.send("Fuck this. And more.");
    expect(await casesOf("player", id)).toMatchObject([{ state: "closed" }]);
    await surface.send("Shit. And more.");
    expect(await casesOf("player", id)).toMatchObject([{ state: "closed" }, { state: "open", isFlagged: true }]);
  });

  test("is raised for a player's name and tags, but not for times that the player hides", async () => {
    const { player, client } = await veteran({ riotGameName: null });
    const profile = { riotId: "Fuck#EUW", personalityTags: "calm, shit talker", playTimes: "fuck knows" };
    expect((await client.post("/dashboard/profile", { ...profile, shares: "description" })).status).toBe(303);
    const found = (await findingsOf("player", player.id)).map(({ field, matches }) => [field, ...matches]);
    expect(found.sort()).toEqual([
      ["author", "Fuck"],
      ["tags", "shit"],
    ]);
  });

  test("is raised for a Discord tag that linking the account fills in, and for its next name", async () => {
    const { player, client } = await veteran();
    const user = { ...newDiscordUser(app), username: "shit.talker" };
    app.oauth.addDiscordUser(user);
    await completeOAuth(client, "discord", user.key, "link");
    expect(await findingsOf("player", player.id)).toMatchObject([{ field: "discordTag", matches: ["shit"] }]);
    app.oauth.addDiscordUser({ ...user, username: "fuck.that" });
    await completeOAuth(app.client(), "discord", user.key);
    expect(await findingsOf("player", player.id)).toMatchObject([{ field: "discordTag", matches: ["fuck"] }]);
  });

  test("costs no round trip, and no statement unless there is something to flag", async () => {
    const [author, reader] = [await veteran(), await veteran()];
    const { conversationId } = await startConversation(app, { author, reader });
    const cost = async (words: string) => databaseTiming(await sendTo(author.client, conversationId, words));
    const [plain, flagged] = [await cost("Hello there"), await cost("Fuck")];
    expect(plain?.roundTrips).toBe(1);
    expect(flagged).toEqual({ roundTrips: 1, statements: (plain?.statements ?? 0) + 2 });
  });

  test("on each of many simultaneous messages opens one case per message", async () => {
    const [author, reader] = [await veteran(), await veteran()];
    const { conversationId } = await startConversation(app, { author, reader });
    const ids = Array.from({ length: 5 }, () => uuidv7());
    await Promise.all(ids.flatMap((id) => [1, 2].map(() => sendTo(author.client, conversationId, "Fuck", id))));
    for (const id of ids) expect(await casesOf("message", id)).toMatchObject([{ isFlagged: true }]);
  });

  test("is deleted with its case, 90 days after the case was closed", async () => {
    const surface = await make("a post's title");
    await surface.send("Fuck");
    const [one] = await casesOf("post", await surface.id());
    await app.db
      .update(reportCases)
      .set({ state: "closed", closedAt: new Date(Date.now() - 91 * DAY) })
      .where(eq(reportCases.id, one?.id as string));
    await app.runScheduled();
    expect(await app.db.$count(caseFindings, eq(caseFindings.caseId, one?.id as string))).toBe(0);
  });

  test("of a post outlives the post", async () => {
    const { author, ...surface } = await make("a post's title");
    await surface.send("Fuck");
    const id = await surface.id();
    expect((await author.client.post(`/lfg/${id}/delete`)).status).toBe(303);
    expect(await app.db.$count(lfgPosts, eq(lfgPosts.id, id))).toBe(0);
    expect(await findingsOf("post", id)).toHaveLength(1);
  });
});
