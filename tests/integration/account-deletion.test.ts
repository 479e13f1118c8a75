import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import type { InboxCalls } from "#party/wire/calls";
import { eraseAccount, eraseDueAccounts } from "../../app/features/account/deletion.server";
import { leaveTeams } from "../../app/features/teams/shared/leaving.server";
import { createToken, hashToken } from "../../app/platform/crypto/crypto.server";
import { DEFAULT_LIMITS } from "../../app/platform/limits/limits.server";
import { recipientOf } from "../../app/platform/limits/recipient.server";
import { uuidv7 } from "../../db/ids";
import {
  blocks,
  conversations,
  followUps,
  lfgPosts,
  messages,
  notifications,
  outbox,
  profiles,
  rateLimits,
  sessions,
  tournamentOrganisers,
  tournaments,
  users,
} from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { announcements, field, links, meta, textOf } from "../support/html";
import { startTournament } from "../support/matches";
import { png } from "../support/pictures";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox, openRoom, openTournament } from "../support/socket";
import { addTournament } from "../support/tournaments";
import { startWatchedDatabase } from "../support/watched-database";
import {
  addPlayer,
  addPost,
  DAY,
  HOUR,
  MINUTE,
  newVisitor,
  openSession,
  type Player,
  unique,
  visitAs,
} from "./players";
import { registrationsIn } from "./registrations";
import { reportsIn } from "./reports";
import { contactAuthor, startConversation, type Visitor, write } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp({ emailProvider: true, ...appOptions });
const { accountOf, auditLinesOf, makeDeletionDue, profileOf } = recordsIn(app);
const { reportsBy, reportsOf } = reportsIn(app);

const { accept, newPost, newTeam, newsOf, postOf, stateOf } = teamsIn(app);
const { newTournament, teamsOf, tournamentOf } = registrationsIn(app);

const PAGE = "/dashboard/settings/delete-account";

const requestDeletion = (client: Client, player: Player) => client.post(PAGE, { email: player.email });

/** The table names of the rows that contain the text in any column; a table with several such rows is repeated. */
async function rowsThatHold(text: string): Promise<string[]> {
  const tables = await app.db.all<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%drizzle%'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await app.db.all<Record<string, unknown>>(sql`SELECT * FROM ${sql.identifier(name)}`);
    for (const row of rows) if (JSON.stringify(row).includes(text)) found.push(name);
  }
  return found;
}

describe("requesting the deletion of an account", () => {
  test("ends all sessions and sockets, closes open posts, and emails the day and a way to undo it", async () => {
    const { player, client } = await newVisitor(app);
    const phone = await visitAs(app, player);
    const inbox = await openInbox(phone);
    const post = await addPost(app, player.id);
    const other = await addPost(app, (await addPlayer(app)).id);
    const answer = await client.submit(PAGE, "Delete Account", { email: ` ${player.email.toUpperCase()} ` });
    expect([answer.status, answer.location]).toEqual([303, "/auth"]);
    const due = (await accountOf(player))?.deletionDueAt as Date;
    expect(due.getTime() - Date.now()).toBeGreaterThan(7 * DAY - MINUTE);
    expect(due.getTime() - Date.now()).toBeLessThanOrEqual(7 * DAY);
    const [toast = ""] = announcements((await client.follow(answer)).text);
    const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" }).format(due);
    expect(toast).toBe(`Your account will be deleted on ${date} Sign in before then to keep it.`);

    await inbox.ended;
    expect(inbox.end?.code).toBe(4401);
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toEqual([]);
    expect((await phone.get("/dashboard")).location).toBe("/auth");
    const posts = await app.db.select().from(lfgPosts);
    const isActive = (id: string) => posts.find((one) => one.id === id)?.isActive;
    expect([isActive(post), isActive(other)]).toEqual([false, true]);
    expect(await auditLinesOf(player)).toEqual(["player: deletion-scheduled"]);

    const email = await app.readEmail(player.email);
    expect(email.subject).toBe("Your Lineup account will be deleted");
    expect(email.text).toContain(date);
    expect(email.link).toBe(`/auth?redirectTo=${encodeURIComponent(PAGE)}`);
  });

  test("takes two round trips, and so does keeping the account", async () => {
    const { player, client } = await newVisitor(app);
    expect(roundTrips(await requestDeletion(client, player))).toBe(2);
    const back = await visitAs(app, player);
    expect(roundTrips(await back.get(PAGE))).toBe(1);
    expect(roundTrips(await back.post(PAGE, { intent: "keep" }))).toBe(2);
  });

  test.each([
    ["nothing", "", "Enter your email address."],
    ["another address", "someone-else@lineup.test", "That's not your account's email address."],
    ["something else", "delete", "That's not your account's email address."],
  ])("with %s typed is refused at the field, and changes nothing", async (_, email, sentence) => {
    const { player, client } = await newVisitor(app);
    const answer = await client.post(PAGE, { email });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "email")).toMatchObject({ invalid: true, value: email });
    expect(field(answer.text, "email").description).toContain(sentence);
    expect((await accountOf(player))?.deletionDueAt).toBeNull();
    expect((await client.get("/dashboard")).status).toBe(200);
  });

  test("needs a recent sign-in: an old session is asked to confirm its identity first, and loses nothing", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    const old = await openSession(app, player.id, { createdAt: new Date(Date.now() - HOUR) });
    client.cookies.set("lineup_session", old.cookie);
    const asked = `/auth/reauthenticate?redirectTo=${encodeURIComponent(PAGE)}`;
    const page = await client.get(PAGE);
    expect(page.text).not.toContain('name="email"');
    expect(links(page.text)).toContainEqual({ text: "Continue", href: asked });
    const answer = await requestDeletion(client, player);
    expect([answer.status, answer.location]).toEqual([303, asked]);
    expect((await accountOf(player))?.deletionDueAt).toBeNull();
  });

  test("is only for the signed-in player's own account", async () => {
    const victim = await addPlayer(app);
    const stranger = app.client();
    const answer = await requestDeletion(stranger, victim);
    expect([401, 302, 303]).toContain(answer.status);
    const { client } = await newVisitor(app);
    expect((await requestDeletion(client, victim)).status).toBe(400);
    expect((await accountOf(victim))?.deletionDueAt).toBeNull();
  });

  test("does not happen on GET", async () => {
    const { player, client } = await newVisitor(app);
    await client.get(`${PAGE}?email=${player.email}`);
    await client.get(`${PAGE}?intent=keep`);
    expect((await accountOf(player))?.deletionDueAt).toBeNull();
  });
});

describe("within the seven days", () => {
  test("signing in works, and every dashboard page announces the deletion until the account is kept", async () => {
    const { player, client } = await newVisitor(app);
    await requestDeletion(client, player);
    const back = app.client();
    const answer = await back.submit(`/auth?redirectTo=${encodeURIComponent(PAGE)}`, "Sign In", {
      email: player.email,
      password: PASSWORD,
    });
    expect(answer.location).toBe(PAGE);
    for (const page of ["/dashboard", "/dashboard/messages", "/dashboard/settings", PAGE]) {
      expect(textOf((await back.get(page)).text), page).toMatch(/Your account will be deleted on \d+ \w+ \d{4}\./);
    }
    const kept = await back.submit("/dashboard/profile", "Keep My Account");
    expect(kept.location).toBe("/dashboard");
    const page = await back.follow(kept);
    expect(announcements(page.text)).toContain(
      "Your account stays Closed posts and cancelled tournaments stay that way.",
    );
    expect(textOf(page.text)).not.toContain("will be deleted");
    expect((await accountOf(player))?.deletionDueAt).toBeNull();
    expect(await auditLinesOf(player)).toEqual(["player: deletion-cancelled", "player: deletion-scheduled"]);
    await app.runScheduled();
    expect(await accountOf(player)).toBeDefined();
  });

  test("others can open the page of a player who goes on posting, and write to, block and report them", async () => {
    const leaver = await newVisitor(app, { riotGameName: "Leaver", isListed: true });
    const robots = async () => meta((await app.client().get(`/players/${leaver.player.id}`)).text, "robots");
    expect(await robots()).toBeNull();
    await requestDeletion(leaver.client, leaver.player);
    expect(await robots()).toContain("noindex");
    const postId = await addPost(app, leaver.player.id);
    const other = await newVisitor(app);
    const post = await other.client.get(`/lfg/${postId}`);
    const page = `/players/${leaver.player.id}`;
    const ways = links(post.text).filter(({ href }) => href.startsWith(page));
    expect(ways.map(({ text }) => text)).toEqual(expect.arrayContaining(["Leaver", "Block"]));
    for (const { text, href } of [...ways, { text: "Card", href: `${page}/card` }]) {
      expect((await other.client.get(href)).status, text).toBe(200);
    }
    expect((await app.client().get(page)).status).toBe(200);

    const sent = await other.client.submit(`${page}/message`, "Send Message", { message: "Still here?" });
    expect([sent.status, sent.location]).toEqual([303, page]);
    const reported = await other.client.submit(`${page}/report`, "Send Report", { reason: "spam" });
    expect(reported.status).toBe(303);
    expect(await reportsBy(other.player.id)).toMatchObject([{ kind: "player", subjectId: leaver.player.id }]);
    const block = ways.find(({ text }) => text === "Block");
    const blocked = await other.client.submit(block?.href ?? "", "Block");
    expect([blocked.status, blocked.location]).toEqual([303, `/lfg/${postId}`]);
    const isOfBoth = and(eq(blocks.blockerId, other.player.id), eq(blocks.blockedId, leaver.player.id));
    expect(await app.db.$count(blocks, isOfBoth)).toBe(1);
  });

  test("the player has left the teams that have not played yet, and the player's requests are withdrawn", async () => {
    const { author, postId, members } = await newTeam(1, 2);
    const [member] = members as [Visitor];
    const asked = await addPost(app, author.player.id);
    await requestToJoin(member.client, asked);
    await requestDeletion(member.client, member.player);
    await expect.poll(() => stateOf(postId, member.player)).toBe("left");
    await expect.poll(() => stateOf(asked, member.player)).toBe("withdrawn");
    expect((await postOf(postId)).takenSpots).toBe(0);
    expect(await newsOf(author.player, `post:${postId}`)).toContainEqual(
      expect.objectContaining({ kind: "team-change" }),
    );
  });

  test("all teams are told that the player leaves, even if leaving one of them fails", async () => {
    const teams = [await newTeam(1, 2), await newTeam(1, 2)];
    const [{ members }, other] = teams as [(typeof teams)[0], (typeof teams)[0]];
    const [{ player }] = members as [Visitor];
    await requestToJoin((members[0] as Visitor).client, other.postId);
    await accept(other.author, other.postId, members[0] as Visitor);
    let calls = 0;
    const db = new Proxy(app.db, {
      get(target, name) {
        if (name !== "batch" || ++calls > 1) return Reflect.get(target, name);
        return async () => {
          throw new Error("Cut off");
        };
      },
    });
    const departures: { conversationId: string | null; recipientId: string }[] = [];
    const left = leaveTeams(db, player.id, new Date(), {
      departed: (departure) => departures.push(departure),
      withdrew: () => {},
    });
    await expect(left).rejects.toThrow("Cut off");
    // The departure may be stored although the response was lost.
    const chats = teams.map(async ({ postId }) => (await postOf(postId)).conversationId);
    expect(departures.map(({ conversationId }) => conversationId).sort()).toEqual((await Promise.all(chats)).sort());
    const authors = teams.map(({ author }) => author.player.id);
    expect(departures.map(({ recipientId }) => recipientId).sort()).toEqual(authors.sort());
  });

  test("a post's author is told of a withdrawn request, even if the database's response is lost", async () => {
    const { author, postId, askers } = await newPost(1, 1);
    const [{ player }] = askers as [Visitor];
    const db = new Proxy(app.db, {
      get(target, name) {
        if (name !== "batch") return Reflect.get(target, name);
        return async (...parts: Parameters<typeof target.batch>) => {
          await target.batch(...parts);
          throw new Error("Cut off");
        };
      },
    });
    const told: string[] = [];
    const left = leaveTeams(db, player.id, new Date(), {
      departed: () => {},
      withdrew: (authorId) => void told.push(authorId),
    });
    await expect(left).rejects.toThrow("Cut off");
    expect([await stateOf(postId, player), told]).toEqual(["withdrawn", [author.player.id]]);
  });

  test("a player who is accepted at that moment leaves the team again", async () => {
    const { author, postId, askers } = await newPost(2, 1);
    const [asker] = askers as [Visitor];
    // The author accepts the request after it has been read, and before it is withdrawn.
    const all = async (query: SQL) => {
      const rows = await app.db.all(query);
      await accept(author, postId, asker);
      return rows;
    };
    let isRead = false;
    const db = new Proxy(app.db, {
      get(target, name) {
        if (name !== "all" || isRead) return Reflect.get(target, name);
        isRead = true;
        return all;
      },
    });
    const departures: unknown[] = [];
    await leaveTeams(db, asker.player.id, new Date(), {
      departed: (departure) => departures.push(departure),
      withdrew: () => {},
    });
    expect(departures).toMatchObject([{ postId, playerId: asker.player.id }]);
    expect(await stateOf(postId, asker.player)).toBe("left");
    expect((await postOf(postId)).takenSpots).toBe(0);
  });

  test("asking again doesn't change the day, and keeping the account twice is no error", async () => {
    const { player, client } = await newVisitor(app);
    await requestDeletion(client, player);
    const day = new Date(Date.now() + DAY);
    await app.db.update(users).set({ deletionDueAt: day }).where(eq(users.id, player.id));
    const back = await visitAs(app, player);
    await requestDeletion(back, player);
    expect((await accountOf(player))?.deletionDueAt).toEqual(day);
    const again = await visitAs(app, player);
    for (let press = 0; press < 2; press += 1) {
      expect((await again.post(PAGE, { intent: "keep" })).location).toBe("/dashboard");
    }
    expect((await auditLinesOf(player)).filter((entry) => entry.endsWith("deletion-cancelled"))).toHaveLength(1);
  });

  test("keeping the account twice at the same time is no error either", async () => {
    const { player, client } = await newVisitor(app);
    await requestDeletion(client, player);
    const back = await visitAs(app, player);
    const locations: (string | null)[] = [];
    const keep = async () => void locations.push((await back.post(PAGE, { intent: "keep" })).location);
    // Both clicks read the account before the deletion is cancelled.
    proxy.before = { words: '"deletion-cancelled"', run: keep };
    await keep();
    expect(locations).toEqual(["/dashboard", "/dashboard"]);
    expect((await auditLinesOf(player)).filter((entry) => entry.endsWith("deletion-cancelled"))).toHaveLength(1);
  });

  test("only the player can keep the account", async () => {
    const { player, client } = await newVisitor(app);
    await requestDeletion(client, player);
    expect((await app.client().post(PAGE, { intent: "keep" })).location).toMatch(/^\/auth/);
    const stranger = await newVisitor(app);
    await stranger.client.post(PAGE, { intent: "keep", userId: player.id });
    expect((await accountOf(player))?.deletionDueAt).not.toBeNull();
  });

  test("the cron erases nothing within the seven days, after which the account can't be kept", async () => {
    const { player, client } = await newVisitor(app);
    await requestDeletion(client, player);
    await app.runScheduled();
    expect(await accountOf(player)).toBeDefined();
    const back = await visitAs(app, player);
    await makeDeletionDue(player);
    const late = await back.follow(await back.post(PAGE, { intent: "keep" }));
    expect(announcements(late.text)).toContain("Error keeping account It's too late to keep this account.");
    await app.runScheduled();
    expect(await accountOf(player)).toBeUndefined();
    expect((await back.get("/dashboard")).location).toBe("/auth");
  });
});

describe("a request for deletion after which a team and a tournament can't be left at first", () => {
  /** A member of a team hosts a tournament, and asks for deletion while the database lets them leave neither. */
  async function newStuckPlayer() {
    const { postId, members } = await newTeam(1, 2);
    const [{ player, client }] = members as [Visitor];
    const own = await addPost(app, player.id);
    const { id } = await newTournament({ userId: player.id });
    const places = async () => [await stateOf(postId, player), (await tournamentOf(id)).state];
    const release = async () => {
      for (const trigger of ["no_team_left", "no_tournament_left"]) {
        await app.db.run(sql.raw(`DROP TRIGGER IF EXISTS ${trigger}`));
      }
    };
    for (const [trigger, table, which] of [
      ["no_team_left", "join_requests", `old.user_id = '${player.id}'`],
      ["no_tournament_left", "tournaments", `old.id = '${id}'`],
    ] as const) {
      await app.db.run(
        sql.raw(`CREATE TRIGGER ${trigger} BEFORE UPDATE ON ${table} WHEN ${which}
          BEGIN SELECT RAISE(ABORT, 'not now'); END`),
      );
    }
    onTestFinished(release);
    const before = app.logs.length;
    expect((await requestDeletion(client, player)).location).toBe("/auth");
    await expect
      .poll(() => app.logs.slice(before).some(({ message }) => message.includes("Deferred work failed")), {
        timeout: 10_000,
      })
      .toBe(true);
    await release();
    expect(await places()).toEqual(["accepted", "open"]);
    return { player, own, places, back: () => visitAs(app, player) };
  }

  /** Runs the cron when the next attempt is due. */
  async function runAgain({ id }: Player) {
    await app.db.update(followUps).set({ dueAt: null }).where(eq(followUps.subjectId, id));
    await app.runScheduled();
  }

  const followUpsOf = (...ids: string[]) => app.db.$count(followUps, inArray(followUps.subjectId, ids));

  test("takes the player out of both with the cron's next run", async () => {
    const { player, own, places } = await newStuckPlayer();
    await runAgain(player);
    expect(await places()).toEqual(["left", "cancelled"]);
    expect(await followUpsOf(player.id, own)).toBe(0);
  });

  test("leaves the player where they are, if they have kept the account by then", async () => {
    const { player, places, back } = await newStuckPlayer();
    expect((await (await back()).post(PAGE, { intent: "keep" })).location).toBe("/dashboard");
    await runAgain(player);
    expect(await places()).toEqual(["accepted", "open"]);
    expect(await followUpsOf(player.id)).toBe(0);
  });

  test("doesn't take the player out of what they have joined since, then or later", async () => {
    const { player, places, back } = await newStuckPlayer();
    const visitor = { player, client: await back() };
    const { author, postId } = await newPost(1, 0);
    expect((await requestToJoin(visitor.client, postId)).status).toBe(303);
    await accept(author, postId, visitor);
    const asked = await addPost(app, author.player.id);
    expect((await requestToJoin(visitor.client, asked)).status).toBe(303);
    const hosted = await newTournament({ userId: player.id });
    const played = await startTournament(app, { teams: 2, captains: [player.id] });
    const other = await newVisitor(app);
    const helped = await newTournament({ userId: other.player.id });
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: helped.id, userId: player.id, addedAt: new Date() });
    const isOrganiser = async () => (await app.db.$count(tournamentOrganisers, isHelper)) === 1;
    const isHelper = and(eq(tournamentOrganisers.tournamentId, helped.id), eq(tournamentOrganisers.userId, player.id));
    const joined = async () => [
      await stateOf(postId, player),
      await stateOf(asked, player),
      (await tournamentOf(hosted.id)).state,
      (await teamsOf(played.id)).filter(({ captainId }) => captainId === player.id).length,
    ];
    const stillJoined = ["accepted", "pending", "open", 1];
    expect(await joined()).toEqual(stillJoined);
    await runAgain(player);
    expect(await places()).toEqual(["left", "cancelled"]);
    expect([await joined(), await isOrganiser()]).toEqual([stillJoined, true]);
    // A block stores a follow-up of its own for the organiser.
    await visitor.client.post(`/players/${other.player.id}/block`, { intent: "block" });
    await expect
      .poll(async () => [await isOrganiser(), await followUpsOf(player.id)], { timeout: 10_000 })
      .toEqual([false, 0]);
    expect(await joined()).toEqual(stillJoined);
  });
});

describe("after seven days", () => {
  test("the account is gone with all its data, and others keep its messages, from Unknown User", async () => {
    const name = unique("Leaver");
    const { player, client } = await newVisitor(app, {
      riotGameName: name,
      riotId: `${name}#EUW`,
      discordTag: `${name}.d`,
    });
    const other = await newVisitor(app);
    const { conversationId, postId } = await startConversation(app, { author: { player, client }, reader: other });
    await write(client, conversationId, "Are you there?");
    const theirPost = await addPost(app, other.player.id);
    await contactAuthor(client, theirPost, "And here");
    await requestDeletion(client, player);
    await app.readEmail(player.email);
    await makeDeletionDue(player);
    await app.runScheduled();

    expect(await rowsThatHold(player.email)).toEqual([]);
    expect(await rowsThatHold(hashToken(player.email))).toEqual([]);
    expect(await rowsThatHold(name)).toEqual([]);
    // The id remains only in the log, in the conversations' pair keys, and as the receiver of others' messages.
    expect([...new Set(await rowsThatHold(player.id))].sort()).toEqual(["audit_log", "conversations", "messages"]);
    expect((await auditLinesOf(player))[0]).toBe("system: erased");

    const said = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(said.map(({ content, senderId }) => [content, senderId])).toEqual([
      ["Hi there", other.player.id],
      ["Are you there?", null],
      ["And here", null],
    ]);
    const thread = `/dashboard/messages/${conversationId}`;
    const page = await other.client.get(thread);
    expect(page.status).toBe(200);
    expect(textOf(page.text)).toContain("Are you there?");
    expect(textOf(page.text)).toContain("This player's account is gone.");
    const list = textOf((await other.client.get("/dashboard/messages")).text);
    expect(list).toContain("Unknown User");
    const bell = textOf((await other.client.get("/dashboard/notifications")).text);
    expect(bell).toContain("Unknown User");
    expect((await app.client().get(`/lfg/${postId}`)).status).toBe(404);
    const refused = await app.client().post("/auth", { email: player.email, password: PASSWORD });
    expect(refused.status).toBe(400);
    expect(announcements(refused.text)).toContain("Error signing in Wrong email or password.");
  });

  /** Adds a player with a picture, whose deletion is due. @returns the picture's path */
  async function newPortrayedLeaver() {
    const { player, client } = await newVisitor(app);
    const body = new FormData();
    body.set("picture", new File([new Uint8Array(png(40, 30))], "me.png"));
    expect((await client.request("/dashboard/profile/picture", { method: "POST", body })).status).toBe(303);
    const profile = await app.db.select().from(profiles).where(eq(profiles.userId, player.id)).get();
    const picture = `/avatars/${profile?.avatarId}`;
    expect((await app.client().get(picture)).status).toBe(200);
    await makeDeletionDue(player);
    return { player, picture };
  }

  test("open lists drop the player's open posts, and open chats of their teams reload, in the same run", async () => {
    const { author, postId, members, conversationId } = await newTeam(1, 2);
    const [{ client }] = members as [Visitor];
    const list = await openRoom(client, `/parties/posts?since=${Date.now()}&shown=${postId}`);
    const chat = await openConversation(client, conversationId);
    await Promise.all([list.next("list"), chat.next("hello")]);
    await makeDeletionDue(author.player);
    await app.runScheduled();
    await list.next("post", ({ id, isOpen }) => id === postId && !isOpen);
    await chat.next("team");
    for (const socket of [list, chat]) socket.close();
  });

  test("rooms forget when the player was online, in the same run, and open chats show them as offline", async () => {
    const [leaver, other] = [await newVisitor(app), await newVisitor(app)];
    const { conversationId } = await startConversation(app, { author: leaver, reader: other });
    await write(leaver.client, conversationId, "Hello");
    const tab = await openInbox(leaver.client);
    const chat = await openConversation(other.client, conversationId);
    await chat.next("presence", ({ userId, state }) => userId === leaver.player.id && state === "online");
    await makeDeletionDue(leaver.player);
    await app.runScheduled();
    expect((await tab.closed()).code).toBe(4401);
    await chat.next("presence", ({ userId, state }) => userId === leaver.player.id && state === "offline");
    const inboxes = await app.miniflare.getDurableObjectNamespace("INBOX_ROOMS");
    const inbox = inboxes.get(inboxes.idFromName(leaver.player.id)) as unknown as InboxCalls;
    expect(await inbox.watch(conversationId)).toBeNull();
    chat.close();
  });

  test("an account that can't be erased counts as a failure of the cron's run, and the next run tries again", async () => {
    const { player } = await newVisitor(app);
    await makeDeletionDue(player);
    await app.db.run(
      sql.raw(`CREATE TRIGGER refuse_erasure BEFORE DELETE ON users WHEN old.id = '${player.id}'
        BEGIN SELECT RAISE(ABORT, 'refused'); END`),
    );
    const before = app.logs.length;
    await app.runScheduled();
    await app.db.run(sql`DROP TRIGGER refuse_erasure`);
    const lines = app.logs.slice(before).map(({ message }) => JSON.parse(message));
    expect(lines).toContainEqual(expect.objectContaining({ message: "Housekeeping failed", task: "accounts" }));
    expect(lines.at(-1)).toMatchObject({ message: "housekeeping", failures: 1 });
    await app.runScheduled();
    expect(await accountOf(player)).toBeUndefined();
  });

  test("the picture is gone from the bucket", async () => {
    const { picture } = await newPortrayedLeaver();
    await app.runScheduled();
    expect((await app.client().get(picture)).status).toBe(404);
  });

  test("the picture is gone after the next run, if the bucket failed in this one", async () => {
    const { player, picture } = await newPortrayedLeaver();
    await eraseDueAccounts({ db: app.db, now: new Date(), keys: [] }, 20, async () => undefined);
    expect(await accountOf(player)).toBeUndefined();
    expect((await app.client().get(picture)).status).toBe(200);
    await app.runScheduled();
    expect((await app.client().get(picture)).status).toBe(404);
  });

  test("a team joined in the meantime gets its spot back, and takes the next player into its chat", async () => {
    const { author, postId, askers } = await newPost(2, 1);
    const [leaver] = askers as [Visitor];
    await requestDeletion(leaver.client, leaver.player);
    await expect.poll(() => stateOf(postId, leaver.player)).toBe("withdrawn");
    const again = await visitAs(app, leaver.player);
    await requestToJoin(again, postId);
    await accept(author, postId, { ...leaver, client: again });
    expect((await postOf(postId)).takenSpots).toBe(1);
    await makeDeletionDue(leaver.player);
    await app.runScheduled();
    expect(await accountOf(leaver.player)).toBeUndefined();
    expect((await postOf(postId)).takenSpots).toBe(0);
    const next = await newVisitor(app);
    await requestToJoin(next.client, postId);
    await accept(author, postId, next);
    const { conversationId, takenSpots } = await postOf(postId);
    expect(takenSpots).toBe(1);
    expect((await next.client.get(`/dashboard/messages/${conversationId}`)).status).toBe(200);
  });

  test("a player who is accepted, or asks, while the account is being erased is taken out by the next run", async () => {
    for (const way of ["accepted", "asked"]) {
      const { author, postId, askers } = await newPost(2, 1);
      const [leaver] = askers as [Visitor];
      await makeDeletionDue(leaver.player);
      // As if this happened right after the run has withdrawn the player's requests.
      await eraseDueAccounts({ db: app.db, now: new Date(), keys: [] }, 20, async (userId) => {
        if (userId === leaver.player.id && way === "accepted") await accept(author, postId, leaver);
      });
      expect(await accountOf(leaver.player), way).toBeDefined();
      expect(await auditLinesOf(leaver.player), way).toEqual([]);
      await app.runScheduled();
      expect(await accountOf(leaver.player), way).toBeUndefined();
      expect(await postOf(postId), way).toMatchObject({ takenSpots: 0, isActive: true });
      const next = await newVisitor(app);
      await requestToJoin(next.client, postId);
      await accept(author, postId, next);
      const { conversationId } = await postOf(postId);
      expect((await next.client.get(`/dashboard/messages/${conversationId}`)).status, way).toBe(200);
    }
  });

  test("tournaments are left while a team can't be left yet, and the next run erases the account", async () => {
    const { members } = await newTeam(1);
    const [{ player }] = members as [Visitor];
    const { id } = await addTournament(app.db, { teams: 0, state: "open", userId: player.id });
    await makeDeletionDue(player);
    await app.db.run(
      sql.raw(`CREATE TRIGGER no_leaving BEFORE UPDATE ON join_requests WHEN old.user_id = '${player.id}'
        BEGIN SELECT RAISE(ABORT, 'not now'); END`),
    );
    await app.runScheduled();
    await app.db.run(sql`DROP TRIGGER no_leaving`);
    const stateNow = async () => (await app.db.select().from(tournaments).where(eq(tournaments.id, id)).get())?.state;
    expect([await stateNow(), (await accountOf(player))?.id]).toEqual(["cancelled", player.id]);
    await app.runScheduled();
    expect(await accountOf(player)).toBeUndefined();
  });

  test("other players' notifications about the posts are deleted with the posts, so none leads to a 404", async () => {
    const [author, one, other] = [await newVisitor(app), await newVisitor(app), await newVisitor(app)];
    const postId = await addSession(app.db, author.player, [one.player, other.player]);
    for (const { player } of [one, other]) {
      for (const [kind, subject] of [
        ["feedback", `team:${postId}`],
        ["join-accepted", `post:${postId}`],
      ] as const) {
        const data = { title: "Trio for Lotus", name: "Author", count: 1 };
        const news = { id: uuidv7(), userId: player.id, kind, subject, data, createdAt: new Date() };
        await app.db.insert(notifications).values(news);
      }
    }
    const leads = async ({ client }: Visitor) =>
      links((await client.get("/dashboard/notifications")).text).filter(({ href }) => href.includes(postId));
    expect(await leads(one)).toHaveLength(2);
    await makeDeletionDue(author.player);
    await app.runScheduled();
    for (const member of [one, other]) expect(await leads(member)).toEqual([]);
  });

  test("an author whose last teammate is gone keeps no question about the session, which would lead to a 404", async () => {
    const [author, one, other] = [await newVisitor(app), await newVisitor(app), await newVisitor(app)];
    const postId = await addSession(app.db, author.player, [one.player, other.player]);
    await app.db.insert(notifications).values({
      id: uuidv7(),
      userId: author.player.id,
      kind: "feedback",
      subject: `team:${postId}`,
      data: { title: "Trio for Lotus", count: 1 },
      createdAt: new Date(),
    });
    const question = `/dashboard/feedback/${postId}`;
    const asks = async () =>
      links((await author.client.get("/dashboard/notifications")).text).some(({ href }) => href === question);
    await makeDeletionDue(one.player);
    await app.runScheduled();
    expect(await asks()).toBe(true);
    expect((await author.client.get(question)).status).toBe(200);
    await makeDeletionDue(other.player);
    await app.runScheduled();
    expect((await author.client.get(question)).status).toBe(404);
    expect(await asks()).toBe(false);
  });

  test("the news of teams no longer names the player, and a request that waited is withdrawn", async () => {
    const { author, postId, members } = await newTeam(1, 2);
    const [member] = members as [Visitor];
    const asked = await addPost(app, author.player.id);
    await requestToJoin(member.client, asked);
    expect(await newsOf(author.player, `post:${asked}`)).toMatchObject([{ kind: "join-request" }]);
    const read = await addPost(app, author.player.id);
    await requestToJoin(member.client, read);
    const isRead = and(eq(notifications.userId, author.player.id), eq(notifications.subject, `post:${read}`));
    await app.db.update(notifications).set({ readAt: new Date() }).where(isRead);
    await makeDeletionDue(member.player);
    await app.runScheduled();
    expect(await app.db.select().from(notifications).where(isRead)).toMatchObject([
      { kind: "join-request", data: { name: "Unknown User" } },
    ]);
    expect(await newsOf(author.player, `post:${postId}`)).toMatchObject([
      { kind: "team-change", name: "Unknown User" },
    ]);
    expect(await newsOf(author.player, `post:${asked}`)).toEqual([]);
  });

  test("the news of a team's chat that the player has left no longer names the player", async () => {
    const { author, postId, members, conversationId } = await newTeam(1);
    const [leaver] = members as [Visitor];
    const { riotGameName } = await profileOf(leaver.player);
    await write(leaver.client, conversationId, "On my way");
    await requestDeletion(leaver.client, leaver.player);
    await expect.poll(() => stateOf(postId, leaver.player)).toBe("left");
    await makeDeletionDue(leaver.player);
    await app.runScheduled();
    expect(await newsOf(author.player, `conversation:${conversationId}`)).toMatchObject([
      { kind: "message", name: "Unknown User", preview: "On my way" },
    ]);
    expect(await rowsThatHold(riotGameName as string)).toEqual([]);
    const holders = await rowsThatHold(leaver.player.id);
    for (const table of ["notifications", "conversations"]) expect(holders).not.toContain(table);
  });

  test("the news that names the player by a former name no longer does", async () => {
    const former = unique("Former");
    const leaver = await newVisitor(app, { riotGameName: former });
    const { author, postId } = await newPost(1, 0);
    await requestToJoin(leaver.client, postId);
    await accept(author, postId, leaver);
    await pressTeamButton(leaver.client, postId, "leave");
    const asked = await addPost(app, author.player.id);
    await requestToJoin(leaver.client, asked);
    // News that has been read stays when the request is withdrawn.
    await app.db.update(notifications).set({ readAt: new Date() }).where(eq(notifications.userId, author.player.id));
    const renamed = { riotGameName: unique("Renamed") };
    await app.db.update(profiles).set(renamed).where(eq(profiles.userId, leaver.player.id));
    expect(await rowsThatHold(former)).not.toEqual([]);
    await makeDeletionDue(leaver.player);
    await app.runScheduled();
    expect(await rowsThatHold(former)).toEqual([]);
    const bell = textOf((await author.client.get("/dashboard/notifications")).text);
    expect(bell).toContain("Unknown User wants to join");
    expect(bell).toContain("Unknown User left your team");
  });

  test("in a chat of several, the news of other players' messages goes on naming them", async () => {
    const { author, postId, members, conversationId } = await newTeam(2);
    const [leaver, reader] = members as [Visitor, Visitor];
    await app.db.update(lfgPosts).set({ sessionEndedAt: new Date() }).where(eq(lfgPosts.id, postId));
    await write(leaver.client, conversationId, "Good game");
    await write(author.client, conversationId, "See you tomorrow");
    await makeDeletionDue(leaver.player);
    await app.runScheduled();
    expect(await accountOf(leaver.player)).toBeUndefined();
    const { riotGameName } = await profileOf(author.player);
    const bell = await reader.client.get("/dashboard/notifications");
    expect(textOf(bell.text)).toContain(`${riotGameName}: See you tomorrow`);
    // The block finds the news of the author's message by who caused it, and removes it. The other news is left.
    await reader.client.post(`/players/${author.player.id}/block`, { intent: "block" });
    for (const { player } of [reader, author]) {
      expect(await newsOf(player, `conversation:${conversationId}`)).toMatchObject([
        { kind: "message", name: "Unknown User", preview: "Good game" },
      ]);
    }
  });

  test("the player's rate limit counters are deleted, but not before the account is", async () => {
    const player = await addPlayer(app, { email: `${unique("leaver-")}+lineup@lineup.test` });
    const stranger = await addPlayer(app);
    const countedOf = (who: Player) => {
      const counted = [...Object.keys(DEFAULT_LIMITS), "try:signIn", "try:twoFactor", "try:reauthenticate"];
      const hash = hashToken(who.email);
      return [
        ...counted.flatMap((name) => [`${name}:${who.id}`, `${name}:${hash}`]),
        `try:signIn:${hash}:${createToken()}`,
        `verificationEmailTo:${recipientOf(who.email)}:sign-in:192.0.2.0/24`,
      ];
    };
    const [ofPlayer, ofStranger] = [countedOf(player), countedOf(stranger)];
    const keys = [...ofPlayer, ...ofStranger];
    const windowEndsAt = new Date(Date.now() + DAY);
    await app.db.insert(rateLimits).values(keys.map((key) => ({ key, count: 3, windowEndsAt })));
    const left = async () => {
      const rows = await app.db.select({ key: rateLimits.key }).from(rateLimits).where(inArray(rateLimits.key, keys));
      return rows.map(({ key }) => key).sort();
    };
    // As if the player had kept the account after the cron had read it: the condition fails.
    await eraseAccount(
      { db: app.db, now: new Date(), keys: [] },
      player,
      "system",
      sql`leaver.deletion_due_at <= ${Date.now()}`,
    );
    expect(await accountOf(player)).toBeDefined();
    expect(await left()).toEqual([...keys].sort());

    await makeDeletionDue(player);
    await app.runScheduled();
    expect(await accountOf(player)).toBeUndefined();
    expect(await left()).toEqual(ofStranger.sort());
  });

  test("an address that the player never confirmed keeps its owner's reports, emails and counters", async () => {
    const email = `${unique("owner-")}@lineup.test`;
    const thing = await addPlayer(app);
    const report = { id: uuidv7(), reason: "spam", name: "The Owner", email };
    expect((await app.client().post(`/players/${thing.id}/report`, report)).status).toBe(303);
    const answer = { id: uuidv7(), recipient: email, subject: "We've answered your report" };
    await app.db.insert(outbox).values({ ...answer, createdAt: new Date(), dueAt: new Date(Date.now() + DAY) });
    const leaver = await addPlayer(app, { email, emailConfirmedAt: null });
    const [ofAddress, ofPlayer] = [`try:signIn:${hashToken(email)}`, `report:${leaver.id}`];
    const windowEndsAt = new Date(Date.now() + DAY);
    await app.db.insert(rateLimits).values([ofAddress, ofPlayer].map((key) => ({ key, count: 3, windowEndsAt })));
    await makeDeletionDue(leaver);
    await app.runScheduled();
    expect(await accountOf(leaver)).toBeUndefined();
    expect(await reportsOf("player", thing.id)).toMatchObject([{ reporterName: "The Owner", reporterEmail: email }]);
    expect(await app.db.$count(outbox, eq(outbox.id, answer.id))).toBe(1);
    const left = await app.db
      .select()
      .from(rateLimits)
      .where(inArray(rateLimits.key, [ofAddress, ofPlayer]));
    expect(left.map(({ key }) => key)).toEqual([ofAddress]);
  });

  test("the evidence of the player's disputes is gone, and the disputes stay", async () => {
    const [{ player }, rival] = [await newVisitor(app), await newVisitor(app)];
    const { id, execute } = await startTournament(app, { teams: 2, captains: [player.id, rival.player.id] });
    const evidence = unique("Call me at this address ");
    await execute({ type: "dispute", match: 0, evidence }, player.id);
    expect((await rowsThatHold(evidence)).sort()).toEqual(["tournament_events", "tournament_matches"]);
    await makeDeletionDue(player);
    await app.runScheduled();
    expect(await rowsThatHold(evidence)).toEqual([]);
    expect(textOf((await rival.client.get(`/tournaments/${id}/matches/0`)).text)).toContain("disputes this match");
  });

  test("the evidence of the player's disputes disappears from open pages in the same run", async () => {
    const [{ player }, rival] = [await newVisitor(app), await newVisitor(app)];
    const captains = [player.id, rival.player.id];
    const { id, hostId, execute } = await startTournament(app, { teams: 2, captains });
    const evidence = unique("Call me at this address ");
    await execute({ type: "dispute", match: 0, evidence }, player.id);
    // Leaving a tournament that is over tells nobody.
    await execute({ type: "rule", match: 0, forfeits: 2 }, hostId);
    const page = async () => (await rival.client.get(`/tournaments/${id}/matches/0`)).text;
    expect(await page()).toContain(evidence);
    const room = await openTournament(rival.client, id);
    await makeDeletionDue(player);
    await app.runScheduled();
    await room.next("changed");
    room.close();
    expect(await page()).not.toContain(evidence);
  });

  test("a conversation whose last member is erased is deleted, too", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    for (const { player } of [author, reader]) await makeDeletionDue(player);
    await app.runScheduled();
    // Both are erased at the same time; the second deletes the conversation.
    expect(await app.db.select().from(conversations).where(eq(conversations.id, conversationId))).toEqual([]);
    expect(await app.db.select().from(messages).where(eq(messages.conversationId, conversationId))).toEqual([]);
  });

  test("the Riot account can be claimed by another player", async () => {
    const puuid = unique("puuid");
    const player = await addPlayer(app, { riotPuuid: puuid, riotVerifiedAt: new Date() });
    await makeDeletionDue(player);
    await app.runScheduled();
    await addPlayer(app, { riotPuuid: puuid, riotVerifiedAt: new Date() });
    expect(await app.db.select().from(profiles).where(eq(profiles.riotPuuid, puuid))).toHaveLength(1);
  });

  test("a player who has written a lot takes several runs of the cron, none of which leaves a message half erased", async () => {
    const { author, conversationId } = await startConversation(app);
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      id: uuidv7(),
      conversationId,
      seq: 10 + index,
      senderId: author.player.id,
      content: "Again",
      createdAt: new Date(),
    }));
    for (let start = 0; start < rows.length; start += 500) {
      await app.db.insert(messages).values(rows.slice(start, start + 500));
    }
    const last = await startConversation(app, { author });
    await write(author.client, last.conversationId, "The last one");
    await makeDeletionDue(author.player);
    await app.runScheduled();
    expect(await accountOf(author.player)).toBeDefined();
    expect((await auditLinesOf(author.player)).filter((entry) => entry.includes("erased"))).toEqual([]);
    await app.runScheduled();
    expect(await accountOf(author.player)).toBeUndefined();
    const left = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(left).toHaveLength(1_501);
    expect(left.filter(({ senderId }) => senderId === author.player.id)).toEqual([]);
    expect(await newsOf(last.reader.player, `conversation:${last.conversationId}`)).toMatchObject([
      { name: "Unknown User", preview: "The last one" },
    ]);
  });

  test("twenty accounts are erased in one run, and the rest in the next", async () => {
    const players: Player[] = [];
    for (let index = 0; index < 23; index += 1) players.push(await addPlayer(app));
    for (const player of players) await makeDeletionDue(player);
    const left = async () => (await Promise.all(players.map(accountOf))).filter(Boolean).length;
    await app.runScheduled();
    expect(await left()).toBe(3);
    await app.runScheduled();
    expect(await left()).toBe(0);
  });

  test("an unsent email to the address is deleted from the outbox, and one to another address stays", async () => {
    const player = await addPlayer(app);
    const email = { subject: "x", createdAt: new Date(), dueAt: new Date(Date.now() + DAY) };
    await app.db.insert(outbox).values([
      { id: uuidv7(), recipient: player.email, ...email },
      { id: uuidv7(), recipient: `not-${player.email}`, ...email },
    ]);
    await app.db.insert(notifications).values({
      id: uuidv7(),
      userId: player.id,
      kind: "message",
      subject: "conversation:x",
      data: { name: "Other" },
      createdAt: new Date(),
    });
    await makeDeletionDue(player);
    await app.runScheduled();
    expect((await rowsThatHold(player.email)).length).toBe(1);
  });
});
