import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import remixConfig from "../../remix.config.js";
import { minify } from "./minify";
import { REPLACED } from "./replaced-code";

const TARGET = "es2022";

/**
 * The modules that replace packages in the Worker, as paths or packages imported from the root. Each saves at least 3
 * kB gzip, or is needed for the build to succeed (docs/decisions/0036-the-ladder.md has the figures).
 */
const STAND_INS: Record<string, string> = {
  // Works only in a browser.
  "react-dom": "./scripts/worker-stand-ins/react-dom",
  // The package includes a second renderer, for static markup.
  "react-dom/server": "./node_modules/react-dom/cjs/react-dom-server.browser.production.min.js",
  // CommonJS, which can't be tree-shaken: it would include the browsers' whole router.
  "react-router-dom/server": "react-router-dom/server.mjs",
  // Also CommonJS, with unused cookies and sessions.
  "@remix-run/cloudflare": "@remix-run/server-runtime",
  // brackets-manager calls `require` for Node's module, which workerd offers only to `import`.
  events: "./scripts/worker-stand-ins/node-events",
};

/** The same for `import` only: `require` gets the package itself. */
const IMPORT_STAND_INS: Record<string, string> = {
  // React is CommonJS. The stand-ins export its parts by name.
  react: "./scripts/worker-stand-ins/react",
  "react/jsx-runtime": "./scripts/worker-stand-ins/react-jsx",
};

/** The same for `require` only. */
const REQUIRE_STAND_INS: Record<string, string> = {
  // brackets-manager's own copy, of which it uses one function.
  uuid: "./scripts/worker-stand-ins/uuid",
};

/** The same for single files of packages, by their paths in `node_modules`. */
const FILE_STAND_INS: Record<string, string> = {
  "zod/v4/core/to-json-schema.js": "./scripts/worker-stand-ins/zod-json-schema",
};

/** Unused ES modules of packages. All their exports throw when called. */
const LEFT_OUT = [
  // More JSON Schema, one file per type.
  "zod/v4/core/json-schema-processors.js",
  // Drizzle's relational queries, for which it would have to know the schema.
  "drizzle-orm/relations.js",
  "drizzle-orm/sqlite-core/query-builders/query.js",
  // The encoding of Hrana 3. We speak version 2, whose messages are JSON (`db/client.ts`).
  "@libsql/hrana-client/lib-esm/encoding/protobuf/decode.js",
  "@libsql/hrana-client/lib-esm/encoding/protobuf/encode.js",
  "@libsql/hrana-client/lib-esm/http/protobuf_decode.js",
  "@libsql/hrana-client/lib-esm/http/protobuf_encode.js",
  "@libsql/hrana-client/lib-esm/shared/protobuf_decode.js",
];

/**
 * The second half of the production build. Remix has compiled our code and left the packages as imports; this bundles
 * both, minified, into the one module that is tested and uploaded. Remix can't be told what to leave out
 * (docs/decisions/0019-worker-size.md).
 * @param file the module, which is replaced; its composition is written to `metafile.worker.json` beside it
 * @throws Error if a package can't be found, or imports a name that its stand-in lacks
 */
export async function bundleWorker(file: string, root: string): Promise<void> {
  const { metafile, warnings } = await loadEsbuild().build({
    absWorkingDir: root,
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    target: TARGET,
    format: remixConfig.serverModuleFormat,
    platform: remixConfig.serverPlatform,
    conditions: remixConfig.serverConditions,
    mainFields: remixConfig.serverMainFields,
    external: ["cloudflare:*", "node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    // The Worker is not distributed, so it needs no licence texts of its packages.
    legalComments: "none",
    plugins: [standIns(root), fileStandIns(root), outdent(file)],
    logLevel: "silent",
    metafile: true,
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join("\n"));
  writeFileSync(file, minify(readFileSync(file, "utf8"), TARGET));
  writeFileSync(join(dirname(file), "metafile.worker.json"), JSON.stringify(metafile));
}

/** Resolves stand-ins. esbuild's own `alias` would replace `react-dom/server` along with `react-dom`. */
const standIns = (root: string) => ({
  name: "stand-ins",
  setup({ onResolve, resolve }: PluginBuild) {
    const replace = (names: Record<string, string>, only?: string) => {
      for (const [name, path] of Object.entries(names)) {
        onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind, importer }) => {
          // A stand-in may import the package that it replaces.
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

/**
 * Replaces single files. @throws Error if a package no longer has one of the files, because a renamed file would be
 * bundled again
 */
const fileStandIns = (root: string) => ({
  name: "file-stand-ins",
  setup({ onLoad, onEnd }: PluginBuild) {
    const unseen = new Set([...Object.keys(FILE_STAND_INS), ...Object.keys(REPLACED), ...LEFT_OUT]);
    const replace = (
      name: string,
      contents: (path: string) => string | Promise<string>,
      folderOf: (path: string) => string = () => root,
    ) => {
      onLoad({ filter: new RegExp(`/node_modules/${name}$`) }, async ({ path }) => {
        unseen.delete(name);
        return { contents: await contents(path), resolveDir: folderOf(path) };
      });
    };
    for (const [name, path] of Object.entries(FILE_STAND_INS)) replace(name, () => `export * from "${path}";`);
    for (const [name, texts] of Object.entries(REPLACED)) {
      replace(name, (path) => replaceTexts(readFileSync(path, "utf8"), texts, name), dirname);
    }
    for (const name of LEFT_OUT) replace(name, async (path) => refusing(name, await exportsOf(path)));
    onEnd(() => {
      if (unseen.size > 0) throw new Error(`Not found in any package: ${[...unseen].join(", ")}`);
    });
  },
});

/** @throws Error if the code doesn't contain a text exactly once, because the package has changed */
function replaceTexts(code: string, texts: [text: string, replacement: string][], name: string): string {
  return texts.reduce((result, [text, replacement]) => {
    if (result.split(text).length !== 2) throw new Error(`${name} has changed: ${text}`);
    return result.replace(text, () => replacement);
  }, code);
}

/** Removes the indentation of multi-line strings in our own code: in SQL, HTML and CSS it has no meaning. */
const outdent = (file: string) => ({
  name: "outdent",
  setup({ onLoad }: PluginBuild) {
    onLoad({ filter: new RegExp(`^${file}$`) }, async ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/\n +/g, "\n"),
      resolveDir: dirname(path),
    }));
  },
});

/** Writes a module with these exports, each of which throws an error when called. */
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

/** The part of esbuild's API that is used here. */
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

/** Loads the esbuild that Remix uses, so that both halves of the build agree. */
export function loadEsbuild(): Esbuild {
  const { resolve } = createRequire(import.meta.url);
  return createRequire(resolve("@remix-run/dev/package.json"))("esbuild");
}
