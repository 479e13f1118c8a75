import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkerOptions } from "miniflare";
import { bundleWorker } from "./bundle";
import { run } from "./children";
import { mergeScripts } from "./merge-scripts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const WORKER = join(ROOT, "build/index.js");
const BROWSER_FILES = join(ROOT, "public/build");
/** `wrangler.toml` as Miniflare options; stored with the build, because reading it through wrangler takes a second. */
const WORKER_OPTIONS = join(ROOT, "build/worker-options.json");
/** Hashes of the build's sources and of the built Worker, to tell whether the build is current. */
const STAMP = join(ROOT, "build/stamp.json");

const SOURCES = [
  "app",
  "db",
  "party",
  "public",
  "server.ts",
  "remix.config.js",
  "scripts/local/browser-manifest.ts",
  "scripts/local/bundle.ts",
  "scripts/local/fold-constants.ts",
  "scripts/local/merge-scripts.ts",
  "scripts/local/minify.ts",
  "scripts/local/replaced-code.ts",
  "scripts/local/script-groups.ts",
  "scripts/worker-stand-ins",
  "postcss.config.js",
  "tsconfig.json",
  "wrangler.toml",
  "package.json",
  "package-lock.json",
];

/**
 * Creates the production build (`build/index.js`, `public/build`) if the sources have changed since the last one.
 * @param options.noBuild uses the existing build, however old
 * @throws Error if the build fails, or with `noBuild` if there is none
 */
export async function build({ noBuild = false }: { noBuild?: boolean } = {}): Promise<void> {
  if (noBuild) {
    if (existsSync(WORKER) && existsSync(WORKER_OPTIONS)) return;
    throw new Error("There is no build yet: leave out --no-build once.");
  }
  const sources = hashSources();
  if (isCurrent(sources)) return;
  rmSync(STAMP, { force: true });
  rmSync(BROWSER_FILES, { recursive: true, force: true });
  const { code, output } = await run(process.execPath, [bin("@remix-run/dev", "remix"), "build"], {
    capture: true,
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (code !== 0 || !existsSync(WORKER)) throw new Error(`The build failed.\n${output}`);
  await mergeScripts(
    { root: ROOT, folder: BROWSER_FILES, worker: WORKER, metafile: join(ROOT, "build/metafile.js.json") },
    join(ROOT, "node_modules/.cache/minified"),
  );
  await bundleWorker(WORKER, ROOT);
  await writeWorkerOptions();
  writeFileSync(STAMP, JSON.stringify({ sources, worker: hashFile(WORKER) }));
}

/** Marks the last build as outdated: `npm run dev` writes a development build into the same folders. */
export function forgetBuild(): void {
  rmSync(STAMP, { force: true });
}

/** Reads the Worker's options for Miniflare from the last build. */
export const readWorkerOptions = (): WorkerOptions => JSON.parse(readFileSync(WORKER_OPTIONS, "utf8"));

/** Finds the script of a dependency's command, to be run with this Node. */
export function bin(packageName: string, command = packageName): string {
  // Not with `require.resolve`: some packages don't export their package.json.
  const home = join(ROOT, "node_modules", packageName);
  const { bin: bins } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  return join(home, typeof bins === "string" ? bins : (bins[command] as string));
}

async function writeWorkerOptions(): Promise<void> {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import("wrangler");
  const config = unstable_readConfig({ config: join(ROOT, "wrangler.toml") });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  mkdirSync(join(ROOT, "build"), { recursive: true });
  // `.dev.vars` is for `npm run dev`: only the settings of wrangler.toml itself are included.
  writeFileSync(WORKER_OPTIONS, JSON.stringify({ ...workerOptions, bindings: config.vars }));
}

function isCurrent(sources: string): boolean {
  if (!existsSync(STAMP) || !existsSync(WORKER) || !existsSync(WORKER_OPTIONS)) return false;
  const stamp = JSON.parse(readFileSync(STAMP, "utf8")) as { sources: string; worker: string };
  return stamp.sources === sources && stamp.worker === hashFile(WORKER);
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    if (!existsSync(path)) continue;
    for (const file of listFiles(path)) hash.update(`${relative(ROOT, file)}\0${hashFile(file)}\n`);
  }
  return hash.digest("hex");
}

function listFiles(path: string): string[] {
  if (path === BROWSER_FILES) return [];
  let entries: import("node:fs").Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return [path];
  }
  return entries
    .map((entry) => ({ path: join(path, entry.name), isDirectory: entry.isDirectory() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory ? listFiles(entry.path) : [entry.path]));
}

const hashFile = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
