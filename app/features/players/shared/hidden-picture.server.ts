import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles } from "#db/schema";
import { originalOf } from "~/features/moderation/shared/originals.server";
import { dropPictures } from "../picture/pictures.server";

/** Returns the key under which the bucket keeps a hidden picture for `Restore`. `/avatars` serves no such key. */
export const hiddenKey = (avatarId: string): string => `hidden/${avatarId}`;

/**
 * Moves a picture to the key at which it belongs according to the database: a player's current picture to the key that
 * is served, and a hidden one to a key that no page serves. Deletes any other picture. A second call changes nothing.
 */
export async function settlePicture(bucket: R2Bucket, db: Database, userId: string, avatarId: string): Promise<void> {
  const [profile] = await db.all<{ isCurrent: number; isHidden: number }>(sql`
    SELECT ${profiles.avatarId} IS ${avatarId} AS isCurrent,
      ${originalOf("player", userId, "avatarId")} IS ${avatarId} AS isHidden
    FROM ${profiles} WHERE ${profiles.userId} = ${userId}`);
  const kept = hiddenKey(avatarId);
  if (profile?.isCurrent) {
    await copy(bucket, kept, avatarId);
    await bucket.delete(kept);
    return;
  }
  if (profile?.isHidden) await copy(bucket, avatarId, kept);
  else await bucket.delete(kept);
  await dropPictures(bucket, db, [avatarId]);
}

async function copy(bucket: R2Bucket, from: string, to: string): Promise<void> {
  const object = await bucket.get(from);
  if (!object) return;
  const { httpMetadata } = object;
  await bucket.put(to, await object.arrayBuffer(), { ...(httpMetadata && { httpMetadata }) });
}
