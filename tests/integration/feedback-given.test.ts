import { and, eq, or, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { rankingScore } from "../../app/features/feedback/shared/ranking";
import { uuidv7 } from "../../db/ids";
import {
  conversations,
  joinRequests,
  messages,
  notifications,
  tournamentMatches,
  tournamentPlayers,
  userFeedback,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import { addPlayedTournament } from "../support/brackets";
import { announcements, field, findForm, heading, links, textOf } from "../support/html";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { addBlock, DAY, MINUTE, newVisitor, type Player } from "./players";
import { giveFeedback, reviewsIn } from "./reviews";
import { startConversation, talkForAWhile, type Visitor, write } from "./talk";

const app = useApp();
const { feedbackNewsOf, feedbackBetween, profileOf, backdate, expectRecount, newMate, newMates } = reviewsIn(app);

const pageOf = (player: Player, rest = "") => `/players/${player.id}${rest}`;
const count = async () => (await app.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM user_feedback`)).count;

describe("Giving feedback", () => {
  test("stores it hidden: no page, score or notification shows it, and the writer may change it", async () => {
    const [one, two] = await newMates();
    const page = await one.client.get(pageOf(two.player));
    expect(roundTrips(page)).toBe(1);
    expect(links(page.text)).toContainEqual({ text: "Give Feedback", href: pageOf(two.player, "/feedback") });
    const dialog = await one.client.get(pageOf(two.player, "/feedback"));
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    const answer = await one.client.submit(pageOf(two.player, "/feedback"), "Send Feedback", {
      rating: 5,
      tags: ["friendly", "calls clearly"],
      comment: "  Held B alone.\r\n\r\n\r\nTwice. ",
    });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, pageOf(two.player), 2]);
    const after = await one.client.follow(answer);
    expect(announcements(after.text)).toContain(
      "Feedback saved! It stays hidden until they give theirs, for a week at most.",
    );
    expect(links(after.text)).toContainEqual({ text: "Change Feedback", href: pageOf(two.player, "/feedback") });
    const [stored] = await feedbackBetween(one.player, two.player);
    expect(stored).toMatchObject({
      rating: 5,
      tags: ["calls clearly", "friendly"],
      comment: "Held B alone.\n\nTwice.",
      revealedAt: null,
    });
    expect((stored?.dueAt.getTime() ?? 0) - (stored?.createdAt.getTime() ?? 0)).toBe(7 * DAY);
    for (const client of [app.client(), two.client, one.client]) {
      const { text } = await client.get(pageOf(two.player));
      expect(text).not.toContain("Held B alone");
      expect(textOf(text)).toContain("N/A");
    }
    expect((await two.client.get("/dashboard/profile")).text).not.toContain("Held B alone");
    expect(await feedbackNewsOf(two.player)).toEqual([]);
    await expectRecount(two.player);

    const again = await one.client.get(pageOf(two.player, "/feedback"));
    expect(field(again.text, "rating").value).toBe("5");
    expect(field(again.text, "comment").value).toBe("Held B alone.\n\nTwice.");
    const changed = await one.client.submit(pageOf(two.player, "/feedback"), "Change Feedback", {
      rating: 2,
      tags: null,
      comment: "",
    });
    expect(changed.status).toBe(303);
    expect(await feedbackBetween(one.player, two.player)).toMatchObject([
      { id: stored?.id, rating: 2, tags: null, comment: null },
    ]);
  });

  test("is possible after a ten-minute conversation with five messages each, but not after a greeting and a refusal", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const thread = `/dashboard/messages/${conversationId}`;
    const invitation = { text: "Feedback", href: pageOf(reader.player, "/feedback") };
    await write(author.client, conversationId, "No thanks");
    for (const [from, to] of [
      [author, reader],
      [reader, author],
    ] as const) {
      const answer = await giveFeedback(from.client, to.player, { rating: 1 });
      expect(answer.status).toBe(403);
      expect(announcements(answer.text).join()).toContain(
        "You can give feedback to players you've played with, or have chatted with for a while.",
      );
    }
    expect(links((await author.client.get(thread)).text)).not.toContainEqual(invitation);
    await talkForAWhile(app, [author, reader], conversationId);
    expect(links((await author.client.get(thread)).text)).toContainEqual(invitation);
    expect((await giveFeedback(author.client, reader.player)).status).toBe(303);
    expect((await giveFeedback(reader.client, author.player)).status).toBe(303);
    await expectRecount(author.player);
  });

  test("is possible for both teams of a played match, and for no other team", async () => {
    const [one, two, three, four] = [await newMate(), await newMate(), await newMate(), await newMate()];
    const mate = await newMate();
    const { id, teams } = await addPlayedTournament(app.db, {
      teams: 4,
      play: 2,
      captains: [one, two, three, four].map(({ player }) => player.id),
    });
    const ofOne = teams.find(({ captainId }) => captainId === one.player.id)?.id as string;
    await app.db
      .insert(tournamentPlayers)
      .values({ tournamentId: id, userId: mate.player.id, teamId: ofOne, joinedAt: new Date() });
    const [match] = await app.db
      .select()
      .from(tournamentMatches)
      .where(
        and(
          eq(tournamentMatches.tournamentId, id),
          or(eq(tournamentMatches.team1, ofOne), eq(tournamentMatches.team2, ofOne)),
        ),
      );
    const opposite = teams.find((team) => team.id !== ofOne && [match?.team1, match?.team2].includes(team.id));
    const opponent = [two, three, four].find(({ player }) => player.id === opposite?.captainId) as Visitor;
    const [stranger] = [two, three, four].filter((other) => other !== opponent) as [Visitor];
    const met = [
      [one, opponent],
      [opponent, one],
      [mate, opponent],
      [opponent, mate],
      [one, mate],
      [mate, one],
    ] as const;
    const forfeit = (side: 1 | null) =>
      app.db
        .update(tournamentMatches)
        .set({ forfeit: side })
        .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, match?.id as number)));
    await forfeit(1);
    for (const [from, to] of met) expect((await giveFeedback(from.client, to.player)).status).toBe(403);
    await forfeit(null);
    for (const [from, to] of met) expect((await giveFeedback(from.client, to.player)).status).toBe(303);
    expect((await giveFeedback(stranger.client, one.player)).status).toBe(403);
    expect((await giveFeedback(mate.client, stranger.player)).status).toBe(403);
  });

  test("is possible for everyone who played in a team, even after leaving, but not for early leavers or outsiders", async () => {
    const [author, one, two, early, other] = [
      await newMate(),
      await newMate(),
      await newMate(),
      await newMate(),
      await newMate(),
    ];
    const postId = await addSession(app.db, author.player, [one.player, two.player, early.player]);
    await app.db.update(joinRequests).set({ state: "left" }).where(eq(joinRequests.userId, two.player.id));
    await app.db
      .update(joinRequests)
      .set({ state: "left", playedAt: null })
      .where(eq(joinRequests.userId, early.player.id));
    const team = [author, one, two];
    for (const from of team) {
      for (const to of team) {
        if (from !== to) expect((await giveFeedback(from.client, to.player)).status).toBe(303);
      }
      for (const outside of [early, other]) {
        expect((await giveFeedback(from.client, outside.player)).status).toBe(403);
        expect((await giveFeedback(outside.client, from.player)).status).toBe(403);
        expect((await outside.client.get(`/dashboard/feedback/${postId}`)).status).toBe(404);
      }
    }
    for (const { player } of team) {
      expect((await profileOf(player)).totalRatings).toBe(2);
      await expectRecount(player);
    }
  });

  test("is possible once in 14 days from one player to another, even with many simultaneous forms", async () => {
    const [one, two] = await newMates();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => giveFeedback(one.client, two.player, { rating: 1 + (index % 5) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(announcements(refused?.text ?? "").join()).toContain(
      "You've already given them feedback. It's still hidden, so you can change it.",
    );
    expect(links(refused?.text ?? "")).toContainEqual({
      text: "Change Feedback",
      href: pageOf(two.player, "/feedback"),
    });
    const [first, ...others] = await feedbackBetween(one.player, two.player);
    expect(others).toEqual([]);

    expect((await giveFeedback(two.client, one.player)).status).toBe(303);
    const locked = await giveFeedback(one.client, two.player);
    expect(locked.status).toBe(409);
    expect(announcements(locked.text).join()).toMatch(/You can give more from \d+ \w+( \d{4})?\./);
    const away = await one.client.get(pageOf(two.player, "/feedback"));
    expect(away.location).toBe(pageOf(two.player));

    await backdate(first?.id as string, 14 * DAY - MINUTE);
    expect((await giveFeedback(one.client, two.player)).status).toBe(409);
    await backdate(first?.id as string, MINUTE);
    expect((await giveFeedback(one.client, two.player, { rating: 3 })).status).toBe(303);
    // The other player's feedback was already revealed with the first one, so the new one waits for their next.
    expect((await feedbackBetween(one.player, two.player)).map(({ revealedAt }) => revealedAt !== null)).toEqual([
      true,
      false,
    ]);
    await expectRecount(two.player);
  });

  test("stores a form once, even if it is sent ten times at the same time, and again later", async () => {
    const [one, two] = await newMates();
    const id = uuidv7();
    const send = () => giveFeedback(one.client, two.player, { id, rating: 3, comment: "Once" });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    await giveFeedback(two.client, one.player);
    expect((await send()).status).toBe(303);
    expect(await feedbackBetween(one.player, two.player)).toHaveLength(1);
    expect(await feedbackNewsOf(two.player)).toEqual([1]);
    await expectRecount(two.player);
  });

  test("is possible despite blocks: otherwise a player who behaved badly could block first", async () => {
    const [one, two] = await newMates();
    await addBlock(app, two.player, one.player);
    expect((await giveFeedback(one.client, two.player)).status).toBe(303);
  });
});

describe("The ranking score", () => {
  /** Adds reviews of one player by another, revealed 15 days apart. */
  async function review(from: Visitor, to: Visitor, ratings: readonly number[]): Promise<void> {
    for (const [index, rating] of ratings.entries()) {
      const createdAt = new Date(Date.now() - (ratings.length - index) * 15 * DAY);
      const times = { createdAt, updatedAt: createdAt, dueAt: createdAt, revealedAt: createdAt };
      const people = { reviewerId: from.player.id, reviewedId: to.player.id };
      await app.db.insert(userFeedback).values({ id: uuidv7(), ...people, rating, ...times });
    }
  }

  test("counts as one all reviews of a pair that only ever rates each other; the page shows their mean", async () => {
    const [one, two] = await newMates();
    await review(two, one, [5, 5, 5]);
    await review(one, two, [4, 4]);
    expect((await giveFeedback(two.client, one.player, { rating: 1 })).status).toBe(303);
    expect((await giveFeedback(one.client, two.player, { rating: 4 })).status).toBe(303);
    const score = await profileOf(one.player);
    expect([score.feedbackScore, score.totalRatings, score.rankingScore]).toEqual([4, 4, rankingScore(1, 4)]);
    await expectRecount(one.player);
    await expectRecount(two.player);
  });

  test("counts each review by a reviewer who has exchanged reviews with anyone else", async () => {
    const [one, two] = await newMates();
    await review(two, one, [5, 5, 5]);
    await review(one, two, [4, 4]);
    const third = await newMate();
    await addSession(app.db, third.player, [two.player]);
    await giveFeedback(third.client, two.player, { rating: 3 });
    await giveFeedback(two.client, third.player, { rating: 3 });
    expect((await profileOf(one.player)).rankingScore).toBe(rankingScore(3, 15));
    // From the other side they are still a pair: the first player has exchanged reviews with nobody else.
    expect((await profileOf(two.player)).rankingScore).toBe(rankingScore(2, 7));
    for (const { player } of [one, two, third]) await expectRecount(player);
  });

  test("also counts all of a pair's reviews when reviews of several others are revealed at the same time", async () => {
    const [one, two] = await newMates();
    await review(two, one, [5, 5, 5]);
    await review(one, two, [4, 4]);
    for (let others = 0; others < 3; others += 1) {
      const other = await newMate();
      await addSession(app.db, two.player, [other.player]);
      expect((await giveFeedback(two.client, other.player)).status).toBe(303);
      const [hidden] = await feedbackBetween(two.player, other.player);
      await backdate(hidden?.id as string, 8 * DAY);
    }
    await app.runScheduled();
    expect((await profileOf(one.player)).rankingScore).toBe(rankingScore(3, 15));
    await expectRecount(one.player);
  });
});

describe("Invalid feedback is refused with the reason", () => {
  test("at its field, and the entered values stay", async () => {
    const [one, two] = await newMates();
    const before = await count();
    for (const [fields, name, words] of [
      [{ rating: null }, "rating", "Choose one to five stars."],
      [{ rating: 0 }, "rating", "Choose one to five stars."],
      [{ rating: 6 }, "rating", "Choose one to five stars."],
      [{ rating: "4.5" }, "rating", "Choose one to five stars."],
      [{ comment: "x".repeat(1_001) }, "comment", "This comment is 1 character too long. The limit is 1,000."],
      [{ comment: "x".repeat(10_000) }, "comment", "This comment is 9,000 characters too long. The limit is 1,000."],
      [{ comment: "a\u202eb" }, "comment", "This comment contains characters that can't be shown. Type it again."],
    ] as const) {
      const answer = await giveFeedback(one.client, two.player, { tags: ["friendly"], ...fields });
      expect(answer.status, words).toBe(400);
      expect(field(answer.text, name)).toMatchObject({ invalid: true, description: expect.stringContaining(words) });
      expect(findForm(answer.text, "Send Feedback").values.tags).toEqual(["friendly"]);
    }
    const tag = await giveFeedback(one.client, two.player, { tags: ["toxic"] });
    expect(tag.status).toBe(400);
    expect(textOf(tag.text)).toContain("Choose from the list.");
    const kept = await giveFeedback(one.client, two.player, { rating: 6, comment: "Kept?" });
    expect(field(kept.text, "comment").value).toBe("Kept?");
    expect((await giveFeedback(one.client, two.player, { id: "1" })).status).toBe(400);
    expect(await count()).toBe(before);
  });

  test("if it is for oneself, a stranger or an unknown player, or without a session", async () => {
    const [one, two] = await newMates();
    const stranger = await newMate();
    const before = await count();
    const own = await giveFeedback(one.client, one.player);
    expect([own.status, announcements(own.text).join()]).toEqual([
      409,
      expect.stringContaining("You can't give yourself feedback"),
    ]);
    const strange = await giveFeedback(one.client, stranger.player);
    expect([strange.status, announcements(strange.text).join()]).toEqual([
      403,
      expect.stringContaining("You can give feedback to players you've played with, or have chatted with for a while."),
    ]);
    expect((await giveFeedback(one.client, { id: uuidv7() })).status).toBe(404);
    expect((await giveFeedback(one.client, { id: "1" })).status).toBe(404);
    expect((await giveFeedback(app.client(), two.player)).status).toBe(401);
    for (const [player, words] of [
      [one.player, "You can't give yourself feedback."],
      [stranger.player, "You can give feedback to players you've played with, or have chatted with for a while."],
    ] as const) {
      const page = await one.client.get(pageOf(player, "/feedback"));
      expect(page.location).toBe(pageOf(player));
      expect(announcements((await one.client.follow(page)).text).join()).toContain(words);
    }
    const guest = await app.client().get(pageOf(two.player, "/feedback"));
    expect(guest.location).toBe(`/auth?redirectTo=${encodeURIComponent(pageOf(two.player, "/feedback"))}`);
    expect(links((await one.client.get(pageOf(stranger.player))).text).map(({ text }) => text)).not.toContain(
      "Give Feedback",
    );
    expect(await count()).toBe(before);
  });

  test("if the player's account was erased in the meantime, and the entered values stay", async () => {
    const [one, two] = await newMates();
    await app.db.delete(users).where(eq(users.id, two.player.id));
    const fields = { id: uuidv7(), rating: 4, comment: "Typed at length" };
    // When JavaScript sends the form, the dialog stays open with its text.
    const answer = await one.client.post(`${pageOf(two.player, "/feedback")}.data`, fields);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("This player's account is gone, so your feedback wasn't saved.");
    expect(answer.text).toContain("Typed at length");
  });

  test("if it has the id of other feedback, which stays unchanged", async () => {
    const [one, two] = await newMates();
    await giveFeedback(one.client, two.player, { rating: 5, comment: "Mine" });
    const [mine] = await feedbackBetween(one.player, two.player);
    const id = mine?.id as string;
    const three = await newMate();
    await addSession(app.db, three.player, [one.player, two.player]);
    // From another author for the same player, from the same author for another player, and from the reviewed player.
    for (const [from, to] of [
      [three, two],
      [one, three],
      [two, one],
    ] as const) {
      const answer = await giveFeedback(from.client, to.player, { id, rating: 1, comment: "Forged" });
      expect([answer.status, announcements(answer.text).join()]).toEqual([
        409,
        expect.stringContaining("This form was already used. Open it again."),
      ]);
      expect(await feedbackBetween(from.player, to.player)).toEqual([]);
    }
    expect(await feedbackBetween(one.player, two.player)).toEqual([mine]);
  });

  test("if it changes revealed feedback, which stays unchanged", async () => {
    const [one, two] = await newMates();
    await giveFeedback(one.client, two.player, { rating: 5, comment: "Before" });
    const [{ id } = { id: "" }] = await feedbackBetween(one.player, two.player);
    await giveFeedback(two.client, one.player);
    const late = await giveFeedback(one.client, two.player, { id, rating: 1, comment: "After" });
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("Your feedback is visible now, so it can't be changed any more."),
    ]);
    expect(field(late.text, "comment").value).toBe("After");
    expect(await feedbackBetween(one.player, two.player)).toMatchObject([{ rating: 5, comment: "Before" }]);
    await expectRecount(two.player);
  });

  test("if it has changed elsewhere since the form was opened, until the form is sent again", async () => {
    const [one, two] = await newMates();
    const here = pageOf(two.player, "/feedback");
    await giveFeedback(one.client, two.player, { rating: 5, comment: "Great comms" });
    const { values } = findForm((await one.client.get(here)).text, "Change Feedback");
    const newer = { ...values, rating: 2, comment: "Not so great after all" };
    expect((await one.client.post(here, newer)).status).toBe(303);
    // The response is lost, and the form is sent again.
    expect((await one.client.post(here, newer)).status).toBe(303);
    const stale = { ...values, tags: ["friendly"] };
    const refused = await one.client.post(here, stale);
    expect([refused.status, announcements(refused.text).join()]).toEqual([
      409,
      expect.stringContaining("Your feedback has changed elsewhere since you opened this form."),
    ]);
    expect(await feedbackBetween(one.player, two.player)).toMatchObject([{ rating: 2, comment: newer.comment }]);
    const kept = findForm(refused.text, "Change Feedback");
    expect(kept.values).toMatchObject({ rating: ["5"], comment: ["Great comms"], tags: ["friendly"] });
    expect((await one.client.post(here, kept.values)).status).toBe(303);
    expect(await feedbackBetween(one.player, two.player)).toMatchObject([{ rating: 5, tags: ["friendly"] }]);
  });
});

test("A comment that looks like HTML is shown as text", async () => {
  const [one, two] = await newMates();
  await giveFeedback(one.client, two.player, { comment: "<img src=x onerror=alert(1)> & <b>bold</b>" });
  await giveFeedback(two.client, one.player);
  const { text } = await app.client().get(pageOf(two.player));
  expect(text).not.toContain("<img src=x");
  expect(textOf(text)).toContain("<img src=x onerror=alert(1)> & <b>bold</b>");
});

describe("After a session", () => {
  test("each player is asked about the others one by one, and the notification is then read", async () => {
    const [author, one, two] = [await newMate(), await newMate(), await newMate()];
    const postId = await addSession(app.db, author.player, [one.player, two.player], { title: "Lotus, calmly" });
    await app.db.insert(notifications).values({
      id: uuidv7(),
      userId: one.player.id,
      kind: "feedback",
      subject: `team:${postId}`,
      data: { title: "Lotus, calmly", count: 1 },
      createdAt: new Date(),
    });
    const here = `/dashboard/feedback/${postId}`;
    const page = await one.client.get(here);
    expect([page.status, roundTrips(page), heading(page.text)]).toEqual([200, 1, "Feedback"]);
    expect(textOf(page.text)).toContain("How was playing with “Lotus, calmly”");
    expect(findForm(page.text, "Send Feedback").action).toBe(`${here}?player=${author.player.id}`);
    expect(links(page.text)).toContainEqual({ text: "Give Feedback", href: `${here}?player=${two.player.id}` });
    expect(page.text).not.toContain(pageOf(one.player));
    await expect
      .poll(
        async () =>
          (await app.db.select().from(notifications).where(eq(notifications.userId, one.player.id)))[0]?.readAt,
      )
      .not.toBeNull();

    const bad = await one.client.submit(here, "Send Feedback", { comment: "No stars" });
    expect([bad.status, field(bad.text, "comment").value]).toEqual([400, "No stars"]);
    const sent = await one.client.submit(here, "Send Feedback", { rating: 5 });
    expect([sent.status, sent.location, roundTrips(sent)]).toEqual([303, here, 2]);
    const next = await one.client.follow(sent);
    expect(findForm(next.text, "Send Feedback").action).toBe(`${here}?player=${two.player.id}`);
    expect(textOf(next.text)).toContain("5 out of 5 stars Hidden until they give theirs");
    const edit = `${here}?player=${author.player.id}`;
    expect(links(next.text)).toContainEqual({ text: "Change", href: edit });
    await one.client.submit(edit, "Change Feedback", { rating: 4 });
    await one.client.submit(here, "Send Feedback", { rating: 3 });
    await giveFeedback(author.client, one.player);
    const done = await one.client.get(here);
    expect(textOf(done.text)).toContain("That's everyone. Thank you!");
    expect(textOf(done.text)).toContain("4 out of 5 stars They can see it");
    expect(links(done.text).filter(({ text }) => text === "Change")).toHaveLength(1);
    expect(await feedbackBetween(one.player, author.player)).toMatchObject([{ rating: 4 }]);
    // Weeks later, the page doesn't ask for feedback on the same players again.
    for (const to of [author, two]) {
      const [{ id } = { id: "" }] = await feedbackBetween(one.player, to.player);
      await backdate(id, 20 * DAY);
    }
    await app.db.run(sql`UPDATE lfg_posts SET session_ended_at = session_ended_at - ${20 * DAY} WHERE id = ${postId}`);
    await app.runScheduled();
    expect(textOf((await one.client.get(here)).text)).toContain("That's everyone. Thank you!");
  });

  test("a change refused because the feedback is visible now doesn't fill in the form for the next player", async () => {
    const [author, one, two] = [await newMate(), await newMate(), await newMate()];
    const here = `/dashboard/feedback/${await addSession(app.db, author.player, [one.player, two.player])}`;
    await one.client.submit(here, "Send Feedback", { rating: 5 });
    const edit = `${here}?player=${author.player.id}`;
    const { values } = findForm((await one.client.get(edit)).text, "Change Feedback");
    await giveFeedback(author.client, one.player);
    const late = await one.client.post(edit, { ...values, rating: 1, comment: "Too late" });
    expect(late.status).toBe(409);
    expect(announcements(late.text)).toContain(
      "Error saving feedback Your feedback is visible now, so it can't be changed any more.",
    );
    const form = findForm(late.text, "Send Feedback");
    expect(form.action).toBe(`${here}?player=${two.player.id}`);
    expect(form.values).not.toHaveProperty("rating");
    expect(field(late.text, "comment").value).toBe("");
    expect(form.values.id).not.toEqual(values.id);
    const path = form.action as string;
    expect((await one.client.post(path, { ...form.values, rating: 4 })).status).toBe(303);
    expect(await feedbackBetween(one.player, two.player)).toMatchObject([{ rating: 4, comment: null }]);
  });

  describe("with players who have just given each other feedback", () => {
    /** Lets players who have given each other feedback end another session, with other teammates. */
    async function playAgain(author: Visitor, one: Visitor, ...others: Visitor[]) {
      await giveFeedback(author.client, one.player);
      await giveFeedback(one.client, author.player);
      const team = [one, ...others];
      const postId = await addSession(
        app.db,
        author.player,
        team.map(({ player }) => player),
      );
      await app.db.run(sql`UPDATE lfg_posts SET session_ended_at = NULL WHERE id = ${postId}`);
      await app.db.run(sql`UPDATE join_requests SET played_at = NULL WHERE post_id = ${postId}`);
      await app.runScheduled();
      const asked = await app.db
        .select()
        .from(notifications)
        .where(eq(notifications.subject, `team:${postId}`));
      return { here: `/dashboard/feedback/${postId}`, asked: asked.map(({ userId }) => userId).sort() };
    }

    test("nobody is asked, and the page says when they can give more", async () => {
      const [author, one] = await newMates();
      const { here, asked } = await playAgain(author, one);
      expect(asked).toEqual([]);
      for (const { client } of [author, one]) {
        const { text } = await client.get(here);
        expect(textOf(text)).toMatch(/They can see it\. You can give more from \d+ \w+( \d{4})?\./);
        expect(textOf(text)).not.toContain("That's everyone. Thank you!");
      }
    });

    test("they are asked about the other players", async () => {
      const [author, one] = await newMates();
      const two = await newMate();
      const { here, asked } = await playAgain(author, one, two);
      expect(asked).toEqual([author, one, two].map(({ player }) => player.id).sort());
      const form = findForm((await author.client.get(here)).text, "Send Feedback");
      expect(form.action).toBe(`${here}?player=${two.player.id}`);
      await author.client.submit(here, "Send Feedback", { rating: 5 });
      expect(textOf((await author.client.get(here)).text)).not.toContain("That's everyone. Thank you!");
    });
  });

  test("its post links to the form, but only for players who played", async () => {
    const [author, one, left] = [await newMate(), await newMate(), await newMate()];
    const postId = await addSession(app.db, author.player, [one.player, left.player]);
    // A player who left before the session was over has not played.
    await app.db
      .update(joinRequests)
      .set({ state: "left", playedAt: null })
      .where(eq(joinRequests.userId, left.player.id));
    const leads = async ({ client }: Pick<Visitor, "client">) => {
      const page = await client.get(`/lfg/${postId}`);
      expect(roundTrips(page)).toBeLessThanOrEqual(1);
      return links(page.text).some(({ href }) => href === `/dashboard/feedback/${postId}`);
    };
    for (const visitor of [author, one]) expect(await leads(visitor)).toBe(true);
    for (const visitor of [left, await newMate(), { client: app.client() }]) expect(await leads(visitor)).toBe(false);
    // A player who leaves afterwards has still played.
    await one.client.post(`/lfg/${postId}`, { intent: "leave" });
    for (const visitor of [author, one]) expect(await leads(visitor)).toBe(true);
    await app.db.run(sql`UPDATE lfg_posts SET session_ended_at = NULL WHERE id = ${postId}`);
    for (const visitor of [author, one]) expect(await leads(visitor)).toBe(false);
  });

  test("the form is open to its players only", async () => {
    const [one, two] = await newMates();
    const stranger = await newMate();
    const postId = await addSession(app.db, one.player, [two.player]);
    const here = `/dashboard/feedback/${postId}`;
    expect((await stranger.client.get(here)).status).toBe(404);
    expect((await app.client().get(here)).location).toBe(`/auth?redirectTo=${encodeURIComponent(here)}`);
    expect((await one.client.get(`/dashboard/feedback/${uuidv7()}`)).status).toBe(404);
    expect((await one.client.get("/dashboard/feedback/1")).status).toBe(404);
    const forged = { id: uuidv7(), rating: 1 };
    expect((await stranger.client.post(`${here}?player=${one.player.id}`, forged)).status).toBe(403);
    expect((await one.client.post(`${here}?player=x`, forged)).status).toBe(404);
    expect((await one.client.post(here, forged)).status).toBe(404);
    expect(await feedbackBetween(stranger.player, one.player)).toEqual([]);
    await app.db.run(sql`UPDATE lfg_posts SET session_ended_at = NULL WHERE id = ${postId}`);
    expect((await one.client.get(here)).status).toBe(404);
    const alone = await addSession(app.db, one.player, []);
    expect((await one.client.get(`/dashboard/feedback/${alone}`)).status).toBe(404);
  });
});

test("A thousand messages with a single answer don't count as a conversation", async () => {
  const [one, two] = [await newMate(), await newMate()];
  const { conversationId } = await startConversation(app, { author: one, reader: two });
  const now = Date.now();
  await app.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO messages (id, conversation_id, seq, sender_id, receiver_id, content, created_at)
    SELECT lower(hex(randomblob(16))), ${conversationId}, i, ${two.player.id}, ${one.player.id}, 'Hello?', ${now} FROM n`);
  await app.db.update(conversations).set({ lastSeq: 1_000 }).where(eq(conversations.id, conversationId));
  await write(one.client, conversationId, "Stop it");
  expect((await app.db.select().from(messages).where(eq(messages.conversationId, conversationId))).length).toBe(1_001);
  expect((await giveFeedback(two.client, one.player)).status).toBe(403);
});

describe("with the product's limits", () => {
  const strict = useApp({ limitFactor: 1 });

  test("feedback can be given 30 times an hour", async () => {
    const visitor = await newVisitor(strict);
    const other = await newVisitor(strict);
    await addSession(strict.db, visitor.player, [other.player]);
    const id = uuidv7();
    for (let time = 0; time < 30; time += 1)
      expect((await giveFeedback(visitor.client, other.player, { id })).status).toBe(303);
    const answer = await giveFeedback(visitor.client, other.player, { id, rating: 1, comment: "Kept?" });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(field(answer.text, "comment").value).toBe("Kept?");
  });
});
