import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { restrictions, tournamentInvitations, tournamentMatches, tournaments, tournamentTeams } from "../../db/schema";
import type { RestrictionScope } from "../../db/words/restriction-scopes";
import { useApp } from "../support/app";
import type { HttpResponse } from "../support/client";
import { hidingIn } from "../support/hiding";
import { field, main, select, textOf } from "../support/html";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { casesIn } from "./cases";
import { addConversation, addPost, DAY, HOUR, MINUTE, newVisitor, sendTo } from "./players";
import { register, registrationsIn } from "./registrations";
import { contactAuthor, type Visitor, write } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { newCase, decideCase } = casesIn(app);
const { accept, newPost } = teamsIn(app);
const { newTournament, newEntrant, newTeam } = registrationsIn(app);

const newPostOf = (visitor: Visitor) =>
  visitor.client.post("/dashboard/lfg/new", { id: uuidv7(), title: "Two for Haven", neededPlayers: "2" });
const ownPost = ({ player }: Visitor, row: Parameters<typeof addPost>[2] = {}) => addPost(app, player.id, row);
const chatWith = async ({ player }: Visitor) => addConversation(app, player, (await newVisitor(app)).player);

/** The dates of a tournament that is open for registration. */
const OPEN = {
  registrationDeadline: new Date(Date.now() + DAY),
  tournamentDate: new Date(Date.now() + 2 * DAY),
};

/** Actions that a limit forbids: scope, name and request. For a team's voice link see `team-room.test.ts`. */
const SURFACES: [RestrictionScope, string, (visitor: Visitor) => Promise<HttpResponse>][] = [
  ["posting", "a new post", newPostOf],
  [
    "posting",
    "an edit of a post",
    async (visitor) =>
      visitor.client.post(`/lfg/${await ownPost(visitor)}/edit`, { title: "Changed", neededPlayers: "2" }),
  ],
  [
    "posting",
    "a bump",
    async (visitor) => {
      const postId = await ownPost(visitor, { listedAt: new Date(Date.now() - HOUR) });
      return pressTeamButton(visitor.client, postId, "bump");
    },
  ],
  [
    "posting",
    "reopening a post",
    async (visitor) =>
      pressTeamButton(visitor.client, await ownPost(visitor, { isActive: false, closedAt: new Date() }), "reopen"),
  ],
  [
    "messaging",
    "a message without JavaScript",
    async (visitor) => write(visitor.client, await chatWith(visitor), "Hi"),
  ],
  ["messaging", "a message sent by script", async (visitor) => sendTo(visitor.client, await chatWith(visitor), "Hi")],
  [
    "messaging",
    "a message to a post's author",
    async (visitor) => contactAuthor(visitor.client, await ownPost(await newVisitor(app)), "Hi"),
  ],
  [
    "messaging",
    "a message to a player",
    async (visitor) => {
      const { player } = await newVisitor(app);
      return visitor.client.post(`/players/${player.id}/message`, { id: uuidv7(), message: "Hi" });
    },
  ],
  [
    "messaging",
    "a request with a note",
    async (visitor) => requestToJoin(visitor.client, await ownPost(await newVisitor(app)), { note: "Until midnight" }),
  ],
  [
    "messaging",
    "a search for a team with a note",
    async (visitor) =>
      visitor.client.post(`/tournaments/${(await newTournament()).id}/seek`, { role: "", note: "Until midnight" }),
  ],
  [
    "messaging",
    "evidence in a dispute",
    async ({ client, player }) => {
      const { id } = await startTournament(app, { teams: 2, captains: [player.id] });
      return client.post(`/tournaments/${id}/matches/0/dispute`, { evidence: "They left at 11 to 9." });
    },
  ],
  [
    "messaging",
    "a team's party code",
    async (visitor) => {
      const { author, postId } = await newPost(1, 0);
      await requestToJoin(visitor.client, postId);
      await accept(author, postId, visitor);
      return visitor.client.post(`/lfg/${postId}`, { intent: "set-party-code", partyCode: "AB12CD" });
    },
  ],
  [
    "hosting",
    "a new tournament",
    async (visitor) => {
      const page = await visitor.client.get("/dashboard/tournaments/new");
      expect(page.status).toBe(200);
      const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);
      return visitor.client.submit("/dashboard/tournaments/new", "Create Tournament", {
        title: "Night Cup",
        description: "For everyone",
        registrationDeadline: day(3),
        tournamentDate: day(4),
        maxParticipants: "8",
        entryFee: "0",
        prizePool: "0",
      });
    },
  ],
  [
    "hosting",
    "a change of a tournament's texts",
    async (visitor) => {
      const { id } = await addTournament(app.db, { ...OPEN, teams: 0, userId: visitor.player.id });
      return visitor.client.submit(`/tournaments/${id}/edit`, "Save Tournament", { description: "Accounts for sale" });
    },
  ],
  ["joining", "a registration", async (visitor) => register(visitor.client, (await newTournament()).id)],
  [
    "joining",
    "joining by a team's link",
    async (visitor) => {
      const { id } = await newTournament();
      const { teamId } = await newTeam(id);
      const team = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.id, teamId)).get();
      return visitor.client.post(`/tournaments/${id}/join/${team?.inviteToken}`);
    },
  ],
  [
    "joining",
    "accepting an invitation",
    async (visitor) => {
      const { id } = await newTournament();
      const { teamId } = await newTeam(id);
      await app.db.insert(tournamentInvitations).values({ teamId, userId: visitor.player.id, createdAt: new Date() });
      return visitor.client.post(`/tournaments/${id}/teams/${teamId}`, { intent: "accept" });
    },
  ],
  [
    "joining",
    "a search for a team",
    async (visitor) => visitor.client.post(`/tournaments/${(await newTournament()).id}/seek`, { role: "", note: "" }),
  ],
];

/** Whether the action succeeded. */
const isDone = ({ status }: HttpResponse) => status === 303 || status === 200;

test.each(SURFACES)(
  "A limit on %s forbids %s until it ends, and the refusal says when that is and links to the decision",
  async (scope, _, act) => {
    const visitor = await newEntrant();
    const free = await act(visitor);
    expect(isDone(free), free.text).toBe(true);
    expect(roundTrips(free)).toBeLessThanOrEqual(2);

    const theCase = await newCase(visitor.player);
    await decideCase(theCase, { action: "limit", scopes: [scope], until: new Date(Date.now() + 3 * DAY) });
    const refused = await act(visitor);
    expect(refused.status).toBe(403);
    // Rendering the refused form takes one more.
    expect(roundTrips(refused)).toBeLessThanOrEqual(3);
    expect(textOf(refused.text)).toMatch(/You can't [a-z ]+ until \d+ \w+ \d{4}, .*\/account\/decisions/);

    await app.db
      .update(restrictions)
      .set({ until: new Date(Date.now() - MINUTE) })
      .where(eq(restrictions.userId, visitor.player.id));
    expect(isDone(await act(visitor))).toBe(true);
  },
);

test("A post that would reopen by itself stays closed while its author may not post", async () => {
  const { newTeam: newPostTeam, postOf, requestOf } = teamsIn(app);
  const { hide, restore } = hidingIn(app);
  const left = await newPostTeam(1);
  const removed = await newPostTeam(1);
  const hidden = await newPostTeam(1, 2);
  await hide({ kind: "post", id: hidden.postId });
  const authors = [left, removed, hidden].map(({ author }) => author.player.id);
  const until = new Date(Date.now() + DAY);
  await app.db
    .insert(restrictions)
    .values(authors.map((userId) => ({ userId, scope: "posting" as const, until, decisionId: uuidv7() })));
  const [[leaver], [member]] = [left.members, removed.members] as [[Visitor], [Visitor]];
  await pressTeamButton(leaver.client, left.postId, "leave");
  const { id } = await requestOf(removed.postId, member.player);
  expect((await pressTeamButton(removed.author.client, removed.postId, "remove", id)).status).toBe(303);
  await restore({ kind: "post", id: hidden.postId });
  const reopen = ({ author, postId }: typeof left) => pressTeamButton(author.client, postId, "reopen");
  for (const team of [left, removed, hidden]) {
    expect(await postOf(team.postId)).toMatchObject({ isActive: false, closedAt: expect.any(Date), hiddenAt: null });
    expect((await reopen(team)).status).toBe(403);
  }
  await app.db.delete(restrictions).where(inArray(restrictions.userId, authors));
  for (const team of [left, removed, hidden]) {
    expect((await reopen(team)).status).toBe(303);
    expect(await postOf(team.postId)).toMatchObject({ isActive: true, closedAt: null });
  }
});

test("A limit forbids nothing outside its scope, and a request or a search without a note isn't a message", async () => {
  const visitor = await newEntrant();
  await decideCase(await newCase(visitor.player), { action: "limit", scopes: ["messaging"] });
  expect((await newPostOf(visitor)).status).toBe(303);
  const postId = await ownPost(await newVisitor(app));
  expect((await requestToJoin(visitor.client, postId)).status).toBe(303);
  const seek = `/tournaments/${(await newTournament()).id}/seek`;
  expect((await visitor.client.post(seek, { role: "", note: "" })).status).toBe(303);
});

test("A limit on hosting still lets the host edit an open tournament, except for its texts", async () => {
  const host = await newVisitor(app);
  const { id } = await addTournament(app.db, { ...OPEN, teams: 0, userId: host.player.id, maxParticipants: 8 });
  await decideCase(await newCase(host.player), { action: "limit", scopes: ["hosting"] });
  const page = `/tournaments/${id}`;
  for (const [field, words] of Object.entries({
    title: "Other Cup",
    description: "Other words",
    rules: "Other rules",
  })) {
    const refused = await host.client.submit(`${page}/edit`, "Save Tournament", { [field]: words });
    expect([refused.status, textOf(refused.text)]).toEqual([403, expect.stringContaining("or edit their texts until")]);
  }
  const larger = await host.client.submit(`${page}/edit`, "Save Tournament", { maxParticipants: "16" });
  expect(larger.status).toBe(303);
  const stored = await app.db.select().from(tournaments).where(eq(tournaments.id, id)).get();
  expect(stored).toMatchObject({ title: "Night Cup", description: "An evening of it.", maxParticipants: 16 });
});

test("A dispute's evidence isn't stored if a limit comes after the form was checked", async () => {
  const { player } = await newVisitor(app);
  const { id, execute } = await startTournament(app, { teams: 2, captains: [player.id] });
  const theCase = await newCase(player);
  const until = new Date(Date.now() + DAY);
  await decideCase(theCase, { action: "limit", scopes: ["messaging"], until });
  const outcome = await execute({ type: "dispute", match: 0, evidence: "They left." }, player.id);
  expect(outcome).toEqual({ outcome: "refused", reason: "limited", until: until.getTime() });
  const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
  expect(match).toMatchObject({ state: "ready", dispute: null });
});

test("A captain under a limit on messages can dispute without evidence, which others must give", async () => {
  const captain = await newVisitor(app);
  const { id } = await startTournament(app, { teams: 2, captains: [captain.player.id] });
  const page = `/tournaments/${id}/matches/0`;
  expect((await captain.client.post(`${page}/dispute`, { evidence: "" })).status).toBe(400);
  await decideCase(await newCase(captain.player), { action: "limit", scopes: ["messaging"] });
  const dialog = await captain.client.get(`${page}/dispute`);
  expect(roundTrips(dialog)).toBe(1);
  expect(textOf(dialog.text)).toMatch(
    /You can't send messages until .*, so you can't write any evidence\. Your dispute counts all the same\./,
  );
  expect(select(dialog.text, "[name=evidence]").attr("type")).toBe("hidden");
  const refused = await captain.client.post(`${page}/dispute`, { evidence: "They left." });
  expect(refused.status).toBe(403);
  expect(textOf(refused.text)).toContain("Leave the evidence empty: your dispute counts all the same.");
  // The form keeps the evidence that was typed before the limit came.
  expect(field(refused.text, "evidence").value).toBe("They left.");
  const sent = await captain.client.submit(`${page}/dispute`, "Send Dispute", { evidence: "" });
  expect([sent.status, sent.location]).toEqual([303, page]);
  const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
  expect(match).toMatchObject({ state: "disputed", dispute: null });
  expect(main((await captain.client.get(page)).text)).toContain("Team 1 disputes this match");
});
