import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { playerFacets, profiles, userFeedback, users } from "../../db/schema";
import { USUAL_RATING } from "../../db/words/ratings";
import { useApp } from "../support/app";
import { announcements, field, links, textOf } from "../support/html";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { casesIn } from "./cases";
import { addPlayer, DAY, HOUR, MINUTE, newVisitor, type Player } from "./players";
import { reportsIn } from "./reports";
import { giveFeedback, reviewsIn } from "./reviews";
import type { Visitor } from "./talk";

const app = useApp();
const { reportsOf } = reportsIn(app);
const { newCase, decideCase } = casesIn(app);
const { feedbackNewsOf, feedbackBetween, profileOf, backdate, expectRecount, newMate, newMates } = reviewsIn(app);

const pageOf = (player: Player, rest = "") => `/players/${player.id}${rest}`;
const shown = async (player: Player) => textOf((await app.client().get(pageOf(player))).text);

describe("The reveal", () => {
  test("comes when both players have given theirs: both are then shown, counted and announced", async () => {
    const [one, two] = await newMates();
    await app.db.insert(playerFacets).values({
      facet: "all",
      userId: two.player.id,
      joinedAt: new Date(),
      rankingScore: 4,
    });
    await giveFeedback(one.client, two.player, { rating: 5, comment: "Calm under fire", tags: ["keeps calm"] });
    const answer = await giveFeedback(two.client, one.player, { rating: 4, comment: "Good calls" });
    expect(announcements((await two.client.follow(answer)).text)).toContain(
      "Feedback saved! You've both given feedback, so they can see it from now on.",
    );
    const [mine, theirs] = [
      (await feedbackBetween(one.player, two.player))[0],
      (await feedbackBetween(two.player, one.player))[0],
    ];
    expect(mine?.revealedAt).toEqual(theirs?.revealedAt);
    expect(mine?.revealedAt).not.toBeNull();
    const { riotGameName } = await profileOf(one.player);
    expect(await shown(two.player)).toMatch(
      new RegExp(
        `Feedback 5\\.0 .*1 review .*5 stars: 1 review ${riotGameName} less than a minute ago 5 out of 5 stars Report Calm under fire keeps calm`,
      ),
    );
    expect(await shown(one.player)).toContain("Good calls");
    for (const { player, client } of [one, two]) {
      await expectRecount(player);
      expect(await feedbackNewsOf(player)).toEqual([1]);
      const bell = await client.get("/dashboard/notifications");
      expect(links(bell.text)).toContainEqual({
        text: expect.stringContaining("A player you met left you feedback"),
        href: "/dashboard/profile#feedback",
      });
      const profile = await client.get("/dashboard/profile");
      expect(roundTrips(profile)).toBe(1);
      await expect.poll(() => feedbackNewsOf(player)).toEqual([]);
    }
  });

  test("comes once when both give theirs at the same moment, 20 times over", async () => {
    for (let time = 0; time < 20; time += 1) {
      const [one, two] = await newMates();
      const answers = await Promise.all([
        giveFeedback(one.client, two.player),
        giveFeedback(two.client, one.player, { rating: 2 }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect((await feedbackBetween(one.player, two.player))[0]?.revealedAt).not.toBeNull();
      expect((await profileOf(one.player)).feedbackScore).toBe(2);
      expect((await profileOf(two.player)).feedbackScore).toBe(4);
      for (const { player } of [one, two]) {
        await expectRecount(player);
        expect(await feedbackNewsOf(player)).toEqual([1]);
      }
    }
  });

  test("comes once, from the cron, after 7 days", async () => {
    const [one, two] = await newMates();
    await giveFeedback(one.client, two.player, { rating: 2, comment: "Quiet" });
    const [{ id } = { id: "" }] = await feedbackBetween(one.player, two.player);
    await backdate(id, 7 * DAY - MINUTE);
    await app.runScheduled();
    expect((await feedbackBetween(one.player, two.player))[0]?.revealedAt).toBeNull();
    await backdate(id, MINUTE);
    await app.runScheduled();
    const [first] = await feedbackBetween(one.player, two.player);
    expect(first?.revealedAt).not.toBeNull();
    await app.runScheduled();
    expect(await feedbackBetween(one.player, two.player)).toEqual([first]);
    expect(await feedbackNewsOf(two.player)).toEqual([1]);
    expect(await feedbackNewsOf(one.player)).toEqual([]);
    await expectRecount(two.player);
    expect(await shown(two.player)).toContain("Quiet");
    // A late answer is revealed immediately, because the other player's feedback already is.
    await giveFeedback(two.client, one.player, { rating: 3 });
    expect((await feedbackBetween(two.player, one.player))[0]?.revealedAt).not.toBeNull();
    await expectRecount(one.player);
  });

  test("covers at most a thousand reviews per run, and the rest in the next", async () => {
    const { player } = await newMate();
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
    expect(await feedbackNewsOf(player)).toEqual([1_100]);
  });

  test("leaves the scores equal to a recount after any actions of players, moderators and the cron", async () => {
    const cast: Visitor[] = [];
    for (let number = 0; number < 4; number += 1) cast.push(await newMate());
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
            if (!picked || (!one.isHidden && picked.hiddenAt === null)) continue;
            const author = { id: picked.reviewerId ?? uuidv7(), email: "" };
            const theCase = await newCase(author, { kind: "review", subjectId: picked.id });
            await decideCase(theCase, { action: one.isHidden ? "hide" : "restore" });
          } else {
            const [from, to] = [cast[one.from] as Visitor, cast[one.to] as Visitor];
            const answer = await giveFeedback(from.client, to.player, { rating: one.rating });
            expect([303, 409]).toContain(answer.status);
          }
          await Promise.all(cast.map(({ player }) => expectRecount(player)));
        }
      }),
      { numRuns: 6 },
    );
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
  test("shows the plain mean with one decimal, the count, the distribution, and pages, newest first", async () => {
    const { player, client } = await newMate();
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
      const read = async (address: string) => {
        const { text: html } = await visitor.get(address.split("#")[0] as string);
        return {
          numbers: [...textOf(html).matchAll(/Review (\d+)/g)].map(([, number]) => number as string),
          hrefOf: (name: string) => links(html).find(({ text: label }) => label === name)?.href,
        };
      };
      let last = path;
      for (let href: string | undefined = path; href; ) {
        const page = await read(href);
        seen.push(...page.numbers);
        last = href;
        href = page.hrefOf("Older");
      }
      expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => String(23 - index)));
      // And back to the newest, which have the plain address again.
      const second = (await read(last)).hrefOf("Newer") as string;
      expect((await read(second)).numbers).toEqual(seen.slice(10, 20));
      const first = (await read(second)).hrefOf("Newer")?.split("#")[0] as string;
      expect((await visitor.get(first)).location).toBe(path);
    }
    const beyond = await app.client().get(pageOf(player, `?reviews=1_${uuidv7()}`));
    expect(textOf(beyond.text)).toContain("There are no older reviews.");
    expect(links(beyond.text).map(({ text }) => text)).toContain("Newer");
    expect((await app.client().get(pageOf(player, "?reviews=nonsense"))).status).toBe(200);
  });

  test("is hidden from others when the player hides it", async () => {
    const { player, client } = await newMate({ shares: ["description"] });
    const [id] = await addReviews(player, [2]);
    const other = await newMate();
    for (const visitor of [app.client(), other.client, client]) {
      const { text } = await visitor.get(pageOf(player));
      expect(text).not.toContain("Review 1");
      expect(textOf(text)).not.toContain("2.0");
    }
    expect((await client.get("/dashboard/profile")).text).toContain("Review 1");
    expect((await other.client.get(pageOf(player, `/report/${id}`))).status).toBe(404);
    expect((await client.get(pageOf(player, `/report/${id}`))).status).toBe(200);
  });

  test("doesn't affect the directory's order if the player hides it", async () => {
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

  test("links to its reviewer's page, which a suspended reviewer doesn't have", async () => {
    const { player } = await newMate();
    const reviewer = await newMate();
    await addReviews(player, [4], reviewer.player.id);
    const isLinked = async () => {
      const { text } = await app.client().get(pageOf(player));
      expect(textOf(text)).toContain("Review 1");
      return links(text).some(({ href }) => href === pageOf(reviewer.player));
    };
    expect(await isLinked()).toBe(true);
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, reviewer.player.id));
    expect((await app.client().get(pageOf(reviewer.player))).status).toBe(404);
    expect(await isLinked()).toBe(false);
  });

  test("says Unknown User once the reviewer is gone, without changing scores or reveals", async () => {
    const [one, two] = await newMates();
    const three = await newMate();
    await addSession(app.db, one.player, [three.player]);
    await giveFeedback(one.client, two.player, { rating: 2, comment: "Stays" });
    await giveFeedback(two.client, one.player, { rating: 5, comment: "Goes" });
    await giveFeedback(one.client, three.player, { rating: 1 });
    const before = await profileOf(two.player);
    const [hidden] = await feedbackBetween(one.player, three.player);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.id, one.player.id));
    await app.runScheduled();
    expect(await app.db.select().from(users).where(eq(users.id, one.player.id))).toEqual([]);
    // The cron has also written the directory's search terms for the player.
    expect(await profileOf(two.player)).toEqual({ ...before, foundBy: expect.any(String) });
    await expectRecount(two.player);
    expect(await shown(two.player)).toContain("Unknown User less than a minute ago 2 out of 5 stars Report Stays");
    const left = await app.db.select().from(userFeedback).where(eq(userFeedback.reviewedId, one.player.id));
    expect(left).toEqual([]);
    await backdate(hidden?.id as string, 7 * DAY);
    await app.runScheduled();
    expect((await profileOf(three.player)).feedbackScore).toBe(1);
    await expectRecount(three.player);
  });
});

describe("The order by reputation follows the erasure of an account", () => {
  const erase = async ({ player }: Visitor) => {
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.id, player.id));
    await app.runScheduled();
    expect(await app.db.select().from(users).where(eq(users.id, player.id))).toEqual([]);
  };
  /** Has a player review another, whose feedback is revealed by the cron. */
  const review = async ({ client, player }: Visitor, to: Visitor, rating: number) => {
    expect((await giveFeedback(client, to.player, { rating })).status).toBe(303);
    for (const { id } of await feedbackBetween(player, to.player)) await backdate(id, 20 * DAY);
    await app.runScheduled();
  };

  test("for a player whom the erased one alone has reviewed: each of their reviews counts by itself", async () => {
    const [zoe, ben] = await newMates();
    for (const rating of [5, 1, 1]) await review(zoe, ben, rating);
    await review(ben, zoe, 5);
    const { rankingScore } = await profileOf(ben.player);
    await erase(zoe);
    expect((await profileOf(ben.player)).rankingScore).not.toBeCloseTo(rankingScore as number, 3);
    await expectRecount(ben.player);
  });

  test("for a player whose reviewer is left with nobody else: their reviews count once", async () => {
    const [zoe, ben] = await newMates();
    const cem = await newMate();
    await addSession(app.db, zoe.player, [cem.player]);
    for (const rating of [5, 5]) await review(zoe, ben, rating);
    await review(zoe, cem, 3);
    const { rankingScore } = await profileOf(ben.player);
    await erase(cem);
    expect((await profileOf(ben.player)).rankingScore).not.toBeCloseTo(rankingScore as number, 3);
    await expectRecount(ben.player);
  });
});

describe("Reporting a review", () => {
  test("keeps it for moderators with its content, once even if the form is sent twice", async () => {
    const [one, two] = await newMates();
    await giveFeedback(one.client, two.player, { rating: 1, comment: "Rude words" });
    await giveFeedback(two.client, one.player);
    const [{ id } = { id: "" }] = await feedbackBetween(one.player, two.player);
    const address = pageOf(two.player, `/report/${id}`);
    expect(links((await two.client.get("/dashboard/profile")).text)).toContainEqual({ text: "Report", href: address });
    // Players can't report their own words; visitors can report what everyone sees.
    expect((await one.client.get(pageOf(two.player))).text).not.toContain(address);
    expect((await app.client().get(pageOf(two.player))).text).toContain(address);
    const dialog = await two.client.get(address);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    expect(textOf(dialog.text)).toContain("Rude words");
    const report = { id: uuidv7(), reason: "other", details: "We never met." };
    for (let time = 0; time < 2; time += 1) {
      const answer = await two.client.post(address, report);
      expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, "/dashboard/profile", 2]);
    }
    expect(await reportsOf("review", id)).toMatchObject([
      {
        id: report.id,
        reporterId: two.player.id,
        playerId: one.player.id,
        reason: "other",
        details: "We never met.",
        snapshot: { rating: 1, comment: "Rude words", aboutId: two.player.id },
      },
    ]);
    const third = await newMate();
    expect((await third.client.submit(address, "Send Report", { reason: "harassment" })).location).toBe(
      pageOf(two.player),
    );
  });

  test("needs a reason and a visible review by someone else", async () => {
    const [one, two] = await newMates();
    await giveFeedback(one.client, two.player, { comment: "Hidden" });
    const [{ id } = { id: "" }] = await feedbackBetween(one.player, two.player);
    const address = pageOf(two.player, `/report/${id}`);
    const report = () => ({ id: uuidv7(), reason: "other" });
    const expectNothing = async (path: string, visitor: Visitor) => {
      expect((await visitor.client.get(path)).status, path).toBe(404);
      expect((await visitor.client.post(path, report())).status, path).toBe(404);
    };
    await expectNothing(address, two);
    await giveFeedback(two.client, one.player);
    await expectNothing(address, one);
    await expectNothing(pageOf(one.player, `/report/${id}`), two);
    await expectNothing(pageOf(two.player, `/report/${uuidv7()}`), two);
    // A visitor's form asks for a name and an address.
    expect((await app.client().post(address, report())).status).toBe(400);
    const bad = await two.client.post(address, { id: uuidv7(), reason: "cheating", details: "x".repeat(1_001) });
    expect(bad.status).toBe(400);
    expect(field(bad.text, "reason")).toMatchObject({ invalid: true, description: "Choose a reason." });
    expect(field(bad.text, "details").invalid).toBe(true);
    expect(await reportsOf("review", id)).toEqual([]);
  });
});

describe("A player's data export", () => {
  test("contains all feedback they gave, and only the revealed feedback they received", async () => {
    const [one, two] = await newMates();
    const three = await newMate();
    await addSession(app.db, three.player, [one.player]);
    await giveFeedback(one.client, two.player, { rating: 5, comment: "Out" });
    await giveFeedback(two.client, one.player, { rating: 4, comment: "Also out" });
    await giveFeedback(one.client, three.player, { rating: 2, comment: "Mine, hidden" });
    const secret = await newMate();
    await addSession(app.db, secret.player, [one.player]);
    await giveFeedback(secret.client, one.player, { rating: 1, comment: "Theirs, hidden" });
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
