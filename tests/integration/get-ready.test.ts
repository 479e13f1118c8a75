import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { playerFacets } from "../../db/schema";
import { useApp } from "../support/app";
import { type Client, signIn } from "../support/client";
import { findForm, main, select, selectEach, textOf, texts, ticked } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { conversationsIn } from "./conversations";
import { newVisitor } from "./players";

const app = useApp({ world: "demo" });
const { profileOf } = recordsIn(app);
const { getIn } = conversationsIn(app);
const READY = "/dashboard/ready";
const BACK = "/dashboard";

const strip = async (client: Client, headers: Record<string, string> = {}) =>
  select((await client.get("/dashboard", headers)).text, "section.ready");
const steps = async (client: Client) => texts(await strip(client), "ol li");

describe("the strip", () => {
  test("takes three answers one after the other, saves them in the profile, and is gone", async () => {
    const { player, client } = await newVisitor(app);
    expect(await steps(client)).toEqual(["1 Rank Now", "2 Role Next", "3 Hours Next"]);
    expect(texts(await strip(client), "h3")).toEqual(["What's your rank?"]);

    const rank = await client.post(READY, { step: "rank", currentRank: "Gold 2" });
    expect([rank.status, rank.location, roundTrips(rank)]).toEqual([303, BACK, 2]);
    expect(await steps(client)).toEqual(["Rank Gold 2", "2 Role Now", "3 Hours Next"]);

    const role = { step: "role", preferredRole: "Sentinel", mainAgents: ["Sage", "Omen"] };
    expect((await client.post(READY, role)).location).toBe(BACK);
    expect(await steps(client)).toEqual(["Rank Gold 2", "Role Sentinel", "3 Hours Now"]);

    const hours = {
      step: "hours",
      week: ["weekdays-evening", "weekends-night"],
      region: "Europe",
      languages: ["de", "en"],
      timeZone: "Europe/Berlin",
    };
    expect((await client.post(READY, hours)).location).toBe(BACK);
    expect((await strip(client)).length).toBe(0);
    expect(await profileOf(player)).toMatchObject({
      currentRank: "Gold 2",
      preferredRole: "Sentinel",
      mainAgents: ["Omen", "Sage"],
      availability: [8, 8, 8, 8, 8, 16, 16],
      region: "Europe",
      languages: ["en", "de"],
      timeZone: "Europe/Berlin",
      readySteps: ["rank", "role", "hours"],
    });
  });

  test("takes a language that it didn't guess, in addition to the chosen ones", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2", preferredRole: "Duelist" });
    const offered = selectEach((await client.get("/dashboard")).text, "#ready-language option").map(textOf);
    expect(offered).toEqual(expect.arrayContaining(["", "Turkish"]));
    expect(offered).not.toContain("English");
    await client.post(READY, { step: "hours", week: "weekdays-evening", languages: "en", otherLanguage: "tr" });
    expect(await profileOf(player)).toMatchObject({ languages: ["en", "tr"] });
  });

  test("makes the player findable by each answer, and keeps what the profile held before", async () => {
    const { player, client } = await newVisitor(app, { description: "Calm.", discordTag: "kept", region: "Korea" });
    await client.post(READY, { step: "rank", currentRank: "Gold 2" });
    await client.post(READY, { step: "role", preferredRole: "Sentinel", mainAgents: "Sage" });
    const rows = await app.db.select().from(playerFacets).where(eq(playerFacets.userId, player.id));
    expect(rows.map(({ facet }) => facet).sort()).toEqual([
      "agent:Sage",
      "all",
      "peer:::10",
      "peer:Korea::10",
      "region:Korea",
      "role:Sentinel",
    ]);
    expect(await profileOf(player)).toMatchObject({ description: "Calm.", discordTag: "kept", region: "Korea" });
  });

  test("is gone once every step is skipped, and the profile's form still has the fields of all three", async () => {
    const { player, client } = await newVisitor(app);
    for (const step of ["rank", "role", "hours"]) {
      expect((await client.post(READY, { step, intent: "skip" })).location).toBe(BACK);
    }
    expect((await strip(client)).length).toBe(0);
    expect((await strip(await signIn(app.client(), player.email))).length).toBe(0);
    expect(await profileOf(player)).toMatchObject({ currentRank: null, preferredRole: null, availability: null });
    expect((await client.get(READY)).location).toBe("/dashboard");
    const profile = await client.get("/dashboard/profile");
    for (const name of ["currentRank", "preferredRole", "availability"]) {
      expect(profile.text, name).toContain(`name="${name}"`);
    }
  });

  test("doesn't come back when an answered step is cleared later", async () => {
    const { client } = await newVisitor(app);
    await client.post(READY, { step: "rank", currentRank: "Gold 2" });
    await client.post(READY, { step: "role", intent: "skip" });
    await client.post(READY, { step: "hours", intent: "skip" });
    await client.post("/dashboard/profile", { description: "Cleared the rank." });
    expect((await strip(client)).length).toBe(0);
  });

  test("isn't shown to players whose profile has it all", async () => {
    const availability = [8, 0, 0, 0, 0, 0, 0];
    const { client } = await newVisitor(app, { currentRank: "Gold 2", preferredRole: "Duelist", availability });
    expect((await strip(client)).length).toBe(0);
  });

  test("leads back to the list below it, filters included, and to no other site", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get("/dashboard?role=Duelist");
    const returnTo = select(page.text, "section.ready input[name=returnTo]").attr("value");
    expect(returnTo).toBe("/dashboard?role=Duelist");
    const answer = { step: "rank", currentRank: "Gold 2" };
    const answered = await client.post(READY, { ...answer, returnTo });
    expect(answered.headers.get("Location")).toBe("/dashboard?role=Duelist#get-ready");
    expect((await client.post(READY, { ...answer, returnTo: "//evil.example" })).location).toBe(BACK);
  });
});

test("Best matches begin with the rank, and change with each answer", async () => {
  const { client } = await newVisitor(app);
  const best = async () => textOf(select((await client.get("/dashboard")).text, "section[aria-labelledby=best]"));
  const seen = [await best()];
  await client.post(READY, { step: "rank", currentRank: "Platinum 2" });
  seen.push(await best());
  await client.post(READY, { step: "role", preferredRole: "Controller" });
  seen.push(await best());
  await client.post(READY, { step: "hours", week: "weekdays-evening", region: "Europe", languages: "en" });
  seen.push(await best());
  expect(seen[0]).toBe("");
  expect(seen[1]).toContain("Best matches");
  expect(new Set(seen).size).toBe(4);
  expect(seen[3]).toContain("Sorted for Platinum 2, Controller, Europe, your hours");
});

describe("the guesses", () => {
  test("come from the browser's languages and zone, and the hours are the usual evenings", async () => {
    const { client } = await newVisitor(app, { currentRank: "Gold 2", preferredRole: "Duelist" });
    client.cookies.set("lineup_zone", "Asia/Seoul");
    const page = (await client.get("/dashboard", { "Accept-Language": "ko-KR,ko;q=0.9" })).text;
    expect(ticked(page, "week")).toEqual(["weekdays-evening", "weekends-evening"]);
    expect(ticked(page, "languages")).toEqual(["ko"]);
    expect(texts(page, ".ready-languages label")).toEqual(["Korean", "English"]);
    expect(select(page, "#ready-region option[selected]").text()).toBe("Korea");
    expect(select(page, ".ready input[name=timeZone]").attr("value")).toBe("Asia/Seoul");
  });

  test("include a list of time zones, with the IP address's chosen, if profile and browser name none", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2", preferredRole: "Duelist" });
    const page = await getIn(client, "/dashboard", "Asia/Seoul");
    expect(select(page, "#ready-zone option[selected]").attr("value")).toBe("Asia/Seoul");
    expect(select(page, "#ready-region option[selected]").text()).toBe("Korea");
    expect(selectEach(page, "input[type=hidden][name=timeZone]")).toEqual([]);
    expect((await client.post(READY, findForm(page, "Save").values)).location).toBe(BACK);
    expect(await profileOf(player)).toMatchObject({ timeZone: "Asia/Seoul", availability: [8, 8, 8, 8, 8, 8, 8] });
  });

  test("give way to what the profile says", async () => {
    const { client } = await newVisitor(app, {
      currentRank: "Gold 2",
      preferredRole: "Duelist",
      region: "Brazil",
      languages: ["pt"],
      timeZone: "America/Sao_Paulo",
    });
    client.cookies.set("lineup_zone", "Asia/Seoul");
    const page = (await client.get("/dashboard", { "Accept-Language": "ko-KR" })).text;
    expect(ticked(page, "languages")).toEqual(["pt"]);
    expect(select(page, "#ready-region option[selected]").text()).toBe("Brazil");
    expect(select(page, ".ready input[name=timeZone]").attr("value")).toBe("America/Sao_Paulo");
  });
});

describe("a refused answer", () => {
  test.each([
    ["no rank", { step: "rank" }, "Choose a rank, or skip."],
    ["no role", { step: "role", mainAgents: "Sage" }, "Choose a role, or skip."],
    [
      "four agents",
      { step: "role", preferredRole: "Duelist", mainAgents: ["Sage", "Omen", "Jett", "Sova"] },
      "Three is the most. Take one off to choose another.",
    ],
    ["no hours", { step: "hours", region: "Europe" }, "Choose when you play, or skip."],
  ])("(%s) says so on a page of its own, and saves nothing", async (_, fields, error) => {
    const known = {
      rank: {},
      role: { currentRank: "Gold 2" as const },
      hours: { readySteps: ["rank", "role"] as const },
    };
    const before = known[fields.step as keyof typeof known];
    const { player, client } = await newVisitor(app, before as Parameters<typeof newVisitor>[1]);
    const answer = await client.post(READY, fields);
    expect(answer.status).toBe(400);
    expect(main(answer.text)).toContain(error);
    expect(await profileOf(player)).toMatchObject({ preferredRole: null, availability: null, region: null });
  });

  test("keeps the choices, and the filters of the list below the strip", async () => {
    const { client } = await newVisitor(app, { currentRank: "Gold 2" });
    const agents = ["Jett", "Omen", "Sage", "Sova"];
    const returnTo = "/dashboard?role=Duelist";
    const answer = await client.post(READY, { step: "role", preferredRole: "Duelist", mainAgents: agents, returnTo });
    expect(ticked(answer.text, "mainAgents").sort()).toEqual(agents);
    expect(ticked(answer.text, "preferredRole")).toEqual(["Duelist"]);
    const lists = selectEach(answer.text, ".ready input[name=returnTo]").map((input) => input.attr("value"));
    expect(new Set(lists)).toEqual(new Set([returnTo]));
  });

  test("gets a 404 if its step doesn't exist", async () => {
    const { client } = await newVisitor(app);
    expect((await client.post(READY, { step: "name", currentRank: "Gold 2" })).status).toBe(404);
  });
});

describe("a strip that was opened before another save", () => {
  /** The fields of the current step's form, without its button. */
  const stepOn = async (client: Client) => findForm((await client.get("/dashboard")).text, "Save").values;

  test("saves nothing for a step that has its answer by now, and leads on to the list", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2", preferredRole: "Duelist" });
    const opened = await stepOn(client);
    expect(opened).toMatchObject({ step: ["hours"], week: ["weekdays-evening", "weekends-evening"] });
    const own = {
      currentRank: "Gold 2",
      preferredRole: "Sentinel",
      region: "Korea",
      languages: ["ko", "tr"],
      timeZone: "Asia/Seoul",
      availability: "monday-morning",
    };
    expect((await client.post("/dashboard/profile", own)).status).toBe(303);
    const before = await profileOf(player);
    for (const stale of [
      opened,
      { ...opened, intent: "skip" },
      { step: "role", preferredRole: "Duelist", mainAgents: "Jett" },
    ]) {
      const answer = await client.post(READY, stale);
      expect([answer.status, answer.location]).toEqual([303, BACK]);
    }
    expect(await profileOf(player)).toEqual(before);
    expect(before).toMatchObject({ region: "Korea", availability: [1, 0, 0, 0, 0, 0, 0] });
  });

  test("is refused for a step without an answer; sent again, it is saved", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2" });
    const opened = await stepOn(client);
    expect((await client.post("/dashboard/profile", { currentRank: "Gold 2", mainAgents: "Sage" })).status).toBe(303);
    const refused = await client.post(READY, { ...opened, preferredRole: "Duelist", mainAgents: "Jett" });
    expect(refused.status).toBe(409);
    expect(main(refused.text)).toContain("Your profile has changed elsewhere.");
    expect(await profileOf(player)).toMatchObject({ preferredRole: null, mainAgents: ["Sage"] });
    expect((await client.post(READY, findForm(refused.text, "Save").values)).status).toBe(303);
    expect(await profileOf(player)).toMatchObject({ preferredRole: "Duelist", mainAgents: ["Jett"] });
  });

  test("is saved when it is sent again, even if the other save came during the refused one", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2" });
    const opened = await stepOn(client);
    // The other save comes after the profile was read.
    await app.db.run(
      sql.raw(`CREATE TRIGGER other_save BEFORE UPDATE OF preferred_role ON profiles WHEN NEW.user_id = '${player.id}'
        BEGIN
          UPDATE profiles SET updated_at = OLD.updated_at + 1 WHERE user_id = OLD.user_id;
          SELECT RAISE(IGNORE);
        END`),
    );
    const refused = await client.post(READY, { ...opened, preferredRole: "Duelist" });
    await app.db.run(sql`DROP TRIGGER other_save`);
    expect(refused.status).toBe(409);
    expect(await profileOf(player)).toMatchObject({ preferredRole: null });
    expect((await client.post(READY, findForm(refused.text, "Save").values)).status).toBe(303);
    expect(await profileOf(player)).toMatchObject({ preferredRole: "Duelist" });
  });

  test("can still skip a step", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2" });
    const opened = findForm((await client.get("/dashboard")).text, "Skip").values;
    await client.post("/dashboard/profile", { currentRank: "Gold 2", mainAgents: "Sage" });
    expect((await client.post(READY, opened)).status).toBe(303);
    expect(await profileOf(player)).toMatchObject({ mainAgents: ["Sage"], readySteps: ["role"] });
  });
});

test("Of two simultaneous answers, at least one is saved, and one that isn't saved is refused", async () => {
  const { player, client } = await newVisitor(app);
  const answers = await Promise.all([
    client.post(READY, { step: "rank", currentRank: "Gold 2" }),
    client.post(READY, { step: "role", preferredRole: "Duelist" }),
  ]);
  const saved = await profileOf(player);
  const isSaved = [saved?.currentRank === "Gold 2", saved?.preferredRole === "Duelist"];
  expect(answers.map(({ status }) => status === 303)).toEqual(isSaved);
  expect(isSaved).toContain(true);
  expect(selectEach((await client.get("/dashboard")).text, "section.ready").length).toBe(1);
});
