import type { Audience } from "#party/wire/calls";
import type { ConversationServerMessage } from "#party/wire/conversation-frames";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * Sends a message to the members who have the conversation open, after the response.
 * @param audience for a chat message, the only members who may get it, even if others still have a socket: someone may
 *   have just left. Other types ignore it
 */
export function tellConversation(
  { env, defer }: RoomCaller,
  conversationId: string,
  message: ConversationServerMessage,
  audience?: Audience,
): void {
  defer(() => callRoom(() => env.CONVERSATION_ROOMS.getByName(conversationId).tell(message, audience)));
}
