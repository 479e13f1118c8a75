import { readConversationFrame } from "#party/wire/conversation-frames";
import { useReloadingRoom } from "~/ui/hooks/use-reloading-room";

/**
 * Keeps a post's page up to date with its team, through the room of the team's chat. `since` is when the page's data
 * was read, in milliseconds since 1970.
 */
export function LiveRoom({ conversationId, since }: { conversationId: string; since: number }) {
  useReloadingRoom(`/parties/conversation/${conversationId}`, since, (frame) =>
    /^(team|changed)$/.test(readConversationFrame(frame)?.type ?? ""),
  );
  return null;
}
