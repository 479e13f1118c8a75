/**
 * A thing that players change, with the values that it may have after the changes that the server has acknowledged. Two
 * changes at the same time leave both values possible, and a change without a response also leaves its value possible.
 */
export class Expected<Value> {
  values: Set<Value>;
  /** How many changes the server has acknowledged. */
  acknowledged = 0;
  #settledAt = 0;

  constructor(value: Value) {
    this.values = new Set([value]);
  }

  /**
   * Records an acknowledged change.
   * @param startedAt when its first try began, by `performance.now()`
   */
  acknowledge(value: Value, startedAt: number): void {
    if (startedAt >= this.#settledAt) this.values.clear();
    this.values.add(value);
    this.acknowledged += 1;
    this.#settledAt = performance.now();
  }

  /** Records a change that may or may not have happened. */
  allow(value: Value): void {
    this.values.add(value);
  }
}

interface SentMessage {
  conversationId: string;
  senderId: string;
  content: string;
  /** The message's number in the conversation, once the server has acknowledged it. */
  seq?: number;
}

/** Everything that the server has acknowledged, or may have done. Keys of two ids are joined by a space. */
export class Model {
  /** By id. */
  readonly messages = new Map<string, SentMessage>();
  /** Whether a post exists, by its id. */
  readonly posts = new Map<string, Expected<boolean>>();
  /** States of requests, by post and player. */
  readonly requests = new Map<string, Expected<string>>();
  /** How many requests to join a post the server has received, or may have received, by post and player. */
  readonly asks = new Map<string, number>();
  /** Stars, by reviewer and reviewed player. */
  readonly reviews = new Map<string, Expected<number | null>>();
  /** Whether a report exists, by reporter and reported player. */
  readonly reports = new Map<string, Expected<boolean>>();
  /** Whether a case was dismissed, by its id. */
  readonly cases = new Map<string, Expected<boolean>>();
  /** Whether a player is in a tournament, by tournament and player. */
  readonly entries = new Map<string, Expected<boolean>>();
  /** Rounds of both sides, by tournament and match; null without a confirmed result. */
  readonly results = new Map<string, Expected<string | null>>();

  /** Counts the acknowledged actions: messages sent, and changes of everything else. */
  countAcknowledged(): number {
    const sent = [...this.messages.values()].filter(({ seq }) => seq !== undefined);
    const { posts, requests, reviews, reports, cases, entries, results } = this;
    return [posts, requests, reviews, reports, cases, entries, results]
      .flatMap((things) => [...things.values()])
      .reduce((count, { acknowledged }) => count + acknowledged, sent.length);
  }

  /** Returns the entry of a map, and adds it if it is missing. */
  of<Value>(map: Map<string, Expected<Value>>, key: string, initial: Value): Expected<Value> {
    const found = map.get(key) ?? new Expected(initial);
    map.set(key, found);
    return found;
  }
}
