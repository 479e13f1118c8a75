/* The server renders the room with the page; browsers load it separately (see the route of a conversation). */
export { ChatRoom } from "./chat-room";
