import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { joinRequests, lfgPosts, profiles, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { HttpResponse } from "../support/client";
import { announcements, field, findForm, heading, links, main, select, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { openInbox } from "../support/socket";
import { casesIn } from "./cases";
import { addBlock, addPost, DAY, HOUR, MINUTE, newVisitor, unique } from "./players";
import { contactAuthor, type Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { postOf, requestOf, stateOf, newsOf, newPost, accept, newTeam } = teamsIn(app);
const { newCase, decideCase } = casesIn(app);

describe("Asking to join", () => {
  test("stores the request with role and note, tells the author, and shows the player its state", async () => {
    const author = await newVisitor(app, { riotGameName: "Sova Main" });
    const postId = await addPost(app, author.player.id, { title: "Two for Haven", neededPlayers: 2 });
    const { client, player } = await newVisitor(app, { riotGameName: "Cypher Main", currentRank: "Gold 2" });
    const page = await client.get(`/lfg/${postId}`);
    expect(links(page.text)).toContainEqual({ text: "Request to Join", href: `/lfg/${postId}/join` });
    const dialog = await client.get(`/lfg/${postId}/join`);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    const answer = await client.submit(`/lfg/${postId}/join`, "Send Request", {
      role: "Sentinel",
      note: "  I hold B.\tAlone.  ",
    });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `/lfg/${postId}`, 2]);
    const after = await client.follow(answer);
    expect(announcements(after.text)).toContain("Request sent! We'll let you know when they answer.");
    expect(main(after.text)).toContain(
      "Your request is with Sova Main . We'll let you know when they answer. You would play Sentinel.",
    );
    expect(links(after.text).some(({ text }) => text === "Request to Join")).toBe(false);
    expect(await requestOf(postId, player)).toMatchObject({
      role: "Sentinel",
      note: "I hold B. Alone.",
      state: "pending",
      decidedAt: null,
    });
    expect(await newsOf(author.player, `post:${postId}`)).toEqual([
      {
        kind: "join-request",
        name: "Cypher Main",
        title: "Two for Haven",
        count: 1,
        causedBy: player.id,
        since: expect.any(Number),
      },
    ]);
    const rail = await author.client.get("/dashboard");
    expect(textOf(rail.text)).toContain("1 player wants to join.");
    expect(roundTrips(rail)).toBe(1);
    const own = await author.client.get(`/lfg/${postId}`);
    expect(roundTrips(own)).toBe(1);
    expect(main(own.text)).toMatch(/Requests .*Cypher Main Gold 2 Sentinel .*I hold B\. Alone\. Report Accept Decline/);
    await expect.poll(() => newsOf(author.player, `post:${postId}`)).toEqual([]);
  });

  test("suggests the role that the player usually plays", async () => {
    const { postId } = await newPost(1, 0);
    const { client } = await newVisitor(app, { preferredRole: "Sentinel" });
    const form = (await client.get(`/lfg/${postId}/join`)).text;
    expect(textOf(select(form, "select[name=role] option[selected]"))).toBe("Sentinel");
  });

  test("needs neither role nor note", async () => {
    const { author, postId } = await newPost(1, 0);
    const { client, player } = await newVisitor(app);
    await requestToJoin(client, postId, { role: "", note: " \u200B " });
    expect(await requestOf(postId, player)).toMatchObject({ role: null, note: null });
    expect(main((await author.client.get(`/lfg/${postId}`)).text)).toContain(`Player ${player.id.slice(0, 8)}`);
  });

  test("twice with one form stores one request and tells the author once", async () => {
    const { author, postId } = await newPost(1, 0);
    const { client, player } = await newVisitor(app);
    const id = uuidv7();
    const answers = await Promise.all(Array.from({ length: 5 }, () => requestToJoin(client, postId, { id })));
    answers.push(await requestToJoin(client, postId, { id }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
    expect((await requestOf(postId, player)).id).toBe(id);
    expect(await newsOf(author.player, `post:${postId}`)).toMatchObject([{ kind: "join-request", count: 1 }]);
  });

  test("sent again with another note says that the first is waiting, and keeps it", async () => {
    const { postId } = await newPost(1, 0);
    const { client, player } = await newVisitor(app);
    const id = uuidv7();
    expect((await requestToJoin(client, postId, { id, note: "I main Omen" })).status).toBe(303);
    const answer = await requestToJoin(client, postId, { id, note: "I main Sova" });
    expect(answer.status).toBe(409);
    expect(announcements(answer.text)[0]).toContain("You've already asked to join. The author hasn't answered yet.");
    expect(await requestOf(postId, player)).toMatchObject({ note: "I main Omen" });
  });

  test("under the id of another player's request changes nothing", async () => {
    const { postId, askers } = await newPost(1, 1);
    const [victim] = askers as [Visitor];
    const before = await requestOf(postId, victim.player);
    const { client, player } = await newVisitor(app);
    const other = await newPost(1, 0);
    for (const target of [postId, other.postId]) {
      const answer = await requestToJoin(client, target, { id: before.id, note: "Mine now" });
      expect(answer.status).toBe(409);
      expect(announcements(answer.text)[0]).toContain("This form was already used.");
      expect(await requestOf(target, player)).toBeUndefined();
    }
    expect(await requestOf(postId, victim.player)).toEqual(before);
  });

  test("is refused on one's own, a closed, a full and a deleted post, with the reason", async () => {
    const own = await newPost(1, 0);
    const full = await newTeam(1);
    const closed = await newPost(1, 0);
    await pressTeamButton(closed.author.client, closed.postId, "close");
    const expired = await newVisitor(app);
    const expiredId = await addPost(app, expired.player.id, { createdAt: new Date(Date.now() - DAY - MINUTE) });
    const { client, player } = await newVisitor(app);
    for (const [visitor, postId, reason] of [
      [own.author.client, own.postId, "This is your own post"],
      [client, full.postId, "The last spot was just taken."],
      [client, closed.postId, "This post is closed"],
      [client, expiredId, "This post is closed"],
    ] as const) {
      const page = await visitor.get(`/lfg/${postId}/join`);
      expect(page.location, reason).toBe(`/lfg/${postId}`);
      expect(announcements((await visitor.follow(page)).text).join(), reason).toContain(reason);
      const answer = await requestToJoin(visitor, postId, { note: "Kept?" });
      expect(answer.status, reason).toBe(409);
      expect(announcements(answer.text).join(), reason).toContain(reason);
      expect(field(answer.text, "note").value).toBe("Kept?");
      expect(links((await visitor.get(`/lfg/${postId}`)).text).some(({ text }) => text === "Request to Join")).toBe(
        false,
      );
    }
    expect((await requestToJoin(client, uuidv7())).status).toBe(409);
    expect((await client.get(`/lfg/${uuidv7()}/join`)).status).toBe(404);
    expect(await app.db.select().from(joinRequests).where(eq(joinRequests.userId, player.id))).toEqual([]);
  });

  test("is refused across a block, with the same text as for a message", async () => {
    for (const direction of ["author", "player"] as const) {
      const { author, postId } = await newPost(1, 0);
      const { client, player } = await newVisitor(app);
      if (direction === "author") await addBlock(app, author.player, player);
      else await addBlock(app, player, author.player);
      const [asked, wrote] = [await requestToJoin(client, postId), await contactAuthor(client, postId, "Hi")];
      expect([asked.status, wrote.status]).toEqual([403, 403]);
      const words = "You can't message this player.";
      expect(announcements(asked.text).join()).toContain(words);
      expect(announcements(wrote.text).join()).toContain(words);
      expect(await requestOf(postId, player)).toBeUndefined();
      expect(await newsOf(author.player, `post:${postId}`)).toEqual([]);
    }
  });

  test("with an invalid form stores nothing, and each field shows its error", async () => {
    const { postId } = await newPost(1, 0);
    const { client, player } = await newVisitor(app);
    for (const [fields, name, words] of [
      [{ role: "Healer" }, "role", "Choose a role from the list."],
      [{ note: "x".repeat(201) }, "note", "This note is 1 character too long. The limit is 200."],
      [{ note: "x".repeat(10_000) }, "note", "This note is 9,800 characters too long. The limit is 200."],
      [{ note: "a\u202Eb" }, "note", "This note contains characters that can't be shown. Type it again."],
    ] as const) {
      const answer = await requestToJoin(client, postId, fields);
      expect(answer.status).toBe(400);
      expect(field(answer.text, name)).toMatchObject({ invalid: true, description: words });
    }
    for (const id of ["", "no id", "'; DROP TABLE join_requests"]) {
      const answer = await requestToJoin(client, postId, { id });
      expect(answer.status).toBe(400);
      expect(announcements(answer.text).join()).toContain("This form is out of date.");
    }
    expect(await requestOf(postId, player)).toBeUndefined();
  });

  test("signed out leads to the sign-in and back, and stores nothing", async () => {
    const { postId } = await newPost(1, 0);
    const visitor = app.client();
    expect(links((await visitor.get(`/lfg/${postId}`)).text)).toContainEqual({
      text: "Request to Join",
      href: `/lfg/${postId}/join`,
    });
    const page = await visitor.get(`/lfg/${postId}/join`);
    expect(page.location).toBe(`/auth?${new URLSearchParams({ redirectTo: `/lfg/${postId}/join` })}`);
    expect((await requestToJoin(visitor, postId, { note: "Hello" })).status).toBe(401);
    expect(await app.db.select().from(joinRequests).where(eq(joinRequests.postId, postId))).toEqual([]);
  });

  test("again is possible after withdrawing or leaving, but not after a decline or a removal", async () => {
    const { author, postId, askers } = await newPost(4, 4);
    const [back, left, declined, removed] = askers as [Visitor, Visitor, Visitor, Visitor];
    const first = (await requestOf(postId, back.player)).id;
    await pressTeamButton(back.client, postId, "withdraw");
    await accept(author, postId, left);
    await pressTeamButton(left.client, postId, "leave");
    await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, declined.player)).id);
    await accept(author, postId, removed);
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, removed.player)).id);
    for (const { client, player } of [back, left]) {
      expect((await client.get(`/lfg/${postId}/join`)).status).toBe(200);
      expect((await requestToJoin(client, postId, { note: "Again" })).status).toBe(303);
      expect(await requestOf(postId, player)).toMatchObject({ state: "pending", note: "Again", decidedAt: null });
    }
    // The author's old page has the id of the first request; its buttons must not decide about the new one.
    for (const intent of ["accept", "decline"]) {
      const late = await pressTeamButton(author.client, postId, intent, first);
      expect([late.status, announcements(late.text).join()]).toEqual([
        409,
        expect.stringContaining("This request no longer exists. The player may have sent a new one."),
      ]);
      expect(heading(late.text)).toBe("Two for Haven");
    }
    expect(await stateOf(postId, back.player)).toBe("pending");
    // After going back, the old form with its used id is refused.
    await pressTeamButton(back.client, postId, "withdraw");
    expect((await requestToJoin(back.client, postId, { id: (await requestOf(postId, back.player)).id })).status).toBe(
      409,
    );
    expect(await stateOf(postId, back.player)).toBe("withdrawn");
    for (const [{ client, player }, state, words] of [
      [declined, "declined", "Your request was declined"],
      [removed, "removed", "You were in this team before"],
    ] as const) {
      const answer = await requestToJoin(client, postId);
      expect([answer.status, announcements(answer.text).join()]).toEqual([409, expect.stringContaining(words)]);
      expect(await stateOf(postId, player)).toBe(state);
      expect((await client.get(`/lfg/${postId}/join`)).location).toBe(`/lfg/${postId}`);
    }
  });

  test("can be withdrawn until it is answered, and the author's news disappears with the last request", async () => {
    const { author, postId, askers } = await newPost(2, 2);
    const [one, other] = askers as [Visitor, Visitor];
    const page = await one.client.submit(`/lfg/${postId}`, "Withdraw");
    expect([page.status, page.location, roundTrips(page)]).toEqual([303, `/lfg/${postId}`, 2]);
    expect(await stateOf(postId, one.player)).toBe("withdrawn");
    expect(await newsOf(author.player, `post:${postId}`)).toHaveLength(1);
    await pressTeamButton(other.client, postId, "withdraw");
    expect(await newsOf(author.player, `post:${postId}`)).toEqual([]);
    // Withdrawing again changes nothing, and a stranger has nothing to withdraw.
    expect((await pressTeamButton(other.client, postId, "withdraw")).status).toBe(303);
    expect((await pressTeamButton((await newVisitor(app)).client, postId, "withdraw")).status).toBe(404);
    await requestToJoin(one.client, postId);
    await accept(author, postId, one);
    const late = await pressTeamButton(one.client, postId, "withdraw");
    expect(late.status).toBe(409);
    expect(announcements(late.text).join()).toContain("You've just been accepted.");
    expect(await stateOf(postId, one.player)).toBe("accepted");
  });
});

test("A request disappears from the open tabs of the author when the player's account is about to be deleted", async () => {
  const { author, askers } = await newPost(1, 1);
  const [{ client, player }] = askers as [Visitor];
  const inbox = await openInbox(author.client);
  await inbox.next("unread", ({ notifications }) => notifications === 1);
  await client.post("/dashboard/settings/delete-account", { email: player.email });
  await inbox.next("unread", ({ notifications }) => notifications === 0);
  inbox.close();
});

test("A request that only changes an unread notification reaches the author's open tabs as news; reading it doesn't", async () => {
  const { author, postId, askers } = await newPost(3, 2);
  const [first] = askers as [Visitor, Visitor];
  const inbox = await openInbox(author.client);
  const isNews = { type: "unread", messages: 0, notifications: 1, isNews: true };
  expect((await pressTeamButton(first.client, postId, "withdraw")).status).toBe(303);
  expect(await inbox.next("unread", (frame) => "isNews" in frame)).toEqual(isNews);
  expect((await requestToJoin(first.client, postId)).status).toBe(303);
  expect(await inbox.next("unread", (frame) => "isNews" in frame)).toEqual(isNews);
  await author.client.get(`/lfg/${postId}`);
  expect(await inbox.next("unread", ({ notifications }) => notifications === 0)).not.toHaveProperty("isNews");
  inbox.close();
});

test("The warning that a post closes soon is read once the team is complete", async () => {
  const { author, postId, askers } = await newPost(1, 1);
  const soon = new Date(Date.now() + 30 * MINUTE);
  await app.db.update(lfgPosts).set({ expiresAt: soon }).where(eq(lfgPosts.id, postId));
  await app.runScheduled();
  const kinds = async () => (await newsOf(author.player, `post:${postId}`)).map(({ kind }) => kind);
  expect(await kinds()).toContain("post-expiring");
  await accept(author, postId, askers[0] as Visitor);
  expect(await kinds()).toEqual([]);
});

describe("News of a request that nobody has answered", () => {
  test("is read once the post has expired, also in the author's open tabs", async () => {
    const { author, postId, askers } = await newPost(1, 1);
    const [asker] = askers as [Visitor];
    const tab = await openInbox(author.client);
    await tab.next("unread", ({ notifications }) => notifications === 1);
    await app.db
      .update(lfgPosts)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(lfgPosts.id, postId));
    await app.runScheduled();
    expect(await stateOf(postId, asker.player)).toBe("lapsed");
    expect(await newsOf(author.player, `post:${postId}`)).toEqual([]);
    await tab.next("unread", ({ notifications }) => notifications === 0);
    tab.close();
  });

  test.each([
    [
      "the author asks for the deletion of their account",
      ({ client, player }: Visitor) => client.post("/dashboard/settings/delete-account", { email: player.email }),
    ],
    [
      "the author is suspended",
      async ({ player }: Visitor) => decideCase(await newCase(player), { action: "suspend" }),
    ],
  ])("is read once the post is closed because %s", async (_, closeAccount) => {
    const { author, postId } = await newPost(1, 1);
    expect(await newsOf(author.player, `post:${postId}`)).toHaveLength(1);
    await closeAccount(author);
    expect(await postOf(postId)).toMatchObject({ isActive: false });
    expect(await newsOf(author.player, `post:${postId}`)).toEqual([]);
  });
});

describe("The author's answer", () => {
  test("takes a player into the team: only members see the others' Riot ID and Discord tag", async () => {
    const author = await newVisitor(app, { riotGameName: "Ann", riotId: "Ann#AAA", discordTag: "ann.discord" });
    const postId = await addPost(app, author.player.id, { title: "Team talk", neededPlayers: 2 });
    const member = await newVisitor(app, { riotGameName: "Ben", riotId: "Ben#BBB", discordTag: "ben.discord" });
    const waiting = await newVisitor(app, { riotGameName: "Cem", riotId: "Cem#CCC", discordTag: "cem.discord" });
    await requestToJoin(member.client, postId, { role: "Duelist" });
    await requestToJoin(waiting.client, postId);
    const before = await author.client.get(`/lfg/${postId}`);
    expect(main(before.text)).not.toMatch(/Your team|discord|#BBB/);
    const answer = await accept(author, postId, member);
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `/lfg/${postId}`, 2]);
    expect(await postOf(postId)).toMatchObject({ takenSpots: 1, isActive: true, filledAt: null });
    expect(await newsOf(member.player, `post:${postId}`)).toMatchObject([{ kind: "join-accepted", name: "Ann" }]);
    const { conversationId } = await postOf(postId);
    for (const { client } of [author, member]) {
      const page = await client.get(`/lfg/${postId}`);
      expect(roundTrips(page)).toBe(1);
      expect(main(page.text)).toMatch(
        /Your team .*Ann .*Riot ID Ann#AAA Discord ann\.discord .*Ben Duelist .*Riot ID Ben#BBB Discord ben\.discord/,
      );
      expect(links(page.text)).toContainEqual({ text: "Team Chat", href: `/dashboard/messages/${conversationId}` });
    }
    const stranger = await newVisitor(app);
    for (const client of [waiting.client, stranger.client, app.client()]) {
      for (const path of [`/lfg/${postId}`, `/lfg/${postId}.data`, `/lfg/${postId}/join`]) {
        const { text } = await client.get(path);
        expect(text, path).not.toMatch(/#AAA|#BBB|\.discord/);
        expect(text, path).not.toContain(conversationId);
      }
    }
    // A player who asks to join doesn't see the author's names yet.
    expect((await author.client.get(`/lfg/${postId}`)).text).not.toMatch(/cem\.discord|#CCC/);
  });

  test("that fills the last spot closes the post, and the remaining players are told", async () => {
    const { author, postId, askers } = await newPost(2, 4);
    const [one, two, three, four] = askers as [Visitor, Visitor, Visitor, Visitor];
    await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, four.player)).id);
    await accept(author, postId, one);
    expect(main((await three.client.get(`/lfg/${postId}`)).text)).toContain("Needs 1 player");
    const last = await accept(author, postId, two);
    expect(announcements((await author.client.follow(last)).text).join()).toContain("Your team is complete");
    expect(await postOf(postId)).toMatchObject({ takenSpots: 2, isActive: false, filledAt: expect.any(Date) });
    expect(await stateOf(postId, three.player)).toBe("lapsed");
    expect(await stateOf(postId, four.player)).toBe("declined");
    expect(await newsOf(three.player, `post:${postId}`)).toMatchObject([{ kind: "join-declined", reason: "full" }]);
    expect(await newsOf(four.player, `post:${postId}`)).toMatchObject([
      { kind: "join-declined", reason: "declined", count: 1 },
    ]);
    const page = main((await three.client.get(`/lfg/${postId}`)).text);
    expect(page).toContain("This team is complete.");
    expect(page).toContain("Someone else got the last spot.");
    expect(main((await four.client.get(`/lfg/${postId}`)).text)).toContain("Your request was declined.");
    expect((await three.client.get("/dashboard")).text).not.toContain(postId);
    const late = await pressTeamButton(author.client, postId, "accept", (await requestOf(postId, three.player)).id);
    expect(late.status).toBe(409);
    expect(announcements(late.text).join()).toContain("someone else just got the last spot");
  });

  test("counts once when it is given twice", async () => {
    const { author, postId, askers } = await newPost(3, 2);
    const [one, other] = askers as [Visitor, Visitor];
    const request = (await requestOf(postId, one.player)).id;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => pressTeamButton(author.client, postId, "accept", request)),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
    expect(await postOf(postId)).toMatchObject({ takenSpots: 1 });
    expect(await newsOf(one.player, `post:${postId}`)).toMatchObject([{ kind: "join-accepted", count: 1 }]);
    const declined = (await requestOf(postId, other.player)).id;
    await Promise.all(Array.from({ length: 6 }, () => pressTeamButton(author.client, postId, "decline", declined)));
    expect(await newsOf(other.player, `post:${postId}`)).toMatchObject([{ kind: "join-declined", count: 1 }]);
    // The other button comes too late.
    const [late, later] = [
      await pressTeamButton(author.client, postId, "accept", declined),
      await pressTeamButton(author.client, postId, "decline", request),
    ];
    expect([late.status, later.status]).toEqual([409, 409]);
    expect(announcements(late.text).join()).toContain("You've already declined");
    expect(announcements(later.text).join()).toContain("is already in your team");
  });

  for (const intent of ["accept", "decline"]) {
    test(`to one player leaves the news of the others unread, with one fewer in it: ${intent}`, async () => {
      const { author, postId, askers } = await newPost(3, 3);
      const [one, other, last] = askers as [Visitor, Visitor, Visitor];
      const subject = `post:${postId}`;
      const answer = async ({ player }: Visitor) =>
        author.client.post(`/lfg/${postId}`, {
          intent,
          request: (await requestOf(postId, player)).id,
          returnTo: `/players/${player.id}`,
        });
      const tab = await openInbox(author.client);
      await answer(one);
      expect(await newsOf(author.player, subject)).toMatchObject([{ kind: "join-request", count: 2 }]);
      // The news names the player who waits, not the one who has been answered.
      await answer(last);
      expect(await newsOf(author.player, subject)).toMatchObject([{ count: 1, causedBy: other.player.id }]);
      await answer(other);
      expect(await newsOf(author.player, subject)).toEqual([]);
      await tab.next("unread", ({ notifications }) => notifications === 0);
    });
  }

  for (const way of ["accept", "decline", "withdraw", "block"]) {
    test(`doesn't announce again a request that the author has read about, and left waiting: ${way}`, async () => {
      const { author, postId } = await newPost(3, 1);
      const subject = `post:${postId}`;
      await author.client.get(`/lfg/${postId}`);
      await expect.poll(() => newsOf(author.player, subject)).toEqual([]);
      const next = await newVisitor(app);
      await requestToJoin(next.client, postId);
      expect(await newsOf(author.player, subject)).toMatchObject([{ count: 1, causedBy: next.player.id }]);
      if (way === "withdraw") await pressTeamButton(next.client, postId, "withdraw");
      else if (way === "block") await author.client.post(`/players/${next.player.id}/block`, { intent: "block" });
      else await pressTeamButton(author.client, postId, way, (await requestOf(postId, next.player)).id);
      expect(await newsOf(author.player, subject)).toEqual([]);
    });
  }

  test("doesn't mark other news of the post as read, which the answered player's page didn't show", async () => {
    const { author, postId, askers } = await newPost(2, 2);
    const [member, asker] = askers as [Visitor, Visitor];
    await accept(author, postId, member);
    await pressTeamButton(member.client, postId, "leave");
    expect(await newsOf(author.player, `post:${postId}`)).toMatchObject([
      { kind: "join-request" },
      { kind: "team-change" },
    ]);
    await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, asker.player)).id);
    expect(await newsOf(author.player, `post:${postId}`)).toMatchObject([{ kind: "team-change" }]);
  });

  test("is for the author only: strangers, asking players and members can't press the buttons", async () => {
    const { author, postId, askers } = await newPost(2, 2);
    const [member, asking] = askers as [Visitor, Visitor];
    await accept(author, postId, member);
    const [ofMember, ofAsking] = [await requestOf(postId, member.player), await requestOf(postId, asking.player)];
    const elsewhere = await newPost(2, 0);
    for (const { client } of [await newVisitor(app), asking, member, elsewhere.author]) {
      for (const target of [postId, elsewhere.postId]) {
        // An author gets the same status for a request to join someone else's post as for one that doesn't exist.
        const status = client === elsewhere.author.client && target === elsewhere.postId ? 409 : 404;
        expect((await pressTeamButton(client, target, "accept", ofAsking.id)).status).toBe(status);
        expect((await pressTeamButton(client, target, "decline", ofAsking.id)).status).toBe(status);
        expect((await pressTeamButton(client, target, "remove", ofMember.id)).status).toBe(status);
      }
    }
    expect((await pressTeamButton(app.client(), postId, "accept", ofAsking.id)).location).toMatch(/^\/auth/);
    for (const request of [undefined, "", "no id"]) {
      expect((await pressTeamButton(author.client, postId, "accept", request)).status).toBe(404);
    }
    expect((await pressTeamButton(author.client, postId, "accept", uuidv7())).status).toBe(409);
    expect(await requestOf(postId, member.player)).toEqual(ofMember);
    expect(await requestOf(postId, asking.player)).toEqual(ofAsking);
    expect(await postOf(elsewhere.postId)).toMatchObject({ takenSpots: 0, conversationId: null });
  });

  test("can't accept a player on a closed or expired post, or across a block", async () => {
    const closed = await newPost(1, 1);
    await pressTeamButton(closed.author.client, closed.postId, "close");
    const expired = await newPost(1, 1);
    await app.db
      .update(lfgPosts)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(lfgPosts.id, expired.postId));
    for (const { author, postId, askers } of [closed, expired]) {
      const answer = await accept(author, postId, askers[0] as Visitor);
      expect([answer.status, announcements(answer.text).join()]).toEqual([
        409,
        expect.stringContaining("This post is closed"),
      ]);
      expect(main((await author.client.get(`/lfg/${postId}`)).text)).not.toContain("Requests");
    }
    expect(await stateOf(closed.postId, (closed.askers[0] as Visitor).player)).toBe("lapsed");
    const { author, postId, askers } = await newPost(1, 1);
    const [asking] = askers as [Visitor];
    await addBlock(app, asking.player, author.player);
    expect(main((await author.client.get(`/lfg/${postId}`)).text)).not.toContain("Requests");
    expect(textOf((await author.client.get("/dashboard")).text)).not.toContain("wants to join");
    expect((await accept(author, postId, asking)).status).toBe(403);
    expect(await postOf(postId)).toMatchObject({ takenSpots: 0, isActive: true });
  });

  test("can't take in a player whose account is suspended, even before their request is withdrawn", async () => {
    const { author, postId, askers } = await newPost(1, 1);
    const [asker] = askers as [Visitor];
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, asker.player.id));
    const answer = await accept(author, postId, asker);
    expect([answer.status, announcements(answer.text).at(-1)]).toEqual([
      409,
      expect.stringMatching(/^Error Asker \d+ can't join any more\.$/),
    ]);
    expect(await stateOf(postId, asker.player)).toBe("pending");
    expect(await postOf(postId)).toMatchObject({ takenSpots: 0, isActive: true, conversationId: null });
  });

  test("takes in a player as soon as their suspension has ended, without waiting for the cron", async () => {
    const { author, postId } = await newPost(1, 0);
    const asker = await newVisitor(app);
    await app.db
      .update(users)
      .set({ suspendedAt: new Date(Date.now() - DAY), suspendedUntil: new Date(Date.now() - 1) })
      .where(eq(users.id, asker.player.id));
    expect((await requestToJoin(asker.client, postId)).status).toBe(303);
    expect((await accept(author, postId, asker)).status).toBe(303);
    expect(await stateOf(postId, asker.player)).toBe("accepted");
  });

  test("to two players simultaneously never exceeds the spots in 100 rounds, and says why one is refused", async () => {
    const author = await newVisitor(app);
    const players = [await newVisitor(app), await newVisitor(app)];
    const lost: string[] = [];
    for (let round = 0; round < 100; round += 1) {
      const postId = await addPost(app, author.player.id, { neededPlayers: 1 });
      const ids = players.map(() => uuidv7());
      await app.db.insert(joinRequests).values(
        players.map(({ player }, index) => ({
          id: ids[index] as string,
          postId,
          userId: player.id,
          createdAt: new Date(),
        })),
      );
      const answers = await Promise.all(ids.map((id) => pressTeamButton(author.client, postId, "accept", id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      lost.push(...answers.filter(({ status }) => status === 409).map(({ text }) => announcements(text).join()));
      const states = await Promise.all(players.map(({ player }) => stateOf(postId, player)));
      expect(states.sort()).toEqual(["accepted", "lapsed"]);
      expect(await postOf(postId)).toMatchObject({ takenSpots: 1, isActive: false });
    }
    expect(new Set(lost.map((words) => words.includes("someone else just got the last spot")))).toEqual(
      new Set([true]),
    );
  }, 120_000);

  test("to six players at the same time fills four spots and makes one conversation", async () => {
    const { author, postId, askers } = await newPost(4, 6);
    const ids = await Promise.all(askers.map(async ({ player }) => (await requestOf(postId, player)).id));
    const answers = await Promise.all(ids.map((id) => pressTeamButton(author.client, postId, "accept", id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 409, 409]);
    const states = await Promise.all(askers.map(({ player }) => stateOf(postId, player)));
    expect(states.filter((state) => state === "accepted")).toHaveLength(4);
    expect(states.filter((state) => state === "lapsed")).toHaveLength(2);
    const { conversationId, takenSpots } = await postOf(postId);
    expect(takenSpots).toBe(4);
    const members = await app.db.all<{ n: number }>(
      sql`SELECT count(*) AS n FROM conversation_members WHERE conversation_id = ${conversationId}`,
    );
    expect(members[0]?.n).toBe(5);
  });
});

describe("A team's button on an outdated page", () => {
  /** Returns a refusal's status, the heading of the page that shows it, and that page's last announcement. */
  const refusal = async (pressed: Promise<HttpResponse>) => {
    const { status, text } = await pressed;
    return [status, heading(text), announcements(text).at(-1)];
  };
  const late = (reason: string) => [409, "Two for Haven", `Error ${reason}`];

  test("tells an author that the member to be removed has already left, even if they have asked again", async () => {
    const { author, postId, members } = await newTeam(1);
    const [member] = members as [Visitor];
    const { riotGameName } = (await app.db
      .select()
      .from(profiles)
      .where(eq(profiles.userId, member.player.id))
      .get()) as typeof profiles.$inferSelect;
    const { id } = await requestOf(postId, member.player);
    await pressTeamButton(member.client, postId, "leave");
    const remove = () => refusal(pressTeamButton(author.client, postId, "remove", id));
    expect(await remove()).toEqual(late(`${riotGameName} has already left your team.`));
    expect(await stateOf(postId, member.player)).toBe("left");
    await requestToJoin(member.client, postId);
    expect(await remove()).toEqual(late("This player has already left your team."));
    expect(await stateOf(postId, member.player)).toBe("pending");
  });

  test("tells a removed member that they're no longer in the team", async () => {
    const { author, postId, members } = await newTeam(2);
    const [member] = members as [Visitor];
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, member.player)).id);
    const leaving = pressTeamButton(member.client, postId, "leave");
    expect(await refusal(leaving)).toEqual(late("You're no longer in this team."));
    expect(await stateOf(postId, member.player)).toBe("removed");
  });

  test("tells a player whose request has lapsed that the post closed first", async () => {
    const { author, postId, askers } = await newPost(1, 1);
    const [asker] = askers as [Visitor];
    await pressTeamButton(author.client, postId, "close");
    const withdrawing = pressTeamButton(asker.client, postId, "withdraw");
    expect(await refusal(withdrawing)).toEqual(late("The post closed before your request was answered."));
    expect(await stateOf(postId, asker.player)).toBe("lapsed");
  });
});

describe("A deleted post", () => {
  test("takes its news out of the open tabs of its author and of the players who asked to join", async () => {
    const { author, postId, askers } = await newPost(1, 1);
    const [declined] = askers as [Visitor];
    const [authorTab, tab] = [await openInbox(author.client), await openInbox(declined.client)];
    const hears = (inbox: typeof tab, count: number) =>
      inbox.next("unread", ({ notifications }) => notifications === count);
    await hears(authorTab, 1);
    await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, declined.player)).id);
    await hears(authorTab, 0);
    await hears(tab, 1);
    await requestToJoin((await newVisitor(app)).client, postId);
    await hears(authorTab, 1);
    await author.client.submit(`/lfg/${postId}/delete`, "Delete Post");
    await hears(authorTab, 0);
    await hears(tab, 0);
    for (const inbox of [authorTab, tab]) inbox.close();
  });
});

/** When the team's session ends, as stated in the team's room on the post's page. */
const sessionEndOf = (page: string) => /when your session ends: (.*?)\./.exec(textOf(page))?.[1];

describe("A team", () => {
  test("can be left by its members, which tells the author and reopens the post with a free spot", async () => {
    const { author, postId, members } = await newTeam(2);
    const [one, other] = members as [Visitor, Visitor];
    expect(await postOf(postId)).toMatchObject({ isActive: false, takenSpots: 2 });
    const answer = await one.client.submit(`/lfg/${postId}`, "Leave Team");
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `/lfg/${postId}`, 2]);
    expect(await postOf(postId)).toMatchObject({ isActive: true, takenSpots: 1, filledAt: null });
    expect(await stateOf(postId, one.player)).toBe("left");
    expect(await newsOf(author.player, `post:${postId}`)).toContainEqual(
      expect.objectContaining({ kind: "team-change", count: 1 }),
    );
    expect(main((await one.client.get(`/lfg/${postId}`)).text)).not.toContain("Your team");
    expect(main((await other.client.get(`/lfg/${postId}`)).text)).toContain("Your team");
    expect((await one.client.get("/dashboard")).text).toContain(postId);
    // Leaving twice counts once, and only members can leave.
    expect((await pressTeamButton(one.client, postId, "leave")).status).toBe(303);
    expect(await postOf(postId)).toMatchObject({ takenSpots: 1 });
    expect((await pressTeamButton(author.client, postId, "leave")).status).toBe(404);
    expect((await pressTeamButton((await newVisitor(app)).client, postId, "leave")).status).toBe(404);
  });

  test("loses a member whom its author removes, and the member is told", async () => {
    const { author, postId, members } = await newTeam(1);
    const [member] = members as [Visitor];
    await member.client.get(`/lfg/${postId}`);
    const answer = await author.client.submit(`/lfg/${postId}`, "Remove");
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    expect(await stateOf(postId, member.player)).toBe("removed");
    expect(await postOf(postId)).toMatchObject({ isActive: true, takenSpots: 0 });
    await expect
      .poll(() => newsOf(member.player, `post:${postId}`))
      .toMatchObject([{ kind: "team-change", name: null, count: 1 }]);
    const opened = "You're no longer in this team. Its author has opened your spot again.";
    expect(main((await member.client.get(`/lfg/${postId}`)).text)).toContain(opened);
    await pressTeamButton(author.client, postId, "close");
    const closed = main((await member.client.get(`/lfg/${postId}`)).text);
    expect(closed).toContain("You're no longer in this team.");
    expect(closed).not.toContain("opened your spot");
  });

  test("marks as read the news that a member was accepted when the member leaves or is removed", async () => {
    const { author, postId, members } = await newTeam(2);
    const [removed, leaving] = members as [Visitor, Visitor];
    const kindsOf = async ({ player }: Visitor) => (await newsOf(player, `post:${postId}`)).map(({ kind }) => kind);
    expect([await kindsOf(removed), await kindsOf(leaving)]).toEqual([["join-accepted"], ["join-accepted"]]);
    await pressTeamButton(leaving.client, postId, "leave");
    expect(await kindsOf(leaving)).toEqual([]);
    expect(await kindsOf(removed)).toEqual(["join-accepted"]);
    await author.client.submit(`/lfg/${postId}`, "Remove");
    expect(await kindsOf(removed)).toEqual(["team-change"]);
  });

  test.each([
    [1, "was complete"],
    [3, "was in the list all along"],
  ])("that needed %i and %s has an open spot again after a removal, and its author is told so", async (needed) => {
    const { author, postId } = await newTeam(1, needed);
    const answer = await author.client.submit(`/lfg/${postId}`, "Remove");
    const told = announcements((await author.client.follow(answer)).text).join();
    expect(told).toMatch(/is no longer in your team Their spot is open again\.$/);
  });

  test("doesn't reopen an expired, played or closed post, a fourth one, or one by a suspended author", async () => {
    const over = await newTeam(1);
    await app.db
      .update(lfgPosts)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(lfgPosts.id, over.postId));
    const other = await newTeam(1);
    for (let post = 0; post < 3; post += 1) await addPost(app, other.author.player.id);
    const closed = await newTeam(1, 2);
    await pressTeamButton(closed.author.client, closed.postId, "close");
    const played = await newTeam(1);
    await app.db.update(lfgPosts).set({ sessionEndedAt: new Date() }).where(eq(lfgPosts.id, played.postId));
    const suspended = await newTeam(1);
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.author.player.id));
    for (const { postId, members } of [over, other, closed, played, suspended]) {
      await pressTeamButton((members[0] as Visitor).client, postId, "leave");
      expect(await postOf(postId)).toMatchObject({ isActive: false, takenSpots: 0 });
    }
  });

  test("with an open spot reads, before and after closing its post, until when the post can be reopened", async () => {
    const { author, postId } = await newTeam(1, 2);
    const question = await author.client.get(`/lfg/${postId}/close`);
    expect(textOf(question.text)).toContain(
      "Your session then ends in two hours: its party code and voice link are cleared, and everyone is asked for feedback.",
    );
    const [, until] =
      /You can reopen the post until ((?:today|tomorrow), \d\d:\d\d)\./.exec(textOf(question.text)) ?? [];
    expect(until).toEqual(expect.any(String));
    // While the post is open, its session would last until the post expires.
    expect(until).not.toBe(sessionEndOf(question.text));
    await author.client.submit(`/lfg/${postId}/close`, "Close Post");
    const page = await author.client.get(`/lfg/${postId}`);
    expect(main(page.text)).toContain(`You can reopen it until ${sessionEndOf(page.text)}.`);
    const complete = await newTeam(1);
    const asked = await complete.author.client.get(`/lfg/${complete.postId}/close`);
    expect(textOf(asked.text)).toContain(`You can reopen it until ${sessionEndOf(asked.text)}.`);
  });

  test("can't have its post reopened after its session or while moderators hide it, and is told which", async () => {
    const over = "Your team's session is over, so you can't reopen this post. You can write a new one.";
    for (const [state, reason] of [
      [{ sessionEndedAt: new Date() }, over],
      [{ hiddenAt: new Date() }, "Moderators have hidden this post, so you can't reopen it."],
    ] as const) {
      const { author, postId } = await newTeam(1, 2);
      await pressTeamButton(author.client, postId, "close");
      await app.db.update(lfgPosts).set(state).where(eq(lfgPosts.id, postId));
      const late = await pressTeamButton(author.client, postId, "reopen");
      expect([late.status, announcements(late.text).at(-1)]).toEqual([409, `Error ${reason}`]);
      expect(await postOf(postId)).toMatchObject({ isActive: false, closedAt: expect.any(Date) });
    }
  });

  test("that loses a player while its author has three other posts open has a closed post, which can be reopened", async () => {
    const { author, postId, askers } = await newPost(2, 3);
    const [member, other, late] = askers as [Visitor, Visitor, Visitor];
    for (const joining of [member, other]) await accept(author, postId, joining);
    const { filledAt } = await postOf(postId);
    const more: string[] = [];
    for (let post = 0; post < 3; post += 1) more.push(await addPost(app, author.player.id));
    await pressTeamButton(member.client, postId, "leave");
    expect(await postOf(postId)).toMatchObject({
      isActive: false,
      takenSpots: 1,
      filledAt,
      closedAt: expect.any(Date),
    });
    const page = main((await author.client.get(`/lfg/${postId}`)).text);
    expect(page).toContain("This post is closed. Other players no longer see it in the list. You can reopen it until");
    expect(page).not.toContain("Close Post");
    expect(main((await late.client.get(`/lfg/${postId}`)).text)).toContain(
      "The post closed before your request was answered.",
    );
    const full = await author.client.submit(`/lfg/${postId}`, "Reopen Post");
    expect(announcements(full.text).at(-1)).toContain("You already have three other posts open.");
    await pressTeamButton(author.client, more[0] as string, "close");
    expect((await author.client.submit(`/lfg/${postId}`, "Reopen Post")).status).toBe(303);
    expect(await postOf(postId)).toMatchObject({ isActive: true, takenSpots: 1, filledAt: null, closedAt: null });
  });

  test("that is complete can have its post closed for good: a freed spot then doesn't reopen it", async () => {
    const { author, postId, members } = await newTeam(1);
    const [member] = members as [Visitor];
    expect(textOf((await author.client.get(`/lfg/${postId}/close`)).text)).toContain(
      "stays closed when someone leaves",
    );
    const answer = await author.client.submit(`/lfg/${postId}/close`, "Close Post");
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    expect(await postOf(postId)).toMatchObject({ closedAt: expect.any(Date), takenSpots: 1 });
    const closed = await author.client.follow(answer);
    expect(announcements(closed.text)).toContain(
      "Post closed It stays closed when someone leaves your team. You can reopen it on its page.",
    );
    expect(main(closed.text)).not.toContain("Close Post");
    await pressTeamButton(member.client, postId, "leave");
    expect(await postOf(postId)).toMatchObject({ isActive: false, takenSpots: 0 });
    expect((await member.client.get("/dashboard")).text).not.toContain(postId);
    // The author can still reopen the post, which then has the freed spot.
    await author.client.submit(`/lfg/${postId}`, "Reopen Post");
    expect(await postOf(postId)).toMatchObject({ isActive: true, filledAt: null, closedAt: null });
    expect((await member.client.get("/dashboard")).text).toContain(postId);
  });

  test("that is complete reopens its post on a departure, once its author has pressed `Reopen Post`", async () => {
    const { author, postId, members } = await newTeam(1);
    const { filledAt } = await postOf(postId);
    await pressTeamButton(author.client, postId, "close");
    const reopened = await author.client.submit(`/lfg/${postId}`, "Reopen Post");
    expect(announcements((await author.client.follow(reopened)).text)).toContain(
      "Post reopened It'll be back in the list as soon as someone leaves your team.",
    );
    expect(await postOf(postId)).toMatchObject({ isActive: false, filledAt, closedAt: null });
    await pressTeamButton((members[0] as Visitor).client, postId, "leave");
    expect(await postOf(postId)).toMatchObject({ isActive: true, takenSpots: 0 });
  });

  test("that is complete shows `Close Post` only to its author, and only if its post could reopen", async () => {
    const over = await newTeam(1);
    await app.db
      .update(lfgPosts)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(lfgPosts.id, over.postId));
    const played = await newTeam(1);
    await app.db.update(lfgPosts).set({ sessionEndedAt: new Date() }).where(eq(lfgPosts.id, played.postId));
    for (const { author, postId } of [over, played]) {
      expect(main((await author.client.get(`/lfg/${postId}`)).text)).not.toContain("Close Post");
    }
    const { author, postId, members } = await newTeam(1);
    const [member] = members as [Visitor];
    expect(main((await author.client.get(`/lfg/${postId}`)).text)).toContain("Close Post");
    expect(main((await member.client.get(`/lfg/${postId}`)).text)).not.toContain("Close Post");
    expect((await pressTeamButton(member.client, postId, "close")).status).toBe(404);
    expect((await postOf(postId)).closedAt).toBeNull();
  });

  test("never has more members than spots when a departure and an acceptance come at the same time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { author, postId, members } = await newTeam(1, 2);
      const late = await newVisitor(app);
      const later = await newVisitor(app);
      await requestToJoin(late.client, postId);
      await requestToJoin(later.client, postId);
      const ids = [(await requestOf(postId, late.player)).id, (await requestOf(postId, later.player)).id];
      await Promise.all([
        pressTeamButton((members[0] as Visitor).client, postId, "leave"),
        ...ids.map((id) => pressTeamButton(author.client, postId, "accept", id)),
      ]);
      const accepted = await app.db.all<{ n: number }>(
        sql`SELECT count(*) AS n FROM join_requests WHERE post_id = ${postId} AND state = 'accepted'`,
      );
      const post = await postOf(postId);
      expect(post.takenSpots).toBe(accepted[0]?.n);
      expect(post.takenSpots).toBeLessThanOrEqual(2);
      expect(post.isActive).toBe(post.takenSpots < 2);
    }
  });

  test("keeps its post: it can be closed and edited, but not deleted or made smaller than the team", async () => {
    const { author, postId } = await newTeam(2, 3);
    const page = await author.client.get(`/lfg/${postId}`);
    expect(links(page.text).some(({ text }) => text === "Delete Post")).toBe(false);
    expect((await author.client.get(`/lfg/${postId}/delete`)).location).toBe(`/lfg/${postId}`);
    expect((await author.client.post(`/lfg/${postId}/delete`)).status).toBe(409);
    const small = await author.client.post(`/lfg/${postId}/edit`, { title: "Smaller", neededPlayers: "2" });
    expect(small.status).toBe(409);
    expect(field(small.text, "neededPlayers").description).toContain("Your team already has that many players.");
    expect((await author.client.post(`/lfg/${postId}/edit`, { title: "Bigger", neededPlayers: "4" })).status).toBe(303);
    expect(await postOf(postId)).toMatchObject({ title: "Bigger", neededPlayers: 4, takenSpots: 2 });
  });

  test("of four is told on its post and in the form that it can't queue Competitive", async () => {
    const words = "Parties of four can't queue Competitive; other modes are fine.";
    for (const [needed, isSaid] of [
      [1, false],
      [2, false],
      [3, true],
      [4, false],
    ] as const) {
      const author = await newVisitor(app);
      const postId = await addPost(app, author.player.id, { neededPlayers: needed });
      expect(main((await app.client().get(`/lfg/${postId}`)).text).includes(words), String(needed)).toBe(isSaid);
    }
    expect(textOf((await (await newVisitor(app)).client.get("/dashboard/lfg/new")).text)).toContain(words);
  });
});

describe("The end of a session", () => {
  test("asks each member once: two hours after filling or closing, or when the post expires", async () => {
    const filled = await newTeam(2);
    await app.db
      .update(lfgPosts)
      .set({ filledAt: new Date(Date.now() - 2 * HOUR - MINUTE) })
      .where(eq(lfgPosts.id, filled.postId));
    const recent = await newTeam(1);
    await app.db
      .update(lfgPosts)
      .set({ filledAt: new Date(Date.now() - 2 * HOUR + MINUTE) })
      .where(eq(lfgPosts.id, recent.postId));
    const expired = await newTeam(1, 2);
    await app.db
      .update(lfgPosts)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(lfgPosts.id, expired.postId));
    const closed = await newTeam(1, 2);
    await pressTeamButton(closed.author.client, closed.postId, "close");
    await app.db
      .update(lfgPosts)
      .set({ closedAt: new Date(Date.now() - 2 * HOUR - MINUTE) })
      .where(eq(lfgPosts.id, closed.postId));
    // The author closed it just now, so it can still be reopened.
    const closing = await newTeam(1, 2);
    await pressTeamButton(closing.author.client, closing.postId, "close");
    const open = await newTeam(1, 2);
    const alone = await newPost(1, 1);
    await pressTeamButton(alone.author.client, alone.postId, "close");

    await app.runScheduled();
    const first = await postOf(filled.postId);
    await app.runScheduled();
    expect((await postOf(filled.postId)).sessionEndedAt).toEqual(first.sessionEndedAt);
    for (const { author, postId, members } of [filled, expired, closed]) {
      expect((await postOf(postId)).sessionEndedAt).toEqual(expect.any(Date));
      for (const { player } of [author, ...members]) {
        expect(await newsOf(player, `team:${postId}`)).toEqual([
          { kind: "feedback", title: "Two for Haven", count: 1 },
        ]);
      }
      for (const { player } of members) expect((await requestOf(postId, player)).playedAt).toEqual(expect.any(Date));
    }
    for (const { author, postId } of [recent, closing, open, alone]) {
      expect((await postOf(postId)).sessionEndedAt).toBeNull();
      expect(await newsOf(author.player, `team:${postId}`)).toEqual([]);
    }
    const [member] = filled.members as [Visitor];
    const bell = await member.client.get("/dashboard/notifications");
    expect(links(bell.text)).toContainEqual({
      text: expect.stringContaining("How was playing with"),
      href: `/dashboard/feedback/${filled.postId}`,
    });
    // A player who leaves afterwards has still played, and the post stays where it is.
    await pressTeamButton(member.client, filled.postId, "leave");
    expect(await requestOf(filled.postId, member.player)).toMatchObject({ state: "left", playedAt: expect.any(Date) });
    expect(await postOf(filled.postId)).toMatchObject({ isActive: false });
    for (const { player } of filled.members) {
      await pressTeamButton(filled.author.client, filled.postId, "remove", (await requestOf(filled.postId, player)).id);
    }
    expect((await filled.author.client.post(`/lfg/${filled.postId}/delete`)).status).toBe(409);
    // For the same reason, the button is missing, although only the author is left in the team.
    const own = await filled.author.client.get(`/lfg/${filled.postId}`);
    expect(links(own.text).some(({ text }) => text === "Delete Post")).toBe(false);
    expect((await filled.author.client.get(`/lfg/${filled.postId}/delete`)).location).toBe(`/lfg/${filled.postId}`);
  });
});

describe("Up to three open posts", () => {
  const NEW = "/dashboard/lfg/new";
  const openPosts = async (userId: string) =>
    (await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, userId))).filter(({ isActive }) => isActive);

  test("appear side by side in the list, in the column `Your posts` and on the player's page", async () => {
    const { client, player } = await newVisitor(app);
    const titles = [unique("Duo "), unique("Trio "), unique("Five-stack ")];
    for (const title of titles) {
      expect((await client.post(NEW, { id: uuidv7(), title, neededPlayers: "1" })).status).toBe(303);
    }
    const list = await client.get("/dashboard");
    expect(roundTrips(list)).toBe(1);
    expect(textOf(list.text)).toContain("Your posts");
    const page = await client.get(`/players/${player.id}`);
    for (const title of titles) {
      expect(
        links(list.text).filter(({ text }) => text === title),
        title,
      ).toHaveLength(2);
      expect(
        links(page.text).filter(({ text }) => text === title),
        title,
      ).toHaveLength(1);
    }
  });

  test("leave no room for a fourth, which is refused with links to the three and keeps its fields", async () => {
    const { client, player } = await newVisitor(app);
    const titles = [unique("First "), unique("Second "), unique("Third ")];
    const ids: string[] = [];
    for (const title of titles) ids.push(await addPost(app, player.id, { title }));
    const open = titles.map((text, at) => ({ text, href: `/lfg/${ids[at]}` }));
    const page = await client.get(NEW);
    expect(roundTrips(page)).toBe(1);
    for (const link of open) expect(links(page.text)).toContainEqual(link);
    expect(() => findForm(page.text, "Create Post")).toThrow();
    const answer = await client.post(NEW, { id: uuidv7(), title: "Fourth", message: "Kept", neededPlayers: "1" });
    expect(answer.status).toBe(409);
    expect(announcements(answer.text).join()).toContain("You already have three open posts. Close one");
    for (const link of open) expect(links(answer.text)).toContainEqual(link);
    expect([field(answer.text, "title").value, field(answer.text, "message").value]).toEqual(["Fourth", "Kept"]);
    expect(await openPosts(player.id)).toHaveLength(3);
    await pressTeamButton(client, ids[0] as string, "close");
    expect((await client.post(NEW, findForm(answer.text, "Create Post").values)).status).toBe(303);
    expect((await openPosts(player.id)).map(({ title }) => title).sort()).toEqual(
      ["Fourth", ...titles.slice(1)].sort(),
    );
  });

  test("result from ten different forms sent at the same time, and one from the same form sent ten times", async () => {
    const { client, player } = await newVisitor(app);
    const many = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        client.post(NEW, { id: uuidv7(), title: `Post ${index}`, neededPlayers: "1" }),
      ),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([...Array(3).fill(303), ...Array(7).fill(409)]);
    expect(await openPosts(player.id)).toHaveLength(3);
    const other = await newVisitor(app);
    const id = uuidv7();
    const same = await Promise.all(
      Array.from({ length: 10 }, () => other.client.post(NEW, { id, title: "Once", neededPlayers: "1" })),
    );
    expect(same.map(({ status }) => status)).toEqual(Array(10).fill(303));
    expect((await openPosts(other.player.id)).map((post) => post.id)).toEqual([id]);
  });

  test("don't include expired ones that the cron has not closed yet, nor posts of complete teams", async () => {
    const { author } = await newTeam(1);
    const { client, player } = author;
    for (let post = 0; post < 3; post += 1) {
      await addPost(app, player.id, { createdAt: new Date(Date.now() - DAY - MINUTE) });
    }
    for (let post = 0; post < 3; post += 1) {
      const answer = await client.post(NEW, { id: uuidv7(), title: `Today ${post}`, neededPlayers: "1" });
      expect(answer.status).toBe(303);
    }
  });

  test("let their author be in several teams at the same time, each with a conversation of its own", async () => {
    const one = await newTeam(1, 2);
    const { client, player } = one.author;
    const second = await addPost(app, player.id, { title: "Two more", neededPlayers: 2 });
    const asker = await newVisitor(app);
    await requestToJoin(asker.client, second);
    await accept(one.author, second, asker);
    const joined = await newTeam(1, 3);
    await requestToJoin(client, joined.postId);
    await accept(joined.author, joined.postId, one.author);
    const conversations = new Set<string | null>();
    for (const postId of [one.postId, second, joined.postId]) {
      expect(main((await client.get(`/lfg/${postId}`)).text)).toContain("Your team");
      expect(await postOf(postId)).toMatchObject({ isActive: true });
      conversations.add((await postOf(postId)).conversationId);
    }
    expect(conversations.size).toBe(3);
  });
});

describe("The filter Players Needed", () => {
  test("uses the spots that are still open", async () => {
    const { author, postId } = await newTeam(1, 3);
    const { client } = await newVisitor(app);
    expect((await client.get("/dashboard?players=2")).text).toContain(postId);
    expect((await client.get("/dashboard?players=3")).text).not.toContain(postId);
    expect(heading((await author.client.get(`/lfg/${postId}`)).text)).toBe("Two for Haven");
  });
});
