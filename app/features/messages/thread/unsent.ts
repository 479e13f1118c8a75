import { attempt } from "./use-draft";

/** One's own message that the server has not confirmed, as this browser keeps it until it has. */
export interface UnsentMessage {
  id: string;
  content: string;
  /** Milliseconds since 1970, by this browser's clock. */
  createdAt: number;
}

/** Whether it waits for its writer: it was refused, or its tries are used up. */
type KeptMessage = UnsentMessage & { isFailed?: boolean };

export interface UnsentMessages {
  /** Oldest first. */
  list(): KeptMessage[];
  keep(message: UnsentMessage): void;
  mark(ids: readonly string[], isFailed: boolean): void;
  drop(ids: readonly string[]): void;
}

const keyOf = (viewerId: string, conversationId: string) => `lineup:unsent:${viewerId}:${conversationId}`;

/** What a player has pressed `Send` for in a conversation and nobody has confirmed. */
export function unsentMessages(viewerId: string, conversationId: string): UnsentMessages {
  const key = keyOf(viewerId, conversationId);
  const list = (): KeptMessage[] => attempt(() => JSON.parse(localStorage.getItem(key) ?? "[]")) ?? [];
  const store = (messages: KeptMessage[]) =>
    attempt(() =>
      messages.length > 0 ? localStorage.setItem(key, JSON.stringify(messages)) : localStorage.removeItem(key),
    );
  return {
    list,
    keep: (message) => store([...list(), message]),
    mark: (ids, isFailed) =>
      store(list().map((message) => (ids.includes(message.id) ? { ...message, isFailed } : message))),
    drop(ids) {
      const before = list();
      const after = before.filter(({ id }) => !ids.includes(id));
      if (after.length < before.length) store(after);
    },
  };
}
