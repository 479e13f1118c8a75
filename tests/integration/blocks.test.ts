import { and, eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { endSessions } from "../../app/features/teams/sessions.server";
import { leaveTournaments } from "../../app/features/tournaments/shared/leaving.server";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import {
  blocks,
  conversationMembers,
  conversations,
  followUps,
  joinRequests,
  lfgPosts,
  messages,
  notifications,
  profiles,
  reportCases,
  tournamentInvitations,
  tournamentMatches,
  tournamentOrganisers,
} from "../../db/schema";
import { useApp } from "../support/app";
import { hidingIn } from "../support/hiding";
import { announcements, buttons, links, main, selectEach, textOf } from "../support/html";
import { startTournament } from "../support/matches";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox } from "../support/socket";
import { addTournament } from "../support/tournaments";
import { LIST, messagesIn, messagesPath, shownConversations, shownMessages, threadPath } from "./conversations";
import { addConversation, addPost, HOUR, type NamedVisitor, newNamedVisitor, sendTo, unique, visitAs } from "./players";
import { register, registrationsIn } from "./registrations";
import { giveFeedback } from "./reviews";
import { contactAuthor, type Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { hide, restore } = hidingIn(app);
const { accept, requestOf, postOf } = teamsIn(app);
const { newTournament, join } = registrationsIn(app);

const ownDatabase = () => openDatabase({ url: app.libsqlUrl, authToken: app.libsqlAuthToken }).db;

const HIDDEN = "Message from a player you blocked Show";

const newPlayer = (word: string) => newNamedVisitor(app, word);

const block = (blocker: Visitor, blocked: Visitor, intent = "block") =>
  blocker.client.post(`/players/${blocked.player.id}/block`, { intent });

const newsOf = async ({ player }: Visitor, kind: typeof notifications.$inferSelect.kind) =>
  app.db.$count(notifications, and(eq(notifications.userId, player.id), eq(notifications.kind, kind)));

/** The data of a player's only notification of a kind. */
const dataOf = async ({ player }: Visitor, kind: typeof notifications.$inferSelect.kind) => {
  const isIt = and(eq(notifications.userId, player.id), eq(notifications.kind, kind));
  const [news, ...more] = await app.db.select().from(notifications).where(isIt);
  expect(more).toEqual([]);
  return news?.data as Record<string, unknown>;
};

const memberOf = async (conversationId: string, { player }: Visitor) =>
  (await app.db
    .select()
    .from(conversationMembers)
    .where(and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, player.id)))
    .get()) as typeof conversationMembers.$inferSelect;

/** A post's team with a spot left. */
async function newTeam(author: Visitor, ...members: Visitor[]) {
  const postId = await addPost(app, author.player.id, { neededPlayers: members.length + 1 });
  for (const member of members) {
    await requestToJoin(member.client, postId);
    expect((await accept(author, postId, member)).status).toBe(303);
  }
  return { postId, conversationId: (await postOf(postId)).conversationId as string };
}

/** Creates a group chat with two given players among its members. Returns its id, and its page. */
async function newChat(kind: "team" | "match", one: Visitor, other: Visitor) {
  if (kind === "team") {
    const { conversationId } = await newTeam(await newPlayer("Author"), one, other);
    return { conversationId, page: threadPath(conversationId) };
  }
  const [host, second, third] = [await newPlayer("Host"), await newPlayer("Second"), await newPlayer("Third")];
  const tournament = await startTournament(app, {
    teams: 4,
    teamSize: 2,
    tournamentDate: new Date(Date.now() - 60_000),
    userId: host.player.id,
    captains: [one, second, third, other].map(({ player }) => player.id),
  });
  const match = await app.db
    .select()
    .from(tournamentMatches)
    .where(and(eq(tournamentMatches.tournamentId, tournament.id), eq(tournamentMatches.id, 0)))
    .get();
  return { conversationId: match?.conversationId as string, page: `/tournaments/${tournament.id}/matches/0` };
}

/** A team of a tournament with its captain, who knows another player. */
async function newRoster(captain: Visitor, other: Visitor) {
  const { id, hostId } = await newTournament({ maxParticipants: 8 });
  const teamId = uuidv7();
  expect((await register(captain.client, id, unique("Team "), teamId)).status).toBe(303);
  await addConversation(app, captain.player, other.player);
  const page = `/tournaments/${id}/teams/${teamId}`;
  const invite = () => captain.client.post(page, { intent: "invite", players: [other.player.id] });
  return { id, hostId, teamId, page, invite };
}

/** Creates a match of two players, hosted by the first and disputed by the second. Returns its page. */
async function newDispute(viewer: Visitor, other: Visitor) {
  const { id } = await startTournament(app, {
    teams: 2,
    tournamentDate: new Date(Date.now() - 60_000),
    userId: viewer.player.id,
    captains: [viewer.player.id, other.player.id],
  });
  const page = `/tournaments/${id}/matches/0`;
  const report = { intent: "report", leftSide: "1", bestOf: "1", left1: "13", right1: "9" };
  expect((await viewer.client.post(page, report)).status).toBe(303);
  expect((await other.client.post(`${page}/dispute`, { evidence: "Words of theirs" })).status).toBe(303);
  return page;
}

const searchFor = (words: string) => `/dashboard/search?q=${encodeURIComponent(words)}`;

const hasLink = async ({ client }: Visitor, page: string, label: string) =>
  links((await client.get(page)).text).some(({ text }) => text === label);

/**
 * Tests one surface: connects the two players, calls `placeBlock`, and returns whether the viewer still sees or reaches
 * the other.
 */
type Look = (viewer: NamedVisitor, other: NamedVisitor, placeBlock: () => Promise<unknown>) => Promise<boolean>;

interface Surface {
  /** Whether the viewer still sees or reaches the other after blocking them. */
  blocker: boolean;
  /** Whether the viewer still sees or reaches the other after being blocked by them. */
  blocked: boolean;
  look: Look;
}

const between = (look: Look): Surface => ({ blocker: false, blocked: false, look });
const hiddenFromBlocker = (look: Look): Surface => ({ blocker: false, blocked: true, look });
const open = (look: Look): Surface => ({ blocker: true, blocked: true, look });

const CHATS = Object.fromEntries(
  (["team", "match"] as const).flatMap((kind): [string, Surface][] => {
    /** The frames that the viewer gets after the other player's message in their chat. */
    const afterMessage = (
      look: (viewer: NamedVisitor, chat: { conversationId: string; page: string }) => Promise<boolean>,
    ) =>
      hiddenFromBlocker(async (viewer, other, placeBlock) => {
        const chat = await newChat(kind, viewer, other);
        await placeBlock();
        expect((await sendTo(other.client, chat.conversationId, "Words of theirs")).status).toBe(200);
        return look(viewer, chat);
      });
    return [
      [
        `a ${kind}'s chat: the message on its page`,
        afterMessage(async ({ client }, { page }) => (await client.get(page)).text.includes("Words of theirs")),
      ],
      [
        `a ${kind}'s chat: the message as JSON`,
        afterMessage(async ({ client }, { conversationId }) => {
          const pages = [
            await client.get(`${messagesPath(conversationId)}?after=0`),
            await client.get(messagesPath(conversationId)),
          ];
          const [content, same] = pages.map((page) => messagesIn(page).messages[0]?.content);
          expect(same).toBe(content);
          return content === "Words of theirs";
        }),
      ],
      [
        `a ${kind}'s chat: the messages in the dialog that reports one`,
        hiddenFromBlocker(async (viewer, other, placeBlock) => {
          const { conversationId, page } = await newChat(kind, viewer, other);
          await placeBlock();
          const id = uuidv7();
          await sendTo(other.client, conversationId, "Words of theirs");
          await sendTo(other.client, conversationId, "The reported ones", id);
          const { status, text } = await viewer.client.get(`${page}/report/${id}`);
          expect(status).toBe(200);
          expect(text.includes("The reported ones")).toBe(text.includes("Words of theirs"));
          return text.includes("Words of theirs");
        }),
      ],
      [
        `a ${kind}'s chat: its preview in the list`,
        afterMessage(async ({ client }, { conversationId }) => {
          const rows = shownConversations((await client.get(LIST)).text);
          return Boolean(
            rows.find(({ href }) => href === threadPath(conversationId))?.preview.includes("Words of theirs"),
          );
        }),
      ],
      [
        `a ${kind}'s chat: its unread count`,
        afterMessage(async (viewer, { conversationId }) => (await memberOf(conversationId, viewer)).unreadCount > 0),
      ],
      [`a ${kind}'s chat: news of the message`, afterMessage(async (viewer) => (await newsOf(viewer, "message")) > 0)],
      [
        `a ${kind}'s chat: the message over the room's socket`,
        hiddenFromBlocker(async (viewer, other, placeBlock) => {
          const { conversationId } = await newChat(kind, viewer, other);
          await placeBlock();
          const room = await openConversation(viewer.client, conversationId);
          await room.next("hello");
          await sendTo(other.client, conversationId, "Words of theirs");
          const { message } = await room.next("message");
          room.close();
          expect(message.senderName === undefined).toBe(message.isHidden === true);
          return message.content === "Words of theirs";
        }),
      ],
      [
        `a ${kind}'s chat: an update of the viewer's inbox`,
        hiddenFromBlocker(async (viewer, other, placeBlock) => {
          const { conversationId } = await newChat(kind, viewer, other);
          await placeBlock();
          const [inbox, room] = [await openInbox(viewer.client), await openConversation(viewer.client, conversationId)];
          await inbox.next("unread");
          await sendTo(other.client, conversationId, "Words of theirs");
          await room.next("message");
          await new Promise((resolve) => setTimeout(resolve, 500));
          const heard = inbox.frames.some((frame) => frame.type === "unread" && frame.conversationId !== undefined);
          for (const socket of [inbox, room]) socket.close();
          return heard;
        }),
      ],
      [
        `a ${kind}'s chat: writing in it`,
        open(async (viewer, other, placeBlock) => {
          const { conversationId } = await newChat(kind, viewer, other);
          await placeBlock();
          return (await sendTo(viewer.client, conversationId, "Mine")).status === 200;
        }),
      ],
    ];
  }),
);

const SURFACES: Record<string, Surface> = {
  "the list of posts": between(async (viewer, other, placeBlock) => {
    const title = unique("Spot for ");
    await addPost(app, other.player.id, { title });
    await placeBlock();
    return hasLink(viewer, "/dashboard", title);
  }),
  "a search for posts": between(async (viewer, other, placeBlock) => {
    const title = unique("Sought ");
    await addPost(app, other.player.id, { title });
    await placeBlock();
    return hasLink(viewer, `/dashboard?q=${encodeURIComponent(title)}`, title);
  }),
  "posts on the search page": between(async (viewer, other, placeBlock) => {
    const title = unique("Sought ");
    await addPost(app, other.player.id, { title });
    await placeBlock();
    return hasLink(viewer, searchFor(title), title);
  }),
  "a post's page": open(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await placeBlock();
    return (await viewer.client.get(`/lfg/${postId}`)).status === 200;
  }),
  "Contact on a post's page": between(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await placeBlock();
    return hasLink(viewer, `/lfg/${postId}`, "Contact");
  }),
  "Request to Join on a post's page": between(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await placeBlock();
    return hasLink(viewer, `/lfg/${postId}`, "Request to Join");
  }),
  "answering a post": between(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await placeBlock();
    return (await contactAuthor(viewer.client, postId, "Hi")).status === 303;
  }),
  "asking to join": between(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await placeBlock();
    return (await requestToJoin(viewer.client, postId)).status === 303;
  }),
  "a request on the viewer's post": between(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, viewer.player.id);
    await requestToJoin(other.client, postId);
    await placeBlock();
    return main((await viewer.client.get(`/lfg/${postId}`)).text).includes(other.name);
  }),
  "the count of requests on the viewer's posts": between(async (viewer, other, placeBlock) => {
    await requestToJoin(other.client, await addPost(app, viewer.player.id));
    await placeBlock();
    return main((await viewer.client.get("/dashboard")).text).includes("wants to join");
  }),
  "requests to answer beside the list": between(async (viewer, other, placeBlock) => {
    await requestToJoin(other.client, await addPost(app, viewer.player.id));
    await placeBlock();
    return main((await viewer.client.get("/dashboard")).text).includes(other.name);
  }),
  "a request to answer on the player's page": between(async (viewer, other, placeBlock) => {
    await requestToJoin(other.client, await addPost(app, viewer.player.id));
    await placeBlock();
    return main((await viewer.client.get(`/players/${other.player.id}`)).text).includes("Accept Decline");
  }),
  "news of a request that came before": between(async (viewer, other, placeBlock) => {
    await requestToJoin(other.client, await addPost(app, viewer.player.id));
    await placeBlock();
    return (await newsOf(viewer, "join-request")) > 0;
  }),
  "accepting a request": between(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, viewer.player.id);
    await requestToJoin(other.client, postId);
    await placeBlock();
    return (await accept(viewer, postId, other)).status === 303;
  }),
  "the directory": between(async (viewer, other, placeBlock) => {
    await placeBlock();
    return hasLink(viewer, `/dashboard/players?name=${other.name}`, other.name);
  }),
  "players on the search page": between(async (viewer, other, placeBlock) => {
    await placeBlock();
    return hasLink(viewer, searchFor(other.name), other.name);
  }),
  "a player's page": open(async (viewer, other, placeBlock) => {
    await placeBlock();
    return (await viewer.client.get(`/players/${other.player.id}`)).text.includes(other.name);
  }),
  "Message on a player's page": between(async (viewer, other, placeBlock) => {
    await placeBlock();
    return hasLink(viewer, `/players/${other.player.id}`, "Message");
  }),
  "open posts on a player's page": between(async (viewer, other, placeBlock) => {
    const title = unique("Open ");
    await addPost(app, other.player.id, { title });
    await placeBlock();
    return hasLink(viewer, `/players/${other.player.id}`, title);
  }),
  "the dialog to write to a player": between(async (viewer, other, placeBlock) => {
    await placeBlock();
    return (await viewer.client.get(`/players/${other.player.id}/message`)).status === 200;
  }),
  "writing to a player": between(async (viewer, other, placeBlock) => {
    await placeBlock();
    const sent = await viewer.client.post(`/players/${other.player.id}/message`, { id: uuidv7(), message: "Hi" });
    return sent.status === 303;
  }),
  "writing in a pair's chat": between(async (viewer, other, placeBlock) => {
    const conversationId = await addConversation(app, viewer.player, other.player);
    await placeBlock();
    return (await sendTo(viewer.client, conversationId, "Hi")).status === 200;
  }),
  "reading a pair's chat": open(async (viewer, other, placeBlock) => {
    const conversationId = await addConversation(app, viewer.player, other.player);
    await sendTo(other.client, conversationId, "Said before");
    await placeBlock();
    return shownMessages((await viewer.client.get(threadPath(conversationId))).text).includes("Said before");
  }),
  "the unread count of a pair's chat": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const conversationId = await addConversation(app, viewer.player, other.player);
    await sendTo(other.client, conversationId, "Said before");
    await placeBlock();
    return (await memberOf(conversationId, viewer)).unreadCount > 0;
  }),
  "news of a message in a pair's chat": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const conversationId = await addConversation(app, viewer.player, other.player);
    await sendTo(other.client, conversationId, "Said before");
    await placeBlock();
    return (await newsOf(viewer, "message")) > 0;
  }),
  "typing in a team's chat": between(async (viewer, other, placeBlock) => {
    const author = await newPlayer("Author");
    const { conversationId } = await newTeam(author, viewer, other);
    await placeBlock();
    const [mine, theirs, witness] = await Promise.all(
      [viewer, other, author].map(({ client }) => openConversation(client, conversationId)),
    );
    theirs?.send({ type: "typing" });
    await witness?.next("typing");
    await sendTo(author.client, conversationId, "After that");
    await mine?.next("message");
    const heard = mine?.frames.some(({ type }) => type === "typing");
    for (const socket of [mine, theirs, witness]) socket?.close();
    return heard ?? false;
  }),
  ...CHATS,
  "feedback for a player": open(async (viewer, other, placeBlock) => {
    await addSession(app.db, viewer.player, [other.player]);
    await placeBlock();
    return (await giveFeedback(viewer.client, other.player)).status === 303;
  }),
  "news of feedback by a player": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    await addSession(app.db, viewer.player, [other.player]);
    await placeBlock();
    await giveFeedback(viewer.client, other.player);
    await giveFeedback(other.client, viewer.player);
    return (await newsOf(viewer, "feedback-received")) > 0;
  }),
  "earlier news of feedback by a player": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    await addSession(app.db, viewer.player, [other.player]);
    await giveFeedback(viewer.client, other.player);
    await giveFeedback(other.client, viewer.player);
    await placeBlock();
    return (await newsOf(viewer, "feedback-received")) > 0;
  }),
  "a teammate's Riot ID and Discord tag": between(async (viewer, other, placeBlock) => {
    await app.db
      .update(profiles)
      .set({ riotId: `${other.name}#EUW`, discordTag: `${other.name}.gg` })
      .where(eq(profiles.userId, other.player.id));
    const { postId } = await newTeam(await newPlayer("Author"), viewer, other);
    await placeBlock();
    const team = main((await viewer.client.get(`/lfg/${postId}`)).text);
    expect(team).toContain(other.name);
    expect(team.includes(`${other.name}#EUW`)).toBe(team.includes(`${other.name}.gg`));
    return team.includes(`${other.name}#EUW`);
  }),
  "news that a player has left one's team": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { postId } = await newTeam(viewer, other);
    await placeBlock();
    expect((await pressTeamButton(other.client, postId, "leave")).status).toBe(303);
    return (await newsOf(viewer, "team-change")) > 0;
  }),
  "news of a player's team in one's tournament": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { id } = await newTournament({ userId: viewer.player.id, maxParticipants: 8 });
    await placeBlock();
    expect((await register(other.client, id, unique("Team "), uuidv7())).status).toBe(303);
    return (await newsOf(viewer, "tournament-registered")) > 0;
  }),
  "the title in the news that an author took one out of the team": hiddenFromBlocker(
    async (viewer, other, placeBlock) => {
      const { postId } = await newTeam(other, viewer);
      const { id } = await requestOf(postId, viewer.player);
      await placeBlock();
      expect((await pressTeamButton(other.client, postId, "remove", id)).status).toBe(303);
      return (await dataOf(viewer, "team-change")).title !== null;
    },
  ),
  "the title in the news that asks for feedback on an author's team": hiddenFromBlocker(
    async (viewer, other, placeBlock) => {
      const { postId } = await newTeam(other, viewer);
      const { title } = await postOf(postId);
      await placeBlock();
      const filledAt = new Date(Date.now() - 3 * HOUR);
      await app.db.update(lfgPosts).set({ filledAt }).where(eq(lfgPosts.id, postId));
      await endSessions(ownDatabase(), new Date(), 1000);
      const news = main((await viewer.client.get("/dashboard/notifications")).text);
      const isNamed = (await dataOf(viewer, "feedback")).title !== null;
      const quote = isNamed ? `“${title}”? Leave your team` : "your team? Leave them";
      expect(news).toContain(`How was playing with ${quote} some feedback`);
      expect((await dataOf(other, "feedback")).title).toBe(title);
      return isNamed;
    },
  ),
  "news that an author declined": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await requestToJoin(viewer.client, postId);
    const { id } = await requestOf(postId, viewer.player);
    await placeBlock();
    expect((await pressTeamButton(other.client, postId, "decline", id)).status).toBe(303);
    return (await newsOf(viewer, "join-declined")) > 0;
  }),
  "news that an author closed the post": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const postId = await addPost(app, other.player.id);
    await requestToJoin(viewer.client, postId);
    await placeBlock();
    expect((await other.client.post(`/lfg/${postId}`, { intent: "close" })).status).toBe(303);
    return (await newsOf(viewer, "join-declined")) > 0;
  }),
  "a team's name in the news that its captain withdrew it": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { id, teamId } = await newRoster(other, viewer);
    expect((await join(viewer, id, teamId)).status).toBe(303);
    await placeBlock();
    expect((await other.client.submit(`/tournaments/${id}/withdraw`, "Withdraw")).status).toBe(303);
    return (await dataOf(viewer, "tournament-withdrawn")).team !== null;
  }),
  "a team's name in the news that its captain removed one": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { id, teamId, page } = await newRoster(other, viewer);
    expect((await join(viewer, id, teamId)).status).toBe(303);
    await placeBlock();
    expect((await other.client.post(page, { intent: "remove", player: viewer.player.id })).status).toBe(303);
    return (await dataOf(viewer, "tournament-team")).team !== null;
  }),
  "a team's name in the news that its captain has gone and one leads it": hiddenFromBlocker(
    async (viewer, other, placeBlock) => {
      const { id, teamId } = await newRoster(other, viewer);
      expect((await join(viewer, id, teamId)).status).toBe(303);
      await placeBlock();
      await leaveTournaments(ownDatabase(), other.player.id, new Date());
      return (await dataOf(viewer, "tournament-captain")).team !== null;
    },
  ),
  "a team's name in the news that the host removed it": open(async (viewer, other, placeBlock) => {
    const { id, hostId, teamId, page } = await newRoster(other, viewer);
    expect((await join(viewer, id, teamId)).status).toBe(303);
    await placeBlock();
    const host = await visitAs(app, { id: hostId, email: "" });
    expect((await host.post(page, { intent: "remove-team" })).status).toBe(303);
    return (await dataOf(viewer, "tournament-withdrawn")).team !== null;
  }),
  "a host's reason for cancelling": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { id } = await newTournament({ userId: other.player.id, maxParticipants: 8 });
    expect((await register(viewer.client, id, unique("Team "), uuidv7())).status).toBe(303);
    await placeBlock();
    expect((await other.client.post(`/tournaments/${id}/cancel`, { reason: "Words of theirs" })).status).toBe(303);
    const { tournament, reason } = await dataOf(viewer, "tournament-cancelled");
    expect(tournament).toMatch(/^Night Cup/);
    const page = main((await viewer.client.get("/dashboard/notifications")).text);
    expect(page.includes("Words of theirs")).toBe(reason !== null);
    return reason !== null;
  }),
  "an organiser's reason for disqualifying": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { id, teams } = await startTournament(app, {
      teams: 4,
      teamSize: 2,
      userId: other.player.id,
      captains: [viewer.player.id],
    });
    await placeBlock();
    const page = `/tournaments/${id}/teams/${teams[0]?.id}/disqualify`;
    const answer = await other.client.post(page, { intent: "disqualify", reason: "Words of theirs" });
    expect(answer.status).toBe(303);
    const data = await dataOf(viewer, "tournament-withdrawn");
    expect(data).toMatchObject({ by: "disqualified", team: "Team 1" });
    return data.reason !== null;
  }),
  "an organiser's reason on the page of the player's team": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const { id, teams } = await startTournament(app, {
      teams: 4,
      teamSize: 2,
      userId: other.player.id,
      captains: [viewer.player.id],
    });
    const page = `/tournaments/${id}/teams/${teams[0]?.id}`;
    const reason = { intent: "disqualify", reason: "Words of theirs" };
    expect((await other.client.post(`${page}/disqualify`, reason)).status).toBe(303);
    await placeBlock();
    const { text } = await viewer.client.get(page);
    const isShown = text.includes("Words of theirs");
    expect(main(text).includes("An organiser you blocked gave the reason. Show")).toBe(!isShown);
    expect(main((await viewer.client.get(`${page}?reason`)).text)).toContain("Words of theirs");
    return isShown;
  }),
  "an organiser's reason in the dialog that undoes it, and in the history that organisers see": hiddenFromBlocker(
    async (viewer, other, placeBlock) => {
      const { id, teams } = await startTournament(app, { teams: 4, teamSize: 2 });
      const addedAt = new Date();
      await app.db
        .insert(tournamentOrganisers)
        .values([viewer, other].map(({ player }) => ({ tournamentId: id, userId: player.id, addedAt })));
      const dialog = `/tournaments/${id}/teams/${teams[0]?.id}/disqualify`;
      const reason = { intent: "disqualify", reason: "Words of theirs" };
      expect((await other.client.post(dialog, reason)).status).toBe(303);
      await placeBlock();
      const [undo, history] = (await Promise.all(
        [dialog, `/tournaments/${id}/manage`].map(async (page) => (await viewer.client.get(page)).text),
      )) as [string, string];
      const isShown = undo.includes("Words of theirs");
      expect(history.includes("Words of theirs")).toBe(isShown);
      expect(main(undo).includes("An organiser you blocked gave the reason. Show")).toBe(!isShown);
      expect(main(history).includes("You blocked this organiser, so the reason is hidden. Show")).toBe(!isShown);
      expect(main((await viewer.client.get(`${dialog}?reason`)).text)).toContain("Words of theirs");
      const show = links(history).find(({ text }) => text === "Show")?.href;
      expect(main((await viewer.client.get(show ?? `/tournaments/${id}/manage`)).text)).toContain("Words of theirs");
      return isShown;
    },
  ),
  "the evidence of a dispute": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const page = await newDispute(viewer, other);
    await placeBlock();
    const { text } = await viewer.client.get(page);
    const isShown = text.includes("Words of theirs");
    expect(main(text).includes("Evidence from a player you blocked Show")).toBe(!isShown);
    expect(main((await viewer.client.get(`${page}?evidence`)).text)).toContain("Words of theirs");
    return isShown;
  }),
  "the evidence of a dispute that was decided": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const page = await newDispute(viewer, other);
    const decision = { decision: "forfeit-2", leftSide: "1", bestOf: "1" };
    expect((await viewer.client.post(`${page}/decide`, decision)).status).toBe(303);
    await placeBlock();
    return (await viewer.client.get(page)).text.includes("Words of theirs");
  }),
  "the other's picture among the teams, on their team's page and in a match": hiddenFromBlocker(
    async (viewer, other, placeBlock) => {
      const avatarId = uuidv7();
      await app.db.update(profiles).set({ avatarId }).where(eq(profiles.userId, other.player.id));
      const { id, teams } = await startTournament(app, { teams: 2, captains: [viewer.player.id, other.player.id] });
      await placeBlock();
      const pages = await Promise.all(
        ["teams", `teams/${teams[1]?.id}`, "matches/0"].map((page) => viewer.client.get(`/tournaments/${id}/${page}`)),
      );
      const [first, ...others] = pages.map(({ text }) => text.includes(avatarId));
      expect(others).toEqual([first, first]);
      return first as boolean;
    },
  ),
  "the other's picture beside the list of posts, in one's own team": hiddenFromBlocker(
    async (viewer, other, placeBlock) => {
      const avatarId = uuidv7();
      await app.db.update(profiles).set({ avatarId }).where(eq(profiles.userId, other.player.id));
      await newTeam(await newPlayer("Author"), viewer, other);
      await placeBlock();
      const { text } = await viewer.client.get("/dashboard");
      expect(main(text)).toContain("Your team");
      return text.includes(avatarId);
    },
  ),
  "whether the other is online, in one's own tournament team": between(async (viewer, other, placeBlock) => {
    const { id, teamId } = await newRoster(other, viewer);
    expect((await join(viewer, id, teamId)).status).toBe(303);
    await app.db.run(sql`INSERT INTO presence VALUES (${other.player.id}, 'online', ${Date.now()})
      ON CONFLICT DO UPDATE SET state = 'online', seen_at = excluded.seen_at`);
    await placeBlock();
    const online = textOf((await viewer.client.get(`/tournaments/${id}`)).text).match(/(\d) online now\./)?.[1];
    expect(["1", "2"]).toContain(online);
    return online === "2";
  }),
  "how far the other has read, told by opening the page": between(async (viewer, other, placeBlock) => {
    const conversationId = await addConversation(app, viewer.player, other.player);
    await sendTo(other.client, conversationId, "From the other");
    await sendTo(viewer.client, conversationId, "From the viewer");
    await placeBlock();
    const room = await openConversation(viewer.client, conversationId);
    await room.next("hello");
    await other.client.get(threadPath(conversationId));
    await expect.poll(async () => (await memberOf(conversationId, other)).lastReadSeq).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const heard = room.frames.some(({ type }) => type === "read");
    room.close();
    return heard;
  }),
  "a host's tournament in the list": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const title = unique("Listed ");
    await newTournament({ userId: other.player.id, title });
    await placeBlock();
    return hasLink(viewer, "/dashboard/tournaments", title);
  }),
  "a host's tournament on the search page": hiddenFromBlocker(async (viewer, other, placeBlock) => {
    const title = unique("Listed ");
    await newTournament({ userId: other.player.id, title });
    await placeBlock();
    return hasLink(viewer, searchFor(title), title);
  }),
  "a pair's chat on the search page": open(async (viewer, other, placeBlock) => {
    const conversationId = await addConversation(app, viewer.player, other.player);
    await sendTo(other.client, conversationId, "Said before");
    await placeBlock();
    return (await viewer.client.get(searchFor(other.name))).text.includes(threadPath(conversationId));
  }),
  "a host's tournament in the list, for a player who takes part": open(async (viewer, other, placeBlock) => {
    const title = unique("Listed ");
    const { id } = await newTournament({ userId: other.player.id, title });
    expect((await register(viewer.client, id, unique("Team "), uuidv7())).status).toBe(303);
    await placeBlock();
    return hasLink(viewer, "/dashboard/tournaments", title);
  }),
  "a Riot ID and Discord tag in one's tournament team": between(async (viewer, other, placeBlock) => {
    await app.db
      .update(profiles)
      .set({ riotId: `${other.name}#EUW`, discordTag: `${other.name}.gg` })
      .where(eq(profiles.userId, other.player.id));
    const { id, teamId, page } = await newRoster(other, viewer);
    expect((await join(viewer, id, teamId)).status).toBe(303);
    await placeBlock();
    const team = main((await viewer.client.get(page)).text);
    expect(team.includes(`${other.name}#EUW`)).toBe(team.includes(`${other.name}.gg`));
    return team.includes(`${other.name}#EUW`);
  }),
  "players who look for a team in a tournament": between(async (viewer, other, placeBlock) => {
    const { id } = await newTournament({ maxParticipants: 8 });
    await other.client.post(`/tournaments/${id}/seek`, { role: "", note: "" });
    await placeBlock();
    return main((await viewer.client.get(`/tournaments/${id}/teams`)).text).includes(other.name);
  }),
  "the players whom a captain can invite": between(async (viewer, other, placeBlock) => {
    const { page } = await newRoster(viewer, other);
    await placeBlock();
    return (await viewer.client.get(page)).text.includes(`value="${other.player.id}"`);
  }),
  "an invitation by a captain": between(async (viewer, other, placeBlock) => {
    const { invite } = await newRoster(other, viewer);
    await placeBlock();
    await invite();
    return (await newsOf(viewer, "tournament-invitation")) > 0;
  }),
  "accepting an invitation that came before": between(async (viewer, other, placeBlock) => {
    const { page, invite } = await newRoster(other, viewer);
    await invite();
    await placeBlock();
    return (await viewer.client.post(page, { intent: "accept" })).status === 303;
  }),
  "joining a tournament's team by its link": between(async (viewer, other, placeBlock) => {
    const { id, teamId } = await newRoster(other, viewer);
    await placeBlock();
    return (await join(viewer, id, teamId)).status === 303;
  }),
  "a tournament's team": open(async (viewer, other, placeBlock) => {
    const { page } = await newRoster(other, viewer);
    await placeBlock();
    return main((await viewer.client.get(page)).text).includes(other.name);
  }),
};

describe("Across a block", () => {
  test.each(Object.entries(SURFACES))("%s", async (_, { blocker, blocked, look }) => {
    const outcomes = await Promise.all(
      (["none", "blocker", "blocked"] as const).map(async (role) => {
        const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
        return look(viewer, other, async () => {
          if (role === "blocker") expect((await block(viewer, other)).status).toBe(303);
          if (role === "blocked") expect((await block(other, viewer)).status).toBe(303);
        });
      }),
    );
    expect(outcomes).toEqual([true, blocker, blocked]);
  });
});

describe("More tournaments, below a tournament's page", () => {
  test("leave out tournaments by a host whom the player has blocked, unless the player takes part", async () => {
    const [viewer, host] = [await newPlayer("Viewer"), await newPlayer("Host")];
    // The tournament whose registration closes first comes first.
    const registrationDeadline = new Date(Date.now() + HOUR);
    const title = unique("Suggested ");
    const { id } = await newTournament({ userId: host.player.id, title, registrationDeadline });
    const page = `/tournaments/${(await newTournament()).id}`;
    const isShownTo = async (client: Visitor["client"]) =>
      links((await client.get(page)).text).some(({ text }) => text === title);
    const all = () => Promise.all([viewer.client, host.client, app.client()].map(isShownTo));
    await block(host, viewer);
    expect(await all()).toEqual([true, true, true]);
    await block(viewer, host);
    expect(await all()).toEqual([false, true, true]);
    expect((await register(viewer.client, id, unique("Team "), uuidv7())).status).toBe(303);
    expect(await all()).toEqual([true, true, true]);
  });
});

describe("Blocking a player", () => {
  test("is offered on their page and their post, and can be undone there, in two round trips", async () => {
    const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
    const [page, postId] = [`/players/${other.player.id}`, await addPost(app, other.player.id)];
    const before = await viewer.client.get(page);
    expect(roundTrips(before)).toBe(1);
    expect(links(before.text)).toContainEqual({ text: "Block", href: `${page}/block` });
    const href = `${page}/block?returnTo=${encodeURIComponent(`/lfg/${postId}`)}`;
    expect(links((await viewer.client.get(`/lfg/${postId}`)).text)).toContainEqual({ text: "Block", href });
    const blocked = await viewer.client.submit(href, "Block");
    expect([blocked.status, blocked.location, roundTrips(blocked)]).toEqual([303, `/lfg/${postId}`, 2]);
    const back = await viewer.client.follow(blocked);
    expect(announcements(back.text)).toContain(`${other.name} is blocked You can't message each other any more.`);
    expect(links(back.text).map(({ text }) => text)).not.toContain("Block");
    const after = await viewer.client.get(page);
    expect(roundTrips(after)).toBe(1);
    expect(main(after.text)).toContain("You've blocked this player.");
    expect(links(after.text)).toContainEqual({ text: "Unblock", href: `${page}/block` });
    // The blocked player learns only that they can't write.
    const theirs = await other.client.get(`/players/${viewer.player.id}`);
    expect(main(theirs.text)).not.toContain("blocked");
    expect(links(theirs.text).map(({ text }) => text)).toContain("Block");
    const undone = await viewer.client.submit(`${page}/block`, "Unblock");
    expect([undone.status, undone.location]).toEqual([303, page]);
    expect(links((await viewer.client.get(page)).text).map(({ text }) => text)).toContain("Message");
  });

  test("needs a session and another player, and returns to pages of this site only", async () => {
    const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
    const page = `/players/${other.player.id}/block`;
    expect((await app.client().get(page)).location).toBe(`/auth?redirectTo=${encodeURIComponent(page)}`);
    expect((await app.client().post(page, { intent: "block" })).status).toBe(302);
    for (const id of [viewer.player.id, uuidv7(), "nobody"]) {
      expect((await viewer.client.get(`/players/${id}/block`)).status, id).toBe(404);
      expect((await viewer.client.post(`/players/${id}/block`, { intent: "block" })).status, id).toBe(404);
    }
    expect((await viewer.client.post(page, { intent: "nonsense" })).status).toBe(400);
    const away = await viewer.client.post(`${page}?returnTo=${encodeURIComponent("//evil.example/")}`, {
      intent: "block",
    });
    expect(away.location).toBe(`/players/${other.player.id}`);
    await block(viewer, other);
    expect(await app.db.$count(blocks, eq(blocks.blockerId, viewer.player.id))).toBe(1);
  });

  test("withdraws open invitations to teams with the other player, and their news", async () => {
    const [captain, guest] = [await newPlayer("Captain"), await newPlayer("Guest")];
    const { teamId, invite } = await newRoster(captain, guest);
    await invite();
    expect(await newsOf(guest, "tournament-invitation")).toBe(1);
    await block(captain, guest);
    await expect.poll(() => app.db.$count(tournamentInvitations, eq(tournamentInvitations.teamId, teamId))).toBe(0);
    await expect.poll(() => newsOf(guest, "tournament-invitation")).toBe(0);
  });

  test("withdraws invitations and their news together with the block, which can be tried again if that fails", async () => {
    const [captain, guest] = [await newPlayer("Captain"), await newPlayer("Guest")];
    const { teamId, invite } = await newRoster(captain, guest);
    await invite();
    await app.db.run(
      sql.raw(`CREATE TRIGGER news_stays BEFORE DELETE ON notifications WHEN old.user_id = '${guest.player.id}'
        BEGIN SELECT RAISE(ABORT, 'refused'); END`),
    );
    onTestFinished(async () => void (await app.db.run(sql`DROP TRIGGER IF EXISTS news_stays`)));
    expect((await block(captain, guest)).status).toBe(500);
    await app.db.run(sql`DROP TRIGGER news_stays`);
    const left = async () => [
      await app.db.$count(blocks, eq(blocks.blockerId, captain.player.id)),
      await app.db.$count(tournamentInvitations, eq(tournamentInvitations.teamId, teamId)),
      await newsOf(guest, "tournament-invitation"),
    ];
    expect(await left()).toEqual([0, 1, 1]);
    expect((await block(captain, guest)).status).toBe(303);
    expect(await left()).toEqual([1, 0, 0]);
  });

  test.each([
    ["the host", true],
    ["the organiser", false],
  ])(
    "by %s ends every organiser's role between the two, with the cron's help if that fails at first",
    async (_, isHost) => {
      const [host, helper] = [await newPlayer("Host"), await newPlayer("Helper")];
      const made = [await addTournament(app.db, { teams: 2, userId: host.player.id })];
      made.push(await addTournament(app.db, { teams: 2, userId: host.player.id }));
      const [first, second] = made.map(({ id }) => id).sort() as [string, string];
      await app.db
        .insert(tournamentOrganisers)
        .values(
          [first, second].map((tournamentId) => ({ tournamentId, userId: helper.player.id, addedAt: new Date() })),
        );
      const roles = async () =>
        (await app.db.select().from(tournamentOrganisers).where(eq(tournamentOrganisers.userId, helper.player.id))).map(
          ({ tournamentId }) => tournamentId,
        );
      await app.db.run(
        sql.raw(`CREATE TRIGGER role_stays BEFORE DELETE ON tournament_organisers WHEN old.tournament_id = '${first}'
        BEGIN SELECT RAISE(ABORT, 'refused'); END`),
      );
      onTestFinished(async () => void (await app.db.run(sql`DROP TRIGGER IF EXISTS role_stays`)));
      const answer = await (isHost ? block(host, helper) : block(helper, host));
      expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
      await expect.poll(roles, { timeout: 10_000 }).toEqual([first]);
      await app.db.run(sql`DROP TRIGGER role_stays`);
      // The next attempt is due after a minute.
      await app.db.update(followUps).set({ dueAt: null }).where(eq(followUps.subjectId, helper.player.id));
      await app.runScheduled();
      expect(await roles()).toEqual([]);
      expect(await app.db.$count(followUps, eq(followUps.subjectId, helper.player.id))).toBe(0);
    },
  );

  test("removes the other player's unread messages in group chats, but nobody else's", async () => {
    const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
    const author = await newPlayer("Author");
    const { conversationId } = await newTeam(author, viewer, other);
    await sendTo(author.client, conversationId, "From the author");
    await sendTo(other.client, conversationId, "From the other");
    expect((await memberOf(conversationId, viewer)).unreadCount).toBe(2);
    await block(viewer, other);
    expect((await memberOf(conversationId, viewer)).unreadCount).toBe(1);
    expect(await newsOf(author, "message")).toBe(1);
  });

  test("removes the unread messages of a player who has already left the chat, also from open pages", async () => {
    const [author, viewer, other] = [await newPlayer("Author"), await newPlayer("Viewer"), await newPlayer("Other")];
    const { postId, conversationId } = await newTeam(author, viewer, other);
    await sendTo(author.client, conversationId, "From the author");
    await sendTo(other.client, conversationId, "From the other");
    expect((await pressTeamButton(other.client, postId, "leave")).status).toBe(303);
    const [tab, thread] = [await openInbox(viewer.client), await openConversation(viewer.client, conversationId)];
    await tab.next("unread", ({ messages }) => messages === 2);
    await block(viewer, other);
    await tab.next("unread", ({ messages }) => messages === 1);
    await thread.next("changed");
    expect((await memberOf(conversationId, viewer)).unreadCount).toBe(1);
    tab.close();
  });
});

describe("News of a group chat's messages", () => {
  test("quotes the latest unread message of another member after a block, and is still emailed", async () => {
    const [author, viewer, other] = [await newPlayer("Author"), await newPlayer("Viewer"), await newPlayer("Other")];
    const { conversationId } = await newTeam(author, viewer, other);
    await sendTo(author.client, conversationId, "Hi");
    await sendTo(author.client, conversationId, "Code is ABC123");
    await sendTo(other.client, conversationId, "Nonsense");
    await sendTo(other.client, conversationId, "More nonsense");
    const isOfMessages = and(eq(notifications.userId, viewer.player.id), eq(notifications.kind, "message"));
    const rowOf = () => app.db.select().from(notifications).where(isOfMessages).get();
    const before = await rowOf();
    await block(viewer, other);
    const [, quoted] = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(await rowOf()).toEqual({
      ...before,
      // The news takes the time of the message that it quotes.
      createdAt: quoted?.createdAt,
      data: {
        ...(before?.data as object),
        name: author.name,
        preview: "Code is ABC123",
        causedBy: author.player.id,
        count: 2,
      },
    });
    const bell = await viewer.client.get("/dashboard/notifications");
    expect(textOf(main(bell.text))).toContain(`${author.name}: Code is ABC123`);
  });

  test("counts no message of a blocked player that came before the one that it quotes", async () => {
    const [author, viewer, other] = [await newPlayer("Author"), await newPlayer("Viewer"), await newPlayer("Other")];
    const { conversationId } = await newTeam(author, viewer, other);
    await sendTo(other.client, conversationId, "Nonsense");
    await sendTo(author.client, conversationId, `Code is\n\nABC123 \t  ${"🎯".repeat(200)}`);
    const before = await dataOf(viewer, "message");
    expect(before.count).toBe(2);
    await block(viewer, other);
    expect(await dataOf(viewer, "message")).toEqual({ ...before, count: 1 });
  });

  test("is removed by a block if only the blocked player has written since the viewer has read the bell", async () => {
    const [author, viewer, other] = [await newPlayer("Author"), await newPlayer("Viewer"), await newPlayer("Other")];
    const { conversationId } = await newTeam(author, viewer, other);
    await sendTo(author.client, conversationId, "Seen in the bell");
    await viewer.client.post("/dashboard/notifications", { intent: "read-all", until: Date.now() });
    await sendTo(other.client, conversationId, "Nonsense");
    expect((await dataOf(viewer, "message")).count).toBe(1);
    await block(viewer, other);
    expect(await newsOf(viewer, "message")).toBe(0);
  });

  test("is removed by a block if all unread messages are the blocked player's", async () => {
    const [author, viewer, other] = [await newPlayer("Author"), await newPlayer("Viewer"), await newPlayer("Other")];
    const { conversationId } = await newTeam(author, viewer, other);
    await sendTo(author.client, conversationId, "Read");
    await viewer.client.get(threadPath(conversationId));
    await expect.poll(async () => (await memberOf(conversationId, viewer)).unreadCount).toBe(0);
    await sendTo(other.client, conversationId, "Nonsense");
    await block(viewer, other);
    expect(await newsOf(viewer, "message")).toBe(0);
  });
});

describe("News of requests to join", () => {
  test.each(["author", "player"] as const)(
    "is removed with the last request that the post's author can answer, if a block by the %s hides another",
    async (blocker) => {
      const [author, hidden, asker] = [await newPlayer("Author"), await newPlayer("Hidden"), await newPlayer("Asker")];
      const postId = await addPost(app, author.player.id, { neededPlayers: 2 });
      await requestToJoin(hidden.client, postId);
      await (blocker === "author" ? block(author, hidden) : block(hidden, author));
      expect(await newsOf(author, "join-request")).toBe(0);
      await requestToJoin(asker.client, postId);
      expect(await dataOf(author, "join-request")).toMatchObject({ name: asker.name, count: 1 });
      expect((await pressTeamButton(asker.client, postId, "withdraw")).status).toBe(303);
      expect(await newsOf(author, "join-request")).toBe(0);
    },
  );

  test.each(["author", "player"] as const)(
    "names the player who still waits after a block by the %s, and is removed if nobody waits",
    async (blocker) => {
      const [author, first, latest] = [await newPlayer("Author"), await newPlayer("First"), await newPlayer("Latest")];
      const blockBy = (player: Visitor) => (blocker === "author" ? block(author, player) : block(player, author));
      const postId = await addPost(app, author.player.id, { neededPlayers: 2 });
      await requestToJoin(first.client, postId);
      await requestToJoin(latest.client, postId);
      expect(await dataOf(author, "join-request")).toMatchObject({ name: latest.name, count: 2 });
      await blockBy(latest);
      const passedOn = { name: first.name, causedBy: first.player.id, count: 1 };
      expect(await dataOf(author, "join-request")).toMatchObject(passedOn);
      const tab = await openInbox(author.client);
      await tab.next("unread", ({ notifications }) => notifications === 1);
      await blockBy(first);
      expect(await newsOf(author, "join-request")).toBe(0);
      await tab.next("unread", ({ notifications }) => notifications === 0);
      tab.close();
    },
  );

  test("and of messages stays when a player of the same name is blocked", async () => {
    const [author, asker, namesake] = [await newPlayer("Author"), await newPlayer("Nova"), await newPlayer("Other")];
    await app.db.update(profiles).set({ riotGameName: asker.name }).where(eq(profiles.userId, namesake.player.id));
    const postId = await addPost(app, author.player.id);
    await requestToJoin(asker.client, postId);
    await contactAuthor(asker.client, postId, "Hi");
    const kinds = async () => [await newsOf(author, "join-request"), await newsOf(author, "contact")];
    expect(await kinds()).toEqual([1, 1]);
    await block(author, namesake);
    expect(await kinds()).toEqual([1, 1]);
  });
});

describe("News about a player who has changed their name", () => {
  test("is removed by a block, while news about others stays", async () => {
    const [viewer, other, third] = [await newPlayer("Viewer"), await newPlayer("Other"), await newPlayer("Third")];
    const [asked, second] = [await addPost(app, viewer.player.id), await addPost(app, viewer.player.id)];
    await requestToJoin(other.client, asked);
    await requestToJoin(third.client, second);
    await app.db
      .update(profiles)
      .set({ riotGameName: unique("Renamed") })
      .where(eq(profiles.userId, other.player.id));
    await block(viewer, other);
    const left = await app.db.select().from(notifications).where(eq(notifications.userId, viewer.player.id));
    expect(left.map(({ subject }) => subject)).toEqual([`post:${second}`]);
  });
});

describe("A message by a blocked player in a group chat", () => {
  test.each(["team", "match"] as const)("is shown on request, alone, in a %s's chat", async (kind) => {
    const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
    const { conversationId, page } = await newChat(kind, viewer, other);
    await sendTo(other.client, conversationId, "First of theirs");
    await sendTo(other.client, conversationId, "Second of theirs");
    await block(viewer, other);
    const hidden = await viewer.client.get(page);
    expect(shownMessages(hidden.text)).toEqual([HIDDEN, HIDDEN]);
    const log = textOf(hidden.text.slice(hidden.text.indexOf('role="log"')));
    expect(log.slice(0, log.indexOf("Unblock"))).not.toContain(other.name);
    const [first] = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    const [show] = links(hidden.text).filter(({ text }) => text === "Show");
    expect(show?.href).toBe(`${page}?show=${first?.id}`);
    const shown = await viewer.client.get(show?.href as string);
    expect(roundTrips(shown)).toBe(1);
    expect(shownMessages(shown.text)).toEqual(["First of theirs", HIDDEN]);
    // The link shows nothing to anyone else.
    expect((await (await newPlayer("Stranger")).client.get(show?.href as string)).text).not.toContain(
      "First of theirs",
    );
  });

  test("is shown among its neighbours if it is an older one", async () => {
    const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
    const { conversationId } = await newTeam(await newPlayer("Author"), viewer, other);
    const rows = Array.from({ length: 60 }, (_, index) => ({
      id: uuidv7(),
      conversationId,
      seq: index + 1,
      senderId: other.player.id,
      content: `Number ${index + 1}`,
      createdAt: new Date(),
    }));
    await app.db.insert(messages).values(rows);
    await app.db.update(conversations).set({ lastSeq: 60 }).where(eq(conversations.id, conversationId));
    await block(viewer, other);
    const older = await viewer.client.get(`${threadPath(conversationId)}?before=11`);
    const [show] = links(older.text).filter(({ text }) => text === "Show");
    expect(show?.href).toBe(`${threadPath(conversationId)}?before=2&show=${rows[0]?.id}`);
    expect(shownMessages((await viewer.client.get(show?.href as string)).text)).toEqual(["Number 1"]);
  });

  test("can be reported without being shown", async () => {
    const [viewer, other, author] = [await newPlayer("Viewer"), await newPlayer("Other"), await newPlayer("Author")];
    const { conversationId } = await newTeam(author, viewer, other);
    const [theirs, reported] = [uuidv7(), uuidv7()];
    await sendTo(other.client, conversationId, "Words of theirs", theirs);
    await sendTo(author.client, conversationId, "Words of the author", reported);
    await block(viewer, other);
    const dialog = `${threadPath(conversationId)}/report/${reported}`;
    const options = selectEach((await viewer.client.get(dialog)).text, "option").map(textOf);
    expect(options).toEqual([
      expect.stringMatching(`^${author.name}: “Words of the author” · `),
      expect.stringMatching("^Message from a player you blocked · "),
    ]);
    const fields = { message: theirs, reason: "harassment" };
    expect((await viewer.client.submit(dialog, "Send Report", fields)).status).toBe(303);
    expect(await app.db.$count(reportCases, eq(reportCases.subjectId, theirs))).toBe(1);
  });

  test("neither moves the chat up in the blocker's list nor appears there", async () => {
    const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
    const author = await newPlayer("Author");
    const { conversationId } = await newTeam(author, viewer, other);
    await block(viewer, other);
    await sendTo(author.client, conversationId, "Visible");
    const before = await memberOf(conversationId, viewer);
    await sendTo(other.client, conversationId, "Hidden");
    expect(await memberOf(conversationId, viewer)).toMatchObject({ listedAt: before.listedAt, unreadCount: 1 });
    expect(shownConversations((await viewer.client.get(LIST)).text)).toMatchObject([
      { preview: "Message from a player you blocked", unread: "1 unread" },
    ]);
  });
});

describe("Messages from the time of a block that has ended", () => {
  /** A chat in which the other player wrote three messages while the viewer had blocked them. */
  async function newUnblocked() {
    const [author, viewer, other] = [await newPlayer("Author"), await newPlayer("Viewer"), await newPlayer("Other")];
    const { postId, conversationId } = await newTeam(author, viewer, other);
    await block(viewer, other);
    const sent = [uuidv7(), uuidv7(), uuidv7()] as const;
    for (const id of sent) await sendTo(other.client, conversationId, "Unseen", id);
    await block(viewer, other, "unblock");
    const unread = async () => (await memberOf(conversationId, viewer)).unreadCount;
    expect(await unread()).toBe(0);
    return { author, viewer, postId, conversationId, sent, unread };
  }

  test("don't become unread when moderators hide one of them, and only that one does when it is restored", async () => {
    const { sent, unread } = await newUnblocked();
    await hide({ kind: "message", id: sent[1] });
    expect(await unread()).toBe(0);
    await restore({ kind: "message", id: sent[1] });
    expect(await unread()).toBe(1);
  });

  test("don't become unread when the chat is read in part", async () => {
    const { author, viewer, conversationId, unread } = await newUnblocked();
    await sendTo(author.client, conversationId, "Seen?");
    expect(await unread()).toBe(1);
    const room = await openConversation(viewer.client, conversationId);
    await room.next("hello");
    room.send({ type: "read", seq: 1 });
    await expect.poll(async () => (await memberOf(conversationId, viewer)).lastReadSeq).toBe(1);
    expect(await unread()).toBe(1);
    room.close();
  });

  test("don't become unread when another member is blocked", async () => {
    const { author, viewer, postId, conversationId, unread } = await newUnblocked();
    const third = await newPlayer("Third");
    await requestToJoin(third.client, postId);
    expect((await accept(author, postId, third)).status).toBe(303);
    await sendTo(author.client, conversationId, "Seen?");
    await block(viewer, third);
    expect(await unread()).toBe(1);
  });
});

describe("Accepting a player into a team across a block with a member", () => {
  test.each(["member", "player"] as const)("asks for confirmation if the %s has blocked the other", async (blocker) => {
    const [author, member, asking] = [await newPlayer("Author"), await newPlayer("Member"), await newPlayer("Asking")];
    const { postId } = await newTeam(author, member);
    await requestToJoin(asking.client, postId);
    await (blocker === "member" ? block(member, asking) : block(asking, member));
    const page = await author.client.get(`/lfg/${postId}`);
    expect(buttons(page.text)).not.toContain("Accept Anyway");
    const warned = await author.client.submit(`/lfg/${postId}`, "Accept");
    expect([warned.status, roundTrips(warned)]).toEqual([409, 3]);
    expect(main(warned.text)).toContain("There's a block between this player and someone in your team.");
    expect(announcements(warned.text).join()).not.toContain(member.name);
    expect((await requestOf(postId, asking.player)).state).toBe("pending");
    expect(buttons(warned.text)).toEqual(expect.arrayContaining(["Accept Anyway", "Decline"]));
    const request = (await requestOf(postId, asking.player)).id;
    const accepted = await author.client.post(`/lfg/${postId}`, { intent: "accept", request, anyway: "on" });
    expect([accepted.status, roundTrips(accepted)]).toEqual([303, 2]);
    expect((await requestOf(postId, asking.player)).state).toBe("accepted");
  });

  test("doesn't override a block with the author, and asks for confirmation only if there is a block", async () => {
    const [author, member, asking] = [await newPlayer("Author"), await newPlayer("Member"), await newPlayer("Asking")];
    const { postId } = await newTeam(author, member);
    await requestToJoin(asking.client, postId);
    await block(asking, author);
    const request = (await requestOf(postId, asking.player)).id;
    const refused = await author.client.post(`/lfg/${postId}`, { intent: "accept", request, anyway: "on" });
    expect(refused.status).toBe(403);
    await block(asking, author, "unblock");
    expect((await pressTeamButton(author.client, postId, "accept", request)).status).toBe(303);
  });
});

describe("A block at the same moment", () => {
  test("as a message leaves the blocker without unread count or news, and prevents later messages", async () => {
    for (let round = 0; round < 8; round += 1) {
      const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
      const pair = await addConversation(app, viewer.player, other.player);
      const { conversationId } = await newTeam(await newPlayer("Author"), viewer, other);
      await Promise.all([
        sendTo(other.client, pair, "In the pair's chat"),
        sendTo(other.client, conversationId, "In the team's chat"),
        contactAuthor(other.client, await addPost(app, viewer.player.id), "About a post"),
        block(viewer, other),
      ]);
      expect((await sendTo(other.client, pair, "After it")).status).toBe(403);
      for (const chat of [pair, conversationId]) expect((await memberOf(chat, viewer)).unreadCount).toBe(0);
      expect([await newsOf(viewer, "message"), await newsOf(viewer, "contact")]).toEqual([0, 0]);
    }
  });

  test("as a request, its acceptance or an invitation hides it from the blocker, and prevents a later acceptance", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [viewer, other] = [await newPlayer("Viewer"), await newPlayer("Other")];
      const [asked, waiting] = [
        await addPost(app, viewer.player.id, { neededPlayers: 2 }),
        await addPost(app, viewer.player.id, { neededPlayers: 2 }),
      ];
      await requestToJoin(other.client, waiting);
      const { teamId, invite } = await newRoster(other, viewer);
      await Promise.all([
        requestToJoin(other.client, asked),
        accept(viewer, waiting, other),
        invite(),
        block(viewer, other),
      ]);
      expect(await newsOf(viewer, "join-request")).toBe(0);
      expect(main((await viewer.client.get(`/lfg/${asked}`)).text)).not.toContain(other.name);
      const [request] = await app.db.select().from(joinRequests).where(eq(joinRequests.postId, asked));
      if (request) expect((await pressTeamButton(viewer.client, asked, "accept", request.id)).status).toBe(403);
      await expect.poll(() => app.db.$count(tournamentInvitations, eq(tournamentInvitations.teamId, teamId))).toBe(0);
      await expect.poll(() => newsOf(viewer, "tournament-invitation")).toBe(0);
    }
  });
});
