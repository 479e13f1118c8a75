import { and, eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { joinRequests, lfgPosts, notifications } from "../../db/schema";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { addPost, newVisitor, type Player, unique } from "./players";
import type { Visitor } from "./talk";

/** Asks to join a post as the dialog does. */
export const requestToJoin = (
  client: Client,
  postId: string,
  fields: { id?: string; role?: string; note?: string } = {},
): Promise<HttpResponse> => client.post(`/lfg/${postId}/join`, { id: uuidv7(), ...fields });

/** Presses a button of a team on its post's page. */
export const pressTeamButton = (
  client: Client,
  postId: string,
  intent: string,
  request?: string,
): Promise<HttpResponse> => client.post(`/lfg/${postId}`, { intent, request });

/** Test helpers for the teams of an app. */
export function teamsIn(app: TestApp) {
  const postOf = async (id: string) =>
    (await app.db.select().from(lfgPosts).where(eq(lfgPosts.id, id)).get()) as typeof lfgPosts.$inferSelect;

  const requestOf = async (postId: string, { id }: Player) =>
    (await app.db
      .select()
      .from(joinRequests)
      .where(and(eq(joinRequests.postId, postId), eq(joinRequests.userId, id)))
      .get()) as typeof joinRequests.$inferSelect;

  const stateOf = async (postId: string, player: Player) => (await requestOf(postId, player))?.state;

  /** The unread news of a player about a subject. */
  const newsOf = async ({ id }: Player, subject: string) => {
    const rows = await app.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, id), eq(notifications.subject, subject)));
    return rows
      .filter(({ readAt }) => readAt === null)
      .map(({ kind, data }) => ({ kind, ...(data as { count: number }) }));
  };

  /** A player with a post, and others who have asked to join it. */
  async function newPost(needed: number, asking: number) {
    const author: Visitor = await newVisitor(app, { riotGameName: unique("Author ") });
    const postId = await addPost(app, author.player.id, { neededPlayers: needed });
    const askers: Visitor[] = [];
    for (let number = 0; number < asking; number += 1) {
      const asker = await newVisitor(app, { riotGameName: unique("Asker ") });
      await requestToJoin(asker.client, postId);
      askers.push(asker);
    }
    return { author, postId, askers };
  }

  /** Has an author accept a player. */
  const accept = async (author: Visitor, postId: string, { player }: Visitor) =>
    pressTeamButton(author.client, postId, "accept", (await requestOf(postId, player)).id);

  /** A team: its author and its accepted players. `needed` is the number of spots. */
  async function newTeam(members: number, needed = members) {
    const { author, postId, askers } = await newPost(needed, members);
    for (const asker of askers) await accept(author, postId, asker);
    const { conversationId } = await postOf(postId);
    return { author, postId, members: askers, conversationId: conversationId as string };
  }

  return { postOf, requestOf, stateOf, newsOf, newPost, accept, newTeam };
}
