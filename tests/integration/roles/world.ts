import { eq } from "drizzle-orm";
import { uuidv7 } from "../../../db/ids";
import { appeals, calendarFeeds, restrictions, userFeedback, users } from "../../../db/schema";
import { RESTRICTION_SCOPES } from "../../../db/words/restriction-scopes";
import type { StaffRole } from "../../../db/words/staff-roles";
import type { TestApp } from "../../support/app";
import { startTournament } from "../../support/matches";
import { addSession } from "../../support/played";
import { casesIn } from "../cases";
import { addSecondFactor } from "../moderators";
import {
  addBlock,
  addConversation,
  addListedPlayer,
  addPost,
  DAY,
  HOUR,
  MINUTE,
  sendTo,
  unique,
  visitAs,
} from "../players";
import { register, registrationsIn } from "../registrations";
import type { Visitor } from "../talk";
import { requestToJoin, teamsIn } from "../teams";

/**
 * Everyone who sends requests. `owner` has a post, has blocked `blocked`, and shares a team chat with `member`, who is
 * in the post's team and in `captain`'s tournament team. `organiser` hosts the tournaments. `limited` may not post,
 * write, host or join. `other` is only invited to `captain`'s team.
 */
export const ROLES = [
  "visitor",
  "owner",
  "other",
  "blocked",
  "limited",
  "suspended",
  "member",
  "captain",
  "organiser",
  "moderator",
  "admin",
] as const;

export type Role = (typeof ROLES)[number];

/** The senders of the requests, and the players and things that the requests are about. */
export type World = Awaited<ReturnType<typeof buildWorld>>;

export async function buildWorld(app: TestApp) {
  const { newCase, decideCase } = casesIn(app);
  const { newTournament, join, teamsOf } = registrationsIn(app);
  const { accept } = teamsIn(app);
  const now = new Date();
  const { db } = app;

  const newPlayer = async (word: string): Promise<Visitor> => {
    const name = unique(word);
    const account = { riotId: `${name}#EUW`, riotGameName: name, riotVerifiedAt: now, riotPuuid: unique("puuid-") };
    const player = await addListedPlayer(app, { ...account, currentRank: "Gold 2" });
    return { player, client: await visitAs(app, player) };
  };
  const visitors: Visitor[] = [];
  for (const role of ["owner", "other", "blocked", "limited", "suspended", "member", "captain", "organiser"]) {
    visitors.push(await newPlayer(role));
  }
  const [owner, other, blocked, limited, suspended, member, captain, organiser] = visitors as [
    ...[Visitor, Visitor, Visitor, Visitor, Visitor, Visitor, Visitor, Visitor],
  ];
  const newStaff = async (role: StaffRole): Promise<Visitor> => {
    const visitor = await newPlayer(role);
    await db.update(users).set({ role }).where(eq(users.id, visitor.player.id));
    await addSecondFactor(app, visitor.player);
    return visitor;
  };
  const [moderator, admin] = [await newStaff("moderator"), await newStaff("admin")];
  /** A player without a role, whom some of the requests are about. */
  const stranger = await newPlayer("Stranger");
  const rival = await newPlayer("Rival");

  await addBlock(app, owner.player, blocked.player);
  await db.insert(restrictions).values(
    RESTRICTION_SCOPES.map((scope) => {
      const until = new Date(now.getTime() + DAY);
      return { userId: limited.player.id, scope, until, decisionId: uuidv7() };
    }),
  );

  // A post with a team that `member` is in; `stranger` has asked to join and is waiting for an answer.
  const createdAt = new Date(now.getTime() - HOUR);
  const postId = await addPost(app, owner.player.id, { neededPlayers: 3, createdAt });
  await requestToJoin(member.client, postId);
  await accept(owner, postId, member);
  const requestId = uuidv7();
  await requestToJoin(stranger.client, postId, { id: requestId });
  const conversationId = await addConversation(app, owner.player, stranger.player);
  const messageId = uuidv7();
  await sendTo(stranger.client, conversationId, "Hello", messageId);
  const playedPostId = await addSession(db, owner.player, [member.player, captain.player]);
  const feedbackId = uuidv7();
  await db.insert(userFeedback).values({
    ...{ id: feedbackId, reviewerId: member.player.id, reviewedId: owner.player.id, rating: 2, comment: "Late" },
    ...{ createdAt: now, updatedAt: now, dueAt: now, revealedAt: now },
  });

  // An open tournament in which `captain` has a team with `member`; `stranger`, `other` and `limited` are invited.
  const open = await newTournament({ userId: organiser.player.id, maxParticipants: 8 });
  const teamId = uuidv7();
  await register(captain.client, open.id, "Sunday Five", teamId);
  await join(member, open.id, teamId);
  // Captains invite players with whom they have a conversation.
  for (const { player } of [stranger, rival, other, limited]) await addConversation(app, captain.player, player);
  for (const { player } of [stranger, other, limited]) {
    const inviting = { intent: "invite", players: player.id };
    const invited = await captain.client.post(`/tournaments/${open.id}/teams/${teamId}`, inviting);
    if (invited.status !== 303) throw new Error(`The invitation was answered with ${invited.status}.`);
  }
  const [team] = await teamsOf(open.id);

  // A running tournament: in match 0 the team of `captain` plays against that of `rival`.
  const running = await startTournament(app, {
    ...{ teams: 4, teamSize: 2, bestOf: 1, finalBestOf: 1, userId: organiser.player.id, title: unique("Run Cup ") },
    tournamentDate: new Date(now.getTime() - MINUTE),
    captains: [captain.player.id, stranger.player.id, (await newPlayer("Third")).player.id, rival.player.id],
  });
  const matchMessageId = uuidv7();
  const chatting = await rival.client.post(`/tournaments/${running.id}/matches/0`, {
    id: matchMessageId,
    message: "Ready?",
  });
  if (chatting.status !== 303) throw new Error(`The match chat answered with ${chatting.status}.`);

  // In match 1, `stranger` has given evidence against another team.
  await running.execute({ type: "dispute", match: 1, evidence: "They left." }, stranger.player.id);

  // Decisions about `suspended` and `owner`, an appeal by `stranger`, and an open case about `rival`.
  const decisionAbout = async ({ player }: Pick<Visitor, "player">, action: "warn" | "suspend") => {
    const decided = await decideCase(await newCase(player), { action });
    if (decided.outcome !== "decided") throw new Error(decided.outcome);
    return decided.id;
  };
  await decisionAbout(suspended, "suspend");
  const decisionId = await decisionAbout(owner, "warn");
  const appealId = uuidv7();
  const appealed = await decisionAbout(stranger, "warn");
  await db.insert(appeals).values({ id: appealId, decisionId: appealed, words: "Not me", createdAt: now });
  const openCase = await newCase(rival.player);
  const feed = unique("feed-");
  await db.insert(calendarFeeds).values({ userId: owner.player.id, token: feed, createdAt: now });

  // Suspending a player ends their sessions, so `suspended` signs in again.
  suspended.client = await visitAs(app, suspended.player);
  const roles: Record<Role, Visitor> = {
    ...{ owner, other, blocked, limited, suspended, member, captain, organiser, moderator, admin },
    visitor: { player: { id: "nobody", email: "nobody@lineup.test" }, client: app.client() },
  };
  return {
    roles,
    /** Has asked to join the owner's post, is invited to the captain's team, and has appealed a decision. */
    stranger: stranger.player,
    /** The captain of the other team in the running tournament's match 0; the open case is about this player. */
    rival: rival.player,
    ...{ postId, playedPostId, requestId, conversationId, messageId, feedbackId },
    ...{ openId: open.id, teamId, inviteToken: team?.inviteToken, runningId: running.id, runningTeams: running.teams },
    ...{ matchMessageId, decisionId, appealId, caseId: openCase.id, feed },
  };
}
