import { migrate } from "../db/migrate";
import { bin, build, ROOT } from "./local/build";
import { run } from "./local/children";

/**
 * `npm run deploy`: migrations, build, `wrangler deploy`. The database comes first: every migration leaves the version
 * that still runs working. Arguments go to wrangler (`npm run deploy -- --dry-run`).
 */
const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = process.env;
const args = process.argv.slice(2);

if (!args.includes("--dry-run")) {
  if (!LIBSQL_URL) {
    console.error("Set LIBSQL_URL (and LIBSQL_AUTH_TOKEN) to the site's database: its migrations run first.");
    process.exit(1);
  }
  await migrate(LIBSQL_URL, LIBSQL_AUTH_TOKEN);
  console.log("The database is up to date.");
}
await build();
// The Worker reads the same database that was just migrated.
const vars = LIBSQL_URL ? ["--var", `LIBSQL_URL:${LIBSQL_URL}`] : [];
const { code } = await run(process.execPath, [bin("wrangler"), "deploy", ...vars, ...args], { cwd: ROOT });
process.exit(code);
