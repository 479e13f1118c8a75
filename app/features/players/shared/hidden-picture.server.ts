import type { Database } from "#db/client";
import { dropPictures } from "../picture/pictures.server";

/** Returns the key under which the bucket keeps a hidden picture for `Restore`. `/avatars` serves no such key. */
export const hiddenKey = (avatarId: string): string => `hidden/${avatarId}`;

/** Moves a picture that was hidden to where no page serves it from. */
export async function withdrawPicture(bucket: R2Bucket, db: Database, avatarId: string): Promise<void> {
  await copy(bucket, avatarId, hiddenKey(avatarId));
  await dropPictures(bucket, db, [avatarId]);
}

/** Moves a hidden picture back, so that it is served again. */
export async function returnPicture(bucket: R2Bucket, avatarId: string): Promise<void> {
  await copy(bucket, hiddenKey(avatarId), avatarId);
  await bucket.delete(hiddenKey(avatarId));
}

async function copy(bucket: R2Bucket, from: string, to: string): Promise<void> {
  const object = await bucket.get(from);
  if (!object) return;
  const { httpMetadata } = object;
  await bucket.put(to, await object.arrayBuffer(), { ...(httpMetadata && { httpMetadata }) });
}
