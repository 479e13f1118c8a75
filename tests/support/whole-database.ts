import { createClient, type Value } from "@libsql/client/http";
import { openWs, ResponseError, type WsClient, type WsStream } from "@libsql/hrana-client";
import type { App } from "../../scripts/local/app";

/**
 * The columns that every request may change: counters of limits, when players were last here, and what they have read,
 * since an error is shown on a page with messages and news.
 */
const UNSTEADY: Record<string, readonly string[] | "all"> = {
  rate_limits: "all",
  presence: "all",
  lfg_posts: ["author_state", "author_seen_at", "author_slot"],
  sessions: ["last_seen_at"],
  notifications: ["read_at"],
  conversation_members: ["last_read_seq", "unread_count"],
};

/** The time without writes after which a database counts as settled, and the time to wait for that, in milliseconds. */
const STILLNESS = 25;
const PATIENCE = 5_000;

/** The table in which triggers note which rows were written. */
const WRITTEN = "written_rows";

type Row = Value[];

interface Table {
  columns: string[];
  /** The rows that `putBack` restores, by rowid. */
  rows: Map<number, Row>;
}

/**
 * Notices all changes to an app's database, and undoes them. After `watch`, it reads only rows that were written, and
 * uses one connection for everything, because opening one takes the server ten times as long as a statement.
 */
export class WholeDatabase {
  readonly #url: string;
  readonly #socket: WsClient;
  readonly #stream: WsStream;
  readonly #tables = new Map<string, Table>();

  constructor({ libsqlUrl }: Pick<App, "libsqlUrl">) {
    this.#url = libsqlUrl;
    this.#socket = openWs(libsqlUrl.replace(/^http/, "ws"));
    this.#stream = this.#socket.openStream();
  }

  /** Remembers all rows as they are now. Drops the schema's triggers, one of which forbids deleting rows. */
  async watch(): Promise<void> {
    await this.#socket.getVersion();
    const client = createClient({ url: this.#url });
    const { rows: triggers } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'");
    const { rows: tables } = await client.execute(
      "SELECT m.name AS name, group_concat(c.name) AS columns FROM sqlite_master m, pragma_table_info(m.name) c " +
        "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' GROUP BY 1",
    );
    const note = (event: string, name: unknown, row: string) =>
      `CREATE TRIGGER ${WRITTEN}_${event}_${name} AFTER ${event} ON ${name}
       BEGIN INSERT INTO ${WRITTEN} (name, id) VALUES ('${name}', ${row}.rowid); END`;
    await client.batch([
      ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
      `CREATE TABLE ${WRITTEN} (place INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, id INTEGER)`,
      ...tables.flatMap(({ name }) => [note("INSERT", name, "NEW"), note("UPDATE", name, "NEW")]),
      ...tables.map(({ name }) => note("DELETE", name, "OLD")),
    ]);
    client.close();
    for (const { name, columns } of tables) {
      const table = { columns: String(columns).split(","), rows: new Map() };
      this.#tables.set(String(name), table);
      table.rows = await this.#read(String(name));
    }
  }

  /**
   * Finds what has changed since `watch` or `putBack`, except for what every request may change: `+table` for new rows,
   * `-table` for removed ones, `table.column` for others.
   */
  async changes(): Promise<string[]> {
    const changed = new Set<string>();
    for (const { name, kept, now } of await this.#written()) {
      const unsteady = UNSTEADY[name] ?? [];
      if (unsteady === "all" || (!kept && !now)) continue;
      if (!kept || !now) changed.add(`${now ? "+" : "-"}${name}`);
      else {
        const { columns } = this.#tables.get(name) as Table;
        const others = columns.filter((_, index) => quote(kept[index] as Value) !== quote(now[index] as Value));
        for (const column of others) if (!unsteady.includes(column)) changed.add(`${name}.${column}`);
      }
    }
    return [...changed].sort();
  }

  /** Finds what has changed, once the work after the last response is done. */
  async changesInTheEnd(): Promise<string[]> {
    await this.#settle();
    return this.changes();
  }

  /** Undoes all changes, once the work after the last response is done. */
  async putBack(): Promise<void> {
    await this.#settle();
    // Rows come back in any order, so foreign keys are valid only at the end.
    await this.#stream.sequence("PRAGMA foreign_keys = off");
    await this.#begin();
    // Read within the transaction: on a busy machine, late work may still write until it begins.
    const written = await this.#written();
    const statements = [
      ...written.map(({ name, id }) => `DELETE FROM ${name} WHERE rowid = ${id}`),
      ...written.flatMap(({ name, id, kept }) => {
        const columns = this.#tables.get(name)?.columns.join(", ");
        return kept ? [`INSERT INTO ${name} (rowid, ${columns}) VALUES (${[id, ...kept.map(quote)].join(", ")})`] : [];
      }),
      `DELETE FROM ${WRITTEN}`,
    ];
    await this.#stream.sequence(`${statements.join("; ")}; COMMIT`);
  }

  /** Begins a write transaction. Tries again if the server gives up: on a busy machine, it does after two seconds. */
  async #begin(): Promise<void> {
    const deadline = Date.now() + PATIENCE * 4;
    for (;;) {
      try {
        return await this.#stream.sequence("BEGIN IMMEDIATE");
      } catch (error) {
        if (!(error instanceof ResponseError && /locked/.test(error.message)) || Date.now() > deadline) throw error;
      }
    }
  }

  close(): void {
    this.#socket.close();
  }

  /** Reads the rows that were written: as `watch` remembered them, and as they are now. */
  async #written(): Promise<{ name: string; id: number; kept: Row | undefined; now: Row | undefined }[]> {
    const { rows } = await this.#stream.query(
      `SELECT name, group_concat(DISTINCT id) FROM ${WRITTEN} GROUP BY name ORDER BY name`,
    );
    const found = rows.map(async (row) => {
      const [name, ids] = [String(row[0]), String(row[1])];
      const { rows: kept } = this.#tables.get(name) as Table;
      const now = await this.#read(name, `WHERE rowid IN (${ids})`);
      return ids
        .split(",")
        .map((id) => ({ name, id: Number(id), kept: kept.get(Number(id)), now: now.get(Number(id)) }));
    });
    return (await Promise.all(found)).flat();
  }

  async #read(name: string, where = ""): Promise<Map<number, Row>> {
    const { columns } = this.#tables.get(name) as Table;
    const { rows } = await this.#stream.query(`SELECT rowid, ${columns.join(", ")} FROM ${name} ${where}`);
    return new Map(rows.map((row) => [Number(row[0]), columns.map((_, index) => row[index + 1] as Value)] as const));
  }

  /** Waits until the database is no longer written to. @throws Error if that takes longer than `PATIENCE` */
  async #settle(): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    let before: Value | undefined;
    for (;;) {
      const { row } = await this.#stream.queryRow(`SELECT coalesce(max(place), 0) FROM ${WRITTEN}`);
      if (row?.[0] === before) return;
      if (Date.now() > deadline) throw new Error(`The database was still being written to after ${PATIENCE} ms.`);
      before = row?.[0] as Value;
      await new Promise((resolve) => setTimeout(resolve, STILLNESS));
    }
  }
}

/** Writes a value as an SQL literal. */
function quote(value: Value): string {
  if (value === null) return "NULL";
  if (value instanceof ArrayBuffer) return `x'${Buffer.from(value).toString("hex")}'`;
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
