import { readConversationFrame } from "#party/wire/conversation-frames";
import { useReloadingRoom } from "~/ui/hooks/use-reloading-room";

/** Keeps a post's page up to date with its team, through the room of the team's chat. */
export function LiveRoom({ conversationId }: { conversationId: string }) {
  useReloadingRoom(`/parties/conversation/${conversationId}`, (frame) =>
    /^(team|changed)$/.test(readConversationFrame(frame)?.type ?? ""),
  );
  return null;
}
