import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setReviewHidden } from "../../app/features/feedback/moderation.server";
import { USUAL_RATING } from "../../app/features/feedback/ranking";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import {
  blocks,
  conversations,
  joinRequests,
  messages,
  notifications,
  playerFacets,
  profiles,
  reports,
  userFeedback,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import { findForm, textOf } from "../support/client";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { announcements, field, heading, links } from "./html";
import { addPlayer, DAY, HOUR, MINUTE, newVisitor, type Player, unique } from "./players";
import { give, reviewsIn } from "./reviews";
import { talk, type Visitor, write } from "./talk";

const app = useApp();
const { given, profileOf, age, expectRecount } = reviewsIn(app);

/** Two players who have played together. */
async function newMates(): Promise<[Visitor, Visitor]> {
  const [one, two] = [await newcomer(), await newcomer()];
  await addSession(app.db, one.player, [two.player]);
  return [one, two];
}

const newcomer = (profile: Parameters<typeof newVisitor>[1] = {}) =>
  newVisitor(app, { riotGameName: unique("Mate "), ...profile });

const pageOf = (player: Player, rest = "") => `/players/${player.id}${rest}`;
const shown = async (player: Player) => textOf((await app.client().get(pageOf(player))).text);
const newsOf = async ({ id }: Player) =>
  (await app.db.select().from(notifications).where(eq(notifications.userId, id)))
    .filter(({ kind, readAt }) => kind === "feedback-received" && readAt === null)
    .map(({ data }) => (data as { count: number }).count);
const count = async () => (await app.db.get<{ count: number }>(sql`SELECT count(*) AS count FROM user_feedback`)).count;

describe("Giving feedback", () => {
  test("stores it hidden: neither page, score nor news tells of it, and its writer may change it", async () => {
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
      "Feedback saved! It stays hidden until they have given theirs, for a week at most.",
    );
    expect(links(after.text)).toContainEqual({ text: "Change Feedback", href: pageOf(two.player, "/feedback") });
    const [stored] = await given(one.player, two.player);
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
    expect(await newsOf(two.player)).toEqual([]);
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
    expect(await given(one.player, two.player)).toMatchObject([
      { id: stored?.id, rating: 2, tags: null, comment: null },
    ]);
  });

  test("after talking both ways, too, but not to whoever has not answered", async () => {
    const { author, reader, conversationId } = await talk(app);
    for (const [from, to] of [
      [author, reader],
      [reader, author],
    ] as const) {
      expect((await give(from.client, to.player)).status).toBe(403);
    }
    const thread = `/dashboard/messages/${conversationId}`;
    const invitation = { text: "Feedback", href: pageOf(reader.player, "/feedback") };
    expect(links((await author.client.get(thread)).text)).not.toContainEqual(invitation);
    await write(author.client, conversationId, "Yes, at eight");
    expect(links((await author.client.get(thread)).text)).toContainEqual(invitation);
    expect((await give(author.client, reader.player)).status).toBe(303);
    expect((await give(reader.client, author.player)).status).toBe(303);
    await expectRecount(author.player);
  });

  test("of a team each may give each other theirs, whoever has left since; one who left before, or was never in it, not", async () => {
    const [author, one, two, early, other] = [
      await newcomer(),
      await newcomer(),
      await newcomer(),
      await newcomer(),
      await newcomer(),
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
        if (from !== to) expect((await give(from.client, to.player)).status).toBe(303);
      }
      for (const outside of [early, other]) {
        expect((await give(from.client, outside.player)).status).toBe(403);
        expect((await give(outside.client, from.player)).status).toBe(403);
        expect((await outside.client.get(`/dashboard/feedback/${postId}`)).status).toBe(404);
      }
    }
    for (const { player } of team) {
      expect((await profileOf(player)).totalRatings).toBe(2);
      await expectRecount(player);
    }
  });

  test("is once in 14 days and direction, however many forms are sent at once; then once more", async () => {
    const [one, two] = await newMates();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => give(one.client, two.player, { rating: 1 + (index % 5) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(announcements(refused?.text ?? "").join()).toContain(
      "You have given them feedback already. It is still hidden, so you can change it.",
    );
    expect(links(refused?.text ?? "")).toContainEqual({
      text: "Change Feedback",
      href: pageOf(two.player, "/feedback"),
    });
    const [first, ...others] = await given(one.player, two.player);
    expect(others).toEqual([]);

    expect((await give(two.client, one.player)).status).toBe(303);
    const locked = await give(one.client, two.player);
    expect(locked.status).toBe(409);
    expect(announcements(locked.text).join()).toMatch(/You can give more from \d+ \w+( \d{4})? on\./);
    const away = await one.client.get(pageOf(two.player, "/feedback"));
    expect(away.location).toBe(pageOf(two.player));

    await age(first?.id as string, 14 * DAY - MINUTE);
    expect((await give(one.client, two.player)).status).toBe(409);
    await age(first?.id as string, MINUTE);
    expect((await give(one.client, two.player, { rating: 3 })).status).toBe(303);
    // What the other gave has had its answer: the new one waits for theirs.
    expect((await given(one.player, two.player)).map(({ revealedAt }) => revealedAt !== null)).toEqual([true, false]);
    await expectRecount(two.player);
  });

  test("with one form sent ten times at once, and later again, is given once", async () => {
    const [one, two] = await newMates();
    const id = uuidv7();
    const send = () => give(one.client, two.player, { id, rating: 3, comment: "Once" });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    await give(two.client, one.player);
    expect((await send()).status).toBe(303);
    expect(await given(one.player, two.player)).toHaveLength(1);
    expect(await newsOf(two.player)).toEqual([1]);
    await expectRecount(two.player);
  });

  test("doesn't mind a block: whoever played foul could block first", async () => {
    const [one, two] = await newMates();
    await app.db.insert(blocks).values({ blockerId: two.player.id, blockedId: one.player.id, createdAt: new Date() });
    expect((await give(one.client, two.player)).status).toBe(303);
  });
});

describe("Bad feedback is refused with the reason, and nothing is stored", () => {
  test("each wrong field says what is wrong, and what was entered stays", async () => {
    const [one, two] = await newMates();
    const before = await count();
    for (const [fields, name, words] of [
      [{ rating: null }, "rating", "Choose one to five stars."],
      [{ rating: 0 }, "rating", "Choose one to five stars."],
      [{ rating: 6 }, "rating", "Choose one to five stars."],
      [{ rating: "4.5" }, "rating", "Choose one to five stars."],
      [{ comment: "x".repeat(1_001) }, "comment", "This comment is too long: at most 1000 characters."],
      [{ comment: "x".repeat(10_000) }, "comment", "This comment is too long: at most 1000 characters."],
      [{ comment: "a\u202eb" }, "comment", "This comment holds characters that can't be shown. Type it again."],
    ] as const) {
      const answer = await give(one.client, two.player, { tags: ["friendly"], ...fields });
      expect(answer.status, words).toBe(400);
      expect(field(answer.text, name)).toMatchObject({ invalid: true, description: expect.stringContaining(words) });
      expect(findForm(answer.text, "Send Feedback").values.tags).toEqual(["friendly"]);
    }
    const tag = await give(one.client, two.player, { tags: ["toxic"] });
    expect(tag.status).toBe(400);
    expect(textOf(tag.text)).toContain("Choose from the list.");
    const kept = await give(one.client, two.player, { rating: 6, comment: "Kept?" });
    expect(field(kept.text, "comment").value).toBe("Kept?");
    expect((await give(one.client, two.player, { id: "1" })).status).toBe(400);
    expect(await count()).toBe(before);
  });

  test("for oneself, a stranger, nobody, and without a session", async () => {
    const [one, two] = await newMates();
    const stranger = await newcomer();
    const before = await count();
    const own = await give(one.client, one.player);
    expect([own.status, announcements(own.text).join()]).toEqual([409, expect.stringContaining("This is you")]);
    const strange = await give(one.client, stranger.player);
    expect([strange.status, announcements(strange.text).join()]).toEqual([
      403,
      expect.stringContaining("Feedback is for players you have played with, or who have talked with you."),
    ]);
    expect((await give(one.client, { id: uuidv7() })).status).toBe(404);
    expect((await give(one.client, { id: "1" })).status).toBe(404);
    expect((await give(app.client(), two.player)).status).toBe(401);
    for (const [player, words] of [
      [one.player, "This is you: feedback comes from others."],
      [stranger.player, "Feedback is for players you have played with, or who have talked with you."],
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

  test("under the id of other feedback it does nothing to that, and nothing else", async () => {
    const [one, two] = await newMates();
    await give(one.client, two.player, { rating: 5, comment: "Mine" });
    const [mine] = await given(one.player, two.player);
    const id = mine?.id as string;
    const three = await newcomer();
    await addSession(app.db, three.player, [one.player, two.player]);
    // Somebody else's for the same player, one's own for another, and the reviewed one's.
    for (const [from, to] of [
      [three, two],
      [one, three],
      [two, one],
    ] as const) {
      const answer = await give(from.client, to.player, { id, rating: 1, comment: "Forged" });
      expect([answer.status, announcements(answer.text).join()]).toEqual([
        409,
        expect.stringContaining("This form was used already. Open it again."),
      ]);
      expect(await given(from.player, to.player)).toEqual([]);
    }
    expect(await given(one.player, two.player)).toEqual([mine]);
  });

  test("after the reveal it stays as it was", async () => {
    const [one, two] = await newMates();
    await give(one.client, two.player, { rating: 5, comment: "Before" });
    const [{ id } = { id: "" }] = await given(one.player, two.player);
    await give(two.client, one.player);
    const late = await give(one.client, two.player, { id, rating: 1, comment: "After" });
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("Your feedback was revealed meanwhile, so it can't be changed any more."),
    ]);
    expect(field(late.text, "comment").value).toBe("After");
    expect(await given(one.player, two.player)).toMatchObject([{ rating: 5, comment: "Before" }]);
    await expectRecount(two.player);
  });

  test("what looks like HTML is words", async () => {
    const [one, two] = await newMates();
    await give(one.client, two.player, { comment: "<img src=x onerror=alert(1)> & <b>bold</b>" });
    await give(two.client, one.player);
    const { text } = await app.client().get(pageOf(two.player));
    expect(text).not.toContain("<img src=x");
    expect(textOf(text)).toContain("<img src=x onerror=alert(1)> & <b>bold</b>");
  });
});

describe("The reveal", () => {
  test("comes when both have given theirs: both show, count and are told of", async () => {
    const [one, two] = await newMates();
    await app.db.insert(playerFacets).values({
      facet: "all",
      userId: two.player.id,
      joinedAt: new Date(),
      rankingScore: 4,
    });
    await give(one.client, two.player, { rating: 5, comment: "Calm under fire", tags: ["keeps calm"] });
    const answer = await give(two.client, one.player, { rating: 4, comment: "Good calls" });
    expect(announcements((await two.client.follow(answer)).text)).toContain(
      "Feedback saved! Both of you have given theirs: it shows from now on.",
    );
    const [mine, theirs] = [(await given(one.player, two.player))[0], (await given(two.player, one.player))[0]];
    expect(mine?.revealedAt).toEqual(theirs?.revealedAt);
    expect(mine?.revealedAt).not.toBeNull();
    const { riotGameName } = await profileOf(one.player);
    expect(await shown(two.player)).toMatch(
      new RegExp(
        `Feedback 5\\.0 .*1 review .*5 stars: 1 review ${riotGameName} less than a minute ago 5 out of 5 stars Calm under fire keeps calm`,
      ),
    );
    expect(await shown(one.player)).toContain("Good calls");
    for (const { player, client } of [one, two]) {
      await expectRecount(player);
      expect(await newsOf(player)).toEqual([1]);
      const bell = await client.get("/dashboard/notifications");
      expect(links(bell.text)).toContainEqual({
        text: expect.stringContaining("A player you met has left feedback for you"),
        href: "/dashboard/profile#feedback",
      });
      const profile = await client.get("/dashboard/profile");
      expect(roundTrips(profile)).toBe(1);
      await expect.poll(() => newsOf(player)).toEqual([]);
    }
  });

  test("both giving at the same moment, 20 times: both are revealed each time, and counted once", async () => {
    for (let time = 0; time < 20; time += 1) {
      const [one, two] = await newMates();
      const answers = await Promise.all([give(one.client, two.player), give(two.client, one.player, { rating: 2 })]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect((await given(one.player, two.player))[0]?.revealedAt).not.toBeNull();
      expect((await profileOf(one.player)).feedbackScore).toBe(2);
      expect((await profileOf(two.player)).feedbackScore).toBe(4);
      for (const { player } of [one, two]) {
        await expectRecount(player);
        expect(await newsOf(player)).toEqual([1]);
      }
    }
  });

  test("comes after 7 days by the cron, once", async () => {
    const [one, two] = await newMates();
    await give(one.client, two.player, { rating: 2, comment: "Quiet" });
    const [{ id } = { id: "" }] = await given(one.player, two.player);
    await age(id, 7 * DAY - MINUTE);
    await app.runScheduled();
    expect((await given(one.player, two.player))[0]?.revealedAt).toBeNull();
    await age(id, MINUTE);
    await app.runScheduled();
    const [first] = await given(one.player, two.player);
    expect(first?.revealedAt).not.toBeNull();
    await app.runScheduled();
    expect(await given(one.player, two.player)).toEqual([first]);
    expect(await newsOf(two.player)).toEqual([1]);
    expect(await newsOf(one.player)).toEqual([]);
    await expectRecount(two.player);
    expect(await shown(two.player)).toContain("Quiet");
    // Whoever answers late has nothing to wait for: the other's is out.
    await give(two.client, one.player, { rating: 3 });
    expect((await given(two.player, one.player))[0]?.revealedAt).not.toBeNull();
    await expectRecount(one.player);
  });

  test("is of a thousand at most in one run; the rest comes with the next", async () => {
    const { player } = await newcomer();
    const now = Date.now();
    await app.db.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
      INSERT INTO user_feedback (id, reviewed_id, rating, created_at, updated_at, due_at)
      SELECT printf('00000000-0000-7000-8000-%012d', i), ${player.id}, 1 + i % 5, ${now - 8 * DAY}, ${now - 8 * DAY}, ${now - DAY}
      FROM n`);
    await app.runScheduled();
    expect((await profileOf(player)).totalRatings).toBe(1_000);
    await app.runScheduled();
    expect((await profileOf(player)).totalRatings).toBe(1_100);
    await expectRecount(player);
    expect(await newsOf(player)).toEqual([1_100]);
  });

  test("leaves the scores equal to a recount after whatever players, time and moderators do", async () => {
    const cast: Visitor[] = [];
    for (let number = 0; number < 4; number += 1) cast.push(await newcomer());
    const { db } = openDatabase({ url: app.libsqlUrl, authToken: undefined });
    const [author, ...members] = cast as [Visitor, ...Visitor[]];
    await addSession(
      app.db,
      author.player,
      members.map(({ player }) => player),
    );
    const who = fc.integer({ min: 0, max: 3 });
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant("give" as const),
          from: who,
          to: who,
          rating: fc.integer({ min: 1, max: 5 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 15 }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("cron" as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant("moderate" as const), which: fc.nat(1_000), isHidden: fc.boolean() }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        for (const one of steps) {
          if (one.do === "cron") await app.runScheduled();
          else if (one.do === "wait") {
            const by = one.days * DAY;
            await app.db.run(sql`
              UPDATE user_feedback SET created_at = created_at - ${by}, updated_at = updated_at - ${by},
                due_at = due_at - ${by}, revealed_at = revealed_at - ${by}`);
          } else if (one.do === "moderate") {
            const all = await app.db.select().from(userFeedback);
            const review = all.filter(({ reviewedId }) => cast.some(({ player }) => player.id === reviewedId));
            const picked = review[one.which % Math.max(1, review.length)];
            if (picked) await setReviewHidden({ db, now: new Date() }, picked, one.isHidden);
          } else {
            const [from, to] = [cast[one.from] as Visitor, cast[one.to] as Visitor];
            const answer = await give(from.client, to.player, { rating: one.rating });
            expect([303, 409]).toContain(answer.status);
          }
          for (const { player } of cast) await expectRecount(player);
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe("After a session", () => {
  test("each is asked for the players they have played with, one after the other, and the news is resolved", async () => {
    const [author, one, two] = [await newcomer(), await newcomer(), await newcomer()];
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
    expect(textOf(page.text)).toContain("How was it with your team of “Lotus, calmly”");
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
    expect(textOf(next.text)).toContain("5 out of 5 stars Hidden until they have given theirs");
    const edit = `${here}?player=${author.player.id}`;
    expect(links(next.text)).toContainEqual({ text: "Change", href: edit });
    await one.client.submit(edit, "Change Feedback", { rating: 4 });
    await one.client.submit(here, "Send Feedback", { rating: 3 });
    await give(author.client, one.player);
    const done = await one.client.get(here);
    expect(textOf(done.text)).toContain("That is everyone. Thank you.");
    expect(textOf(done.text)).toContain("4 out of 5 stars Shows on their page");
    expect(links(done.text).filter(({ text }) => text === "Change")).toHaveLength(1);
    expect(await given(one.player, author.player)).toMatchObject([{ rating: 4 }]);
    // Weeks later nobody is asked for it again.
    for (const to of [author, two]) {
      const [{ id } = { id: "" }] = await given(one.player, to.player);
      await age(id, 20 * DAY);
    }
    await app.db.run(sql`UPDATE lfg_posts SET session_ended_at = session_ended_at - ${20 * DAY} WHERE id = ${postId}`);
    await app.runScheduled();
    expect(textOf((await one.client.get(here)).text)).toContain("That is everyone. Thank you.");
  });

  test("is nobody else's business, nor one that is not over", async () => {
    const [one, two] = await newMates();
    const stranger = await newcomer();
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
    expect(await given(stranger.player, one.player)).toEqual([]);
    await app.db.run(sql`UPDATE lfg_posts SET session_ended_at = NULL WHERE id = ${postId}`);
    expect((await one.client.get(here)).status).toBe(404);
    const alone = await addSession(app.db, one.player, []);
    expect((await one.client.get(`/dashboard/feedback/${alone}`)).status).toBe(404);
  });
});

/** Reviews of a player, revealed a minute apart; the last is the newest. */
async function addReviews(of: Player, ratings: readonly number[], reviewerId: string | null = null): Promise<string[]> {
  const now = Date.now();
  const rows = ratings.map((rating, index) => {
    const revealedAt = new Date(now - (ratings.length - index) * MINUTE);
    const createdAt = new Date(revealedAt.getTime() - HOUR);
    const dueAt = new Date(createdAt.getTime() + 7 * DAY);
    return {
      id: uuidv7(createdAt.getTime()),
      reviewerId,
      reviewedId: of.id,
      rating,
      comment: `Review ${index + 1}`,
      createdAt,
      updatedAt: createdAt,
      dueAt,
      revealedAt,
    };
  });
  await app.db.insert(userFeedback).values(rows);
  const sum = ratings.reduce((stars, one) => stars + one, 0);
  await app.db
    .update(profiles)
    .set({ feedbackScore: sum / ratings.length, totalRatings: ratings.length })
    .where(eq(profiles.userId, of.id));
  return rows.map(({ id }) => id);
}

describe("Feedback on a page", () => {
  test("shows the plain mean with one decimal, the count, how it is spread, and pages of reviews, newest first", async () => {
    const { player, client } = await newcomer();
    await addReviews(player, [...Array(15).fill(5), ...Array(7).fill(4), 1]);
    for (const [visitor, path] of [
      [app.client(), pageOf(player)],
      [client, "/dashboard/profile"],
    ] as const) {
      const page = await visitor.get(path);
      expect(roundTrips(page)).toBe(1);
      const text = textOf(page.text);
      expect(text).toContain("4.5 out of 5 stars 23 reviews");
      expect(text).toContain("1 star: 1 review");
      expect(text).toContain("3 stars: 0 reviews");
      expect(text).toContain("4 stars: 7 reviews");
      const seen: string[] = [];
      let href: string | undefined = path;
      for (let pages = 0; href; pages += 1) {
        expect(pages).toBeLessThan(4);
        const { text: html } = await visitor.get(href.split("#")[0] as string);
        seen.push(...[...html.matchAll(/Review (\d+)</g)].map(([, number]) => number as string));
        href = links(html).find(({ text: label }) => label === "Older reviews")?.href;
      }
      expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => String(23 - index)));
    }
    const beyond = await app.client().get(pageOf(player, `?reviews=1_${uuidv7()}`));
    expect(textOf(beyond.text)).toContain("There are no older reviews.");
    expect(links(beyond.text)).toContainEqual({ text: "Newest reviews", href: `${pageOf(player)}#feedback` });
    expect((await app.client().get(pageOf(player, "?reviews=nonsense"))).status).toBe(200);
  });

  test("is on nobody else's page where the player keeps it to themselves", async () => {
    const { player, client } = await newcomer({ shares: ["description"] });
    const [id] = await addReviews(player, [2]);
    const other = await newcomer();
    for (const visitor of [app.client(), other.client, client]) {
      const { text } = await visitor.get(pageOf(player));
      expect(text).not.toContain("Review 1");
      expect(textOf(text)).not.toContain("2.0");
    }
    expect((await client.get("/dashboard/profile")).text).toContain("Review 1");
    expect((await other.client.get(pageOf(player, `/report/${id}`))).status).toBe(404);
    expect((await client.get(pageOf(player, `/report/${id}`))).status).toBe(200);
  });

  test("that a player keeps to themselves does not show in the directory's order either", async () => {
    const { player, client } = await newVisitor(app);
    const reviewer = await addPlayer(app);
    const save = (...shares: string[]) => client.post("/dashboard/profile", { isListed: "on", shares });
    const sortedBy = async () => {
      const facets = await app.db.select().from(playerFacets).where(eq(playerFacets.userId, player.id));
      return [...new Set(facets.map(({ rankingScore }) => rankingScore))];
    };
    expect((await save("description")).status).toBe(303);
    const then = new Date(Date.now() - 8 * DAY);
    const times = { createdAt: then, updatedAt: then, dueAt: new Date(Date.now() - DAY) };
    const review = { id: uuidv7(), reviewerId: reviewer.id, reviewedId: player.id, rating: 1 as const };
    await app.db.insert(userFeedback).values({ ...review, ...times });
    await app.runScheduled();
    const { totalRatings, rankingScore } = await profileOf(player);
    expect(totalRatings).toBe(1);
    expect(rankingScore).toBeLessThan(USUAL_RATING);
    expect(await sortedBy()).toEqual([USUAL_RATING]);
    expect((await save("description", "feedback")).status).toBe(303);
    expect(await sortedBy()).toEqual([rankingScore]);
    await save();
    expect(await sortedBy()).toEqual([USUAL_RATING]);
  });

  test("says Unknown User once the reviewer is gone, and no score changes; what they had hidden still comes out", async () => {
    const [one, two] = await newMates();
    const three = await newcomer();
    await addSession(app.db, one.player, [three.player]);
    await give(one.client, two.player, { rating: 2, comment: "Stays" });
    await give(two.client, one.player, { rating: 5, comment: "Goes" });
    await give(one.client, three.player, { rating: 1 });
    const before = await profileOf(two.player);
    const [hidden] = await given(one.player, three.player);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.id, one.player.id));
    await app.runScheduled();
    expect(await app.db.select().from(users).where(eq(users.id, one.player.id))).toEqual([]);
    expect(await profileOf(two.player)).toEqual(before);
    await expectRecount(two.player);
    expect(await shown(two.player)).toContain("Unknown User less than a minute ago 2 out of 5 stars Stays");
    const left = await app.db.select().from(userFeedback).where(eq(userFeedback.reviewedId, one.player.id));
    expect(left).toEqual([]);
    await age(hidden?.id as string, 7 * DAY);
    await app.runScheduled();
    expect((await profileOf(three.player)).feedbackScore).toBe(1);
    await expectRecount(three.player);
  });
});

describe("Reporting a review", () => {
  test("keeps it for moderators with what it says; the same form twice is one report", async () => {
    const [one, two] = await newMates();
    await give(one.client, two.player, { rating: 1, comment: "Rude words" });
    await give(two.client, one.player);
    const [{ id } = { id: "" }] = await given(one.player, two.player);
    const address = pageOf(two.player, `/report/${id}`);
    expect(links((await two.client.get("/dashboard/profile")).text)).toContainEqual({ text: "Report", href: address });
    // Nobody reports their own words, and a guest nothing.
    expect((await one.client.get(pageOf(two.player))).text).not.toContain(address);
    expect((await app.client().get(pageOf(two.player))).text).not.toContain(address);
    const dialog = await two.client.get(address);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    expect(textOf(dialog.text)).toContain("Rude words");
    const report = { id: uuidv7(), reason: "other", details: "We never met." };
    for (let time = 0; time < 2; time += 1) {
      const answer = await two.client.post(address, report);
      expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, "/dashboard/profile", 2]);
    }
    const kept = await app.db.select().from(reports).where(eq(reports.feedbackId, id));
    expect(kept).toMatchObject([
      {
        id: report.id,
        reporterId: two.player.id,
        reportedId: one.player.id,
        reason: "other",
        details: "We never met.",
        quotedContent: "1 of 5 stars: Rude words",
      },
    ]);
    const third = await newcomer();
    expect((await third.client.submit(address, "Send Report", { reason: "harassment" })).location).toBe(
      pageOf(two.player),
    );
  });

  test("needs a reason and a review that one sees and has not written", async () => {
    const [one, two] = await newMates();
    await give(one.client, two.player, { comment: "Hidden" });
    const [{ id } = { id: "" }] = await given(one.player, two.player);
    const address = pageOf(two.player, `/report/${id}`);
    const report = () => ({ id: uuidv7(), reason: "other" });
    const expectNothing = async (path: string, visitor: Visitor) => {
      expect((await visitor.client.get(path)).status, path).toBe(404);
      expect((await visitor.client.post(path, report())).status, path).toBe(404);
    };
    await expectNothing(address, two);
    await give(two.client, one.player);
    await expectNothing(address, one);
    await expectNothing(pageOf(one.player, `/report/${id}`), two);
    await expectNothing(pageOf(two.player, `/report/${uuidv7()}`), two);
    expect((await app.client().post(address, report())).status).toBe(401);
    const bad = await two.client.post(address, { id: uuidv7(), reason: "cheating", details: "x".repeat(1_001) });
    expect(bad.status).toBe(400);
    expect(field(bad.text, "reason")).toMatchObject({ invalid: true, description: "Choose a reason." });
    expect(field(bad.text, "details").invalid).toBe(true);
    expect(await app.db.select().from(reports).where(eq(reports.feedbackId, id))).toEqual([]);
  });
});

describe("The data that a player takes along", () => {
  test("holds what they gave, hidden or not, and of what they got only what is revealed", async () => {
    const [one, two] = await newMates();
    const three = await newcomer();
    await addSession(app.db, three.player, [one.player]);
    await give(one.client, two.player, { rating: 5, comment: "Out" });
    await give(two.client, one.player, { rating: 4, comment: "Also out" });
    await give(one.client, three.player, { rating: 2, comment: "Mine, hidden" });
    const secret = await newcomer();
    await addSession(app.db, secret.player, [one.player]);
    await give(secret.client, one.player, { rating: 1, comment: "Theirs, hidden" });
    const { text } = await one.client.post("/dashboard/settings/export/download");
    const { feedbackGiven, feedbackReceived } = JSON.parse(text);
    expect(feedbackGiven.map(({ comment }: { comment: string }) => comment).sort()).toEqual(["Mine, hidden", "Out"]);
    expect(feedbackReceived).toMatchObject([
      { rating: 4, comment: "Also out", from: (await profileOf(two.player)).riotGameName },
    ]);
    expect(text).not.toContain("Theirs, hidden");
    expect(text).not.toContain(secret.player.id);
  });
});

test("A talk of a thousand messages without an answer is none, and costs no more than that", async () => {
  const [one, two] = [await newcomer(), await newcomer()];
  const { conversationId } = await talk(app, { author: one, reader: two });
  const now = Date.now();
  await app.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO messages (id, conversation_id, seq, sender_id, receiver_id, content, created_at)
    SELECT lower(hex(randomblob(16))), ${conversationId}, i, ${two.player.id}, ${one.player.id}, 'Hello?', ${now} FROM n`);
  await app.db.update(conversations).set({ lastSeq: 1_000 }).where(eq(conversations.id, conversationId));
  await write(one.client, conversationId, "Stop it");
  expect((await app.db.select().from(messages).where(eq(messages.conversationId, conversationId))).length).toBe(1_001);
  expect((await give(two.client, one.player)).status).toBe(403);
});

describe("with limits as they are", () => {
  const strict = useApp({ limitFactor: 1 });

  test("feedback is given 30 times an hour at most", async () => {
    const visitor = await newVisitor(strict);
    const other = await newVisitor(strict);
    await addSession(strict.db, visitor.player, [other.player]);
    const id = uuidv7();
    for (let time = 0; time < 30; time += 1)
      expect((await give(visitor.client, other.player, { id })).status).toBe(303);
    const answer = await give(visitor.client, other.player, { id, rating: 1, comment: "Kept?" });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(field(answer.text, "comment").value).toBe("Kept?");
  });
});
