import { validate as isUuid } from "uuid";
import type { Database } from "#db/client";
import { randomId } from "#db/ids";
import { evidenceKey, listReportedPictures } from "~/features/reports/shared/reported-pictures.server";
import type { RequestContext } from "~/platform/context";
import { PICTURE_TYPES } from "./picture-limits";
import type { Picture } from "./strip-metadata";

/*
 * Players' pictures in the bucket. Each upload gets a new name, so that caches may keep it forever; the profile holds
 * the name of the player's current picture.
 */

/**
 * Stores a picture.
 * @returns its new name
 */
export async function storePicture(bucket: R2Bucket, { type, bytes }: Picture): Promise<string> {
  const id = randomId();
  await bucket.put(id, bytes, { httpMetadata: { contentType: type } });
  return id;
}

/** Deletes a picture that is no longer used, after the response. */
export function dropPictureLater({ env, db, defer }: RequestContext, avatarId: string | null): void {
  if (avatarId && env.AVATARS) {
    const bucket = env.AVATARS;
    defer(() => dropPictures(bucket, db, [avatarId]));
  }
}

/** Deletes pictures that are no longer used. One that a report shows is first copied to a key only moderators see. */
export async function dropPictures(bucket: R2Bucket, db: Database, avatarIds: string[]): Promise<void> {
  await Promise.all(
    (await listReportedPictures(db, avatarIds)).map(async (id) => {
      const object = await bucket.get(id);
      if (!object) return;
      const { httpMetadata } = object;
      await bucket.put(evidenceKey(id), await object.arrayBuffer(), { ...(httpMetadata && { httpMetadata }) });
    }),
  );
  await bucket.delete(avatarIds);
}

/** A picture's headers: it never changes, and it must not run scripts. */
const HEADERS = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'; sandbox",
};

/** Answers a request for a picture; null if there is none with this name. */
export async function servePicture(
  bucket: R2Bucket,
  avatarId: string,
  ifNoneMatch: string | null,
): Promise<Response | null> {
  if (!isUuid(avatarId)) return null;
  const headers = new Headers({ ...HEADERS, ETag: `"${avatarId}"` });
  if (ifNoneMatch?.includes(`"${avatarId}"`)) {
    return (await bucket.head(avatarId)) && new Response(null, { status: 304, headers });
  }
  return answerPicture(await bucket.get(avatarId), headers);
}

/** Answers a moderator's request for a reported picture, even if its player has removed it; null if there is none. */
export async function serveEvidence(bucket: R2Bucket, avatarId: string): Promise<Response | null> {
  const object = (await bucket.get(avatarId)) ?? (await bucket.get(evidenceKey(avatarId)));
  return answerPicture(object, new Headers({ ...HEADERS, "Cache-Control": "private, no-store" }));
}

function answerPicture(object: R2ObjectBody | null, headers: Headers): Response | null {
  const type = PICTURE_TYPES.find((one) => one === object?.httpMetadata?.contentType);
  if (!object || !type) return null;
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(object.size));
  return new Response(object.body, { headers });
}
