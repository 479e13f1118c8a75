import { validate as isUuid } from "uuid";
import { evidenceKey } from "~/features/reports/shared/reported-pictures.server";
import { PICTURE_TYPES } from "./picture-limits";
import type { Picture } from "./strip-metadata";

/*
 * Players' pictures in the bucket. Each upload gets a new name, so that caches may keep it forever; the profile holds
 * the name of the player's current picture.
 */

/** Stores a picture under a new name, which `announceUpload` has announced. */
export const storePicture = (bucket: R2Bucket, id: string, { type, bytes }: Picture): Promise<unknown> =>
  bucket.put(id, bytes, { httpMetadata: { contentType: type } });

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
