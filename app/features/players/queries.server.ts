import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles } from "#db/schema";

/** A player's profile; undefined when the account has none. */
export function findProfile(db: Database, userId: string) {
  return db.select().from(profiles).where(eq(profiles.userId, userId)).get();
}
