import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { REMOVED_MESSAGE } from "../../app/features/messages/rules";
import type { Hideable } from "../../app/features/moderation/shared/hideable";
import { findSubject } from "../../app/features/reports/queries.server";
import { uuidv7 } from "../../db/ids";
import { appeals, conversationMembers, hiddenOriginals, outbox, profiles } from "../../db/schema";
import { useApp } from "../support/app";
import { hidingIn } from "../support/hiding";
import { announcedText, buttons, field, links, main, textOf } from "../support/html";
import { undoFinal } from "../support/matches";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox, openRoom, requestSocket } from "../support/socket";
import { casesIn } from "./cases";
import { conversationsIn, LIST, messagesIn, messagesPath, shownMessages, threadPath } from "./conversations";
import { exported, hasLink, hideablesIn, opens, searchFor, sees, upload } from "./hideables";
import { addConversation, addPost, DAY, HOUR, MINUTE, type NamedVisitor, sendTo, unique, visitAs } from "./players";
import { register, registrationsIn } from "./registrations";
import { giveFeedback, reviewsIn } from "./reviews";
import { contactAuthor, type Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { hide, restore, hideWithoutDecision } = hidingIn(app);
const { newCase, decideCase, decisionsOf } = casesIn(app);
const { accept, postOf, requestOf } = teamsIn(app);
const { newTournament, newEntrant, join, teamsOf, tournamentOf } = registrationsIn(app);
const { storedMessages } = conversationsIn(app);
const { expectRecount, feedbackBetween, profileOf } = reviewsIn(app);
const { newPlayer, newTalker, newsOf, newsSays, newReview, newTeam, newMatch, newDispute } = hideablesIn(app);

/** A thing and a surface that shows it to a viewer, who isn't its author. */
interface Shown {
  subject: Hideable;
  isShown: () => Promise<boolean>;
}

/** A line of the tables below. */
interface Line {
  /** Builds a thing that the viewer can see. */
  make: (viewer: NamedVisitor) => Promise<Shown>;
  /** Whether the surface shows it again once it is restored. Requests, deleted news and former names stay gone. */
  comesBack: boolean;
}

const back = (make: Line["make"]): Line => ({ make, comesBack: true });
const gone = (make: Line["make"]): Line => ({ make, comesBack: false });

/** A surface on which a post shows. @param isShown gets the viewer, the post and its author */
const post = (
  isShown: (viewer: NamedVisitor, post: { id: string; title: string; author: NamedVisitor }) => Promise<boolean>,
  before: (viewer: NamedVisitor, post: { id: string; author: NamedVisitor }) => Promise<unknown> = async () =>
    undefined,
) => ({
  make: async (viewer: NamedVisitor) => {
    const author = await newPlayer("Author");
    const title = unique("Foul title ");
    const id = await addPost(app, author.player.id, { title, neededPlayers: 2 });
    await before(viewer, { id, author });
    return { subject: { kind: "post" as const, id }, isShown: () => isShown(viewer, { id, title, author }) };
  },
});

/** Has the viewer join the post's team: the author accepts their request. */
async function joinTeam(viewer: NamedVisitor, { id, author }: { id: string; author: NamedVisitor }) {
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
    isShown: (viewer: NamedVisitor, chat: { id: string; message: string; author: NamedVisitor }) => Promise<boolean>,
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
    isShown: (viewer: NamedVisitor, other: Awaited<ReturnType<typeof newTalker>>) => Promise<boolean>,
    before: (viewer: NamedVisitor, other: Visitor) => Promise<unknown> = async () => undefined,
  ): Line["make"] =>
  async (viewer) => {
    const other = await newTalker();
    await before(viewer, other);
    return { subject: { kind: "player", id: other.player.id }, isShown: () => isShown(viewer, other) };
  };

const writeTo = async (viewer: NamedVisitor, other: Visitor) =>
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

const review =
  (isShown: (viewer: NamedVisitor, reviewed: NamedVisitor, comment: string) => Promise<boolean>): Line["make"] =>
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

const team =
  (isShown: (viewer: NamedVisitor, made: Awaited<ReturnType<typeof newTeam>>) => Promise<boolean>): Line["make"] =>
  async (viewer) => {
    const made = await newTeam(viewer);
    return { subject: { kind: "team", id: made.teamId }, isShown: () => isShown(viewer, made) };
  };

/** A surface on which the viewer's rival shows: "Team 2", which is also what a neutral name looks like. */
const rival =
  (isShown: (viewer: NamedVisitor, made: Awaited<ReturnType<typeof newMatch>>) => Promise<boolean>): Line["make"] =>
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

/** A surface on which a tournament before its start shows. */
const cup =
  (
    isShown: (
      viewer: NamedVisitor,
      made: { id: string; title: string; page: string; host: Visitor },
    ) => Promise<boolean>,
    before: (viewer: NamedVisitor, made: { id: string }) => Promise<unknown> = async () => undefined,
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
    isShown: (viewer: NamedVisitor, made: Awaited<ReturnType<typeof newMatch>> & { title: string }) => Promise<boolean>,
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
    // The file's other tournaments begin earlier.
    const [title, tournamentDate] = [unique("Foul cup "), new Date(Date.now() + 100 * DAY)];
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

describe("A hidden thing disappears, and comes back once it is restored", () => {
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

  test("keeps what its author was writing, and says why it can't be edited, bumped or closed", async () => {
    const author = await newPlayer("Author");
    const id = await addPost(app, author.player.id, { listedAt: new Date(Date.now() - HOUR) });
    await hide({ kind: "post", id });
    const message = unique("Rewritten at length ");
    const edit = await author.client.post(`/lfg/${id}/edit`, { title: "Another", message, neededPlayers: "1" });
    expect(edit.status).toBe(409);
    expect(textOf(edit.text)).toContain("Moderators have hidden this post, so you can't edit it.");
    expect(field(edit.text, "message").value).toBe(message);
    for (const intent of ["bump", "close"]) {
      const refused = await author.client.post(`/lfg/${id}`, { intent });
      expect(refused.status).toBe(409);
      expect(announcedText(refused.text)).toContain(`Moderators have hidden this post, so you can't ${intent} it.`);
    }
  });

  test("leads its author from `Edit` and `Close Post` to its page, and others nowhere", async () => {
    const [author, stranger] = [await newPlayer("Author"), await newPlayer("Stranger")];
    const id = await addPost(app, author.player.id);
    await hide({ kind: "post", id });
    for (const dialog of ["edit", "close"]) {
      expect((await author.client.get(`/lfg/${id}/${dialog}`)).location, dialog).toBe(`/lfg/${id}`);
      expect((await stranger.client.get(`/lfg/${id}/${dialog}`)).status, dialog).toBe(404);
    }
  });

  test("comes back closed if its author had closed it, if its time is over, or if three others are open", async () => {
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

  test("changes in tabs that loaded it earlier but connect after it was hidden, and reloads no others", async () => {
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

  test("takes news of several messages with it if it was the last unread one, and leaves read news", async () => {
    const [author, reader] = [await newPlayer("Author"), await newPlayer("Reader")];
    const id = await addConversation(app, author.player, reader.player);
    await sendTo(author.client, id, "Hello");
    await reader.client.get(threadPath(id));
    const readAt = async () => (await newsOf(reader)).map((news) => news.readAt);
    await expect.poll(readAt).toEqual([expect.any(Date)]);
    const sent = [uuidv7(), uuidv7()] as const;
    for (const message of sent) await sendTo(author.client, id, FOUL, message);
    const tab = await openInbox(reader.client);
    await tab.next("unread", ({ messages, notifications }) => messages === 2 && notifications === 1);
    await hide({ kind: "message", id: sent[1] });
    await tab.next("unread", ({ messages, notifications }) => messages === 1 && notifications === 1);
    await hide({ kind: "message", id: sent[0] });
    await tab.next("unread", ({ messages, notifications }) => messages === 0 && notifications === 0);
    expect(await newsOf(reader)).toEqual([]);
    await sendTo(author.client, id, "Sorry");
    await reader.client.get(threadPath(id));
    await expect.poll(readAt).toEqual([expect.any(Date)]);
    const hello = (await storedMessages(id)).find(({ content }) => content === "Hello");
    await hide({ kind: "message", id: hello?.id as string });
    expect(await newsSays(reader, "Sorry")).toBe(true);
    tab.close();
  });

  test("in a team's chat takes the news of those members who have no other unread message", async () => {
    const [author, member, viewer] = [await newPlayer("Author"), await newPlayer("Member"), await newPlayer("Viewer")];
    const postId = await addPost(app, author.player.id, { neededPlayers: 2 });
    for (const one of [member, viewer]) await joinTeam(one, { id: postId, author });
    const id = await chatOf(postId);
    const sent = [uuidv7(), uuidv7()];
    for (const message of sent) await sendTo(author.client, id, FOUL, message);
    await sendTo(member.client, id, "Stop it");
    for (const message of sent) await hide({ kind: "message", id: message });
    const chatNewsOf = async (one: Visitor) => (await newsOf(one)).filter(({ kind }) => kind === "message");
    expect(await chatNewsOf(member)).toEqual([]);
    for (const one of [author, viewer])
      expect(await chatNewsOf(one)).toMatchObject([{ readAt: null, data: { preview: "Stop it" } }]);
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

  test("takes its news away, and leaves the news of others, with their number", async () => {
    const { reviewed, id } = await newReview(FOUL);
    const author = await newPlayer("Author");
    await addSession(app.db, author.player, [reviewed.player]);
    await giveFeedback(reviewed.client, author.player);
    await giveFeedback(author.client, reviewed.player);
    const inbox = await openInbox(reviewed.client);
    await inbox.next("unread", ({ notifications }) => notifications === 1);
    expect(await newsOf(reviewed)).toMatchObject([{ kind: "feedback-received", data: { count: 2 } }]);
    await hide({ kind: "review", id });
    expect(await newsOf(reviewed)).toMatchObject([{ kind: "feedback-received", data: { count: 1 } }]);
    const [other] = await feedbackBetween(author.player, reviewed.player);
    await hide({ kind: "review", id: other?.id as string });
    expect(await newsOf(reviewed)).toEqual([]);
    await inbox.next("unread", ({ notifications }) => notifications === 0);
  });

  test("takes its news away even if the player it is about has read of earlier ones", async () => {
    const { reviewed } = await newReview("Kind words");
    const opened = await reviewed.client.get("/dashboard/profile");
    expect(opened.text).toContain("Kind words");
    await expect.poll(async () => (await newsOf(reviewed))[0]?.readAt).toEqual(expect.any(Date));
    const author = await newPlayer("Author");
    await addSession(app.db, author.player, [reviewed.player]);
    await giveFeedback(reviewed.client, author.player);
    await giveFeedback(author.client, reviewed.player, { comment: FOUL });
    const [{ id } = { id: "" }] = await feedbackBetween(author.player, reviewed.player);
    expect(await newsOf(reviewed)).toMatchObject([{ readAt: null, data: { count: 1 } }]);
    await hide({ kind: "review", id });
    expect(await newsOf(reviewed)).toEqual([]);
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
