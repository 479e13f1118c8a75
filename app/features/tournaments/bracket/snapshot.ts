import { BracketsManager } from "brackets-manager";
import { InMemoryDatabase } from "brackets-memory-db";
import type { Database, DataTypes, ParticipantResult } from "brackets-model";

/**
 * The data of `brackets-manager` about one tournament, as plain JSON. Tie-breaks and play-offs are further stages,
 * added once the groups of a round robin are played.
 */
export type Snapshot = Database;

/** One side of a match, with the rounds that it won. The library keeps fields that it doesn't know. */
export type SideResult = ParticipantResult & { rounds?: number };

/** The library's id of the tournament: each snapshot holds only one. */
export const TOURNAMENT = 0;

/** The library's in-memory store, with a method to read its data, which the library doesn't expose. */
class Storage extends InMemoryDatabase {
  /** Returns the data without undefined values, as in JSON, so that a snapshot equals its stored copy. */
  read(): Snapshot {
    return JSON.parse(JSON.stringify(this.data)) as Snapshot;
  }
}

/** Opens a copy of a snapshot for changes; `snapshot()` reads it. */
export function openSnapshot(stored?: Snapshot) {
  const storage = new Storage();
  if (stored) storage.setData(structuredClone(stored));
  const manager = new BracketsManager(storage);
  return {
    manager,
    /** @returns the snapshot as it is now; call it again after further changes */
    snapshot: (): Snapshot => storage.read(),
  };
}

/** Indexes the rows of one table by their ids. */
export const byId = <T extends DataTypes[keyof DataTypes]>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id as number, row]));
