import { attempt } from "./use-draft";

/** The viewer's own message that the server hasn't confirmed yet. This browser stores it until it has. */
export interface UnsentMessage {
  id: string;
  content: string;
  /** Milliseconds since 1970, by this browser's clock. */
  createdAt: number;
}

/** `isFailed`: the message was refused or all tries have failed, so it waits for the player. */
type KeptMessage = UnsentMessage & { isFailed?: boolean };

export interface UnsentMessages {
  /** Oldest first. */
  list(): KeptMessage[];
  keep(message: UnsentMessage): void;
  mark(ids: readonly string[], isFailed: boolean): void;
  drop(ids: readonly string[]): void;
}

/** `app/offline.ts` and `public/offline/page.js` repeat it. */
const keyOf = (viewerId: string, conversationId: string) => `lineup:unsent:${viewerId}:${conversationId}`;

/** Whether the player is still the one who is signed in, as `app/offline.ts` has stored it. */
export const isViewer = (viewerId: string): boolean =>
  attempt(() => localStorage.getItem("lineup:viewer")) === viewerId;

/** Lists the conversations in which messages of the player wait in this browser. */
export function conversationsWithUnsent(viewerId: string): string[] {
  const prefix = keyOf(viewerId, "");
  const keys = attempt(() => Object.keys(localStorage)) ?? [];
  return keys.flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
}

/** Opens this browser's store of a player's messages in a conversation that the server hasn't confirmed yet. */
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
