import type { ConversationServerMessage } from "#party/wire/conversation-frames";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * Tells the members of a conversation who have it open.
 * @param to only these, whoever else still has a socket: somebody may have left a moment ago
 */
export function tellConversation(
  { env, defer }: RoomCaller,
  conversationId: string,
  message: ConversationServerMessage,
  to?: string[],
): void {
  defer(() => callRoom(() => env.CONVERSATION_ROOMS.getByName(conversationId).tell(message, to)));
}
