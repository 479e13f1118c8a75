import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import {
  caseFindings,
  lfgPosts,
  profiles,
  reportCases,
  reports,
  restrictions,
  teamDetails,
  teamReady,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import { hidingIn } from "../support/hiding";
import { announcements, buttons, field, links, select, selectEach, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { openConversation, openRoom } from "../support/socket";
import { addBlock, DAY, HOUR, MINUTE, newVisitor, sendTo } from "./players";
import { startConversation, type Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { accept, newPost, newTeam, requestOf } = teamsIn(app);
const { hide } = hidingIn(app);

const LINK = "https://discord.gg/aBcDeF";

/** A complete team of three, whose accounts are old enough for links. */
async function newRoom() {
  const { author, postId, members, conversationId } = await newTeam(2);
  const [maya, ben] = members as [Visitor, Visitor];
  const rename = (visitor: Visitor, riotGameName: string) =>
    app.db
      .update(profiles)
      .set({ riotGameName, riotId: `${riotGameName}#ONE` })
      .where(eq(profiles.userId, visitor.player.id));
  await rename(author, "Ann");
  await rename(maya, "Maya");
  await rename(ben, "Ben");
  for (const { player } of [author, maya, ben]) {
    await app.db
      .update(users)
      .set({ createdAt: new Date(Date.now() - 2 * DAY) })
      .where(eq(users.id, player.id));
  }
  const page = `/lfg/${postId}`;
  const chat = `/dashboard/messages/${conversationId}`;
  return { author, maya, ben, postId, conversationId, page, chat };
}

const press = (
  { client }: Pick<Visitor, "client">,
  page: string,
  intent: string,
  fields: Record<string, string> = {},
) => client.post(page, { intent, ...fields });
const setCode = (visitor: Visitor, page: string, partyCode: string) =>
  press(visitor, page, "set-party-code", { partyCode });
const setLink = (visitor: Visitor, page: string, voiceLink: string) =>
  press(visitor, page, "set-voice-link", { voiceLink });

/** The room as a page shows it: the team's section on the post's page, or the part above the messages in the chat. */
const roomOn = (html: string) => textOf(select(html, "#team, .room-strip, .thread .room-head"));
const roomOf = async ({ client }: Visitor, page: string) => roomOn((await client.get(page)).text);

const detailsOf = async (postId: string) =>
  Object.fromEntries(
    (await app.db.select().from(teamDetails).where(eq(teamDetails.postId, postId))).map(({ kind, value }) => [
      kind,
      value,
    ]),
  );
const readyIn = async (postId: string) =>
  (await app.db.select().from(teamReady).where(eq(teamReady.postId, postId))).map(({ userId }) => userId).sort();

describe("The room of a team", () => {
  test("says on the post's page and in the chat who is in and what comes next, in one round trip", async () => {
    const { author, maya, page, chat } = await newRoom();
    for (const place of [page, chat]) {
      const shown = await maya.client.get(place);
      expect(roundTrips(shown)).toBe(1);
      const room = roomOn(shown.text);
      expect(room).toContain("Press Ready when you're set. 0 of 3 ready");
      expect(room).toContain("Riot ID Ann#ONE");
      expect(room).toContain("Riot ID Ben#ONE");
      expect(room).toContain("Missing: Duelist, Initiator, Controller, Sentinel");
      expect(room).toMatch(/cleared when your session ends: (today|tomorrow), \d/);
      expect(buttons(shown.text)).toEqual(expect.arrayContaining(["Ready", "Set Code", "Set Link"]));
    }
    const first = await author.client.get(chat);
    expect(textOf(select(first.text, ".thread-scroll"))).toContain("Say hi in team chat.");
    expect(select(first.text, ".room-strip details").attr("open")).toBeDefined();
    await sendTo(author.client, chat.split("/").at(-1) as string, "Hi");
    const later = await author.client.get(chat);
    expect(textOf(select(later.text, ".thread-scroll"))).not.toContain("Say hi in team chat.");
    expect(select(later.text, ".room-strip details").attr("open")).toBeUndefined();
  });

  test("counts the role that a member asked for, else the one they usually play", async () => {
    const { author, postId } = await newPost(2, 0);
    const usualRole = (player: Visitor["player"], preferredRole: "Controller" | "Duelist") =>
      app.db.update(profiles).set({ preferredRole }).where(eq(profiles.userId, player.id));
    await usualRole(author.player, "Controller");
    for (const role of ["Initiator", ""]) {
      const asker = await newVisitor(app, { preferredRole: "Duelist" });
      await requestToJoin(asker.client, postId, { role });
      await accept(author, postId, asker);
    }
    const room = await roomOf(author, `/lfg/${postId}`);
    expect(room).toMatch(/Missing: Sentinel(?!,)/);
  });

  test("begins when the first player is accepted, and counts the open spots", async () => {
    const { author, postId, askers } = await newPost(3, 1);
    const page = `/lfg/${postId}`;
    expect(select((await author.client.get(page)).text, "#team")).toHaveLength(0);
    const [asker] = askers as [Visitor];
    expect(await press(author, page, "ready")).toMatchObject({ status: 404 });
    await accept(author, postId, asker);
    for (const visitor of [author, asker]) expect((await press(visitor, page, "ready")).status).toBe(303);
    expect(await roomOf(author, page)).toContain("All ready. 2 spots are still open. 2 of 2 ready");
  });

  test("counts the ready players, names the last one who isn't, and ignores a second press", async () => {
    const { author, maya, ben, page, chat, postId } = await newRoom();
    const answer = await press(maya, chat, "ready");
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, chat, 2]);
    expect((await press(maya, page, "ready")).location).toBe(page);
    expect(await readyIn(postId)).toEqual([maya.player.id]);
    expect(await roomOf(maya, page)).toContain("Waiting for 2 more to be ready. 1 of 3 ready");
    await press(ben, page, "ready");
    expect(await roomOf(maya, chat)).toContain("Waiting for Ann to be ready. 2 of 3 ready");
    expect(await roomOf(author, chat)).toContain("Everyone else is ready. Press Ready when you're set.");
    await press(author, page, "ready");
    expect(await roomOf(ben, page)).toContain("All ready. Set the party code.");
    await setCode(ben, page, "ab12cd");
    expect(await roomOf(author, page)).toContain("All ready. Queue up. 3 of 3 ready");
    for (let times = 0; times < 2; times += 1) expect((await press(ben, chat, "not-ready")).status).toBe(303);
    expect(await roomOf(author, page)).toContain("Waiting for Ben to be ready.");
  });

  test("holds a party code and a voice link, which any member sets, replaces and clears", async () => {
    const { author, maya, ben, page, chat, postId } = await newRoom();
    expect((await setCode(maya, page, " ab1 2cd ")).status).toBe(303);
    expect((await setLink(maya, chat, "discord.gg/aBcDeF")).location).toBe(chat);
    expect(await detailsOf(postId)).toEqual({ "party-code": "AB12CD", "voice-link": LINK });
    for (const place of [page, chat]) {
      const { text } = await ben.client.get(place);
      expect(roomOn(text)).toContain("AB12CD Clear Code From Maya · Report");
      expect(links(text)).toContainEqual({ text: "discord.gg/aBcDeF", href: LINK });
      const link = selectEach(text, "a").find((one) => one.attr("href") === LINK);
      expect(link?.attr()).toMatchObject({ target: "_blank", rel: "noopener noreferrer nofollow ugc" });
    }
    // The viewer's own has no `Report`.
    expect(await roomOf(maya, page)).not.toContain("From Maya");
    await setCode(author, chat, "ZZZZZ9");
    expect(await detailsOf(postId)).toMatchObject({ "party-code": "ZZZZZ9" });
    for (let times = 0; times < 2; times += 1) {
      for (const kind of ["party-code", "voice-link"]) {
        expect((await press(ben, page, `clear-${kind}`)).status).toBe(303);
      }
    }
    expect(await detailsOf(postId)).toEqual({});
  });

  test("refuses other codes and links, and keeps what was typed beside the reason", async () => {
    const { maya, page, chat, postId } = await newRoom();
    for (const place of [page, chat]) {
      const code = await setCode(maya, place, "AB12C");
      expect(code.status).toBe(400);
      expect(field(code.text, "partyCode")).toEqual({
        value: "AB12C",
        invalid: true,
        description: "Enter the 6 letters and digits that VALORANT shows.",
      });
      const link = await setLink(maya, place, "https://discord.gg.evil.example/x");
      expect(link.status).toBe(400);
      expect(field(link.text, "voiceLink")).toMatchObject({
        value: "https://discord.gg.evil.example/x",
        description: "Paste a Discord link: discord.gg/… or discord.com/…",
      });
      expect(field(link.text, "partyCode")).toMatchObject({ value: "", invalid: false });
      if (place === chat) expect(field(link.text, "message")).toMatchObject({ value: "", invalid: false });
    }
    expect(await detailsOf(postId)).toEqual({});
  });

  test("belongs to its members alone: others can't see or change it, and players who leave lose it", async () => {
    const { author, maya, ben, page, chat, postId } = await newRoom();
    await setCode(maya, page, "AB12CD");
    await setLink(ben, page, LINK);
    for (const visitor of [author, maya, ben]) await press(visitor, page, "ready");
    const stranger = await newVisitor(app);
    const asker = await newVisitor(app);
    const guest = { client: app.client() };
    await app.db
      .update(lfgPosts)
      .set({ neededPlayers: 3, isActive: true, filledAt: null })
      .where(eq(lfgPosts.id, postId));
    await requestToJoin(asker.client, postId);
    const secrets = /AB12CD|aBcDeF|Ann#ONE|of 3 ready/;
    for (const visitor of [stranger, asker, guest]) {
      expect((await visitor.client.get(page)).text).not.toMatch(secrets);
      // A player who asks to join gets a status of their own, because they may have been in the team before.
      const status = visitor === guest ? 401 : visitor === asker ? 409 : 404;
      for (const place of [page, chat]) {
        for (const intent of ["ready", "not-ready", "clear-party-code", "clear-voice-link"]) {
          const answer = await press(visitor, place, intent);
          expect(answer.status, `${place} ${intent}`).toBe(status);
        }
        const set = await press(visitor, place, "set-party-code", { partyCode: "AAAAAA" });
        expect(set.status).toBe(status);
      }
    }
    expect(await detailsOf(postId)).toEqual({ "party-code": "AB12CD", "voice-link": LINK });
    expect(await readyIn(postId)).toHaveLength(3);

    // A player who leaves knows the party code, so it is cleared, along with everything that they set.
    await pressTeamButton(maya.client, postId, "leave");
    expect((await maya.client.get(page)).text).not.toMatch(secrets);
    expect((await maya.client.get(chat)).status).toBe(404);
    expect((await press(maya, page, "ready")).status).toBe(409);
    expect(await detailsOf(postId)).toEqual({ "voice-link": LINK });
    expect(await readyIn(postId)).toEqual([author.player.id, ben.player.id].sort());
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, ben.player)).id);
    expect((await ben.client.get(page)).text).not.toMatch(secrets);
    expect(await detailsOf(postId)).toEqual({});
    // Only the author is left, so there is no team.
    expect(await readyIn(postId)).toEqual([]);
  });

  test("tells those who press its buttons on an outdated page that they, or all others, have left the team", async () => {
    const { author, maya, ben, page, postId } = await newRoom();
    const refusals = async (visitor: Visitor) => {
      const answers = [
        await press(visitor, page, "ready"),
        await press(visitor, page, "not-ready"),
        await setCode(visitor, page, "AB12CD"),
        await press(visitor, page, "clear-party-code"),
      ];
      expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(409));
      return new Set(answers.map(({ text }) => announcements(text).at(-1)));
    };
    const left = new Set(["Error You're no longer in this team."]);
    await pressTeamButton(maya.client, postId, "leave");
    expect(await refusals(maya)).toEqual(left);
    // The request of a player who asks again no longer says that they were in the team.
    await requestToJoin(maya.client, postId);
    expect(await refusals(maya)).toEqual(left);
    await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, maya.player)).id);
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, ben.player)).id);
    for (const gone of [maya, ben]) expect(await refusals(gone)).toEqual(left);
    expect(await refusals(author)).toEqual(new Set(["Error Everyone else has left your team."]));
    expect(await detailsOf(postId)).toEqual({});
    expect(await readyIn(postId)).toEqual([]);
  });

  test("keeps its settings when someone withdraws a request, or tries to leave without being in it", async () => {
    const { author, postId, askers } = await newPost(3, 2);
    const [one, two] = askers as [Visitor, Visitor];
    await accept(author, postId, one);
    const page = `/lfg/${postId}`;
    await setCode(one, page, "AB12CD");
    await pressTeamButton(two.client, postId, "withdraw");
    await pressTeamButton(two.client, postId, "leave");
    expect(await detailsOf(postId)).toEqual({ "party-code": "AB12CD" });
  });

  test("tells the open tabs of all members of each change, and of nothing else", async () => {
    const { author, maya, conversationId, page, chat } = await newRoom();
    const socket = await openConversation(author.client, conversationId);
    await socket.next("hello");
    await press(maya, page, "ready");
    await socket.next("team");
    await setCode(maya, chat, "AB12CD");
    await socket.next("team");
    // A refused form isn't news of the team: the next frame is the message sent after it.
    await setCode(maya, chat, "no");
    await sendTo(maya.client, conversationId, "Hi");
    await socket.next("message");
    expect(socket.frames.filter(({ type }) => type === "team")).toHaveLength(2);
    socket.close();
  });

  test("tells its open tabs of changes from elsewhere: of the post, by moderators, and the end of the session", async () => {
    const { author, maya, conversationId, page, postId } = await newRoom();
    const socket = await openConversation(author.client, conversationId);
    await socket.next("hello");
    await setCode(maya, page, "AB12CD");
    await socket.next("team");
    const changes: Record<string, () => Promise<unknown>> = {
      closed: () => press(author, page, "close"),
      reopened: () => press(author, page, "reopen"),
      larger: () => author.client.post(`${page}/edit`, { title: "Three for Haven", neededPlayers: "3" }),
      "without the code": () => hide({ kind: "player", id: maya.player.id }),
      hidden: () => hide({ kind: "post", id: postId }),
      async over() {
        await app.db
          .update(lfgPosts)
          .set({ filledAt: new Date(Date.now() - 2 * HOUR - MINUTE) })
          .where(eq(lfgPosts.id, postId));
        await app.runScheduled();
      },
    };
    // Room for one more, so that the post is open.
    await app.db
      .update(lfgPosts)
      .set({ neededPlayers: 4, isActive: true, filledAt: null })
      .where(eq(lfgPosts.id, postId));
    for (const [change, make] of Object.entries(changes)) {
      await make();
      await socket.next("team").catch((error: Error) => expect.unreachable(`${change}: ${error.message}`));
    }
    socket.close();
  });

  test("keeps a code that a teammate has set after the page of the player who clears it was loaded", async () => {
    const { author, maya, ben, page, chat, postId } = await newRoom();
    await setCode(maya, page, "AB12CD");
    const setAt = field((await ben.client.get(chat)).text, "setAt").value as string;
    await setCode(author, page, "ZZZZZ9");
    const refused = await press(ben, chat, "clear-party-code", { setAt });
    expect(refused.status).toBe(409);
    expect(announcements(refused.text).join(" ")).toContain("A teammate has just set another one");
    expect(await detailsOf(postId)).toEqual({ "party-code": "ZZZZZ9" });
    for (let times = 0; times < 2; times += 1) {
      const current = times === 0 ? (field((await ben.client.get(chat)).text, "setAt").value as string) : setAt;
      expect((await press(ben, chat, "clear-party-code", { setAt: current })).status).toBe(303);
      expect(await detailsOf(postId)).toEqual({});
    }
  });

  test("tells a page when its socket opens that the team has changed since it was loaded", async () => {
    const { author, maya, conversationId, page } = await newRoom();
    const open = await openConversation(author.client, conversationId);
    const before = Date.now();
    await press(maya, page, "ready");
    await open.next("team");
    const openSince = (since: number) =>
      openRoom(author.client, `/parties/conversation/${conversationId}?since=${since}`);
    const [stale, current] = [await openSince(before), await openSince(Date.now() + 1)];
    await stale.next("team");
    await setCode(maya, page, "AB12CD");
    await current.next("team");
    expect(current.frames.filter(({ type }) => type === "team")).toHaveLength(1);
  });

  test("opens the leaving page for a link by a new account, and puts it on the moderators' queue", async () => {
    const { author, maya, page, chat } = await newRoom();
    await app.db.update(users).set({ createdAt: new Date() }).where(eq(users.id, maya.player.id));
    await setLink(maya, page, LINK);
    for (const place of [page, chat]) {
      const link = links((await author.client.get(place)).text).find(({ text }) => text === "discord.gg/aBcDeF");
      expect(link?.href).toMatch(/^\/leaving\?to=https%3A%2F%2Fdiscord\.gg%2FaBcDeF&sig=/);
      expect((await author.client.get(link?.href as string)).status).toBe(200);
    }
    const [flagged] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, maya.player.id));
    expect(flagged).toMatchObject({ kind: "player", isFlagged: true, snapshot: { teamDetails: [LINK] } });
    const findings = await app.db
      .select()
      .from(caseFindings)
      .where(eq(caseFindings.caseId, flagged?.id as string));
    expect(findings).toMatchObject([{ field: "teamDetails", finding: "new-account-link", matches: [LINK] }]);
  });

  test("adds a player's details to teammates' reports, and drops the details when the player is hidden", async () => {
    const { author, maya, page, postId } = await newRoom();
    await setLink(maya, page, LINK);
    const stranger = await newVisitor(app);
    const report = `/players/${maya.player.id}/report`;
    expect(links((await author.client.get(page)).text)).toContainEqual({ text: "Report", href: report });
    for (const { client } of [author, stranger]) {
      expect((await client.post(report, { id: uuidv7(), reason: "spam" })).status).toBe(303);
    }
    const [first] = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, maya.player.id));
    expect(first?.snapshot).toMatchObject({ teamDetails: [LINK] });
    const [second] = await app.db.select().from(reports).where(eq(reports.reporterId, stranger.player.id));
    expect(JSON.stringify(second)).not.toContain(LINK);
    await hide({ kind: "player", id: maya.player.id });
    expect(await detailsOf(postId)).toEqual({});
  });

  test("hides the voice link of a player whom the viewer has blocked, and Riot IDs across a block", async () => {
    const { author, maya, ben, page, chat } = await newRoom();
    await setLink(maya, page, LINK);
    await setCode(maya, page, "AB12CD");
    await addBlock(app, ben.player, maya.player);
    for (const place of [page, chat]) {
      const { text } = await ben.client.get(place);
      expect(roomOn(text)).toContain("From a player you blocked.");
      expect(text).not.toContain("aBcDeF");
      expect(text).not.toContain("Maya#ONE");
      // The code only leads into the game that they play together.
      expect(roomOn(text)).toContain("AB12CD");
      expect((await author.client.get(place)).text).toContain(LINK);
      expect((await maya.client.get(place)).text).not.toContain("Ben#ONE");
    }
  });

  test("refuses a code or a link from a player whose messages are limited, but lets them be ready", async () => {
    const { maya, page, postId } = await newRoom();
    const until = new Date(Date.now() + DAY);
    await app.db
      .insert(restrictions)
      .values({ userId: maya.player.id, scope: "messaging", until, decisionId: uuidv7() });
    const answer = await setLink(maya, page, LINK);
    expect(answer.status).toBe(403);
    expect(announcements(answer.text).join(" ")).toContain("Limited by moderators");
    expect((await setCode(maya, page, "AB12CD")).status).toBe(403);
    expect(await detailsOf(postId)).toEqual({});
    expect((await press(maya, page, "ready")).status).toBe(303);
  });

  test("is cleared when the session is over, and then asks how it was", async () => {
    const { author, maya, ben, page, chat, postId } = await newRoom();
    await setCode(maya, page, "AB12CD");
    await setLink(maya, page, LINK);
    await press(ben, page, "ready");
    await app.db
      .update(lfgPosts)
      .set({ filledAt: new Date(Date.now() - 2 * HOUR - MINUTE) })
      .where(eq(lfgPosts.id, postId));
    await app.runScheduled();
    expect(await detailsOf(postId)).toEqual({});
    expect(await readyIn(postId)).toEqual([]);
    for (const place of [page, chat]) {
      const { text } = await author.client.get(place);
      expect(roomOn(text)).toContain("How was playing with Maya and Ben? Give Feedback");
      expect(links(text).filter(({ href }) => href === `/dashboard/feedback/${postId}`)).toHaveLength(1);
      expect(buttons(text)).not.toContain("Ready");
    }
    for (const answer of [await press(maya, chat, "ready"), await setCode(maya, page, "AB12CD")]) {
      expect(answer.status).toBe(409);
      expect(announcements(answer.text).join(" ")).toContain("This team's session is over.");
    }
    expect(await detailsOf(postId)).toEqual({});
    expect(await readyIn(postId)).toEqual([]);
  });

  test("can be left from its chat once moderators have hidden the post, whose page is then gone", async () => {
    const { author, maya, ben, postId, page, chat } = await newRoom();
    const isOffered = async ({ client }: Visitor) => buttons((await client.get(chat)).text).includes("Leave Team");
    expect(await isOffered(maya)).toBe(false);
    await hide({ kind: "post", id: postId });
    expect((await maya.client.get(page)).status).toBe(404);
    const chatOfMaya = await maya.client.get(chat);
    expect(buttons(chatOfMaya.text)).toContain("Leave Team");
    expect(roundTrips(chatOfMaya)).toBe(1);
    // The author of a post is in its team for as long as there is one.
    expect(await isOffered(author)).toBe(false);
    const answer = await maya.client.submit(chat, "Leave Team");
    expect([answer.status, answer.location]).toEqual([303, "/dashboard/messages"]);
    const list = await maya.client.follow(answer);
    expect(announcements(list.text)).toContain("You've left the team");
    expect(list.text).not.toContain(chat);

    await app.db.update(lfgPosts).set({ sessionEndedAt: new Date() }).where(eq(lfgPosts.id, postId));
    expect(await isOffered(ben)).toBe(true);
    const stranger = await newVisitor(app);
    expect((await stranger.client.post(chat, { intent: "leave" })).status).toBe(404);
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, ben.player)).id);
    const late = await ben.client.post(chat, { intent: "leave" });
    expect([late.status, late.location]).toEqual([303, "/dashboard/messages"]);
    expect(announcements((await ben.client.follow(late)).text)).toContain("Error You're no longer in this team.");
  });

  test("loses the code and link that a player has set when their account is erased", async () => {
    const { author, maya, page, postId } = await newRoom();
    await setCode(maya, page, "AB12CD");
    await setLink(author, page, LINK);
    await press(maya, page, "ready");
    await app.db.run(sql`DELETE FROM users WHERE id = ${maya.player.id}`);
    expect(await detailsOf(postId)).toEqual({ "voice-link": LINK });
    expect(await readyIn(postId)).toEqual([]);
  });
});

test("A conversation of two has no room", async () => {
  const { reader, conversationId } = await startConversation(app);
  const chat = `/dashboard/messages/${conversationId}`;
  const shown = await reader.client.get(chat);
  expect(roundTrips(shown)).toBe(1);
  expect(roomOn(shown.text)).toBe("");
  expect((await press(reader, chat, "ready")).status).toBe(404);
});
