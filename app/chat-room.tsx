/* Puts the room of a team's chat into its own file, which the route of a conversation loads only for team chats. */
// Without this import, esbuild would split the shell in two: see docs/decisions/0061-search.md.
import "~/shell";

export { ChatRoom } from "~/features/teams/room/chat-room";
