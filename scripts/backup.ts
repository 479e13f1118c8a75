import { parseArgs } from "node:util";
import { writeBackup } from "./backups/backup-file";
import { dumpDatabase } from "./backups/dump";
import { openNamedDatabase } from "./backups/open";

const USAGE = `npm run backup -- --to FILE

Writes a consistent snapshot of all rows of the database to a new file, which \`npm run restore\` reads. Pictures and
the Worker's settings are not in it. The file holds everything else that players have told Lineup: keep it as safe as
the database.

LIBSQL_URL and LIBSQL_AUTH_TOKEN name the database.`;

try {
  const file = readArguments();
  const { client, url } = openNamedDatabase();
  // Not to standard output, which a program may be reading.
  console.error(`Database: ${url}`);
  const { rows, tables } = await writeBackup(file, dumpDatabase(client));
  client.close();
  console.log(`${file} holds ${rows} rows of ${tables} tables.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readArguments(): string {
  const { values } = parseArgs({ options: { to: { type: "string" }, help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  if (!values.to) throw new Error(`Name the backup's file with --to.\n\n${USAGE}`);
  return values.to;
}
