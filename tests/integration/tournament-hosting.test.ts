import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import {
  calendarFeeds,
  tournamentEvents,
  tournamentMatches,
  tournamentOrganisers,
  tournaments,
  tournamentTeams,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import type { Fields } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, findForm, heading, links, main, select, textOf, texts } from "../support/html";
import { startTournament } from "../support/matches";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openInbox } from "../support/socket";
import { addTournament } from "../support/tournaments";
import { addPlayer, DAY, HOUR, MINUTE, newPair, newVisitor, unique, visitAs } from "./players";
import { register } from "./registrations";

const app = useApp();
const { notificationsOf, tournamentLogOf } = recordsIn(app);

const NEW = "/dashboard/tournaments/new";
const local = (date: Date) => date.toISOString().slice(0, 16);
const soon = (days: number) => new Date(Math.floor(Date.now() / HOUR) * HOUR + days * DAY);

const filled = (changes: Record<string, string> = {}) => ({
  title: unique("Night Cup "),
  description: "One evening, best of one.",
  entryFee: "5",
  prizePool: "160.00",
  maxParticipants: "8",
  minRank: "Silver 1",
  maxRank: "Ascendant 3",
  tournamentDate: local(soon(10)),
  registrationDeadline: local(soon(9)),
  ...changes,
});

const rowOf = (id: string) => app.db.select().from(tournaments).where(eq(tournaments.id, id)).get();
const byTitle = (title: string) => app.db.select().from(tournaments).where(eq(tournaments.title, title));
const newsOf = async (player: { id: string }) =>
  (await notificationsOf(player)).map(({ kind, subject }) => ({ kind, subject }));
const unreadOf = async (player: { id: string }) =>
  (await notificationsOf(player)).filter(({ readAt }) => readAt === null);

/** Adds a tournament with a new host; by default, no teams have registered. */
async function newTournament({
  teams: count = 0,
  ...changes
}: Partial<typeof tournaments.$inferInsert> & { teams?: number } = {}) {
  const host = await newVisitor(app, { riotGameName: unique("Host ") });
  const { id, teams } = await addTournament(app.db, {
    teams: count,
    userId: host.player.id,
    maxParticipants: 8,
    tournamentDate: soon(10),
    registrationDeadline: soon(9),
    ...changes,
  });
  return { host, id, teams, page: `/tournaments/${id}` };
}

describe("Hosting a tournament", () => {
  test("lists it once, with its fields, no matter how often the form is sent", async () => {
    const { client, player } = await newVisitor(app, { riotGameName: "Host One", currentRank: "Gold 1" });
    const dialog = await client.get(NEW);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    const fields = { ...filled(), id: field(dialog.text, "id").value as string, timeZone: "UTC" };
    const answer = await client.post(NEW, fields);
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, "/dashboard/tournaments", 2]);
    expect((await client.post(NEW, fields)).location).toBe("/dashboard/tournaments");
    const list = await client.follow(answer);
    expect(roundTrips(list)).toBe(1);
    expect(announcements(list.text)).toContain("Tournament created! Your tournament has been posted successfully.");
    expect(main(list.text)).toContain(`${fields.title} Hosted by Host One Coming Soon`);
    expect(main(list.text)).toMatch(
      /\$5\.00 entry ?\$160\.00 prize pool Silver 1 to Ascendant 3 0\/8 teams, 8 spots left/,
    );
    const stored = await byTitle(fields.title);
    expect(stored).toMatchObject([
      {
        userId: player.id,
        entryFee: 500,
        prizePool: 16_000,
        maxParticipants: 8,
        currentParticipants: 0,
        format: "single_elimination",
        teamSize: 5,
        state: "open",
        tournamentDate: soon(10),
        registrationDeadline: soon(9),
      },
    ]);
    expect(await tournamentLogOf(fields.id)).toEqual([{ action: "hosted", details: null }]);
    const page = await client.get(`/tournaments/${fields.id}`);
    expect([page.status, roundTrips(page), heading(page.text)]).toEqual([200, 1, fields.title]);
    expect(main(page.text)).toContain("80% of the fees");
    expect(main(page.text)).toContain("Lineup doesn't handle payments. Organisers collect fees and pay prizes.");
  });

  test("is found by its first day in the viewer's zone, and keeps that zone in the address", async () => {
    const title = unique("Sunday Cup ");
    await newTournament({ title, tournamentDate: new Date("2030-01-05T20:00Z") });
    const found = async (timeZone: string) => {
      const { client } = await newVisitor(app, { timeZone });
      const list = await client.submit("/dashboard/tournaments", "Apply", { from: "2030-01-06", to: "2030-01-06" });
      expect([list.status, roundTrips(list)]).toEqual([200, 1]);
      return main(list.text).includes(title);
    };
    expect([await found("Pacific/Auckland"), await found("America/New_York")]).toEqual([true, false]);
    const { client } = await newVisitor(app);
    const day = "/dashboard/tournaments?from=2030-01-06&to=2030-01-06";
    expect(main((await client.get(`${day}&zone=Pacific/Auckland`)).text)).toContain(title);
    // Days without a zone, or with an unknown one, use the viewer's own.
    const nowhere = await client.get(`${day}&zone=Mars/Olympus`);
    expect(nowhere.location).toBe(`${day}&zone=UTC`);
    expect((await client.follow(nowhere)).status).toBe(200);
  });

  test("is found by a search, whose later pages don't say that no tournament fits", async () => {
    const { id } = await newTournament({ region: "Korea", entryFee: 500 });
    const row = (await rowOf(id)) as NonNullable<Awaited<ReturnType<typeof rowOf>>>;
    for (let round = 0; round < 14; round += 1) {
      await app.db.insert(tournaments).values(Array.from({ length: 50 }, () => ({ ...row, id: uuidv7() })));
    }
    const title = unique("Free Cup ");
    await newTournament({ title, region: "Korea", entryFee: 0 });
    const { client } = await newVisitor(app);
    const first = await client.get("/dashboard/tournaments?region=Korea&free=on");
    expect(main(first.text)).toContain(title);
    const further = (html: string) => links(html).find(({ text }) => text === "Keep searching")?.href;
    const second = await client.get(further(first.text) as string);
    expect(main(second.text)).toContain("None of these tournaments fits. There are more to search.");
    expect(main(second.text)).not.toContain("None of the first tournaments");
    expect(further(second.text)).toBeDefined();
    await app.db.delete(tournaments).where(eq(tournaments.region, "Korea"));
  });

  test("says so if its form has already created one with other details, and then creates another", async () => {
    const { client } = await newVisitor(app);
    const form: Fields = { ...findForm((await client.get(NEW)).text, "Create Tournament").values, ...filled() };
    const [first, second] = [{ ...form }, { ...form, title: unique("Day Cup ") }];
    // The response is lost on its way, so the form is still open.
    for (let attempt = 0; attempt < 2; attempt += 1) expect((await client.post(NEW, first)).status).toBe(303);
    const answer = await client.post(NEW, second);
    expect(answer.status).toBe(409);
    expect(announcements(answer.text).join()).toContain(
      "This form has already created a tournament, with other details.",
    );
    expect(links(answer.text)).toContainEqual({ text: "See that tournament", href: `/tournaments/${form.id}` });
    expect(await byTitle(second.title)).toEqual([]);
    expect((await client.post(NEW, { ...second, id: field(answer.text, "id").value as string })).status).toBe(303);
    expect(await byTitle(first.title as string)).toHaveLength(1);
    expect(await byTitle(second.title)).toHaveLength(1);
  });

  test("reads its dates in the host's time zone, which it names", async () => {
    const { client } = await newVisitor(app, { timeZone: "America/New_York" });
    const dialog = await client.get(NEW);
    expect(textOf(dialog.text)).toContain("America/New York time");
    const year = new Date().getUTCFullYear() + 1;
    const fields = filled({ tournamentDate: `${year}-07-05T18:00`, registrationDeadline: `${year}-07-04T18:00` });
    expect((await client.submit(NEW, "Create Tournament", fields)).status).toBe(303);
    expect(await byTitle(fields.title)).toMatchObject([
      { tournamentDate: new Date(`${year}-07-05T22:00Z`), timeZone: "America/New_York" },
    ]);
  });

  test("is refused with the error at its field, and keeps the entered values", async () => {
    const { client } = await newVisitor(app);
    const cases: [Record<string, string>, string, string][] = [
      [{ maxRank: "Iron 3" }, "maxRank", "can't be below the minimum rank"],
      [{ registrationDeadline: local(soon(11)) }, "registrationDeadline", "before the tournament's date"],
      [{ tournamentDate: local(soon(-1)), registrationDeadline: local(soon(-2)) }, "tournamentDate", "in the future"],
      [{ prizePool: "139.99" }, "prizePool", "$140.00 or more"],
      [{ maxParticipants: "3" }, "maxParticipants", "at least 20 players"],
      [{ entryFee: "5.005" }, "entryFee", "Enter an amount"],
      [{ maxParticipants: "257" }, "maxParticipants", "from 2 to 256"],
    ];
    for (const [changes, name, sentence] of cases) {
      const fields = filled(changes);
      const answer = await client.submit(NEW, "Create Tournament", fields);
      expect(answer.status, name).toBe(400);
      expect(field(answer.text, name)).toMatchObject({
        value: fields[name as "title"],
        description: expect.stringContaining(sentence),
      });
      expect(await byTitle(fields.title)).toEqual([]);
    }
  });

  test("points out a time that the clocks skip", async () => {
    const { client } = await newVisitor(app, { timeZone: "Europe/Warsaw" });
    const fields = filled({ tournamentDate: "2037-03-29T02:30" });
    const answer = await client.submit(NEW, "Create Tournament", fields);
    expect(answer.status).toBe(400);
    expect(field(answer.text, "tournamentDate").description).toContain("There's no 02:30 on that day in Europe/Warsaw");
  });

  test("needs a session, and never overwrites another player's tournament", async () => {
    const { id } = await newTournament();
    const { client } = await newVisitor(app);
    const stolen = await client.post(NEW, { ...filled(), id, timeZone: "UTC" });
    expect([stolen.status, announcements(stolen.text).join()]).toEqual([409, expect.stringContaining("already used")]);
    expect((await app.client().get(NEW)).location).toContain("/auth?");
    expect((await app.client().post(NEW, { ...filled(), id: uuidv7(), timeZone: "UTC" })).status).toBe(401);
  });

  test("can copy an earlier one, except its dates", async () => {
    const { host, id } = await newTournament({
      title: unique("Old Cup "),
      rules: "Be early.",
      bestOf: 3,
      state: "finished",
    });
    const dialog = await host.client.get(`${NEW}?copy=${id}`);
    expect(field(dialog.text, "rules").value).toBe("Be early.");
    expect(field(dialog.text, "bestOf").value).toBe("3");
    expect(field(dialog.text, "tournamentDate").value).toBe("");
    expect((await host.client.get(`${NEW}?copy=${uuidv7()}`)).status).toBe(200);
    expect((await host.client.get(`${NEW}?copy=nonsense`)).status).toBe(200);
  });
});

describe("A tournament's page", () => {
  test("is public, and made for sharing", async () => {
    const { page } = await newTournament({ title: "Łódź Night Cup", description: "Eight teams, one evening." });
    const visitor = await app.client().get(page);
    expect([visitor.status, roundTrips(visitor), heading(visitor.text)]).toEqual([200, 1, "Łódź Night Cup"]);
    expect(visitor.text).toContain(`<meta property="og:title" content="Łódź Night Cup"`);
    expect(links(visitor.text).map(({ text }) => text)).not.toContain("Organise");
    const rules = await app.client().get(`${page}/rules`);
    expect(main(rules.text)).toContain("Single elimination");
    // A single group has no final.
    const groups = await newTournament({ format: "round_robin", groupSize: 3, bestOf: 1, finalBestOf: 3 });
    expect(main((await app.client().get(`${groups.page}/rules`)).text)).toMatch(
      /groups of 3 to 5 .* Best of 1; in any play-offs, final best of 3/,
    );
    expect((await app.client().get(`/tournaments/${uuidv7()}`)).status).toBe(404);
    expect((await app.client().get("/tournaments/nonsense")).status).toBe(404);
  });

  test("says whether there is a match for third place, which the host can change", async () => {
    const { client } = await newVisitor(app);
    const title = unique("Third Cup ");
    await client.submit(NEW, "Create Tournament", filled({ title }));
    const [created] = await byTitle(title);
    const page = `/tournaments/${created?.id}`;
    const rules = async () => main((await client.get(`${page}/rules`)).text);
    expect(await rules()).toContain(
      "Third place A match between the losing semi-finalists, if 8 or more start; else both share it",
    );
    const edited = await client.submit(`${page}/edit`, "Save Tournament", { thirdPlace: "no" });
    expect(edited.status).toBe(303);
    expect(await rules()).toContain("Third place Shared by the losing semi-finalists");
    expect(field((await client.get(`${NEW}?copy=${created?.id}`)).text, "thirdPlace").value).toBe("no");
    const wrong = await client.submit(NEW, "Create Tournament", filled({ thirdPlace: "maybe" }));
    expect([wrong.status, textOf(wrong.text)]).toEqual([400, expect.stringContaining("Choose one from the list.")]);
    const other = await newTournament({ format: "double_elimination" });
    expect(main((await client.get(`${other.page}/rules`)).text)).not.toContain("Third place");
  });

  test("states the match length of each stage, and how the grand final is played", async () => {
    const { client } = await newVisitor(app);
    const words = {
      single: "One match",
      advantage: "One match. The winners' side starts one map up",
      reset: "If the losers' side wins, a second match decides",
    };
    for (const [grandFinal, sentence] of Object.entries(words)) {
      const title = unique("Long Cup ");
      const lengths = { bestOf: "1", quarterBestOf: "", semiBestOf: "3", lowerFinalBestOf: "5", finalBestOf: "5" };
      const made = filled({ title, format: "double_elimination", ...lengths, grandFinal });
      expect((await client.submit(NEW, "Create Tournament", made)).status).toBe(303);
      const [created] = await byTitle(title);
      expect(created).toMatchObject({
        bestOf: 1,
        quarterBestOf: null,
        semiBestOf: 3,
        lowerFinalBestOf: 5,
        finalBestOf: 5,
        grandFinal,
      });
      const rules = main((await client.get(`/tournaments/${created?.id}/rules`)).text);
      expect(rules).toContain("Best of 1; semi-finals best of 3; losers' final and grand final best of 5");
      expect(rules).toContain(`Grand final ${sentence} Region`);
      expect(rules).toContain("Stages Semi-finals are the winners' final, the two matches before it");
      const copy = await client.get(`${NEW}?copy=${created?.id}`);
      const shown = Object.keys({ ...lengths, grandFinal }).map((name) => field(copy.text, name).value);
      expect(shown).toEqual([...Object.values(lengths), grandFinal]);
    }
    const usual = await newTournament({ format: "double_elimination", bestOf: 1, finalBestOf: 3 });
    const rules = main((await client.get(`${usual.page}/rules`)).text);
    expect(rules).toContain(`Best of 1; grand final best of 3 Grand final ${words.reset}`);
    expect(rules).not.toContain("Stages");
  });

  test("can't have an even number of maps, nor a grand final that the advantage alone wins", async () => {
    const { client } = await newVisitor(app);
    for (const [changes, name, sentence] of [
      [{ bestOf: "2" }, "bestOf", "Choose one from the list."],
      [{ quarterBestOf: "2" }, "quarterBestOf", "Choose one from the list."],
      [{ format: "double_elimination", lowerFinalBestOf: "4" }, "lowerFinalBestOf", "Choose one from the list."],
      [{ format: "double_elimination", grandFinal: "advantage", finalBestOf: "1" }, "finalBestOf", "needs 3 or 5 maps"],
    ] as [Record<string, string>, string, string][]) {
      const fields = filled(changes);
      const answer = await client.submit(NEW, "Create Tournament", fields);
      expect([answer.status, field(answer.text, name).description], name).toEqual([
        400,
        expect.stringContaining(sentence),
      ]);
      expect(select(answer.text, "details[open]").length).toBeGreaterThan(0);
      expect(await byTitle(fields.title)).toEqual([]);
    }
    // Fields of other formats are ignored.
    const title = unique("Short Cup ");
    const odd = filled({ title, lowerFinalBestOf: "2", grandFinal: "advantage", finalBestOf: "1", groupSize: "99" });
    expect((await client.submit(NEW, "Create Tournament", odd)).status).toBe(303);
    expect(await byTitle(title)).toMatchObject([{ lowerFinalBestOf: null, grandFinal: "reset", groupSize: 4 }]);
  });

  test("hides the organisers' pages from others", async () => {
    const { page, host } = await newTournament();
    const { client } = await newVisitor(app);
    for (const part of ["edit", "cancel", "manage"]) {
      expect((await client.get(`${page}/${part}`)).status, part).toBe(404);
      expect((await app.client().get(`${page}/${part}`)).location, part).toContain("/auth?");
      const answer = await host.client.get(`${page}/${part}`);
      expect([answer.status, roundTrips(answer)], part).toEqual([200, 1]);
    }
    expect((await client.post(`${page}/cancel`, { reason: "Because" })).status).toBe(404);
    expect((await client.post(`${page}/edit`, filled())).status).toBe(404);
    expect((await client.post(`${page}/manage`, { intent: "add", riotId: "me#EUW" })).status).toBe(404);
  });
});

describe("Editing", () => {
  test("changes everything before the first registration, and logs the changed fields", async () => {
    const { host, id, page } = await newTournament();
    const title = unique("Renamed ");
    const answer = await host.client.submit(`${page}/edit`, "Save Tournament", { title, teamSize: "3", entryFee: "0" });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, page, 2]);
    expect(await rowOf(id)).toMatchObject({ title, teamSize: 3, version: 1 });
    expect(await tournamentLogOf(id)).toEqual([{ action: "edited", details: { fields: "Title, Team Size" } }]);
    expect((await host.client.submit(`${page}/edit`, "Save Tournament")).status).toBe(303);
    expect(await tournamentLogOf(id)).toHaveLength(1);
  });

  test("changes the length of matches before the first registration only", async () => {
    const { host, id, page } = await newTournament({ format: "double_elimination", bestOf: 1, finalBestOf: 3 });
    const longer = {
      quarterBestOf: "3",
      semiBestOf: "3",
      lowerFinalBestOf: "5",
      finalBestOf: "5",
      grandFinal: "single",
    };
    expect((await host.client.submit(`${page}/edit`, "Save Tournament", longer)).status).toBe(303);
    const stored = { quarterBestOf: 3, semiBestOf: 3, lowerFinalBestOf: 5, finalBestOf: 5, grandFinal: "single" };
    expect(await rowOf(id)).toMatchObject(stored);
    expect(await tournamentLogOf(id)).toEqual([{ action: "edited", details: { fields: "Grand Final, Match Length" } }]);
    expect((await host.client.submit(`${page}/edit`, "Save Tournament", { quarterBestOf: "" })).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ ...stored, quarterBestOf: null });
    // Switching to another format keeps the values of fields that only the old format uses, as the form does.
    const other = { format: "single_elimination", lowerFinalBestOf: "1", grandFinal: "reset" };
    expect((await host.client.submit(`${page}/edit`, "Save Tournament", other)).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ lowerFinalBestOf: 5, grandFinal: "single" });
    const open = await host.client.get(`${page}/edit`);
    const everything = (state: "open" | "running") =>
      app.db.update(tournaments).set({ state, currentParticipants: 2 }).where(eq(tournaments.id, id));
    for (const state of ["open", "running"] as const) {
      await everything(state);
      expect((await host.client.get(`${page}/edit`)).text).not.toContain("Match Length");
      const late = await host.client.post(`${page}/edit`, {
        ...Object.fromEntries(
          ["title", "description", "maxParticipants", "prizePool", "registrationDeadline"].map((name) => [
            name,
            field(open.text, name).value as string,
          ]),
        ),
        bestOf: "5",
        semiBestOf: "5",
        finalBestOf: "1",
        grandFinal: "advantage",
      });
      expect(late.status).toBe(303);
      expect(await rowOf(id)).toMatchObject({ bestOf: 1, semiBestOf: 3, finalBestOf: 5, grandFinal: "single" });
    }
  });

  test("accepts only harmless changes after the first registration", async () => {
    const { host, id, page } = await newTournament();
    const row = await rowOf(id);
    await app.db.update(tournaments).set({ currentParticipants: 2 }).where(eq(tournaments.id, id));
    const dialog = await host.client.get(`${page}/edit`);
    expect(dialog.text).not.toContain('name="title"');
    const kept = {
      description: "Now with a caster.",
      rules: "Be early.",
      maxParticipants: "8",
      prizePool: "0",
      registrationDeadline: local(soon(9)),
    };
    for (const [changes, name] of [
      [{ maxParticipants: "7" }, "maxParticipants"],
      [{ registrationDeadline: local(soon(8)) }, "registrationDeadline"],
      [{ registrationDeadline: local(soon(10)) }, "registrationDeadline"],
    ] as const) {
      const answer = await host.client.post(`${page}/edit`, { ...kept, ...changes });
      expect([answer.status, field(answer.text, name).invalid], name).toEqual([400, true]);
    }
    // Fields that aren't in the form are ignored.
    const answer = await host.client.post(`${page}/edit`, {
      ...kept,
      maxParticipants: "16",
      title: "Bait",
      entryFee: "99",
    });
    expect(answer.status).toBe(303);
    expect(await rowOf(id)).toMatchObject({
      title: row?.title,
      entryFee: 0,
      description: "Now with a caster.",
      rules: "Be early.",
      maxParticipants: 16,
    });
  });

  test("drops nothing without a word if teams registered or withdrew, or it started, since the form was opened", async () => {
    const { host, id, page } = await newTournament();
    const before = await rowOf(id);
    const change = (values: Partial<typeof tournaments.$inferInsert>) =>
      app.db.update(tournaments).set(values).where(eq(tournaments.id, id));
    const send = (form: Fields) => host.client.post(`${page}/edit`, form);
    const formNow = async () => findForm((await host.client.get(`${page}/edit`)).text, "Save Tournament").values;
    const refusal = "Something has changed: a team registered or withdrew, or the tournament started.";
    const whole = await formNow();
    await change({ currentParticipants: 1 });
    const registered = await send({ ...whole, title: "Renamed", description: "Now with a caster." });
    expect([registered.status, announcements(registered.text).join()]).toEqual([409, expect.stringContaining(refusal)]);
    expect(registered.text).not.toContain('name="title"');
    expect(field(registered.text, "description").value).toBe("Now with a caster.");
    const short = await formNow();
    await change({ currentParticipants: 0 });
    const withdrew = await send({ ...short, description: "Two casters." });
    expect([withdrew.status, announcements(withdrew.text).join()]).toEqual([409, expect.stringContaining(refusal)]);
    expect(field(withdrew.text, "title").value).toBe(before?.title);
    expect(field(withdrew.text, "description").value).toBe("Two casters.");
    await change({ state: "running" });
    expect((await send(short)).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ title: before?.title, description: before?.description });
    expect((await send({ ...(await formNow()), description: "Three casters." })).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ description: "Three casters." });
  });

  test("replaces what another organiser has saved since the form was opened only if the form is sent again", async () => {
    const { host, id, page } = await newTournament({ rules: "Old rules." });
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    const formIn = ({ text }: { text: string }) => findForm(text, "Save Tournament").values;
    const edited = "This tournament has been edited since you opened this form. Your entries are still here";
    for (const state of [
      { currentParticipants: 0 },
      { currentParticipants: 2 },
      { currentParticipants: 2, state: "running" },
    ] as const) {
      const setState = () => app.db.update(tournaments).set(state).where(eq(tournaments.id, id));
      await setState();
      const opened = formIn(await helper.client.get(`${page}/edit`));
      const theirs = { rules: unique("Their rules ") };
      expect((await host.client.submit(`${page}/edit`, "Save Tournament", theirs)).status).toBe(303);
      // Saving counts the teams, of which this tournament has none.
      await setState();
      const own = { ...opened, description: unique("Own words ") };
      const before = await rowOf(id);
      const refused = await helper.client.post(`${page}/edit`, own);
      expect([refused.status, roundTrips(refused)]).toEqual([409, 2]);
      expect(announcements(refused.text).join()).toContain(edited);
      expect(links(refused.text)).toContainEqual({
        text: "Discard my entries and see what's saved",
        href: `${page}/edit`,
      });
      const shown = ["description", "rules"].map((name) => field(refused.text, name).value);
      expect(shown).toEqual([own.description, "Old rules."]);
      expect(await rowOf(id)).toEqual(before);
      expect((await helper.client.post(`${page}/edit`, formIn(refused))).status).toBe(303);
      expect(await rowOf(id)).toMatchObject({ description: own.description, rules: "Old rules." });
    }
  });

  test("is also refused if a team registered as well, but not if teams joined those already registered", async () => {
    const { host, id, page } = await newTournament();
    const change = (values: Partial<typeof tournaments.$inferInsert>) =>
      app.db.update(tournaments).set(values).where(eq(tournaments.id, id));
    const formNow = async () => findForm((await host.client.get(`${page}/edit`)).text, "Save Tournament").values;
    const opened = await formNow();
    await change({ description: "Theirs.", currentParticipants: 1 });
    const refused = await host.client.post(`${page}/edit`, { ...opened, description: "Own." });
    expect([refused.status, announcements(refused.text).join()]).toEqual([
      409,
      expect.stringContaining("has been edited since you opened this form, and a team registered or withdrew"),
    ]);
    expect(await rowOf(id)).toMatchObject({ description: "Theirs." });
    const harmless = await formNow();
    await change({ currentParticipants: 3, seeding: "manual", version: 9, updatedAt: new Date() });
    expect((await host.client.post(`${page}/edit`, { ...harmless, description: "Own." })).status).toBe(303);
  });

  test("counts as saved if the other save was of the same form, and loses to any other simultaneous save", async () => {
    const { host, id, page } = await newTournament();
    const opened = findForm((await host.client.get(`${page}/edit`)).text, "Save Tournament").values;
    const send = (description: string) => host.client.post(`${page}/edit`, { ...opened, description });
    const same = await Promise.all([1, 2, 3].map(() => send("Once.")));
    expect(same.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await send("Once.")).status).toBe(303);
    expect(await tournamentLogOf(id)).toHaveLength(1);
    const { version } = findForm((await host.client.get(`${page}/edit`)).text, "Save Tournament").values;
    const others = await Promise.all(
      ["One.", "Two.", "Three."].map((description) =>
        host.client.post(`${page}/edit`, { ...opened, version, description }),
      ),
    );
    expect(others.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    expect(await tournamentLogOf(id)).toHaveLength(2);
  });

  test("moves waiting teams up to new places, in order, and tells them", async () => {
    const { host, id, page, teams } = await newTournament({ teams: 5, maxParticipants: 2 });
    const [first, second] = teams.slice(2).map((team) => team.id);
    for (const team of teams.slice(2)) {
      await app.db.update(tournamentTeams).set({ state: "waiting" }).where(eq(tournamentTeams.id, team.id));
    }
    await app.db.update(tournaments).set({ currentParticipants: 2 }).where(eq(tournaments.id, id));
    const answer = await host.client.submit(`${page}/edit`, "Save Tournament", { maxParticipants: "4" });
    expect(answer.status).toBe(303);
    const listed = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, id));
    expect(listed.filter(({ state }) => state === "waiting").map((team) => team.id)).toEqual([teams[4]?.id]);
    expect(listed.filter(({ state }) => state === "entered").map((team) => team.id)).toEqual(
      expect.arrayContaining([first, second]),
    );
    expect((await rowOf(id))?.currentParticipants).toBe(4);
    const told = (index: number) => newsOf({ id: teams[index]?.captainId as string });
    expect(await told(2)).toEqual([{ kind: "tournament-place", subject: `tournament:${id}` }]);
    expect(await told(1)).toEqual([]);
    expect(await told(4)).toEqual([]);
  });

  test("allows changes only to texts during the tournament, and none after it", async () => {
    const { host, id, page } = await newTournament({ state: "running" });
    const answer = await host.client.post(`${page}/edit`, { description: "Casted.", maxParticipants: "64" });
    expect(answer.status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ description: "Casted.", maxParticipants: 8 });
    await app.db.update(tournaments).set({ state: "finished" }).where(eq(tournaments.id, id));
    expect((await host.client.get(`${page}/edit`)).location).toBe(page);
    expect((await host.client.post(`${page}/edit`, { description: "Late." })).status).toBe(409);
  });
});

describe("Cancelling", () => {
  test("tells every registered player the reason, and is final", async () => {
    const { host, id, page, teams } = await newTournament({ teams: 2 });
    const helper = await addPlayer(app);
    await app.db.insert(tournamentOrganisers).values({ tournamentId: id, userId: helper.id, addedAt: new Date() });
    const empty = await host.client.submit(`${page}/cancel`, "Cancel Tournament", { reason: "" });
    expect([empty.status, field(empty.text, "reason").description]).toEqual([
      400,
      "Say why. Everyone who registered will see it.",
    ]);
    const answer = await host.client.submit(`${page}/cancel`, "Cancel Tournament", { reason: "Too few teams." });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, page, 2]);
    expect(await rowOf(id)).toMatchObject({ state: "cancelled", cancelReason: "Too few teams." });
    expect(main((await app.client().get(page)).text)).toContain("This tournament was cancelled. Too few teams.");
    // The deadline and check-in would still be ahead.
    const rules = main((await app.client().get(`${page}/rules`)).text);
    expect(rules).toMatch(/Registration Closed(?! \w{3},? \d| \d)/);
    expect(rules).not.toContain("Check-in");
    for (const player of [...teams.map(({ captainId }) => captainId), helper.id]) {
      expect(await newsOf({ id: player })).toEqual([{ kind: "tournament-cancelled", subject: `tournament:${id}` }]);
    }
    expect((await host.client.post(`${page}/cancel`, { reason: "Again" })).status).toBe(409);
    expect(await tournamentLogOf(id)).toEqual([{ action: "cancelled", details: { reason: "Too few teams." } }]);
  });

  test("claims to have told players only if there were some", async () => {
    const said = async (teams: number) => {
      const { host, page } = await newTournament({ teams });
      const answer = await host.client.submit(`${page}/cancel`, "Cancel Tournament", { reason: "Ill" });
      return announcements((await host.client.follow(answer)).text).join();
    };
    expect(await said(1)).toContain("We've told everyone who registered.");
    const empty = await said(0);
    expect(empty).toContain("Tournament cancelled");
    expect(empty).not.toContain("We've told");
  });

  test("ends its matches: nobody is asked to play, and nothing is due", async () => {
    const host = await newVisitor(app);
    const captain = await newVisitor(app, { riotGameName: unique("Captain ") });
    const { id } = await startTournament(app, { teams: 4, userId: host.player.id, captains: [captain.player.id] });
    const page = `/tournaments/${id}`;
    const past = new Date(Date.now() - HOUR);
    await app.db.update(tournamentMatches).set({ deadlineAt: past }).where(eq(tournamentMatches.tournamentId, id));
    await app.db
      .update(tournamentMatches)
      .set({ state: "reported", confirmBy: past })
      .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, 1)));
    expect(textOf((await captain.client.get(page)).text)).toContain("Go to Your Match");
    expect((await host.client.post(`${page}/cancel`, { reason: "The server is down." })).status).toBe(303);
    expect(textOf((await captain.client.get(page)).text)).not.toContain("Go to Your Match");
    const bracket = await app.client().get(page);
    expect(bracket.text).not.toContain("Check in by");
    const list = await app.client().get(`${page}/matches`);
    expect([textOf(list.text).includes("To play"), textOf(list.text).includes("Check in by")]).toEqual([false, false]);
    const matches = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    expect(matches.filter(({ confirmBy }) => confirmBy !== null)).toEqual([]);
    expect(matches.filter(({ state, overdueToldAt }) => state === "ready" && overdueToldAt === null)).toEqual([]);
  });

  test("is up to the host, even while the tournament is being played, and never up to a co-organiser", async () => {
    const { host, id, page } = await newTournament({ state: "running" });
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    expect((await helper.client.get(`${page}/cancel`)).status).toBe(404);
    expect((await helper.client.post(`${page}/cancel`, { reason: "Mine now" })).status).toBe(404);
    expect((await host.client.post(`${page}/cancel`, { reason: "The server is down." })).status).toBe(303);
  });

  test("passes to the co-organisers once the host's account is gone", async () => {
    const { host, id, page } = await newTournament();
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    await app.db.delete(users).where(eq(users.id, host.player.id));
    expect(main((await helper.client.get(page)).text)).toContain("Hosted by a player who has left");
    expect((await helper.client.get(`${page}/edit`)).status).toBe(200);
    expect((await helper.client.post(`${page}/cancel`, { reason: "Nobody is left." })).status).toBe(303);
  });

  test("passes to the co-organisers as soon as the host has asked for the account's deletion", async () => {
    const { host, id, page } = await newTournament();
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() + 6 * DAY) })
      .where(eq(users.id, host.player.id));
    expect((await helper.client.post(`${page}/cancel`, { reason: "The host is leaving." })).status).toBe(303);
  });
});

describe("Organisers", () => {
  test("can't be players who accept no messages from the host", async () => {
    const { host, page } = await newTournament();
    const riotId = `${unique("Quiet ")}#EUW`;
    const named = { riotId, riotGameName: riotId.split("#")[0] as string, riotPuuid: riotId };
    const quiet = await newVisitor(app, { ...named, riotVerifiedAt: new Date(), contactPolicy: "nobody" });
    const refused = await host.client.submit(`${page}/manage`, "Add Organiser", { riotId });
    expect(refused.status).toBe(409);
    expect(await newsOf(quiet.player)).toEqual([]);
  });

  test("are added by Riot ID, and can edit until they are removed", async () => {
    const { host, id, page } = await newTournament();
    const riotId = `${unique("Helper ")}#EUW`;
    const named = { riotId, riotGameName: riotId.split("#")[0] as string };
    // Any player can type any Riot ID into their profile.
    await newVisitor(app, named);
    const stranger = await host.client.submit(`${page}/manage`, "Add Organiser", { riotId });
    expect(stranger.status).toBeGreaterThanOrEqual(400);
    const helper = await newVisitor(app, { ...named, riotPuuid: riotId, riotVerifiedAt: new Date() });
    const answer = await host.client.submit(`${page}/manage`, "Add Organiser", { riotId: riotId.toUpperCase() });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `${page}/manage`, 2]);
    expect(links((await helper.client.get(page)).text).map(({ text }) => text)).toContain("Organise");
    expect((await helper.client.get(`${page}/edit`)).status).toBe(200);
    // Organisers can't add organisers.
    expect((await helper.client.post(`${page}/manage`, { intent: "add", riotId })).status).toBe(404);
    // Adding the same player twice gets the same response, until another player is added.
    expect((await host.client.post(`${page}/manage`, { intent: "add", riotId })).status).toBe(303);
    const other = `${unique("Other ")}#EUW`;
    await newVisitor(app, { riotId: other, riotPuuid: other, riotVerifiedAt: new Date() });
    expect((await host.client.post(`${page}/manage`, { intent: "add", riotId: other })).status).toBe(303);
    const twice = await host.client.post(`${page}/manage`, { intent: "add", riotId });
    expect([twice.status, field(twice.text, "riotId").description]).toEqual([409, expect.stringContaining("already")]);
    const removal = { intent: "remove", playerId: helper.player.id };
    expect((await host.client.post(`${page}/manage`, removal)).status).toBe(303);
    expect((await helper.client.get(`${page}/edit`)).status).toBe(404);
    expect(await newsOf(helper.player)).toEqual([]);
    expect((await tournamentLogOf(id)).map(({ action }) => action)).toEqual([
      "organiser-added",
      "organiser-added",
      "organiser-removed",
    ]);
    expect((await rowOf(id))?.version).toBe(3);
  });

  test("are notified, with a link to the page where they can step down", async () => {
    const { one, other } = await newPair(app);
    const { id } = await addTournament(app.db, { teams: 0, userId: one.player.id, title: "Owl Cup" });
    const page = `/tournaments/${id}/manage`;
    expect((await one.client.post(page, { intent: "add", playerId: other.player.id })).status).toBe(303);
    const news = (await other.client.get("/dashboard/notifications")).text;
    expect(main(news)).toContain("You're now an organiser of “Owl Cup”");
    expect(links(news).map(({ href }) => href)).toContain(page);
    expect(textOf((await other.client.get(page)).text)).toContain("Step Down");
    await eventually(async () => (await unreadOf(other.player)).length === 0 || undefined);
    expect((await other.client.get("/dashboard/settings/notifications")).text).toContain("tournament-organiser");
  });

  test("who have stepped down have no unread news of registrations", async () => {
    const { one, other } = await newPair(app);
    const dates = { registrationDeadline: soon(9), tournamentDate: soon(10) };
    const { id } = await addTournament(app.db, { teams: 0, userId: one.player.id, ...dates });
    const page = `/tournaments/${id}/manage`;
    expect((await one.client.post(page, { intent: "add", playerId: other.player.id })).status).toBe(303);
    const entrant = await newVisitor(app, { riotVerifiedAt: new Date(), riotPuuid: unique("puuid-") });
    expect((await register(entrant.client, id, null)).status).toBe(303);
    const kinds = async (player: { id: string }) => (await unreadOf(player)).map(({ kind }) => kind).sort();
    expect(await kinds(other.player)).toEqual(["tournament-organiser", "tournament-registered"]);
    const tab = await openInbox(other.client);
    await tab.next("unread", ({ notifications }) => notifications === 2);
    expect((await other.client.post(page, { intent: "remove", playerId: other.player.id })).status).toBe(303);
    expect([await kinds(other.player), await kinds(one.player)]).toEqual([[], ["tournament-registered"]]);
    await tab.next("unread", ({ notifications }) => notifications === 0);
    tab.close();
  });

  test("who have stepped down can't be added by the same host, to any tournament, for 30 days", async () => {
    const { one, other } = await newPair(app);
    const [first, second] = [
      await addTournament(app.db, { teams: 0, userId: one.player.id }),
      await addTournament(app.db, { teams: 0, userId: one.player.id }),
    ];
    const add = (id: string) =>
      one.client.post(`/tournaments/${id}/manage`, { intent: "add", playerId: other.player.id });
    expect((await add(first.id)).status).toBe(303);
    const leave = { intent: "remove", playerId: other.player.id };
    expect((await other.client.post(`/tournaments/${first.id}/manage`, leave)).status).toBe(303);
    for (const { id } of [first, second]) {
      const refused = await add(id);
      expect([refused.status, roundTrips(refused)]).toEqual([409, 3]);
      expect(field(refused.text, "riotId").description).toContain("stepped down in the last 30 days");
      const page = await one.client.get(`/tournaments/${id}/manage`);
      expect(roundTrips(page)).toBe(1);
      expect(page.text).not.toContain(`value="${other.player.id}"`);
    }
    expect(await newsOf(other.player)).toEqual([]);
    // Another host may still add them.
    const { host, page } = await newTournament();
    const theirs = await host.client.post(`${page}/manage`, { intent: "add", playerId: other.player.id });
    expect(theirs.status).toBe(303);
    for (const [days, status] of [
      [29, 409],
      [31, 303],
    ] as const) {
      await app.db
        .update(tournamentEvents)
        .set({ createdAt: new Date(Date.now() - days * DAY) })
        .where(eq(tournamentEvents.tournamentId, first.id));
      expect((await add(second.id)).status, `after ${days} days`).toBe(status);
    }
  });

  test("are removed when they block the host or the host blocks them", async () => {
    for (const blocker of ["one", "other"] as const) {
      const pair = await newPair(app);
      const { one, other } = pair;
      const { id } = await addTournament(app.db, { teams: 0, userId: one.player.id });
      const { id: elsewhere } = await newTournament();
      for (const tournamentId of [id, elsewhere]) {
        await app.db
          .insert(tournamentOrganisers)
          .values({ tournamentId, userId: other.player.id, addedAt: new Date() });
      }
      const block = `/dashboard/messages/${pair.conversationId}/block`;
      const answer = await pair[blocker].client.post(block, { intent: "block" });
      expect([answer.status, roundTrips(answer)], blocker).toEqual([303, 2]);
      // The organiser is removed after the response.
      await eventually(async () => (await other.client.get(`/tournaments/${id}/manage`)).status === 404 || undefined);
      expect((await other.client.get(`/tournaments/${elsewhere}/manage`)).status, blocker).toBe(200);
      expect(await tournamentLogOf(id)).toEqual([
        { action: "organiser-removed", details: { player: other.player.id } },
      ]);
      expect((await rowOf(id))?.version).toBe(1);
      expect(await pair[blocker].client.post(block, { intent: "block" })).toMatchObject({ status: 303 });
      expect(await tournamentLogOf(id)).toHaveLength(1);
    }
  });

  test("stay when they block a suspended host, because someone has to run the tournament", async () => {
    const { one, other, conversationId } = await newPair(app);
    const { id } = await addTournament(app.db, { teams: 0, userId: one.player.id });
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: other.player.id, addedAt: new Date() });
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, one.player.id));
    const answer = await other.client.post(`/dashboard/messages/${conversationId}/block`, { intent: "block" });
    expect(answer.status).toBe(303);
    expect((await other.client.get(`/tournaments/${id}/manage`)).status).toBe(200);
  });

  test("can read the whole log, page by page", async () => {
    const { host, id, page } = await newTournament();
    const start = Date.now() - DAY;
    await app.db.insert(tournamentEvents).values(
      Array.from({ length: 230 }, (_, index) => ({
        id: uuidv7(start + index),
        tournamentId: id,
        actorId: null,
        action: "registered" as const,
        details: { team: `Squad ${index}.` },
        createdAt: new Date(start + index),
      })),
    );
    const seen: number[] = [];
    let next: string | undefined = `${page}/manage`;
    let last = next;
    for (let pages = 0; next && pages < 4; pages += 1) {
      const answer = await host.client.get(next);
      last = next;
      expect([answer.status, roundTrips(answer)]).toEqual([200, 1]);
      seen.push(...[...main(answer.text).matchAll(/Squad (\d+)\./g)].map(([, number]) => Number(number)));
      next = links(answer.text).find(({ text }) => text === "Older")?.href;
    }
    expect(seen).toEqual(Array.from({ length: 230 }, (_, index) => 229 - index));
    const back = async (from: string) =>
      links((await host.client.get(from)).text).find(({ text }) => text === "Newer")?.href as string;
    expect((await host.client.get(await back(await back(last)))).location).toBe(`${page}/manage`);
    expect((await host.client.get(`${page}/manage?after=nonsense`)).status).toBe(200);
  });

  test("can step down by themselves", async () => {
    const { id, page } = await newTournament();
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    const stepDown = { intent: "remove", playerId: helper.player.id };
    // The second press is like a double click, or a retry after a lost response.
    for (let press = 0; press < 2; press += 1) {
      const answer = await helper.client.post(`${page}/manage`, stepDown);
      expect([answer.status, answer.location]).toEqual([303, page]);
    }
    const stranger = await newVisitor(app);
    const never = { ...stepDown, playerId: stranger.player.id };
    expect((await stranger.client.post(`${page}/manage`, never)).status).toBe(404);
    expect((await helper.client.get(`${page}/manage`)).status).toBe(404);
    // After an hour, a press no longer counts as a retry after a lost response.
    const aWhileAgo = { createdAt: new Date(Date.now() - 61 * MINUTE) };
    await app.db.update(tournamentEvents).set(aWhileAgo).where(eq(tournamentEvents.tournamentId, id));
    expect((await helper.client.post(`${page}/manage`, stepDown)).status).toBe(404);
  });

  test("are no longer called to act in a tournament once they don't organise it, but still called to play", async () => {
    const host = await newVisitor(app);
    const [helper, captain] = [await newVisitor(app), await newVisitor(app)];
    const due = await addTournament(app.db, {
      teams: 0,
      userId: host.player.id,
      tournamentDate: soon(-1),
      registrationDeadline: soon(-2),
    });
    const { id, execute } = await startTournament(app, {
      teams: 2,
      userId: host.player.id,
      captains: [captain.player.id],
    });
    for (const { player } of [helper, captain]) {
      await app.db
        .insert(tournamentOrganisers)
        .values([due.id, id].map((tournamentId) => ({ tournamentId, userId: player.id, addedAt: new Date() })));
    }
    await app.runScheduled();
    await execute({ type: "settle" }, null, Date.now() + HOUR);
    const callsTo = async ({ player }: typeof host) => (await unreadOf(player)).map(({ kind }) => kind).sort();
    expect(await callsTo(helper)).toEqual(["match-dispute", "tournament-due"]);
    expect(await callsTo(captain)).toEqual(["match-dispute", "match-ready", "tournament-due"]);
    for (const tournamentId of [due.id, id]) {
      const page = `/tournaments/${tournamentId}/manage`;
      const remove = ({ player }: typeof host) => ({ intent: "remove", playerId: player.id });
      expect((await helper.client.post(page, remove(helper))).status).toBe(303);
      expect((await host.client.post(page, remove(captain))).status).toBe(303);
    }
    expect(await callsTo(helper)).toEqual([]);
    expect(await callsTo(captain)).toEqual(["match-ready"]);
    expect(await callsTo(host)).toEqual(["match-dispute", "tournament-due"]);
  });

  test("are listed in the order in which they were added", async () => {
    const { host, id, page } = await newTournament();
    const names = [unique("Zoe "), unique("Yan "), unique("Xia ")];
    const helpers = [];
    for (const riotGameName of names) helpers.push(await addPlayer(app, { riotGameName }));
    await app.db.insert(tournamentOrganisers).values(
      helpers.map((player, index) => ({
        ...{ tournamentId: id, userId: player.id },
        addedAt: new Date(Date.now() - index * DAY),
      })),
    );
    const rows = texts((await host.client.get(`${page}/manage`)).text, "[aria-labelledby=organisers] li");
    expect(rows.slice(0, 3)).toEqual(names.map((name) => expect.stringContaining(name)).reverse());
  });

  test("are suggested from the host's conversations", async () => {
    const { one, other } = await newPair(app);
    const { id } = await addTournament(app.db, { teams: 0, userId: one.player.id });
    const page = `/tournaments/${id}/manage`;
    const offered = await one.client.get(page);
    expect(offered.text).toContain(`value="${other.player.id}"`);
    expect((await one.client.post(page, { intent: "add", playerId: other.player.id })).status).toBe(303);
    expect((await one.client.get(page)).text).toContain("Remove");
    const unknown = await one.client.post(page, { intent: "add", riotId: "Nobody#NONE" });
    expect([unknown.status, field(unknown.text, "riotId").description]).toEqual([
      409,
      expect.stringContaining("Nobody here"),
    ]);
    const empty = await one.client.post(page, { intent: "add", riotId: "" });
    expect([empty.status, field(empty.text, "riotId").description]).toEqual([400, "Enter a Riot ID."]);
  });
});

describe("Calendars", () => {
  const settings = "/dashboard/settings/calendar";
  const pathIn = (page: string) => new URL(field(page, "address").value as string).pathname;
  const statusOf = async (path: string) => (await app.client().get(path)).status;

  test("can import one tournament from its page", async () => {
    const { id, page } = await newTournament({ title: "Cup; with, signs", state: "cancelled", version: 4 });
    const answer = await app.client().get(`${page}/calendar.ics`);
    expect([answer.status, answer.headers.get("Content-Type"), roundTrips(answer)]).toEqual([
      200,
      "text/calendar; charset=utf-8",
      1,
    ]);
    expect(answer.text).toContain(`UID:${id}@lineup\r\n`);
    expect(answer.text).toContain("SUMMARY:Cup\\; with\\, signs\r\n");
    expect(answer.text).toContain("SEQUENCE:4\r\n");
    expect(answer.text).toContain("STATUS:CANCELLED\r\n");
    expect((await app.client().get(`/tournaments/${uuidv7()}/calendar.ics`)).status).toBe(404);
  });

  test("say with each new number of an event that it has changed since the last one", async () => {
    const { host, id, page } = await newTournament();
    const name = unique("Helper ");
    const riotId = `${name}#EUW`;
    const helper = await newVisitor(app, { riotId, riotGameName: name, riotPuuid: riotId, riotVerifiedAt: new Date() });
    const read = async () => {
      const { text } = await app.client().get(`${page}/calendar.ics`);
      return [/SEQUENCE:(\d+)/, /LAST-MODIFIED:(\w+)/].map((line) => line.exec(text)?.[1] as string) as [
        string,
        string,
      ];
    };
    for (const fields of [
      { intent: "add", riotId },
      { intent: "remove", playerId: helper.player.id },
    ]) {
      await app.db
        .update(tournaments)
        .set({ updatedAt: new Date(Date.now() - DAY) })
        .where(eq(tournaments.id, id));
      const [number, time] = await read();
      expect((await host.client.post(`${page}/manage`, fields)).status, fields.intent).toBe(303);
      const [next, later] = await read();
      expect([Number(next), later > time], fields.intent).toEqual([Number(number) + 1, true]);
    }
  });

  test("can subscribe to the tournaments that a player plays and runs, at a private address", async () => {
    const player = await addPlayer(app);
    const client = await visitAs(app, player);
    const own = await addTournament(app.db, { teams: 0, userId: player.id, title: "Own Cup" });
    const played = await addTournament(app.db, { teams: 2, captains: [player.id], title: "Played Cup" });
    await addTournament(app.db, { teams: 2, title: "Strange Cup" });
    const made = await client.submit(settings, "Create Calendar Link");
    expect([made.status, made.location, roundTrips(made)]).toEqual([303, settings, 2]);
    const address = field((await client.get(settings)).text, "address").value as string;
    const feed = await app.client().get(new URL(address).pathname);
    expect([feed.status, roundTrips(feed)]).toEqual([200, 1]);
    expect(feed.text).toContain(`UID:${own.id}@lineup`);
    expect(feed.text).toContain(`UID:${played.id}@lineup`);
    expect(feed.text).not.toContain("Strange Cup");
    expect((await client.submit(settings, "Create New Link")).status).toBe(303);
    expect((await app.client().get(new URL(address).pathname)).status).toBe(404);
    expect((await client.submit(settings, "Remove Link")).status).toBe(303);
    expect(await app.db.select().from(calendarFeeds).where(eq(calendarFeeds.userId, player.id))).toEqual([]);
    expect((await app.client().get("/calendar/guess.ics")).status).toBe(404);
  });

  test("keep their address when `Create Calendar Link` is pressed on a page that was loaded before", async () => {
    const player = await addPlayer(app);
    const [laptop, phone] = [await visitAs(app, player), await visitAs(app, player)];
    const old = findForm((await laptop.get(settings)).text, "Create Calendar Link").values;
    await phone.submit(settings, "Create Calendar Link");
    const path = pathIn((await phone.get(settings)).text);
    expect(pathIn((await laptop.follow(await laptop.post(settings, old))).text)).toBe(path);
    expect(await statusOf(path)).toBe(200);
  });

  test("lose their address only by a button on a page that shows it", async () => {
    const player = await addPlayer(app);
    const [laptop, phone] = [await visitAs(app, player), await visitAs(app, player)];
    await laptop.submit(settings, "Create Calendar Link");
    const { text } = await laptop.get(settings);
    await phone.submit(settings, "Create New Link");
    const path = pathIn((await phone.get(settings)).text);
    for (const button of ["Create New Link", "Remove Link"]) {
      const refused = await laptop.post(settings, findForm(text, button).values);
      expect(refused.status, button).toBe(409);
      expect(announcements(refused.text)).toContain(
        "Error Your link has changed since you opened this page. Check it first.",
      );
      expect(pathIn(refused.text)).toBe(path);
      expect(await statusOf(path)).toBe(200);
    }
    const shown = findForm((await laptop.get(settings)).text, "Remove Link").values;
    // The second press repeats the first one, whose response was lost.
    for (let press = 0; press < 2; press += 1) expect((await laptop.post(settings, shown)).status).toBe(303);
    expect(await statusOf(path)).toBe(404);
  });

  test("show a place on the waiting list as tentative, and leave out tournaments that start without the player", async () => {
    const player = await addPlayer(app);
    const client = await visitAs(app, player);
    await client.submit(settings, "Create Calendar Link");
    const path = pathIn((await client.get(settings)).text);
    const statuses = async () =>
      [...(await app.client().get(path)).text.matchAll(/UID:(.*)@lineup[\s\S]*?STATUS:(\w+)/g)].map(
        ([, id, status]) => [id, status],
      );
    const added = { teams: 3, captains: [player.id] };
    const { id, teams } = await addTournament(app.db, added);
    const own = teams[0]?.id as string;
    const setTeam = (state: "entered" | "waiting" | "absent") =>
      app.db.update(tournamentTeams).set({ state }).where(eq(tournamentTeams.id, own));
    const setTournament = (state: "open" | "running") =>
      app.db.update(tournaments).set({ state }).where(eq(tournaments.id, id));
    expect(await statuses()).toEqual([[id, "CONFIRMED"]]);
    await setTeam("waiting");
    expect(await statuses()).toEqual([[id, "TENTATIVE"]]);
    await setTournament("running");
    expect(await statuses()).toEqual([]);
    await setTeam("absent");
    expect(await statuses()).toEqual([]);
    await setTeam("entered");
    expect(await statuses()).toEqual([[id, "CONFIRMED"]]);
    // An organiser runs the tournament, whether or not they play.
    await setTeam("absent");
    await app.db.insert(tournamentOrganisers).values({ tournamentId: id, userId: player.id, addedAt: new Date() });
    expect(await statuses()).toEqual([[id, "CONFIRMED"]]);
    await setTeam("waiting");
    await setTournament("open");
    expect(await statuses()).toEqual([[id, "CONFIRMED"]]);
  });
});
