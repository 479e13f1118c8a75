import { v4, v7 } from "uuid";

/**
 * Creates a primary key: a UUIDv7, so that ids sort by creation time.
 * @param now the creation time that the id carries, in milliseconds since 1970
 * @param place its position among ids with the same creation time, from 0; random by default
 */
export function uuidv7(now: number = Date.now(), place?: number): string {
  return v7({ msecs: now, ...(place !== undefined && { seq: place }) });
}

/** The creation time that a UUIDv7 carries, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

/**
 * Creates a random player id. It isn't a UUIDv7, because a player without a name is shown by the first 8 characters of
 * the id, which would be the same for everyone who signs up within the same minute.
 */
export function randomId(): string {
  return v4();
}
