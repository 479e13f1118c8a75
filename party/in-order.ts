/** How long a message waits for the one before it, in milliseconds. */
const PATIENCE = 100;
/** So many places are remembered as told. */
const MEMORY = 500;

/**
 * Passes numbered things on in their order, each once. Two messages that are stored one after the other may reach the
 * room the other way round: the later one waits a moment for the earlier. One that comes after all is passed on late.
 */
export class InOrder<Item extends { seq: number }> {
  readonly #pass: (item: Item) => void;
  readonly #told = new Set<number>();
  readonly #waiting = new Map<number, Item>();
  /** What comes next is the one after this; undefined before anything is known (or after hibernation). */
  #last: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pass: (item: Item) => void) {
    this.#pass = pass;
  }

  /** Says what was there before the first item, if none has come yet. */
  beginAfter(seq: number): void {
    this.#last ??= seq;
  }

  /** The highest number that is known; 0 when there is none. */
  get highest(): number {
    return Math.max(this.#last ?? 0, ...this.#waiting.keys());
  }

  add(item: Item): void {
    if (this.#told.has(item.seq)) return;
    this.#last ??= item.seq - 1;
    if (item.seq <= this.#last) this.#tell(item);
    else this.#waiting.set(item.seq, item);
    this.#tellNext();
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#giveUp(), PATIENCE);
  }

  #tellNext(): void {
    for (;;) {
      const next = this.#waiting.get((this.#last ?? 0) + 1);
      if (!next) break;
      this.#waiting.delete(next.seq);
      this.#tell(next);
    }
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #giveUp(): void {
    this.#timer = undefined;
    const late = [...this.#waiting.values()].sort((a, b) => a.seq - b.seq);
    this.#waiting.clear();
    for (const item of late) this.#tell(item);
  }

  #tell(item: Item): void {
    this.#last = Math.max(this.#last ?? 0, item.seq);
    this.#told.add(item.seq);
    if (this.#told.size > MEMORY) this.#told.delete(this.#told.values().next().value as number);
    this.#pass(item);
  }
}
