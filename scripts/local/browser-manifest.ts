import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Remix's list of the scripts of each route. Browsers load it, and the Worker includes a copy. */
export interface BrowserManifest {
  entry: ManifestScript;
  routes: Record<string, ManifestRoute>;
  url: string;
  version: string;
}

/** A script's URL, and the URLs of the scripts that it imports. */
interface ManifestScript {
  module: string;
  imports?: string[];
}

export interface ManifestRoute extends ManifestScript {
  id: string;
  parentId?: string;
  path?: string;
  index?: true;
  hasLoader?: boolean;
  hasAction?: boolean;
  hasClientLoader?: boolean;
}

const PREFIX = "window.__remixManifest=";
/** The form in which Remix's server build holds the manifest. */
const SERVER_COPY = /^var assets_manifest_default = .*$/m;

/** Reads the manifest of a build. @param folder `public/build` */
export function readManifest(folder: string): BrowserManifest {
  const code = readFileSync(join(folder, findManifest(folder)), "utf8");
  return JSON.parse(code.slice(PREFIX.length).replace(/;\s*$/, ""));
}

/**
 * Replaces the manifest of a build, and the Worker's copy of it. The new version is a hash of the manifest's content.
 * @param worker the Worker as Remix has built it
 */
export function replaceManifest(folder: string, worker: string, manifest: Pick<BrowserManifest, "entry" | "routes">) {
  rmSync(join(folder, findManifest(folder)));
  const { entry, routes } = manifest;
  const version = createHash("sha256").update(JSON.stringify(manifest)).digest("hex").slice(0, 8);
  const file = `manifest-${version.toUpperCase()}.js`;
  const whole = JSON.stringify({ version, entry, routes, url: `/build/${file}` });
  writeFileSync(join(folder, file), `${PREFIX}${whole};`);
  const code = readFileSync(worker, "utf8");
  if (!SERVER_COPY.test(code)) throw new Error("The Worker holds no manifest.");
  writeFileSync(
    worker,
    code.replace(SERVER_COPY, () => `var assets_manifest_default = ${whole};`),
  );
}

function findManifest(folder: string): string {
  const file = readdirSync(folder).find((name) => /^manifest-\w+\.js$/.test(name));
  if (!file) throw new Error("The build has no manifest.");
  return file;
}
