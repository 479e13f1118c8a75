/**
 * The moments at which a room must wake, by their keys in its storage. A room has a single alarm, which is set for the
 * earliest of them.
 */
export class Wakes<Key extends string> {
  readonly #storage: DurableObjectStorage;
  readonly #keys: readonly Key[];
  readonly #onAlarmSet: (alarm: Promise<void>) => void;

  /**
   * @param onAlarmSet receives the write of each new alarm, for its failure to be handled
   */
  constructor(storage: DurableObjectStorage, keys: readonly Key[], onAlarmSet: (alarm: Promise<void>) => void) {
    this.#storage = storage;
    this.#keys = keys;
    this.#onAlarmSet = onAlarmSet;
  }

  /** Wakes the room for `key` at `moment`, in milliseconds since 1970, instead of the moment set before. */
  set(key: Key, moment: number): void {
    this.#storage.kv.put(key, moment);
    this.#setAlarm();
  }

  /** Wakes the room for `key` at `moment`, or earlier if that was already planned. */
  setNoLaterThan(key: Key, moment: number): void {
    this.set(key, Math.min(moment, this.#momentOf(key) ?? moment));
  }

  /** Forgets the moment of `key`. The alarm stays: if it comes too early, nothing is due. */
  clear(key: Key): void {
    this.#storage.kv.delete(key);
  }

  /** Returns the keys whose moments have come, forgets these moments, and sets the alarm for the others. */
  takeDue(): Key[] {
    const due = this.#keys.filter((key) => (this.#momentOf(key) ?? Number.POSITIVE_INFINITY) <= Date.now());
    for (const key of due) this.clear(key);
    this.#setAlarm();
    return due;
  }

  #momentOf(key: Key): number | undefined {
    return this.#storage.kv.get<number>(key);
  }

  #setAlarm(): void {
    const moments = this.#keys.flatMap((key) => this.#momentOf(key) ?? []);
    if (moments.length > 0) this.#onAlarmSet(this.#storage.setAlarm(Math.max(Math.min(...moments), Date.now())));
  }
}
