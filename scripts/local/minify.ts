import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type MinifyOptions, minifySync } from "rolldown/utils";
import * as terser from "terser";

const require = createRequire(import.meta.url);
const VERSIONS = ["terser", "rolldown"].map((name) => (require(`${name}/package.json`) as { version: string }).version);
const TERSER: terser.MinifyOptions = {
  module: true,
  compress: { passes: 3, ecma: 2020, unsafe_arrows: true },
  format: { comments: false },
};
const OXC: MinifyOptions = { module: true, codegen: { removeWhitespace: true, legalComments: "none" } };

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Minifies a module with oxc, which takes a third of a second for the whole Worker (docs/decisions/0088-oxc.md).
 * @param target the oldest version of JavaScript that has to run the result, such as `es2020`
 * @throws Error if the module can't be parsed
 */
export function minify(code: string, target: string): string {
  const { code: minified, errors } = minifySync("module.js", code, { ...OXC, compress: { target } });
  if (errors[0]) throw new Error(errors[0].message);
  return minified;
}

/**
 * Minifies a module for browsers, or reads the result of an earlier build. Remix minifies with esbuild, which leaves
 * about 4 % (gzip) that terser and, after it, oxc remove.
 * @param cache a folder for results by content
 */
export async function minifyOnce(code: string, cache: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const known = join(cache, `${hash(JSON.stringify([VERSIONS, TERSER, OXC, code]))}.js`);
  if (existsSync(known)) return readFileSync(known, "utf8");
  const minified = minify((await terser.minify(code, TERSER)).code ?? "", "es2020");
  // The file gets its name only when complete: a build may be stopped, and two may run at the same time.
  const unfinished = `${known}.${process.pid}`;
  writeFileSync(unfinished, minified);
  renameSync(unfinished, known);
  return minified;
}
