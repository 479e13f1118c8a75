/** The time that a message waits for its predecessor, in milliseconds. */
export const PATIENCE = 100;
/** How many of the latest numbers are remembered, to recognise repeated items. */
const MEMORY = 500;

/**
 * Passes numbered items on in order, each once. Two messages stored in quick succession may reach the room in reverse
 * order: the later one waits a moment for the earlier. An item that arrives after the wait is passed on late, out of
 * order.
 */
export class InOrder<Item extends { seq: number }> {
  readonly #pass: (item: Item) => void;
  readonly #passed = new Set<number>();
  readonly #waiting = new Map<number, Item>();
  /**
   * The highest number passed on; its successor comes next. Undefined until a number is known, and again after
   * hibernation.
   */
  #last: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (item: Item) => void) {
    this.#pass = pass;
  }

  /** Sets the number that precedes the first item's, unless an item has already arrived. */
  beginAfter(seq: number): void {
    this.#last ??= seq;
  }

  /** The highest known number; 0 if there is none. */
  get highest(): number {
    return Math.max(this.#last ?? 0, ...this.#waiting.keys());
  }

  add(item: Item): void {
    if (this.#passed.has(item.seq)) return;
    this.#last ??= item.seq - 1;
    if (item.seq <= this.#last) this.#passOn(item);
    else this.#waiting.set(item.seq, item);
    this.#passNext();
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#passLate(), PATIENCE);
  }

  #passNext(): void {
    for (;;) {
      const next = this.#waiting.get((this.#last ?? 0) + 1);
      if (!next) break;
      this.#waiting.delete(next.seq);
      this.#passOn(next);
    }
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #passLate(): void {
    this.#timer = undefined;
    const late = [...this.#waiting.values()].sort((a, b) => a.seq - b.seq);
    this.#waiting.clear();
    for (const item of late) this.#passOn(item);
  }

  #passOn(item: Item): void {
    this.#last = Math.max(this.#last ?? 0, item.seq);
    this.#passed.add(item.seq);
    if (this.#passed.size > MEMORY) this.#passed.delete(this.#passed.values().next().value as number);
    this.#pass(item);
  }
}
