import { sql } from "drizzle-orm";
import { lfgPosts } from "#db/schema";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import type { RequestContext } from "~/platform/context";
import type { RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * The maximum number of teams whose open chats are told of one change; the others see it on the next page they load.
 */
const MAX_TOLD = 100;

/**
 * Makes the open pages of some teams load their rooms again, after the response. For changes made anywhere but in a
 * room's own forms.
 * @param postIds the teams' posts; one may occur several times, and posts without a team are left out
 */
export function tellTeams(context: RoomCaller & Pick<RequestContext, "db">, ...postIds: string[]): void {
  if (postIds.length === 0) return;
  context.defer(async () => {
    const chats = await context.db.all<{ id: string }>(sql`
      SELECT ${lfgPosts.conversationId} AS id FROM ${lfgPosts}
      WHERE ${lfgPosts.id} IN (SELECT value FROM json_each(${JSON.stringify(postIds)}))
        AND ${lfgPosts.conversationId} IS NOT NULL LIMIT ${MAX_TOLD}`);
    for (const { id } of chats) tellConversation(context, id, { type: "team" });
  });
}
