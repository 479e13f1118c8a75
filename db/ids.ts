import { v4, v7 } from "uuid";

/**
 * A new primary key: a UUIDv7, whose order is the order of creation.
 * @param now the moment it carries, in milliseconds since 1970
 * @param place its place among those that are made of the same moment, from 0; chance decides unless it is given
 */
export function uuidv7(now: number = Date.now(), place?: number): string {
  return v7({ msecs: now, ...(place !== undefined && { seq: place }) });
}

/** The moment that a UUIDv7 carries, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

/**
 * A new id of a player: random, because its first 8 characters are what a player without a name is called, and those of
 * a UUIDv7 are the same for everyone who signs up within a minute.
 */
export function randomId(): string {
  return v4();
}
