import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts, profiles, users } from "#db/schema";
import { transact } from "#db/statements";
import { facetsOf } from "./directory/facets";
import type { ProfileFields } from "./profile/profile-schema";
import { rewriteFacets } from "./shared/facets.server";
import { writeName } from "./shared/names.server";

/**
 * Saves what a player says of themselves: the profile, what the directory finds them by, and what their open posts have
 * copied. One transaction. A verified Riot ID stays as Riot writes it; a Discord tag that was typed over is no longer
 * Discord's word, nor a game name Riot's.
 */
export async function saveProfile(db: Database, userId: string, fields: ProfileFields, now: Date): Promise<void> {
  const { riotId, discordTag, voiceCommsPreference } = fields;
  const keepsRiotId = sql`${profiles.riotVerifiedAt} IS NOT NULL OR ${profiles.riotId} IS ${riotId}`;
  await transact(db, {
    profile: db
      .insert(profiles)
      .values({
        userId,
        ...fields,
        joinedAt: sql`(SELECT ${users.createdAt} FROM ${users} WHERE ${users.id} = ${userId})`,
        updatedAt: now,
      })
      .onConflictDoUpdate({
        target: profiles.userId,
        set: {
          ...fields,
          riotId: sql`iif(${keepsRiotId}, ${profiles.riotId}, ${riotId})`,
          riotGameName: sql`iif(${keepsRiotId}, ${profiles.riotGameName}, NULL)`,
          riotTagLine: sql`iif(${keepsRiotId}, ${profiles.riotTagLine}, NULL)`,
          discordVerifiedAt: sql`iif(${profiles.discordTag} IS ${discordTag}, ${profiles.discordVerifiedAt}, NULL)`,
          updatedAt: now,
        },
      }),
    facets: rewriteFacets(db, userId, facetsOf(fields)),
    name: writeName(db, userId, riotId ?? ""),
    posts: db
      .update(lfgPosts)
      .set({ voiceComms: voiceCommsPreference })
      .where(and(eq(lfgPosts.userId, userId), eq(lfgPosts.isActive, sql`1`))),
  });
}

/**
 * Puts another picture, or none, in the place of one.
 * @param from the picture that is replaced, as read before
 * @returns false when another has taken its place meanwhile
 */
export async function replaceAvatar(
  db: Database,
  userId: string,
  from: string | null,
  to: string | null,
): Promise<boolean> {
  const replaced = await db
    .update(profiles)
    .set({ avatarId: to })
    .where(and(eq(profiles.userId, userId), from === null ? isNull(profiles.avatarId) : eq(profiles.avatarId, from)))
    .returning({ userId: profiles.userId });
  return replaced.length > 0;
}
