import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import remixConfig from "../../remix.config.js";

/** What the Worker takes in place of packages that only do their work in a browser. */
const STAND_INS: Record<string, string> = {
  "react-dom": "app/platform/react-dom.server.ts",
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

/** Node's own modules that packages import without saying so, and that workerd has. */
const BUILT_IN = /^events$/;

/** esbuild's own `alias` would take `react-dom/server` along with `react-dom`. */
const standIns = (root: string) => ({
  name: "stand-ins",
  setup({ onResolve }: PluginBuild) {
    for (const [name, path] of Object.entries(STAND_INS)) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: join(root, path) }));
    }
    onResolve({ filter: BUILT_IN }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
});

/** As much of esbuild as is used here. */
interface Esbuild {
  build(options: Record<string, unknown>): Promise<{ metafile: object; warnings: { text: string }[] }>;
}

interface PluginBuild {
  onResolve(options: { filter: RegExp }, callback: (asked: { path: string }) => { path: string; external?: boolean }): void;
}

/** The one that Remix brings along, so that both halves of the build agree. */
function loadEsbuild(): Esbuild {
  const { resolve } = createRequire(import.meta.url);
  return createRequire(resolve("@remix-run/dev/package.json"))("esbuild");
}
