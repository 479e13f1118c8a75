import { createClient } from "@libsql/client/http";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { suspendAccount, unsuspendAccount } from "../../app/features/moderation/decisions/suspension.server";
import { grantRole, revokeRole } from "../../app/features/moderation/roles/commands.server";
import { unsubscribePath } from "../../app/features/notifications/email/token.server";
import { leaveTournaments } from "../../app/features/tournaments/shared/leaving.server";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { notifications, reportCases, tournaments, userFeedback, users } from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { type Client, signIn } from "../support/client";
import { planFaults } from "../support/cost";
import { eventually } from "../support/eventually";
import { hidingIn } from "../support/hiding";
import { field, links, textOf } from "../support/html";
import { LOCAL_KEYS } from "../support/mailbox";
import { startTournament } from "../support/matches";
import { completeOAuth, newDiscordUser, newRiotUser } from "../support/oauth";
import { png } from "../support/pictures";
import { addSession } from "../support/played";
import { openConversation, openInbox } from "../support/socket";
import { authenticatorCode, SHOWN_RECOVERY_CODE, SHOWN_SECRET } from "../support/totp";
import { addTournament } from "../support/tournaments";
import { startWatchedDatabase } from "../support/watched-database";
import { casesIn, OPERATOR } from "./cases";
import { newModerator } from "./moderators";
import {
  addConversation,
  addPlayer,
  addPost,
  DAY,
  MINUTE,
  newPair,
  newVisitor,
  sendTo,
  unique,
  visitAs,
} from "./players";
import { pushesIn } from "./pushes";
import { register, registrationsIn } from "./registrations";
import { giveFeedback } from "./reviews";
import { startConversation, type Visitor, write } from "./talk";
import { pressTeamButton, teamsIn } from "./teams";

// A proxy between the Worker and the database that records every statement.
const { proxy, sqld, appOptions } = await startWatchedDatabase();

const app = useApp({ world: "busy", emailProvider: true, ...appOptions });
const { newPost, accept, requestOf, postOf } = teamsIn(app);
const { newCase } = casesIn(app);
const { newTournament, newEntrant, newTeam, newFullTeam } = registrationsIn(app);

/** Visits every page and performs every action, so that every query of the product runs once. */
async function visitEverything(): Promise<void> {
  const client = app.client();
  const email = `${unique("explorer-")}@lineup.test`;
  const password = "four smokes and a wall";
  const step2 = "/auth?tab=sign-up&step=2";
  const riot = { gameName: unique("Explorer "), tagLine: "EUW", region: "europe" };
  await client.post("/auth?tab=sign-up", { intent: "next", email, password });
  await client.get(step2);
  await client.post(step2, { intent: "back", ...riot });
  await client.post(step2, { intent: "verify", ...riot });
  expect((await client.post(step2, { intent: "complete", ...riot })).location).toBe("/dashboard");
  await client.get((await app.readEmail(email)).link as string);
  await client.post("/auth/sign-out");
  await client.post("/auth", { email, password: "not the password" });
  await useRecovery(client, email);
  await signIn(client, email, password);
  const token = client.cookies.get("lineup_session");
  await client.postJson("/riot-api/verify-account", riot, { Authorization: `Bearer ${token}` });

  const id = uuidv7();
  const post = { title: "Everywhere", neededPlayers: "2" };
  expect((await client.post("/dashboard/lfg/new", { id, ...post })).location).toBe("/dashboard");
  const pages = [
    "/",
    "/readyz",
    "/sitemap.xml",
    "/dev/mailbox",
    "/dashboard",
    "/dashboard?rank=Gold+1",
    "/dashboard?role=Sentinel",
    "/dashboard?region=Korea",
    "/dashboard?online=on",
    "/dashboard?voice=required",
    "/dashboard?players=2",
    "/dashboard?q=evening+calm",
    "/dashboard?rank=Gold+1&role=Sentinel&region=Korea&voice=required&players=2&q=a",
    `/dashboard?role=Sentinel&after=${Date.now()}_${uuidv7()}`,
    `/dashboard?upto=${Date.now()}_${uuidv7()}`,
    `/dashboard?role=Sentinel&q=a&upto=${Date.now()}_${uuidv7()}`,
    "/dashboard/lfg/new",
    "/dashboard/players",
    "/dashboard/players?sort=best",
    "/dashboard/players?sort=newest",
    "/dashboard/players?sort=reputation&role=Sentinel",
    `/dashboard/players?sort=reputation&after=4.5_${uuidv7()}`,
    `/dashboard/players?sort=newest&upto=1_${uuidv7()}`,
    "/dashboard/players?minRank=Radiant&region=Korea&sort=newest",
    "/dashboard/players?name=cold",
    "/dashboard/players?name=cold+ace&region=Korea&sort=reputation",
    "/dashboard/players?minRank=Gold+1&maxRank=Diamond+1&canQueue=on&verified=on&role=Duelist&agent=Jett&region=Europe&playstyle=calm&voice=preferred&language=en&free=weekends&sort=newest",
    "/dashboard/profile",
    "/dashboard/messages",
    `/dashboard/messages?after=${Date.now()}_${uuidv7()}`,
    `/dashboard/messages?q=a&upto=1_${uuidv7()}`,
    "/dashboard/tournaments",
    "/dashboard/tournaments?open=on&fits=on",
    "/dashboard/tournaments?free=on",
    "/dashboard/tournaments?region=Korea&free=on",
    "/dashboard/tournaments?from=2026-12-01&to=2027-12-01&fits=on",
    `/dashboard/tournaments?after=${uuidv7()}`,
    `/dashboard/tournaments?upto=${uuidv7()}`,
    `/dashboard/tournaments?region=Korea&free=on&upto=${uuidv7()}`,
    `/dashboard/tournaments?open=on&upto=${Date.now()}_${uuidv7()}`,
    "/dashboard/tournaments/new",
    "/dashboard/search",
    "/dashboard/search?q=cold",
    "/dashboard/search?q=cold+ace",
    "/dashboard/settings/calendar",
    "/dashboard/notifications",
    `/dashboard/notifications?after=${Date.now()}_${uuidv7()}`,
    `/dashboard/notifications?upto=1_${uuidv7()}`,
    "/dashboard/settings",
    "/dashboard/settings/notifications",
    "/dashboard/settings/blocked",
    `/dashboard/settings/blocked?after=${Date.now()}_${uuidv7()}`,
    `/dashboard/settings/blocked?upto=1_${uuidv7()}`,
    "/dashboard/settings/sessions",
    "/dashboard/settings/export",
    "/dashboard/settings/delete-account",
    "/account/decisions",
    `/account/decisions?after=${uuidv7()}`,
    "/account/export",
    "/account/delete-account",
    `/lfg/${id}`,
    `/lfg/${id}/edit`,
    `/lfg/${id}/delete`,
  ];
  for (const page of pages) await client.get(page);
  expect((await client.post(`/account/decisions/${uuidv7()}/appeal`, { words: "No." })).status).toBe(404);
  await client.post(`/lfg/${id}/edit`, { ...post, title: "Everywhere else" });
  await client.post(`/lfg/${id}`, { intent: "bump" });
  await client.get(`/lfg/${id}/close`);
  await client.post(`/lfg/${id}`, { intent: "close" });
  await client.post(`/lfg/${id}`, { intent: "reopen" });
  expect((await client.post(`/lfg/${id}/delete`)).location).toBe("/dashboard");
  await signIn(app.client(), "player1@example.com", PASSWORD);
  await editProfile(client);
  await talkReportAndBlock(client);
  await runRooms();
  await linkAccounts();
  await useTwoFactor();
  await teamUp();
  await exchangeFeedback();
  await reportEverything();
  await moderate();
  await hostTournament();
  await seedAndStart();
  await playMatch();
  await pushNews();
  await emailNews();
  await registerTeams();
  await endAccount(client, email);
  await app.runScheduled();
}

/** Registers teams, invites players, looks for a team, checks in, withdraws, and takes players out of tournaments. */
async function registerTeams(): Promise<void> {
  const { id } = await newTournament();
  const { captain, teamId } = await newFullTeam(id, 3);
  const [page, tab] = [`/tournaments/${id}/teams/${teamId}`, `/tournaments/${id}/teams`];
  const [friend, seeker, host] = [await newEntrant(), await newEntrant(), await newEntrant()];
  await addConversation(app, captain.player, friend.player);
  await captain.client.post(page, { intent: "invite", players: [friend.player.id] });
  for (const intent of ["take-back", "remove", "hand-over"]) {
    await captain.client.post(page, { intent, player: friend.player.id });
  }
  await captain.client.post(page, { intent: "swap", player: friend.player.id, substitute: friend.player.id });
  await captain.client.post(page, { intent: "renew-link" });
  await friend.client.post(page, { intent: "accept" });
  await friend.client.post(page, { intent: "decline" });
  await friend.client.post(page, { intent: "leave" });
  await seeker.client.get(`/tournaments/${id}/seek`);
  expect((await seeker.client.post(`/tournaments/${id}/seek`, { role: "", note: "" })).status).toBe(303);
  const later = `/teams?after=${Date.now()}_${uuidv7()}`;
  for (const path of ["", "/teams", later, "/register", "/withdraw", `/teams/${teamId}`, "/join/none"]) {
    await captain.client.get(`/tournaments/${id}${path}`);
  }
  await seeker.client.post(tab, { intent: "stop-seeking" });
  await captain.client.post(tab, { intent: "check-in" });
  await app.db.update(tournaments).set({ userId: host.player.id }).where(eq(tournaments.id, id));
  await host.client.post(page, { intent: "remove-team" });
  const again = await newTeam(id);
  expect((await again.captain.client.post(`/tournaments/${id}/withdraw`)).status).toBe(303);
  const { captain: leaver } = await newFullTeam(id);
  const alone = await newTeam(id);
  const { teams } = await startTournament(app, { teams: 2 });
  const [solo, { id: soloId }] = [await newEntrant(), await newTournament({ teamSize: 1 })];
  expect((await register(solo.client, soloId, null)).status).toBe(303);
  await app.db.update(users).set({ deletionDueAt: new Date() }).where(eq(users.id, solo.player.id));
  // The host comes last, because the tournament is cancelled when nobody is left to run it.
  for (const userId of [leaver.player.id, alone.captain.player.id, teams[0]?.captainId as string, host.player.id]) {
    await leaveTournaments(openDatabase({ url: proxy.url }).db, userId, new Date());
  }
}

/** Uses a match's page as a captain and as an organiser, and reopens the final of a finished tournament. */
async function playMatch(): Promise<void> {
  const [host, captain] = [await newVisitor(app), await newVisitor(app)];
  const { id } = await startTournament(app, { teams: 4, captains: [captain.player.id], userId: host.player.id });
  const here = `/tournaments/${id}/matches/0`;
  for (const page of ["", "?before=2", "/dispute", "/forfeit"]) await captain.client.get(here + page);
  await captain.client.post(here, { intent: "check-in" });
  await captain.client.post(here, { id: uuidv7(), message: "Lobby is up" });
  await captain.client.post(`${here}/dispute`, { evidence: "They left." });
  expect((await host.client.get(`${here}/evidence/${captain.player.id}/report`)).status).toBe(200);
  await captain.client.post(`${here}/forfeit`);
  await host.client.post(here, { intent: "join-chat" });
  for (const page of ["", "/decide", "/reopen"]) await host.client.get(here + page);
  expect((await host.client.submit(`${here}/reopen`, "Reopen Match")).location).toBe(here);
  // A tournament that is finished and then reopened.
  const { id: finished, hostId, execute } = await startTournament(app, { teams: 2, userId: host.player.id });
  expect(await execute({ type: "rule", match: 0, forfeits: 2 }, hostId)).toEqual({ outcome: "done" });
  const final = `/tournaments/${finished}/matches/0`;
  expect((await host.client.submit(`${final}/reopen`, "Reopen Match")).location).toBe(final);
}

/** Pushes news to a device that accepts it and to one that is gone, once the open tab is closed. Turns push off. */
async function pushNews(): Promise<void> {
  const { talkTo, addDevice, pushesAt, settled, waiting } = pushesIn(app);
  const { talker, listener, endpoint, conversationId } = await talkTo();
  app.push.end(await addDevice(await visitAs(app, listener.player)));
  const tab = await openInbox(listener.client);
  await write(talker.client, conversationId, "Hello");
  await waiting(listener.player);
  tab.close();
  await eventually(() => pushesAt(endpoint)[0], 15_000);
  await settled(listener.player);
  const settings = "/dashboard/settings/notifications";
  for (const page of ["/push", settings]) await listener.client.get(page);
  const kinds = ["message"];
  const channels = ["bell", "push", "email"];
  await listener.client.post(settings, { kinds, channels, lockScreen: "name", quietFrom: "0", quietUntil: "8" });
  await listener.client.post(settings, { intent: "push-off" });
}

/** Emails news that is due, and unsubscribes with a link like the one in the email. */
async function emailNews(): Promise<void> {
  const { author } = await startConversation(app);
  const { id } = author.player;
  await app.db
    .update(notifications)
    .set({ emailDueAt: new Date(0) })
    .where(eq(notifications.userId, id));
  await app.runScheduled();
  const path = unsubscribePath({ SESSION_SECRET: [LOCAL_SECRET] }, { userId: id, groups: ["messages"] });
  expect((await app.client().get(path)).status).toBe(200);
  expect((await app.client().post(path)).location).toBe(path);
}

/**
 * Reads the queue with every filter, decides a case with every action, and runs an operator's commands for suspensions
 * and roles.
 */
async function moderate(): Promise<void> {
  const [{ player: moderator, client }, { player }] = [await newModerator(app, "admin"), await newVisitor(app)];
  const cursors = ["", `&after=${uuidv7()}`, `&upto=${uuidv7()}`];
  for (const filters of [
    "",
    "state=closed",
    "urgent=on",
    "urgent=on&kind=post",
    "urgent=on&state=closed",
    "kind=post",
    "flagged=on",
    "mine=on",
    "admin=on",
    "kind=post&flagged=on",
  ]) {
    for (const cursor of [...cursors, `&after=0_${uuidv7()}`, `&upto=0_${uuidv7()}`]) {
      await client.get(`/moderation?${filters}${cursor}`);
    }
  }
  for (const cursor of ["", `&after=1_${uuidv7()}`, `&upto=1_${uuidv7()}`]) {
    await client.get(`/moderation?order=reports${cursor}`);
    await client.get(`/moderation?order=reports&flagged=on${cursor}`);
  }
  const { id } = await newCase(player, { picture: uuidv7() });
  for (const cursor of ["", `?after=${uuidv7()}`, `?upto=${uuidv7()}`]) {
    await client.get(`/moderation/appeals${cursor}`);
  }
  expect((await client.get(`/moderation/appeals/${uuidv7()}`)).status).toBe(404);
  expect((await client.get("/moderation/health")).status).toBe(200);
  const here = `/moderation/cases/${id}`;
  await client.post(here, { intent: "take" });
  await client.post(here, { intent: "note", id: uuidv7(), words: "Look at the other case" });
  for (const action of [
    "hand-over",
    "undo",
    "dismiss",
    "undo",
    "hide",
    "restore",
    "warn",
    "limit",
    "undo",
    "suspend",
    "ban",
    "undo",
  ]) {
    const page = `${here}/${action}`;
    const form = await client.get(page);
    expect(form.status, action).toBe(200);
    const fields = { rule: "respect", reason: "Rude words", scopes: ["posting"], days: "3" };
    const seen = field(form.text, "seen").value;
    const undone = action === "undo" && { undoes: field(form.text, "undoes").value };
    expect((await client.post(page, { ...fields, seen, ...undone })).status, action).toBe(303);
  }
  await client.get(here);
  await client.get(`${here}/picture`);
  const { db } = openDatabase({ url: proxy.url });
  await suspendAccount(
    { db, env: LOCAL_KEYS, now: new Date(), origin: app.url },
    player.id,
    { reason: "Spam" },
    OPERATOR,
  );
  await unsuspendAccount({ db, env: LOCAL_KEYS, now: new Date(), origin: app.url }, player.id, "Lifted", OPERATOR);
  await grantRole({ db, now: new Date() }, OPERATOR, moderator.id, "admin");
  await grantRole({ db, now: new Date() }, OPERATOR, moderator.id, "moderator");
  await revokeRole({ db, now: new Date() }, OPERATOR, moderator.id, "moderator");
}

/** Seeds a tournament, starts it, and looks at its bracket and its matches. */
async function seedAndStart(): Promise<void> {
  const { client, player } = await newVisitor(app);
  const { id, teams } = await addTournament(app.db, { teams: 4, userId: player.id });
  const seeding = `/tournaments/${id}/seeding`;
  expect((await client.get(seeding)).status).toBe(200);
  expect((await client.post(seeding, { up: teams[1]?.id })).status).toBe(303);
  expect((await client.post(seeding, { intent: "seeding", seeding: "rank" })).status).toBe(303);
  expect((await client.get(`/tournaments/${id}/start`)).status).toBe(200);
  expect((await client.post(`/tournaments/${id}/start`)).status).toBe(303);
  for (const page of ["", "/matches"]) expect((await client.get(`/tournaments/${id}${page}`)).status).toBe(200);
}

/** Exports the data, ends sessions, keeps an account that is about to be deleted, and then makes its deletion due. */
async function endAccount(client: Client, email: string): Promise<void> {
  expect((await client.post("/dashboard/settings/export/download")).status).toBe(200);
  const session = "a".repeat(64);
  expect((await client.post("/dashboard/settings/sessions", { session })).location).toBe(
    "/dashboard/settings/sessions",
  );
  await client.post("/auth/sign-out", { scope: "others" });
  const page = "/dashboard/settings/delete-account";
  expect((await client.post(page, { email })).location).toBe("/auth");
  await signIn(client, email, "four smokes and a wall");
  expect((await client.post(page, { intent: "keep" })).location).toBe("/dashboard");
  expect((await client.post(page, { email })).location).toBe("/auth");
  await signIn(client, email, "four smokes and a wall");
  await client.post("/auth/sign-out", { scope: "global" });
  const due = new Date(Date.now() - 1);
  await app.db.update(users).set({ deletionDueAt: due }).where(eq(users.email, email));
}

/** Resets the password, signs in by email, sets the password again, changes the address, and changes it back. */
async function useRecovery(client: Client, email: string): Promise<void> {
  const password = "four smokes and a wall";
  const settings = "/dashboard/settings";
  const codeTo = async (recipient: string, subject: string) =>
    eventually(async () => {
      const mail = await app.readEmail(recipient);
      return mail.subject.includes(subject) ? mail : undefined;
    });
  for (const [ask, page, subject] of [
    ["/auth/forgot-password", "/auth/reset-password", "Choose a new password"],
    ["/auth/code", "/auth/code", "Your code to sign in"],
  ] as const) {
    await client.post("/auth/sign-out");
    await client.post(ask, { intent: "send", email });
    await client.get(`${page}?step=2`);
    const { link, code } = await codeTo(email, subject);
    await client.get(link as string);
    expect((await client.post(page, { intent: "enter", code, password })).location).toBe("/dashboard");
    expect((await client.post(link as string, { password })).location).not.toBe("/dashboard");
  }
  await client.get(`${settings}/password`);
  expect((await client.post(`${settings}/password`, { password })).status).toBe(303);
  for (const next of [`${unique("moved-")}@lineup.test`, email]) {
    await client.post(`${settings}/email`, { intent: "send", email: next });
    const { link, code } = await codeTo(next, "Confirm your new email");
    await client.get(link as string);
    await client.get(`${settings}/email?step=2`);
    expect((await client.post(`${settings}/email?step=2`, { intent: "enter", code })).status).toBe(303);
  }
  await client.get("/auth/confirm");
  await client.post("/auth/sign-out");
}

/** Switches two-factor on and off, and enters the second factor wherever it is required. */
async function useTwoFactor(): Promise<void> {
  const page = "/dashboard/settings/two-factor";
  const { player, client } = await newVisitor(app);
  await client.post(page, { intent: "set-up" });
  const secret = textOf((await client.get(page)).text).match(SHOWN_SECRET)?.[0] as string;
  const on = await client.post(page, { intent: "confirm", code: authenticatorCode(secret) });
  const [code] = textOf(on.text).match(SHOWN_RECOVERY_CODE) ?? [];
  const browser = app.client();
  const password = { email: player.email, password: PASSWORD };
  expect((await browser.post("/auth", password)).location).toBe("/auth/two-factor");
  await browser.get("/auth/two-factor");
  for (let wrong = 0; wrong < 5; wrong += 1) await browser.post("/auth/two-factor", { code: "ZZZZZ-ZZZZZ" });
  await browser.post("/auth", password);
  const challenge = { code: authenticatorCode(secret, 1), remember: "on" };
  expect((await browser.post("/auth/two-factor", challenge)).location).toBe("/dashboard");
  await browser.post("/auth", password);
  const reauthenticate = "/auth/reauthenticate";
  expect((await browser.get(reauthenticate)).status).toBe(200);
  expect((await browser.post(reauthenticate, { password: PASSWORD, code })).status).toBe(303);
  await browser.post(reauthenticate, { intent: "send" });
  const { text } = await browser.get(page);
  const codeSet = text.match(/name="codeSet" value="([^"]+)"/)?.[1];
  const device = text.match(/name="device" value="([^"]+)"/)?.[1];
  expect((await browser.post(page, { intent: "renew", codeSet })).status).toBe(200);
  expect((await browser.post(page, { intent: "forget", device })).location).toBe(page);
  await browser.post(page, { intent: "turn-off" });
  await browser.post(page, { intent: "set-up" });
  expect((await browser.post(page, { intent: "cancel" })).location).toBe(page);
}

/** Fills in the profile, changes the picture, looks at a player and writes to them. */
async function editProfile(client: Client): Promise<void> {
  const profile = "/dashboard/profile";
  const fields = { currentRank: "Gold 1", mainAgents: ["Jett"], personalityTags: "calm", isListed: "on" };
  expect((await client.post(profile, fields)).location).toBe(profile);
  const newcomer = await visitAs(app, await addPlayer(app));
  const riot = { gameName: unique("Found "), tagLine: "EUW", region: "europe" };
  expect((await newcomer.post(profile, { intent: "verify", ...riot })).location).toBe(profile);
  const body = new FormData();
  body.set("picture", new File([new Uint8Array(png(40, 30))], "me.png"));
  expect((await client.request(`${profile}/picture`, { method: "POST", body })).location).toBe(profile);
  await client.get(`${profile}/picture`);
  expect((await client.submit(`${profile}/picture`, "Remove Picture")).location).toBe(profile);
  const { id } = await addPlayer(app);
  for (const page of [`/players/${id}`, `/players/${id}/message`]) expect((await client.get(page)).status).toBe(200);
  const sent = await client.post(`/players/${id}/message`, { id: uuidv7(), message: "Hello" });
  expect(sent.location).toBe(`/players/${id}`);
}

/** Answers a post, writes, reads, searches, reports and blocks. */
async function talkReportAndBlock(client: Client): Promise<void> {
  const author = await addPlayer(app);
  const post = await addPost(app, author.id, { createdAt: new Date(Date.now() - DAY + 30 * MINUTE) });
  const contact = `/lfg/${post}/contact`;
  await client.get(contact);
  expect((await client.post(contact, { id: uuidv7(), message: "Hello" })).location).toBe(`/lfg/${post}`);
  const other = await visitAs(app, author);
  const thread = await eventually(async () => {
    const { text } = await other.get("/dashboard/messages");
    return links(text).find(({ href }) => /^\/dashboard\/messages\/[0-9a-f-]{36}$/.test(href))?.href;
  });
  const messages = thread.replace("/dashboard/messages", "/conversations").concat("/messages");
  for (const page of [
    "/dashboard/messages?q=play",
    `/dashboard/messages?after=${Date.now()}_${uuidv7()}`,
    "/dashboard/notifications",
    thread,
    `${thread}?before=100`,
    `${messages}?after=0`,
    `${messages}?before=100`,
    `${thread}/block`,
    `${thread}/report`,
  ]) {
    expect((await other.get(page)).status, page).toBe(200);
  }
  const message = uuidv7();
  expect((await client.post(thread, { id: message, message: "Hello again" })).location).toBe(thread);
  await other.get(`${thread}/report?message=${message}`);
  const report = { id: uuidv7(), message, reason: "spam", details: "Twice" };
  expect((await other.post(`${thread}/report`, report)).location).toBe(thread);
  await other.post(`${thread}/block`, { intent: "block" });
  await other.get("/dashboard/settings/blocked");
  await other.post(`${thread}/block`, { intent: "unblock" });
  await other.post("/dashboard/settings/blocked", { playerId: author.id });
  await other.post("/dashboard/settings/notifications", { kinds: ["message"] });
  const news = `${Date.now()}_${uuidv7()}`;
  await other.post("/dashboard/notifications", { intent: "read", news });
  await other.post("/dashboard/notifications", { intent: "read-all", until: Date.now(), news });
}

/** Signs up with Discord, signs in with it, proves a Riot account that another player has verified, and unlinks it. */
async function linkAccounts(): Promise<void> {
  const settings = "/dashboard/settings/linked-accounts";
  const [discord, riot] = [newDiscordUser(app), newRiotUser(app)];
  const { gameName, tagLine } = riot;
  const { client: claimant } = await newVisitor(app);
  const token = claimant.cookies.get("lineup_session");
  await claimant.postJson("/riot-api/verify-account", { gameName, tagLine }, { Authorization: `Bearer ${token}` });
  const client = app.client();
  const step2 = (await completeOAuth(client, "discord", discord.key)).location as string;
  const account = { gameName: unique("Linker "), tagLine: "EUW", region: "europe" };
  await client.post(step2, { intent: "verify", ...account });
  await client.post(step2, { intent: "complete", ...account });
  expect((await completeOAuth(client, "riot", riot.key, "link")).location).toBe(settings);
  await client.get(settings);
  expect((await client.post(settings, { unlink: "riot" })).location).toBe(settings);
  expect((await completeOAuth(app.client(), "discord", discord.key)).location).toBe("/dashboard");
  await completeOAuth(app.client(), "riot", riot.key);
}

/** Runs the rooms' queries: access, read marks and presence. */
async function runRooms(): Promise<void> {
  const { one, other, conversationId } = await newPair(app);
  const inbox = await openInbox(one.client);
  const room = await openConversation(other.client, conversationId);
  expect((await sendTo(one.client, conversationId, "Hello")).status).toBe(200);
  room.send({ type: "read", seq: 1 });
  await room.next("read");
  await eventually(() => proxy.statements.some(({ sql }) => /INSERT INTO "presence"/.test(sql)) || undefined);
  inbox.close();
  room.close();
}

/** Hosts a tournament, edits and copies it, adds and removes an organiser, cancels it, and reads its calendar feeds. */
async function hostTournament(): Promise<void> {
  const { one, other } = await newPair(app);
  const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);
  const id = uuidv7();
  const fields = {
    title: "Everywhere Cup",
    description: "Once.",
    entryFee: "0",
    prizePool: "0",
    maxParticipants: "8",
    tournamentDate: day(9),
    registrationDeadline: day(8),
    timeZone: "UTC",
  };
  const list = "/dashboard/tournaments";
  expect((await one.client.post(`${list}/new`, { ...fields, id })).location).toBe(list);
  const page = `/tournaments/${id}`;
  for (const part of ["", "/rules", "/edit", "/cancel", "/manage", "/calendar.ics"]) {
    expect((await one.client.get(page + part)).status, part).toBe(200);
  }
  await one.client.get(`${page}/manage?upto=${uuidv7()}`);
  expect((await one.client.get(`${list}/new?copy=${id}`)).status).toBe(200);
  expect((await one.client.post(`${page}/edit`, { ...fields, title: "Elsewhere Cup" })).location).toBe(page);
  for (const change of [
    { intent: "add", playerId: other.player.id },
    { intent: "remove", playerId: other.player.id },
  ]) {
    expect((await one.client.post(`${page}/manage`, change)).location).toBe(`${page}/manage`);
  }
  expect((await one.client.post(`${page}/manage`, { intent: "add", riotId: "Nobody#NONE" })).status).toBe(409);
  expect((await one.client.post(`${page}/cancel`, { reason: "Done" })).location).toBe(page);
  const settings = "/dashboard/settings/calendar";
  expect((await one.client.post(settings, { intent: "renew" })).location).toBe(settings);
  const feed = (await one.client.get(settings)).text.match(/\/calendar\/[\w-]+\.ics/)?.[0] as string;
  expect((await app.client().get(feed)).status).toBe(200);
  expect((await one.client.submit(settings, "Create New Link")).location).toBe(settings);
  expect((await one.client.submit(settings, "Remove Link")).location).toBe(settings);
}

/** Asks to join a post's team, answers, writes to the team, leaves it, removes a member, and creates another post. */
async function teamUp(): Promise<void> {
  const { author, postId, askers } = await newPost(2, 4);
  const [one, two, three, four] = askers as [Visitor, Visitor, Visitor, Visitor];
  await author.client.get("/dashboard/lfg/new");
  await author.client.post("/dashboard/lfg/new", { id: uuidv7(), title: "Another", neededPlayers: "1" });
  await three.client.get(`/lfg/${postId}/join`);
  await pressTeamButton(three.client, postId, "withdraw");
  await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, four.player)).id);
  for (const player of [one, two]) await accept(author, postId, player);
  const { conversationId } = await postOf(postId);
  expect((await sendTo(one.client, conversationId as string, "Hello")).status).toBe(200);
  const forms = [
    { intent: "ready" },
    { intent: "set-party-code", partyCode: "FUCKED" },
    { intent: "set-voice-link", voiceLink: "discord.gg/abc" },
    { intent: "clear-party-code" },
    { intent: "not-ready" },
  ];
  for (const form of forms) {
    for (const page of [`/lfg/${postId}`, `/dashboard/messages/${conversationId}`]) {
      expect((await one.client.post(page, form)).status).toBe(303);
    }
  }
  for (const page of [`/lfg/${postId}`, "/dashboard/messages", `/dashboard/messages/${conversationId}`, "/dashboard"]) {
    expect((await author.client.get(page)).status, page).toBe(200);
  }
  await pressTeamButton(one.client, postId, "leave");
  await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, two.player)).id);
}

/** Gives feedback after a session and in return, reads it page by page, reports it, and makes some due for the cron. */
async function exchangeFeedback(): Promise<void> {
  const [one, two, three] = [await newVisitor(app), await newVisitor(app), await newVisitor(app)];
  const postId = await addSession(app.db, one.player, [two.player, three.player]);
  const session = `/dashboard/feedback/${postId}`;
  expect((await one.client.get(session)).status).toBe(200);
  const fields = { id: uuidv7(), rating: 5, comment: "Calm" };
  expect((await one.client.post(`${session}?player=${two.player.id}`, fields)).location).toBe(session);
  expect((await two.client.get(`/players/${one.player.id}/feedback`)).status).toBe(200);
  expect((await giveFeedback(two.client, one.player)).status).toBe(303);
  expect((await giveFeedback(three.client, one.player)).status).toBe(303);
  const due = new Date(Date.now() - 1);
  await app.db.update(userFeedback).set({ dueAt: due }).where(eq(userFeedback.reviewerId, three.player.id));
  for (const page of [`/players/${two.player.id}`, "/dashboard/profile"]) {
    expect((await two.client.get(page)).status).toBe(200);
    expect((await two.client.get(`${page}?reviews=${Date.now()}_${uuidv7()}`)).status).toBe(200);
    await two.client.get(`${page}?reviews-upto=1_${uuidv7()}`);
  }
  const report = `/players/${two.player.id}/report/${fields.id}`;
  expect((await two.client.get(report)).status).toBe(200);
  expect((await two.client.post(report, { id: uuidv7(), reason: "other" })).location).toBe("/dashboard/profile");
  expect((await one.client.post("/dashboard/settings/export/download")).status).toBe(200);
}

/** Reports public content with and without an account, and a message of a match's chat. Makes a case old. */
async function reportEverything(): Promise<void> {
  const [one, two] = [await newVisitor(app), await newVisitor(app, { avatarId: uuidv7() })];
  const { id, teams } = await startTournament(app, { teams: 2, captains: [one.player.id, two.player.id] });
  const match = `/tournaments/${id}/matches/0`;
  const message = uuidv7();
  await two.client.post(match, { id: message, message: "Rude words" });
  const team = teams.find(({ captainId }) => captainId === two.player.id)?.id;
  const shown = [
    `/lfg/${await addPost(app, two.player.id)}`,
    `/players/${two.player.id}`,
    `/tournaments/${id}`,
    `/tournaments/${id}/teams/${team}`,
  ];
  const guest = app.client();
  const fields = { reason: "other", name: "A Visitor", email: `${unique("visitor-")}@lineup.test` };
  for (const page of shown) {
    for (const client of [one.client, guest]) {
      expect((await client.get(`${page}/report`)).status, page).toBe(200);
    }
    expect((await one.client.post(`${page}/report`, { id: uuidv7(), reason: "other" })).location).toBe(page);
    expect((await guest.post(`${page}/report`, { id: uuidv7(), ...fields })).location).toBe(page);
  }
  expect((await one.client.get(`${match}/report/${message}`)).status).toBe(200);
  const report = { id: uuidv7(), message, reason: "threats" };
  expect((await one.client.post(`${match}/report/${message}`, report)).location).toBe(match);
  const closed = new Date(Date.now() - 91 * DAY);
  await app.db
    .update(reportCases)
    .set({ state: "closed", closedAt: closed })
    .where(eq(reportCases.subjectId, two.player.id));
}

/** Hides one thing of each kind, and shows it again. */
async function hideThings(): Promise<void> {
  const { one, other, conversationId } = await newPair(app);
  const message = uuidv7();
  await sendTo(one.client, conversationId, "Hello", message);
  const { author, postId, askers } = await newPost(2, 1);
  await accept(author, postId, askers[0] as Visitor);
  await addSession(app.db, one.player, [other.player]);
  const feedback = uuidv7();
  await giveFeedback(one.client, other.player, { id: feedback });
  const { id: tournament } = await newTournament();
  const { teamId } = await newTeam(tournament);
  const things = [
    { kind: "message", id: message },
    { kind: "post", id: postId },
    { kind: "player", id: one.player.id },
    { kind: "review", id: feedback },
    { kind: "team", id: teamId },
    { kind: "tournament", id: tournament },
  ] as const;
  const { hide, restore } = hidingIn(app, proxy.url);
  for (const thing of things) await hide(thing);
  await one.client.get("/dashboard/profile");
  for (const thing of things) await restore(thing);
}

// On a busy machine, visiting every page of the product takes longer than the default limit of a minute.
test("Every query of the product uses an index, and none sorts an unbounded set", {
  timeout: 240_000,
}, async () => {
  proxy.clear();
  await visitEverything();
  await hideThings();
  const statements = new Map(proxy.statements.map((statement) => [statement.sql, statement]));
  expect(statements.size).toBeGreaterThan(30);
  expect(await planFaults(sqld.url, [...statements.values()])).toEqual([]);
});

test("A page reads at most 2 000 entries, even when a rare filter is combined with common ones", async () => {
  const author = await addPlayer(app);
  const client = createClient({ url: sqld.url });
  const now = Date.now();
  // 20 000 posts within six hours: the rare filter matches one in twenty, the common filter all, and the search none.
  const values = { required_role: "Duelist", region: "Korea", voice_comms: "none", needed_players: 1 };
  const others = { required_role: "Sentinel", region: "Brazil", voice_comms: "required", needed_players: 4 };
  const params = { required_role: "role", region: "region", voice_comms: "voice", needed_players: "players" };
  const columns = Object.keys(values) as (keyof typeof values)[];
  const visitor = await visitAs(app, author);
  const reads: Record<string, number> = {};
  for (const rare of columns) {
    await client.execute("DELETE FROM lfg_posts");
    const column = (name: keyof typeof values) =>
      name === rare ? `iif(i % 20 = 0, '${values[name]}', '${others[name]}')` : `'${values[name]}'`;
    await client.execute({
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO lfg_posts (id, user_id, title, search_text, ${columns.join(", ")}, is_active, created_at, listed_at, expires_at, updated_at)
        SELECT printf('00000000-0000-7000-8000-%012d', i), ?1, 'Skewed', 'skewed', ${columns.map(column).join(", ")},
          1, ?2 - i * 1000, ?2 - i * 1000, ?2 - i * 1000 + 86400000, ?2 FROM n`,
      args: [author.id, now],
    });
    for (const common of columns.filter((name) => name !== rare)) {
      const query = `${params[rare]}=${values[rare]}&${params[common]}=${values[common]}&q=nowhere`;
      proxy.clear();
      expect((await visitor.get(`/dashboard?${query}`)).status).toBe(200);
      const list = proxy.statements.filter(({ sql }) => /from "lfg_posts"/.test(sql) && !/count\(\*\)/.test(sql));
      reads[query] = list.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    }
  }
  client.close();
  expect(Object.fromEntries(Object.entries(reads).filter(([, rows]) => rows > 2_000))).toEqual({});
});
