import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { moderationLog, reportCases, users } from "../../db/schema";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import { announcements, main } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { addSecondFactor, newModerator } from "./moderators";
import { addPlayer, newVisitor, openSession } from "./players";
import { reportsIn } from "./reports";

const app = useApp();
const { accountOf, auditLinesOf } = recordsIn(app);
const { casesOf } = reportsIn(app);

const admin = (...args: string[]) => runAdmin(app, args, { LINEUP_OPERATOR: "Kim" });

const roleOf = async (player: { id: string }) => (await accountOf(player))?.role;
const logOf = async ({ id }: { id: string }) =>
  (await app.db.select().from(moderationLog).where(eq(moderationLog.playerId, id)).orderBy(moderationLog.id)).map(
    ({ actorId, actor, action, details }) => [actorId, actor, action, details],
  );

describe("A role", () => {
  test("is granted and revoked at the command line, which logs its operator's name", async () => {
    const player = await addPlayer(app);
    const granted = await admin("grant", "moderator", player.email);
    expect([granted.code, granted.out]).toEqual([
      0,
      "The player is now a moderator. Until they set up two-factor, the moderation pages only lead them to its setup.\n",
    ]);
    expect(await roleOf(player)).toBe("moderator");
    expect((await admin("grant", "moderator", player.id)).out).toBe("The player is a moderator already.\n");
    await addSecondFactor(app, player);
    expect((await admin("grant", "admin", player.id, "--as", "Robin")).out).toBe("The player is now an admin.\n");
    expect(await roleOf(player)).toBe("admin");

    const wrong = await admin("revoke", "moderator", player.id);
    expect([wrong.code, wrong.err.split("\n")[1]]).toEqual([1, "The player is not a moderator."]);
    expect(await roleOf(player)).toBe("admin");
    expect((await admin("revoke", "admin", player.id)).out).toBe("The player is no longer an admin.\n");
    expect(await roleOf(player)).toBeNull();
    expect(await logOf(player)).toEqual([
      [null, "operator Kim", "role-granted", { role: "moderator" }],
      [null, "operator Robin", "role-granted", { role: "admin" }],
      [null, "operator Kim", "role-revoked", { role: "admin" }],
    ]);
    expect(await auditLinesOf(player)).toEqual([
      "operator: role-revoked",
      "operator: role-granted",
      "operator: role-granted",
    ]);
    const { out } = await admin("log", player.id);
    expect(out.split("\n")[0]).toMatch(new RegExp(`^\\S+Z  role-revoked  by operator Kim  player ${player.id}  `));
    expect(JSON.parse((await admin("log", "--json")).out).length).toBeGreaterThanOrEqual(3);
    const byRobin = JSON.parse((await admin("log", player.id, "--by", "operator Robin", "--json")).out);
    expect(byRobin).toMatchObject([{ action: "role-granted", details: { role: "admin" } }]);
    const older = (await admin("log", player.id, "--after", byRobin[0].id)).out.trim().split("\n");
    expect(older).toEqual([expect.stringContaining("role-granted  by operator Kim")]);
  });

  test("ends immediately: pages close, and the player's cases become unassigned", async () => {
    const { player, client } = await newModerator(app);
    const reported = await addPlayer(app);
    await (await newVisitor(app)).client.post(`/players/${reported.id}/report`, {
      id: uuidv7(),
      reason: "spam",
    });
    const [{ id } = { id: "" }] = await casesOf("player", reported.id);
    await app.db.update(reportCases).set({ assignedTo: player.id }).where(eq(reportCases.id, id));
    expect((await client.get("/moderation")).status).toBe(200);
    await admin("revoke", "moderator", player.id);
    expect((await client.get("/moderation")).status).toBe(404);
    expect(await casesOf("player", reported.id)).toMatchObject([{ id, assignedTo: null }]);
  });

  test("of a suspended player opens nothing", async () => {
    const { player, client } = await newModerator(app, "admin");
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id));
    expect((await client.get("/moderation")).status).toBe(404);
  });
});

describe("The pages of moderation", () => {
  test("don't exist for visitors and players", async () => {
    const { client } = await newVisitor(app);
    for (const visitor of [app.client(), client]) {
      const answer = await visitor.get("/moderation");
      expect([answer.status, main(answer.text)]).toEqual([404, expect.stringContaining("Page not found")]);
    }
  });

  test.each(["moderator", "admin"] as const)("open for a %s with a second factor, in one round trip", async (role) => {
    const { client } = await newModerator(app, role);
    const answer = await client.get("/moderation");
    expect([answer.status, roundTrips(answer)]).toEqual([200, 1]);
    expect(main(answer.text)).toContain("Moderation");
  });

  test("ask a moderator without a second factor to set it up", async () => {
    const player = await addPlayer(app);
    await app.db.update(users).set({ role: "moderator" }).where(eq(users.id, player.id));
    const client = app.client();
    client.cookies.set("lineup_session", (await openSession(app, player.id)).cookie);
    const answer = await client.get("/moderation");
    expect(answer.location).toBe("/dashboard/settings/two-factor");
    expect(announcements((await client.follow(answer)).text).join()).toContain(
      "Moderators sign in with a second factor",
    );
  });
});

test("The moderation log refuses to change or remove an entry", async () => {
  const player = await addPlayer(app);
  await admin("end-sessions", player.id);
  const [entry] = await app.db.select().from(moderationLog).where(eq(moderationLog.playerId, player.id));
  expect(entry).toMatchObject({ actor: "operator Kim", action: "sessions-ended" });
  const attempts = [
    app.db.delete(moderationLog).where(eq(moderationLog.id, entry?.id ?? "")),
    app.db.delete(moderationLog),
    app.db.update(moderationLog).set({ actor: "operator Nobody" }),
    app.db.run(sql`INSERT OR REPLACE INTO moderation_log SELECT * FROM moderation_log`),
  ];
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.map(({ status }) => status)).toEqual(attempts.map(() => "rejected"));
  expect(
    await app.db
      .select()
      .from(moderationLog)
      .where(eq(moderationLog.id, entry?.id ?? "")),
  ).toEqual([entry]);
  await admin("erase", player.id, "--yes");
  expect((await logOf(player)).map(([, actor, action]) => [actor, action])).toEqual([
    ["operator Kim", "sessions-ended"],
    ["operator Kim", "erased"],
  ]);
});
