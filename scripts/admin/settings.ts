import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ROOT } from "../local/build";

/** The file with the settings of a running `npm run dev`; it exists only while that runs. */
export const DEV_SETTINGS = join(ROOT, ".data/dev.vars");

/** Reads the Worker's `ENCRYPTION_KEY`: from the environment, or from the running `npm run dev`; empty if unknown. */
export function readEvidenceKeys(): string[] {
  const settings =
    process.env.LIBSQL_URL || !existsSync(DEV_SETTINGS) ? process.env : parseEnv(readFileSync(DEV_SETTINGS, "utf8"));
  return (settings.ENCRYPTION_KEY ?? "").split(",").flatMap((key) => key.trim() || []);
}
