import { join } from "node:path";
import { migrate } from "../db/migrate";
import { bin, build, ROOT } from "./local/build";
import { run } from "./local/children";
import { findOriginProblems, missingOperatorSettings } from "./local/operator-settings";

/**
 * `npm run deploy`: migrations, build, `wrangler deploy`. The database is migrated first, because the running version
 * works with every migration. Refuses to start if the site would have no origin of its own, or more than one. Warns
 * about missing operator settings but deploys anyway, because a site that isn't public needs none. Arguments are passed
 * to wrangler. With `--dry-run`, the database isn't migrated, and the reasons to refuse are only printed.
 */
const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = process.env;
const args = process.argv.slice(2);
const config = join(ROOT, "wrangler.toml");

const problems = findOriginProblems(config, args);
for (const problem of problems) console.error(problem);
const missing = missingOperatorSettings(config, args);
if (missing.length > 0) {
  console.warn("The site's pages can't name its operator. These settings are missing under [vars] in wrangler.toml:");
  for (const setting of missing) console.warn(`  ${setting}`);
  console.warn("A variable that is set only in Cloudflare's dashboard doesn't count: this deploy removes it there.");
}

if (!args.includes("--dry-run")) {
  if (problems.length > 0) {
    console.error("Nothing was deployed. These settings belong in wrangler.toml.");
    process.exit(1);
  }
  if (!LIBSQL_URL) {
    console.error("Set LIBSQL_URL (and LIBSQL_AUTH_TOKEN) to the site's database: its migrations run first.");
    process.exit(1);
  }
  await migrate(LIBSQL_URL, LIBSQL_AUTH_TOKEN);
  console.log("The database is up to date.");
}
await build();
// The Worker uses the database that was just migrated.
const vars = LIBSQL_URL ? ["--var", `LIBSQL_URL:${LIBSQL_URL}`] : [];
const { code } = await run(process.execPath, [bin("wrangler"), "deploy", ...vars, ...args], { cwd: ROOT });
process.exit(code);
