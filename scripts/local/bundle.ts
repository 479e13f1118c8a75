import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What the Worker takes in place of modules that only do their work in a browser. */
const STAND_INS: Record<string, string> = {
  "react-dom": "app/platform/react-dom.server.ts",
};

/** As much of esbuild as is used here. */
interface Compiler {
  build(options: Record<string, unknown>): Promise<{ metafile: object }>;
}

interface PluginBuild {
  onResolve(options: { filter: RegExp }, callback: (found: { path: string }) => { path: string } | undefined): void;
}

/** esbuild's own `alias` would take `react-dom/server` along with `react-dom`. */
const standIns = {
  name: "stand-ins",
  setup({ onResolve }: PluginBuild) {
    onResolve({ filter: /^[^./]/ }, ({ path }) => {
      const standIn = STAND_INS[path];
      return standIn === undefined ? undefined : { path: join(ROOT, standIn) };
    });
  },
};

/** The compiler is the one that Remix brings along, so that both halves of the build agree on the language. */
function loadCompiler(): Compiler {
  const remix = createRequire(createRequire(import.meta.url).resolve("@remix-run/dev/package.json"));
  return remix("esbuild") as Compiler;
}

/**
 * The second half of the build. Remix has compiled what is ours and left the packages as imports; this bundles the two,
 * minified, into the one module that is tested and uploaded. Remix could do that as well, but can't be told
 * to leave anything out (docs/decisions/0019-worker-size.md).
 * @param file the module, which is replaced; `metafile.worker.json` beside it says what it is made of
 */
export async function bundleWorker(file: string): Promise<void> {
  const { metafile } = await loadCompiler().build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    external: ["cloudflare:*", "node:*"],
    plugins: [standIns],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
    metafile: true,
  });
  writeFileSync(join(dirname(file), "metafile.worker.json"), JSON.stringify(metafile));
}
