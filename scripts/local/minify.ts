import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type MinifyOptions, minify } from "terser";

const { version: VERSION } = createRequire(import.meta.url)("terser/package.json") as { version: string };
const OPTIONS: MinifyOptions = {
  module: true,
  compress: { passes: 3, ecma: 2020, unsafe_arrows: true },
  format: { comments: false },
};

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Minifies a module, or reads the result of an earlier build. Remix minifies with esbuild, which leaves about 4 %
 * (gzip) that terser removes (docs/decisions/0067-smaller-scripts-and-pages.md).
 * @param cache a folder for results by content
 */
export async function minifyOnce(code: string, cache: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const known = join(cache, `${hash(JSON.stringify([VERSION, OPTIONS, code]))}.js`);
  if (existsSync(known)) return readFileSync(known, "utf8");
  const { code: minified = "" } = await minify(code, OPTIONS);
  // The file gets its name only when complete: a build may be stopped, and two may run at the same time.
  const unfinished = `${known}.${process.pid}`;
  writeFileSync(unfinished, minified);
  renameSync(unfinished, known);
  return minified;
}
