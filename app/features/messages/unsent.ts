import { attempt } from "./use-draft";

/** One's own message that the server has not confirmed, as this browser keeps it until it has. */
export interface UnsentMessage {
  id: string;
  content: string;
  /** Milliseconds since 1970, by this browser's clock. */
  createdAt: number;
}

const keyOf = (viewerId: string, conversationId: string) => `lineup:unsent:${viewerId}:${conversationId}`;

/** What a player has pressed `Send` for in a conversation and nobody has confirmed, oldest first. */
export function unsentMessages(viewerId: string, conversationId: string) {
  const key = keyOf(viewerId, conversationId);
  const list = (): UnsentMessage[] => attempt(() => JSON.parse(localStorage.getItem(key) ?? "[]")) ?? [];
  const store = (messages: UnsentMessage[]) =>
    attempt(() =>
      messages.length > 0 ? localStorage.setItem(key, JSON.stringify(messages)) : localStorage.removeItem(key),
    );
  return {
    list,
    keep: (message: UnsentMessage) => store([...list(), message]),
    drop(ids: readonly string[]) {
      const before = list();
      const after = before.filter(({ id }) => !ids.includes(id));
      if (after.length < before.length) store(after);
    },
  };
}
