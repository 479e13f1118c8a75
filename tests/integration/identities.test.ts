import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { identities, NO_PASSWORD, notifications, profiles, sessions, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, textOf } from "../support/html";
import { completeOAuth, decide, newDiscordUser, newRiotUser, type Provider, start } from "../support/oauth";
import { recordsIn } from "../support/records";
import { openInbox } from "../support/socket";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, addPost, newPair, newVisitor, openSession, unique } from "./players";

const LINKED = "/dashboard/settings/linked-accounts";

const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp(appOptions);
const { auditOf, linkedOf, profileOf } = recordsIn(app);
const withoutPassword = (userId: string) =>
  app.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, userId));

async function said(client: Client, path: string | null): Promise<string> {
  return announcements((await client.get(path ?? "")).text).join(" ");
}

const link = (client: Client, site: Provider, key: string) => completeOAuth(client, site, key, "link");
const unlink = (client: Client, site: Provider) => client.post(LINKED, { unlink: site });

/** A player who has verified a Riot account by looking it up: a provisional claim. */
async function newClaimant(account: { gameName: string; tagLine: string }) {
  const one = await newVisitor(app);
  const token = one.client.cookies.get("lineup_session");
  const answer = await app
    .client()
    .postJson("/riot-api/verify-account", { ...account, region: "europe" }, { Authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  return one;
}

describe("linking Discord", () => {
  test("fills in the Discord tag as verified, logs it, and tells the player by email and in their tabs", async () => {
    const user = newDiscordUser(app);
    const { player, client } = await newVisitor(app, { discordTag: "typed.by.hand" });
    const answer = await link(client, "discord", user.key);
    expect(answer.location).toBe(LINKED);
    expect(answer.setCookie.join()).toContain("lineup_event=USER_UPDATED");
    const page = await client.get(LINKED);
    expect(announcements(page.text).join()).toContain(
      `Discord linked You can sign in with ${user.username} from now on.`,
    );
    expect(page.text).toContain(user.username);
    const profile = await profileOf(player);
    expect(profile.discordTag).toBe(user.username);
    expect(profile.discordVerifiedAt).not.toBeNull();
    expect(await auditOf(player)).toMatchObject([{ action: "identity-linked", details: { provider: "discord" } }]);
    expect((await app.readEmail(player.email)).subject).toBe("Discord is linked to your Lineup account");
  });

  test("costs two round trips", async () => {
    const user = newDiscordUser(app);
    const { client } = await newVisitor(app);
    const callback = await decide(await start(client, "discord", "link"), user.key);
    proxy.clear();
    expect((await client.get(callback)).location).toBe(LINKED);
    expect(proxy.posts).toBe(2);
  });

  test("is refused when another player has it, and leaves both players unchanged", async () => {
    const user = newDiscordUser(app);
    const [one, other] = [await newVisitor(app), await newVisitor(app)];
    await link(one.client, "discord", user.key);
    const answer = await link(other.client, "discord", user.key);
    expect(await said(other.client, answer.location)).toContain(
      `Error linking account The Discord account ${user.username} is linked to another player here.`,
    );
    expect(await linkedOf(one.player)).toHaveLength(1);
    expect(await linkedOf(other.player)).toEqual([]);
    expect((await profileOf(other.player)).discordTag).toBeNull();
    expect(await auditOf(other.player)).toEqual([]);
  });

  test("is refused while another Discord account is linked", async () => {
    const { player, client } = await newVisitor(app);
    const [one, other] = [newDiscordUser(app), newDiscordUser(app)];
    await link(client, "discord", one.key);
    const answer = await link(client, "discord", other.key);
    expect(await said(client, answer.location)).toContain("You've already linked another Discord account.");
    expect(await linkedOf(player)).toMatchObject([{ subject: one.id }]);
    expect((await profileOf(player)).discordTag).toBe(one.username);
  });

  test("a second time changes nothing and is no error", async () => {
    const user = newDiscordUser(app);
    const { player, client } = await newVisitor(app);
    await link(client, "discord", user.key);
    expect(await said(client, (await link(client, "discord", user.key)).location)).toContain("Discord linked");
    expect(await linkedOf(player)).toHaveLength(1);
    expect(await auditOf(player)).toHaveLength(1);
  });

  test("by several players at the same time succeeds for one", async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = newDiscordUser(app);
      const visitors = await Promise.all(Array.from({ length: 4 }, () => newVisitor(app)));
      const callbacks: string[] = [];
      for (const { client } of visitors) callbacks.push(await decide(await start(client, "discord", "link"), user.key));
      await Promise.all(visitors.map(({ client }, index) => client.get(callbacks[index] as string)));
      const holders = await app.db.select().from(identities).where(eq(identities.subject, user.id));
      expect(holders).toHaveLength(1);
      const tagged = await app.db.select().from(profiles).where(eq(profiles.discordTag, user.username));
      expect(tagged.map(({ userId }) => userId)).toEqual(holders.map(({ userId }) => userId));
    }
  });
});

describe("unlinking", () => {
  test("ends sign-in with it and the tag's verification, and is logged and announced", async () => {
    const user = newDiscordUser(app);
    const { player, client } = await newVisitor(app);
    await link(client, "discord", user.key);
    const answer = await client.submit(LINKED, "Unlink Discord");
    expect(answer.location).toBe(LINKED);
    expect(await said(client, LINKED)).toContain("Discord unlinked");
    expect(await linkedOf(player)).toEqual([]);
    expect(await profileOf(player)).toMatchObject({ discordTag: user.username, discordVerifiedAt: null });
    expect(await auditOf(player)).toContainEqual(
      expect.objectContaining({ action: "identity-unlinked", details: { provider: "discord" } }),
    );
    expect((await app.readEmail(player.email)).subject).toBe("Discord is no longer linked to your Lineup account");
    const visitor = app.client();
    await completeOAuth(visitor, "discord", user.key);
    expect(visitor.cookies.has("lineup_session")).toBe(false);
  });

  test("asks for the password again when the sign-in was long ago", async () => {
    const user = newDiscordUser(app);
    const { player, client } = await newVisitor(app);
    await link(client, "discord", user.key);
    const { cookie } = await openSession(app, player.id, { createdAt: new Date(Date.now() - 3_600_000) });
    client.cookies.set("lineup_session", cookie);
    expect((await unlink(client, "discord")).location).toBe(
      `/auth/reauthenticate?${new URLSearchParams({ redirectTo: LINKED })}`,
    );
    expect(await linkedOf(player)).toHaveLength(1);
  });

  test("never removes the last way to sign in: the page says why it has no button, and the server refuses", async () => {
    const user = newDiscordUser(app);
    const { player, client } = await newVisitor(app);
    await link(client, "discord", user.key);
    await withoutPassword(player.id);
    const page = await client.get(LINKED);
    expect(page.text).not.toContain("Unlink Discord");
    expect(textOf(page.text)).toContain("It's your only way to sign in.");
    const answer = await unlink(client, "discord");
    expect(answer.status).toBe(409);
    expect(announcements(answer.text).join()).toContain("Discord is your only way to sign in. Set a password first.");
    expect(await linkedOf(player)).toHaveLength(1);
    expect((await profileOf(player)).discordVerifiedAt).not.toBeNull();
    expect(await auditOf(player)).toHaveLength(1);
  });

  test("both at the same time, without a password, leaves one", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { player, client } = await newVisitor(app);
      await link(client, "discord", newDiscordUser(app).key);
      await link(client, "riot", newRiotUser(app).key);
      await withoutPassword(player.id);
      const answers = await Promise.all([unlink(client, "discord"), unlink(client, "riot")]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      expect(await linkedOf(player)).toHaveLength(1);
    }
  });

  test("an account that isn't linked, another player's, or none at all changes nothing", async () => {
    const user = newDiscordUser(app);
    const [one, other] = [await newVisitor(app), await newVisitor(app)];
    await link(one.client, "discord", user.key);
    expect((await unlink(other.client, "discord")).status).toBe(303);
    expect((await other.client.post(LINKED, { unlink: "github" })).status).toBe(404);
    expect(await linkedOf(one.player)).toHaveLength(1);
    expect(await auditOf(other.player)).toEqual([]);
    expect((await app.client().post(LINKED, { unlink: "discord" })).location).toMatch(/^\/auth/);
  });
});

describe("an account linked at a provider that is no longer offered", () => {
  const bare = useApp({ bindings: { RIOT_CLIENT_ID: "" } });

  test("can be unlinked, and doesn't count as a way in that allows unlinking another", async () => {
    const { player, client } = await newVisitor(bare);
    const now = new Date();
    for (const provider of ["riot", "discord"] as const) {
      await bare.db.insert(identities).values({
        id: unique("identity-"),
        userId: player.id,
        provider,
        subject: unique("s"),
        name: "x",
        createdAt: now,
      });
    }
    await bare.db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, player.id));
    expect((await client.post(LINKED, { unlink: "discord" })).status).toBe(409);
    expect((await client.submit(LINKED, "Unlink Riot")).status).toBe(303);
  });
});

describe("verifying two Riot accounts at the same time", () => {
  const account = () => ({ gameName: unique("Two Tabs "), tagLine: "EUW", region: "europe" });

  /** Verifies an account while another request of the same player, begun earlier, is about to link its own. */
  function verifyMeanwhile(client: Client) {
    const run = async () => expect((await client.submit("/dashboard/profile", "Verify", account())).status).toBe(303);
    proxy.before = { words: String.raw`update \"profiles\" set`, run };
  }

  test("links one, and says in the other's form that the profile is linked already", async () => {
    const { client } = await newVisitor(app);
    verifyMeanwhile(client);
    const answer = await client.submit("/dashboard/profile", "Verify", account());
    expect([proxy.before, answer.status]).toEqual([null, 409]);
    expect(announcements(answer.text).join()).toContain("Your profile is already linked to another Riot account.");
  });

  test("links one, and says so in the API's response to the other", async () => {
    const { client } = await newVisitor(app);
    verifyMeanwhile(client);
    const token = client.cookies.get("lineup_session");
    const answer = await app
      .client()
      .postJson("/riot-api/verify-account", account(), { Authorization: `Bearer ${token}` });
    expect([proxy.before, answer.status]).toEqual([null, 409]);
    expect(JSON.parse(answer.text).error).toBe("Your profile is already linked to another Riot account.");
  });
});

describe("a session that ends while Riot is asked about an account", () => {
  const account = () => ({ gameName: unique("Too Late "), tagLine: "EUW", region: "europe" });

  /** Ends a player's sessions right before another request of theirs links its account. */
  function signOutMeanwhile({ id }: { id: string }) {
    const run = () => app.db.delete(sessions).where(eq(sessions.userId, id));
    proxy.before = { words: String.raw`update \"profiles\" set`, run };
  }

  test("links nothing, and the form says that the session has ended", async () => {
    const { player, client } = await newVisitor(app);
    signOutMeanwhile(player);
    const answer = await client.submit("/dashboard/profile", "Verify", account());
    expect([proxy.before, answer.status]).toEqual([null, 401]);
    expect(announcements(answer.text).join()).toContain("Not authenticated");
    expect((await profileOf(player)).riotPuuid).toBeNull();
  });

  test("renames nothing", async () => {
    const { player, client } = await newClaimant(account());
    const before = await profileOf(player);
    signOutMeanwhile(player);
    const answer = await client.submit("/dashboard/profile", "Update Riot ID");
    expect([proxy.before, answer.status]).toEqual([null, 401]);
    expect(await profileOf(player)).toEqual(before);
  });

  test("links nothing through the API, which answers 401", async () => {
    const { player, client } = await newVisitor(app);
    signOutMeanwhile(player);
    const token = client.cookies.get("lineup_session");
    const answer = await app
      .client()
      .postJson("/riot-api/verify-account", account(), { Authorization: `Bearer ${token}` });
    expect([proxy.before, answer.status]).toEqual([null, 401]);
    expect((await profileOf(player)).riotPuuid).toBeNull();
  });
});

describe("Riot Sign-On", () => {
  test("proves that the account is the player's: every mark says so, and the claim never expires", async () => {
    const riot = newRiotUser(app);
    const { player, client } = await newVisitor(app, { riotRegion: "asia" });
    await app.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, player.id));
    const answer = await link(client, "riot", riot.key);
    expect(await said(client, answer.location)).toContain(`Riot has confirmed that ${riot.riotId} is yours.`);
    expect(await profileOf(player)).toMatchObject({
      riotId: riot.riotId,
      riotGameName: riot.gameName,
      riotTagLine: riot.tagLine,
      riotPuuid: riot.puuid,
      riotRegion: "asia",
      riotClaimLapsesAt: null,
    });
    expect((await profileOf(player)).riotProvenAt).not.toBeNull();
    const title = unique("Proven ");
    const post = await addPost(app, player.id, { title });
    for (const page of ["/dashboard", "/dashboard/profile", LINKED, `/lfg/${post}`]) {
      expect((await client.get(page)).text, page).toContain("Verified by Riot</span>");
    }
    const { client: reader } = await newVisitor(app);
    for (const page of ["/dashboard", `/lfg/${post}`]) {
      expect((await reader.get(page)).text, page).toContain("Verified by Riot</span>");
    }
    // Looking it up again doesn't weaken the proof.
    const token = client.cookies.get("lineup_session");
    const again = { gameName: riot.gameName, tagLine: riot.tagLine, region: "europe" };
    await app.client().postJson("/riot-api/verify-account", again, { Authorization: `Bearer ${token}` });
    expect(await profileOf(player)).toMatchObject({ riotClaimLapsesAt: null });
    expect((await profileOf(player)).riotProvenAt).not.toBeNull();
  });

  test("also shows in the head of a conversation", async () => {
    const { one, other, conversationId } = await newPair(app);
    await link(one.client, "riot", newRiotUser(app).key);
    const thread = await other.client.get(`/dashboard/messages/${conversationId}`);
    expect(thread.text).toContain("Verified by Riot</span>");
  });

  test("replaces a claim that was only looked up, and its player is told by bell and email", async () => {
    const riot = newRiotUser(app);
    const claimant = await newClaimant(riot);
    const inbox = await openInbox(claimant.client);
    const { player, client } = await newVisitor(app);
    expect((await link(client, "riot", riot.key)).location).toBe(LINKED);
    expect((await profileOf(player)).riotPuuid).toBe(riot.puuid);
    expect(await profileOf(claimant.player)).toMatchObject({
      riotPuuid: null,
      riotVerifiedAt: null,
      riotClaimLapsesAt: null,
      lastRankSync: null,
    });
    const [news] = await app.db.select().from(notifications).where(eq(notifications.userId, claimant.player.id));
    expect(news?.kind).toBe("riot-claim");
    const bell = await claimant.client.get("/dashboard/notifications");
    expect(bell.text).toContain(`${riot.riotId} is no longer verified in your profile`);
    // In their open tabs as well.
    await inbox.next("unread", ({ notifications }) => notifications === 1);
    inbox.close();
    const email = await app.readEmail(claimant.player.email);
    expect(email.subject).toBe("Your Riot ID is no longer verified on Lineup");
    expect(email.text).not.toContain(player.email);
    expect(await auditOf(claimant.player)).toMatchObject([{ action: "riot-claim-taken-over", details: null }]);
    // Visiting the page that the notification links to marks it as read.
    await claimant.client.get("/dashboard/profile");
    await eventually(async () => {
      const [read] = await app.db.select().from(notifications).where(eq(notifications.userId, claimant.player.id));
      return read?.readAt ? true : undefined;
    });
  });

  test("is overridden neither by a lookup nor by another player who signs in with the same account", async () => {
    const riot = newRiotUser(app);
    const owner = await newVisitor(app);
    await link(owner.client, "riot", riot.key);
    const other = await newVisitor(app);
    const token = other.client.cookies.get("lineup_session");
    const lookup = await app
      .client()
      .postJson(
        "/riot-api/verify-account",
        { gameName: riot.gameName, tagLine: riot.tagLine, region: "europe" },
        { Authorization: `Bearer ${token}` },
      );
    expect(lookup.status).toBe(409);
    const answer = await link(other.client, "riot", riot.key);
    expect(await said(other.client, answer.location)).toContain("is linked to another player here.");
    expect((await profileOf(owner.player)).riotPuuid).toBe(riot.puuid);
    expect((await profileOf(other.player)).riotPuuid).toBeNull();
  });

  test("does not override a proven claim whose link is missing, either", async () => {
    const riot = newRiotUser(app);
    const now = new Date();
    const owner = await addPlayer(app, { riotPuuid: riot.puuid, riotVerifiedAt: now, riotProvenAt: now });
    const { client, player } = await newVisitor(app);
    await link(client, "riot", riot.key);
    expect(await linkedOf(player)).toEqual([]);
    expect((await profileOf(owner)).riotPuuid).toBe(riot.puuid);
  });

  test("replaces another account that the player had only looked up", async () => {
    const [before, proven] = [newRiotUser(app), newRiotUser(app)];
    const { player, client } = await newClaimant(before);
    await link(client, "riot", proven.key);
    expect((await profileOf(player)).riotPuuid).toBe(proven.puuid);
  });

  test("unlinked, leaves a provisional claim, which gives way to a player who proves the account", async () => {
    const riot = newRiotUser(app);
    const [one, other] = [await newVisitor(app), await newVisitor(app)];
    await link(one.client, "riot", riot.key);
    expect((await unlink(one.client, "riot")).status).toBe(303);
    expect(await profileOf(one.player)).toMatchObject({ riotPuuid: riot.puuid, riotProvenAt: null });
    expect((await one.client.get("/dashboard/profile")).text).toContain("Verified</span>");
    await link(other.client, "riot", riot.key);
    expect((await profileOf(other.player)).riotProvenAt).not.toBeNull();
    expect((await profileOf(one.player)).riotPuuid).toBeNull();
  });

  test("signs in, and follows a new Riot ID", async () => {
    const riot = newRiotUser(app);
    const { player, client } = await newVisitor(app);
    await link(client, "riot", riot.key);
    const before = { riotId: "Old Name#OLD", riotGameName: "Old Name", riotTagLine: "OLD" };
    await app.db.update(profiles).set(before).where(eq(profiles.userId, player.id));
    const visitor = app.client();
    expect((await completeOAuth(visitor, "riot", riot.key)).location).toBe("/dashboard");
    expect((await profileOf(player)).riotId).toBe(riot.riotId);
  });

  test("begins a sign-up: it asks for address and password, shows the account, and proves it in the end", async () => {
    const riot = newRiotUser(app);
    const claimant = await newClaimant(riot);
    const inbox = await openInbox(claimant.client);
    const client = app.client();
    const answer = await completeOAuth(client, "riot", riot.key, "sign-in", "/dashboard/profile");
    expect(answer.location).toBe("/auth?tab=sign-up&redirectTo=%2Fdashboard%2Fprofile");
    // Step 2 needs an address first.
    expect((await client.get("/auth?tab=sign-up&step=2")).location).toBe("/auth?tab=sign-up");
    const early = { intent: "complete", gameName: riot.gameName, tagLine: riot.tagLine, region: "americas" };
    expect((await client.post("/auth?tab=sign-up&step=2", early)).status).toBe(410);

    const email = `${unique("riot-")}@lineup.test`;
    await client.post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" });
    const done = await client.submit("/auth?tab=sign-up&step=2", "Complete Signup");
    expect(done.location).toBe("/dashboard");
    const player = await app.db.select().from(users).where(eq(users.email, email)).get();
    expect(player?.emailConfirmedAt).toBeNull();
    expect(await linkedOf(player as { id: string })).toMatchObject([{ provider: "riot", subject: riot.puuid }]);
    const profile = await profileOf(player as { id: string });
    expect(profile).toMatchObject({ riotPuuid: riot.puuid, riotClaimLapsesAt: null });
    expect(profile.riotProvenAt).not.toBeNull();
    expect((await profileOf(claimant.player)).riotPuuid).toBeNull();
    expect((await app.readEmail(claimant.player.email)).subject).toContain("no longer verified");
    // In the claimant's open tabs, too.
    await inbox.next("unread", ({ notifications }) => notifications === 1);
    inbox.close();
  });

  test("with another account verified in step 2 proves nothing", async () => {
    const riot = newRiotUser(app);
    const client = app.client();
    await completeOAuth(client, "riot", riot.key);
    const email = `${unique("riot-")}@lineup.test`;
    await client.post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" });
    const other = { gameName: unique("Not Mine "), tagLine: "EUW", region: "europe" };
    await client.post("/auth?tab=sign-up&step=2", { intent: "verify", ...other });
    await client.post("/auth?tab=sign-up&step=2", { intent: "complete", ...other });
    const player = await app.db.select().from(users).where(eq(users.email, email)).get();
    expect(await linkedOf(player as { id: string })).toEqual([]);
    expect((await profileOf(player as { id: string })).riotProvenAt).toBeNull();
  });

  test("ends with one holder, who has proved the account, when lookups and sign-ons come simultaneously", async () => {
    for (let round = 0; round < 6; round += 1) {
      const riot = newRiotUser(app);
      const provers = await Promise.all([newVisitor(app), newVisitor(app)]);
      const lookers = await Promise.all([newVisitor(app), newVisitor(app)]);
      const callbacks: string[] = [];
      for (const { client } of provers) callbacks.push(await decide(await start(client, "riot", "link"), riot.key));
      const lookUp = ({ client }: { client: Client }) =>
        app
          .client()
          .postJson(
            "/riot-api/verify-account",
            { gameName: riot.gameName, tagLine: riot.tagLine, region: "europe" },
            { Authorization: `Bearer ${client.cookies.get("lineup_session")}` },
          );
      const answers = await Promise.all([
        lookUp(lookers[0]),
        ...provers.map(({ client }, index) => client.get(callbacks[index] as string)),
        lookUp(lookers[1]),
      ]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const holders = await app.db.select().from(profiles).where(eq(profiles.riotPuuid, riot.puuid));
      expect(holders).toHaveLength(1);
      const [linked, ...others] = await app.db
        .select()
        .from(identities)
        .where(and(eq(identities.provider, "riot"), eq(identities.subject, riot.puuid)));
      expect(others).toEqual([]);
      expect(holders[0]).toMatchObject({ userId: linked?.userId });
      expect(holders[0]?.riotProvenAt).not.toBeNull();
      expect(provers.map(({ player }) => player.id)).toContain(linked?.userId);
    }
  });
});
