import { eq, inArray, isNotNull, like, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { randomId, uuidv7 } from "../../db/ids";
import {
  followUps,
  lfgPosts,
  notifications,
  outbox,
  pendingSignups,
  profiles,
  rateLimits,
  sessions,
  users,
  verifications,
} from "../../db/schema";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { addPlayer, addPost, DAY, HOUR, MINUTE, openSession, unique } from "./players";

const app = useApp({ emailProvider: true });

const soon = () => new Date(Date.now() + MINUTE);
const past = () => new Date(Date.now() - 1);

describe("the cron", () => {
  test("removes expired rows, and nothing else", async () => {
    const player = await addPlayer(app);
    const live = await openSession(app, player.id, { expiresAt: soon() });
    const dead = await openSession(app, player.id, { expiresAt: past() });
    const pending = (expiresAt: Date) => ({
      id: unique("pending"),
      userId: unique("user"),
      email: "x@lineup.test",
      passwordHash: "x",
      expiresAt,
    });
    const code = (expiresAt: Date) => ({
      id: unique("code"),
      linkHash: unique("link"),
      codeHash: "x",
      userId: player.id,
      email: player.email,
      purpose: "confirm-email" as const,
      createdAt: new Date(),
      expiresAt,
    });
    const limit = (windowEndsAt: Date) => ({ key: unique("limit"), count: 1, windowEndsAt });
    const pendings = [pending(soon()), pending(past())];
    // Expired codes are kept for a day, so that the page can say why they don't work.
    const codes = [code(soon()), code(past()), code(new Date(Date.now() - DAY - MINUTE))];
    const limits = [limit(soon()), limit(past())];
    await app.db.insert(pendingSignups).values(pendings);
    await app.db.insert(verifications).values(codes);
    await app.db.insert(rateLimits).values(limits);
    const open = await addPost(app, player.id);
    const over = await addPost(app, player.id, { createdAt: new Date(Date.now() - DAY - MINUTE) });
    const closed = await addPost(app, player.id, { isActive: false, updatedAt: new Date(1_000) });

    await app.runScheduled();

    const left = await app.db
      .select()
      .from(sessions)
      .where(inArray(sessions.id, [live.id, dead.id]));
    expect(left.map(({ id }) => id)).toEqual([live.id]);
    expect((await app.db.select().from(pendingSignups)).map(({ id }) => id)).toEqual([pendings[0]?.id]);
    const codesLeft = (await app.db.select().from(verifications)).map(({ id }) => id);
    expect(codesLeft.sort()).toEqual([codes[0]?.id, codes[1]?.id].sort());
    const limitsLeft = (await app.db.select().from(rateLimits)).map(({ key }) => key);
    // The cron keeps the time of its last run there, too.
    expect(limitsLeft.sort()).toEqual(["cron", limits[0]?.key]);
    const posts = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    const active = Object.fromEntries(posts.map(({ id, isActive }) => [id, isActive]));
    expect(active).toEqual({ [open]: true, [over]: false, [closed]: false });
    expect(posts.find(({ id }) => id === closed)?.updatedAt).toEqual(new Date(1_000));
  });

  test("removes at most a thousand rows of a kind in one run, and the rest in the next", async () => {
    const player = await addPlayer(app);
    for (let batch = 0; batch < 3; batch += 1) {
      const rows = Array.from({ length: 500 }, () => ({
        id: unique("old-session-"),
        userId: player.id,
        createdAt: past(),
        expiresAt: past(),
      }));
      await app.db.insert(sessions).values(rows);
    }
    const count = async () => (await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).length;
    await app.runScheduled();
    expect(await count()).toBe(500);
    await app.runScheduled();
    expect(await count()).toBe(0);
  });

  test("ends at most a thousand unconfirmed claims to Riot accounts in one run, and the rest in the next", async () => {
    const names = Array.from({ length: 1_001 }, (_, number) => `claimant-${number}`);
    const rows = sql`SELECT value FROM json_each(${JSON.stringify(names)})`;
    await app.db.run(sql`INSERT INTO ${users} (id, email, password_hash, created_at)
      SELECT value, value || '@lineup.test', '', 1 FROM (${rows})`);
    await app.db.run(sql`INSERT INTO ${profiles} (user_id, riot_puuid, riot_verified_at, riot_claim_lapses_at, updated_at)
      SELECT value, value, 1, 1, 1 FROM (${rows})`);
    const isLeft = isNotNull(profiles.riotClaimLapsesAt);
    const isTold = eq(notifications.kind, "riot-claim");
    const counts = async () => [await app.db.$count(profiles, isLeft), await app.db.$count(notifications, isTold)];
    await app.runScheduled();
    expect(await counts()).toEqual([1, 1_000]);
    await app.runScheduled();
    expect(await counts()).toEqual([0, 1_001]);
  });

  test("removes all expired counters in one run, because attackers can make many", async () => {
    const expired = sql`INSERT INTO rate_limits (key, count, window_ends_at)
      WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
      SELECT 'expired:' || number, 1, ${past().getTime()} FROM numbers`;
    await app.db.run(expired);
    await app.runScheduled();
    expect(await app.db.$count(rateLimits, like(rateLimits.key, "expired:%"))).toBe(0);
  });

  test("says in the log that it ran and what it cost", async () => {
    const before = app.logs.length;
    await app.runScheduled();
    const lines = app.logs.slice(before).map(({ message }) => JSON.parse(message));
    expect(lines).toContainEqual({
      level: "info",
      message: "housekeeping",
      failures: 0,
      requestId: expect.stringMatching(/^cron-/),
      dbStatements: expect.any(Number),
      dbRoundTrips: expect.any(Number),
    });
    expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
    // Light tasks are sent together, and each heavy one alone; then come follow-ups, the record of the run, and emails.
    expect(lines.at(-1).dbRoundTrips).toBeLessThanOrEqual(13);
  });
});

test("A run of the cron that ends after a newer one leaves the newer run's record as it is", async () => {
  const newer = { key: "cron", count: 0, windowEndsAt: new Date(Date.now() + 31 * DAY) };
  await app.db.delete(rateLimits);
  await app.db.insert(rateLimits).values(newer);
  await app.runScheduled();
  expect(await app.db.select().from(rateLimits)).toEqual([newer]);
  await app.db.delete(rateLimits);
});

describe("the outbox", () => {
  const provider = () => app.emailProvider as NonNullable<typeof app.emailProvider>;
  afterEach(async () => {
    provider().failNext(0);
    provider().delay(0);
    await app.db.delete(outbox);
  });

  async function enqueue(email: Partial<typeof outbox.$inferInsert> = {}): Promise<{ id: string; recipient: string }> {
    const row = {
      id: uuidv7(),
      recipient: `${unique("reader-")}@lineup.test`,
      subject: "Confirm",
      body: "Open https://lineup.test/secret",
      createdAt: new Date(),
      dueAt: past(),
      ...email,
    };
    await app.db.insert(outbox).values(row);
    return row;
  }
  const rowOf = (id: string) => app.db.select().from(outbox).where(eq(outbox.id, id)).get();
  const deliveredTo = (recipient: string) => provider().delivered.filter(({ to }) => to === recipient);
  const makeDue = (id: string) => app.db.update(outbox).set({ dueAt: past() }).where(eq(outbox.id, id));

  test("hands each email to the provider once, and deletes its text", async () => {
    const { id, recipient } = await enqueue();
    await app.runScheduled();
    expect(deliveredTo(recipient)).toEqual([
      {
        from: "Lineup <no-reply@lineup.example>",
        to: recipient,
        subject: "Confirm",
        text: "Open https://lineup.test/secret",
        html: null,
        headers: {},
        idempotencyKey: id,
      },
    ]);
    const row = await rowOf(id);
    expect(row).toMatchObject({ body: null, dueAt: null, attempts: 1, lastError: null, sentAt: expect.any(Date) });
    const { attempts } = provider();
    await app.runScheduled();
    expect(provider().attempts).toBe(attempts);
  });

  test("retries after 1, 2, 4 … minutes, and after 8 tries gives up and keeps the reason", async () => {
    const { id, recipient } = await enqueue();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      provider().failNext(1, attempt === 8 ? 429 : 503);
      const started = Date.now();
      await app.runScheduled();
      const row = await rowOf(id);
      expect(row).toMatchObject({ attempts: attempt, sentAt: null });
      expect(row?.lastError).toBe(`The email provider answered ${attempt === 8 ? 429 : 503}`);
      if (!row?.dueAt) break;
      delays.push(Math.round((row.dueAt.getTime() - started) / MINUTE));
      // Before that time, a run doesn't try again.
      const { attempts } = provider();
      await app.runScheduled();
      expect(provider().attempts).toBe(attempts);
      await makeDue(id);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64]);
    expect((await rowOf(id))?.dueAt).toBeNull();
    provider().failNext(0);
    await app.runScheduled();
    expect(deliveredTo(recipient)).toEqual([]);
    const warnings = app.logs.map(({ message }) => message).filter((line) => line.includes("An email was not sent"));
    expect(warnings.length).toBeGreaterThanOrEqual(8);
    for (const line of warnings) expect(line).not.toMatch(/lineup\.test|secret|local-email-key/);
  });

  test("delivers earlier failures as soon as the provider is back", async () => {
    const { id, recipient } = await enqueue();
    provider().failNext(1);
    await app.runScheduled();
    expect(deliveredTo(recipient)).toEqual([]);
    await makeDue(id);
    await app.runScheduled();
    expect(deliveredTo(recipient)).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 2, body: null, lastError: null });
  });

  test("sends every email exactly once when runs overlap", async () => {
    const emails = [];
    for (let index = 0; index < 6; index += 1) emails.push(await enqueue());
    const { attempts } = provider();
    await Promise.all([app.runScheduled(), app.runScheduled(), app.runScheduled()]);
    for (const { recipient } of emails) expect(deliveredTo(recipient)).toHaveLength(1);
    // The provider saw no repeated key, so no two runs claimed the same email.
    expect(provider().attempts - attempts).toBe(emails.length);
    expect(await app.db.select().from(outbox).where(isNotNull(outbox.dueAt))).toEqual([]);
  });

  test("claims each email for a minute from when it is sent, so that a run slower than that sends none twice", async () => {
    const [first, second] = [await enqueue({ dueAt: new Date(Date.now() - HOUR) }), await enqueue()];
    const { attempts } = provider();
    provider().delay(1_000);
    const slow = app.runScheduled();
    const claimed = await eventually(async () => (provider().attempts > attempts ? rowOf(first.id) : undefined));
    expect([claimed?.attempts, (await rowOf(second.id))?.attempts]).toEqual([1, 0]);
    const next = await eventually(async () => (provider().attempts > attempts + 1 ? rowOf(second.id) : undefined));
    expect((next?.dueAt?.getTime() ?? 0) - (claimed?.dueAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(1_000);
    await Promise.all([slow, app.runScheduled()]);
    for (const { recipient } of [first, second]) expect(deliveredTo(recipient)).toHaveLength(1);
    expect(provider().attempts - attempts).toBe(2);
  });

  test("repeats the idempotency key after a lost response, so that the reader gets one email", async () => {
    const { id, recipient } = await enqueue();
    await app.runScheduled();
    // As if the Worker had been cut off between sending the email and recording that.
    await app.db
      .update(outbox)
      .set({ dueAt: past(), sentAt: null, body: "Open https://lineup.test/secret" })
      .where(eq(outbox.id, id));
    const { attempts } = provider();
    await app.runScheduled();
    expect(provider().attempts).toBe(attempts + 1);
    expect(deliveredTo(recipient)).toHaveLength(1);
  });

  test("sends the oldest first, and one that fails does not hold up the others", async () => {
    const first = await enqueue({ dueAt: new Date(Date.now() - HOUR) });
    const others = [await enqueue(), await enqueue()];
    provider().failNext(1);
    await app.runScheduled();
    expect(deliveredTo(first.recipient)).toEqual([]);
    for (const { recipient } of others) expect(deliveredTo(recipient)).toHaveLength(1);
  });

  test("is emptied in several runs when it holds many emails", async () => {
    const emails = [];
    for (let index = 0; index < 25; index += 1) emails.push(await enqueue());
    await app.runScheduled();
    const waiting = async () => (await app.db.select().from(outbox).where(isNotNull(outbox.dueAt))).length;
    expect(await waiting()).toBe(5);
    await app.runScheduled();
    expect(await waiting()).toBe(0);
    for (const { recipient } of emails) expect(deliveredTo(recipient)).toHaveLength(1);
  });

  test("is emptied after all other work, so that a provider that doesn't answer keeps no picture public", async () => {
    const picture = randomId();
    const bucket = await app.miniflare.getR2Bucket("AVATARS");
    await bucket.put(picture, "a removed picture");
    await app.db.insert(followUps).values({ kind: "player", subjectId: uuidv7(), picture, createdAt: past() });
    await enqueue();
    const { attempts } = provider();
    provider().delay(1_000);
    const run = app.runScheduled();
    await eventually(() => (provider().attempts > attempts ? true : undefined));
    expect(await bucket.head(picture)).toBeNull();
    await run;
  });

  test("gives up an email once its code has expired, even if its next attempt isn't due yet", async () => {
    const { id } = await enqueue({ attempts: 4, dueAt: soon(), expiresAt: past() });
    await app.runScheduled();
    expect(await rowOf(id)).toMatchObject({ body: null, dueAt: null, sentAt: null, attempts: 4 });
  });

  test("forgets recipients after 30 days", async () => {
    const old = await enqueue({ createdAt: new Date(Date.now() - 31 * DAY), dueAt: null, body: null, sentAt: past() });
    const recent = await enqueue({
      createdAt: new Date(Date.now() - 29 * DAY),
      dueAt: null,
      body: null,
      sentAt: past(),
    });
    await app.runScheduled();
    expect(await rowOf(old.id)).toBeUndefined();
    expect(await rowOf(recent.id)).toBeDefined();
  });

  test("is sent after the response to the form that filled it, without keeping the player waiting", async () => {
    provider().delay(1_500);
    const email = `${unique("newcomer-")}@lineup.test`;
    const client = app.client();
    const step2 = "/auth?tab=sign-up&step=2";
    const riot = { gameName: unique("Quick Name "), tagLine: "EUW", region: "europe" };
    await client.post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" });
    await client.post(step2, { intent: "verify", ...riot });
    const answer = await client.post(step2, { intent: "complete", ...riot });
    expect(answer.location).toBe("/dashboard");
    expect(deliveredTo(email)).toEqual([]);
    await eventually(() => deliveredTo(email)[0]);
    const row = await eventually(async () => {
      const [found] = await app.db.select().from(outbox).where(eq(outbox.recipient, email));
      return found?.sentAt ? found : undefined;
    });
    expect(row.body).toBeNull();
  });
});

describe("without a provider", () => {
  const local = useApp();

  test("emails wait in the outbox with their text, for the mailbox to show", async () => {
    const id = uuidv7();
    const row = {
      id,
      recipient: "reader@lineup.test",
      subject: "Waits",
      body: "Its text",
      createdAt: new Date(),
      dueAt: past(),
    };
    await local.db.insert(outbox).values(row);
    await local.runScheduled();
    const [kept] = await local.db.select().from(outbox).where(eq(outbox.id, id));
    expect(kept).toMatchObject({ body: "Its text", attempts: 0, sentAt: null });
    const mailbox = await local.client().get("/dev/mailbox");
    expect(mailbox.text).toContain("Its text");
  });

  test("emails lose their text once their code has expired", async () => {
    const id = uuidv7();
    const row = { id, recipient: "reader@lineup.test", subject: "Code", body: "123456", createdAt: past() };
    await local.db.insert(outbox).values({ ...row, dueAt: past(), expiresAt: past() });
    await local.runScheduled();
    const [kept] = await local.db.select().from(outbox).where(eq(outbox.id, id));
    expect(kept).toMatchObject({ body: null, dueAt: null, sentAt: null });
  });
});

describe("while the provider can't be reached", () => {
  const cutOff = useApp({ emailProvider: true, bindings: { EMAIL_API_URL: "http://127.0.0.1:9/emails" } });

  test("a run tries one email, and leaves the others for the next", async () => {
    for (let index = 0; index < 3; index += 1) {
      const times = { createdAt: past(), dueAt: past() };
      const row = { id: uuidv7(), recipient: `${unique("reader-")}@lineup.test`, subject: "Waits", body: "Its text" };
      await cutOff.db.insert(outbox).values({ ...row, ...times });
    }
    await cutOff.runScheduled();
    const rows = await cutOff.db.select().from(outbox);
    expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1]);
    expect(rows.map(({ body }) => body)).toEqual(["Its text", "Its text", "Its text"]);
  });
});
