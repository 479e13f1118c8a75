import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { NOTIFICATION_KINDS } from "../../app/features/notifications/kinds";
import { describeNotification } from "../../app/features/notifications/rules";
import { uuidv7 } from "../../db/ids";
import { caseFindings, lfgPosts, notifications, reportCases, tournaments, tournamentTeams } from "../../db/schema";
import { useApp } from "../support/app";
import { field, heading, main, playerNames } from "../support/html";
import { recordsIn } from "../support/records";
import { DAY, newVisitor, sendTo, unique } from "./players";
import { register, registrationsIn } from "./registrations";
import { startConversation } from "./talk";

const app = useApp();
const { profileOf } = recordsIn(app);
const { newEntrant, newTournament } = registrationsIn(app);
const PROFILE = "/dashboard/profile";

/** Adds a player who has verified a Riot account with this game name. */
async function newVerified(gameName: string) {
  const visitor = await newVisitor(app, { isListed: true });
  const riotId = { gameName, tagLine: unique("T").padEnd(3, "0") };
  expect((await visitor.client.submit(PROFILE, "Verify", { ...riotId, region: "europe" })).status).toBe(303);
  return { ...visitor, riotId, whole: `${gameName}#${riotId.tagLine}` };
}

describe("A Riot name that could be mistaken for Lineup itself", () => {
  test("is shown with its tag on the player's page, in chats, in notifications and in a solo tournament", async () => {
    const author = await newVerified("M0derator");
    const reader = await newVisitor(app);
    expect(heading((await reader.client.get(`/players/${author.player.id}`)).text)).toContain(author.whole);

    const { conversationId } = await startConversation(app, { author: reader, reader: author });
    await sendTo(author.client, conversationId, "Send me your password");
    expect(main((await reader.client.get("/dashboard/messages")).text)).toContain(author.whole);
    expect(main((await reader.client.get(`/dashboard/messages/${conversationId}`)).text)).toContain(author.whole);
    const news = await app.db.select().from(notifications).where(eq(notifications.userId, reader.player.id));
    expect(news.map((row) => describeNotification(row, NOTIFICATION_KINDS).sentence).join()).toContain(author.whole);

    const cases = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, author.player.id));
    expect(cases).toMatchObject([{ kind: "player", isFlagged: true, state: "open" }]);
    const found = await app.db
      .select()
      .from(caseFindings)
      .where(eq(caseFindings.caseId, cases[0]?.id as string));
    expect(found).toMatchObject([{ field: "author", finding: "reserved-name", matches: [author.whole] }]);

    const { id } = await newTournament({ teamSize: 1, minRank: null, maxRank: null });
    expect((await register(author.client, id, null)).status).toBe(303);
    const [team] = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, id));
    expect(team?.name).toBe(author.whole);
  });

  test("can be found by its words, and is kept when the profile is saved again", async () => {
    const { client, player, whole } = await newVerified("Unknown User");
    expect((await client.post(PROFILE, { riotId: whole, isListed: "on" })).status).toBe(303);
    expect(await profileOf(player)).toMatchObject({ riotId: whole, riotGameName: null, foundBy: whole });
    const { client: other } = await newVisitor(app);
    expect(playerNames((await other.get("/dashboard/players?name=unknown")).text)).toContain(whole);
  });

  test("is shown with its tag after a rename at Riot, until another rename to a harmless name", async () => {
    const { client, player, riotId } = await newVerified(unique("Nice "));
    const update = async (from: object, gameName: string) => {
      app.riot.rename(from as typeof riotId, { gameName, tagLine: "NOW" });
      expect((await client.submit(PROFILE, "Update Riot ID")).status).toBe(303);
      return profileOf(player);
    };
    expect(await update(riotId, "Riot Support")).toMatchObject({ riotId: "Riot Support#NOW", riotGameName: null });
    const nicer = unique("Nicer ");
    expect(await update({ gameName: "Riot Support", tagLine: "NOW" }, nicer)).toMatchObject({
      riotId: `${nicer}#NOW`,
      riotGameName: nicer,
    });
  });
});

test("A Riot name of letters that nobody can see is shown with its tag", async () => {
  const { player, riotId, whole } = await newVerified("\u3164\u3164\u3164");
  expect(await profileOf(player)).toMatchObject({ riotId: whole, riotGameName: null, foundBy: whole });
  const { client: other } = await newVisitor(app);
  expect(heading((await other.get(`/players/${player.id}`)).text)).toContain(`#${riotId.tagLine}`);
});

test("A post's title that could be mistaken for Lineup itself is stored, and queued for moderators", async () => {
  const { client, player } = await newVisitor(app);
  const fields = { title: "Lineup support: verify here", message: "A moderator wrote to me", neededPlayers: "2" };
  expect((await client.post("/dashboard/lfg/new", { ...fields, id: uuidv7() })).status).toBe(303);
  const [post] = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
  const found = await app.db
    .select({ field: caseFindings.field, finding: caseFindings.finding })
    .from(caseFindings)
    .innerJoin(reportCases, eq(reportCases.id, caseFindings.caseId))
    .where(eq(reportCases.subjectId, post?.id as string));
  expect(found).toEqual([{ field: "title", finding: "reserved-name" }]);
});

describe("A name that could be mistaken for Lineup itself is refused at its field", () => {
  const MISTAKEN = /could be mistaken for Lineup itself\./;

  test.each(["Lineup", "Lіneup Support", "Line\u200Bup", "The Moderators", "You"])(
    "as a team name: %s",
    async (name) => {
      const { id } = await newTournament();
      const { client } = await newEntrant();
      const answer = await register(client, id, name);
      expect(answer.status).toBe(400);
      expect(field(answer.text, "name")).toMatchObject({ value: name, invalid: true });
      expect(field(answer.text, "name").description).toMatch(MISTAKEN);
      expect(await app.db.$count(tournamentTeams, eq(tournamentTeams.tournamentId, id))).toBe(0);
    },
  );

  test.each(["Official Riot Cup", "Lineup Weekly", "Αdmin Cup"])("as a tournament's title: %s", async (title) => {
    const { client, player } = await newVisitor(app);
    const at = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);
    const answer = await client.post("/dashboard/tournaments/new", {
      id: uuidv7(),
      title,
      description: "One evening.",
      entryFee: "0",
      prizePool: "0",
      maxParticipants: "8",
      tournamentDate: at(10),
      registrationDeadline: at(9),
      timeZone: "UTC",
    });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "title").description).toMatch(MISTAKEN);
    expect(await app.db.$count(tournaments, eq(tournaments.userId, player.id))).toBe(0);
  });

  test.each(["Lineup#EUW", "Somebody#ADMIN"])("as an unverified Riot ID: %s", async (riotId) => {
    const { client, player } = await newVisitor(app);
    const answer = await client.post(PROFILE, { riotId, description: "Kept in the form" });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "riotId").description).toMatch(MISTAKEN);
    expect(field(answer.text, "description").value).toBe("Kept in the form");
    expect((await profileOf(player)).riotId).not.toBe(riotId);
  });

  test.each(["Moderator", "Verified by Riot"])("as a personality tag: %s", async (tag) => {
    const { client } = await newVisitor(app);
    const answer = await client.post(PROFILE, { personalityTags: `calm, ${tag}` });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "personalityTags").description).toContain(
      `The tag “${tag}” looks like a mark from Lineup`,
    );
    expect((await client.post(PROFILE, { personalityTags: "calm, Support" })).status).toBe(303);
  });
});
