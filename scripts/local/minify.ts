import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type MinifyOptions, minify } from "terser";

const { version: VERSION } = createRequire(import.meta.url)("terser/package.json") as { version: string };
const OPTIONS: MinifyOptions = {
  module: true,
  compress: { passes: 2, ecma: 2020, unsafe_arrows: true },
  format: { comments: false },
};

/** esbuild gathers the licence texts of a file's packages in one such comment. */
const LICENCE = /\/\*![\s\S]*?\*\//g;

/**
 * Minifies the browser's files a second time. Remix minifies with esbuild, which leaves about 4 % (gzip) that terser
 * removes (docs/decisions/0067-smaller-scripts-and-pages.md). File names stay, so their hashes are those of esbuild's output.
 * Licence texts move to a file of their own, which each file that had one names.
 * @param folder `public/build`
 * @param cache a folder for results by content: React's and Remix's files take seconds and rarely change
 */
export async function minifyBrowserFiles(folder: string, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    // The manifest stays as it is: tests read it as JSON.
    .filter((file) => file.endsWith(".js") && !/^manifest-\w+\.js$/.test(file))
    .map((file) => ({ path: join(folder, file), code: readFileSync(join(folder, file), "utf8") }));
  const licences = [...new Set(files.flatMap(({ code }) => code.match(LICENCE) ?? []))].sort().join("\n\n");
  const licenceFile = `licences-${hash(licences).slice(0, 8)}.txt`;
  writeFileSync(join(folder, licenceFile), licences);
  for (const { path, code } of files) {
    const notice = code.match(LICENCE) ? `/*! Licences: /build/${licenceFile} */\n` : "";
    writeFileSync(path, notice + (await minifyOnce(code, cache)));
  }
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Minifies a module, or reads the result of an earlier build. */
async function minifyOnce(code: string, cache: string): Promise<string> {
  const known = join(cache, `${hash(JSON.stringify([VERSION, OPTIONS, code]))}.js`);
  if (existsSync(known)) return readFileSync(known, "utf8");
  const { code: minified = "" } = await minify(code, OPTIONS);
  // Under its name only when whole: a build may be stopped, and two may run at once.
  const unfinished = `${known}.${process.pid}`;
  writeFileSync(unfinished, minified);
  renameSync(unfinished, known);
  return minified;
}
