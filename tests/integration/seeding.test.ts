import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { loadPlay } from "~/features/tournaments/play/load.server";
import type { PlayState } from "~/features/tournaments/play/state";
import { moveTeam } from "~/features/tournaments/seeding/commands.server";
import { uuidv7 } from "../../db/ids";
import { profiles, tournamentMatches, tournamentOrganisers, tournaments, tournamentTeams } from "../../db/schema";
import { useApp } from "../support/app";
import { announcements, findForm, links, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { HOUR, newVisitor } from "./players";

const app = useApp();

const tournamentOf = async (id: string) =>
  (await app.db.select().from(tournaments).where(eq(tournaments.id, id)).get()) as typeof tournaments.$inferSelect;

/** The teams' names in the order of their seeds. */
const orderOf = async (id: string) => {
  const rows = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, id));
  return rows
    .filter(({ seed }) => seed !== null)
    .sort((a, b) => Number(a.seed) - Number(b.seed))
    .map(({ name }) => name);
};

async function newHost(teams: number, tournament: Partial<typeof tournaments.$inferInsert> = {}) {
  const { client, player } = await newVisitor(app);
  const added = await addTournament(app.db, { teams, userId: player.id, ...tournament });
  return { client, player, page: `/tournaments/${added.id}/seeding`, ...added };
}

describe("Seeding", () => {
  test("is chosen by the organisers, and shows each team's average rank", async () => {
    const { client, page, id, teams } = await newHost(2, { seeding: "random" });
    await app.db
      .update(profiles)
      .set({ currentRank: "Gold 2" })
      .where(eq(profiles.userId, teams[0]?.captainId as string));
    const shown = await client.get(page);
    expect([shown.status, roundTrips(shown)]).toEqual([200, 1]);
    expect(textOf(shown.text)).toMatch(/Team 1 Gold 2 Team 2 No rank set/);
    expect(shown.text).not.toContain(">Up<");
    const before = (await tournamentOf(id)).version;
    const answer = await client.submit(page, "Save", { seeding: "rank" });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, page, 2]);
    expect(announcements((await client.follow(answer)).text)).toContain("Seeding saved");
    expect(await tournamentOf(id)).toMatchObject({ seeding: "rank", version: before + 1 });
  });

  test("by hand moves a team with each press, and not past either end", async () => {
    const { client, page, id, teams } = await newHost(3);
    const press = (way: string, index: number) => client.post(page, { [way]: teams[index]?.id });
    const up = await press("up", 2);
    expect([up.status, roundTrips(up)]).toEqual([303, 2]);
    expect(await orderOf(id)).toEqual(["Team 1", "Team 3", "Team 2"]);
    await press("down", 0);
    expect(await orderOf(id)).toEqual(["Team 3", "Team 1", "Team 2"]);
    await press("up", 2);
    await press("down", 1);
    expect(await orderOf(id)).toEqual(["Team 3", "Team 1", "Team 2"]);
  });

  test("by hand loses none of several presses, not even of two organisers at the same moment", async () => {
    const { client, page, id, teams } = await newHost(6);
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    const last = { up: teams[5]?.id };
    const answers = await Promise.all([client, client, helper.client].map((organiser) => organiser.post(page, last)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await orderOf(id)).toEqual(["Team 1", "Team 2", "Team 6", "Team 3", "Team 4", "Team 5"]);
  });

  test("stays random if an organiser chose that after a press had read the order", async () => {
    const { client, player, page, id, teams } = await newHost(3);
    const read = (await loadPlay(app.db, id)) as PlayState;
    expect((await client.post(page, { intent: "seeding", seeding: "random" })).status).toBe(303);
    const press = { team: teams[2]?.id as string, way: "up" } as const;
    expect(await moveTeam(app.db, read, player.id, press, new Date())).toBe("changed");
    expect([(await tournamentOf(id)).seeding, await orderOf(id)]).toEqual(["random", []]);
  });

  test("by hand loses its order when the organiser switches to random or rank", async () => {
    for (const seeding of ["random", "rank"]) {
      const { client, page, id, teams } = await newHost(3);
      const team = `/tournaments/${id}/teams/${teams[2]?.id}`;
      expect((await client.post(page, { up: teams[2]?.id })).status).toBe(303);
      expect((await client.submit(page, "Save", { seeding: "manual" })).status).toBe(303);
      expect(await orderOf(id)).toEqual(["Team 1", "Team 3", "Team 2"]);
      expect(textOf((await client.get(team)).text)).toContain("Seed 2");
      expect((await client.submit(page, "Save", { seeding })).status).toBe(303);
      expect(await orderOf(id)).toEqual([]);
      expect(textOf((await client.get(team)).text)).not.toContain("Seed 2");
    }
  });

  test("by rank follows the average rank", async () => {
    const { client, page, teams } = await newHost(3, { seeding: "rank" });
    for (const [index, currentRank] of [
      [1, "Gold 2"],
      [2, "Radiant"],
    ] as const) {
      await app.db
        .update(profiles)
        .set({ currentRank })
        .where(eq(profiles.userId, teams[index]?.captainId as string));
    }
    expect(textOf((await client.get(page)).text)).toMatch(/Team 3 Radiant Team 2 Gold 2 Team 1 No rank set/);
  });

  test("can't be changed by hand from a page that hasn't noticed that another organiser chose another method", async () => {
    for (const seeding of ["random", "rank"] as const) {
      const { client, page, id, teams } = await newHost(3);
      expect((await client.post(page, { intent: "seeding", seeding })).status).toBe(303);
      for (const form of [
        { up: teams[2]?.id },
        { down: teams[0]?.id },
        { intent: "order", team: teams.map((team) => team.id).reverse() },
      ]) {
        const answer = await client.post(page, form);
        expect([answer.status, announcements(answer.text).join()]).toEqual([
          409,
          expect.stringContaining("Someone else has just changed the seeding. Check it, then try again."),
        ]);
      }
      expect([(await tournamentOf(id)).seeding, await orderOf(id)]).toEqual([seeding, []]);
    }
  });

  test("saves a whole order, with missing teams last and without teams of other tournaments", async () => {
    const { client, page, id, teams } = await newHost(3);
    const other = await newHost(2);
    const [one, , three] = teams.map((team) => team.id) as [string, string, string];
    const order = [three, other.teams[0]?.id as string, uuidv7(), one];
    const answer = await client.post(page, { intent: "order", team: order });
    expect(answer.status).toBe(303);
    expect(await orderOf(id)).toEqual(["Team 3", "Team 1"]);
    expect((await tournamentOf(id)).seeding).toBe("manual");
    expect(await orderOf(other.id)).toEqual(["Team 1", "Team 2"]);
    const shown = textOf((await client.get(page)).text);
    expect(shown).toMatch(/Team 3 .*Team 1 .*Team 2 /);
  });

  test("is for organisers: guests sign in, other players get a 404, co-organisers may seed", async () => {
    const { page, id, teams } = await newHost(2);
    expect((await app.client().get(page)).location).toMatch(/^\/auth\?/);
    const { client, player } = await newVisitor(app);
    expect((await client.get(page)).status).toBe(404);
    for (const form of [
      { intent: "seeding", seeding: "rank" },
      { up: teams[1]?.id },
      { intent: "order", team: [teams[1]?.id as string] },
    ]) {
      expect((await client.post(page, form)).status).toBe(404);
    }
    expect((await client.get(`/tournaments/${id}/start`)).status).toBe(404);
    expect((await client.post(`/tournaments/${id}/start`)).status).toBe(404);
    expect(await orderOf(id)).toEqual(["Team 1", "Team 2"]);
    expect(await tournamentOf(id)).toMatchObject({ state: "open", seeding: "manual", version: 0 });
    await app.db.insert(tournamentOrganisers).values({ tournamentId: id, userId: player.id, addedAt: new Date() });
    expect((await client.post(page, { up: teams[1]?.id })).status).toBe(303);
    expect(await orderOf(id)).toEqual(["Team 2", "Team 1"]);
  });

  test("refuses unknown forms, missing teams, and tournaments that have begun", async () => {
    const { client, page, id, teams } = await newHost(2);
    expect((await client.post(page, { intent: "seeding", seeding: "alphabet" })).status).toBe(400);
    expect(
      (await client.post(page, { intent: "order", team: [teams[0]?.id as string, teams[0]?.id as string] })).status,
    ).toBe(400);
    expect((await client.post(page, { up: uuidv7() })).status).toBe(409);
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    const answer = await client.post(page, { up: teams[1]?.id });
    expect(answer.status).toBe(409);
    expect(announcements(answer.text).join()).toContain("This tournament has started or was cancelled.");
    expect(await orderOf(id)).toEqual(["Team 1", "Team 2"]);
    expect(textOf((await client.get(page)).text)).toContain("The seeding can't change any more.");
  });
});

describe("Starting", () => {
  test("warns that fees were charged although there are fewer players than Riot asks for", async () => {
    const warning = "With an entry fee, Riot asks for at least 20 players, and you have 3. Return the fees";
    const past = { tournamentDate: new Date(Date.now() - 60_000) };
    for (const [entryFee, teams, warns] of [
      [500, 3, true],
      [0, 3, false],
      [500, 20, false],
    ] as const) {
      const { client, id } = await newHost(teams, { ...past, entryFee });
      const dialog = textOf((await client.get(`/tournaments/${id}/start`)).text);
      expect([dialog.includes(warning), dialog.includes("Riot asks")]).toEqual([warns, warns]);
      expect(dialog).toContain("Start Tournament");
    }
  });

  test("first lists the playing teams and the teams that lose their place, then draws by the seeding", async () => {
    const { client, id, teams } = await newHost(5);
    await app.db
      .update(tournamentTeams)
      .set({ checkedInAt: null })
      .where(eq(tournamentTeams.id, teams[1]?.id as string));
    expect(links((await client.get(`/tournaments/${id}/seeding`)).text)).toContainEqual({
      text: "Start Tournament",
      href: `/tournaments/${id}/start`,
    });
    expect(textOf((await client.get(`/tournaments/${id}/start`)).text)).toContain("Not all players have checked in");
    await app.db
      .update(tournaments)
      .set({ tournamentDate: new Date(Date.now() - 60_000) })
      .where(eq(tournaments.id, id));
    const dialog = await client.get(`/tournaments/${id}/start`);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    expect(textOf(dialog.text)).toContain("starts with 4 players: single elimination, seeded in your order");
    expect(textOf(dialog.text)).toContain("they lose their spot Team 2");
    const answer = await client.submit(`/tournaments/${id}/start`, "Start Tournament");
    expect([answer.status, answer.location]).toEqual([303, `/tournaments/${id}`]);
    expect(announcements((await client.follow(answer)).text).join()).toContain("The tournament has started");
    expect((await tournamentOf(id)).state).toBe("running");
    expect(await orderOf(id)).toEqual(["Team 1", "Team 3", "Team 4", "Team 5"]);
    expect(await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id))).toHaveLength(3);
    // A second start changes nothing.
    const again = await client.post(`/tournaments/${id}/start`);
    expect(again.status).toBe(409);
    expect((await client.get(`/tournaments/${id}/start`)).location).toBe(`/tournaments/${id}`);
  });

  test("starts only what its dialog showed: if that has changed, it's refused, and the dialog shows the change", async () => {
    const { client, id, teams } = await newHost(4, { tournamentDate: new Date(Date.now() - 60_000) });
    const here = `/tournaments/${id}/start`;
    const change = async (values: Partial<typeof tournamentTeams.$inferInsert>, team = 0) =>
      app.db
        .update(tournamentTeams)
        .set(values)
        .where(eq(tournamentTeams.id, teams[team]?.id as string));
    const changes = [
      ["a team that can't play any more", () => change({ checkedInAt: null }), "they lose their spot Team 1"],
      ["another order", () => change({ seed: 9 }, 1), "3 players: single elimination, seeded in your order"],
      [
        "another method",
        () => app.db.update(tournaments).set({ seeding: "random" }).where(eq(tournaments.id, id)),
        "3 players: single elimination, drawn at random",
      ],
    ] as const;
    for (const [what, happen, shown] of changes) {
      const { values } = findForm((await client.get(here)).text, "Start Tournament");
      await happen();
      const late = await client.post(here, values);
      expect([late.status, announcements(late.text).join()], what).toEqual([
        409,
        expect.stringContaining("The tournament has changed since you opened this."),
      ]);
      expect(textOf(late.text), what).toContain(shown);
      expect((await tournamentOf(id)).state, what).toBe("open");
    }
    expect((await client.submit(here, "Start Tournament")).status).toBe(303);
    expect((await tournamentOf(id)).state).toBe("running");
  });

  test("needs at least two teams, and registration to be over", async () => {
    const alone = await newHost(1);
    const page = await alone.client.get(`/tournaments/${alone.id}/start`);
    expect(textOf(page.text)).toContain(
      "You need at least two players to start, and only one is complete, verified and checked in.",
    );
    expect(page.text).not.toContain('data-variant="primary"');
    const refused = await alone.client.post(`/tournaments/${alone.id}/start`);
    expect([refused.status, announcements(refused.text).join()]).toEqual([
      409,
      expect.stringContaining("You need at least two"),
    ]);
    const early = await newHost(4, {
      registrationDeadline: new Date(Date.now() + HOUR),
      tournamentDate: new Date(Date.now() + 2 * HOUR),
    });
    expect(links((await early.client.get(early.page)).text).map(({ text }) => text)).not.toContain("Start Tournament");
    const answer = await early.client.post(`/tournaments/${early.id}/start`);
    expect([answer.status, (await tournamentOf(early.id)).state]).toEqual([409, "open"]);
    expect(announcements(answer.text).join()).toContain("Registration is still open.");
  });
});
