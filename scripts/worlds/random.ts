/** A stream of numbers that looks random and is the same every time (mulberry32), so that worlds repeat. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** @returns a number from 0 up to, not including, 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @returns a whole number from `min` to `max`, both included */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T;
  }

  /** @returns `count` different members of the list, in the list's order */
  sample<T>(list: readonly T[], count: number): T[] {
    const left = new Set(list.keys());
    while (left.size > Math.max(0, count)) left.delete(this.pick([...left]));
    return list.filter((_, index) => left.has(index));
  }
}
