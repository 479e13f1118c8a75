import { and, eq, isNotNull, type SQL } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles } from "#db/schema";

/**
 * Builds the statement that marks a profile's Discord tag as unverified, as if the player had typed it.
 * @param condition SQL that is true if the tag is to be marked; by default it always is
 */
export const unverifyDiscordTag = (db: Database, userId: string, condition?: SQL) =>
  db
    .update(profiles)
    .set({ discordVerifiedAt: null })
    .where(and(eq(profiles.userId, userId), isNotNull(profiles.discordVerifiedAt), condition));
