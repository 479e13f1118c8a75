import { existsSync } from "node:fs";
import { join } from "node:path";
import { bin, ROOT } from "./build";
import { run } from "./children";

/** The location of players' pictures: Cloudflare's bucket, or the folder that `wrangler dev` persists to. */
export type PicturePlace = "remote" | { dir: string };

/** The bucket that `wrangler.toml` binds as `AVATARS`. */
const BUCKET = "lineup-avatars";

/** The folder in which `npm run dev` keeps pictures, relative to the project's folder. */
export const DEV_PICTURES = { dir: ".data/wrangler" };

/** The top-level domains of names that only a private network resolves. */
const PRIVATE_DOMAINS = ["arpa", "corp", "home", "internal", "invalid", "lan", "local", "localhost", "private", "test"];

/**
 * Finds the location of the pictures that belong to a database.
 * @returns the remote bucket for a database with a public domain name; undefined for any other, such as `sqld`,
 * `10.0.0.5` or `localhost`, whose pictures may be anywhere
 */
export function placeOfPictures(databaseUrl: string): PicturePlace | undefined {
  const { hostname } = new URL(databaseUrl);
  const domain = /\.([a-z][a-z0-9-]+)\.?$/i.exec(hostname)?.[1]?.toLowerCase();
  return domain && !PRIVATE_DOMAINS.includes(domain) ? "remote" : undefined;
}

/**
 * Finds the location of the pictures that belong to the database of a running `npm run dev`. `npm run dev` keeps
 * pictures in its folder with any database, but a database on another machine may belong to a site with a bucket.
 * @returns the folder for a database on this machine; else undefined
 */
export function placeOfDevPictures(databaseUrl: string): PicturePlace | undefined {
  const { hostname } = new URL(databaseUrl);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") ? DEV_PICTURES : undefined;
}

/** Whether `wrangler dev` has persisted pictures to a folder. */
export const holdsPictures = (dir: string): boolean => existsSync(join(dir, "v3/r2", BUCKET));

/**
 * Deletes a picture with wrangler, without prompts. For Cloudflare, wrangler needs CLOUDFLARE_API_TOKEN (and
 * CLOUDFLARE_ACCOUNT_ID if the token is valid for several accounts) or an earlier `wrangler login`. wrangler also
 * succeeds if there is no such picture, so in a folder its existence is checked first.
 * @param avatarId as in `profiles.avatar_id`
 * @throws Error with wrangler's message, also if the folder doesn't contain the picture
 */
export async function deletePicture(place: PicturePlace, avatarId: string): Promise<void> {
  if (place !== "remote") await wrangler([...objectCommand("get", place, avatarId), "--pipe"]);
  await wrangler(objectCommand("delete", place, avatarId));
}

async function wrangler(args: string[]): Promise<void> {
  const { code, output } = await run(process.execPath, [bin("wrangler"), ...args], {
    capture: true,
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" },
  });
  if (code !== 0) throw new Error(output.trim());
}

/** The command that deletes a picture, to be run in the project's folder. */
export const deletionCommand = (place: PicturePlace, avatarId: string): string =>
  ["npx", "wrangler", ...objectCommand("delete", place, avatarId)]
    .map((word) => (/[^\w./=-]/.test(word) ? `'${word}'` : word))
    .join(" ");

function objectCommand(action: "get" | "delete", place: PicturePlace, avatarId: string): string[] {
  const where = place === "remote" ? ["--remote"] : ["--local", "--persist-to", place.dir];
  return ["r2", "object", action, `${BUCKET}/${avatarId}`, ...where];
}
