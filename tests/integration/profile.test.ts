import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lfgPosts, playerFacets, profiles, users } from "../../db/schema";
import { useApp } from "../support/app";
import { type Client, signIn } from "../support/client";
import { announcements, field, findForm, links, select, textOf, ticked } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { addPost, newVisitor, unique } from "./players";

const app = useApp({ world: "demo" });
const { profileOf } = recordsIn(app);
const PROFILE = "/dashboard/profile";

const ALL = {
  currentRank: "Platinum 2",
  mainAgents: ["Clove", "Omen", "Killjoy"],
  riotId: "miravel#EUNE",
  discordTag: "miravel.plays",
  preferredRole: "Controller",
  region: "Europe",
  playTimes: "Weekdays 19:00 to 23:00 CET",
  voiceCommsPreference: "preferred",
  personalityTags: "calm, Early caller, no tilt",
  description: "Smokes first, aim second.",
  timeZone: "Europe/Berlin",
  availability: ["monday-evening", "sunday-night"],
  languages: ["en", "de"],
  shares: ["description", "languages"],
  isListed: "on",
};

async function facetsOf(id: string) {
  const rows = await app.db.select().from(playerFacets).where(eq(playerFacets.userId, id));
  return rows.map(({ facet }) => facet).sort();
}

describe("saving a profile", () => {
  test("stores the whole profile in one transaction, confirms that, and shows the profile again", async () => {
    const { player, client } = await newVisitor(app);
    const answer = await client.post(PROFILE, ALL);
    expect([answer.status, answer.location]).toEqual([303, PROFILE]);
    expect(roundTrips(answer)).toBe(2);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toEqual(["Profile updated! Your profile has been saved successfully."]);
    expect(await profileOf(player)).toMatchObject({
      ...ALL,
      mainAgents: ["Clove", "Omen", "Killjoy"],
      personalityTags: ["calm", "Early caller", "no tilt"],
      availability: [8, 0, 0, 0, 0, 0, 16],
      isListed: true,
      riotVerifiedAt: null,
    });
    for (const name of ["riotId", "discordTag", "preferredRole", "region", "playTimes", "description", "timeZone"]) {
      expect(field(page.text, name).value, name).toBe(ALL[name as keyof typeof ALL]);
    }
    expect(field(page.text, "personalityTags").value).toBe("calm, Early caller, no tilt");
    expect(ticked(page.text, "currentRank")).toEqual(["Platinum 2"]);
    expect(ticked(page.text, "mainAgents").sort()).toEqual(["Clove", "Killjoy", "Omen"]);
    expect(ticked(page.text, "availability")).toEqual(ALL.availability);
    expect(ticked(page.text, "languages")).toEqual(["en", "de"]);
    expect(ticked(page.text, "shares")).toEqual(["description", "languages"]);
  });

  test("updates the facets by which the directory finds a player", async () => {
    const { player, client } = await newVisitor(app, { riotPuuid: unique("puuid"), riotVerifiedAt: new Date() });
    await client.post(PROFILE, ALL);
    expect(await facetsOf(player.id)).toEqual([
      "agent:Clove",
      "agent:Killjoy",
      "agent:Omen",
      "all",
      "language:de",
      "language:en",
      "peer:::13",
      "peer::de:13",
      "peer::en:13",
      "peer:Europe::13",
      "peer:Europe:de:13",
      "peer:Europe:en:13",
      "region:Europe",
      "role:Controller",
      "tag:calm",
      "tag:early caller",
      "tag:no tilt",
      "verified",
      "voice:preferred",
    ]);
    await client.post(PROFILE, { isListed: "on", region: "Korea" });
    expect(await facetsOf(player.id)).toEqual(["all", "region:Korea", "verified"]);
    await client.post(PROFILE, { region: "Korea" });
    expect(await facetsOf(player.id)).toEqual([]);
  });

  test("updates the voice preference of open posts, but not of closed ones", async () => {
    const { player, client } = await newVisitor(app);
    const open = await addPost(app, player.id, { voiceComms: "none" });
    const closed = await addPost(app, player.id, { voiceComms: "none", isActive: false });
    await client.post(PROFILE, { voiceCommsPreference: "required" });
    const voices = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    expect(Object.fromEntries(voices.map(({ id, voiceComms }) => [id, voiceComms]))).toEqual({
      [open]: "required",
      [closed]: "none",
    });
  });

  test("leaves a verified Riot ID as it is, whatever is sent", async () => {
    const verified = { riotId: "Found#EUW", riotGameName: "Found", riotTagLine: "EUW" };
    const account = { ...verified, riotPuuid: unique("puuid"), riotVerifiedAt: new Date() };
    const { player, client } = await newVisitor(app, account);
    expect(select((await client.get(PROFILE)).text, "input[name=riotId]").is("[readonly]")).toBe(true);
    expect((await client.post(PROFILE, { riotId: "Someone#ELSE" })).status).toBe(303);
    expect(await profileOf(player)).toMatchObject(verified);
  });

  test("with a new unverified Riot ID resets the game name, and with a new Discord tag, its verification", async () => {
    const typed = { riotId: "Old#EUW", riotGameName: "Old", riotTagLine: "EUW" };
    const { player, client } = await newVisitor(app, { ...typed, discordTag: "old", discordVerifiedAt: new Date() });
    await client.post(PROFILE, { riotId: "Old#EUW", discordTag: "old" });
    expect(await profileOf(player)).toMatchObject(typed);
    expect((await profileOf(player)).discordVerifiedAt).not.toBeNull();
    await client.post(PROFILE, { riotId: "New#EUW", discordTag: "new" });
    expect(await profileOf(player)).toMatchObject({ riotId: "New#EUW", riotGameName: null, riotTagLine: null });
    expect((await profileOf(player)).discordVerifiedAt).toBeNull();
  });

  test.each([
    [
      "a fourth agent",
      { mainAgents: ["Jett", "Omen", "Sage", "Sova"] },
      "Three is the most. Take one off to choose another.",
    ],
    ["an unknown agent", { mainAgents: ["Nobody"] }, "Choose agents from the list."],
    ["an unknown rank", { currentRank: "Wood 5" }, "Choose a rank from the list."],
    [
      "10 000 characters",
      { description: "x".repeat(10_000) },
      "This description is 9,500 characters too long. The limit is 500.",
    ],
    ["six tags", { personalityTags: "a, b, c, d, e, f" }, "Use up to 5 tags."],
  ])("refuses %s, keeps the entered values, and stores nothing", async (_, bad, error) => {
    const { player, client } = await newVisitor(app, { description: "Before" });
    const answer = await client.post(PROFILE, { ...ALL, ...bad });
    expect(answer.status).toBe(400);
    expect(announcements(answer.text)).toContain(`Error updating profile ${error}`);
    expect(textOf(answer.text)).toContain(error);
    const entered = { ...ALL, ...bad };
    for (const name of ["discordTag", "playTimes", "personalityTags", "description", "region"] as const) {
      expect(field(answer.text, name).value, name).toBe(entered[name]);
    }
    const known = entered.mainAgents.filter((agent) => agent !== "Nobody");
    expect(ticked(answer.text, "mainAgents").sort()).toEqual([...known].sort());
    expect(ticked(answer.text, "availability")).toEqual(ALL.availability);
    expect(ticked(answer.text, "shares")).toEqual(ALL.shares);
    expect(await profileOf(player)).toMatchObject({ description: "Before", currentRank: null, mainAgents: null });
    expect(await facetsOf(player.id)).toEqual([]);
  });

  test("Clear All unticks the agents without JavaScript, keeps the rest, and stores nothing yet", async () => {
    const { player, client } = await newVisitor(app, { mainAgents: ["Jett"] });
    const page = await client.submit(PROFILE, "Clear All", { description: "Half written" });
    expect(page.status).toBe(200);
    expect(ticked(page.text, "mainAgents")).toEqual([]);
    expect(field(page.text, "description")).toMatchObject({ value: "Half written", invalid: false });
    expect(announcements(page.text)).toEqual(["Main agents cleared Save your profile to keep it that way."]);
    expect((await profileOf(player)).mainAgents).toEqual(["Jett"]);
    expect((await client.submit(PROFILE, "Clear All", { currentRank: "Wood 5" })).text).not.toContain("from the list");
  });

  test("Clear Rank clears only the rank without JavaScript, and saving then stores no rank", async () => {
    const { player, client } = await newVisitor(app, { currentRank: "Gold 2", mainAgents: ["Jett"] });
    const page = await client.submit(PROFILE, "Clear Rank", { description: "Half written" });
    expect([page.status, roundTrips(page)]).toEqual([200, 2]);
    expect(ticked(page.text, "currentRank")).toEqual([]);
    expect(ticked(page.text, "mainAgents")).toEqual(["Jett"]);
    expect(field(page.text, "description")).toMatchObject({ value: "Half written", invalid: false });
    expect(announcements(page.text)).toEqual(["Rank cleared Save your profile to keep it that way."]);
    expect((await profileOf(player)).currentRank).toBe("Gold 2");
    const { currentRank: _, ...others } = ALL;
    expect((await client.post(PROFILE, others)).status).toBe(303);
    expect((await profileOf(player)).currentRank).toBeNull();
  });

  test("needs a session, and keeps the typed values when it has ended", async () => {
    const answer = await app.client().post(PROFILE, ALL);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain(ALL.description);
  });

  test("begins on a page that takes one round trip", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get(PROFILE);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
  });
});

describe("a profile form that was opened before another save", () => {
  const CHANGED = "Your profile has changed elsewhere since you opened this page.";
  /** The form's fields as a page shows them, without the `intent` of the button by which the form is found. */
  const formOn = ({ text }: { text: string }) => {
    const { intent: _, ...fields } = findForm(text, "Clear All").values;
    return fields;
  };
  const openForm = async (client: Client) => formOn(await client.get(PROFILE));

  test("is refused, keeps its values and changes nothing; sent again, it replaces what was saved", async () => {
    const { player, client } = await newVisitor(app);
    const postId = await addPost(app, player.id, { voiceComms: "none" });
    const opened = await openForm(client);
    await client.post("/dashboard/ready", { step: "rank", currentRank: "Gold 2" });
    await client.post("/dashboard/ready", { step: "role", preferredRole: "Sentinel", mainAgents: "Sage" });
    const [before, facets] = [await profileOf(player), await facetsOf(player.id)];

    const typed = { riotId: "Stale#EUW", description: "Typed.", voiceCommsPreference: "required" };
    const refused = await client.post(PROFILE, { ...opened, ...typed });
    expect([refused.status, roundTrips(refused)]).toEqual([409, 3]);
    expect(announcements(refused.text).join()).toContain(`Error updating profile ${CHANGED}`);
    expect(links(refused.text)).toContainEqual({ text: "Discard my entries and see what's saved", href: PROFILE });
    for (const [name, value] of Object.entries(typed)) expect(field(refused.text, name).value, name).toBe(value);
    expect([await profileOf(player), await facetsOf(player.id)]).toEqual([before, facets]);
    expect(facets).toContain("role:Sentinel");
    const voiceOf = async () => (await app.db.select().from(lfgPosts).where(eq(lfgPosts.id, postId)))[0]?.voiceComms;
    expect(await voiceOf()).toBe("none");

    const again = await client.post(PROFILE, formOn(refused));
    expect([again.status, roundTrips(again)]).toEqual([303, 2]);
    expect(await profileOf(player)).toMatchObject({ ...typed, currentRank: null, preferredRole: null });
    expect(await facetsOf(player.id)).not.toContain("role:Sentinel");
    expect(await voiceOf()).toBe("required");
  });

  test("is also refused after a refusal for an invalid value", async () => {
    const { player, client } = await newVisitor(app);
    const opened = await openForm(client);
    await client.post("/dashboard/ready", { step: "rank", currentRank: "Gold 2" });
    const invalid = await client.post(PROFILE, { ...opened, personalityTags: "a, b, c, d, e, f" });
    expect(invalid.status).toBe(400);
    const stale = { ...formOn(invalid), personalityTags: "a, b" };
    expect((await client.post(PROFILE, stale)).status).toBe(409);
    const cleared = await client.post(PROFILE, { ...stale, intent: findForm(invalid.text, "Clear All").values.intent });
    expect([cleared.status, (await client.post(PROFILE, formOn(cleared))).status]).toEqual([200, 409]);
    expect(await profileOf(player)).toMatchObject({ currentRank: "Gold 2", personalityTags: null });
  });

  test("counts as saved if the other save was of the same form, as when a button is pressed twice", async () => {
    const { player, client } = await newVisitor(app);
    const form = { ...(await openForm(client)), ...ALL };
    const answers = await Promise.all([1, 2, 3].map(() => client.post(PROFILE, form)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await client.post(PROFILE, form)).status).toBe(303);
    expect(await profileOf(player)).toMatchObject({ description: ALL.description, currentRank: ALL.currentRank });
    expect(await facetsOf(player.id)).toContain("role:Controller");
  });

  test("loses to the other save even at the same moment, and leaves nothing of itself behind", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { player, client } = await newVisitor(app);
      const opened = await openForm(client);
      const roles = ["Duelist", "Sentinel", "Initiator"];
      const answers = await Promise.all(
        roles.map((preferredRole) => client.post(PROFILE, { ...opened, preferredRole })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
      const saved = roles[answers.findIndex(({ status }) => status === 303)];
      expect((await profileOf(player)).preferredRole).toBe(saved);
      expect((await facetsOf(player.id)).filter((facet) => facet.startsWith("role:"))).toEqual([`role:${saved}`]);
    }
  });

  test.each([["nonsense"], ["-1"], ["9".repeat(40)]])("is refused with the version “%s”", async (version) => {
    const { player, client } = await newVisitor(app);
    expect((await client.post(PROFILE, { ...ALL, version })).status).toBe(409);
    expect((await profileOf(player)).description).toBeNull();
  });

  test("is accepted once it is opened again after a save or after a Riot account was verified", async () => {
    const { player, client } = await newVisitor(app);
    const save = async (description: string) =>
      (await client.post(PROFILE, { ...(await openForm(client)), description })).status;
    expect([await save("First."), await save("Second.")]).toEqual([303, 303]);
    const riot = { gameName: unique("Fresh "), tagLine: "EUW", region: "europe" };
    expect((await client.submit(PROFILE, "Verify", riot)).status).toBe(303);
    expect(await save("Third.")).toBe(303);
    expect(await profileOf(player)).toMatchObject({ description: "Third.", riotGameName: riot.gameName });
  });
});

describe("account verification", () => {
  const account = () => ({ gameName: unique("Verify "), tagLine: "EUW", region: "europe" });

  test("shows a verified player the account and no form", async () => {
    const client = await signIn(app.client(), "player1@example.com");
    const text = textOf((await client.get(PROFILE)).text);
    expect(text).toContain("Riot account Sørina Wójcik#CALM");
    expect(text).toContain("Last sync");
    expect(text).not.toContain("Game Name");
  });

  test("says when it was verified if it was never synced", async () => {
    const { client } = await newVisitor(app, { riotPuuid: unique("puuid"), riotVerifiedAt: new Date(), riotId: "A#B" });
    const text = textOf((await client.get(PROFILE)).text);
    expect(text).toContain("Verified less than a minute ago");
    expect(text).not.toContain("Last sync");
  });

  test("finds an account at Riot and links it, and the directory follows", async () => {
    const { player, client } = await newVisitor(app);
    const asked = account();
    await client.post(PROFILE, { isListed: "on" });
    const answer = await client.submit(PROFILE, "Verify", asked);
    expect([answer.status, answer.location]).toEqual([303, PROFILE]);
    expect(roundTrips(answer)).toBe(2);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toEqual(["Riot account verified! Your account has been linked and rank synced."]);
    expect(textOf(page.text)).toContain(`Riot account ${asked.gameName}#EUW`);
    expect(await facetsOf(player.id)).toEqual(["all", "verified"]);
  });

  test("says so when another player has the account, and links nothing", async () => {
    const asked = account();
    const first = await newVisitor(app);
    const second = await newVisitor(app);
    await first.client.submit(PROFILE, "Verify", asked);
    const answer = await second.client.submit(PROFILE, "Verify", asked);
    expect(answer.status).toBe(409);
    const error =
      "Another player here has this Riot account, so you can't verify it. If it's yours, link it with Riot Sign-On. Otherwise verify another Riot account.";
    expect(field(answer.text, "gameName")).toEqual({ value: asked.gameName, invalid: true, description: error });
    expect(announcements(answer.text)).toContain(`Verification failed ${error}`);
    expect(links(answer.text)).toContainEqual({ text: "Linked Accounts", href: "/dashboard/settings/linked-accounts" });
    expect((await profileOf(second.player)).riotPuuid).toBeNull();
  });

  test("keeps the typed Riot ID when Riot does not know it", async () => {
    const { client } = await newVisitor(app);
    const answer = await client.submit(PROFILE, "Verify", { ...account(), gameName: "Missing Link" });
    expect(answer.status).toBe(404);
    expect(field(answer.text, "gameName")).toMatchObject({ value: "Missing Link", invalid: true });
    expect(field(answer.text, "tagLine").value).toBe("EUW");
    const empty = await client.post(PROFILE, { intent: "verify" });
    expect(empty.status).toBe(400);
    expect(field(empty.text, "gameName").invalid).toBe(true);
    // The other form on the page is unaffected.
    expect(field(empty.text, "description").invalid).toBe(false);
  });
});

describe("updating the Riot ID", () => {
  const BUTTON = "Update Riot ID";

  /** A player who has verified an account with this name. */
  async function newVerified(gameName = unique("Known As ")) {
    const { player, client } = await newVisitor(app);
    expect((await client.submit(PROFILE, "Verify", { gameName, tagLine: "EUW", region: "asia" })).status).toBe(303);
    const riotId = { gameName, tagLine: "EUW" };
    return { player, client, riotId, puuid: (await profileOf(player)).riotPuuid as string };
  }

  test("follows an account renamed at Riot, by its PUUID, on the server where it was found", async () => {
    const { player, client, riotId, puuid } = await newVerified();
    const renamed = { gameName: unique("Called Now "), tagLine: "NEW" };
    app.riot.rename(riotId, renamed);
    await app.db.update(profiles).set({ lastRankSync: new Date(0) });
    app.riot.requests.length = 0;
    const answer = await client.submit(PROFILE, BUTTON);
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, PROFILE, 2]);
    expect(app.riot.requests).toEqual([`/asia/riot/account/v1/accounts/by-puuid/${puuid}`]);
    const page = await client.follow(answer);
    const name = `${renamed.gameName}#NEW`;
    expect(announcements(page.text)).toContain(`Riot ID updated! Players now see you as ${name}.`);
    expect(textOf(page.text)).toContain(`Riot account ${name} Region Asia`);
    const profile = await profileOf(player);
    expect(profile).toMatchObject({ riotId: name, riotGameName: renamed.gameName, riotPuuid: puuid });
    expect(profile?.lastRankSync?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    // It is still the same account: no other player can verify it under its new name.
    const { client: other } = await newVisitor(app);
    expect((await other.submit(PROFILE, "Verify", { ...renamed, region: "asia" })).status).toBe(409);
    // The old name belongs to no account.
    expect((await other.submit(PROFILE, "Verify", { ...riotId, region: "asia" })).status).toBe(404);
  });

  test("says so when the name is the same", async () => {
    const { client, riotId } = await newVerified();
    const page = await client.follow(await client.submit(PROFILE, BUTTON));
    expect(announcements(page.text)).toContain(
      `Your Riot ID is up to date Riot still knows you as ${riotId.gameName}#EUW.`,
    );
  });

  test("is refused once the claim has lapsed, with a link to confirm the email", async () => {
    const { player, client } = await newVerified();
    await app.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, player.id));
    await app.db
      .update(profiles)
      .set({ riotClaimLapsesAt: new Date(Date.now() - 1) })
      .where(eq(profiles.userId, player.id));
    const answer = await client.submit(PROFILE, BUTTON);
    expect(answer.status).toBe(409);
    expect(announcements(answer.text)).toContain(
      "Verification failed You didn't confirm your email within 7 days. Confirm it, then verify again.",
    );
    expect(links(answer.text).map(({ text }) => text)).toContain("Confirm your email");
  });

  test.each([
    ["Missing Now", 404, "Riot can't find your account any more. Please try again later."],
    ["Limited Now", 429, "Riot is busy. Try again in a few seconds."],
    ["Broken Now", 503, "Riot isn't answering right now. Please try again in a minute."],
    ["Garbled Now", 503, "Riot isn't answering right now. Please try again in a minute."],
  ])("fails politely and changes nothing when Riot fails for the new name “%s”", async (gameName, status, error) => {
    const { player, client, riotId } = await newVerified();
    const before = await profileOf(player);
    app.riot.rename(riotId, { gameName: unique(`${gameName} `), tagLine: "EUW" });
    const answer = await client.submit(PROFILE, BUTTON);
    expect(answer.status).toBe(status);
    expect(announcements(answer.text)).toEqual([error, `Verification failed ${error}`]);
    expect(await profileOf(player)).toEqual(before);
  });

  test("is refused to unverified players and without a session, and Riot isn't asked", async () => {
    const { client } = await newVisitor(app);
    app.riot.requests.length = 0;
    expect((await client.post(PROFILE, { intent: "update-riot-id" })).status).toBe(409);
    expect((await app.client().post(PROFILE, { intent: "update-riot-id" })).status).toBe(401);
    expect(app.riot.requests).toEqual([]);
  });
});

test("A new player's profile suggests the browser's time zone, not a guess from the IP address", async () => {
  const { client } = await newVisitor(app);
  const zoneOn = async () => field((await client.get(PROFILE)).text, "timeZone").value ?? "";
  expect(await zoneOn()).toBe("");
  client.cookies.set("lineup_zone", "America%2FSao_Paulo");
  expect(await zoneOn()).toBe("America/Sao_Paulo");
});
