import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { messages } from "../../db/schema";
import { perform } from "../faults/actions";
import { audit } from "../faults/audit";
import { FAULTS, planRun } from "../faults/plan";
import { isClean, playPlan } from "../faults/run";
import { shrink } from "../faults/shrink";
import { type Site, startSite } from "../faults/site";
import { fillSite, type World } from "../faults/world";

/** A seed whose first eight rounds contain five kinds of faults. */
const SEED = 7;

test("Players lose nothing and get nothing twice while the Worker, the database and connections fail", {
  timeout: 180_000,
}, async () => {
  const { done, acknowledged, ...findings } = await playPlan(planRun(SEED, 8));
  // The message names the findings, too, because the summary of a run shows only the message.
  expect(findings, `${done}: ${JSON.stringify(findings)}`).toEqual({
    lost: [],
    doubled: [],
    outOfOrder: [],
    broken: [],
    unexpected: [],
  });
  expect(acknowledged).toBeGreaterThan(8);
});

test("A plan comes from its seed, a longer one begins with the shorter, and a long one has every fault", () => {
  expect(planRun(SEED, 20).slice(0, 5)).toEqual(planRun(SEED, 5));
  expect(planRun(SEED + 1, 5)).not.toEqual(planRun(SEED, 5));
  expect(new Set(planRun(SEED, 300).flatMap(({ fault }) => fault?.kind ?? []))).toEqual(new Set(FAULTS));
});

test("Shrinking finds the two rounds that fail together", async () => {
  const fails = async (rounds: readonly number[]) => rounds.includes(3) && rounds.includes(20);
  expect(await shrink(24, fails, Date.now() + 60_000)).toEqual([3, 20]);
});

describe("The audit names", { timeout: 120_000 }, () => {
  let site: Site;
  let world: World;
  const talkOf = () => world.talks[0] as World["talks"][number];

  beforeAll(async () => {
    site = await startSite();
    world = await fillSite(site, 1);
    for (let player = 0; player < 3; player += 1) await perform(world, { kind: "message", player: 0, choice: 0 });
  }, 60_000);
  afterAll(async () => {
    for (const { talkers } of world.talks) for (const { talker } of talkers) talker.leave();
    await site.stop();
  });

  test("nothing while all is well", async () => {
    expect(await audit(world)).toEqual({ lost: [], doubled: [], outOfOrder: [], broken: [] });
  });

  test("a push that never came, and one that made a sound twice", async () => {
    await perform(world, { kind: "post", player: 0, choice: 0 });
    // The second request is refused, so the author hears of one.
    for (let time = 0; time < 2; time += 1) await perform(world, { kind: "ask", player: 1, choice: 0 });
    expect(await audit(world)).toEqual({ lost: [], doubled: [], outOfOrder: [], broken: [] });
    const { received } = site.push;
    const push = received.find(({ payload }) => payload.url.startsWith("/lfg/")) as (typeof received)[number];
    received.push({ ...push, at: push.at + 1 });
    expect((await audit(world)).doubled.join()).toContain(`the push “${push.payload.title}”`);
    received.splice(0, received.length, ...received.filter(({ payload }) => payload.tag !== push.payload.tag));
    expect((await audit(world)).lost.join()).toContain("the push of “join-request”");
    received.push(push);
  });

  test("a message that was acknowledged and isn't stored, and a conversation whose last number is wrong", async () => {
    const stored = await site.db.select().from(messages).where(eq(messages.conversationId, talkOf().id));
    await site.db.delete(messages).where(eq(messages.id, stored[2]?.id as string));
    const { lost, outOfOrder, broken } = await audit(world, 500);
    expect(lost.join()).toMatch(/“Message 3” was acknowledged and isn't stored/);
    expect(broken.join()).toMatch(/the number of a conversation's last message/);
    expect(outOfOrder).toEqual([]);
    await site.db.insert(messages).values(stored[2] as (typeof stored)[number]);
  });

  test("a message that is stored twice", async () => {
    const [first] = await site.db.select().from(messages).where(eq(messages.conversationId, talkOf().id));
    await site.db.insert(messages).values({ ...(first as typeof messages.$inferInsert), id: uuidv7(), seq: 4 });
    expect((await audit(world, 500)).doubled.join()).toContain("“Message 1” is stored twice");
  });
});

test("A run with a finding isn't clean", () => {
  const clean = { lost: [], doubled: [], outOfOrder: [], broken: [], unexpected: [], acknowledged: 0, done: "" };
  expect(isClean(clean)).toBe(true);
  for (const kind of ["lost", "doubled", "outOfOrder", "broken", "unexpected"]) {
    expect(isClean({ ...clean, [kind]: ["one"] })).toBe(false);
  }
});
