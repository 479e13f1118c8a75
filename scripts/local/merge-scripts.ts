import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type GetManualChunk, type OutputChunk, type Plugin, rollup } from "rollup";
import { type BrowserManifest, type ManifestRoute, readManifest, replaceManifest } from "./browser-manifest";
import { findInterop, foldConstants } from "./fold-constants";
import { minifyOnce } from "./minify";
import { groupScripts, type Script } from "./script-groups";

/** Where Remix has put its build. */
interface RemixBuild {
  root: string;
  /** `public/build` */
  folder: string;
  /** The Worker, which includes the manifest. */
  worker: string;
  /** esbuild's account of the scripts. */
  metafile: string;
}

/** esbuild gathers the licence texts of a file's packages in one such comment. */
const LICENCE = /\/\*![\s\S]*?\*\//g;
const PUBLIC_PATH = "/build/";
/** The empty modules that Remix leaves have at most this many characters, and the bundler drops them. */
const EMPTY = 120;

/**
 * Bundles the browser's scripts a second time. Remix's build makes a file of every set of modules that several routes
 * share, hundreds of them under 1 kB. This puts them into a few files, minifies them and replaces Remix's manifest.
 * Licence texts move to a file of their own, named in each file that had one.
 * @param build where Remix has put its build
 * @param cache a folder for minified files by content: React's and Remix's take seconds and rarely change
 */
export async function mergeScripts(build: RemixBuild, cache: string): Promise<void> {
  const { folder } = build;
  const manifest = readManifest(folder);
  const scripts = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js") && !/^manifest-\w+\.js$/.test(file))
      .map((file) => [join(folder, file), readFileSync(join(folder, file), "utf8")]),
  );
  const pathOf = (address: string) => join(folder, address.slice(PUBLIC_PATH.length));
  const entry = pathOf(manifest.entry.module);
  const routes = new Map(Object.entries(manifest.routes).map(([id, { module }]) => [id, pathOf(module)]));
  const isOwn = readOrigins(build);
  for (const { id, hasClientLoader } of Object.values(manifest.routes)) {
    if (hasClientLoader) throw new Error(`${id} has a clientLoader, but fold-constants.ts drops Remix's code for it.`);
  }
  const bundle = await rollup({
    input: { "entry.client": entry, ...Object.fromEntries(routes) },
    // The root's file may export more than the route, so that it can hold the shell.
    preserveEntrySignatures: "allow-extension",
    plugins: [readScripts(scripts, pathOf, isOwn)],
    onwarn(warning) {
      // Routes without a page leave no script.
      if (warning.code !== "EMPTY_BUNDLE") throw new Error(warning.message);
    },
  });
  const { output } = await bundle.generate({
    format: "es",
    compact: true,
    sanitizeFileName: false,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: ({ name }) => `_shared/${name.replace(/-([A-Z0-9]{8}|\d+)$/, "")}-[hash].js`,
    hashCharacters: "base36",
    manualChunks: chooseFiles((loaded) => nameFiles({ manifest, entry, routes, scripts: loaded, isOwn })),
    onlyExplicitManualChunks: true,
    plugins: [minifyFiles(scripts, folder, cache)],
  });
  await bundle.close();
  for (const file of scripts.keys()) rmSync(file);
  const files = new Map(output.filter((file) => file.type === "chunk").map((file) => [file.fileName, file]));
  for (const { fileName, code } of files.values()) {
    mkdirSync(dirname(join(folder, fileName)), { recursive: true });
    writeFileSync(join(folder, fileName), code);
  }
  replaceManifest(folder, build.worker, describeFiles(manifest, { entry, routes, files }));
}

/** Reads the scripts of Remix's build, which import each other by URL. */
function readScripts(
  scripts: ReadonlyMap<string, string>,
  pathOf: (address: string) => string,
  isOwn: (file: string) => boolean,
): Plugin {
  const interop = findInterop(scripts);
  const isInterop = (source: string) => pathOf(source) === interop.file;
  return {
    name: "read-scripts",
    resolveId: (source) => (source.startsWith(PUBLIC_PATH) ? pathOf(source) : null),
    load: (file) => scripts.get(file),
    transform: (code, file) => ({ code: foldConstants(code, interop, isInterop, !isOwn(file)), map: null }),
  };
}

/** Minifies files before they are named by their hashes. */
function minifyFiles(scripts: ReadonlyMap<string, string>, folder: string, cache: string): Plugin {
  const licencesOf = (file: string) => scripts.get(file)?.match(LICENCE) ?? [];
  const licences = [...new Set([...scripts.keys()].flatMap(licencesOf))].sort().join("\n\n");
  const licenceFile = `licences-${createHash("sha256").update(licences).digest("hex").slice(0, 8)}.txt`;
  writeFileSync(join(folder, licenceFile), licences);
  return {
    name: "minify-files",
    async renderChunk(code, { modules }) {
      const hasLicence = Object.keys(modules).some((file) => licencesOf(file).length > 0);
      const notice = hasLicence ? `/*! Licences: ${PUBLIC_PATH}${licenceFile} */\n` : "";
      return { code: notice + (await minifyOnce(code, cache)), map: null };
    },
  };
}

/** Reads which scripts contain code of our own. */
function readOrigins({ root, metafile }: RemixBuild): (file: string) => boolean {
  const { outputs } = JSON.parse(readFileSync(metafile, "utf8")) as {
    outputs: Record<string, { inputs: Record<string, unknown> }>;
  };
  return (file) =>
    Object.keys(outputs[relative(root, file)]?.inputs ?? {}).some((input) => !input.startsWith("node_modules/"));
}

/** Creates Rollup's `manualChunks`. Its first call, when Rollup knows all scripts, chooses the files of all of them. */
function chooseFiles(choose: (scripts: Map<string, Script>) => Map<string, string>): GetManualChunk {
  let names: Map<string, string> | undefined;
  return (id, { getModuleInfo, getModuleIds }) => {
    names ??= choose(
      new Map(
        [...getModuleIds()].map((name) => {
          const { code, importedIds = [] } = getModuleInfo(name) ?? {};
          const size = code?.length ?? 0;
          return [name, { size: size > EMPTY ? size : 0, imports: importedIds }];
        }),
      ),
    );
    return names.get(id);
  };
}

/**
 * Chooses the file of each script. React and Remix form one that browsers keep across deployments. The other scripts
 * that the root and the entry load form the shell, together with the root. The rest are grouped; those that only
 * dynamic imports reach are left to Rollup.
 */
function nameFiles({
  manifest,
  entry,
  routes,
  scripts,
  isOwn,
}: {
  manifest: BrowserManifest;
  entry: string;
  routes: ReadonlyMap<string, string>;
  scripts: ReadonlyMap<string, Script>;
  isOwn: (file: string) => boolean;
}): Map<string, string> {
  const importsOf = (file = "") => scripts.get(file)?.imports ?? [];
  const load = (file: string, loaded = new Set<string>()) => {
    loaded.add(file);
    for (const each of importsOf(file)) if (!loaded.has(each)) load(each, loaded);
    return loaded;
  };
  const root = routes.get("root") as string;
  const ofEntry = [...load(entry)].filter((file) => file !== entry);
  const framework = new Set(ofEntry.filter((file) => !isOwn(file)));
  const shell = new Set([...load(root), ...ofEntry].filter((file) => !framework.has(file)));
  const fixed = new Set([...routes.values(), entry, ...framework]);
  const pages = [...routes].flatMap(([id, file]) => {
    if (importsOf(file).length === 0) return [];
    const loaded = new Set<string>();
    for (let at: string | undefined = id; at; at = manifest.routes[at]?.parentId) load(routes.get(at) ?? "", loaded);
    return [loaded];
  });
  const grouped = groupScripts(
    new Map([...scripts].filter(([file]) => shell.has(file) || !fixed.has(file))),
    pages,
    shell,
  );
  const names = [...grouped].map(
    ([file, group]) => [file, group === grouped.get(root) ? "shell" : `pages-${group}`] as const,
  );
  return new Map([...names, ...[...framework].map((file) => [file, "framework"] as const)]);
}

/**
 * Returns the parts of the manifest that describe the new files. Routes don't repeat the entry's imports, and leave out
 * properties that are false: Remix reads a missing property as false, and each page contains its routes' part of the
 * manifest.
 */
function describeFiles(
  manifest: BrowserManifest,
  {
    entry,
    routes,
    files,
  }: { entry: string; routes: ReadonlyMap<string, string>; files: ReadonlyMap<string, OutputChunk> },
): Pick<BrowserManifest, "entry" | "routes"> {
  const ofScript = new Map([...files.values()].map((file) => [file.facadeModuleId, file]));
  const importsOf = (name: string, found = new Set<string>()) => {
    for (const each of files.get(name)?.imports ?? []) {
      if (!found.has(each)) importsOf(each, found.add(each));
    }
    return found;
  };
  const describe = (script: string, known: ReadonlySet<string>) => {
    const { fileName } = ofScript.get(script) as OutputChunk;
    const imports = [...importsOf(fileName)].filter((file) => !known.has(file));
    return {
      module: PUBLIC_PATH + fileName,
      imports: imports.length > 0 ? imports.map((file) => PUBLIC_PATH + file) : undefined,
    };
  };
  const ofEntry = importsOf((ofScript.get(entry) as OutputChunk).fileName);
  return {
    entry: { ...manifest.entry, ...describe(entry, new Set()) },
    routes: Object.fromEntries(
      Object.entries(manifest.routes).map(([id, route]) => [
        id,
        { ...onlyTrue(route), ...describe(routes.get(id) as string, ofEntry) },
      ]),
    ),
  };
}

const onlyTrue = (route: ManifestRoute) =>
  Object.fromEntries(Object.entries(route).filter(([, value]) => value !== false)) as unknown as ManifestRoute;
