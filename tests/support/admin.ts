import { spawn } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/local/build";
import { loadEsbuild } from "../../scripts/local/bundle";
import type { TestApp } from "./app";

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** The Node arguments that run the script from its bundle, which is made once per process. */
let bundled: Promise<string[]> | undefined;

/**
 * Does what `npm run admin -- …` does, against the app's database. It runs a bundle of the script, which takes a sixth
 * of the time that it takes with `tsx` (docs/decisions/0050-test-run.md).
 */
export async function runAdmin(
  app: Pick<TestApp, "libsqlUrl">,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  bundled ??= bundleAdmin();
  return runNode([...(await bundled), ...args], app, env);
}

/** Runs `npm run admin -- …` itself, as an operator does. */
export const runAdminFromSource = (app: Pick<TestApp, "libsqlUrl">, args: readonly string[]): Promise<Ended> =>
  runScriptFromSource("scripts/admin.ts", app, args);

/** Runs a script's source file against a database, as its command in package.json does. */
export const runScriptFromSource = (
  script: string,
  database: Pick<TestApp, "libsqlUrl">,
  args: readonly string[],
): Promise<Ended> => runNode(["--import", "tsx", script, ...args], database);

async function runNode(
  args: readonly string[],
  app: Pick<TestApp, "libsqlUrl">,
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, LIBSQL_URL: app.libsqlUrl, APP_ORIGIN: "https://lineup.test", ...env },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

async function bundleAdmin(): Promise<string[]> {
  // As deep below the root as `scripts/local`, because those modules find the root from their own location.
  const file = join(ROOT, "build/tests/admin.mjs");
  const draft = `${file}.${process.pid}`;
  await loadEsbuild().build({
    absWorkingDir: ROOT,
    entryPoints: ["scripts/admin.ts"],
    outfile: draft,
    bundle: true,
    // Only builds need wrangler.
    external: ["wrangler"],
    platform: "node",
    target: "node20",
    format: "esm",
    // Packages in CommonJS require Node's modules.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "silent",
  });
  // Replaces the file in one step, because another process may be starting it.
  renameSync(draft, file);
  return [file];
}
