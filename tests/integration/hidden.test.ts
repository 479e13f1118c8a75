import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { REMOVED_MESSAGE } from "../../app/features/messages/rules";
import type { Hideable } from "../../app/features/moderation/shared/hideable";
import { findSubject } from "../../app/features/reports/queries.server";
import { uuidv7 } from "../../db/ids";
import {
  appeals,
  conversationMembers,
  hiddenOriginals,
  notifications,
  outbox,
  playerFacets,
  playerNames,
  profiles,
  reportCases,
  tournamentBrackets,
  tournamentMatches,
  tournaments,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { hidingIn } from "../support/hiding";
import { announcedText, buttons, field, findForm, links, main } from "../support/html";
import { startTournament, undoFinal } from "../support/matches";
import { completeOAuth, newDiscordUser } from "../support/oauth";
import { png } from "../support/pictures";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { openConversation, openRoom, openTournament, requestSocket } from "../support/socket";
import { casesIn } from "./cases";
import { conversationsIn, LIST, messagesIn, messagesPath, shownMessages, threadPath } from "./conversations";
import { addConversation, addListedPlayer, addPost, DAY, HOUR, MINUTE, sendTo, unique, visitAs } from "./players";
import { register, registrationsIn } from "./registrations";
import { giveFeedback, reviewsIn } from "./reviews";
import { contactAuthor, type Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { hide, restore, hideWithoutDecision } = hidingIn(app);
const { newCase, decideCase, decisionsOf } = casesIn(app);
const { accept, postOf, requestOf } = teamsIn(app);
const { newTournament, newEntrant, join, membersOf, openCheckIn, teamsOf, tournamentOf } = registrationsIn(app);
const { storedMessages } = conversationsIn(app);
const { expectRecount, feedbackBetween, profileOf } = reviewsIn(app);

const ACCOUNTS = "/dashboard/settings/linked-accounts";

type Player = Visitor & { name: string };

/** A player who can do everything: verified, ranked and in the directory. */
async function newPlayer(word: string): Promise<Player> {
  const name = unique(word);
  const player = await addListedPlayer(app, {
    riotGameName: name,
    riotVerifiedAt: new Date(),
    riotPuuid: unique("puuid-"),
    currentRank: "Gold 2",
  });
  return { player, name, client: await visitAs(app, player) };
}

/** A player with a name and words of their own, and a picture. */
async function newTalker(): Promise<Player & { words: string; tag: string }> {
  const [name, words, tag] = [unique("Typed"), unique("Words of theirs "), unique("tag")];
  const player = await addListedPlayer(app, {
    riotId: `${name}#EUW`,
    description: words,
    playTimes: `${words} at night`,
    personalityTags: [tag],
    discordTag: `${name.toLowerCase()}.chat`,
  });
  return { player, name, words, tag, client: await visitAs(app, player) };
}

const sees = async (client: Client, page: string, words: string) => (await client.get(page)).text.includes(words);
const searchFor = (words: string) => `/dashboard/search?q=${encodeURIComponent(words)}`;
const opens = async (client: Client, page: string) => (await client.get(page)).status === 200;
const hasLink = async (client: Client, page: string, label: string) =>
  links((await client.get(page)).text).some(({ text }) => text === label);

const newsOf = async ({ player }: Visitor) =>
  app.db.select().from(notifications).where(eq(notifications.userId, player.id));
const newsSays = async (reader: Visitor, words: string) => JSON.stringify(await newsOf(reader)).includes(words);
const exported = (reader: Visitor) => reader.client.post("/dashboard/settings/export/download");

async function upload(client: Client) {
  const body = new FormData();
  body.set("picture", new File([new Uint8Array(png(40, 30))], "me.png"));
  expect((await client.request("/dashboard/profile/picture", { method: "POST", body })).status).toBe(303);
}

/** A thing and a surface that shows it to a viewer, who isn't its author. */
interface Shown {
  subject: Hideable;
  isShown: () => Promise<boolean>;
}

/** A line of the table. */
interface Line {
  /** Builds a thing that the viewer can see. */
  make: (viewer: Player) => Promise<Shown>;
  /** Whether the surface shows it again once it is restored. News, unless of an open match, and requests don't. */
  comesBack: boolean;
}

const back = (make: Line["make"]): Line => ({ make, comesBack: true });
const gone = (make: Line["make"]): Line => ({ make, comesBack: false });

/** A surface on which a post shows. @param isShown gets the viewer, the post and its author */
const post = (
  isShown: (viewer: Player, post: { id: string; title: string; author: Player }) => Promise<boolean>,
  before: (viewer: Player, post: { id: string; author: Player }) => Promise<unknown> = async () => undefined,
) => ({
  make: async (viewer: Player) => {
    const author = await newPlayer("Author");
    const title = unique("Foul title ");
    const id = await addPost(app, author.player.id, { title, neededPlayers: 2 });
    await before(viewer, { id, author });
    return { subject: { kind: "post" as const, id }, isShown: () => isShown(viewer, { id, title, author }) };
  },
});

/** Has the viewer join the post's team: the author accepts their request. */
async function joinTeam(viewer: Player, { id, author }: { id: string; author: Player }) {
  await requestToJoin(viewer.client, id);
  expect((await accept(author, id, viewer)).status).toBe(303);
}
const chatOf = async (id: string) => (await postOf(id)).conversationId as string;

const POSTS: Record<string, Line> = {
  "the list of posts": back(post((viewer, { title }) => hasLink(viewer.client, "/dashboard", title)).make),
  "a search for posts": back(
    post((viewer, { title }) => hasLink(viewer.client, `/dashboard?q=${encodeURIComponent(title)}`, title)).make,
  ),
  "the search page": back(post((viewer, { title }) => hasLink(viewer.client, searchFor(title), title)).make),
  "its author's page": back(
    post((viewer, { title, author }) => hasLink(viewer.client, `/players/${author.player.id}`, title)).make,
  ),
  "its author's own list": back(post((_, { title, author }) => hasLink(author.client, "/dashboard", title)).make),
  "its page": back(post((viewer, { id }) => opens(viewer.client, `/lfg/${id}`)).make),
  "its page, for guests": back(post((_, { id }) => opens(app.client(), `/lfg/${id}`)).make),
  "the dialogs to join, contact and report": back(
    post(async (viewer, { id }) => {
      const answers = await Promise.all(
        ["join", "contact", "report"].map((part) => opens(viewer.client, `/lfg/${id}/${part}`)),
      );
      expect(new Set(answers).size).toBe(1);
      return answers[0] as boolean;
    }).make,
  ),
  "answering it": back(
    post(async (_, { id }) => (await contactAuthor((await newPlayer("Eve")).client, id, "Hi")).status === 303).make,
  ),
  "asking to join it": back(
    post(async (_, { id }) => (await requestToJoin((await newPlayer("Eve")).client, id)).status === 303).make,
  ),
  "a request that waits": gone(
    post(
      async (viewer, { id }) => (await requestOf(id, viewer.player)).state === "pending",
      (viewer, { id }) => requestToJoin(viewer.client, id),
    ).make,
  ),
  "its author's news of a request": gone(
    post(
      (_, { author, title }) => newsSays(author, title),
      (viewer, { id }) => requestToJoin(viewer.client, id),
    ).make,
  ),
  "a member's news of being in": gone(post((viewer, { title }) => newsSays(viewer, title), joinTeam).make),
  "the name of its team's chat": back(
    post(async (viewer, { id, title }) => sees(viewer.client, threadPath(await chatOf(id)), title), joinTeam).make,
  ),
  "the name of its team's chat in the list": back(
    post((viewer, { title }) => sees(viewer.client, LIST, title), joinTeam).make,
  ),
  "the name of its team's chat on the search page": back(
    post(async (viewer, { id, title }) => sees(viewer.client, searchFor(title), threadPath(await chatOf(id))), joinTeam)
      .make,
  ),
  "news of a message in its team's chat": back(
    post(
      async (viewer, { title }) =>
        (await newsOf(viewer)).some(({ kind, data }) => kind === "message" && JSON.stringify(data).includes(title)),
      async (viewer, made) => {
        await joinTeam(viewer, made);
        await sendTo(made.author.client, await chatOf(made.id), "Hello team");
      },
    ).make,
  ),
  "the link from its team's chat": back(
    post(async (viewer, { id }) => await sees(viewer.client, threadPath(await chatOf(id)), `/lfg/${id}`), joinTeam)
      .make,
  ),
  "the sitemap": back(post((_, { id }) => sees(app.client(), "/sitemap.xml", id)).make),
  "the page that asks for feedback": back(async (viewer) => {
    const author = await newPlayer("Author");
    const title = unique("Foul title ");
    const id = await addSession(app.db, author.player, [viewer.player], { title });
    const isShown = () => sees(viewer.client, `/dashboard/feedback/${id}`, title);
    return { subject: { kind: "post", id }, isShown };
  }),
};

const FOUL = "Foul words of a message";

/** A surface on which a message shows. @param isShown gets the viewer, and the chat with its only message */
const message =
  (
    isShown: (viewer: Player, chat: { id: string; message: string; author: Player }) => Promise<boolean>,
  ): Line["make"] =>
  async (viewer) => {
    const author = await newPlayer("Author");
    const id = await addConversation(app, viewer.player, author.player);
    const sent = uuidv7();
    expect((await sendTo(author.client, id, FOUL, sent)).status).toBe(200);
    const isShownTo = () => isShown(viewer, { id, message: sent, author });
    return { subject: { kind: "message", id: sent }, isShown: isShownTo };
  };

const MESSAGES: Record<string, Line> = {
  "the conversation": back(message((viewer, { id }) => sees(viewer.client, threadPath(id), FOUL))),
  "the conversation as JSON": back(
    message(async (viewer, { id }) => (await viewer.client.get(messagesPath(id))).text.includes(FOUL)),
  ),
  "what a browser catches up on": back(
    message(async (viewer, { id }) => (await viewer.client.get(`${messagesPath(id)}?after=0`)).text.includes(FOUL)),
  ),
  "a page of older messages": back(
    message(async (viewer, { id }) => sees(viewer.client, `${threadPath(id)}?before=2`, FOUL)),
  ),
  "the preview in the list": back(message((viewer) => sees(viewer.client, LIST, FOUL))),
  "the preview on the search page": back(
    message((viewer, { author: { name } }) => sees(viewer.client, searchFor(name), FOUL)),
  ),
  "the unread count": back(
    message(async (viewer, { id }) => {
      const row = await app.db
        .select()
        .from(conversationMembers)
        .where(and(eq(conversationMembers.conversationId, id), eq(conversationMembers.userId, viewer.player.id)))
        .get();
      return row?.unreadCount === 1;
    }),
  ),
  "news of it": gone(message((viewer) => newsSays(viewer, FOUL))),
  "the messages that a report offers": back(
    message((viewer, { id }) => sees(viewer.client, `${threadPath(id)}/report`, FOUL)),
  ),
  "the context of another message's report": back(
    message(async (viewer, { id, author }) => {
      const later = uuidv7();
      await sendTo(author.client, id, "Later", later);
      const found = await findSubject(app.db, { kind: "message", id: later, conversation: id }, viewer.player.id);
      expect(found?.content).toBe("Later");
      return JSON.stringify(found).includes(FOUL);
    }),
  ),
  "reporting it again": back(
    message(async (viewer, { id, message: sent }) =>
      Boolean(await findSubject(app.db, { kind: "message", id: sent, conversation: id }, viewer.player.id)),
    ),
  ),
  "the export of others": back(message(async (viewer) => (await exported(viewer)).text.includes(FOUL))),
};

/** A surface on which a player shows. @param isShown gets the viewer and the player */
const player =
  (
    isShown: (viewer: Player, other: Awaited<ReturnType<typeof newTalker>>) => Promise<boolean>,
    before: (viewer: Player, other: Visitor) => Promise<unknown> = async () => undefined,
  ): Line["make"] =>
  async (viewer) => {
    const other = await newTalker();
    await before(viewer, other);
    return { subject: { kind: "player", id: other.player.id }, isShown: () => isShown(viewer, other) };
  };

const writeTo = async (viewer: Player, other: Visitor) =>
  sendTo(other.client, await addConversation(app, viewer.player, other.player), "Hello");

const PLAYERS: Record<string, Line> = {
  "the words on their page": back(
    player((viewer, { player: { id }, words }) => sees(viewer.client, `/players/${id}`, words)),
  ),
  "the tags on their page": back(
    player((viewer, { player: { id }, tag }) => sees(viewer.client, `/players/${id}`, tag)),
  ),
  "the name on their page": back(
    player((viewer, { player: { id }, name }) => sees(viewer.client, `/players/${id}`, name)),
  ),
  "their page for guests": back(player((_, { player: { id }, name }) => sees(app.client(), `/players/${id}`, name))),
  "the directory by name": back(
    player((viewer, { player: { id }, name }) => sees(viewer.client, `/dashboard/players?name=${name}`, id)),
  ),
  "the search page": back(
    player((viewer, { player: { id }, name }) => sees(viewer.client, searchFor(name), `/players/${id}`)),
  ),
  "the name in the conversations of the search page": back(
    player((viewer, { name }) => sees(viewer.client, searchFor(name), "/dashboard/messages/"), writeTo),
  ),
  "the directory by tag": back(
    player((viewer, { player: { id }, tag }) => sees(viewer.client, `/dashboard/players?playstyle=${tag}`, id)),
  ),
  "the name on their post": back(
    player(
      (viewer, { name }) => sees(viewer.client, "/dashboard", name),
      (_, other) => addPost(app, other.player.id),
    ),
  ),
  "the name in the list of conversations": back(player((viewer, { name }) => sees(viewer.client, LIST, name), writeTo)),
  "the name in news of a message": back(player((viewer, { name }) => newsSays(viewer, name), writeTo)),
  "the name in news of a message in a team's chat that they have left": back(
    player(
      (viewer, { name }) => newsSays(viewer, name),
      async (viewer, other) => {
        const id = await addPost(app, viewer.player.id);
        await requestToJoin(other.client, id);
        await accept(viewer, id, other);
        await sendTo(other.client, await chatOf(id), "Hello team");
        await pressTeamButton(other.client, id, "leave");
      },
    ),
  ),
  "the name in news of a request": back(
    player(
      (viewer, { name }) => newsSays(viewer, name),
      async (viewer, other) => requestToJoin(other.client, await addPost(app, viewer.player.id)),
    ),
  ),
  "a former name in news of a request": gone(
    player(
      (viewer, { name }) => newsSays(viewer, name),
      async (viewer, other) => {
        await requestToJoin(other.client, await addPost(app, viewer.player.id));
        const renamed = { isListed: "on", riotId: `${unique("Renamed")}#EUW` };
        expect((await other.client.post("/dashboard/profile", renamed)).status).toBe(303);
      },
    ),
  ),
  "a former name in news of a message": gone(
    player(
      (viewer, { name }) => newsSays(viewer, name),
      async (viewer, other) => {
        await writeTo(viewer, other);
        // As after verifying a Riot account. Hiding leaves the verified name.
        const verified = { riotGameName: unique("Verified"), riotVerifiedAt: new Date(), riotPuuid: unique("puuid-") };
        await app.db.update(profiles).set(verified).where(eq(profiles.userId, other.player.id));
      },
    ),
  ),
  "the name in news of an answer": back(
    player(
      (viewer, { name }) => newsSays(viewer, name),
      async (viewer, other) => {
        const id = await addPost(app, other.player.id);
        await requestToJoin(viewer.client, id);
        await accept(other, id, viewer);
      },
    ),
  ),
  "the name in the export of others": back(
    player(async (viewer, { name }) => (await exported(viewer)).text.includes(name), writeTo),
  ),
  "the note of a request": back(async (viewer) => {
    const other = await newTalker();
    const [id, note] = [await addPost(app, viewer.player.id, { neededPlayers: 2 }), unique("Foul note ")];
    expect((await requestToJoin(other.client, id, { note })).status).toBe(303);
    const subject = { kind: "player", id: other.player.id } as const;
    return { subject, isShown: () => sees(viewer.client, `/lfg/${id}`, note) };
  }),
  "the note of a search": back(async (viewer) => {
    const other = await newPlayer("Seeker");
    const [{ id }, note] = [await newTournament(), unique("Foul note ")];
    expect((await other.client.post(`/tournaments/${id}/seek`, { role: "", note })).status).toBe(303);
    const subject = { kind: "player", id: other.player.id } as const;
    return { subject, isShown: () => sees(viewer.client, `/tournaments/${id}/teams`, note) };
  }),
  "the evidence of a dispute": back(async (viewer) => {
    const { author, page, evidence } = await newDispute(viewer);
    const subject = { kind: "player", id: author.player.id } as const;
    return { subject, isShown: () => sees(viewer.client, `${page}/matches/0`, evidence) };
  }),
  "the evidence of a dispute that was decided": back(async (viewer) => {
    const { author, page, evidence, execute, hostId } = await newDispute(viewer);
    expect(await execute({ type: "rule", match: 0, forfeits: 2 }, hostId)).toMatchObject({ outcome: "done" });
    const subject = { kind: "player", id: author.player.id } as const;
    return { subject, isShown: () => sees(viewer.client, `${page}/matches/0`, evidence) };
  }),
  "their picture": back(async (viewer) => {
    const other = await newTalker();
    await upload(other.client);
    const { avatarId } = await profileOf(other.player);
    const page = `/players/${other.player.id}`;
    return {
      subject: { kind: "player", id: other.player.id },
      isShown: async () => {
        const [isServed, isOnPage] = [
          await opens(app.client(), `/avatars/${avatarId}`),
          await sees(viewer.client, page, `${avatarId}`),
        ];
        expect(isServed).toBe(isOnPage);
        return isServed;
      },
    };
  }),
};

/** Feedback that two players have given each other: the review of the first by the second. */
async function newReview(comment: string) {
  const [reviewed, author] = [await newPlayer("Reviewed"), await newPlayer("Author")];
  await addSession(app.db, reviewed.player, [author.player]);
  expect((await giveFeedback(reviewed.client, author.player)).status).toBe(303);
  expect((await giveFeedback(author.client, reviewed.player, { rating: 1, comment })).status).toBe(303);
  const [review] = await feedbackBetween(author.player, reviewed.player);
  return { reviewed, author, id: review?.id as string };
}

const review =
  (isShown: (viewer: Player, reviewed: Player, comment: string) => Promise<boolean>): Line["make"] =>
  async (viewer) => {
    const comment = unique("Foul review ");
    const { reviewed, id } = await newReview(comment);
    return { subject: { kind: "review", id }, isShown: () => isShown(viewer, reviewed, comment) };
  };

const REVIEWS: Record<string, Line> = {
  "the player's page": back(
    review((viewer, { player: { id } }, comment) => sees(viewer.client, `/players/${id}`, comment)),
  ),
  "the player's own profile": back(review((_, { client }, comment) => sees(client, "/dashboard/profile", comment))),
  "the score": back(
    review(async (_, reviewed) => {
      await expectRecount(reviewed.player);
      return (await profileOf(reviewed.player)).totalRatings === 1;
    }),
  ),
  "the player's export": back(
    review(async (_, reviewed, comment) => (await exported(reviewed)).text.includes(comment)),
  ),
};

/** An open tournament with a team whose name is foul; the viewer has joined it. */
async function newTeam(viewer: Player) {
  const name = unique("Foul team ");
  const { id: tournamentId, hostId } = await newTournament({ maxParticipants: 8 });
  const [captain, teamId] = [await newEntrant(), uuidv7()];
  expect((await register(captain.client, tournamentId, name, teamId)).status).toBe(303);
  const host = { player: { id: hostId, email: "" }, client: await visitAs(app, { id: hostId, email: "" }) };
  expect((await join(viewer, tournamentId, teamId)).status).toBe(303);
  return { name, tournamentId, teamId, captain, host, page: `/tournaments/${tournamentId}` };
}

/** A running tournament of two solo players: the viewer is the first, called "Team 1", the author the second. */
async function newMatch(viewer: Player) {
  const author = await newPlayer("Author");
  const tournament = await startTournament(app, {
    teams: 2,
    title: unique("Foul cup "),
    captains: [viewer.player.id, author.player.id],
  });
  const [, team] = tournament.teams;
  const page = `/tournaments/${tournament.id}`;
  const match = await app.db
    .select()
    .from(tournamentMatches)
    .where(eq(tournamentMatches.tournamentId, tournament.id))
    .get();
  const host = {
    player: { id: tournament.hostId, email: "" },
    client: await visitAs(app, { id: tournament.hostId, email: "" }),
  };
  return { ...tournament, page, team, author, host, chat: match?.conversationId as string };
}

/** Such a match, which the author has disputed. */
async function newDispute(viewer: Player) {
  const made = await newMatch(viewer);
  const evidence = unique("Foul evidence ");
  expect((await made.author.client.post(`${made.page}/matches/0/dispute`, { evidence })).status).toBe(303);
  return { ...made, evidence };
}

const team =
  (isShown: (viewer: Player, made: Awaited<ReturnType<typeof newTeam>>) => Promise<boolean>): Line["make"] =>
  async (viewer) => {
    const made = await newTeam(viewer);
    return { subject: { kind: "team", id: made.teamId }, isShown: () => isShown(viewer, made) };
  };

/** A surface on which the viewer's rival shows: "Team 2", which is also what a neutral name looks like. */
const rival =
  (isShown: (viewer: Player, made: Awaited<ReturnType<typeof newMatch>>) => Promise<boolean>): Line["make"] =>
  async (viewer) => {
    const made = await newMatch(viewer);
    return { subject: { kind: "team", id: made.team?.id as string }, isShown: () => isShown(viewer, made) };
  };

const TEAMS: Record<string, Line> = {
  "its page": back(team((viewer, { page, teamId, name }) => sees(viewer.client, `${page}/teams/${teamId}`, name))),
  "the list of teams": back(team((_, { page, name }) => sees(app.client(), `${page}/teams`, name))),
  "its captain's panel": back(team((_, { page, name, captain }) => sees(captain.client, page, name))),
  "the link to join it": back(
    team(async (_, { tournamentId, page, teamId, name }) => {
      const found = (await teamsOf(tournamentId)).find(({ id }) => id === teamId);
      return sees((await newEntrant()).client, `${page}/join/${found?.inviteToken}`, name);
    }),
  ),
  "its captain's news": back(team((_, { captain, name }) => newsSays(captain, name))),
  "the organisers' news": back(team((_, { host, name }) => newsSays(host, name))),
  "the tournament's log": back(team((_, { host, page, name }) => sees(host.client, `${page}/manage`, name))),
  "a member's export": back(team(async (viewer, { name }) => (await exported(viewer)).text.includes(name))),
  "the bracket": back(rival((_, { page }) => sees(app.client(), page, "Team 2"))),
  "the list of matches": back(rival((_, { page }) => sees(app.client(), `${page}/matches`, "Team 2"))),
  "a match's page": back(rival((_, { page }) => sees(app.client(), `${page}/matches/0`, "Team 2"))),
  "the other side's news": back(rival((viewer) => newsSays(viewer, "Team 2"))),
  "the name of the match's chat": back(rival((viewer, { chat }) => sees(viewer.client, threadPath(chat), "Team 2"))),
  "news of a message in the match's chat": back(
    rival(async (viewer, { chat, author }) => {
      await sendTo(author.client, chat, "Good luck");
      const [news] = (await newsOf(viewer)).filter(({ kind }) => kind === "message");
      return JSON.stringify(news).includes("Team 2");
    }),
  ),
  "the name of an undone match's chat": back(async (viewer) => {
    const { teams, chat } = await undoFinal(app, { captains: [viewer.player.id] });
    return {
      subject: { kind: "team", id: teams[1]?.id as string },
      isShown: () => sees(viewer.client, threadPath(chat), "Team 2"),
    };
  }),
  "its players' pages": back(
    rival((viewer, { author }) => sees(viewer.client, `/players/${author.player.id}`, "Team 2")),
  ),
};

/** Counts days, so that no two tournaments of this file begin on the same day. */
let serial = 0;

/** A surface on which a tournament before its start shows. */
const cup =
  (
    isShown: (viewer: Player, made: { id: string; title: string; page: string; host: Visitor }) => Promise<boolean>,
    before: (viewer: Player, made: { id: string }) => Promise<unknown> = async () => undefined,
  ): Line["make"] =>
  async (viewer) => {
    const title = unique("Foul cup ");
    const { id, hostId } = await newTournament({ title, maxParticipants: 8 });
    const host = { player: { id: hostId, email: "" }, client: await visitAs(app, { id: hostId, email: "" }) };
    await before(viewer, { id });
    const made = { id, title, page: `/tournaments/${id}`, host };
    return { subject: { kind: "tournament", id }, isShown: () => isShown(viewer, made) };
  };

/** A surface on which a running tournament shows. */
const running =
  (
    isShown: (viewer: Player, made: Awaited<ReturnType<typeof newMatch>> & { title: string }) => Promise<boolean>,
  ): Line["make"] =>
  async (viewer) => {
    const made = await newMatch(viewer);
    const { title } = await tournamentOf(made.id);
    return { subject: { kind: "tournament", id: made.id }, isShown: () => isShown(viewer, { ...made, title }) };
  };

/** Requests the data of one part of a page alone, as the browser may. @returns whether its loader allows it */
const dataOf = async (page: string, route: string) =>
  (await app.client().get(`${page}.data?_routes=${encodeURIComponent(`routes/tournaments.$tournamentId${route}`)}`))
    .status === 200;

const TOURNAMENTS: Record<string, Line> = {
  "the list": back(cup((viewer, { title }) => sees(viewer.client, "/dashboard/tournaments", title))),
  "the search page": back(cup((viewer, { title }) => hasLink(viewer.client, searchFor(title), title))),
  "the list by date": back(async (viewer) => {
    serial += 1;
    const [title, tournamentDate] = [unique("Foul cup "), new Date(Date.now() + (100 + serial) * DAY)];
    const { id } = await newTournament({ title, tournamentDate });
    const day = tournamentDate.toISOString().slice(0, 10);
    const isShown = () => sees(viewer.client, `/dashboard/tournaments?from=${day}&zone=UTC`, title);
    return { subject: { kind: "tournament", id }, isShown };
  }),
  "its page": back(cup((viewer, { page }) => opens(viewer.client, page))),
  "its page for guests": back(cup((_, { page }) => opens(app.client(), page))),
  "its tabs": back(
    cup(async (viewer, { page }) => {
      const tabs = await Promise.all(
        ["teams", "matches", "rules"].map((tab) => opens(viewer.client, `${page}/${tab}`)),
      );
      expect(new Set(tabs).size).toBe(1);
      return tabs[0] as boolean;
    }),
  ),
  "the data of its tabs": back(
    cup(async (_, { page }) => {
      const tabs = await Promise.all([
        dataOf(page, ""),
        dataOf(page, "._bracket"),
        dataOf(`${page}/teams`, ".teams"),
        dataOf(`${page}/matches`, ".matches"),
      ]);
      expect(new Set(tabs).size).toBe(1);
      return tabs[0] as boolean;
    }),
  ),
  "reporting it": back(cup((viewer, { page }) => opens(viewer.client, `${page}/report`))),
  "its calendar file": back(cup((_, { page }) => opens(app.client(), `${page}/calendar.ics`))),
  "a player's calendar feed": back(
    cup(
      async (viewer, { title }) => {
        const settings = "/dashboard/settings/calendar";
        const read = async () => (await viewer.client.get(settings)).text.match(/\/calendar\/[\w-]+\.ics/)?.[0];
        if (!(await read())) await viewer.client.post(settings, { intent: "renew" });
        return sees(app.client(), (await read()) as string, title);
      },
      (viewer, { id }) => register(viewer.client, id),
    ),
  ),
  "the sitemap": back(cup((_, { id }) => sees(app.client(), "/sitemap.xml", id))),
  "registering for it": back(
    cup(async (_, { id }) => (await register((await newEntrant()).client, id)).status === 303),
  ),
  "looking for a team in it": back(
    cup(
      async (_, { page }) =>
        (await (await newEntrant()).client.post(`${page}/seek`, { role: "", note: "" })).status === 303,
    ),
  ),
  "joining a team in it": back(
    cup(
      async (_, { id }) => (await join(await newEntrant(), id, (await teamsOf(id))[0]?.id as string)).status === 303,
      (viewer, { id }) => register(viewer.client, id),
    ),
  ),
  "the organisers' news": gone(
    cup(
      (_, { host, title }) => newsSays(host, title),
      (viewer, { id }) => register(viewer.client, id),
    ),
  ),
  "a team's page": back(running((viewer, { page, team: one }) => opens(viewer.client, `${page}/teams/${one?.id}`))),
  "a match's page": back(running((viewer, { page }) => opens(viewer.client, `${page}/matches/0`))),
  "the link from a match's chat": back(
    running((viewer, { chat, page }) => sees(viewer.client, threadPath(chat), `${page}/matches/0`)),
  ),
  "checking in for a match": back(
    running(async (viewer, { execute }) => {
      const { outcome } = await execute({ type: "check-in", match: 0 }, viewer.player.id);
      return outcome === "done";
    }),
  ),
  "the news of an open match": back(running((viewer, { title }) => newsSays(viewer, title))),
  "its players' pages": back(
    running((viewer, { author, title }) => sees(viewer.client, `/players/${author.player.id}`, title)),
  ),
  "its players' export": back(running(async (viewer, { title }) => (await exported(viewer)).text.includes(title))),
  "its room": back(
    running(async (viewer, { id }) => {
      const { status, socket } = await requestSocket(viewer.client, `/parties/tournament/${id}`);
      socket?.close();
      return status === 101;
    }),
  ),
};

const TABLE = Object.entries({
  post: POSTS,
  message: MESSAGES,
  player: PLAYERS,
  review: REVIEWS,
  team: TEAMS,
  tournament: TOURNAMENTS,
}).flatMap(([kind, surfaces]) => Object.entries(surfaces).map(([surface, line]) => [kind, surface, line] as const));

describe("A hidden thing disappears, and what was restored is back", () => {
  test.each(TABLE)("%s: %s", async (_, __, { make, comesBack }) => {
    const { subject, isShown } = await make(await newPlayer("Viewer"));
    const before = await isShown();
    await hideWithoutDecision(subject);
    const undecided = await isShown();
    await hide(subject);
    const hidden = await isShown();
    await restore(subject);
    expect([before, undecided, hidden, await isShown()]).toEqual([true, true, false, comesBack]);
  });
});

describe("A hidden post", () => {
  test("is still its author's to see, with a note, but not to bump, edit, close or reopen", async () => {
    const author = await newPlayer("Author");
    const id = await addPost(app, author.player.id, { listedAt: new Date(Date.now() - HOUR) });
    const page = `/lfg/${id}`;
    await hide({ kind: "post", id });
    const shown = await author.client.get(page);
    expect([shown.status, roundTrips(shown)]).toEqual([200, 1]);
    expect(main(shown.text)).toContain("Moderators have hidden this post.");
    expect(links(shown.text)).toContainEqual({ text: "Read the decision", href: "/account/decisions" });
    for (const intent of ["bump", "close", "reopen"]) {
      expect((await author.client.post(page, { intent })).status).not.toBe(500);
      expect(await postOf(id)).toMatchObject({ isActive: false, closedAt: null });
    }
    await author.client.post(`${page}/edit`, { title: "Another", neededPlayers: "1" });
    expect((await postOf(id)).title).not.toBe("Another");
    expect(await opens(author.client, `${page}/edit`)).toBe(false);
    await restore({ kind: "post", id });
    expect(await postOf(id)).toMatchObject({ isActive: true, closedAt: null, hiddenAt: null });
    expect((await author.client.submit(`${page}/delete`, "Delete Post")).status).toBe(303);
  });

  test("comes back closed if its author had closed it, if its time is over, and if three others are open", async () => {
    const author = await newPlayer("Author");
    const closed = await addPost(app, author.player.id, { isActive: false, closedAt: new Date() });
    const over = await addPost(app, author.player.id, { expiresAt: new Date(Date.now() - MINUTE) });
    const surplus = await addPost(app, author.player.id);
    for (const id of [closed, over, surplus]) await hide({ kind: "post", id });
    for (let number = 0; number < 3; number += 1) await addPost(app, author.player.id);
    for (const id of [closed, over, surplus]) await restore({ kind: "post", id });
    expect(await postOf(closed)).toMatchObject({ isActive: false, hiddenAt: null });
    expect(await postOf(over)).toMatchObject({ isActive: false, closedAt: null });
    expect(await postOf(surplus)).toMatchObject({ isActive: false, closedAt: expect.any(Date) });
    expect(buttons((await author.client.get(`/lfg/${surplus}`)).text)).toContain("Reopen Post");
  });

  test("doesn't open when someone leaves its team", async () => {
    const [author, member] = [await newPlayer("Author"), await newPlayer("Member")];
    const id = await addPost(app, author.player.id, { neededPlayers: 1 });
    await joinTeam(member, { id, author });
    await hide({ kind: "post", id });
    await pressTeamButton(member.client, id, "leave");
    expect(await postOf(id)).toMatchObject({ isActive: false, takenSpots: 0 });
    await restore({ kind: "post", id });
    expect(await postOf(id)).toMatchObject({ isActive: true, filledAt: null });
  });
});

describe("A hidden message", () => {
  test("changes in the tabs that show it: a note for others, their own words for its sender", async () => {
    const [author, reader] = [await newPlayer("Author"), await newPlayer("Reader")];
    const id = await addConversation(app, author.player, reader.player);
    const sent = uuidv7();
    await sendTo(author.client, id, FOUL, sent);
    const [mine, theirs] = [await openConversation(author.client, id), await openConversation(reader.client, id)];
    await Promise.all([mine.next("hello"), theirs.next("hello")]);
    const next = async (room: typeof mine) =>
      (await room.next("message", ({ message: one }) => one.id === sent)).message;
    await hide({ kind: "message", id: sent });
    expect(await next(theirs)).toMatchObject({ content: REMOVED_MESSAGE, seq: 1, isChanged: true });
    expect((await next(mine)).content).toBe(`${REMOVED_MESSAGE}. Only you still see it:\n${FOUL}`);
    expect(shownMessages((await reader.client.get(threadPath(id))).text)).toEqual([REMOVED_MESSAGE]);
    expect(messagesIn(await author.client.get(messagesPath(id))).messages[0]?.content).toContain(FOUL);
    // Sending it again, as a browser does if it got no response, doesn't bring it back.
    expect((await sendTo(author.client, id, FOUL, sent)).status).toBe(200);
    await restore({ kind: "message", id: sent });
    expect((await next(theirs)).content).toBe(FOUL);
    expect((await next(mine)).content).toBe(FOUL);
    const heard = theirs.messages.filter(({ content }) => content === FOUL);
    expect(heard).toHaveLength(1);
    for (const room of [mine, theirs]) room.close();
  });

  test("changes in tabs that read it before and connect afterwards, and reloads no others", async () => {
    const [author, reader] = [await newPlayer("Author"), await newPlayer("Reader")];
    const id = await addConversation(app, author.player, reader.player);
    const sent = [uuidv7(), uuidv7()];
    for (const message of sent) await sendTo(author.client, id, FOUL, message);
    const openSince = (since: number) => openRoom(reader.client, `/parties/conversation/${id}?since=${since}`);
    const before = Date.now();
    const open = await openSince(before);
    await open.next("hello");
    for (const message of sent) {
      await hide({ kind: "message", id: message });
      await open.next("message");
    }
    const [stale, current] = [await openSince(before), await openSince(Date.now() + 1)];
    for (const place of [1, 2]) await stale.next("edited", ({ seq }) => seq === place);
    await sendTo(author.client, id, "Sorry");
    for (const room of [open, current]) {
      await room.next("message", ({ message: { seq } }) => seq === 3);
      expect(room.frames.filter(({ type }) => type === "edited")).toEqual([]);
    }
    for (const room of [open, stale, current]) room.close();
  });

  test("in a team's chat is also a note for players who have blocked its sender, until it is restored", async () => {
    const [author, viewer] = [await newPlayer("Author"), await newPlayer("Viewer")];
    const postId = await addPost(app, author.player.id, { neededPlayers: 2 });
    await joinTeam(viewer, { id: postId, author });
    const id = await chatOf(postId);
    const sent = uuidv7();
    await sendTo(author.client, id, FOUL, sent);
    await viewer.client.post(`/players/${author.player.id}/block`, { intent: "block" });
    const room = await openConversation(viewer.client, id);
    await room.next("hello");
    await hide({ kind: "message", id: sent });
    expect((await room.next("message")).message.content).toBe(REMOVED_MESSAGE);
    expect(await sees(viewer.client, threadPath(id), REMOVED_MESSAGE)).toBe(true);
    await restore({ kind: "message", id: sent });
    expect((await room.next("message")).message).toMatchObject({ content: "", isHidden: true, isChanged: true });
    room.close();
  });

  test("leaves later messages, their preview and their news alone", async () => {
    const [author, reader] = [await newPlayer("Author"), await newPlayer("Reader")];
    const id = await addConversation(app, author.player, reader.player);
    const sent = uuidv7();
    await sendTo(author.client, id, FOUL, sent);
    await sendTo(author.client, id, "A later one");
    await hide({ kind: "message", id: sent });
    expect(await sees(reader.client, LIST, "A later one")).toBe(true);
    expect(await newsSays(reader, "A later one")).toBe(true);
    expect((await storedMessages(id)).map(({ content }) => content)).toEqual([FOUL, "A later one"]);
    await restore({ kind: "message", id: sent });
    expect(await sees(reader.client, LIST, "A later one")).toBe(true);
  });

  test("is no longer quoted in news of several messages", async () => {
    const [author, reader] = [await newPlayer("Author"), await newPlayer("Reader")];
    const id = await addConversation(app, author.player, reader.player);
    const sent = uuidv7();
    await sendTo(author.client, id, "First");
    await sendTo(author.client, id, FOUL, sent);
    await hide({ kind: "message", id: sent });
    expect((await newsOf(reader)).map(({ data }) => data)).toMatchObject([{ preview: REMOVED_MESSAGE, count: 2 }]);
  });
});

describe("A hidden review", () => {
  test("is no news for the player it is about if it was hidden before both players had given theirs", async () => {
    const [author, reviewed] = [await newPlayer("Author"), await newPlayer("Reviewed")];
    await addSession(app.db, author.player, [reviewed.player]);
    expect((await giveFeedback(author.client, reviewed.player, { rating: 1, comment: FOUL })).status).toBe(303);
    const [{ id } = { id: "" }] = await feedbackBetween(author.player, reviewed.player);
    await hide({ kind: "review", id });
    expect((await giveFeedback(reviewed.client, author.player)).status).toBe(303);
    expect((await feedbackBetween(author.player, reviewed.player))[0]?.revealedAt).not.toBeNull();
    expect((await newsOf(reviewed)).map(({ kind }) => kind)).toEqual([]);
    expect((await newsOf(author)).map(({ kind }) => kind)).toEqual(["feedback-received"]);
  });
});

describe("A review that is hidden before it is revealed", () => {
  const HIDDEN = "Moderators have hidden your feedback for them, so it can't be changed.";

  test("can't be changed by its author, who is told so wherever it could be", async () => {
    const [author, reviewed] = [await newPlayer("Author"), await newPlayer("Reviewed")];
    const postId = await addSession(app.db, author.player, [reviewed.player]);
    const page = `/players/${reviewed.player.id}`;
    const session = `/dashboard/feedback/${postId}`;
    expect((await giveFeedback(author.client, reviewed.player, { rating: 1, comment: FOUL })).status).toBe(303);
    expect(await hasLink(author.client, page, "Change Feedback")).toBe(true);
    const [{ id } = { id: "" }] = await feedbackBetween(author.player, reviewed.player);
    await hide({ kind: "review", id });
    expect(await hasLink(author.client, page, "Change Feedback")).toBe(false);
    const dialog = await author.client.get(`${page}/feedback`);
    expect(dialog.location).toBe(page);
    expect(announcedText((await author.client.follow(dialog)).text)).toContain(HIDDEN);
    const listed = await author.client.get(session);
    expect(main(listed.text)).toContain("Moderators have hidden it.");
    expect(links(listed.text)).toContainEqual({ text: "Read the decision", href: "/account/decisions" });
    expect(links(listed.text).map(({ text }) => text)).not.toContain("Change");
    const refused = await giveFeedback(author.client, reviewed.player, { id, rating: 3, comment: "Kinder words" });
    expect([refused.status, announcedText(refused.text)]).toEqual([409, expect.stringContaining(HIDDEN)]);
    expect(field(refused.text, "comment").value).toBe("Kinder words");
    // A second review doesn't replace it, and sending the same one again doesn't show it.
    for (const again of [{ rating: 3 }, { id, rating: 1, comment: FOUL }]) {
      const answer = await giveFeedback(author.client, reviewed.player, again);
      expect([answer.status, announcedText(answer.text)]).toEqual([409, expect.stringContaining(HIDDEN)]);
    }
    expect(await feedbackBetween(author.player, reviewed.player)).toMatchObject([{ rating: 1, comment: FOUL }]);
    await giveFeedback(reviewed.client, author.player);
    expect(main((await author.client.get(session)).text)).toContain("Moderators have hidden it.");
  });

  test("can be changed again once it is restored", async () => {
    const [author, reviewed] = [await newPlayer("Author"), await newPlayer("Reviewed")];
    await addSession(app.db, author.player, [reviewed.player]);
    await giveFeedback(author.client, reviewed.player, { rating: 1, comment: FOUL });
    const [{ id } = { id: "" }] = await feedbackBetween(author.player, reviewed.player);
    await hide({ kind: "review", id });
    await restore({ kind: "review", id });
    expect((await giveFeedback(author.client, reviewed.player, { id, rating: 3 })).status).toBe(303);
    expect(await feedbackBetween(author.player, reviewed.player)).toMatchObject([{ rating: 3, comment: null }]);
  });
});

describe("A hidden player", () => {
  /** The directory's lists that have a player. */
  const facetsOf = async ({ player }: Player) =>
    (await app.db.select().from(playerFacets).where(eq(playerFacets.userId, player.id))).map(({ facet }) => facet);

  test("reads why on their profile, and can write new words, but not the same ones", async () => {
    const talker = await newTalker();
    const own = "/dashboard/profile";
    const form = {
      isListed: "on",
      riotId: `${talker.name}#EUW`,
      description: talker.words,
      personalityTags: talker.tag,
    };
    await hide({ kind: "player", id: talker.player.id });
    const page = await talker.client.get(own);
    expect(roundTrips(page)).toBe(1);
    expect(main(page.text)).toContain("Moderators have hidden what you wrote here.");
    expect((await talker.client.post(own, form)).status).toBe(303);
    expect(await profileOf(talker.player)).toMatchObject({ riotId: null, description: null, personalityTags: [] });
    const viewer = await newPlayer("Viewer");
    expect(await sees(viewer.client, `/dashboard/players?playstyle=${talker.tag}`, talker.player.id)).toBe(false);
    expect((await talker.client.post(own, { ...form, description: "Better words" })).status).toBe(303);
    await restore({ kind: "player", id: talker.player.id });
    expect(await profileOf(talker.player)).toMatchObject({
      riotId: `${talker.name}#EUW`,
      description: "Better words",
      personalityTags: [talker.tag],
    });
    expect(main((await talker.client.get(own)).text)).not.toContain("Moderators");
  });

  test("is found by name and tag as before if they were hidden twice, and is named in news again", async () => {
    const [talker, reader] = [await newTalker(), await newPlayer("Reader")];
    const subject = { kind: "player", id: talker.player.id } as const;
    await requestToJoin(talker.client, await addPost(app, reader.player.id));
    const found = async () => ({
      names: await app.db.select().from(playerNames).where(eq(playerNames.userId, subject.id)),
      facets: await facetsOf(talker),
      profile: await profileOf(talker.player).then(({ riotId, foundBy, personalityTags }) => ({
        ...{ riotId, foundBy, personalityTags },
      })),
      isNamed: await newsSays(reader, `${talker.name}#EUW`),
    });
    const before = await found();
    expect([before.names.length > 0, before.profile.foundBy, before.isNamed]).toEqual([
      true,
      `${talker.name}#EUW`,
      true,
    ]);
    await hide(subject);
    await talker.client.post("/dashboard/profile", { isListed: "on", description: "Worse words" });
    await hide(subject);
    expect(await newsSays(reader, talker.name)).toBe(false);
    await restore(subject);
    expect(await found()).toEqual(before);
    expect((await profileOf(talker.player)).description).toBe("Worse words");
  });

  test("isn't found by their last name once they have typed the hidden one again", async () => {
    const [talker, viewer] = [await newTalker(), await newPlayer("Viewer")];
    const other = unique("Nice");
    const save = async (name: string) =>
      expect((await talker.client.post("/dashboard/profile", { isListed: "on", riotId: `${name}#EUW` })).status).toBe(
        303,
      );
    const isFoundBy = (name: string) => sees(viewer.client, `/dashboard/players?name=${name}`, talker.player.id);
    await hide({ kind: "player", id: talker.player.id });
    await save(other);
    expect(await isFoundBy(other)).toBe(true);
    await save(talker.name);
    expect([await isFoundBy(other), await isFoundBy(talker.name)]).toEqual([false, false]);
    expect(await profileOf(talker.player)).toMatchObject({ riotId: null, foundBy: "" });
  });

  test("is told that the profile is saved if they send a form with hidden words twice", async () => {
    const talker = await newTalker();
    await hide({ kind: "player", id: talker.player.id });
    const page = await talker.client.get("/dashboard/profile");
    const { version } = findForm(page.text, "Clear All").values;
    const form = {
      ...{ version, isListed: "on", riotId: `${talker.name}#EUW`, discordTag: `${talker.name.toLowerCase()}.chat` },
      ...{ description: talker.words, playTimes: `${talker.words} at night`, personalityTags: talker.tag },
    };
    for (let time = 0; time < 2; time += 1) {
      expect((await talker.client.post("/dashboard/profile", form)).status).toBe(303);
    }
    // Words that aren't hidden have not been saved.
    expect((await talker.client.post("/dashboard/profile", { ...form, description: "Others" })).status).toBe(409);
  });

  test("gets back the tags written last, with the lists that belong to them", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    const tag = unique("Überlegt");
    await hide(subject);
    // Not in the directory, so in none of its lists.
    await talker.client.post("/dashboard/profile", { personalityTags: tag });
    await hide(subject);
    await talker.client.post("/dashboard/profile", { isListed: "on" });
    await restore(subject);
    expect((await profileOf(talker.player)).personalityTags).toEqual([tag]);
    expect(await facetsOf(talker)).toEqual(["all", `tag:${tag.toLowerCase()}`]);
  });

  test("who has left the directory isn't found by restored tags", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await hide(subject);
    await talker.client.post("/dashboard/profile", {});
    await restore(subject);
    expect((await profileOf(talker.player)).personalityTags).toEqual([talker.tag]);
    expect(await facetsOf(talker)).toEqual([]);
  });

  test("doesn't get a hidden tag back by typing it in another case, or among others", async () => {
    const talker = await newTalker();
    const viewer = await newPlayer("Viewer");
    const [other, fresh] = [unique("Ünkind"), unique("fresh")];
    const save = async (...tags: string[]) =>
      talker.client.post("/dashboard/profile", { isListed: "on", personalityTags: tags.join(", ") });
    await save(talker.tag, other);
    await hide({ kind: "player", id: talker.player.id });
    expect(roundTrips(await save(other.toUpperCase(), fresh, talker.tag))).toBe(2);
    expect((await profileOf(talker.player)).personalityTags).toEqual([fresh]);
    expect((await facetsOf(talker)).filter((facet) => facet.startsWith("tag:"))).toEqual([`tag:${fresh}`]);
    const page = `/players/${talker.player.id}`;
    expect([await sees(viewer.client, page, fresh), await sees(viewer.client, page, talker.tag)]).toEqual([
      true,
      false,
    ]);
  });

  test("is put on the queue for a new tag even if the form also has a hidden one", async () => {
    const talker = await newTalker();
    await hide({ kind: "player", id: talker.player.id });
    await talker.client.post("/dashboard/profile", { isListed: "on", personalityTags: `${talker.tag}, fucking cunt` });
    const queued = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, talker.player.id));
    expect(queued).toMatchObject([{ state: "open", isFlagged: true }]);
  });

  test("doesn't get a hidden note back by typing it again, in a request or a search", async () => {
    const [seeker, author, viewer] = [await newPlayer("Seeker"), await newPlayer("Author"), await newPlayer("Viewer")];
    const [tournament, other] = [await newTournament(), await newTournament()];
    const [postId, otherId] = [await addPost(app, author.player.id), await addPost(app, author.player.id)];
    const [wanted, asked, polite] = [unique("Foul search "), unique("Foul request "), unique("Kind words ")];
    const seek = async ({ id }: { id: string }, note: string) => {
      expect((await seeker.client.post(`/tournaments/${id}/seek`, { role: "", note })).status).toBe(303);
      return sees(viewer.client, `/tournaments/${id}/teams`, note);
    };
    const ask = async (id: string, note: string) => {
      await pressTeamButton(seeker.client, id, "withdraw");
      const form = { id: uuidv7(), note };
      // Sent twice, as after a lost answer.
      for (let time = 0; time < 2; time += 1) {
        expect((await requestToJoin(seeker.client, id, form)).status).toBe(303);
      }
      return sees(author.client, `/lfg/${id}`, note);
    };
    const subject = { kind: "player", id: seeker.player.id } as const;
    expect([await seek(tournament, wanted), await ask(postId, asked)]).toEqual([true, true]);
    await hide(subject);
    for (const note of [wanted, asked]) {
      for (const one of [tournament, other]) expect(await seek(one, note), note).toBe(false);
      for (const id of [postId, otherId]) expect(await ask(id, note), note).toBe(false);
    }
    expect([await seek(tournament, polite), await ask(postId, polite)]).toEqual([true, true]);
    await restore(subject);
    expect([await seek(tournament, wanted), await ask(postId, asked)]).toEqual([true, true]);
  });

  test("doesn't get back words that were hidden before others, by typing either again", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    const words = (name: string, text: string, tag: string) => ({
      ...{ riotId: `${name}#EUW`, discordTag: `${name.toLowerCase()}.chat` },
      ...{ description: text, playTimes: `${text} at night`, personalityTags: tag },
    });
    const first = words(talker.name, talker.words, talker.tag);
    const second = words(unique("Other"), unique("More words "), unique("more"));
    const save = async (form: Partial<typeof first>) => {
      expect((await talker.client.post("/dashboard/profile", { isListed: "on", ...form })).status).toBe(303);
      const { riotId, discordTag, description, playTimes, personalityTags } = await profileOf(talker.player);
      return { riotId, discordTag, description, playTimes, personalityTags: personalityTags?.join(", ") };
    };
    const nothing = { riotId: null, discordTag: null, description: null, playTimes: null, personalityTags: "" };
    await hide(subject);
    expect(await save(second)).toEqual(second);
    await hide(subject);
    for (const form of [first, second]) expect(await save(form)).toEqual(nothing);
    await restore(subject);
    expect(await profileOf(talker.player)).toMatchObject({ ...second, personalityTags: [second.personalityTags] });
    expect(await save(first)).toEqual(first);
  });

  test("who is hidden again has earlier words kept for as long as a decision can be appealed", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    const keys = async () => {
      const [row] = await app.db.select().from(hiddenOriginals).where(eq(hiddenOriginals.subjectId, subject.id));
      return Object.keys(row?.original ?? {}).sort();
    };
    const later = (days: number) => new Date(Date.now() + days * DAY);
    const save = async (word: string) => {
      const form = { riotId: `${unique("Another")}#EUW`, description: word, personalityTags: unique("more") };
      expect((await talker.client.post("/dashboard/profile", { isListed: "on", ...form })).status).toBe(303);
    };
    await hide(subject);
    const plain = await keys();
    await save("Second");
    const [second, third, fourth] = [later(100), later(200), later(300)] as const;
    await hide(subject, second);
    // A name's other parts are compared with nothing that is typed.
    const replaced = (at: Date) => ["description", "riotId", "tags"].map((key) => `${key}@${at.getTime()}`);
    expect(await keys()).toEqual([...plain, ...replaced(second)].sort());
    await save("Third");
    await hide(subject, third);
    expect(await keys()).toEqual([...plain, ...replaced(second), ...replaced(third)].sort());
    await save("Fourth");
    await hide(subject, fourth);
    expect(await keys()).toEqual([...plain, ...replaced(third), ...replaced(fourth)].sort());
  });

  test("doesn't get back a note of a search that was hidden before another one there", async () => {
    const [seeker, viewer] = [await newPlayer("Seeker"), await newPlayer("Viewer")];
    const page = `/tournaments/${(await newTournament()).id}`;
    const subject = { kind: "player", id: seeker.player.id } as const;
    const notes = [unique("Foul search "), unique("Worse search ")];
    const seek = async (note: string) => {
      expect((await seeker.client.post(`${page}/seek`, { role: "", note })).status).toBe(303);
      return sees(viewer.client, `${page}/teams`, note);
    };
    for (const note of notes) {
      expect(await seek(note)).toBe(true);
      await hide(subject);
    }
    for (const note of notes) expect(await seek(note), note).toBe(false);
  });

  test("doesn't get the hidden Discord tag back by linking Discord, but only when it is restored", async () => {
    const user = newDiscordUser(app);
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await completeOAuth(talker.client, "discord", user.key, "link");
    expect(await profileOf(talker.player)).toMatchObject({ discordTag: user.username });
    await hide(subject);
    await talker.client.post(ACCOUNTS, { unlink: "discord" });
    await completeOAuth(talker.client, "discord", user.key, "link");
    expect((await profileOf(talker.player)).discordTag).toBeNull();
    await restore(subject);
    const restored = await profileOf(talker.player);
    expect([restored.discordTag, restored.discordVerifiedAt]).toEqual([user.username, expect.any(Date)]);
  });

  describe("shows the next name at Discord, after a name there that was hidden", () => {
    /** Renames a player's account at Discord. @returns the tag that their profile shows after the next sign-in */
    const tagAfter = async (talker: Player, user: ReturnType<typeof newDiscordUser>, username: string) => {
      app.oauth.addDiscordUser({ ...user, username });
      await completeOAuth(app.client(), "discord", user.key);
      return (await profileOf(talker.player)).discordTag;
    };
    /** The tag that `newTalker` types. */
    const typedBy = (talker: Player) => `${talker.name.toLowerCase()}.chat`;

    test("and was taken after Discord was linked", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await hide({ kind: "player", id: talker.player.id });
      await completeOAuth(talker.client, "discord", user.key, "link");
      const next = `${user.username}.new`;
      expect(await tagAfter(talker, user, typedBy(talker))).toBeNull();
      expect(await tagAfter(talker, user, next)).toBe(next);
    });

    test("and was the account's name when Discord was linked", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await hide({ kind: "player", id: talker.player.id });
      app.oauth.addDiscordUser({ ...user, username: typedBy(talker) });
      await completeOAuth(talker.client, "discord", user.key, "link");
      expect((await profileOf(talker.player)).discordTag).toBeNull();
      expect(await tagAfter(talker, user, user.username)).toBe(user.username);
    });

    test("and had been shown as the account's name", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await completeOAuth(talker.client, "discord", user.key, "link");
      await hide({ kind: "player", id: talker.player.id });
      const next = `${user.username}.new`;
      expect(await tagAfter(talker, user, user.username)).toBeNull();
      expect(await tagAfter(talker, user, next)).toBe(next);
    });

    test("unless the player had typed another tag than the account's name", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await completeOAuth(talker.client, "discord", user.key, "link");
      const typed = { isListed: "on", discordTag: typedBy(talker) };
      expect((await talker.client.post("/dashboard/profile", typed)).status).toBe(303);
      await hide({ kind: "player", id: talker.player.id });
      expect(await tagAfter(talker, user, `${user.username}.new`)).toBeNull();
    });
  });

  test("gets a restored Discord tag without the mark if Discord was unlinked in the meantime", async () => {
    const user = newDiscordUser(app);
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await completeOAuth(talker.client, "discord", user.key, "link");
    await hide(subject);
    await talker.client.post(ACCOUNTS, { unlink: "discord" });
    await restore(subject);
    const restored = await profileOf(talker.player);
    expect([restored.discordTag, restored.discordVerifiedAt]).toEqual([user.username, null]);
  });

  test("shows the tag of a Discord account that was linked afterwards and isn't hidden", async () => {
    const user = newDiscordUser(app);
    const talker = await newTalker();
    await hide({ kind: "player", id: talker.player.id });
    await completeOAuth(talker.client, "discord", user.key, "link");
    const profile = await profileOf(talker.player);
    expect([profile.discordTag, profile.discordVerifiedAt]).toEqual([user.username, expect.any(Date)]);
  });

  test("of whom only a picture was hidden has nothing kept once it is restored", async () => {
    const player = await newPlayer("Worn");
    await upload(player.client);
    await decideCase(await newCase(player.player), { action: "hide" });
    const kept = async () => JSON.parse((await exported(player)).text).hidden;
    expect(await kept()).toMatchObject([{ kind: "player", original: { avatarId: expect.any(String) } }]);
    await decideCase(await newCase(player.player), { action: "restore", rule: null });
    expect(await kept()).toEqual([]);
  });

  test("has the evidence of disputes removed from open pages immediately, and shown again once restored", async () => {
    const made = await newDispute(await newPlayer("Viewer"));
    const room = await openTournament(app.client(), made.id);
    const subject = { kind: "player", id: made.author.player.id } as const;
    await hide(subject);
    await room.next("changed");
    await restore(subject);
    await room.next("changed");
    room.close();
  });

  test("doesn't get hidden evidence back by the next action in the match", async () => {
    const viewer = await newPlayer("Viewer");
    const { id, author, page } = await newDispute(viewer);
    const subject = { kind: "player", id: author.player.id } as const;
    await hide(subject);
    expect((await viewer.client.post(`${page}/matches/0`, { intent: "check-in" })).status).toBe(303);
    const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    expect(match).toMatchObject({ state: "disputed", dispute: null, checkedIn1: expect.any(Date) });
  });

  test("doesn't get hidden evidence back by typing it in another dispute", async () => {
    const viewer = await newPlayer("Viewer");
    const { id, author, page, evidence, execute, hostId } = await newDispute(viewer);
    const here = `${page}/matches/0`;
    const subject = { kind: "player", id: author.player.id } as const;
    const reopen = async () => {
      expect(await execute({ type: "rule", match: 0, forfeits: 2 }, hostId)).toMatchObject({ outcome: "done" });
      expect(await execute({ type: "reopen", match: 0, expects: [] }, hostId)).toMatchObject({ outcome: "done" });
    };
    const dispute = async (words: string) => {
      expect((await author.client.post(`${here}/dispute`, { evidence: words })).status).toBe(303);
      const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
      expect(match?.state).toBe("disputed");
      return sees(viewer.client, here, words);
    };
    await hide(subject);
    await reopen();
    expect(await dispute(evidence)).toBe(false);
    await reopen();
    // From now on the room knows the match as it is.
    expect((await viewer.client.post(here, { intent: "check-in" })).status).toBe(303);
    expect(await dispute(evidence)).toBe(false);
    await reopen();
    expect(await dispute(unique("Kind evidence "))).toBe(true);
    await restore(subject);
    await reopen();
    expect(await dispute(evidence)).toBe(true);
  });

  test("keeps the name of a verified Riot account", async () => {
    const verified = await newPlayer("Riot");
    await hide({ kind: "player", id: verified.player.id });
    expect(await profileOf(verified.player)).toMatchObject({ riotGameName: verified.name, foundBy: verified.name });
  });

  test("keeps a picture chosen later, while the hidden one is deleted on restoring or with the account", async () => {
    const bucket = await app.miniflare.getR2Bucket("AVATARS");
    const has = async (key: string) => (await bucket.head(key)) !== null;
    const [one, two] = [await newTalker(), await newTalker()];
    for (const { client } of [one, two]) await upload(client);
    const [first, second] = [(await profileOf(one.player)).avatarId, (await profileOf(two.player)).avatarId];
    for (const { player: hidden } of [one, two]) await hide({ kind: "player", id: hidden.id });
    expect([await has(`${first}`), await has(`hidden/${first}`)]).toEqual([false, true]);
    await upload(one.client);
    const newer = (await profileOf(one.player)).avatarId;
    await restore({ kind: "player", id: one.player.id });
    expect((await profileOf(one.player)).avatarId).toBe(newer);
    expect([await has(`${first}`), await has(`hidden/${first}`), await has(`${newer}`)]).toEqual([false, false, true]);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(0) })
      .where(eq(users.id, two.player.id));
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    await eventually(async () => ((await has(`hidden/${second}`)) ? undefined : true));
    expect(await app.db.$count(hiddenOriginals, eq(hiddenOriginals.subjectId, two.player.id))).toBe(0);
  });
});

describe("A hidden thing", () => {
  test("can be restored as long as an appeal may come, 184 days, and while one waits", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await hide(subject);
    const kept = eq(hiddenOriginals.subjectId, subject.id);
    await app.db
      .update(hiddenOriginals)
      .set({ createdAt: new Date(Date.now() - 183 * DAY) })
      .where(kept);
    await app.runScheduled();
    expect(await app.db.$count(hiddenOriginals, kept)).toBe(1);
    await app.db
      .update(hiddenOriginals)
      .set({ createdAt: new Date(Date.now() - 185 * DAY) })
      .where(kept);
    const theCase = await newCase(talker.player);
    await decideCase(theCase, { action: "warn" });
    const [decision] = await decisionsOf(theCase.id);
    await talker.client.post(`/account/decisions/${decision?.id}/appeal`, { words: "I meant well." });
    await app.runScheduled();
    expect(await app.db.$count(hiddenOriginals, kept)).toBe(1);
    await app.db
      .update(appeals)
      .set({ outcome: "rejected", answer: "No.", answerer: "operator Lee", answeredAt: new Date() })
      .where(eq(appeals.decisionId, `${decision?.id}`));
    await app.runScheduled();
    expect(await app.db.$count(hiddenOriginals, kept)).toBe(0);
    await restore(subject);
    expect((await profileOf(talker.player)).description).toBeNull();
  });

  test("is quoted in no waiting email, not even in those about its report", async () => {
    const [author, viewer] = [await newPlayer("Author"), await newPlayer("Viewer")];
    const title = unique("Foul title ");
    const id = await addPost(app, author.player.id, { title });
    const chat = await addConversation(app, viewer.player, author.player);
    const sent = uuidv7();
    await sendTo(author.client, chat, FOUL, sent);
    for (const page of [`/lfg/${id}/report`, `${threadPath(chat)}/report/${sent}`]) {
      expect((await viewer.client.submit(page, "Send Report", { reason: "hate" })).status).toBe(303);
    }
    await hide({ kind: "post", id });
    await hide({ kind: "message", id: sent });
    const waiting = await app.db.select().from(outbox).where(eq(outbox.recipient, viewer.player.email));
    expect(waiting).toHaveLength(2);
    for (const words of [title, FOUL, author.name]) expect(JSON.stringify(waiting)).not.toContain(words);
  });
});

describe("A hidden team", () => {
  test("gets a name that no other team of the tournament has, in the bracket's data as well", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const [one, two] = made.teams;
    for (const hidden of [one, two]) await hide({ kind: "team", id: hidden?.id as string });
    expect((await teamsOf(made.id)).map(({ name }) => name).sort()).toEqual(["Team 3", "Team 4"]);
    const bracket = await app.db
      .select()
      .from(tournamentBrackets)
      .where(eq(tournamentBrackets.tournamentId, made.id))
      .get();
    expect(JSON.stringify(bracket)).not.toMatch(/Team \d/);
    for (const hidden of [two, one]) await restore({ kind: "team", id: hidden?.id as string });
    expect((await teamsOf(made.id)).map(({ name }) => name).sort()).toEqual(["Team 1", "Team 2"]);
  });

  test("keeps the neutral name if another has taken its own", async () => {
    const made = await newTeam(await newPlayer("Viewer"));
    await hide({ kind: "team", id: made.teamId });
    const taker = await newEntrant();
    expect((await register(taker.client, made.tournamentId, made.name)).status).toBe(303);
    await restore({ kind: "team", id: made.teamId });
    const names = (await teamsOf(made.tournamentId)).map(({ name }) => name);
    expect(names.sort()).toEqual([made.name, "Team 1"].sort());
  });
});

/**
 * Returns the names of all links and buttons on some pages of a tournament, and checks that each link to the
 * tournament's own pages opens.
 */
async function offeredOn(client: Client, home: string, pages: readonly string[]): Promise<Set<string>> {
  const offered = new Set<string>();
  const targets = new Set<string>();
  for (const page of pages) {
    const { text } = await client.get(page);
    for (const name of buttons(text)) offered.add(name);
    for (const link of links(text)) {
      offered.add(link.text);
      if (link.href.startsWith(home)) targets.add(link.href);
    }
  }
  for (const target of targets) expect((await client.get(target)).status, target).toBe(200);
  return offered;
}

/** A running tournament of two solo players, with helpers for its only match. */
async function newFinal() {
  const [one, two] = [await newPlayer("One"), await newPlayer("Two")];
  const tournament = await startTournament(app, {
    teams: 2,
    captains: [one.player.id, two.player.id],
    tournamentDate: new Date(Date.now() - MINUTE),
  });
  return { ...tournament, one, two };
}
const matchOf = async (id: string) =>
  (await app.db
    .select()
    .from(tournamentMatches)
    .where(eq(tournamentMatches.tournamentId, id))
    .get()) as typeof tournamentMatches.$inferSelect;
const changeMatch = (id: string, values: Partial<typeof tournamentMatches.$inferInsert>) =>
  app.db.update(tournamentMatches).set(values).where(eq(tournamentMatches.tournamentId, id));

describe("A hidden tournament", () => {
  test("tells its open pages, and is still its organisers' to see, with a note", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const room = await openTournament(app.client(), made.id);
    await hide({ kind: "tournament", id: made.id });
    await room.next("changed");
    room.close();
    const page = await made.host.client.get(made.page);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(main(page.text)).toContain("Moderators have hidden this tournament.");
    for (const tab of ["teams", "matches", "manage"])
      expect(await opens(made.host.client, `${made.page}/${tab}`)).toBe(true);
    expect((await requestSocket(app.client(), `/parties/tournament/${made.id}`)).status).toBe(404);
    const own = await requestSocket(made.host.client, `/parties/tournament/${made.id}`);
    expect(own.status).toBe(101);
    own.socket?.close();
  });

  test("stays hidden when its organiser rewrites it", async () => {
    const host = await newPlayer("Host");
    const { id } = await newTournament({ userId: host.player.id });
    const page = `/tournaments/${id}`;
    await hide({ kind: "tournament", id });
    const edited = await host.client.submit(`${page}/edit`, "Save Tournament", { description: "New words" });
    expect([edited.status, (await tournamentOf(id)).description]).toEqual([303, "New words"]);
    expect((await app.client().get(page)).status).toBe(404);
  });

  test("sends no news", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const title = (await tournamentOf(made.id)).title;
    await hide({ kind: "tournament", id: made.id });
    await made.host.client.submit(`${made.page}/cancel`, "Cancel Tournament", { reason: "Over" });
    expect((await tournamentOf(made.id)).state).toBe("cancelled");
    expect(await newsSays(made.author, title)).toBe(false);
  });

  test("doesn't claim that players were told when a team is removed or the tournament is cancelled", async () => {
    const host = await newPlayer("Host");
    const toasts = async (isHidden: boolean) => {
      const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
      const [page, teamId] = [`/tournaments/${id}`, uuidv7()];
      expect((await register((await newEntrant()).client, id, unique("Team "), teamId)).status).toBe(303);
      if (isHidden) await hide({ kind: "tournament", id });
      const removed = await host.client.post(`${page}/teams/${teamId}`, { intent: "remove-team" });
      const said = announcedText((await host.client.follow(removed)).text);
      const cancelled = await host.client.submit(`${page}/cancel`, "Cancel Tournament", { reason: "Over" });
      return `${said} ${announcedText((await host.client.follow(cancelled)).text)}`;
    };
    expect(await toasts(false)).toMatch(/was removed We've told its players.*We've told everyone who registered/);
    const said = await toasts(true);
    expect(said).toMatch(/was removed.*Tournament cancelled/);
    expect(said).not.toContain("We've told");
  });

  test("gets no further organisers, and offers none", async () => {
    const [host, helper] = [await newPlayer("Host"), await newPlayer("Helper")];
    const { id } = await newTournament({ userId: host.player.id, title: unique("Foul cup ") });
    const { title } = await tournamentOf(id);
    const page = `/tournaments/${id}/manage`;
    await addConversation(app, host.player, helper.player);
    const add = () => host.client.post(page, { intent: "add", playerId: helper.player.id });
    const offers = async () => {
      const { text } = await host.client.get(page);
      return [buttons(text).includes("Add Organiser"), text.includes(helper.player.id)];
    };
    await hide({ kind: "tournament", id });
    expect(await offers()).toEqual([false, false]);
    expect(main((await host.client.get(page)).text)).toContain("You can add organisers once the tournament is shown");
    const refused = await add();
    expect([refused.status, roundTrips(refused)]).toEqual([409, 3]);
    expect(announcedText(refused.text)).toContain(
      "Moderators have hidden this tournament. You can add organisers once",
    );
    expect(await newsOf(helper)).toEqual([]);
    expect(await opens(helper.client, `/tournaments/${id}`)).toBe(false);
    await restore({ kind: "tournament", id });
    expect(await offers()).toEqual([true, true]);
    expect((await add()).status).toBe(303);
    expect(await newsSays(helper, title)).toBe(true);
  });

  test("sends no news when a captain's account goes and another player takes over the team", async () => {
    const [captain, heir] = [await newPlayer("Captain"), await newPlayer("Heir")];
    const { id } = await newTournament({ title: unique("Foul cup "), maxParticipants: 8 });
    const teamId = uuidv7();
    expect((await register(captain.client, id, unique("Team "), teamId)).status).toBe(303);
    expect((await join(heir, id, teamId)).status).toBe(303);
    await hide({ kind: "tournament", id });
    await captain.client.post("/dashboard/settings/delete-account", { email: captain.player.email });
    await expect.poll(async () => (await teamsOf(id))[0]?.captainId).toBe(heir.player.id);
    expect(await newsOf(heir)).toEqual([]);
  });

  test("puts in the substitute if a player's account goes, and undoes the check-in of an incomplete team", async () => {
    const [captain, mate, substitute] = [await newPlayer("Captain"), await newPlayer("Mate"), await newPlayer("Third")];
    const { id } = await newTournament({ maxParticipants: 8 });
    const teamId = uuidv7();
    expect((await register(captain.client, id, unique("Team "), teamId)).status).toBe(303);
    for (const player of [mate, substitute]) expect((await join(player, id, teamId)).status).toBe(303);
    await openCheckIn(id);
    expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    await hide({ kind: "tournament", id });
    const leave = ({ client, player }: Player) =>
      client.post("/dashboard/settings/delete-account", { email: player.email });
    const rest = async () => (await membersOf(teamId)).map(({ userId, isSubstitute }) => [userId, isSubstitute]);
    const isCheckedIn = async () => (await teamsOf(id))[0]?.checkedInAt !== null;
    await leave(mate);
    await expect.poll(async () => (await rest()).length).toBe(2);
    expect((await rest()).sort()).toEqual([captain, substitute].map(({ player }) => [player.id, false]).sort());
    expect(await isCheckedIn()).toBe(true);
    await leave(substitute);
    await expect.poll(async () => (await rest()).length).toBe(1);
    expect(await isCheckedIn()).toBe(false);
  });

  test("gives a report its full time again once it is shown again, and tells the other captain", async () => {
    const { id, execute, one, two } = await newFinal();
    await execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, one.player.id);
    await hide({ kind: "tournament", id });
    await changeMatch(id, { confirmBy: new Date(Date.now() - MINUTE) });
    await restore({ kind: "tournament", id });
    await app.runScheduled();
    const { state, confirmBy } = await matchOf(id);
    expect(state).toBe("reported");
    expect(confirmBy?.getTime()).toBeGreaterThan(Date.now() + 14 * MINUTE);
    expect(await newsOf(two)).toMatchObject([{ kind: "match-report", subject: `match:${id}/0` }]);
    const corrected = await execute(
      { type: "report", match: 0, maps: [{ map: null, rounds: [13, 5] }] },
      one.player.id,
    );
    expect(corrected).toEqual({ outcome: "done" });
  });

  test("counts a report's minutes from when the tournament is shown again, once there is a new deadline", async () => {
    const { id, execute, one } = await newFinal();
    await execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, one.player.id);
    const panel = async () => main((await one.client.get(`/tournaments/${id}/matches/0`)).text);
    const reportedAt = new Date(Date.now() - 2 * DAY);
    // As if the tournament was shown again, but its room couldn't be reached.
    await changeMatch(id, { reportedAt, confirmBy: null });
    expect(await panel()).toContain("Team 2 has to confirm If nobody answers, your report counts.");
    await hide({ kind: "tournament", id });
    await restore({ kind: "tournament", id });
    expect(await panel()).toMatch(
      /Team 2 has to confirm \S.* has been asked since \d\d:\d\d \. If nobody answers, your report counts\. 15 min left of 15/,
    );
  });

  test("calls its matches again once it is shown again, so no win can be claimed immediately", async () => {
    const { id, execute, one, two } = await newFinal();
    await execute({ type: "check-in", match: 0 }, one.player.id);
    await hide({ kind: "tournament", id });
    await changeMatch(id, { deadlineAt: new Date(Date.now() - MINUTE) });
    await restore({ kind: "tournament", id });
    for (const player of [one, two]) {
      expect(await newsOf(player)).toMatchObject([{ kind: "match-ready", subject: `match:${id}/0` }]);
    }
    const { checkedIn1, deadlineAt } = await matchOf(id);
    expect(checkedIn1).not.toBeNull();
    expect(deadlineAt?.getTime()).toBeGreaterThan(Date.now() + 14 * MINUTE);
    const claim = await execute({ type: "claim", match: 0 }, one.player.id);
    expect(claim).toEqual({ outcome: "refused", reason: "too-early" });
  });

  test("has a week to be started once it is shown again, and its check-in is announced", async () => {
    const [host, entrant] = [await newPlayer("Host"), await newPlayer("Entrant")];
    const { id } = await newTournament({ userId: host.player.id, teamSize: 1 });
    expect((await register(entrant.client, id, null)).status).toBe(303);
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
    const change = (values: Partial<typeof tournaments.$inferInsert>) =>
      app.db.update(tournaments).set(values).where(eq(tournaments.id, id));
    await change({ registrationDeadline: daysAgo(9), tournamentDate: daysAgo(8), startToldAt: daysAgo(8) });
    await hide({ kind: "tournament", id });
    await restore({ kind: "tournament", id });
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    expect((await tournamentOf(id)).state).toBe("open");
    const kinds = async (player: Player) => (await newsOf(player)).map(({ kind }) => kind);
    expect(await kinds(host)).toContain("tournament-due");
    expect(await kinds(entrant)).toContain("tournament-check-in");
    await change({ startToldAt: daysAgo(7) });
    await app.runScheduled();
    expect((await tournamentOf(id)).state).toBe("cancelled");
  });

  test("offers its organisers nothing that waits until it is shown again: before the start", async () => {
    const [host, helper] = [await newPlayer("Host"), await newPlayer("Helper")];
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
    const page = `/tournaments/${id}`;
    const add = { intent: "add", playerId: helper.player.id };
    expect((await host.client.post(`${page}/manage`, add)).status).toBe(303);
    const offered = async () => {
      const pages = ["", "/teams", "/manage"].map((tab) => `${page}${tab}`);
      const labels = await offeredOn(helper.client, page, pages);
      const all = ["Seeding and Start", "Add to calendar", "Register", "Look for a Team", "Report"];
      return all.filter((one) => labels.has(one));
    };
    expect(await offered()).toHaveLength(5);
    await hide({ kind: "tournament", id });
    expect(await offered()).toEqual([]);
    await restore({ kind: "tournament", id });
    expect(await offered()).toHaveLength(5);
  });

  test("offers its organisers nothing that waits until it is shown again: in a team", async () => {
    const host = await newPlayer("Host");
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
    const [page, teamId] = [`/tournaments/${id}`, uuidv7()];
    expect((await register(host.client, id, unique("Team "), teamId)).status).toBe(303);
    expect((await join(await newEntrant(), id, teamId)).status).toBe(303);
    const offered = async () => {
      const labels = await offeredOn(host.client, page, [`${page}/teams/${teamId}`]);
      return ["Make Captain", "Remove", "New Link"].filter((one) => labels.has(one));
    };
    expect(await offered()).toHaveLength(3);
    await hide({ kind: "tournament", id });
    expect(await offered()).toEqual([]);
  });

  test("offers its organisers nothing that waits until it is shown again: during play", async () => {
    const [host, other] = [await newPlayer("Host"), await newPlayer("Other")];
    const { id, teams } = await startTournament(app, {
      teams: 2,
      userId: host.player.id,
      captains: [host.player.id, other.player.id],
    });
    const page = `/tournaments/${id}`;
    const match = `${page}/matches/0`;
    const offered = async () => {
      const labels = await offeredOn(host.client, page, [page, match, `${page}/teams/${teams[1]?.id}`]);
      const all = ["Add to calendar", "Check In", "Dispute this match", "Forfeit", "Decide", "Disqualify", "Report"];
      return all.filter((one) => labels.has(one));
    };
    expect(await offered()).toHaveLength(7);
    await hide({ kind: "tournament", id });
    expect(await offered()).toEqual([]);
    expect((await host.client.get(`${match}/decide`)).location).toBe(match);
  });
});
