import { validate as isUuid } from "uuid";
import { randomId } from "#db/ids";
import type { RequestContext } from "~/platform/context";
import { PICTURE_TYPES } from "./picture-limits";
import type { Picture } from "./strip-metadata";

/*
 * Players' pictures in the bucket. Each upload gets a name of its own, so that caches may keep it for good; the profile
 * says which one is the player's.
 */

/** Keeps a picture. @returns the name it has from now on */
export async function storePicture(bucket: R2Bucket, { type, bytes }: Picture): Promise<string> {
  const id = randomId();
  await bucket.put(id, bytes, { httpMetadata: { contentType: type } });
  return id;
}

/** Removes a picture that nobody shows any more, after the response. */
export function dropPictureLater({ env, defer }: RequestContext, avatarId: string | null): void {
  if (avatarId && env.AVATARS) {
    const bucket = env.AVATARS;
    defer(() => bucket.delete(avatarId));
  }
}

/** What a picture's answer says besides what the picture is: it never changes, and nothing in it may run. */
const HEADERS = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "default-src 'none'; sandbox",
};

/** The answer to a request for a picture; null where there is none of this name. */
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
  const object = await bucket.get(avatarId);
  const type = PICTURE_TYPES.find((one) => one === object?.httpMetadata?.contentType);
  if (!object || !type) return null;
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(object.size));
  return new Response(object.body, { headers });
}
