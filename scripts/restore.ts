import { parseArgs } from "node:util";
import { loadDatabase } from "./backups/load";
import { openNamedDatabase } from "./backups/open";

const USAGE = `npm run restore -- --from FILE

Fills an empty database, or a migrated one without players, from a backup made by \`npm run backup\`. No Worker may use
the database until the restore has finished. After an interruption, run it again.

LIBSQL_URL and LIBSQL_AUTH_TOKEN name the database.`;

try {
  const file = readArguments();
  const { client, url } = openNamedDatabase();
  // Not to standard output, which a program may be reading.
  console.error(`Database: ${url}`);
  const { madeAt, rows, tables } = await loadDatabase(client, file);
  client.close();
  console.log(`Restored ${rows} rows of ${tables} tables, as they were at ${madeAt}. Now run npm run db:migrate.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readArguments(): string {
  const { values } = parseArgs({ options: { from: { type: "string" }, help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  if (!values.from) throw new Error(`Name the backup's file with --from.\n\n${USAGE}`);
  return values.from;
}
