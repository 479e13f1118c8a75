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

/** Returns the prefix of the keys of a player's messages; `app/offline.ts` and `public/offline/page.js` repeat it. */
const prefixOf = (viewerId: string) => `lineup:unsent:${viewerId}:`;

const keysWith = (prefix: string) =>
  (attempt(() => Object.keys(localStorage)) ?? []).filter((key) => key.startsWith(prefix));

/** Whether the player is still the one who is signed in, according to what `app/offline.ts` has stored. */
export const isViewer = (viewerId: string): boolean =>
  attempt(() => localStorage.getItem("lineup:viewer")) === viewerId;

/** Lists the conversations in which messages of the player wait in this browser. */
export function conversationsWithUnsent(viewerId: string): string[] {
  const prefix = prefixOf(viewerId);
  return [...new Set(keysWith(prefix).map((key) => key.slice(prefix.length).split(":")[0] as string))];
}

/**
 * Opens this browser's store of a player's messages in a conversation that the server hasn't confirmed yet. Each
 * message is an item of its own, because several tabs may write at the same time.
 */
export function unsentMessages(viewerId: string, conversationId: string): UnsentMessages {
  const prefix = `${prefixOf(viewerId) + conversationId}:`;
  const read = (key: string): KeptMessage[] => attempt(() => [JSON.parse(localStorage.getItem(key) ?? "")]) ?? [];
  const keep = (message: KeptMessage) =>
    attempt(() => localStorage.setItem(prefix + message.id, JSON.stringify(message)));
  return {
    list: () =>
      keysWith(prefix)
        .flatMap(read)
        .sort((one, other) => one.createdAt - other.createdAt),
    keep,
    mark(ids, isFailed) {
      for (const message of ids.flatMap((id) => read(prefix + id))) keep({ ...message, isFailed });
    },
    drop(ids) {
      for (const id of ids) attempt(() => localStorage.removeItem(prefix + id));
    },
  };
}
