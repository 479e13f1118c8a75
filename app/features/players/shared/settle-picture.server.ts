import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles } from "#db/schema";
import { originalOf } from "~/features/moderation/shared/originals.server";
import { evidenceKey, isReportedPicture } from "~/features/reports/shared/reported-pictures.server";

/** Returns the key under which the bucket keeps a hidden picture for `Restore`. `/avatars` serves no such key. */
const hiddenKey = (avatarId: string): string => `hidden/${avatarId}`;

/**
 * Moves a picture to the keys at which it belongs according to the database: a player's current picture to the key that
 * is served; a hidden one, and one that a report shows, to keys that no page serves. Deletes it everywhere else. A
 * second call changes nothing.
 * @param userId the picture's player, whose account may be gone
 */
export async function settlePicture(bucket: R2Bucket, db: Database, userId: string, avatarId: string): Promise<void> {
  const [uses] = await db.all<{ isCurrent: number; isHidden: number; isReported: number }>(sql`
    SELECT EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.avatarId} = ${avatarId}) AS isCurrent,
      ${originalOf("player", userId, "avatarId")} IS ${avatarId} AS isHidden,
      ${isReportedPicture(avatarId)} AS isReported`);
  const hidden = hiddenKey(avatarId);
  const reported = evidenceKey(avatarId);
  const kept = uses?.isCurrent
    ? [avatarId]
    : [...(uses?.isHidden ? [hidden] : []), ...(uses?.isReported ? [reported] : [])];
  const keys = [avatarId, hidden, reported];
  for (const key of kept) {
    if (!(await bucket.head(key))) await copy(bucket, keys, key);
  }
  await bucket.delete(keys.filter((key) => !kept.includes(key)));
}

/** Copies an object to a key, from the first of the given keys that has one. */
async function copy(bucket: R2Bucket, from: readonly string[], to: string): Promise<void> {
  for (const key of from) {
    const object = await bucket.get(key);
    if (!object) continue;
    const { httpMetadata } = object;
    await bucket.put(to, await object.arrayBuffer(), { ...(httpMetadata && { httpMetadata }) });
    return;
  }
}
