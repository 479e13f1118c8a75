import type { Client, InStatement, Value } from "@libsql/core/api";
import { type Counts, readBackup } from "./backup-file";
import { quote, sizeOf } from "./dump";

/** A batch of statements is sent once it reaches this size, in characters of JSON. */
const BATCH_SIZE = 500_000;
/** The most statements in a batch. */
const BATCH_ROWS = 500;

/** Marks a database while it is being restored in several transactions. */
const MARK = "_unfinished_restore";

/** The result of a restore. */
interface Loaded extends Counts {
  /** When the backup was made, in ISO 8601. */
  madeAt: string;
}

/**
 * Replaces all tables of a database with those of a backup. First reads the whole file, so that a broken one changes
 * nothing. Keeps one batch of rows in memory. An interrupted restore can be repeated.
 * @throws Error if the file is incomplete; if the database holds any players, or a table that the backup doesn't have,
 *   unless an interrupted restore left them; or if a restored row refers to one that the backup doesn't hold
 */
export async function loadDatabase(client: Client, file: string): Promise<Loaded> {
  const names = new Set<string>();
  for await (const line of readBackup(file)) if ("table" in line) names.add(line.table.name);
  await clear(client, names);

  const loaded = { madeAt: "", tables: 0, rows: 0 };
  let insert = "";
  let batch: InStatement[] = [];
  let size = 0;
  const send = async () => {
    // Foreign keys are off for each batch: a row may refer to one that comes later.
    if (batch.length > 0) await client.migrate(batch);
    batch = [];
    size = 0;
  };
  const add = async (statement: InStatement, values: readonly Value[] = []) => {
    batch.push(statement);
    size += sizeOf(values);
    if (batch.length >= BATCH_ROWS || size >= BATCH_SIZE) await send();
  };
  for await (const line of readBackup(file)) {
    if ("backup" in line) loaded.madeAt = line.backup.madeAt;
    else if ("table" in line) {
      const { name, sql, columns } = line.table;
      await add(sql);
      const columnNames = ["rowid", ...columns];
      insert = `INSERT INTO ${quote(name)} (${columnNames.map(quote).join(", ")}) VALUES (${columnNames.map(() => "?").join(", ")})`;
    } else if ("row" in line) await add({ sql: insert, args: line.row }, line.row);
    else if ("object" in line) {
      // Each index gets its own batch, because building one takes a while on a large table.
      await send();
      await add(line.object.sql);
      await send();
    } else Object.assign(loaded, line.end);
  }
  await send();
  await check(client);
  await client.execute(`DROP TABLE ${MARK}`);
  return loaded;
}

/**
 * Marks a database as being restored, and removes all its other tables.
 * @param names the backup's tables
 * @throws Error if the database holds players or a table that isn't in `names`, unless it is marked already
 */
async function clear(client: Client, names: ReadonlySet<string>): Promise<void> {
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  const tables = rows.map(({ name }) => String(name));
  if (!tables.includes(MARK)) {
    const extra = tables.find((name) => !names.has(name));
    if (extra) throw new Error(`The database has a table ${extra}, which isn't in the backup. Use an empty database.`);
    if (tables.includes("users") && (await client.execute("SELECT 1 FROM users LIMIT 1")).rows.length > 0) {
      throw new Error("The database holds players. Restore into an empty one.");
    }
  }
  await client.migrate([
    `CREATE TABLE IF NOT EXISTS ${MARK} (started_at integer)`,
    ...tables.filter((name) => name !== MARK).map((name) => `DROP TABLE ${quote(name)}`),
  ]);
}

/** @throws Error if a row refers to one that is missing */
async function check(client: Client): Promise<void> {
  const [broken] = (await client.execute("PRAGMA foreign_key_check")).rows;
  if (broken)
    throw new Error(`A row of ${broken.table} refers to one of ${broken.parent} that the backup doesn't hold.`);
}
