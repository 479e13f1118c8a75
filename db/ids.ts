import { v7 } from "uuid";

/**
 * A new primary key: a UUIDv7, whose order is the order of creation.
 * @param now the moment it carries, in milliseconds since 1970
 */
export function uuidv7(now: number = Date.now()): string {
  return v7({ msecs: now });
}
