import { countUnread, type UnreadTotals } from "~/features/notifications/shared/unread.server";
import type { ConversationServerMessage } from "../../../party/wire/conversation-frames";
import type { RequestContext } from "../context";
import type { SessionClaim } from "../session/session.server";

/*
 * What routes tell the rooms once something is stored. Everything goes out after the response, and a room that fails
 * fails no request: whoever missed something finds it in the database.
 */

/** Waits between the tries of a call that never reached its room, in milliseconds. */
const RETRY_DELAYS = [100, 500];

/** What it takes to tell rooms something. */
export type Teller = Pick<RequestContext, "env" | "defer">;

/**
 * Tells the members of a conversation who have it open.
 * @param to only these, whoever else still has a socket: somebody may have left a moment ago
 */
export function tellConversation(
  { env, defer }: Teller,
  conversationId: string,
  message: ConversationServerMessage,
  to?: string[],
): void {
  defer(() => call(() => env.CONVERSATION_ROOMS.getByName(conversationId).tell(message, to)));
}

/**
 * Tells players, in all their tabs, what they have not read.
 * @param conversationId the conversation that changed, if one did
 */
export function tellInboxes({ env, defer }: Teller, totals: UnreadTotals[], conversationId?: string): void {
  for (const { userId, messages, notifications } of totals) {
    const unread = { type: "unread", messages, notifications, ...(conversationId && { conversationId }) } as const;
    defer(() => call(() => env.INBOX_ROOMS.getByName(userId).tell(unread)));
  }
}

/** Tells players, in all their tabs, what they have not read by now: something was read here, or has happened to them. */
export function tellUnread(context: Teller & Pick<RequestContext, "db">, ...userIds: string[]): void {
  context.defer(async () =>
    tellInboxes(context, await Promise.all(userIds.map((userId) => countUnread(context.db, userId)))),
  );
}

/**
 * Tells those who look at a tournament that something in it has changed without its room: a registration, an edit.
 */
export function tellTournament({ env, defer }: Teller, tournamentId: string): void {
  defer(() => call(() => env.TOURNAMENT_ROOMS.getByName(tournamentId).changed()));
}

/** Closes the sockets of a session that has ended, in the player's inbox and in all conversations. */
export function closeSession(
  { env, defer }: Teller,
  { userId, sessionId }: Pick<SessionClaim, "userId" | "sessionId">,
): void {
  defer(() => call(() => env.INBOX_ROOMS.getByName(userId).closeSession(sessionId)));
}

/** The same for several sessions of one player, in one call. */
export function closeSessions({ env, defer }: Teller, userId: string, sessionIds: readonly string[]): void {
  if (sessionIds.length === 0) return;
  defer(() => call(() => env.INBOX_ROOMS.getByName(userId).closeSessions([...sessionIds])));
}

/** Calls a room, again where the platform says that the call may be repeated. Rooms take the same word twice. */
async function call(work: () => Promise<void>): Promise<void> {
  for (const delay of RETRY_DELAYS) {
    try {
      return await work();
    } catch (error) {
      if (!(error as { retryable?: boolean }).retryable) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return work();
}
