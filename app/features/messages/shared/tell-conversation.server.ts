import type { ConversationServerMessage } from "#party/wire/conversation-frames";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * Sends a message to the members who have the conversation open, after the response.
 * @param to the ids of the members who may get the message; everyone with an open socket by default. A player who has
 * just left the conversation may still have a socket
 */
export function tellConversation(
  { env, defer }: RoomCaller,
  conversationId: string,
  message: ConversationServerMessage,
  to?: string[],
): void {
  defer(() => callRoom(() => env.CONVERSATION_ROOMS.getByName(conversationId).tell(message, to)));
}
