import { spawn } from "node:child_process";
import { ROOT } from "../../scripts/local/build";
import type { TestApp } from "./app";

/** Runs `npm run admin -- …` as an operator does, against the app's database. */
export async function runAdmin(
  app: Pick<TestApp, "libsqlUrl">,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/admin.ts", ...args], {
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
