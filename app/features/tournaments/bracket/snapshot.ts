import { BracketsManager } from "brackets-manager";
import { InMemoryDatabase } from "brackets-memory-db";
import type { Database, DataTypes, ParticipantResult } from "brackets-model";

/**
 * All that `brackets-manager` knows of one tournament, as it is stored: plain JSON. A round robin with several groups has
 * a second stage, the play-offs, once its groups are played.
 */
export type Snapshot = Database;

/** One side of a match, with the rounds that it won. The library stores them along with what it knows. */
export type SideResult = ParticipantResult & { rounds?: number };

/** The one tournament of a snapshot: each has its own. */
export const TOURNAMENT = 0;

/** The library's store in memory, which keeps what it holds to itself. */
class Storage extends InMemoryDatabase {
  /** As JSON would store it: what is undefined is not there, so that a snapshot is equal to itself read back. */
  read(): Snapshot {
    return JSON.parse(JSON.stringify(this.data)) as Snapshot;
  }
}

/** Opens a snapshot for changes. They are made to a copy: `snapshot()` reads it. */
export function openSnapshot(stored?: Snapshot) {
  const storage = new Storage();
  if (stored) storage.setData(structuredClone(stored));
  const manager = new BracketsManager(storage);
  return {
    manager,
    /** @returns the snapshot as it is now; another change to it is another call */
    snapshot: (): Snapshot => storage.read(),
  };
}

/** The rows of one table by their id. */
export const byId = <T extends DataTypes[keyof DataTypes]>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id as number, row]));
