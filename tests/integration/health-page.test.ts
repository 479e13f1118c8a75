import { eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { outbox, rateLimits, reportCases } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { heading, main, selectEach, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { DAY, HOUR, MINUTE, newVisitor } from "./players";

const app = useApp();
const { newCase } = casesIn(app);

const PAGE = "/moderation/health";

/** Reads the page: its states by their names, and its text. */
async function read(client: Client) {
  const answer = await client.get(PAGE);
  expect([answer.status, heading(answer.text)]).toEqual([200, "Health"]);
  expect(roundTrips(answer)).toBe(1);
  const pairs = selectEach(answer.text, "main dl > div").map((row) => [textOf(row.find("dt")), textOf(row.find("dd"))]);
  return { states: Object.fromEntries(pairs) as Record<string, string>, text: main(answer.text) };
}

const addEmail = (email: Partial<typeof outbox.$inferInsert>, { db } = app) =>
  db.insert(outbox).values({
    id: uuidv7(),
    recipient: "somebody@lineup.test",
    subject: "A secret subject",
    body: "A secret body",
    createdAt: new Date(),
    ...email,
  });

describe("/moderation/health", () => {
  test("exists for admins only", async () => {
    const { client: moderator } = await newModerator(app);
    const { client: player } = await newVisitor(app);
    for (const client of [app.client(), player, moderator]) {
      for (const path of [PAGE, `${PAGE}.data`]) {
        const answer = await client.get(path);
        expect(answer.status).toBe(404);
        expect(answer.text).not.toContain("Cron");
      }
    }
    expect((await moderator.get("/moderation")).text).not.toContain(PAGE);
    const { client: admin } = await newModerator(app, "admin");
    expect((await admin.get("/moderation")).text).toContain(PAGE);
  });

  test("shows the cron, the emails, the cases and the database, and marks what needs attention", async () => {
    const { client, player } = await newModerator(app, "admin");
    const before = await read(client);
    expect(before.states).toEqual({
      Database: expect.stringMatching(/^Answered in \d+ ms$/),
      Cron: "Has never run",
      "Emails waiting": "0",
      "Emails given up in the last 24 hours": "0",
      "Oldest urgent case": "None waiting",
      "Oldest waiting case": "None waiting",
    });
    expect(before.text).toContain("Needs you: Cron");

    await app.runScheduled();
    const well = await read(client);
    expect(well.states.Cron).toBe("Last run less than a minute ago");
    expect(well.text).toContain("All is well.");

    await addEmail({ dueAt: new Date(Date.now() + HOUR), createdAt: new Date(Date.now() - 20 * MINUTE) });
    await addEmail({ dueAt: new Date() });
    await addEmail({ body: null, attempts: 1, lastError: "422", createdAt: new Date(Date.now() - HOUR) });
    await addEmail({ body: null, attempts: 1, lastError: "422", createdAt: new Date(Date.now() - 2 * DAY) });
    await addEmail({ body: null, sentAt: new Date() });
    const suspect = (await newVisitor(app)).player;
    const { id: caseId } = await newCase(suspect, { createdAt: new Date(Date.now() - 30 * HOUR) });
    const post = { kind: "post", subjectId: uuidv7(), isUrgent: true } as const;
    const { id: urgentId } = await newCase(suspect, { ...post, createdAt: new Date(Date.now() - 13 * HOUR) });
    const { windowEndsAt } = (await app.db.select().from(rateLimits).where(eq(rateLimits.key, "cron")).get()) ?? {};
    const earlier = new Date((windowEndsAt?.getTime() ?? 0) - 16 * MINUTE);
    await app.db.update(rateLimits).set({ windowEndsAt: earlier, count: 2 }).where(eq(rateLimits.key, "cron"));

    const ill = await read(client);
    expect(ill.states).toMatchObject({
      Cron: "2 parts failed, last run 16 minutes ago",
      "Emails waiting": "2, the oldest written 20 minutes ago",
      "Emails given up in the last 24 hours": "1",
      "Oldest urgent case": "Opened about 13 hours ago",
      "Oldest waiting case": "Opened 1 day ago",
    });
    expect(ill.text).toContain(
      "Needs you: Cron, Emails waiting, Emails given up in the last 24 hours, Oldest urgent case, Oldest waiting case",
    );
    expect(ill.text).not.toMatch(/secret|somebody@/);

    await app.db
      .update(reportCases)
      .set({ playerId: player.id })
      .where(inArray(reportCases.id, [caseId, urgentId]));
    expect((await read(client)).states).toMatchObject({
      "Oldest urgent case": "None waiting",
      "Oldest waiting case": "None waiting",
    });
  });

  test("doesn't count emails as given up if they expired because nothing can send them", async () => {
    const { client } = await newModerator(app, "admin");
    const givenUp = async () => (await read(client)).states["Emails given up in the last 24 hours"];
    const before = await givenUp();
    await addEmail({ dueAt: new Date(), expiresAt: new Date() });
    await app.runScheduled();
    expect(await givenUp()).toBe(before);
  });
});

describe("/moderation/health of a site with an email provider", () => {
  const sending = useApp({ emailProvider: true });

  test("counts emails as given up if they expired before they were tried", async () => {
    const { client } = await newModerator(sending, "admin");
    const lastError = "It expired before it was sent";
    await addEmail({ body: null, lastError }, sending);
    expect((await read(client)).states["Emails given up in the last 24 hours"]).toBe("1");
  });
});
