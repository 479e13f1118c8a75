import { bin, ROOT } from "./build";
import { run } from "./children";

/** Where players' pictures are: in Cloudflare's bucket, or in the folder that `wrangler dev` persists to. */
export type PicturePlace = "remote" | { dir: string };

/** The name that `wrangler.toml` binds as `AVATARS`. */
const BUCKET = "lineup-avatars";

/**
 * Says where the pictures are that belong to a database.
 * @returns the remote bucket for a database of another machine; undefined for one of this machine, whose pictures
 * may be anywhere
 */
export function placeOfPictures(databaseUrl: string): PicturePlace | undefined {
  const { hostname } = new URL(databaseUrl);
  const isLocal = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return isLocal ? undefined : "remote";
}

/**
 * Deletes a picture by `wrangler r2 object delete`, which asks nothing here: Cloudflare takes CLOUDFLARE_API_TOKEN (and
 * CLOUDFLARE_ACCOUNT_ID, where the token is good for several accounts) or a former `wrangler login`. It succeeds where
 * there is no such picture.
 * @param avatarId as in `profiles.avatar_id`
 * @throws Error with what wrangler said
 */
export async function deletePicture(place: PicturePlace, avatarId: string): Promise<void> {
  const { code, output } = await run(process.execPath, [bin("wrangler"), ...deletion(place, avatarId)], {
    capture: true,
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" },
  });
  if (code !== 0) throw new Error(output.trim());
}

/** The command that deletes a picture, to be run in the project's folder. */
export const deletionCommand = (place: PicturePlace, avatarId: string): string =>
  ["npx", "wrangler", ...deletion(place, avatarId)]
    .map((word) => (/[^\w./=-]/.test(word) ? `'${word}'` : word))
    .join(" ");

function deletion(place: PicturePlace, avatarId: string): string[] {
  const where = place === "remote" ? ["--remote"] : ["--local", "--persist-to", place.dir];
  return ["r2", "object", "delete", `${BUCKET}/${avatarId}`, ...where];
}
