import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ROOT } from "../local/build";
import { UsageError } from "./usage-error";

/** The file with the settings of a running `npm run dev`; it exists only while that runs. */
export const DEV_SETTINGS = join(ROOT, ".data/dev.vars");

/**
 * Reads the keys in the Worker's `ENCRYPTION_KEY`; empty if unknown. They come from the running `npm run dev`, or from
 * the environment if `LIBSQL_URL` is set there or `npm run dev` isn't running.
 */
export function readEncryptionKeys(): string[] {
  const settings =
    process.env.LIBSQL_URL || !existsSync(DEV_SETTINGS) ? process.env : parseEnv(readFileSync(DEV_SETTINGS, "utf8"));
  return (settings.ENCRYPTION_KEY ?? "").split(",").flatMap((key) => key.trim() || []);
}

/**
 * Adds the site's URL to a command's input, for the link that a player gets by email or by hand, and the keys that
 * encrypt the email, if they are known.
 * @throws UsageError if the URL is unknown: a link with the wrong URL can't be taken back once it is sent
 */
export function withOrigin<Task extends { origin: string | null }>(
  task: Task,
): Task & { origin: string; env: { ENCRYPTION_KEY: string[] } } {
  const { origin } = task;
  if (origin === null) {
    throw new UsageError(
      "The player gets a link. Set APP_ORIGIN as the Worker has it, or name the site with --origin.",
    );
  }
  return { ...task, origin, env: { ENCRYPTION_KEY: readEncryptionKeys() } };
}
