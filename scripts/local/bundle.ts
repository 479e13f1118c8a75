import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import remixConfig from "../../remix.config.js";

/**
 * The modules that the Worker takes in place of packages, as an import from the root would name them. Each saves at least
 * 3 kB gzip, or the build fails without it (docs/decisions/0036-the-ladder.md has the figures).
 */
const STAND_INS: Record<string, string> = {
  // Only works in a browser.
  "react-dom": "./scripts/worker-stand-ins/react-dom",
  // Brings a second renderer, for static markup.
  "react-dom/server": "./node_modules/react-dom/cjs/react-dom-server.browser.production.min.js",
  // CommonJS, of which nothing can be left out: all of the router that browsers run came with it.
  "react-router-dom/server": "react-router-dom/server.mjs",
  // The same, with cookies and sessions that nothing here uses.
  "@remix-run/cloudflare": "@remix-run/server-runtime",
  // brackets-manager means Node's, which workerd has, but not for `require`.
  events: "./scripts/worker-stand-ins/node-events",
};

/** The same for what modules import: what CommonJS requires stays the package itself. */
const IMPORT_STAND_INS: Record<string, string> = {
  // CommonJS, with names to import.
  react: "./scripts/worker-stand-ins/react",
  "react/jsx-runtime": "./scripts/worker-stand-ins/react-jsx",
};

/** The same for what CommonJS requires. */
const REQUIRE_STAND_INS: Record<string, string> = {
  // brackets-manager's own, all of it for one function.
  uuid: "./scripts/worker-stand-ins/uuid",
};

/** The same for single files of packages, as they are called in `node_modules`. */
const FILE_STAND_INS: Record<string, string> = {
  "zod/v4/core/to-json-schema.js": "./scripts/worker-stand-ins/zod-json-schema",
};

/** ES modules of packages that nothing calls. Whatever they export throws when it is called. */
const LEFT_OUT = [
  // JSON Schema again, one type at a time.
  "zod/v4/core/json-schema-processors.js",
];

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
    // The Worker is given to nobody, so it need not carry the licences of what it is made of.
    legalComments: "none",
    plugins: [standIns(root), fileStandIns(root), outdent(file)],
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
    const replace = (names: Record<string, string>, only?: string) => {
      for (const [name, path] of Object.entries(names)) {
        onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind, importer }) => {
          // A stand-in may be made of what it stands for.
          const isOwn = importer.startsWith(join(root, path));
          return isOwn || (only && kind !== only) ? undefined : resolve(path, { resolveDir: root, kind });
        });
      }
    };
    replace(STAND_INS);
    replace(IMPORT_STAND_INS, "import-statement");
    replace(REQUIRE_STAND_INS, "require-call");
  },
});

/** @throws Error when a package no longer has one of the files: who renames it may bring it back */
const fileStandIns = (root: string) => ({
  name: "file-stand-ins",
  setup({ onLoad, onEnd }: PluginBuild) {
    const unseen = new Set([...Object.keys(FILE_STAND_INS), ...LEFT_OUT]);
    const replace = (name: string, contents: (path: string) => string | Promise<string>) => {
      onLoad({ filter: new RegExp(`/node_modules/${name}$`) }, async ({ path }) => {
        unseen.delete(name);
        return { contents: await contents(path), resolveDir: root };
      });
    };
    for (const [name, path] of Object.entries(FILE_STAND_INS)) replace(name, () => `export * from "${path}";`);
    for (const name of LEFT_OUT) replace(name, async (path) => refusing(name, await exportsOf(path)));
    onEnd(() => {
      if (unseen.size > 0) throw new Error(`Not found in any package: ${[...unseen].join(", ")}`);
    });
  },
});

/** What is ours, without the indentation of what stands in it over several lines: in SQL, HTML and CSS it means nothing. */
const outdent = (file: string) => ({
  name: "outdent",
  setup({ onLoad }: PluginBuild) {
    onLoad({ filter: new RegExp(`^${file}$`) }, async ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/\n +/g, "\n"),
      resolveDir: dirname(path),
    }));
  },
});

/** A module with these exports, each of which says what it is not when it is called. */
const refusing = (module: string, names: string[]) => `
  function refuse() { throw new Error("The Worker has no ${module}: scripts/local/bundle.ts leaves it out."); }
  export { ${names.map((name) => `refuse as ${name}`).join(", ")} };`;

async function exportsOf(path: string): Promise<string[]> {
  const { metafile } = await loadEsbuild().build({
    entryPoints: [path],
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}

/** As much of esbuild as is used here. */
interface Esbuild {
  build(options: Record<string, unknown>): Promise<{
    metafile: { outputs: Record<string, { exports: string[] }> };
    warnings: { text: string }[];
  }>;
}

interface PluginBuild {
  onResolve(
    options: { filter: RegExp },
    callback: (found: { kind: string; importer: string }) => Promise<{ path: string }> | undefined,
  ): void;
  onLoad(
    options: { filter: RegExp },
    callback: (found: { path: string }) => Promise<{ contents: string; resolveDir: string }>,
  ): void;
  onEnd(callback: () => void): void;
  resolve(path: string, options: { resolveDir: string; kind: string }): Promise<{ path: string }>;
}

/** The one that Remix brings along, so that both halves of the build agree. */
function loadEsbuild(): Esbuild {
  const { resolve } = createRequire(import.meta.url);
  return createRequire(resolve("@remix-run/dev/package.json"))("esbuild");
}
