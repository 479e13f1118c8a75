import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { hashesOf } from "../../app/features/moderation/shared/upheld.server";
import { uuidv7 } from "../../db/ids";
import { moderationLog, profiles, reportCases, upheldSuspensions, users } from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { standInPuuid } from "../../scripts/local/stand-in-puuid";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { announcements, textOf } from "../support/html";
import { completeOAuth, newDiscordUser, newRiotUser } from "../support/oauth";
import { recordsIn } from "../support/records";
import { startWatchedDatabase } from "../support/watched-database";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, DAY, MINUTE, newAddress, newEmail, newVisitor, type Player, unique } from "./players";

const PASSWORD = "four smokes and a wall";
const STEP_1 = "/auth?tab=sign-up";
const STEP_2 = "/auth?tab=sign-up&step=2";
const REFUSED = "can't be used here right now. Don't know why? Write to us.";

const NEW_KEY = "another-key-that-replaces-the-one-before-it";

const { appOptions } = await startWatchedDatabase();
const open = useApp(appOptions);
const withKeys = (keys: string) =>
  useApp({ ...appOptions, bindings: { ...appOptions.bindings, ENCRYPTION_KEY: keys } });
/** The same site while its key is being replaced, and afterwards. */
const during = withKeys(`${NEW_KEY},${LOCAL_SECRET}`);
const after = withKeys(NEW_KEY);
const { newCase, decideCase, loggedOf } = casesIn(open);
type Case = Awaited<ReturnType<typeof newCase>>;
const confirming = useApp({ confirmEmail: true });

type App = typeof open;

/** Suspends an account whose deletion is due, and lets the cron erase it. */
async function eraseSuspended(app: App, player: Player, suspendedUntil: Date | null = null): Promise<void> {
  const past = new Date(Date.now() - MINUTE);
  await app.db
    .update(users)
    .set({ suspendedAt: past, suspendedUntil, deletionDueAt: past })
    .where(eq(users.id, player.id));
  await app.runScheduled();
  expect(await recordsIn(app).accountOf(player)).toBeUndefined();
}

/** A player with a verified Riot account, which nobody has proven by Riot Sign-On. */
async function newVerified(app: App) {
  const gameName = unique("Evader ");
  const puuid = standInPuuid(gameName, "EUW");
  const profile = { riotGameName: gameName, riotId: `${gameName}#EUW`, riotPuuid: puuid, riotVerifiedAt: new Date() };
  return { player: await addPlayer(app, profile), gameName, puuid };
}

/** Goes through the sign-up with a password. */
async function signUp(app: App, email: string, gameName: string): Promise<{ client: Client; answer: HttpResponse }> {
  const client = app.client();
  const address = newAddress();
  await client.post(STEP_1, { intent: "next", email, password: PASSWORD }, address);
  const riot = { gameName, tagLine: "EUW", region: "europe" };
  await client.post(STEP_2, { intent: "verify", ...riot }, address);
  return { client, answer: await client.post(STEP_2, { intent: "complete", ...riot }, address) };
}

const said = async (client: Client, answer: HttpResponse) =>
  announcements((await client.follow(answer)).text).join(" ");

const kept = (app: App) => app.db.select().from(upheldSuspensions);

describe("an account that is erased during its suspension", () => {
  test("leaves only hashes of address and Riot account, and nothing that could be read", async () => {
    const { player, puuid } = await newVerified(open);
    const before = (await kept(open)).length;
    const until = new Date(Date.now() + DAY);
    await eraseSuspended(open, player, until);
    const rows = (await kept(open)).slice(before - (await kept(open)).length);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), until, decisionId: null });
    }
    const stored = JSON.stringify(rows);
    for (const secret of [player.email, puuid, player.id]) expect(stored).not.toContain(secret);
  });

  test("leaves hashes that keep nobody out without the key that made them", async () => {
    const { player, gameName } = await newVerified(open);
    await eraseSuspended(open, player);
    for (const [email, name] of [
      [player.email, unique("Fresh ")],
      [newEmail(), gameName],
    ] as const) {
      expect((await signUp(during, email, name)).answer.location, email).toBe(STEP_1);
      expect((await signUp(after, email, name)).answer.location, email).toBe("/dashboard");
    }
  });

  test("leaves nothing if it isn't suspended, or is no longer suspended", async () => {
    const before = await kept(open);
    const past = new Date(Date.now() - MINUTE);
    const free = await addPlayer(open);
    await open.db.update(users).set({ deletionDueAt: past }).where(eq(users.id, free.id));
    const over = await addPlayer(open);
    await open.db
      .update(users)
      .set({ suspendedAt: past, suspendedUntil: new Date(Date.now() - 1), deletionDueAt: past })
      .where(eq(users.id, over.id));
    await open.runScheduled();
    expect(await recordsIn(open).accountOf(free)).toBeUndefined();
    expect(await kept(open)).toEqual(before);
  });

  test("keeps its address and Riot account from a sign-up; the refusal says little and links to /contact", async () => {
    const { player, gameName } = await newVerified(open);
    await eraseSuspended(open, player);
    for (const [email, name] of [
      [player.email, unique("Fresh ")],
      [newEmail(), gameName],
    ] as const) {
      const { client, answer } = await signUp(open, email, name);
      expect(answer.location, email).toBe(STEP_1);
      const words = await said(client, answer);
      expect(words).toContain(REFUSED);
      expect(words).not.toMatch(/suspen|ban/i);
      expect(client.cookies.has("lineup_session")).toBe(false);
      expect(await recordsIn(open).accountOf({ email })).toBeUndefined();
    }
  });

  test("keeps its address from a sign-up that must be confirmed, and only the email says so", async () => {
    const { player } = await newVerified(confirming);
    await eraseSuspended(confirming, player);
    const fresh = await signUp(confirming, newEmail(), unique("Fresh "));
    const { client, answer } = await signUp(confirming, player.email, unique("Fresh "));
    expect([answer.status, answer.location]).toEqual([fresh.answer.status, fresh.answer.location]);
    expect(await said(client, answer)).toBe(await said(fresh.client, fresh.answer));
    expect(await recordsIn(confirming).accountOf(player)).toBeUndefined();
    const email = await confirming.readEmail(player.email);
    expect(email.subject).toBe("Your Lineup account wasn't created");
    expect(email.link).toBe("/contact");
    expect(email.code).toBeUndefined();
  });

  test("keeps its address from another account's change of email", async () => {
    const { player } = await newVerified(open);
    await eraseSuspended(open, player);
    const other = await newVisitor(open);
    const page = "/dashboard/settings/email";
    expect((await other.client.submit(page, "Change Email", { email: player.email })).location).toBe(`${page}?step=2`);
    const { code } = await open.readEmail(player.email);
    const refused = await other.client.submit(`${page}?step=2`, "Change Email", { code });
    expect(refused.status).toBe(403);
    expect(textOf(refused.text)).toContain(REFUSED);
    expect((await recordsIn(open).accountOf(other.player))?.email).toBe(other.player.email);
    expect(await recordsIn(open).auditLinesOf(other.player)).toEqual([]);
  });

  test("keeps its Riot account from other profiles, through the form and through the API", async () => {
    const { player, gameName } = await newVerified(open);
    await eraseSuspended(open, player);
    const { player: other, client } = await newVisitor(open);
    const riot = { gameName, tagLine: "EUW", region: "europe" };
    const refused = await client.post("/dashboard/profile", { intent: "verify", ...riot });
    expect(refused.status).toBe(403);
    expect(textOf(refused.text)).toContain(REFUSED);
    const token = client.cookies.get("lineup_session");
    const asked = await client.postJson("/riot-api/verify-account", riot, { Authorization: `Bearer ${token}` });
    expect([asked.status, JSON.parse(asked.text).error]).toEqual([403, expect.stringContaining(REFUSED)]);
    expect((await recordsIn(open).profileOf(other)).riotPuuid).toBeNull();
  });

  test("keeps its Riot account from a profile that updates its Riot ID after its own claim has lapsed", async () => {
    const { player, gameName, puuid } = await newVerified(open);
    await eraseSuspended(open, player);
    const { client } = await newVisitor(open, {
      emailConfirmedAt: null,
      riotGameName: gameName,
      riotId: `${gameName}#EUW`,
      riotPuuid: puuid,
      riotVerifiedAt: new Date(),
      riotClaimLapsesAt: new Date(Date.now() - MINUTE),
    });
    // Riot's stand-in finds an account by its PUUID only once the account has been looked up by name.
    await open.client().postJson("/riot-api/verify-account", { gameName, tagLine: "EUW", region: "europe" });
    const refused = await client.post("/dashboard/profile", { intent: "update-riot-id" });
    expect(refused.status).toBe(403);
    expect(textOf(refused.text)).toContain(REFUSED);
    expect(textOf(refused.text)).not.toContain("Confirm it");
  });

  test("keeps an address from a sign-up with Discord, and a proven Riot account from Riot Sign-On", async () => {
    const discord = newDiscordUser(open);
    await eraseSuspended(open, await addPlayer(open, { email: discord.email }));
    const client = open.client();
    await completeOAuth(client, "discord", discord.key);
    const riot = { gameName: unique("Fresh "), tagLine: "EUW", region: "europe" };
    await client.post(STEP_2, { intent: "verify", ...riot });
    const answer = await client.post(STEP_2, { intent: "complete", ...riot });
    expect(await said(client, answer)).toContain(REFUSED);

    const owner = newRiotUser(open);
    const proven = await newVisitor(open);
    await completeOAuth(proven.client, "riot", owner.key, "link");
    await eraseSuspended(open, proven.player);
    const other = await newVisitor(open);
    const linked = await completeOAuth(other.client, "riot", owner.key, "link");
    expect(await said(other.client, linked)).toContain("can't be linked here at the moment.");
    expect((await recordsIn(open).profileOf(other.player)).riotPuuid).toBeNull();
  });

  test("doesn't keep an address that it had never confirmed: the address's owner can sign up", async () => {
    const stranger = await addPlayer(open, { emailConfirmedAt: null });
    const before = (await kept(open)).length;
    await eraseSuspended(open, stranger);
    expect(await kept(open)).toHaveLength(before);
    expect((await signUp(open, stranger.email, unique("Owner "))).answer.location).toBe("/dashboard");
  });

  test("doesn't keep a Riot account that it had only looked up from an owner who proves it", async () => {
    const owner = newRiotUser(open);
    const claim = { riotPuuid: owner.puuid, riotGameName: owner.gameName, riotVerifiedAt: new Date() };
    await eraseSuspended(open, await addPlayer(open, claim));
    const { player, client } = await newVisitor(open);
    await completeOAuth(client, "riot", owner.key, "link");
    expect((await recordsIn(open).profileOf(player)).riotPuuid).toBe(owner.puuid);
  });

  test("doesn't keep it from a sign-up of that owner either, whose address must be confirmed first", async () => {
    const owner = newRiotUser(confirming);
    const claim = { riotPuuid: owner.puuid, riotGameName: owner.gameName, riotVerifiedAt: new Date() };
    await eraseSuspended(confirming, await addPlayer(confirming, claim));
    const client = confirming.client();
    await completeOAuth(client, "riot", owner.key);
    const email = newEmail();
    await client.post(STEP_1, { intent: "next", email, password: PASSWORD });
    const riot = { gameName: owner.gameName, tagLine: owner.tagLine, region: "americas" };
    await client.post(STEP_2, { intent: "complete", ...riot });
    const { subject, code } = await confirming.readEmail(email);
    expect(subject).toBe("Confirm your email address for Lineup");
    expect((await client.submit("/auth/confirm", "Confirm", { code: code as string })).location).toBe("/dashboard");
    await completeOAuth(client, "riot", owner.key, "link");
    expect((await recordsIn(confirming).profileOf({ email })).riotPuuid).toBe(owner.puuid);
  });

  test("keeps nothing from the player's next account after the suspension; the cron deletes the hashes", async () => {
    const { player, gameName } = await newVerified(open);
    await eraseSuspended(open, player, new Date(Date.now() + DAY));
    await open.db.update(upheldSuspensions).set({ until: new Date(Date.now() - 1) });
    expect((await signUp(open, player.email, gameName)).answer.location).toBe("/dashboard");
    const [profile] = await open.db.select().from(profiles).where(eq(profiles.riotGameName, gameName));
    expect(profile?.riotVerifiedAt).toBeInstanceOf(Date);
    await open.runScheduled();
    expect(await kept(open)).toEqual([]);
  });

  describe("can be let in again", () => {
    const admin = (...words: string[]) =>
      runAdmin(open, words, { ENCRYPTION_KEY: LOCAL_SECRET, LINEUP_OPERATOR: "Kim" });

    /** A player who was banned by decisions, and erased. */
    async function newBanned(...actions: ("suspend" | "ban")[]) {
      const verified = await newVerified(open);
      const cases = [];
      for (const action of actions) {
        const theCase = await newCase(verified.player, { kind: "message", subjectId: uuidv7() });
        await decideCase(theCase, { action });
        cases.push(theCase);
      }
      const past = new Date(Date.now() - MINUTE);
      await open.db.update(users).set({ deletionDueAt: past }).where(eq(users.id, verified.player.id));
      await open.runScheduled();
      return { ...verified, cases };
    }
    const signsUp = async (email: string, gameName: string) =>
      (await signUp(open, email, gameName)).answer.location === "/dashboard";

    test("by Undo on the case's page, which frees all that the account had", async () => {
      const { player, gameName, cases } = await newBanned("ban");
      expect(await signsUp(player.email, unique("Fresh "))).toBe(false);
      const { client } = await newModerator(open);
      const page = `/moderation/cases/${cases[0]?.id}/undo`;
      expect((await client.submit(page, "Undo", { reason: "A mistake" })).status).toBe(303);
      expect(await signsUp(player.email, gameName)).toBe(true);
    });

    test("by its address at the command line, which undoes all decisions behind it", async () => {
      const { player, gameName, cases } = await newBanned("suspend", "ban");
      const lifted = await admin("lift", player.email.toUpperCase(), "--reason", "A mistake");
      expect([lifted.code, lifted.out]).toEqual([
        ...[0, "The decision is undone: a new account can use everything that the erased one had.\n"],
      ]);
      for (const [index, action] of ["suspend", "ban"].entries()) {
        expect(await loggedOf(`${cases[index]?.id}`)).toContain("operator Kim: undo");
        expect(await loggedOf(`${cases[index]?.id}`), action).toHaveLength(2);
      }
      expect(await signsUp(player.email, gameName)).toBe(true);
    });

    test("by address and PUUID, one by one, if no decision was behind it", async () => {
      const { player, gameName } = await newVerified(open);
      await eraseSuspended(open, player);
      for (const trace of [player.email, standInPuuid(gameName, "EUW")]) {
        const lifted = await admin("lift", trace, "--reason", "A mistake");
        expect([lifted.code, lifted.out], trace).toEqual([
          0,
          expect.stringContaining("lift the account's other traces"),
        ]);
        const again = await admin("lift", trace, "--reason", "A mistake");
        expect([again.code, again.err]).toEqual([1, expect.stringContaining(`suspension is on record for ${trace}.`)]);
      }
      const entries = await open.db.select().from(moderationLog).where(eq(moderationLog.action, "suspension-lifted"));
      expect(entries).toMatchObject([{ actor: "operator Kim" }, { actor: "operator Kim" }]);
      expect(JSON.stringify(entries)).not.toContain(player.email);
      expect(await signsUp(player.email, gameName)).toBe(true);
    });

    test("by a PUUID that two accounts have left, of which one has no decision", async () => {
      const { gameName, puuid, cases } = await newBanned("ban");
      const [hash = ""] = hashesOf([LOCAL_SECRET], { "proven-puuid": puuid });
      await open.db.insert(upheldSuspensions).values({ hash, createdAt: new Date() });
      const lifted = await admin("lift", puuid, "--reason", "A mistake");
      expect([lifted.code, lifted.out]).toEqual([0, expect.stringContaining("The decision is undone")]);
      expect(await loggedOf(`${cases[0]?.id}`)).toContain("operator Kim: undo");
      expect(await signsUp(newEmail(), gameName)).toBe(true);
    });

    test("only with a trace, a reason and a key", async () => {
      for (const [words, said] of [
        [["lift"], "Which trace?"],
        [["lift", "x@lineup.test"], "lift needs --reason."],
      ] as const) {
        const { code, err } = await admin(...words);
        expect([code, err], words.join(" ")).toEqual([2, expect.stringContaining(said)]);
      }
      const keyless = await runAdmin(open, ["lift", "x@lineup.test", "--reason", "x"], { ENCRYPTION_KEY: "" });
      expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining("Set ENCRYPTION_KEY")]);
    });

    test("only when all decisions behind it are undone", async () => {
      const { player, cases } = await newBanned("suspend", "ban");
      await decideCase(cases[1] as Case, { action: "undo", rule: null });
      expect(await signsUp(player.email, unique("Fresh "))).toBe(false);
      await decideCase(cases[0] as Case, { action: "undo", rule: null });
      expect(await signsUp(player.email, unique("Fresh "))).toBe(true);
    });
  });

  test("leaves its cases with their snapshots, for 90 days after they were closed", async () => {
    const { player } = await newVerified(open);
    const createdAt = new Date();
    const closed = (days: number) => ({
      id: uuidv7(),
      kind: "post" as const,
      subjectId: uuidv7(),
      playerId: player.id,
      state: "closed" as const,
      snapshot: { author: "Evader", title: "Accounts for sale" },
      createdAt,
      updatedAt: createdAt,
      closedAt: new Date(Date.now() - days * DAY),
    });
    const [recent, old] = [closed(89), closed(91)];
    await open.db.insert(reportCases).values([recent, old]);
    await eraseSuspended(open, player);
    await open.runScheduled();
    const left = await open.db.select().from(reportCases).where(eq(reportCases.playerId, player.id));
    expect(left.map(({ id, snapshot }) => ({ id, snapshot }))).toEqual([{ id: recent.id, snapshot: recent.snapshot }]);
  });
});
