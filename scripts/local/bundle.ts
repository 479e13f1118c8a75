import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import remixConfig from "../../remix.config.js";

/** What the Worker takes in place of packages, as an import from the root would name it. */
const STAND_INS: Record<string, string> = {
  // Only works in a browser.
  "react-dom": "./app/platform/react-dom.server",
  // Brings a second renderer, for static markup.
  "react-dom/server": "./node_modules/react-dom/cjs/react-dom-server.browser.production.min.js",
  // CommonJS, of which nothing can be left out: all of the router that browsers run came with it.
  "react-router-dom/server": "react-router-dom/server.mjs",
  // The same, with cookies and sessions that nothing here uses.
  "@remix-run/cloudflare": "@remix-run/server-runtime",
  // brackets-manager means Node's, which workerd has, but not for `require`.
  events: "./app/platform/node-events.server",
  // Drizzle is given a client of our own (db/client.ts).
  "@libsql/client/http": "./app/platform/libsql-client.server",
};

/**
 * The second half of the production build. Remix has compiled what is ours and left the packages as imports; this
 * bundles the two, minified, into the one module that is tested and uploaded. Remix could do that as well, but can't be
 * told what to leave out (docs/decisions/0019-worker-size.md).
 * @param file the module, which is replaced; `metafile.worker.json` beside it says what it is made of
 * @throws Error when a package can't be found, or asks a stand-in for what it has not
 */
export async function bundleWorker(file: string, root: string): Promise<void> {
  const { metafile, warnings } = await loadEsbuild().build({
    absWorkingDir: root,
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    target: "es2022",
    format: remixConfig.serverModuleFormat,
    platform: remixConfig.serverPlatform,
    conditions: remixConfig.serverConditions,
    mainFields: remixConfig.serverMainFields,
    external: ["cloudflare:*", "node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [standIns(root)],
    logLevel: "silent",
    metafile: true,
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join("\n"));
  writeFileSync(join(dirname(file), "metafile.worker.json"), JSON.stringify(metafile));
}

/** esbuild's own `alias` would take `react-dom/server` along with `react-dom`. */
const standIns = (root: string) => ({
  name: "stand-ins",
  setup({ onResolve, resolve }: PluginBuild) {
    for (const [name, path] of Object.entries(STAND_INS)) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) => resolve(path, { resolveDir: root, kind }));
    }
  },
});

/** As much of esbuild as is used here. */
interface Esbuild {
  build(options: Record<string, unknown>): Promise<{ metafile: object; warnings: { text: string }[] }>;
}

interface PluginBuild {
  onResolve(options: { filter: RegExp }, callback: (found: { kind: string }) => Promise<{ path: string }>): void;
  resolve(path: string, options: { resolveDir: string; kind: string }): Promise<{ path: string }>;
}

/** The one that Remix brings along, so that both halves of the build agree. */
function loadEsbuild(): Esbuild {
  const { resolve } = createRequire(import.meta.url);
  return createRequire(resolve("@remix-run/dev/package.json"))("esbuild");
}
